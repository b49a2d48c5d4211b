"""Primanita, Khalid and Iida 2020, figure 5: the root's p over iterations on two positions."""

from collections.abc import Sequence
from functools import partial
from statistics import mean, median
from typing import Any

from zermelo import MCPN, PN, PPN
from zermelo.lab import Arm, Claim, Experiment, Figure, Size, Table, equals, from_file
from zermelo.lab.statistics import LEAST, UNDECIDED, Verdict, above, share

NOT_WON, WON = "id 67, not a win", "id 8, a win"
IDS = {NOT_WON: 67, WON: 8}
NODES = Size(8_000_000, full=35_000_000)
STEP, SEEDS = 10_000, 200
SOME, FEW = Size(50, full=SEEDS), Size(20, full=SEEDS)  # of those that take longest
AS_THEIRS = "PPN, pr = 1e-16"  # the nearest to the authors' program, which ends at 1.0 as a double
PUBLISHED = {(NOT_WON, "PN"): 1_921_730, (NOT_WON, "PPN"): 2_295_856, (NOT_WON, "MCPN"): 1_114_283,
             (WON, "PN"): 11_055, (WON, "PPN"): 661_783, (WON, "MCPN"): 1_567}
SIX_DIGITS = 5e-7  # from here on p is printed as 0.000000 or 1.000000


def p_at(iterations: int, entries: Sequence[Any]) -> str | None:
    """The mean over seeds of the root's p after a number of iterations."""
    found = [sample["root"]["p"] for entry in entries for sample in entry.row["trace"]
             if sample["iterations"] == iterations and "p" in sample["root"]]
    return f"{mean(found):.6f}" if found else None


def settled(entry: Any) -> float | None:
    """The iteration from which on p is 0 or 1 to six digits, as a share of all."""
    if not entry.row["trace"]:
        return None
    last = 0
    for sample in entry.row["trace"]:
        numbers = sample["root"]
        if "p" not in numbers:
            return None
        if min(numbers["p"], numbers["q"]) >= SIX_DIGITS:
            last = sample["iterations"]
    return 100.0 * last / entry.row["iterations"] if entry.row["iterations"] else None


def until_settled(entries: Sequence[Any]) -> float | None:
    """The mean over seeds of that share."""
    found = [share for entry in entries if (share := settled(entry)) is not None]
    return mean(found) if found else None


def goes_on(group: str, results: Any) -> tuple[Verdict, str]:
    """With most seeds at least a third of PPN's iterations come after p is settled."""
    entries = [entry for entry in results.select("PPN", group) if entry.row is not None]
    shares = [found for entry in entries if (found := settled(entry)) is not None]
    so = share(sum(found < 100 * 2 / 3 for found in shares), len(shares))
    if so is None or not results.finished("PPN"):
        return None, ""
    return above(so, 50), f"with {so.text()} of {len(shares)} seeds"


def one_of_ours(name: str, group: str, published: int, results: Any) -> tuple[Verdict, str]:
    """The published count is one that our seeds could give, by its rank among theirs; there are
    four counts."""
    found = sorted(e.row["nodes"] for e in results.select(name, group) if e.row is not None)
    if not found or not results.finished(name):
        return None, ""
    below = sum(count < published for count in found)
    p = 2 * (min(below, len(found) - below) + 1) / (len(found) + 1)
    verdict: Verdict = False if p < 0.05 / 4 else UNDECIDED if p < 0.05 else True
    return UNDECIDED if len(found) < LEAST else verdict, (
        f"median {median(found):,.0f}, least {found[0]:,}, most {found[-1]:,}; published "
        f"{published:,}, more than {below} of {len(found)} seeds (p = {min(p, 1):.2g})")


P, Q = "p after 10,000 iterations", "p settled after (% of iterations)"

