"""Kowalski et al. 2024: PN-MCTS plays UCT in Lines of Action."""

from zermelo import GPNMCTS, PNMCTS, UCT, Search
from zermelo.lab import BEATS, Arm, Claim, Experiment, Size, Table, beats, from_file

NODES = Size(1_000, full=10_000)
# What PN-MCTS is without proof numbers: its results run from -1 to 1, those of UCT from 0 to 1.
OPPONENT = UCT(C=0.5, playouts=1)
SEARCHES: dict[str, Search] = {
    "PN-MCTS, rank": PNMCTS(), "PN-MCTS, sum": PNMCTS(term="sum"),
    "PN-MCTS, max": PNMCTS(term="max"), "GPN-MCTS, rank": GPNMCTS(),
}


SOURCES = {"PN-MCTS, rank": "section 5"}  # the published score is of the best of several settings

experiment = Experiment(
    title="PN-MCTS plays UCT in Lines of Action",
    source="Kowalski, Doe, Winands, Górski, Soemers 2024 (arXiv 2303.09449): up to 96.2 % against "
    "UCT; Kowalski, Soemers, Kosakowski, Winands 2025 (arXiv 2506.13249).",
    about="Do proof numbers help UCT to play? Two games from each opening, with colours exchanged "
    "and the same number of iterations per move for both.",
    positions=from_file("lines-of-action/openings.txt", "lines-of-action", name="openings",
                        take=Size(20, full=100)),
    arms=[Arm(name, search, against=OPPONENT, nodes=NODES, memory="256MB")
          for name, search in SEARCHES.items()],
    tables=[Table(
        "Matches against UCT", ["games", "points", "won", "drawn", "lost", "score %", "score 95 %",
                                "by repetition", "mean plies"],
        published={"score %": {"PN-MCTS, rank": "up to 96.2"}},
        note="The published score is the best of several settings and times per move.",
    )],
    claims=[Claim(f"{name} beats UCT", beats(name), SOURCES.get(name, "ours, after section 5"),
                  rule=BEATS) for name in SEARCHES],
    differs="The paper plays with a time per move, from the starting position, with random ties; "
    "we with a number of iterations, from openings of our own. An iteration of PN-MCTS takes a "
    "little longer than one of UCT.",
    judge=None,
    minutes=Size(30, full=12 * 60),
)
