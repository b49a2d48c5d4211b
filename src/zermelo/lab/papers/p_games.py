"""Song 2019, section 5.4, figures 5-7 to 5-12: five searches on random trees."""

from collections.abc import Sequence
from typing import Any

from zermelo.lab import Arm, Claim, Experiment, Figure, Judge, Size, Table, each
from zermelo.lab.columns import text
from zermelo.search.base import Search
from zermelo.search.best_first.mcpn import MCPN
from zermelo.search.best_first.mcts import MCTS, UCT
from zermelo.search.best_first.pn import PN
from zermelo.search.best_first.pp import PP
from zermelo.search.best_first.ppn import PPN
from zermelo.search.depth_first.df_pn import DFPN
from zermelo.search.depth_first.df_ppn import DFPPN

NARROW, WIDE = "2 x 20", "8 x 8"
UNITS = {NARROW: 2, WIDE: 8}  # MCTS and UCT create one child in an iteration, the others all
MEMORY = "300MB"
CONSTANTS = (0.1, 0.5, 1.0, 4.0, 8.0)
PLAYOUTS = (1, 100)
KINDS: dict[str, type[Search]] = {"PPN": PPN, "MCPN": MCPN, "MCTS": MCTS, "UCT": UCT}
FIVE: dict[str, Search] = {"PPN": PPN(playouts=10), "PN": PN(), "MCPN": MCPN(playouts=10),
                           "UCT": UCT(playouts=10), "MCTS": MCTS(playouts=10)}
OURS: dict[str, Search] = {"PP": PP(), "df-PPN": DFPPN(playouts=10), "df-pn": DFPN(epsilon=0.0)}
ONE_BY_ONE = ("mcts", "uct")


def arm(name: str, search: Search, **more: Any) -> Arm:
    """An arm whose iterations count as the thesis counts them."""
    single = search.id in ONE_BY_ONE
    return Arm(name, search, memory=MEMORY, unit=UNITS if single else 1, **more)


def traced(name: str, search: Search) -> Arm:
    """The same search, looked at every few iterations; apart, since looking takes time."""
    step = 40 if search.id in ONE_BY_ONE else 20
    return arm(f"{name}, traced", search, nodes=20_000, trace=step)


CONSTANT_ARMS = [arm(f"UCT C={c:g}", UCT(C=c, playouts=10), labels={"C": c}) for c in CONSTANTS]
PLAYOUT_ARMS = [arm(f"{name} playouts={n}", kind(**{"playouts": n}), labels={"playouts": n})
                for name, kind in KINDS.items() for n in PLAYOUTS]
COLUMNS = ["wins", "mean rounds", "mean nodes", "mean seconds"]
PLAYOUT_NAMES = [*KINDS, *(one.name for one in PLAYOUT_ARMS)]
TRACED = [f"{name}, traced" for name in (*FIVE, "PP")]


def least(column: str, best: Sequence[str], others: Sequence[str], group: str) -> Any:
    """Each of ``best`` has less in the column than each of the others."""
    def test(view: Any) -> tuple[bool | None, str]:
        names = [*best, *others]
        numbers = {name: view.number(column, name, group) for name in names}
        told = ", ".join(f"{name} {text(number)}" for name, number in numbers.items())
        if None in numbers.values() or not view.finished(*names):
            return None, told
        return max(numbers[name] for name in best) < min(numbers[name] for name in others), told

    return test


def playouts_do_not_matter(name: str, group: str) -> Any:
    """Rounds with 1 and with 100 playouts are within a tenth of those with 10."""
    def test(view: Any) -> tuple[bool | None, str]:
        names = [f"{name} playouts=1", name, f"{name} playouts=100"]
        numbers = [view.number("mean rounds", one, group) for one in names]
        if None in numbers or not view.finished(*names):
            return None, ""
        told = ", ".join(f"{n} playouts {number:,.0f}"
                         for n, number in zip((1, 10, 100), numbers, strict=True))
        return all(0.9 < number / numbers[1] < 1.1 for number in numbers), told

    return test


def error(figure: str, group: str, most: float, source: str) -> Figure:
    """How the error rate falls on one set."""
    return Figure(figure, "error", f"Wrong moves on {group} trees (thesis: {source})",
                  arms=TRACED, sets=[group], most=most, x_label="iterations (as the thesis counts)",
                  y_label="error rate", log_x=True)


