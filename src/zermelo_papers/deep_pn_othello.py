"""Song 2019, section 2.1.6, figures 2-6 to 2-9: DeepPN by R on Othello end games."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

from zermelo import DeepPN
from zermelo.lab import Claim, Experiment, Figure, Size, Table, concluded_by_both, generated, sweep
from zermelo.lab.statistics import (
    UNDECIDED,
    Interval,
    Verdict,
    above,
    ahead,
    all_of,
    below,
    inside,
    mean_of_ratios,
    ratio_of_means,
    share,
)

RS = [round(1 - 0.05 * step, 2) for step in range(21)]
PASS, LOSES = "44 moves, pass", "44 moves, loses"
RULES = {"pass": PASS, "loses": LOSES}
FORMULAS = ("2019", "2015")
SEED = 2019
# Nodes and iterations as a share of PN's: R, which of them, and the bounds that stand for "about".
PUBLISHED = [(0.8, "nodes", 40, 60), (0.8, "iterations", 40, 60), (0.4, "nodes", 25, 45),
             (0.4, "iterations", 40, 60)]


def arm(r: float, formula: str = "2019") -> str:
    """The name of an arm; at R = 1 and 0 both formulas are the same search."""
    return f"deep-pn R={r:g}" if formula == "2019" or r in (0.0, 1.0) else f"2015 R={r:g}"


PN = arm(1.0)


def ready(results: Any, group: str, *arms: str) -> bool:
    """Return True if these arms have been run on one of the sets: each rule has verdicts of its
    own."""
    entries = [results.select(arm, group) for arm in arms]
    return all(some and all(entry.row is not None for entry in some) for some in entries)


def both(results: Any, r: float, formula: str, what: str, group: str) -> list[tuple[float, float]]:
    """Costs of DeepPN and PN on the positions that both solved."""
    return concluded_by_both(what, results.select(arm(r, formula), group),
                             results.select(PN, group))


def about(r: float, what: str, low: float, high: float, formula: str, group: str,
          results: Any) -> tuple[Verdict, str]:
    """Of the figure's own statistic, the interval lies between these per cents of PN's: that of the
    ratio of means for R = 0.8, which figure 2-6 shows, of the mean of ratios for R = 0.4 (2-7)."""
    pairs = both(results, r, formula, what, group)
    found = {"ratio of means": ratio_of_means(pairs), "mean of ratios": mean_of_ratios(pairs)}
    told = ", ".join(f"{name} {one.text()}" for name, one in found.items() if one is not None)
    if not pairs or not ready(results, group, arm(r, formula), PN):
        return None, told
    chosen = found["ratio of means" if r == 0.8 else "mean of ratios"]
    return inside(chosen, low, high), f"{told}; {len(pairs)} positions that both solved"


def fits(results: Any, formula: str, group: str) -> tuple[Verdict, str]:
    """Compare the published numbers with a formula's results, as ratios of means."""
    verdicts: list[Verdict] = []
    told = []
    for r, what, low, high in PUBLISHED:
        found = ratio_of_means(both(results, r, formula, what, group))
        if found is None or not ready(results, group, arm(r, formula), PN):
            return None, ""
        verdict = inside(found, low, high)
        verdicts.append(verdict)
        told.append(f"R = {r:g} {what} {found.text()}")
    return all_of(verdicts), f"{formula}: " + ", ".join(told)


def from_2015(group: str, results: Any) -> tuple[Verdict, str]:
    """The four published numbers are those of the 2015 formula: none of them contradicts it, and
    one at least contradicts the thesis's."""
    found = {formula: fits(results, formula, group) for formula in FORMULAS}
    told = "; ".join(told for _, told in found.values())
    old, new = found["2015"][0], found["2019"][0]
    if None in (old, new):
        return None, told
    if old is not False and new is False:
        return True, told
    return (False if old is False and new is not False else UNDECIDED), told


def rises_at(r: float, formula: str, group: str, results: Any) -> tuple[Verdict, str]:
    """From one step above R = r to r nodes and iterations rise, in the mean over the positions that
    both settings solve."""
    return compared(r, round(r + 0.05, 2), BOTH, rapidly, formula, group, results)


