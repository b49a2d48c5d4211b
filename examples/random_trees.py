"""How often is PPN wrong when it stops at a precision? zermelo lab run examples/random_trees.py"""

from zermelo import PN, PPN
from zermelo.lab import Arm, Claim, Experiment, Figure, Size, Table, each, none_false, sweep

experiment = Experiment(
    title="PPN at a precision, on random trees",
    about="Random trees of twelve plies, with two moves at each node.",
    positions=each("p-game", "seed", range(200), branching=2, depth=12, take=Size(20, full=200)),
    arms=[
        Arm("PN", PN(), nodes=100_000, memory="100MB"),
        *sweep(PPN, {"pr": [0.1, 0.01, 0.001]}, fixed={"playouts": 10}, nodes=100_000,
               memory="100MB"),
    ],
    tables=[Table("PPN by precision", ["wins", "mean nodes", "mean nodes of common vs PN"])],
    figures=[Figure("false", "lines", "False conclusions by precision", x="pr", y="false",
                    series="search", x_label="precision pr", y_label="false conclusions",
                    log_x=True)],
    claims=[Claim("PPN at pr = 0.001 is never wrong", none_false("ppn pr=0.001"))],
    minutes=Size(0.5, full=5),
)