def claims(group: str, source: str) -> list[Claim]:
    """What the thesis says about one shape of tree."""
    rounds, others = "mean rounds", ["PPN", "MCPN", "MCTS"]
    tests = {
        "PPN needs the fewest iterations":
            least(rounds, ["PPN"], ["PN", "MCPN", "UCT", "MCTS"], group),
        "PPN takes the least time":
            least("mean seconds", ["PPN"], ["PN", "MCPN", "UCT", "MCTS"], group),
        "PPN, MCPN and MCTS need fewer iterations than PN": least(rounds, others, ["PN"], group),
        "UCT needs more iterations than PPN, MCPN and MCTS": least(rounds, others, ["UCT"], group),
        "so does UCT with every other constant":
            least(rounds, others, [one.name for one in CONSTANT_ARMS], group),
    }
    for name in KINDS:
        tests[f"the number of playouts does not matter to {name}"] = \
            playouts_do_not_matter(name, group)
    return [Claim(f"{group}: {words}", test, source) for words, test in tests.items()]


experiment = Experiment(
    title="Five searches on random trees (P-games)",
    source="Song 2019, section 5.4, figures 5-7 to 5-12.",
    about="How many iterations and how much time does it take to solve a random tree, and how soon "
    "would the right move be chosen? 200 trees with 2 moves a node and 20 layers, 200 with 8 and "
    "8; moves of MAX are worth 0 to 127, of MIN -127 to 0, and MAX wins if the sum is positive. 10 "
    "playouts a leaf. An iteration of MCTS or UCT creates one node, so 2 or 8 of them count as one "
    "(*rounds*). *Error rate*: on how many of the trees the move that would be chosen loses "
    "although another wins; a solved tree keeps its move. PP, df-PPN and df-pn are additions of "
    "ours.",
    positions=[
        each("p-game", "seed", range(200), name=NARROW, branching=2, depth=20,
             take=Size(100, full=200)),
        each("p-game", "seed", range(1000, 1200), name=WIDE, branching=8, depth=8,
             take=Size(100, full=200)),
    ],
    arms=[*(arm(name, search) for name, search in (FIVE | OURS).items()), *CONSTANT_ARMS,
          *PLAYOUT_ARMS, *(traced(name, search) for name, search in (FIVE | {"PP": PP()}).items())],
    tables=[
        Table("To solve a tree", COLUMNS, "set, arm", arms=[*FIVE, *OURS],
              note="The thesis gives its results as figures only; PPN is the shortest bar in all of "
              "them. Visits of df-pn and df-PPN stand in the column of nodes, their expansions in "
              "that of rounds."),
        Table("UCT by its constant", COLUMNS, "set, arm",
              arms=["UCT", *(one.name for one in CONSTANT_ARMS)],
              note="C in v + sqrt(C ln(n_p + 1) / n); 2 is the thesis's square root of 2 outside "
              "the root."),
        Table("By the number of playouts", COLUMNS, "set, arm", arms=PLAYOUT_NAMES),
    ],
    figures=[
        *(Figure(f"{what}-{shape}", "bars", f"Mean {word} to solve a {group} tree",
                 y=f"mean {column}", y_label=label, arms=[*FIVE, *OURS], sets=[group], log_y=True)
          for what, word, column, label in (
              ("rounds", "iterations", "rounds", "iterations (as the thesis counts)"),
              ("seconds", "time", "seconds", "seconds"))
          for shape, group in (("narrow", NARROW), ("wide", WIDE))),
        error("error-narrow", NARROW, 10_000, "figure 5-9"),
        error("error-wide", WIDE, 2_500, "figure 5-12"),
        Figure("playouts", "lines", "Iterations by the number of playouts", x="playouts",
               y="mean rounds", series="search, set", arms=PLAYOUT_NAMES,
               x_label="playouts a leaf", y_label="mean iterations (as the thesis counts)",
               log_x=True, log_y=True),
    ],
    claims=[*claims(NARROW, "figures 5-7, 5-8"), *claims(WIDE, "figures 5-10, 5-11")],
    differs="The trees of the thesis are not published: ours are drawn by the same rules from "
    "seeds. Our MCTS solver goes on below the child with the best mean, the leftmost of equals, and "
    "skips solved children, which in effect is a depth-first search guided by playouts: on such "
    "trees, where the sums make good and bad branches easy to tell apart, it solves in fewer "
    "iterations than PPN if one iteration is one expansion's worth of nodes, as the thesis counts. "
    "The thesis has the two the other way round, and does not say how its solver breaks ties or in "
    "which order it creates children.\n\n"
    "Error rates are from runs of their own that stop at 20,000 nodes and are looked at every 20 "
    "iterations, 40 for MCTS and UCT; times are from runs without that.",
    judge=Judge(moves=True, memory=MEMORY, nodes=20_000_000),
    minutes=Size(25, full=50),
)
