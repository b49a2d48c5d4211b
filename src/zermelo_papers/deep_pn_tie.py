"""Song 2019, section 2.1.6: among equals, the leftmost or the deepest most-proving node."""

from functools import partial
from typing import Any

from zermelo import PN
from zermelo.lab import Arm, Claim, Experiment, Figure, Size, Table, concluded_by_both, generated
from zermelo.lab.statistics import Verdict, inside, ratio_of_means
from zermelo_papers.deep_pn_othello import RULES

LEFT, DEEPEST = "PN, leftmost", "PN, deepest"
NODES = Size(10_000_000, full=50_000_000)
MEMORY = Size("1GB", full="4GB")


def reduction(group: str, results: Any) -> tuple[Verdict, str]:
    """5 to 15 % fewer nodes, as the ratio of means over the positions that both solve."""
    pairs = concluded_by_both("nodes", results.select(DEEPEST, group),
                              results.select(LEFT, group))
    found = ratio_of_means(pairs)
    if found is None or not results.finished():
        return None, ""
    return inside(found, 85, 95), f"{found.text()} of the nodes, {len(pairs)} positions"


experiment = Experiment(
    title="PN-search with the deepest of equal most-proving nodes",
    source="Song 2019, section 2.1.6.",
    about="Where several nodes are equally good, PN-search takes the leftmost. The thesis tries "
    "the deepest on 100 Othello end games and reports about 10 % less.",
    positions=[generated("othello", 44, 100, seed=2019, name=name, no_move=rule)
               for rule, name in RULES.items()],
    arms=[Arm(LEFT, PN(), nodes=NODES, memory=MEMORY),
          Arm(DEEPEST, PN(tie="deepest"), nodes=NODES, memory=MEMORY)],
    tables=[Table(
        "Leftmost and deepest", [
            "mean nodes of common", f"mean nodes of both vs {LEFT}", f"ratio nodes to {LEFT}",
            f"mean iterations of both vs {LEFT}", f"fewer nodes than {LEFT}",
            f"more nodes than {LEFT}"], "set, arm", intervals=True,
        published={f"mean nodes of both vs {LEFT}": {
            (group, DEEPEST): "about 90" for group in RULES.values()}},
        note="*Common*, *both*: the positions that both solved.",
    )],
    figures=[Figure("nodes", "cactus", "End games solved within a number of nodes", x="nodes")],
    claims=[Claim(f"{rule}: the deepest needs about 10 % fewer (5 to 15 %)",
                  partial(reduction, group), "2.1.6",
                  rule="the interval of the ratio of means lies within 85 to 95 %; refuted if "
                  "outside") for rule, group in RULES.items()],
    differs="The thesis does not say how many moves its 100 end games are from the end, nor "
    "whether its 10 % are nodes or iterations: ours are those of the sweep over R, after 44 random "
    "moves from a seed, under both rules for a player who cannot move.",
    minutes=Size(5, full=15),
)