def rapidly(*found: Interval) -> Verdict:
    """All of these are more than a tenth larger."""
    return all_of([above(one, 110) for one in found])


def falling(*found: Interval) -> Verdict:
    """All of these are smaller."""
    return all_of([below(one, 100) for one in found])


def dearer(r: float, formula: str, group: str, results: Any) -> tuple[Verdict, str]:
    """DeepPN takes more iterations than PN, by the mean of ratios, which figure 2-7 shows."""
    pairs = both(results, r, formula, "iterations", group)
    found = mean_of_ratios(pairs)
    if found is None or not ready(results, group, arm(r, formula), PN):
        return None, ""
    means = ratio_of_means(pairs)
    assert means is not None
    return above(found, 100), f"mean of ratios {found.text()}, ratio of means {means.text()}"


def solves_almost_none(group: str, results: Any) -> tuple[Verdict, str]:
    """R = 0 proves at most a tenth."""
    proved, jobs = (results.number(word, arm(0.0), group) for word in ("proved", "jobs"))
    if not jobs or not ready(results, group, arm(0.0)):
        return None, ""
    found = share(proved, jobs)
    assert found is not None
    return below(found, 10), f"{proved} of {jobs} proved: {found.text()}"


def cases(results: Any, r: float, formula: str, group: str) -> list[int]:
    """Count the positions on which DeepPN takes fewer iterations than PN, and more."""
    return [results.number(f"{word} iterations than {PN}", arm(r, formula), group)
            for word in ("fewer", "more")]


def cases_turn_at(formula: str, group: str, results: Any) -> tuple[Verdict, str]:
    """Figure 2-8: at R = 0.4 most positions still take fewer iterations than PN, and at R = 0.35
    more positions take more iterations than at R = 0.4."""
    if not ready(results, group, arm(0.4, formula), arm(0.35, formula), PN):
        return None, ""
    found = {r: cases(results, r, formula, group) for r in (0.4, 0.35)}
    worse = turned(results, formula, group)
    told = ", ".join(f"R = {r:g}: {fewer} fewer, {more} more"
                     for r, (fewer, more) in found.items())
    return (all_of([ahead(*found[0.4]), ahead(worse[1], worse[0])]),
            f"{told}; from 0.4 to 0.35 {worse[1]} turn to more, {worse[0]} to fewer")


def turned(results: Any, formula: str, group: str) -> list[int]:
    """Positions that become cheaper than PN from R = 0.4 to 0.35, and dearer."""
    base = {e.cell.id: e.row["iterations"] for e in results.select(PN, group)
            if e.row["concluded"]}
    dearer = [{e.cell.id for e in results.select(arm(r, formula), group) if e.cell.id in base
               and (not e.row["concluded"] or e.row["iterations"] > base[e.cell.id])}
              for r in (0.4, 0.35)]
    return [len(dearer[0] - dearer[1]), len(dearer[1] - dearer[0])]


def per_cent(name: str) -> dict[str, str]:
    """The two ways to compare with PN, over the positions that both solved."""
    return {"ratio of means": f"mean {name} of both vs {PN}",
            "mean of ratios": f"ratio {name} to {PN}"}


def figures(rule: str, group: str) -> list[Figure]:
    """The thesis's figures under one rule, both formulas."""
    common: dict[str, Any] = {"x": "R", "sets": [group], "series": "formula",
                              "x_label": "R (1 is PN-search)", "baseline": 100, "log_y": True}
    told = {"nodes": {1.0: 100, 0.8: 50, 0.4: 35}, "iterations": {1.0: 100, 0.8: 50, 0.4: 50}}
    made = [Figure(f"{short}-{what}-{rule}", "lines",
                   f"{what.capitalize()}, {called} (thesis: figure {number}), {rule}",
                   y=per_cent(what)[called], y_label="% of PN, positions both solved",
                   published={"thesis": told[what]}, **common)
            for (short, called, number), what in product(
                (("mean", "ratio of means", "2-6"), ("ratio", "mean of ratios", "2-7")),
                ("nodes", "iterations"))]
    return [*made, *(Figure(
        f"cases-{what}-{rule}", "lines", f"{what.capitalize()}, position by position ({number}), "
        f"{rule}", x="R", sets=[group], series="formula", x_label="R (1 is PN-search)",
        ys={f"{word} than PN": f"{word} {what} than {PN}" for word in ("fewer", "more")},
        y_label="positions") for what, number in (("iterations", "2-8"), ("nodes", "2-9")))]


