"""Primanita, Khalid and Iida 2020, table 1 and figure 6: PPN by theta and precision."""

from typing import Any

from zermelo import PN, PPN
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Size,
    Table,
    all_hold,
    concludes_more,
    from_file,
    none_false,
    sweep,
)
from zermelo.lab.statistics import (
    Interval,
    Verdict,
    above,
    agrees,
    all_of,
    inside,
    ratio_of_means,
    share,
)

THETAS = [0.01, 0.001]
PRECISIONS = [None, 1e-05, 0.0001, 0.001, 0.01, 0.1]


def arm(theta: float, pr: float | None) -> str:
    """The name of an arm."""
    return f"ppn theta={theta:g} pr={'none' if pr is None else f'{pr:g}'}"


# Table 1: mean seconds and mean nodes over all 200 positions.
TABLE_1 = {
    (0.01, None): (251.18, 2_004_053),
    (0.01, 0.001): (183.26, 1_323_719),
    (0.01, 0.0001): (214.63, 1_582_188),
    (0.01, 1e-05): (226.71, 1_667_751),
    (0.001, 0.001): (174.91, 1_269_588),
    (0.001, 0.0001): (217.99, 1_614_710),
    (0.001, 1e-05): (229.08, 1_638_641),
}
PUBLISHED = [arm(theta, pr) for theta, pr in TABLE_1 if pr is not None]
LOOSE = [arm(theta, pr) for theta in THETAS for pr in PRECISIONS if pr is not None and pr > theta]
PLAIN = {theta: arm(theta, None) for theta in THETAS}
BEST = arm(0.001, 0.001)


def fewer_nodes(results: Any) -> tuple[Verdict, str]:
    """The largest saving of mean nodes among the published precisions is about 36.6 %."""
    found = {}
    for theta in THETAS:
        for name in (arm(theta, pr) for pr in (1e-05, 0.0001, 0.001)):
            found[name] = ratio_of_means(nodes(results, name, PLAIN[theta]))
    if None in found.values() or not results.finished():
        return None, ""
    best, least = min(((name, one) for name, one in found.items() if one is not None),
                      key=lambda pair: pair[1].value)
    saved = Interval(100 - least.value, 100 - least.high, 100 - least.low, least.many)
    return inside(saved, 36.6 - 15, 36.6 + 15), f"{best}: {saved.text()} of the larger mean"


def nodes(results: Any, one: str, other: str,
          group: str | None = None) -> list[tuple[float, float]]:
    """The nodes of two arms, position by position, those included that were stopped: as in
    table 1."""
    by_id = {entry.cell.id: entry.row["nodes"] for entry in results.select(other, group)
             if entry.row}
    return [(entry.row["nodes"], by_id[entry.cell.id]) for entry in results.select(one, group)
            if entry.row and entry.cell.id in by_id]


def concludes_135(results: Any) -> tuple[Verdict, str]:
    """theta = pr = 0.001 concludes the published share of the positions."""
    own, told = concluded(results, BEST), share(135, 200)
    if own is None or told is None or not results.finished(BEST):
        return None, ""
    return agrees(own, told), f"{own.text()}; published {told.text()}"


def concluded(results: Any, name: str, group: str | None = None) -> Interval | None:
    """The share that an arm concludes."""
    some, whole = (results.number(word, name, group) or 0 for word in ("concluded", "jobs"))
    return share(some, whole)


def same_nodes_by_theta(results: Any) -> tuple[Verdict, str]:
    """The two theta need the same nodes within a tenth, at each precision that was published."""
    found = {pr: ratio_of_means(nodes(results, arm(0.001, pr), arm(0.01, pr)))
             for pr in (1e-05, 0.0001, 0.001)}
    if None in found.values() or not results.finished():
        return None, ""
    told = ", ".join(f"pr = {pr:g}: {one.text()}" for pr, one in found.items() if one is not None)
    return all_of([inside(one, 90, 110) for one in found.values()]), told


def finer_takes_more(results: Any) -> tuple[Verdict, str]:
    """With each step to a smaller pr, further from theta, the nodes rise."""
    steps = [(theta, fine, coarse) for theta in THETAS
             for fine, coarse in ((0.0001, 0.001), (1e-05, 0.0001))]
    found = [ratio_of_means(nodes(results, arm(theta, fine), arm(theta, coarse)))
             for theta, fine, coarse in steps]
    if None in found or not results.finished():
        return None, ""
    told = ", ".join(f"theta = {theta:g}, pr = {fine:g} in % of {coarse:g}: {one.text()}"
                     for (theta, fine, coarse), one in zip(steps, found, strict=True)
                     if one is not None)
    return all_of([above(one, 100) for one in found]), told


def false_beyond_theta(results: Any) -> tuple[Verdict, str]:
    """Each precision larger than theta concludes more than 1 % falsely."""
    found = {name: share(results.number("false", name) or 0, results.number("known", name) or 0)
             for name in LOOSE}
    told = "; ".join(f"{name}: {one.text()} of {one.many}" for name, one in found.items()
                     if one is not None)
    if not results.complete:
        return None, told
    return all_of([above(one, 1) for one in found.values()]), told


