"""Winands and Bjornsson, section 4: matches between Classic, RPS and ERPS in Lines of Action."""

from dataclasses import replace
from typing import Any

from zermelo import ERPS, PVS, RPS, Search
from zermelo.lab import BEATS, Arm, Claim, Experiment, Size, Table, beats, from_file
from zermelo_papers.loa_tactics import BARE
from zermelo_papers.loa_tactics import OTHERS as OTHER_CONSTANTS

NODES = 100_000
ROUNDS = Size(1, full=3)
NOISE = 5  # points; a piece one step too far from the centre of mass costs some thirty
PUBLISHED = {"RPS - Classic": "375-225", "ERPS - Classic": "433-167", "ERPS - RPS": "372.5-227.5"}
SEARCHES = {"Classic": PVS(), "RPS": RPS(), "ERPS": ERPS()}
# Beside the constants that were tuned, those of ``loa-tactics``: C, minFP.
OTHERS = {f"C={C:g} minFP={minFP:g}": {"C": C, "minFP": minFP} for C, minFP in OTHER_CONSTANTS}


def player(name: str, constants: dict[str, Any]) -> Search:
    """One of the searches, with the noise of all; Classic has no constants."""
    found = SEARCHES[name]
    return replace(found, noise=NOISE, **({} if name == "Classic" else constants))


def pairing(name: str, which: str = "", rounds: Size | int = ROUNDS) -> Arm:
    """``A - B`` as an arm, three rounds with --full, 600 games as published; ``which``: the
    constants."""
    a, b = (player(one, OTHERS.get(which, {})) for one in name.split(" - "))
    return Arm(with_constants(name, which), a, against=b, nodes=NODES, memory="256MB", seeds=rounds)


def with_constants(name: str, which: str) -> str:
    """The name of a pairing with other constants."""
    return f"{name}, {which}" if which else name


experiment = Experiment(
    title="Classic, RPS and ERPS play each other in Lines of Action",
    source="Winands and Bjornsson, \"Enhanced realization probability search\", section 4.",
    about="Does ERPS win against RPS and Classic, and RPS against Classic? Published: 600 games a "
    "match, 100 openings, both colours, a small random part in the evaluation, 10 s a move. Ours: "
    "a fixed number of nodes per move.",
    positions=from_file("lines-of-action/openings.txt", "lines-of-action", name="openings",
                        take=Size(50, full=100)),
    arms=[*(pairing(name) for name in PUBLISHED),
          *(pairing(name, which, rounds=1) for which in OTHERS for name in PUBLISHED)],
    tables=[Table(
        "Matches", ["games", "points", "won", "drawn", "lost", "score %", "score 95 %", "Elo",
                    "Elo 95 %", "by repetition", "mean plies"],
        published={"points": PUBLISHED},
        note="Points and score of the search named first. Published: of 600 games.",
    )],
    claims=[
        Claim("RPS beats Classic", beats("RPS - Classic"), f"section 4; {BARE}", rule=BEATS),
        Claim("ERPS beats Classic", beats("ERPS - Classic"), f"section 4; {BARE}", rule=BEATS),
        Claim("ERPS beats RPS", beats("ERPS - RPS"), "section 4", rule=BEATS),
        *(Claim(f"{name.replace(' - ', ' beats ')} ({which})", beats(with_constants(name, which)),
                "ours: other constants", rule=BEATS)
          for which in OTHERS for name in PUBLISHED),
    ],
    differs="The paper's program has an evaluation, categories, constants C and minFP and openings "
    "that are not published: ours are our own. C and minFP of ERPS were the best of several in one "
    "match of 60 games, which flatters them; one round with two other choices of both, the same "
    "for RPS and ERPS, is planned beside. It plays with 10 s a move, we with a number of "
    "nodes, so that the result does not depend on the machine; a node of RPS or ERPS takes about "
    "as long as one of Classic. A search begins each move with an empty table and does not know "
    "which positions of the game have come up before.",
    judge=None,
    minutes=Size(15, full=45),
)
