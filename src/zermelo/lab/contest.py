"""A contest: many searches on the same positions. Who is ahead of whom, on which positions, and
does a rule pick the search to ask?

A search is *ahead* of another on a position if it alone concludes it, or if both do and it takes at
most two thirds of what the other takes; else they are *alike*. What takes less than a clock can
tell is alike, too.

A rule that picks a search from features of a position is a list of one to three conditions:

    if branching < 3.5: mcts; else if transpositions > 40: df-pn; else weak-df-pn

It is learned on some positions: greedily, each condition is the one that saves most, measured by
the mean logarithm of what the picked searches take (twice the limit where they conclude nothing),
so that a position that takes a millisecond counts as much as one that takes a second. The
positions of each set are halved by their place in it: those with an even number are learned from,
the others are for the test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.jobs.work import DONE
from zermelo.lab import columns
from zermelo.lab.columns import Entries, mixed_times, processor_of, processors
from zermelo.lab.compare import LEAST_SECONDS
from zermelo.lab.results import Made, Results
from zermelo.lab.statistics import (
    UNDECIDED,
    Interval,
    Verdict,
    ahead,
    all_of,
    below,
    ratio_of_means,
    share,
    sign_test,
)
from zermelo.search.registry import DEFAULT_SEARCH, default_search
from zermelo.solving.auto import NAMES, features_of

if TYPE_CHECKING:
    import pandas

__all__ = ["AGAINST_CHANCE", "answers_certified", "by_set", "certified_by_set", "fastest",
           "feature_table", "halves", "new_games", "pairwise", "picks_better", "relatives",
           "single_features", "stopped_by"]

SECONDS, NODES = "search_seconds", "nodes"
LEAST = {SECONDS: LEAST_SECONDS, NODES: 1.0}  # less counts as this
MUCH = 1.5  # times as much, to be behind


def contest_of(results: Entries, what: str = SECONDS, arms: Sequence[str] = (),
               sets: Sequence[str] = ()) -> pandas.DataFrame:
    """What each arm, a column, took on each position, a set and an id: infinite where it concluded
    nothing, and no number where it can't be asked. The positions are those that every arm that is
    meant for them has been run on, under one seed; of times, on one processor: the one that most
    results are from."""
    import pandas

    entries = [entry for entry in results.entries
               if (not arms or entry.cell.arm in arms) and (not sets or entry.cell.set in sets)]
    usual = processors(entries)[:1] if mixed_times(what, entries) else []
    costs: dict[str, dict[tuple[str, str], float]] = {}
    waiting = set()
    for entry in entries:
        place = entry.cell.set, entry.cell.id
        mine = costs.setdefault(entry.cell.arm, {})
        mine[place] = np.inf
        if entry.row is None or (usual and processor_of(entry.row) not in usual):
            waiting.add(place)
        elif entry.row["concluded"] and (number := columns.number_of(entry, what)) is not None:
            mine[place] = max(number, LEAST.get(what, 0.0))
    places = [place for place in dict.fromkeys((e.cell.set, e.cell.id) for e in entries)
              if place not in waiting]
    index = pandas.MultiIndex.from_arrays([[place[at] for place in places] for at in (0, 1)],
                                          names=("set", "id"))
    return pandas.DataFrame({arm: [mine.get(place, np.nan) for place in places]
                             for arm, mine in costs.items()}, index, dtype=float)


@dataclass(frozen=True)
class Duel:
    """One search against another: on how many positions it is ahead, behind, alike (both
    concluded), and on how many neither concluded."""

    ahead: int
    behind: int
    alike: int
    neither: int

    @property
    def share(self) -> Interval | None:
        """In per cent of the positions on which one of them is ahead, with Wilson's interval."""
        return share(self.ahead, self.ahead + self.behind)

    @property
    def chance(self) -> float:
        """Probability that a coin falls this unevenly."""
        return sign_test(self.ahead, self.behind)


