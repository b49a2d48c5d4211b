"""Tables and claims of a contest of many searches: by set, by pairs, and what features predict.

The positions of each set are halved by their place in it: those with an even number are learned
from, the others are for the test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.lab import columns
from zermelo.lab.report.tables import Made
from zermelo.lab.results import Results
from zermelo.lab.study.contest import (
    LEAST,
    MUCH,
    SECONDS,
    Contest,
    Duel,
    contest_of,
    duel,
    duel_of,
    within,
)
from zermelo.lab.study.intervals import (
    UNDECIDED,
    Interval,
    Verdict,
    ahead,
    all_of,
    below,
    ratio_of_means,
)
from zermelo.lab.study.picking import Rule, learn, picked_costs
from zermelo.search.selection import DEFAULT_SEARCH, default_search
from zermelo.solving.features import NAMES, features_of

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
    the default search of its game took."""

    contest: Contest
    features: dict[str, Any]
    limit: float
    usual: Any
    learned: Any

    def costs(self) -> Any:
        """PAR-2 times, by position and arm."""
        return self.contest.par2(self.limit)

    def part(self, keep: Any) -> Field:
        """The positions at which ``keep`` is true."""
        mask = np.asarray(keep, bool)
        return Field(self.contest.only(mask),
                     {name: numbers[mask] for name, numbers in self.features.items()},
                     self.limit, self.usual[mask], self.learned[mask])


def field_of(results: Results) -> Field:
    """The positions that all arms have been run on, with their features."""
    contest = contest_of(results, SECONDS)
    plan = results.plan
    found = [features_of(plan.positions[place]) for place in contest.places]
    features = {name: np.array([one[at] for one in found], float)
                for at, name in enumerate(NAMES)}
    order: dict[str, list[str]] = {}
    for group, id in plan.positions:
        order.setdefault(group, []).append(id)
    learned = np.array([order[group].index(id) % 2 == 0 for group, id in contest.places], bool)
    times = [cell.job.time for cell in plan.cells if cell.job.time is not None]
    finite = contest.costs[np.isfinite(contest.costs)]
    limit = max(times) if times else float(finite.max()) if finite.size else 1.0
    narrow = {one.name for one in plan.experiment.sets if one.candidates}
    usual = np.full(len(contest.places), np.inf)
    for at, (group, id) in enumerate(contest.places):
        game = plan.positions[group, id].game
        name = DEFAULT_SEARCH if group in narrow else default_search(game)
        if name in contest.arms:
            usual[at] = contest.costs[at, contest.arms.index(name)]
    return Field(contest, features, limit, usual, learned)


def rule_of(field: Field, most: int = 3, only: str = "") -> Rule:
    """The rule learned on all positions of ``field``; ``only``: from this feature alone."""
    features = {only: field.features[only]} if only else field.features
    return learn(features, field.costs(), field.contest.arms, most)


def by_set(results: Results) -> Made:
    """How many positions of each set each arm concluded, and how many some arm did."""
    contest = contest_of(results, SECONDS)
    where = {name: np.array([group == name for group, _ in contest.places], bool)
             for name in contest.sets}
    rows = []
    for number, arm in enumerate(contest.arms):
        cells = []
        for mask in where.values():
            ran = contest.ran[mask, number]
            done = np.isfinite(contest.costs[mask, number])
            cells.append(str(int(done.sum())) if ran.any() else "-")
        rows.append([arm, *cells])
    some = [str(int(np.isfinite(contest.only(mask).least()).sum())) for mask in where.values()]
    whole = [str(int(mask.sum())) for mask in where.values()]
    rows += [["some search", *some], ["positions", *whole]] if contest.arms else []
    return Made("Positions concluded, by set", ["search", *where], rows,
                "A dash: the search can't be asked about that game, or not by zones.")


