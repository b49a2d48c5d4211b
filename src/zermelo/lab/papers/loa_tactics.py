"""Winands and Bjornsson, section 4: forced wins in Lines of Action, by Classic, RPS and ERPS."""

from typing import Any

from zermelo.lab import Arm, Claim, Experiment, Figure, Size, Table, from_file
from zermelo.search.base import Search
from zermelo.search.best_first.pn import PN
from zermelo.search.best_first.pn2 import PN2
from zermelo.search.depth_first.df_pn import DFPN
from zermelo.search.minimax.erps import ERPS
from zermelo.search.minimax.pvs import PVS
from zermelo.search.minimax.rps import RPS

NODES = Size(1_000_000, full=50_000_000)
MEMORY = Size("1GB", full="4GB")
SEARCHES: dict[str, Search] = {
    "Classic": PVS(), "RPS": RPS(), "ERPS": ERPS(), "PN": PN(), "PN2": PN2(),
    "df-pn": DFPN(epsilon=0.0), "df-pn 1+eps": DFPN(epsilon=0.25),
}
PUBLISHED = {"Classic": 186, "RPS": 130, "ERPS": 215}


def proves_more(first: str, second: str) -> Any:
    """The first proves more than the second."""
    def test(results: Any) -> tuple[bool | None, str]:
        one, other = (results.number("wins", name) for name in (first, second))
        told = f"{first} {one}, {second} {other}"
        if one is None or other is None or not results.finished(first, second):
            return None, told
        return one > other, told

    return test


experiment = Experiment(
    title="Forced wins in Lines of Action",
    source="Winands and Bjornsson, \"Enhanced realization probability search\", section 4.",
    about="How many forced wins does each search prove within a number of nodes? Published: 286 "
    "positions, 50,000,000 nodes. Proof-number searches, which are made for this, stand beside.",
    positions=from_file("lines-of-action/tactics.txt", "lines-of-action", name="tactics",
                        take=Size(300, full=None)),
    arms=[Arm(name, search, nodes=NODES, memory=MEMORY) for name, search in SEARCHES.items()],
    tables=[Table(
        "Forced wins proved", ["wins", "out", "mean nodes of wins", "mean nodes of common",
                               "mean seconds of common", "sum seconds"],
        published={"wins": PUBLISHED},
        note="Published: of 286 positions that are not public. *Common*: proved by all.",
    )],
    figures=[
        Figure("solved", "bars", "Forced wins proved", y="wins", y_label="positions proved",
               published=PUBLISHED),
        Figure("nodes", "cactus", "Forced wins proved within a number of nodes", x="nodes"),
    ],
    claims=[
        Claim("ERPS proves more than Classic", proves_more("ERPS", "Classic"), "section 4"),
        Claim("Classic proves more than RPS", proves_more("Classic", "RPS"), "section 4"),
    ],
    differs="The published positions are not public: ours come from games that Classic played "
    "against itself, by a rule that was fixed before any search had seen them (see SOURCE.md "
    "beside them), and each has a certificate that was checked. Evaluation, categories and the "
    "constants C and minFP are ours too. A node of a proof-number search is a child that was "
    "created; one of the minimax searches, a position that was looked at; of df-pn, a visit.",
    judge=None,
    minutes=Size(15, full=10 * 60),
)
