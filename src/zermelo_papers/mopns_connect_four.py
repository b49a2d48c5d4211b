"""Saffidine and Cazenave 2012, table 1: MOPNS against PN with two questions in Connect Four."""

import random
from functools import partial
from itertools import product
from typing import Any

from zermelo import MOPNS, PN
from zermelo.lab import Arm, Claim, Experiment, Positions, Size, Table, texts
from zermelo.lab.statistics import Verdict, below, ratio_of_means
from zermelo_papers.connect_four_precision import nodes

SMALL, LARGE = "4 x 5", "5 x 5"
RULE = "the interval of the ratio of means lies below 100 %; refuted if above"
PUBLISHED = {(SMALL, "MOPNS"): 16_947_536, (SMALL, "PN"): 20_175_238,
             (LARGE, "MOPNS"): 1_557_490_694, (LARGE, "PN"): 1_757_370_222}


def after_four(name: str, columns: int, take: Any) -> Positions:
    """All games of four moves, in a fixed random order, on a board with five rows."""
    games = ["".join(moves) for moves in product("12345"[:columns], repeat=4)]
    random.Random(4).shuffle(games)
    return texts("connect-four", games, name=name, take=take, columns=columns, rows=5)


def fewer(group: str, results: Any) -> tuple[Verdict, str]:
    """Fewer nodes, as a ratio of means over the positions."""
    found = ratio_of_means(nodes(results, "MOPNS", "PN", group))
    if found is None or not results.finished("MOPNS", "PN"):
        return None, ""
    return below(found, 100), f"mean nodes of MOPNS: {found.text()} of PN's"


experiment = Experiment(
    title="MOPNS against PN in Connect Four",
    source="Saffidine and Cazenave 2012, \"Multiple-Outcome Proof Number Search\", table 1.",
    about="Win, draw or loss: one search for all outcomes, or PN asked twice? All 256 games of "
    "four moves on a board of 4 columns and 5 rows, and 625 of them on 5 x 5.",
    positions=[after_four(SMALL, 4, 256), after_four(LARGE, 5, Size(25, full=625))],
    arms=[Arm("MOPNS", MOPNS(), goal="value", memory=Size("1GB", full="4GB")),
          Arm("PN", PN(), goal="value", memory=Size("1GB", full="4GB"))],
    tables=[Table("Nodes", ["sum nodes", "sum iterations", "fewer nodes than PN",
                            "more nodes than PN", "sum seconds"], rows="set, arm",
                  published={"sum nodes": PUBLISHED})],
    claims=[Claim("MOPNS needs fewer nodes than PN, 4 x 5", partial(fewer, SMALL), "table 1",
                  rule=RULE),
            Claim("MOPNS needs fewer nodes than PN, 5 x 5", partial(fewer, LARGE), "table 1",
                  rule=RULE)],
    differs="The paper counts PN without the questions that do not decide the value: in a position "
    "that is lost it counts the opponent's win alone, while `pn` asks first whether the player to "
    "move wins. Counted its way, PN has 20,082,774 nodes on the 256 positions here. At the default "
    "size 25 positions of 5 x 5 are taken. The 256 games of 4 x 5 lead to 160 different positions, "
    "the 25 of 5 x 5 to 24; each game counts, as in the paper, and the intervals take games for "
    "independent: they are too narrow.",
    minutes=Size(5, full=60),
)