experiment = Experiment(
    title="The root's p over iterations on two Connect Four positions",
    source="Primanita, Khalid and Iida 2020, figure 5; Primanita and Iida 2019, figures 4 and 5.",
    about="The papers look at two positions on which PPN goes on long after its p is 0 or 1 to six "
    "digits. The first is found among the 200 by PN's 1,921,730 nodes, the second by its 11,055. "
    "The sample is not of positions but of random games: 200 seeds each, at the default size fewer "
    "of PPN to its proof and with pr = 1e-16, which take longest.",
    positions=[from_file("connect-four/openings.txt", "connect-four", name=name, side="X",
                         ids=[id]) for name, id in IDS.items()],
    arms=[
        Arm("PN", PN(), nodes=35_000_000),
        Arm("PPN", PPN(), nodes=NODES, seeds=FEW, trace=STEP, memory="1.2GB"),
        Arm(AS_THEIRS, PPN(pr=1e-16), nodes=NODES, seeds=SOME, trace=STEP, memory="1.2GB"),
        Arm("PPN, pr = 1e-05", PPN(pr=1e-05), nodes=NODES, seeds=SEEDS, trace=STEP, memory="1.2GB"),
        Arm("MCPN", MCPN(), nodes=NODES, seeds=SEEDS, memory="1.2GB"),
    ],
    tables=[Table(
        "Two positions", ["median nodes", "least nodes", "most nodes", "mean nodes",
                          "mean iterations", (P, partial(p_at, 10_000)), (Q, until_settled)],
        "set, arm",
        published={
            "median nodes": {**PUBLISHED, **{(name, AS_THEIRS): PUBLISHED[name, "PPN"]
                                             for name in IDS}},
            "mean iterations": {(NOT_WON, "PPN"): 677_765, (WON, "PPN"): 214_110},
            P: {(NOT_WON, "PPN"): "0.005794", (WON, "PPN"): "0.99995"},
            Q: {(NOT_WON, "PPN"): 100 * 340_000 / 677_765, (WON, "PPN"): 100 * 100_000 / 214_110},
        },
        note="Published settling: p is 0.000000 by iteration 340,000 of 677,765, and 1.00000 from "
        "iteration 100,000 of 214,110. Published numbers are of one run each.",
    )],
    figures=[
        *(Figure(f"p-{'lost' if name == NOT_WON else 'won'}", "trace",
                 f"The root's p, {name}, by seed", y="p", sets=[name], arms=["PPN"],
                 y_label="p of the root") for name in IDS),
        Figure("p-small", "trace", f"The same for {NOT_WON}, logarithmic", y="p", sets=[NOT_WON],
               arms=["PPN"], y_label="p of the root", log_y=True),
        Figure("q-small", "trace", f"1 - p for {WON}, logarithmic", y="q", sets=[WON],
               arms=["PPN"], y_label="1 - p of the root", log_y=True),
    ],
    claims=[
        *(Claim(f"{name}: PN needs {PUBLISHED[name, 'PN']:,} nodes",
                equals("mean nodes", PUBLISHED[name, "PN"], "PN", name), "4.2",
                rule="a deterministic count: equal, or refuted") for name in IDS),
        *(Claim(f"{name}: {search} needs {PUBLISHED[name, search]:,} nodes",
                partial(one_of_ours, arm, name, PUBLISHED[name, search]), "4.2",
                rule="by its rank among our seeds the published count has p of 0.05 or more; "
                f"refuted if less than a quarter of that, since there are four{more}")
          for name in IDS for search, arm, more in (
              ("PPN", AS_THEIRS, ". PPN with pr = 1e-16, which is nearest to where the authors' "
               "program ends"), ("MCPN", "MCPN", ""))),
        *(Claim(f"{name}: a third or more of PPN's iterations come after p is settled",
                partial(goes_on, name), "4.2", rule="the interval of the share of seeds with which "
                "it is so lies above 50 %; refuted if below. Two positions say nothing about "
                "others") for name in IDS),
    ],
    differs="The papers explain the long end by the precision of floating-point numbers. Ours "
    "holds p and 1 - p apart and loses nothing to rounding, and it goes on as well: what is left "
    "after p is settled to six digits is the proof. The logarithmic figures show p falling "
    "steadily all the way.\n\n"
    "Playouts and seeds of the papers are not published. Their PPN ends when p reaches 0 or 1 as a "
    "double; the arm with pr = 1e-16 is nearest to it, PPN without pr ends by proof only.",
    minutes=Size(20, full=25),
)
