"""Song 2019, section 5.4, figures 5-7 to 5-12: five searches on random trees."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from zermelo import DFPN, DFPPN, MCPN, MCTS, PN, PP, PPN, UCT, Search
from zermelo.lab import (
    Arm,
    Claim,
    Experiment,
    Figure,
    Judge,
    Table,
    all_hold,
    concluded_by_both,
    each,
    least_errors,
    mixed_times,
    waves_more,
)
from zermelo.lab.statistics import UNDECIDED, Verdict, all_of, below, inside, ratio_of_means

NARROW, WIDE = "2 x 20", "8 x 8"
UNITS = {NARROW: 2, WIDE: 8}  # MCTS and UCT create one child in an iteration, the others all
MEMORY = "300MB"
CONSTANTS = (0.1, 0.5, 1.0, 4.0, 8.0)
PLAYOUTS = (1, 100)
KINDS: dict[str, Callable[..., Search]] = {"PPN": PPN, "MCPN": MCPN, "MCTS": MCTS, "UCT": UCT}
FIVE: dict[str, Search] = {"PPN": PPN(playouts=10), "PN": PN(), "MCPN": MCPN(playouts=10),
                           "UCT": UCT(playouts=10), "MCTS": MCTS(playouts=10)}
OURS: dict[str, Search] = {"PP": PP(), "df-PPN": DFPPN(playouts=10), "df-pn": DFPN(epsilon=0.0)}
WINDOWS = (100, 300, 1_000, 2_500)  # iterations over which error rates are compared
ONE_BY_ONE = ("mcts", "uct")


def arm(name: str, search: Search, **more: Any) -> Arm:
    """An arm whose iterations count as the thesis counts them."""
    single = search.id in ONE_BY_ONE and not getattr(search, "whole", False)
    return Arm(name, search, memory=MEMORY, unit=UNITS if single else 1, **more)


def traced(name: str, search: Search) -> Arm:
    """A search sampled every few iterations; an arm of its own, since sampling takes time."""
    step = 40 if search.id in ONE_BY_ONE else 20
    return arm(f"{name}, traced", search, nodes=20_000, trace=step)


CONSTANT_ARMS = [arm(f"UCT C={c:g}", UCT(C=c, playouts=10), labels={"C": c}) for c in CONSTANTS]
PLAYOUT_ARMS = [arm(f"{name} playouts={n}", kind(playouts=n), labels={"playouts": n})
                for name, kind in KINDS.items() for n in PLAYOUTS]
WHY_ARMS = [arm("MCTS whole", MCTS(playouts=10, whole=True)),
            arm("MCTS shuffle", MCTS(playouts=10, shuffle=True)),
            arm("PPN shuffle", PPN(playouts=10, shuffle=True)),
            arm("PPN theta=0.001", PPN(playouts=10, theta=0.001))]
LOOKED_AT: dict[str, Search] = FIVE | {"PP": PP(), "MCTS A=0": MCTS(playouts=10, A=0.0)}
COLUMNS = ["wins", "mean rounds", "mean iterations", "mean nodes", "mean cpu_seconds"]
PLAYOUT_NAMES = [*KINDS, *(one.name for one in PLAYOUT_ARMS)]
TRACED = [f"{name}, traced" for name in LOOKED_AT]


def pairs_of(results: Any, column: str, one: str, other: str,
             group: str) -> list[tuple[float, float]]:
    """A number of two searches, tree by tree."""
    return concluded_by_both(column, results.select(one, group), results.select(other, group))


def least(column: str, best: Sequence[str], others: Sequence[str], group: str,
          margin: float = 1.0) -> Any:
    """Each of ``best`` has less in the column than each of the others, tree by tree, by a factor of
    ``margin`` at least; refuted if one has more, by the same factor."""
    def test(results: Any) -> tuple[Verdict, str]:
        verdicts: list[Verdict] = []
        told = []
        for one, other in product(best, others):
            found = ratio_of_means(pairs_of(results, column, one, other, group))
            clear = [below(found, 100 / margin), below(found, 100 * margin)]
            verdicts.append(clear[0] if clear[0] is True or clear[1] is False else
                            None if found is None else UNDECIDED)
            if found is not None:
                told.append(f"{one} in % of {other}: {found.text()}")
        done = results.finished(*best, *others)
        if mixed_times(column, [e for arm in (*best, *others) for e in results.select(arm, group)]):
            told.append("times of several processors, which are not put together")
        return (all_of(verdicts) if done else None), ", ".join(told)

    return test


def playouts_do_not_matter(name: str, group: str) -> Any:
    """Rounds with 1 and with 100 playouts are within a tenth of those with 10."""
    def test(results: Any) -> tuple[Verdict, str]:
        found = {n: ratio_of_means(pairs_of(results, "rounds", f"{name} playouts={n}", name, group))
                 for n in PLAYOUTS}
        names = [name, *(f"{name} playouts={n}" for n in PLAYOUTS)]
        if None in found.values() or not results.finished(*names):
            return None, ""
        told = ", ".join(f"{n}: {one.text()}" for n, one in found.items() if one is not None)
        return all_of([inside(one, 90, 110) for one in found.values()]), f"in % of 10: {told}"

    return test


def error(figure: str, group: str, most: float, source: str) -> Figure:
    """A figure of the error rate on one set, by iterations."""
    return Figure(figure, "error", f"Wrong moves on {group} trees (thesis: {source})",
                  arms=TRACED, sets=[group], most=most, x_label="iterations (as the thesis counts)",
                  y_label="error rate", log_x=True)


LOWER = "all intervals of the ratio of means over the trees lie below 100 %; refuted if one " \
        "lies above"
CLEARLY = "all intervals of the ratio of processor times lie below 80 %, refuted if one lies " \
          "above 125 %: a margin for a machine with other work, and for the 20 ms that a job " \
          "takes before it searches"
ERRORS = f"over the first {', '.join(f'{most:,}' for most in WINDOWS)} iterations the interval " \
         "of every difference lies below 0; refuted if one lies above"
RISES = "the intervals of the difference between the sums of all rises lie above 0; refuted if " \
        "one lies below"


def claims(group: str, time: str, iterations: str, errors: str, most: float) -> list[Claim]:
    """Claims of the thesis about one shape of tree, in three figures and in the text."""
    return [Claim(f"{group}: {words}", test, source, rule=rule) for words, test, source, rule in (
        *of_iterations(group, iterations), *of_time(group, time), *of_errors(group, errors, most))]


def of_iterations(group: str, source: str) -> list[tuple[str, Any, str, str]]:
    """Claims about iterations."""
    rounds, three, four = "rounds", ["PPN", "MCPN", "MCTS"], ["PN", "MCPN", "UCT", "MCTS"]
    return [
        ("PPN needs the fewest iterations, counted as the thesis does",
         least(rounds, ["PPN"], four, group), source, LOWER),
        ("PPN needs the fewest iterations, each counted as one",
         least("iterations", ["PPN"], four, group), "ours", LOWER),
        ("PPN's backup needs fewer iterations than averaging does, as far as the rest can be made "
         "equal (MCTS whole)",
         least(rounds, ["PPN"], ["MCTS whole"], group), "ours, after 5.3.2", LOWER),
        ("PPN, MCPN and MCTS need fewer iterations than PN",
         least(rounds, three, ["PN"], group), source, LOWER),
        ("UCT needs more iterations than PPN, MCPN and MCTS",
         least(rounds, three, ["UCT"], group), source, LOWER),
        ("so does UCT with every other constant",
         least(rounds, three, [one.name for one in CONSTANT_ARMS], group), "5.4", LOWER),
        *((f"the number of playouts does not matter to {name}", playouts_do_not_matter(name, group),
           "5.4", "both intervals lie within 90 to 110 % of 10 playouts; refuted if one lies "
           "outside") for name in KINDS),
        *((f"PPN needs the fewest iterations with {n} playout{'s' if n > 1 else ''} too, counted "
           "as the thesis does",
           least(rounds, [f"PPN playouts={n}"], [f"{name} playouts={n}" for name in KINDS
                                                 if name != "PPN"], group), "5.4", LOWER)
          for n in PLAYOUTS),
    ]


def of_time(group: str, source: str) -> list[tuple[str, Any, str, str]]:
    """Claims about time."""
    return [
        ("PPN takes the least time",
         least("cpu_seconds", ["PPN"], ["PN", "MCPN", "UCT", "MCTS"], group, 1.25), source,
         CLEARLY),
        ("UCT takes more time than PPN, MCPN and MCTS",
         least("cpu_seconds", ["PPN", "MCPN", "MCTS"], ["UCT"], group, 1.25), source, CLEARLY),
    ]


def of_errors(group: str, source: str, most: float) -> list[tuple[str, Any, str, str]]:
    """Claims about error rates."""
    traces = {name: f"{name}, traced" for name in FIVE}
    rest = [traces[name] for name in ("PN", "MCPN", "MCTS")]
    return [
        ("PPN's error rate is lower than those of PN, MCPN and MCTS",
         least_errors([[traces["PPN"]], rest], group, WINDOWS), source, ERRORS),
        ("UCT's error rate is the lowest",
         least_errors([[traces["UCT"]], [traces["PPN"], *rest]], group, WINDOWS), source, ERRORS),
        ("PPN's error rate falls smoothly, MCPN's waves",
         waves_more(traces["MCPN"], traces["PPN"], group, most), source, RISES),
        ("PPN's error rate falls more smoothly than those of PN and MCTS",
         all_hold(*(waves_more(traces[name], traces["PPN"], group, most)
                    for name in ("PN", "MCTS"))), source, RISES),
    ]


experiment = Experiment(
    title="Five searches on random trees (P-games)",
    source="Song 2019, section 5.4, figures 5-7 to 5-12.",
    about="How many iterations and how much time does it take to solve a random tree, and how soon "
    "would the right move be chosen? As in the thesis 200 trees with 2 moves per node and 20 "
    "layers, 200 with 8 and 8; moves of MAX are worth 0 to 127, of MIN -127 to 0, and MAX wins if "
    "the sum is positive. 10 playouts per leaf. An iteration of MCTS or UCT creates one node, so 2 "
    "or 8 of them count as one (*rounds*). *Error rate*: on how many of the trees the move that "
    "would be chosen loses although another wins; a solved tree keeps its move. PP, df-PPN and "
    "df-pn are additions of ours.",
    positions=[
        each("p-game", "seed", range(200), name=NARROW, branching=2, depth=20, take=200),
        each("p-game", "seed", range(1000, 1200), name=WIDE, branching=8, depth=8, take=200),
    ],
    arms=[*(arm(name, search) for name, search in (FIVE | OURS).items()), *CONSTANT_ARMS,
          *PLAYOUT_ARMS, *WHY_ARMS, *(traced(name, search) for name, search in LOOKED_AT.items())],
    tables=[
        Table("To solve a tree", COLUMNS, "set, arm", arms=[*FIVE, "MCTS whole", *OURS],
              intervals=True,
              note="The thesis gives its results as figures only; PPN is the shortest bar in each "
              "of them. Of df-pn and df-PPN, nodes are visits and rounds are expansions."),
        Table("UCT by its constant", COLUMNS, "set, arm",
              arms=["UCT", *(one.name for one in CONSTANT_ARMS)],
              note="C in v + sqrt(C ln(n_p + 1) / n); 2 is the thesis's square root of 2 outside "
              "the root."),
        Table("By the number of playouts", COLUMNS, "set, arm", arms=PLAYOUT_NAMES,
              intervals=True),
        Table("Why MCTS needs fewer iterations than PPN", COLUMNS, "set, arm",
              arms=["PPN", "MCTS", *(one.name for one in WHY_ARMS)],
              note="*whole*: all children of a leaf are created at once, as PPN does. *shuffle*: "
              "moves in a random order. These arms were added after the first results."),
    ],
    figures=[
        *(Figure(f"{what}-{shape}", "dots", f"To solve {group} trees: {word}", y=f"mean {what}",
                 y_label=label, arms=[*FIVE, "MCTS whole", *OURS], sets=[group], log_y=True)
          for what, word, label in (
              ("rounds", "iterations as the thesis counts them", "mean iterations"),
              ("iterations", "iterations, each counted as one", "mean iterations"))
          for shape, group in (("narrow", NARROW), ("wide", WIDE))),
        error("error-narrow", NARROW, 10_000, "figure 5-9"),
        error("error-wide", WIDE, 2_500, "figure 5-12"),
        Figure("playouts", "lines", "Iterations by the number of playouts", x="playouts",
               y="mean rounds", series="search, set", arms=PLAYOUT_NAMES,
               x_label="playouts per leaf", y_label="mean iterations (as the thesis counts)",
               log_x=True, log_y=True),
    ],
    claims=[*claims(NARROW, "figure 5-7", "figure 5-8", "figure 5-9", 1_000),
            *claims(WIDE, "figure 5-10", "figure 5-11", "figure 5-12", 1_000)],
    differs="The trees of the thesis are not published: ours are drawn by the same rules from "
    "seeds.\n\n"
    "Which search needs the fewest iterations depends on how one counts. Each iteration counted as "
    "one, PPN needs fewer than MCTS, as in the thesis. Divided by 2 or 8, as the thesis says it "
    "counts, MCTS needs fewer, and so it does by the nodes that are created. The clean comparison "
    "is *MCTS whole*, which creates all children of a leaf at once, as PPN does: then an iteration "
    "is the same amount of work for both.\n\n"
    "df-PPN expands the same leaves as PPN, hence its equal number of iterations; its further "
    "visits are returns to nodes that it knows.\n\n"
    "The pure MCTS solver errs until it has solved the tree. By the thesis's rule the move to play "
    "is the one with the largest v + A / sqrt(n), A = 1, which favours a move that was hardly "
    "tried; the line with A = 0 shows that.\n\n"
    "The thesis names no range over which an error rate is the lowest. The claim is tested over "
    "four, chosen after the first curves had been seen.\n\n"
    "Error rates are from runs of their own that stop at 20,000 nodes and are looked at every 20 "
    "iterations, 40 for MCTS and UCT.",
    judge=Judge(moves=True, memory=MEMORY, nodes=20_000_000),
    minutes=25,
)