SWEEP = sweep(PPN, {"theta": THETAS, "pr": PRECISIONS}, nodes=3_350_000, memory="1.2GB")
NAMES = [one.name for one in SWEEP]

experiment = Experiment(
    title="PPN by theta and precision on Connect Four",
    source="Primanita, Khalid and Iida 2020, table 1 and figure 6; Primanita and Iida 2019.",
    about="What does it bring to stop when the root's p is within pr of 0 or 1, and **how many of "
    "those conclusions are false**? The papers did not ask the second question; here every "
    "conclusion is held against a proof. Published limits: 35,000,000 nodes or 420 s on each of "
    "200 positions, 60 playouts; by the nodes a second of table 1 the 420 s are 3.0 to 3.35 "
    "million nodes, so that is the limit here; PN has the published nodes. The papers took pr up "
    "to 0.001; 0.01 and 0.1 are ours, for their remark on a pr larger than theta.",
    positions=from_file("connect-four/openings.txt", "connect-four", name="openings", side="X",
                        take=Size(50, full=200)),
    arms=[*SWEEP, Arm("PN", PN(), nodes=35_000_000, memory="1GB")],
    tables=[Table(
        "PPN by theta and pr", ["false %", "concluded %", "wins", "not wins", "out", "mean nodes"],
        published={
            "concluded": {arm(0.01, None): "102 of 200", arm(0.001, 0.001): "135 of 200"},
            "mean nodes": {arm(*key): nodes for key, (_, nodes) in TABLE_1.items()},
        },
        intervals=True, note="The published numbers are of 200 positions.",
    )],
    figures=[
        Figure("false", "lines", "False conclusions by precision", x="pr", y="false %",
               series="theta", x_label="precision pr", y_label="false, % of judged conclusions",
               log_x=True, arms=NAMES),
        Figure("concluded", "lines", "Conclusions and proofs by precision", x="pr",
               ys={"concluded": "concluded %", "proved": "proved %"}, series="theta",
               x_label="precision pr", y_label="% of positions", log_x=True, arms=NAMES),
        Figure("nodes", "lines", "Mean nodes by precision", x="pr", y="mean nodes", series="theta",
               x_label="precision pr", y_label="mean nodes", log_x=True, arms=NAMES,
               published={f"theta = {theta:g}": {pr: nodes for (t, pr), (_, nodes)
                                                 in sorted(TABLE_1.items(), key=str)
                                                 if t == theta and pr is not None}
                          for theta in THETAS}),
    ],
    claims=[
        Claim("pr saves up to 36.6 % of the nodes, as table 1 has it (21.6 to 51.6)",
              fewer_nodes, "table 1",
              rule="the interval of the best of six savings lies within 15 points; refuted if "
              "outside"),
        Claim("pr concludes more positions",
              all_hold(*(concludes_more(arm(theta, 0.001), PLAIN[theta]) for theta in THETAS)),
              "4.2", rule="sign tests of pr = 0.001 against none for both theta, p < 0.05; refuted "
              "if one says the opposite"),
        Claim("theta = pr = 0.001 concludes 135 of 200", concludes_135, "4.2", full_only=True,
              rule="the published share lies in the interval of ours; refuted if its own interval "
              "and ours are apart"),
        Claim("... which is more than PN", concludes_more(BEST, "PN"),
              "4.2; Primanita and Iida 2019, conclusion",
              rule="a sign test over the positions that one concludes and the other does not, p < "
              "0.05; refuted if it says the opposite"),
        Claim("theta does not matter to the nodes (90 to 110 %)", same_nodes_by_theta, "4.2",
              rule="the intervals of the ratios of means lie within the bounds, at each published "
              "pr; refuted if one lies outside"),
        Claim("the closer pr is to theta, the fewer nodes", finer_takes_more, "4.2, discussion",
              rule="the intervals of the ratios of means, of each pr to the next larger one, lie "
              "above 100 %; refuted if one lies below"),
        Claim("pr does not affect accuracy (pr at most theta)", none_false(*PUBLISHED),
              "discussion", rule="one false conclusion, against a proof, refutes it"),
        Claim("a pr larger than theta leads to false conclusions", false_beyond_theta, "4.2",
              rule="for each such pr the interval of the share lies above 1 %; refuted if one lies "
              "below"),
    ],
    differs="The 57 % of the text: 2,004,053 nodes without pr and 1,269,588 with theta = pr = "
    "0.001 differ by 57.8 % of the smaller number, which is 36.6 % of the larger: pr saves 36.6 "
    "%. That theta = pr = 0.001 concludes most is not tested: with theta = 0.01 it is one fewer, "
    "which no run of 200 positions can tell apart.\n\n"
    "The authors' program tests the precision relative to p, and its PPN without precision ends "
    "when p reaches 1.0 as a double, so that its conclusions without pr are not proofs either; "
    "ours without pr ends by proof only. Their playouts and seeds are not published.\n\n"
    "A conclusion at a precision takes the moves of a position for independent chances, which they "
    "need not be. The column *false* says how often that went wrong here.",
    minutes=Size(30, full=2 * 60),
)