def duel(mine: Any, theirs: Any) -> Duel:
    """Position by position; infinite: not concluded."""
    mine, theirs = np.asarray(mine, float), np.asarray(theirs, float)
    done, other = np.isfinite(mine), np.isfinite(theirs)
    both = done & other
    with np.errstate(invalid="ignore"):
        first = (done & ~other) | (both & (MUCH * mine <= theirs))
        second = (other & ~done) | (both & (MUCH * theirs <= mine))
    return Duel(int(first.sum()), int(second.sum()), int((both & ~first & ~second).sum()),
                int((~done & ~other).sum()))


def duel_of(costs: pandas.DataFrame, one: str, other: str) -> Duel:
    """On the positions that both were run on."""
    both = costs[one].notna() & costs[other].notna()
    return duel(costs[one][both], costs[other][both])


def profile(costs: pandas.DataFrame, arm: str) -> list[tuple[float, float]]:
    """Pairs of a multiple of what the best arm takes, and the share of positions concluded within
    it, in per cent of those that some arm concludes."""
    ratios = (costs[arm] / costs.min(axis=1))[_solved(costs)]
    finite = np.sort(ratios[np.isfinite(ratios)])
    return [(float(ratio), 100.0 * (number + 1) / len(ratios))
            for number, ratio in enumerate(finite)]


def within(costs: pandas.DataFrame, arm: str, times: float) -> Interval | None:
    """The share concluded within ``times`` what the best arm takes, with Wilson's interval."""
    solved = costs[_solved(costs)]
    return share(int((solved[arm] <= times * solved.min(axis=1)).sum()), len(solved))


def _solved(costs: pandas.DataFrame, above: float = 0.0) -> Any:
    """The positions that some arm concludes, and that take every arm more than ``above``."""
    least = costs.min(axis=1)
    return np.isfinite(least) & (least > above)


MOST_CONDITIONS = 3
LEAST_SAVED = 0.02  # of the mean log10: about a twentieth
LEAST_SHARE = 0.05  # of the positions, on both sides of a condition
QUANTILES = tuple(q / 10 for q in range(1, 10))


@dataclass(frozen=True)
class Condition:
    """Take this search where a feature is less than, or at least, a bound."""

    feature: str
    below: bool
    bound: float
    arm: str

    def holds(self, features: Mapping[str, Any]) -> Any:
        """Return True if the condition holds; of many positions at once, an array."""
        number = features[self.feature]
        return number < self.bound if self.below else number >= self.bound

    def __str__(self) -> str:
        return f"{self.feature} {'<' if self.below else '>='} {self.bound:.3g}: {self.arm}"


@dataclass(frozen=True)
class Rule:
    """The first condition that holds picks; ``otherwise`` where none does."""

    conditions: tuple[Condition, ...]
    otherwise: str

    def pick(self, features: Mapping[str, float]) -> str:
        """The search for a position with these features."""
        for condition in self.conditions:
            if condition.holds(features):
                return condition.arm
        return self.otherwise

    def __str__(self) -> str:
        return "; else ".join([*(f"if {one}" for one in self.conditions), self.otherwise])


def learn(features: Mapping[str, Any], costs: Any, arms: Sequence[str],
          most: int = MOST_CONDITIONS) -> Rule:
    """The rule for positions with these features (an array each) and these costs,
    ``costs[position, arm]``, all of them finite."""
    logs = np.log10(np.asarray(costs, float))
    left = np.arange(len(logs))
    conditions: list[Condition] = []
    while len(conditions) < most:
        found = _best_condition(features, logs, left, arms)
        if found is None or found[0] < LEAST_SAVED * len(logs):
            break
        conditions.append(found[1])
        left = left[~found[2]]
    return Rule(tuple(conditions), arms[int(logs[left].sum(axis=0).argmin())])


