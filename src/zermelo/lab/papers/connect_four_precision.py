"""Primanita, Khalid and Iida 2020, table 1 and figure 6: PPN by theta and precision."""

from typing import Any

from zermelo.lab import Claim, Experiment, Figure, Size, Table, from_file, none_false, sweep
from zermelo.lab.columns import text
from zermelo.search.best_first.ppn import PPN

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


def fewer_nodes(results: Any) -> tuple[bool | None, str]:
    """The largest saving of mean nodes among the published precisions is 57 %."""
    savings = {}
    for theta in THETAS:
        whole = results.number("mean nodes", PLAIN[theta])
        for name in (arm(theta, pr) for pr in (1e-05, 0.0001, 0.001)):
            own = results.number("mean nodes", name)
            if whole and own is not None:
                savings[name] = 100 - 100 * own / whole
    if not savings:
        return None, ""
    best = max(savings, key=lambda name: savings[name])
    told = f"at most {savings[best]:.1f} % of the mean, with {best}; published 36.6 % in table 1"
    return (savings[best] >= 57 if results.finished() else None), told


def concludes_more(results: Any) -> tuple[bool | None, str]:
    """Every published precision concludes at least as many as none."""
    counts = {name: results.number("concluded", name) for name in (*PLAIN.values(), *PUBLISHED)}
    told = ", ".join(f"{name} {text(number)}" for name, number in counts.items())
    if None in counts.values() or not results.finished(*counts):
        return None, told
    return all(counts[arm(theta, pr)] >= counts[PLAIN[theta]]
               for theta in THETAS for pr in (1e-05, 0.0001, 0.001)), told


def best_is(name: str) -> Any:
    """``name`` concludes most of the published precisions."""
    def test(results: Any) -> tuple[bool | None, str]:
        counts = {one: results.number("concluded", one) for one in PUBLISHED}
        if None in counts.values() or not results.finished(*PUBLISHED):
            return None, ""
        told = f"{counts[name]}, most of all {max(counts.values())}"
        return counts[name] == max(counts.values()), told

    return test


def false_beyond_theta(results: Any) -> tuple[bool | None, str]:
    """Each precision larger than theta concludes something falsely."""
    counts = {name: (results.number("false", name), results.number("known", name))
              for name in LOOSE}
    told = "; ".join(f"{name}: {text(wrong)} false of {text(known)}"
                     for name, (wrong, known) in counts.items())
    if not results.complete:
        return None, told
    return all(wrong for wrong, _ in counts.values()), told


experiment = Experiment(
    title="PPN by theta and precision on Connect Four",
    source="Primanita, Khalid and Iida 2020, table 1 and figure 6; Primanita and Iida 2019.",
    about="What does it bring to stop when the root's p is within pr of 0 or 1, and **how many of "
    "those conclusions are false**? The papers did not ask the second question; here every "
    "conclusion is held against a proof. Published limits: 35,000,000 nodes or 420 s on each of "
    "200 positions, 60 playouts. The papers took pr up to 0.001; 0.01 and 0.1 are ours, for their "
    "remark on a pr larger than theta.",
    positions=from_file("connect-four/openings.txt", "connect-four", name="openings", side="X",
                        take=Size(50, full=200)),
    arms=sweep(PPN, {"theta": THETAS, "pr": PRECISIONS}, nodes=Size(2_000_000, full=35_000_000),
               time=Size(None, full=420), memory="1.2GB"),
    tables=[Table(
        "PPN by theta and pr", ["false %", "wins", "not wins", "out", "mean nodes", "mean seconds",
                                "mean nodes of common"],
        published={
            "concluded": {arm(0.01, None): "102 of 200", arm(0.001, 0.001): "135 of 200"},
            "mean nodes": {arm(*key): nodes for key, (_, nodes) in TABLE_1.items()},
            "mean seconds": {arm(*key): seconds for key, (seconds, _) in TABLE_1.items()},
        },
        note="The published numbers are of 200 positions at the published limits.",
    )],
    figures=[
        Figure("false", "lines", "False conclusions by precision", x="pr", y="false %",
               series="theta", x_label="precision pr", y_label="false, % of judged conclusions",
               log_x=True),
        Figure("concluded", "lines", "Conclusions and proofs by precision", x="pr",
               ys={"concluded": "concluded %", "proved": "proved %"}, series="theta",
               x_label="precision pr", y_label="% of positions", log_x=True),
        Figure("nodes", "lines", "Mean nodes by precision", x="pr", y="mean nodes", series="theta",
               x_label="precision pr", y_label="mean nodes", log_x=True,
               published={f"theta = {theta:g}": {pr: nodes for (t, pr), (_, nodes)
                                                 in sorted(TABLE_1.items(), key=str)
                                                 if t == theta and pr is not None}
                          for theta in THETAS}),
    ],
    claims=[
        Claim("pr saves up to 57 % of the nodes", fewer_nodes, "discussion", full_only=True),
        Claim("pr concludes more positions", concludes_more, "4.2"),
        Claim("theta = pr = 0.001 concludes most", best_is(arm(0.001, 0.001)), "4.2"),
        Claim("pr does not affect accuracy (pr at most theta)", none_false(*PUBLISHED),
              "discussion"),
        Claim("a pr larger than theta leads to false conclusions", false_beyond_theta, "4.2"),
    ],
    differs="The 57 % of the discussion is not in table 1, whose largest saving is 36.6 %.\n\n"
    "The authors' program tests the precision relative to p, and its PPN without precision ends "
    "when p reaches 1.0 as a double, so that its conclusions without pr are not proofs either; "
    "ours without pr ends by proof only. Their playouts and seeds are not published.\n\n"
    "A conclusion at a precision takes the moves of a position for independent chances, which they "
    "need not be. The column *false* says how often that went wrong here.",
    minutes=Size(18, full=2 * 24 * 60),
)
