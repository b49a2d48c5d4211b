"""Primanita, Khalid and Iida 2020, figure 4: three searches on 200 Connect Four positions."""

from zermelo.lab import Arm, Claim, Experiment, Figure, Size, Table, equals, from_file, ordered
from zermelo.search.best_first.mcpn import MCPN
from zermelo.search.best_first.pn import PN
from zermelo.search.best_first.ppn import PPN

NODES = Size(2_000_000, full=35_000_000)
TIME = Size(None, full=420)
PUBLISHED = {"PN": 122, "PPN": 102, "MCPN": 82}

experiment = Experiment(
    title="PN, PPN and MCPN on Connect Four positions",
    source="Primanita, Khalid and Iida 2020, figure 4.",
    about="Which share of 200 positions of 12 random plies does each search settle? Published "
    "limits: 35,000,000 nodes or 420 s, 60 playouts, theta 0.01. X is to move and the question is "
    "whether X wins.",
    positions=from_file("connect-four/openings.txt", "connect-four", name="openings", side="X",
                        take=200),
    arms=[
        Arm("PN", PN(), nodes=35_000_000, memory="1GB"),
        Arm("PPN", PPN(theta=0.01), nodes=NODES, time=TIME, memory="1.2GB"),
        Arm("PPN, pr = 1e-16", PPN(theta=0.01, pr=1e-16), nodes=NODES, time=TIME,
            memory="1.2GB"),
        Arm("MCPN", MCPN(theta=0.01), nodes=NODES, time=TIME, memory="1.2GB"),
    ],
    tables=[Table(
        "Concluded of {positions}", ["wins", "not wins", "out", "mean nodes", "mean seconds"],
        published={"concluded": {**PUBLISHED, "PPN, pr = 1e-16": 102}},
    )],
    figures=[
        Figure("concluded", "bars", "Concluded of {positions}", y="concluded",
               y_label="positions concluded",
               published={**PUBLISHED, "PPN, pr = 1e-16": 102}),
        Figure("nodes", "cactus", "Positions concluded within a number of nodes", x="nodes"),
    ],
    claims=[
        Claim("PN concludes 122 of the 200 positions", equals("concluded", 122, "PN"), "figure 4"),
        Claim("PN concludes most, then PPN, then MCPN",
              ordered("concluded", ["MCPN", "PPN", "PN"]), "figure 4", full_only=True),
    ],
    differs="PN is deterministic and runs at the published node limit at every size; without the "
    "limit of 420 s, which it comes nowhere near.\n\n"
    "The authors' program ends PPN when the root's p reaches 1.0 as a double, which is a "
    "conclusion and no proof; ours ends without pr by proof only. The arm with pr = 1e-16, about "
    "where a double rounds to 1, is the nearest to theirs. Their playouts and their seeds are not "
    "published, so PPN and MCPN can agree on average only. At the default size both stop at "
    "2,000,000 nodes, the published mean of PPN, instead of 35,000,000.",
    minutes=Size(25, full=24 * 60),
)