def claims(rule: str, group: str) -> list[Claim]:
    """Claims of the thesis for one rule."""
    found = [Claim(f"{rule}: the thesis's figures fit the formula of 2015, not its own",
                   partial(from_2015, group), "ours, of figures 2-6, 2-7",
                   rule="holds if of the four numbers below, as ratios of means, none contradicts "
                   "the 2015 formula and one contradicts the thesis's; refuted if it is the other "
                   "way round")]
    for formula, (r, what, low, high) in product(FORMULAS, PUBLISHED):
        found.append(Claim(
            f"{rule}, formula of {formula}: R = {r:g}: {what} fall to {low} to {high} %",
            partial(about, r, what, low, high, formula, group),
            "figure 2-6" if r == 0.8 else "figure 2-7",
            rule="the interval of the "
            f"{'ratio of means' if r == 0.8 else 'mean of ratios'} lies within the bounds; refuted "
            "if it lies outside"))
    for formula in FORMULAS:
        found += [
            Claim(f"{rule}, formula of {formula}: at R = 0.35 iterations and nodes rise rapidly",
                  partial(rises_at, 0.35, formula, group), "figure 2-6",
                  rule="both intervals, as ratios of means to R = 0.4, lie above 110 %; refuted if "
                  "one lies below"),
            Claim(f"{rule}, formula of {formula}: fewer iterations on most positions down to R = "
                  "0.4, then more increasing cases", partial(cases_turn_at, formula, group),
                  "figure 2-8",
                  rule="two sign tests, p < 0.05: fewer against more at R = 0.4, and the positions "
                  "that change sides between 0.4 and 0.35"),
        ]
        found += more_claims(rule, formula, group)
    return [*found, Claim(f"{rule}: R = 0 solves almost none", partial(solves_almost_none, group),
                          "2.1.6",
                          rule="the interval of the share lies below 10 %; refuted if above")]


def more_claims(rule: str, formula: str, group: str) -> list[Claim]:
    """Claims of the thesis's text about the curve between and beyond the two values of R."""
    named = f"{rule}, formula of {formula}"
    return [
        Claim(f"{named}: from R = 0.8 to 0.6 nodes decrease, and iterations stop decreasing",
              partial(compared, 0.6, 0.8, BOTH, slows, formula, group), "2.1.6",
              rule="of R = 0.6 in % of 0.8, as ratios of means, the interval of the nodes lies "
              "below 100 %, and that of the iterations lies above 90 % and reaches 100 %; refuted "
              "if nodes rise or iterations fall by more than a tenth"),
        Claim(f"{named}: R = 0.65 is a good compromise (nodes at most 60 %, iterations at most "
              "100 % of PN's)",
              partial(compared, 0.65, 1.0, BOTH, compromise, formula, group), "2.1.6",
              rule="both intervals, as ratios of means, lie below these bounds; refuted if one "
              "lies above"),
        Claim(f"{named}: iterations and nodes decrease again from R = 0.35 to 0.2",
              partial(compared, 0.2, 0.35, BOTH, falling, formula, group), "figure 2-6",
              rule="both intervals of R = 0.2 in % of 0.35, as ratios of means, lie below 100 %; "
              "refuted if one lies above"),
        Claim(f"{named}: over 100 % of PN's iterations at R = 0.05",
              partial(dearer, 0.05, formula, group), "2.1.6, on figure 2-7",
              rule="the interval of the mean of ratios lies above 100 %; refuted if below"),
    ]


def compared(r: float, base: float, names: Sequence[str], holds: Callable[..., Verdict],
             formula: str, group: str, results: Any) -> tuple[Verdict, str]:
    """Test these numbers at one R in per cent of those at another, as ratios of means over the
    positions that both solve."""
    one, other = arm(r, formula), arm(base, formula)
    if not ready(results, group, one, other):
        return None, ""
    found = [ratio_of_means(concluded_by_both(name, results.select(one, group),
                                              results.select(other, group))) for name in names]
    if None in found:
        return None, ""
    return holds(*found), ", ".join(f"{name} {number.text()}" for name, number
                                    in zip(names, found, strict=True) if number is not None)