def _best_condition(features: Mapping[str, Any], logs: Any, left: Any,
                    arms: Sequence[str]) -> tuple[float, Condition, Any] | None:
    """The largest saving, its condition, and the remaining positions on which it holds."""
    least = max(2, round(LEAST_SHARE * len(logs)))
    whole = logs[left].sum(axis=0).min()
    best: tuple[float, Condition, Any] | None = None
    for name in features:
        numbers = np.asarray(features[name], float)[left]
        for bound in np.unique(np.quantile(numbers, QUANTILES)):
            under = numbers < bound
            if not least <= under.sum() <= len(left) - least:
                continue
            sums = [logs[left[side]].sum(axis=0) for side in (under, ~under)]
            saved = float(whole - sum(some.min() for some in sums))
            if best is None or saved > best[0] + 1e-9:
                # The smaller side becomes the condition; the list goes on with the larger one.
                below = bool(under.sum() <= len(left) / 2)
                arm = arms[int(sums[0 if below else 1].argmin())]
                best = saved, Condition(name, below, float(bound), arm), under if below else ~under
    return best


def picked_costs(rule: Rule, features: Mapping[str, Any], costs: Any, arms: Sequence[str]) -> Any:
    """Costs of the picked searches, position by position."""
    table = np.asarray(costs, float)
    chosen = [arms.index(rule.pick(dict(zip(features, values, strict=True))))
              for values in zip(*(features[name] for name in features), strict=True)]
    return table[np.arange(len(table)), chosen] if len(table) else np.zeros(0)


AGAINST_CHANCE = (
    "on the half that was not learned from: ahead of the default search by a sign test over the "
    f"positions, p < 0.05 (ahead: concludes alone, or takes {MUCH:g} times less processor time), "
    "and the interval of the ratio of PAR-2 times lies below 100 %; refuted if the default is "
    "ahead in either way")
ROUNDING = 1e-6
OFFERED = "the rule is not offered as a search unless the claim about it holds"


@dataclass(frozen=True)
class Field:
    """A contest by processor time with all that picking needs; ``usual``: for each position, what
    the default search of its game took; ``learned``: whether it is one to learn from."""

    costs: pandas.DataFrame
    features: pandas.DataFrame
    usual: pandas.Series
    learned: pandas.Series
    limit: float

    def par2(self, costs: Any) -> Any:
        """The costs, with twice the limit where nothing was concluded."""
        return np.where(np.isfinite(costs), costs, 2 * self.limit)

    def part(self, keep: Any) -> Field:
        """The positions at which ``keep`` is true."""
        return Field(self.costs[keep], self.features[keep], self.usual[keep], self.learned[keep],
                     self.limit)


def field_of(results: Results) -> Field:
    """The positions that all arms have been run on, with their features."""
    import pandas

    costs, plan = contest_of(results, SECONDS), results.plan
    features = pandas.DataFrame([features_of(plan.positions[place]) for place in costs.index],
                                costs.index, NAMES, dtype=float)
    order: dict[str, list[str]] = {}
    for group, id in plan.positions:
        order.setdefault(group, []).append(id)
    narrow = {one.name for one in plan.experiment.sets if one.candidates}
    learned, usual = [], []
    for group, id in costs.index:
        learned.append(order[group].index(id) % 2 == 0)
        name = DEFAULT_SEARCH if group in narrow else default_search(
            plan.positions[group, id].game)
        usual.append(costs.at[(group, id), name] if name in costs else np.inf)
    times = [cell.job.time for cell in plan.cells if cell.job.time is not None]
    largest = costs.where(np.isfinite(costs)).max().max()
    limit = max(times) if times else float(largest) if largest > 0 else 1.0
    return Field(costs, features, pandas.Series(usual, costs.index, float),
                 pandas.Series(learned, costs.index, bool), limit)


def rule_of(field: Field, most: int = 3, only: str = "") -> Rule:
    """The rule learned on all positions of ``field``; ``only``: from this feature alone."""
    features = field.features[[only]] if only else field.features
    return learn(features, field.par2(field.costs), list(field.costs), most)