def pairwise(results: Results) -> Made:
    """Each search against the default one, and how near it is to the best."""
    contest = contest_of(results, SECONDS)
    base = DEFAULT_SEARCH
    rows = []
    for arm in contest.arms if base in contest.arms else ():
        found = duel_of(contest, arm, base)
        near = [within(contest, arm, times) for times in (1, 2, 10)]
        rows.append([arm, *duel_row(found), *(_interval(one) for one in near)])
    return Made(f"Each search against {base}, by processor time",
                ["search", "ahead", "behind", "alike", "neither", "ahead, % of decided", "p",
                 "best, %", "within 2 times, %", "within 10 times, %"], rows,
                f"*Ahead*: concludes alone, or takes {MUCH:g} times less. *p*: sign test. *Best* "
                "and *within*: of the positions that some search concludes, with Wilson's "
                "intervals; a search that can't be asked about a game counts as not concluding. "
                f"Less than {1000 * LEAST[SECONDS]:g} ms counts as that, so that several may be "
                "best.")


def duel_row(found: Duel) -> list[str]:
    """As a table shows it."""
    return [str(found.ahead), str(found.behind), str(found.alike), str(found.neither),
            _interval(found.share), f"{found.chance:.2g}"]


def _interval(found: Interval | None) -> str:
    return "-" if found is None else found.text("")


def feature_table(results: Results) -> Made:
    """The features of each set, the mean over its positions, and the search that is fastest most
    often, where a clock can tell."""
    field = field_of(results)
    contest, rows = field.contest, []
    for name in contest.sets:
        part = field.part([group == name for group, _ in contest.places])
        least = part.contest.least()
        solved = part.contest.only(np.isfinite(least) & (least > LEAST[SECONDS]))
        best = [solved.arms[int(at)] for at in solved.costs.argmin(axis=1)] if solved.places else []
        first = max(dict.fromkeys(best), key=best.count) if best else ""
        rows.append([name, *(columns.text(float(part.features[one].mean())) for one in NAMES),
                     f"{first} ({best.count(first)} of {len(best)})" if best else "-"])
    return Made("Features, means by set", ["set", *NAMES, "most often fastest"], rows,
                "From 24 random games and a tree of four plies for each position; transpositions, "
                "decisive, drawn and wins in per cent. *Fastest*: of the positions that take every "
                f"search more than {1000 * LEAST[SECONDS]:g} ms.")


def single_features(results: Results) -> Made:
    """What each feature alone is worth: a rule of one condition, learned on one half."""
    field = field_of(results)
    learned, test = field.part(field.learned), field.part(~field.learned)
    rows = []
    for name in NAMES if learned.contest.places and test.contest.places else ():
        rule = rule_of(learned, 1, only=name)
        rows.append([name, str(rule), *_against(test, rule)])
    return Made("Rules of one feature, tested on the other half against the default search",
                ["feature", "rule", *AGAINST], rows,
                "A rule without a condition: no bound on this feature saves a twentieth.")


AGAINST = ["ahead", "behind", "alike", "neither", "ahead, % of decided", "p", "time, % of default"]


def _against(test: Field, rule: Rule) -> list[str]:
    found, ratio = versus_default(test, rule)
    return [*duel_row(found), _interval(ratio)]


def versus_default(test: Field, rule: Rule) -> tuple[Duel, Interval | None]:
    """The picked searches against the default ones: position by position, and the ratio of their
    mean PAR-2 times."""
    arms = test.contest.arms
    mine = picked_costs(rule, test.features, test.contest.costs, arms)
    pairs = [np.where(np.isfinite(some), some, 2 * test.limit) for some in (mine, test.usual)]
    return duel(mine, test.usual), ratio_of_means(list(zip(*pairs, strict=True)))


def halves(results: Results) -> Made:
    """Rules of at most so many conditions, learned on one half, on both halves."""
    field = field_of(results)
    learned, test = field.part(field.learned), field.part(~field.learned)
    rows = []
    for most in range(4) if learned.contest.places and test.contest.places else ():
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
    for name in field.contest.sets if len(field.contest.sets) > 1 else ():
        own = np.array([group == name for group, _ in field.contest.places], bool)
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
    if not learned.contest.places or not test.contest.places:
        return None, ""
    rule = rule_of(learned)
    found, ratio = versus_default(test, rule)
    told = (f"{rule}. On {len(test.contest.places)} positions ahead on {found.ahead}, behind on "
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