def slows(nodes: Interval, iterations: Interval) -> Verdict:
    """The nodes fall, and the iterations stop falling."""
    stops = above(iterations, 90)
    if stops is True and iterations.high < 100:  # they fall, if by less than a tenth
        stops = UNDECIDED
    return all_of([below(nodes, 100), stops])


def compromise(nodes: Interval, iterations: Interval) -> Verdict:
    """At most 60 % of PN's nodes, and no more iterations."""
    return all_of([below(nodes, 60), below(iterations, 100)])


BOTH = ("nodes", "iterations")
COLUMNS = [f"mean nodes of both vs {PN}", f"ratio nodes to {PN}",
           f"mean iterations of both vs {PN}", f"ratio iterations to {PN}",
           f"fewer nodes than {PN}", f"more nodes than {PN}", f"fewer iterations than {PN}",
           f"more iterations than {PN}", "mean nodes", "mean iterations"]
LIMITS: dict[str, Any] = {"nodes": 5_000_000, "memory": "700MB"}

experiment = Experiment(
    title="DeepPN by R on Othello end games",
    source="Song 2019, section 2.1.6, figures 2-6 to 2-9, credited to Ishitobi et al. 2015.",
    about="DeepPN mixes the proof number with the depth of a node: R = 1 is PN, R = 0 depth-first "
    "search. The thesis solves 1000 positions after 44 random moves for R = 1.0 to 0.0 by 0.05, "
    "without a stated limit. Its figures are those of the 2015 paper, whose formula has 1 - "
    "1/delta where the thesis has 1 - 1/(delta + 1): here both. And under both rules for a player "
    "who cannot move: who passes (standard) and who loses, as in the same group's later program.",
    positions=[generated("othello", 44, 1000, seed=SEED, name=name, no_move=rule,
                         labels={"no_move": rule}, take=Size(180, full=1000))
               for rule, name in RULES.items()],
    arms=[*sweep(DeepPN, {"R": RS}, **LIMITS),
          *sweep(DeepPN, {"R": RS[1:-1]}, fixed={"formula": "2015"}, named="2015", **LIMITS)],
    tables=[Table(
        "By R", COLUMNS, "set, arm", intervals=True,
        published={
            f"mean nodes of both vs {PN}": {(group, name(r)): told for group in RULES.values()
                                            for name in (arm, lambda r: arm(r, "2015"))
                                            for r, told in ((0.8, "about 50"),)},
            f"ratio nodes to {PN}": {(group, name(r)): told for group in RULES.values()
                                     for name in (arm, lambda r: arm(r, "2015"))
                                     for r, told in ((0.4, "about 35"),)},
            f"ratio iterations to {PN}": {(group, name(r)): told for group in RULES.values()
                                          for name in (arm, lambda r: arm(r, "2015"))
                                          for r, told in ((0.4, "about 50"),)},
        },
        note="*Of both*: over the positions that this setting and PN solved within the limit; per "
        "cent of PN, as the ratio of the means (figure 2-6) and as the mean of the ratios of "
        "single positions (2-7), each with its interval of 95 %. *Fewer* and *more*: the reducing "
        "and increasing cases of figures 2-8 and 2-9, over all positions; one cut off counts as "
        "more. *Mean nodes* and *iterations* are over all positions, those cut off included.",
    )],
    figures=[
        *(figure for rule, group in RULES.items() for figure in figures(rule, group)),
        Figure("proved", "lines", "Positions proved within the limit", x="R", y="proved %",
               series="set, formula", x_label="R (1 is PN-search)", y_label="% of positions"),
    ],
    claims=[claim for rule, group in RULES.items() for claim in claims(rule, group)],
    differs="The thesis's positions are not published: ours are drawn from a seed by the same "
    "recipe. It names no limit; here a search stops at 5,000,000 nodes. Positions that are cut off "
    "have no ratio: means are over those that both solved, which are the easier ones. The question "
    "is whether the side to move wins, and a draw is no win; the thesis does not say what its "
    "solver asks.",
    minutes=Size(30, full=2 * 60),
)