def by_set(results: Results) -> Made:
    """Positions of each set that each arm concluded, and that some arm did."""
    costs = contest_of(results, SECONDS)
    groups = dict(list(costs.groupby(level="set", sort=False)))
    rows = [[arm, *(str(np.isfinite(group[arm]).sum()) if group[arm].notna().any() else "-"
                    for group in groups.values())] for arm in costs]
    rows += [["some search", *(str(_solved(group).sum()) for group in groups.values())],
             ["positions", *(str(len(group)) for group in groups.values())]] if rows else []
    return Made("Positions concluded, by set", ["search", *groups], rows,
                "A dash: the search can't be asked about that game, or not by zones.")


def pairwise(results: Results) -> Made:
    """Each search against the default one, and how near it is to the best."""
    costs, base = contest_of(results, SECONDS), DEFAULT_SEARCH
    rows = [[arm, *duel_row(duel_of(costs, arm, base)),
             *(_interval(within(costs, arm, times)) for times in (1, 2, 10))]
            for arm in (costs if base in costs else ())]
    return Made(f"Each search against {base}, by processor time",
                ["search", *DUEL, "best, %", "within 2 times, %", "within 10 times, %"], rows,
                f"*Ahead*: concludes alone, or takes {MUCH:g} times less. *p*: sign test. *Best* "
                "and *within*: of the positions that some search concludes, with Wilson's "
                "intervals; a search that can't be asked about a game counts as not concluding. "
                f"Less than {1000 * LEAST[SECONDS]:g} ms counts as that, so that several may be "
                "best.")


DUEL = ("ahead", "behind", "alike", "neither", "ahead, % of decided", "p")
AGAINST = (*DUEL, "time, % of default")


def duel_row(found: Duel) -> list[str]:
    """Cells of a duel in a table."""
    return [str(found.ahead), str(found.behind), str(found.alike), str(found.neither),
            _interval(found.share), f"{found.chance:.2g}"]


def _interval(found: Interval | None) -> str:
    return "-" if found is None else found.text("")


def feature_table(results: Results) -> Made:
    """The features of each set, the mean over its positions, and the search that is fastest most
    often, where a clock can tell."""
    field, rows = field_of(results), []
    for name, costs in field.costs.groupby(level="set", sort=False):
        means = field.features.loc[costs.index].mean()
        best = list(costs[_solved(costs, LEAST[SECONDS])].idxmin(axis=1))
        first = max(dict.fromkeys(best), key=best.count) if best else ""
        rows.append([name, *(columns.text(float(means[one])) for one in NAMES),
                     f"{first} ({best.count(first)} of {len(best)})" if best else "-"])
    return Made("Features, means by set", ["set", *NAMES, "most often fastest"], rows,
                "From 24 random games and a tree of four plies for each position; transpositions, "
                "decisive, drawn and wins in per cent. *Fastest*: of the positions that take every "
                f"search more than {1000 * LEAST[SECONDS]:g} ms.")


def single_features(results: Results) -> Made:
    """Worth of each feature alone: a rule of one condition, learned on one half."""
    field = field_of(results)
    learned, test = field.part(field.learned), field.part(~field.learned)
    rows = []
    for name in NAMES if len(learned.costs) and len(test.costs) else ():
        rule = rule_of(learned, 1, only=name)
        rows.append([name, str(rule), *_against(test, rule)])
    return Made("Rules of one feature, tested on the other half against the default search",
                ["feature", "rule", *AGAINST], rows,
                "A rule without a condition: no bound on this feature saves a twentieth.")


def _against(test: Field, rule: Rule) -> list[str]:
    found, ratio = versus_default(test, rule)
    return [*duel_row(found), _interval(ratio)]


