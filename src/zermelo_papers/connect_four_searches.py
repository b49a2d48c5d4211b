"""Primanita, Khalid and Iida 2020, figure 4: three searches on 200 Connect Four positions."""

from functools import partial
from typing import Any

from zermelo import MCPN, PN, PPN
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Size,
    Table,
    all_hold,
    concluded_within,
    concludes_more,
    equals,
    from_file,
)
from zermelo.lab.statistics import Verdict, share

# Table 1 has 7,200 to 8,000 nodes a second: 420 s are 3.0 to 3.35 million nodes, not 35 million.
LOW, HIGH = 3_000_000, 3_350_000
PUBLISHED = {"PN": 122, "PPN": 102, "MCPN": 82}
ALL = 200
SAME = "PPN, pr = 1e-16"


def as_many(name: str, count: int, results: Any) -> tuple[Verdict, str]:
    """The published count is one that this share of 200 positions could give, at the one limit or
    the other."""
    entries = [entry for entry in results.select(name) if entry.row is not None]
    found = [share(concluded_within(limit)(entries), len(entries)) for limit in (LOW, HIGH)]
    if None in found or not results.finished(name):
        return None, ""
    low, high = (one for one in found if one is not None)
    published = 100 * count / ALL
    told = (f"of {len(entries)} positions {low.text()} within {LOW:,} nodes, {high.text()} "
            f"within {HIGH:,}; published {published:g} %")
    return low.low <= published <= high.high, told


experiment = Experiment(
    title="PN, PPN and MCPN on Connect Four positions",
    source="Primanita, Khalid and Iida 2020, figure 4.",
    about="Which share of 200 positions of 12 random plies does each search settle? Published "
    "limits: 35,000,000 nodes or 420 s, 60 playouts, theta 0.01. By the nodes a second of the "
    "paper's table 1 PPN and MCPN were stopped by the time, after 3.0 to 3.35 million nodes: those "
    "are the limits here. X is to move and the question is whether X wins.",
    positions=from_file("connect-four/openings.txt", "connect-four", name="openings", side="X",
                        take=Size(50, full=ALL)),
    arms=[
        Arm("PN", PN(), nodes=35_000_000, memory="1GB"),
        Arm("PPN", PPN(theta=0.01), nodes=HIGH, memory="1.2GB"),
        Arm("MCPN", MCPN(theta=0.01), nodes=HIGH, memory="1.2GB"),
        Arm(SAME, PPN(theta=0.01, pr=1e-16), nodes=HIGH, memory="1.2GB"),
    ],
    tables=[Table(
        "Concluded of {positions}", [
            "concluded %", *((f"within {limit:,} nodes", concluded_within(limit))
                             for limit in (LOW, HIGH)), "wins", "not wins", "out", "mean nodes"],
        published={"concluded %": {name: 100 * number / ALL for name, number in
                                   {**PUBLISHED, SAME: 102}.items()}}, intervals=True,
    )],
    figures=[
        Figure("concluded", "dots", "Concluded of {positions}", y="concluded %",
               y_label="% of positions concluded",
               published={name: 100 * number / ALL for name, number in
                          {**PUBLISHED, SAME: 102}.items()}),
        Figure("nodes", "cactus", "Positions concluded within a number of nodes", x="nodes"),
    ],
    claims=[
        Claim("PN concludes 122 of the 200 positions", equals("concluded", 122, "PN"), "figure 4",
              full_only=True, rule="a deterministic count: equal, or refuted"),
        *(Claim(f"{name} concludes {PUBLISHED[name]} of 200{more}",
                partial(as_many, arm, PUBLISHED[name]), "figure 4",
                rule="the published share lies between the lower bound at 3,000,000 nodes and the "
                "upper bound at 3,350,000 (Wilson); refuted if outside")
          for name, arm, more in (("PPN", "PPN", ""), ("MCPN", "MCPN", ""),
                                  ("PPN", SAME, ", ended where a double rounds to 1"))),
        Claim("PN concludes most, then PPN, then MCPN",
              all_hold(concludes_more("PN", "PPN"), concludes_more("PPN", "MCPN")), "figure 4",
              rule="two sign tests over the positions that one concludes and the other does not, "
              "p < 0.05; refuted if one says the opposite"),
        Claim("at equal nodes PN concludes fewer than PPN",
              concludes_more("PPN", "PN", nodes=(HIGH, HIGH)), "ours",
              rule="a sign test at 3,350,000 nodes for both, p < 0.05"),
    ],
    differs="PN is deterministic and runs at the published node limit, without the limit of 420 s, "
    "which it comes nowhere near.\n\n"
    "The authors' program ends PPN when the root's p reaches 1.0 as a double, which is a "
    "conclusion and no proof; ours ends without pr by proof only. The arm with pr = 1e-16, about "
    "where a double rounds to 1, is the nearest to theirs. Their playouts and their seeds are not "
    "published, so PPN and MCPN can agree on average only. At the default size the first 50 "
    "positions are taken.",
    minutes=Size(20, full=90),
)
