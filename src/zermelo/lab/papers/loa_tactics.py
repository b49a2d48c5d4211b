"""Winands and Bjornsson, section 4: forced wins in Lines of Action, by Classic, RPS and ERPS."""

from zermelo.lab import Arm, Claim, Experiment, Figure, Size, Table, from_file
from zermelo.lab.report.claims import concludes_more
from zermelo.search.base import Search
from zermelo.search.best_first.pn import PN
from zermelo.search.best_first.pn2 import PN2
from zermelo.search.depth_first.df_pn import DFPN
from zermelo.search.minimax.erps import ERPS
from zermelo.search.minimax.pvs import PVS
from zermelo.search.minimax.rps import RPS

NODES = Size(1_000_000, full=50_000_000)
PN2_OF_SIZE = Size(PN2.within(NODES.default), full=PN2.within(NODES.full))
MEMORY = Size("1GB", full="4GB")
SEARCHES: dict[str, Search] = {
    "Classic": PVS(), "RPS": RPS(), "ERPS": ERPS(), "PN": PN(),
    "df-pn": DFPN(epsilon=0.0), "df-pn 1+eps": DFPN(epsilon=0.25),
}
RULE = "a sign test over the positions that one proves and the other does not, p < 0.05; refuted " \
       "if it says the opposite"
PUBLISHED = {"Classic": 186, "RPS": 130, "ERPS": 215}


experiment = Experiment(
    title="Forced wins in Lines of Action",
    source="Winands and Bjornsson, \"Enhanced realization probability search\", section 4.",
    about="How many forced wins does each search prove within a number of nodes? Published: 286 "
    "positions, 50,000,000 nodes. Proof-number searches, which are made for this, stand beside.",
    positions=from_file("lines-of-action/tactics.txt", "lines-of-action", name="tactics",
                        take=Size(300, full=None)),
    arms=[*(Arm(name, search, nodes=NODES, memory=MEMORY) for name, search in SEARCHES.items()),
          Arm("PN2", PN2_OF_SIZE, nodes=NODES,  # type: ignore[arg-type]
              memory=MEMORY)],
    tables=[Table(
        "Forced wins proved", ["wins", "proved %", "out", "mean nodes of wins",
                               "mean nodes of common"], intervals=True,
        published={"wins": PUBLISHED},
        note="Published: of 286 positions that are not public. *Common*: proved by all.",
    )],
    figures=[
        Figure("solved", "dots", "Forced wins proved", y="proved %",
               y_label="% of positions proved",
               published={name: 100 * number / 286 for name, number in PUBLISHED.items()}),
        Figure("nodes", "cactus", "Forced wins proved within a number of nodes", x="nodes"),
    ],
    claims=[
        Claim("ERPS proves more than Classic", concludes_more("ERPS", "Classic"), "section 4",
              rule=RULE),
        Claim("Classic proves more than RPS", concludes_more("Classic", "RPS"), "section 4",
              rule=RULE),
    ],
    differs="The published positions are not public: ours come from games that Classic played "
    "against itself, by a rule that was fixed before any search had seen them (see SOURCE.md "
    "beside them), and each has a certificate that was checked. Evaluation, categories and the "
    "constants C and minFP are ours too. PN2's a, b and N, published for 50,000,000 nodes, are "
    "scaled to the limit. A node of a proof-number search is a child that was "
    "created; one of the minimax searches, a position that was looked at; of df-pn, a visit.",
    judge=None,
    minutes=Size(15, full=10 * 60),
)