def versus_default(test: Field, rule: Rule) -> tuple[Duel, Interval | None]:
    """The picked searches against the default ones: position by position, and the ratio of their
    mean PAR-2 times."""
    mine = picked_costs(rule, test.features, test.costs.fillna(np.inf), list(test.costs))
    pairs = [test.par2(some) for some in (mine, test.usual)]
    return duel(mine, test.usual), ratio_of_means(list(zip(*pairs, strict=True)))


def halves(results: Results) -> Made:
    """Rules of zero to three conditions at most, learned on one half, on both halves."""
    field = field_of(results)
    learned, test = field.part(field.learned), field.part(~field.learned)
    rows = []
    for most in range(4) if len(learned.costs) and len(test.costs) else ():
        rule = rule_of(learned, most)
        rows += [[str(most), str(rule), half, *_against(part, rule)]
                 for half, part in (("learned", learned), ("test", test))]
    return Made("A rule that picks the search, against each game's default search",
                ["conditions at most", "rule", "half", *AGAINST], rows,
                f"No condition: the search that is best on the whole half. {OFFERED.capitalize()}.")


def new_games(results: Results) -> Made:
    """The rule on games that it has not seen: learned on the learning halves of all other sets."""
    field = field_of(results)
    rows = []
    group = field.costs.index.get_level_values("set")
    for name in group.unique() if group.nunique() > 1 else ():
        own = group == name
        rule = rule_of(field.part(field.learned & ~own))
        rows.append([name, str(rule), *_against(field.part(own & ~field.learned), rule)])
    return Made("The same on a set whose game was left out of learning",
                ["set left out", "rule", *AGAINST], rows,
                "Sets of one game with two sizes help each other here.")


def picks_better(results: Results) -> tuple[Verdict, str]:
    """The claim behind ``search="auto"``."""
    if not results.finished() or not results.entries:
        return None, ""
    field = field_of(results)
    learned, test = field.part(field.learned), field.part(~field.learned)
    if not len(learned.costs) or not len(test.costs):
        return None, ""
    rule = rule_of(learned)
    found, ratio = versus_default(test, rule)
    told = (f"{rule}. On {len(test.costs)} positions ahead on {found.ahead}, behind on "
            f"{found.behind}, p = {found.chance:.2g}; time {_interval(ratio)} % of the default's")
    if ratio is not None:  # the same times are neither less nor more, however they are added up
        ratio = ratio._replace(low=ratio.low - ROUNDING, high=ratio.high + ROUNDING)
    return all_of([ahead(found.ahead, found.behind), below(ratio, 100)]), told


def answers_certified(results: Results) -> tuple[Verdict, str]:
    """Every conclusion is true by a certificate."""
    answered = [entry for entry in results.entries if entry.row and entry.row["concluded"]]
    false = [entry for entry in answered if entry.verdict == "false"]
    certified = [e for e in answered if e.cell.job.question in results.certified]
    told = (f"{len(answered):,} answers, {len(certified):,} of them on positions with a checked "
            f"certificate, {len(false)} false; {len(results.contradictions)} contradictions")
    if false or results.contradictions:
        return False, told
    if not results.complete or not answered:
        return None, told
    return (True if len(certified) == len(answered) else UNDECIDED), told


REASONS = ("nodes", "time", "memory", "candidates")
# Each search and the one whose idea it changes, as family-tree.md has them; then two that are
# the same search here, as a measure of what is noise.
RELATIVES = (
    ("weak-df-pn", "df-pn"), ("widening-df-pn", "df-pn"), ("deep-df-pn", "df-pn"),
    ("tca-df-pn", "df-pn"), ("shared-df-pn", "df-pn"), ("df-pn", "pn"), ("pds-pn", "pn2"),
    ("pn2", "pn"), ("deep-pn", "pn"), ("mcpn", "pn"), ("ews", "pn"), ("ppn", "mcpn"),
    ("ppn", "pp"), ("df-ppn", "ppn"), ("df-ppn", "df-pn"), ("mcts", "uct"), ("pn-mcts", "uct"),
    ("pn-mcts", "mcts"), ("gpn-mcts", "pn-mcts"), ("pvs", "alpha-beta"), ("rps", "pvs"),
    ("erps", "rps"), ("mopns", "pn"),
)


