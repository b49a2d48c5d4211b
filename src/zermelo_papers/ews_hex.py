"""Randall et al. 2024, section 5.3: expected work search on small Hex boards."""

from functools import partial
from typing import Any

from zermelo import EWS, PN, UCT, Search
from zermelo.lab import Arm, Claim, Experiment, Size, Table, texts
from zermelo.lab.statistics import Verdict, below, ratio_of_samples

FOUR, FIVE, SIX = "4 x 4", "5 x 5 after c3 c2", "6 x 6"
SEARCHES: dict[str, Search] = {
    "EWS": EWS(shuffle=True), "EWS, 10 games": EWS(playouts=10, shuffle=True),
    "EWS-WR": EWS(rates=False, shuffle=True), "UCT": UCT(shuffle=True), "PN": PN(shuffle=True),
}
PUBLISHED = 93_963_192
RULE = "the interval of the ratio of means lies below 100 %; refuted if above"


def arm(name: str, search: Search) -> Arm:
    """Twenty runs of the small boards, with moves in a random order."""
    return Arm(name, search, nodes=Size(10_000_000, full=100_000_000), seeds=20, on=(FOUR, FIVE),
               memory=Size("1GB", full="8GB"))


def fewer(best: str, other: str, group: str, results: Any) -> tuple[Verdict, str]:
    """The mean number of nodes is less; runs of two searches have nothing to do with each other."""
    mine, theirs = ([entry.row["nodes"] for entry in results.select(name, group) if entry.row]
                    for name in (best, other))
    found = ratio_of_samples(mine, theirs)
    if found is None or not results.finished(best, other):
        return None, ""
    return below(found, 100), f"mean nodes of {best}: {found.text()} of {other}'s"


def six_by_six(results: Any) -> tuple[bool | None, str]:
    """The empty board is solved with at most twice the published number of nodes."""
    name = "EWS from the start"
    proved, nodes = (results.number(column, name) for column in ("proved", "mean nodes"))
    if nodes is None or not results.finished(name):
        return None, ""
    return bool(proved and nodes <= 2 * PUBLISHED), f"proved {proved}, {nodes:,.0f} nodes"


experiment = Experiment(
    title="EWS on Hex without knowledge",
    source="Randall, Müller, Wei, Hayward 2024 (arXiv 2405.05594), section 5.3.",
    about="The empty 4 x 4 board and a 5 x 5 board after two moves, twenty runs each, moves in "
    "random order; and the empty 6 x 6 board, which the paper's program solves with 94 million "
    "nodes and no knowledge of Hex. EWS-WR is the paper's variant without win rates; its other "
    "variant selects as UCT does and is `uct` here.",
    positions=[texts("hex", ["start"], name=FOUR, size=4),
               texts("hex", ["c3 c2"], name=FIVE, size=5),
               texts("hex", ["start"], name=SIX, size=6)],
    arms=[*(arm(name, search) for name, search in SEARCHES.items()),
          Arm("EWS from the start", EWS(), on=(SIX,), nodes=Size(2_000_000, full=400_000_000),
              memory=Size("1GB", full="32GB"))],
    tables=[Table(
        "Nodes", ["mean nodes", "least nodes", "most nodes", "out"],
        rows="set, arm",
        published={"mean nodes": {(SIX, "EWS from the start"): PUBLISHED}},
        note="A run that was stopped counts with what it had used.",
    )],
    claims=[
        Claim("win rates save nodes: EWS needs fewer than EWS-WR, 4 x 4",
              partial(fewer, "EWS", "EWS-WR", FOUR), "ours, after 5.2 (Go)", rule=RULE),
        Claim("the same, 5 x 5", partial(fewer, "EWS", "EWS-WR", FIVE), "ours, after 5.2 (Go)",
              rule=RULE),
        Claim("EWS needs fewer nodes than PN, 4 x 4", partial(fewer, "EWS", "PN", FOUR), "5.2",
              rule=RULE),
        Claim("the empty 6 x 6 board in about 94 million nodes, at most twice that", six_by_six,
              "5.3", full_only=True,
              rule="one run, a count: proved with at most twice the published nodes"),
    ],
    differs="The paper's program has a table of solved positions, symmetries and relevance zones; "
    "our EWS has a plain tree, in which a position that several orders of moves lead to is solved "
    "several times. Its measurements with and without win rates are on 6 x 6 Go, not on Hex.",
    minutes=Size(20, full=8 * 60),
)
