"""Beyond df-pn: dynamic widening on Hex, PDS-PN, PN2 and TCA on Lines of Action."""

from zermelo import DFPN, PDSPN, PN2, TCADFPN, Search, SharedDFPN, WideningDFPN
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Size,
    Table,
    concludes_more,
    from_file,
    generated,
)

HEX, LOA = "Hex 5 x 5", "Lines of Action"
BASE = "df-pn"
SEARCHES: dict[str, Search] = {
    BASE: DFPN(), "widening, 1/4": WideningDFPN(), "widening, 1/2": WideningDFPN(factor=0.5),
    "TCA": TCADFPN(), "shared": SharedDFPN(), "PDS-PN": PDSPN(),
}
NODES = Size(300_000, full=50_000_000)
PN2_OF_SIZE = Size(PN2.within(NODES.default), full=PN2.within(NODES.full))
MEMORY = Size("1GB", full="4GB")
RULE = "a sign test over the positions that one concludes and the other does not, p < 0.05; " \
       "refuted if it says the opposite"


experiment = Experiment(
    title="Newer members of the df-pn family on Hex and Lines of Action",
    source="Yoshizoe 2008 and Henderson 2010 (widening); Kishimoto 2010 (TCA, SNDA); Winands, "
    "Uiterwijk and van den Herik 2002 (PDS-PN against PN2 on Lines of Action).",
    about="5 x 5 Hex after four random moves, and forced wins in Lines of Action, by the rules "
    "alone and with the same limit for all. The paper on PDS-PN has 488 positions of Lines of "
    "Action, of which PDS-PN solves 483 and PN2 479 with 500,000,000 nodes.",
    positions=[
        generated("hex", 4, 200, seed=2019, name=HEX, size=5, take=Size(20, full=200)),
        from_file("lines-of-action/tactics.txt", "lines-of-action", name=LOA,
                  take=Size(40, full=300)),
    ],
    arms=[*(Arm(name, search, nodes=NODES, memory=MEMORY) for name, search in SEARCHES.items()),
          Arm("PN2", PN2_OF_SIZE, nodes=NODES,  # type: ignore[arg-type]
              memory=MEMORY)],
    tables=[Table(
        "Positions concluded", ["proved", "proved %", "mean nodes", "mean nodes of common"],
        rows="set, arm", intervals=True,
        note="Nodes of PN2 are created nodes, of the others visits; those of PDS-PN's second level "
        "are among them. *Common*: concluded by all.",
    )],
    figures=[
        Figure("hex", "cactus", f"{HEX}: concluded within a number of nodes", x="nodes",
               sets=[HEX]),
        Figure("loa", "cactus", f"{LOA}: concluded within a number of nodes", x="nodes",
               sets=[LOA]),
    ],
    claims=[
        Claim("dynamic widening concludes more than df-pn on Hex",
              concludes_more("widening, 1/4", BASE, [HEX]), "Henderson 2010", rule=RULE),
        Claim("PDS-PN concludes more than PN2 in Lines of Action",
              concludes_more("PDS-PN", "PN2", [LOA]), "Winands et al. 2002", rule=RULE),
        Claim("TCA concludes more than df-pn in Lines of Action",
              concludes_more("TCA", BASE, [LOA]), "Kishimoto 2010", rule=RULE),
    ],
    differs="Limits are far smaller than the published ones, and PN2's a, b and N are scaled to "
    "them. The Hex solvers widen by an "
    "evaluation of moves, here the numbers decide, by the rules alone. The papers' 488 "
    "positions are not public; ours are those of `loa-tactics`, forced wins all of them. TCA was "
    "made against a df-pn that runs in circles; the df-pn here does not, by a rule of its own.",
    minutes=Size(10, full=24 * 60),
)