def stopped_by(results: Results) -> Made:
    """Limits that stopped an arm where it concluded nothing."""
    rows = []
    for arm in results.plan.arms:
        done = [entry.row for entry in results.select(arm.name) if entry.row is not None]
        ended = Counter(_reason(row) for row in done)
        if done:
            rows.append([arm.name, str(len(done)), str(ended["concluded"]),
                         *(str(ended[reason]) for reason in (*REASONS, "failed"))])
    return Made("What stopped a search that concluded nothing",
                ["search", "jobs", "concluded", *REASONS, "failed"], rows,
                "*Nodes* depend on nothing but the search; *time* is the processor's, and another "
                "processor would stop elsewhere. *Candidates*: it has tried all that it may.")


def _reason(row: Any) -> str:
    if row["status"] != DONE:
        return "failed"
    return "concluded" if row["concluded"] else str(row["stopped"])


def fastest(results: Results) -> Made:
    """Count the positions on which each arm is the fastest, where a clock can measure that, and
    those on which it needs the fewest nodes."""
    times, nodes = contest_of(results, SECONDS), contest_of(results, NODES)
    slow, known = times[_solved(times, LEAST[SECONDS])], nodes[_solved(nodes)]
    rows = [[arm, *(str(count(costs, arm)) for costs in (slow, known)
                    for count in (_first, _alone))] for arm in times]
    title = "Who is fastest, and who needs the fewest nodes"
    return Made(title, ["search", f"fastest, of {len(slow)}", "... by much",
                        f"fewest nodes, of {len(known)}", "... by much"], rows,
                f"*Fastest*: of the positions that take every search more than "
                f"{1000 * LEAST[SECONDS]:g} ms; *fewest nodes*: of all that some search concludes, "
                f"ties count for each. *By much*: every other search takes {MUCH:g} times as much "
                "or concludes nothing. Nodes are what each search counts.")


def _first(costs: pandas.DataFrame, arm: str) -> int:
    return int((costs[arm] <= costs.min(axis=1)).sum())


def _alone(costs: pandas.DataFrame, arm: str) -> int:
    """Count the positions on which ``arm`` is ahead of each of the others."""
    best = costs.drop(columns=arm).min(axis=1).fillna(np.inf)
    others = len(costs.columns) > 1
    return int((np.isfinite(costs[arm]) & (MUCH * costs[arm] <= best)).sum()) if others else 0


def relatives(results: Results) -> Made:
    """Each search against the one whose idea it changes."""
    costs = contest_of(results, SECONDS)
    rows = [[one, other, *duel_row(duel_of(costs, one, other))] for one, other in RELATIVES
            if one in costs and other in costs]
    return Made("Each search against one that it descends from, by processor time",
                ["search", "against", *DUEL], rows,
                "On the positions that both can be asked about. Asked for a win alone, mopns is "
                "pn: that row shows what is noise.")


def certified_by_set(results: Results) -> Made:
    """Positions of each set that are answered, and that have a certificate."""
    rows = []
    for one in results.plan.experiment.sets:
        entries = [entry for entry in results.select(set=one.name) if entry.row is not None]
        answered = [entry for entry in entries if entry.row and entry.row["concluded"]]
        questions = {entry.cell.job.question for entry in answered}
        without = [e for e in answered if e.cell.job.question not in results.certified]
        if entries:
            rows.append([one.name, str(len({entry.cell.id for entry in entries})),
                         str(len(questions)), str(len(questions & results.certified)),
                         str(len(answered)), str(len(without))])
    return Made("Answers and certificates, by set",
                ["set", "positions", "answered", "with a certificate", "answers",
                 "answers without"], rows,
                "*Answers*: one for each search that concludes a position. *Without*: the judge "
                "had no certificate within its limits, and the searches merely agree.")
