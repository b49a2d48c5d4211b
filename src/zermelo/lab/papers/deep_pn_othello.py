"""Song 2019, section 2.1.6, figures 2-6 to 2-9: DeepPN by R on Othello end games."""

from typing import Any

from zermelo.lab import Claim, Experiment, Figure, Size, Table, generated, sweep
from zermelo.search.best_first.deep_pn import DeepPN

RS = [round(1 - 0.05 * step, 2) for step in range(21)]
PASS, LOSES = "44 moves, pass", "44 moves, loses"
SEED = 2019


def arm(r: float) -> str:
    """The name of an arm."""
    return f"deep-pn R={r:g}"


PN = arm(1.0)
NODES, ITERATIONS = f"ratio nodes to {PN}", f"ratio iterations to {PN}"


def about(column: str, r: float, low: float, high: float) -> Any:
    """At R = r the column is between ``low`` and ``high`` per cent of PN's, under both rules."""
    def test(results: Any) -> tuple[bool | None, str]:
        numbers = {group: results.number(column, arm(r), group) for group in (PASS, LOSES)}
        if None in numbers.values() or not results.finished(arm(r), PN):
            return None, ""
        told = ", ".join(f"{group}: {number:.0f} %" for group, number in numbers.items())
        return all(low <= number <= high for number in numbers.values()), told

    return test


def rises_at(r: float) -> Any:
    """From one step above R = r to r the mean number of nodes rises by a tenth or more."""
    def test(results: Any) -> tuple[bool | None, str]:
        before, after = arm(round(r + 0.05, 2)), arm(r)
        pairs = {group: [results.number("par2 nodes", name, group) for name in (before, after)]
                 for group in (PASS, LOSES)}
        if any(None in pair for pair in pairs.values()) or not results.finished(before, after):
            return None, ""
        told = ", ".join(f"{group}: {pair[0]:,.0f} to {pair[1]:,.0f} nodes"
                         for group, pair in pairs.items())
        return all(pair[1] > 1.1 * pair[0] for pair in pairs.values()), told

    return test


def solves_almost_none(results: Any) -> tuple[bool | None, str]:
    """R = 0 proves at most a tenth."""
    proved, jobs = results.number("proved", arm(0.0)), results.number("jobs", arm(0.0))
    if not jobs or not results.finished(arm(0.0)):
        return None, ""
    return proved <= jobs / 10, f"{proved} of {jobs} proved"


experiment = Experiment(
    title="DeepPN by R on Othello end games",
    source="Song 2019, section 2.1.6, figures 2-6 to 2-9.",
    about="DeepPN mixes the proof number with the depth of a node: R = 1 is PN, R = 0 depth-first "
    "search. The thesis solves 1000 positions after 44 random moves for R = 1.0 to 0.0 by 0.05, "
    "without a stated limit. Here under both rules for a player who cannot move: who passes "
    "(standard) and who loses, as in the same group's later program.",
    positions=[generated("othello", 44, 1000, seed=SEED, name=name, no_move=rule,
                         labels={"no_move": rule}, take=Size(60, full=1000))
               for name, rule in ((PASS, "pass"), (LOSES, "loses"))],
    arms=sweep(DeepPN, {"R": RS}, nodes=Size(5_000_000, full=50_000_000),
               memory=Size("700MB", full="6GB")),
    tables=[Table(
        "By R", ["mean nodes", "mean iterations", NODES, ITERATIONS, f"fewer nodes than {PN}",
                 f"more nodes than {PN}"], "set, arm",
        published={
            NODES: {(group, arm(r)): told for group in (PASS, LOSES)
                    for r, told in ((1.0, "100"), (0.8, "about 50"), (0.4, "about 35"))},
            ITERATIONS: {(group, arm(r)): told for group in (PASS, LOSES)
                         for r, told in ((1.0, "100"), (0.8, "about 50"), (0.4, "about 50"),
                                         (0.05, "over 100"))},
        },
        note="Means are over all positions, those included that were cut off at the limit. *Mean "
        "ratio*: the mean over the positions that both concluded of the number in per cent of "
        "PN's, as in figure 2-7. *Fewer* and *more*: the reducing and increasing cases of figures "
        "2-8 and 2-9; a position cut off counts as more.",
    )],
    figures=[figure for rule, group in (("pass", PASS), ("loses", LOSES)) for figure in (
        Figure(f"ratio-{rule}", "lines", f"Cost in per cent of PN's (thesis: figure 2-7), {rule}",
               x="R", ys={"nodes": NODES, "iterations": ITERATIONS}, series="set", sets=[group],
               x_label="R (1 is PN-search)", y_label="mean of ratios, % of PN",
               published={"nodes": {1.0: 100, 0.8: 50, 0.4: 35},
                          "iterations": {1.0: 100, 0.8: 50, 0.4: 50}}),
        Figure(f"mean-{rule}", "lines", f"Mean cost (thesis: figure 2-6), {rule}", x="R",
               ys={"nodes": "mean nodes", "iterations": "mean iterations"}, series="set",
               sets=[group], x_label="R (1 is PN-search)", y_label="nodes, iterations", log_y=True),
        Figure(f"cases-{rule}", "lines", f"Nodes, position by position (2-9), {rule}", x="R",
               ys={"fewer than PN": f"fewer nodes than {PN}",
                   "more than PN": f"more nodes than {PN}"}, series="set", sets=[group],
               x_label="R (1 is PN-search)", y_label="positions"),
    )] + [
        Figure("proved", "lines", "Positions proved within the limit", x="R", y="proved %",
               series="set", x_label="R (1 is PN-search)", y_label="% of positions"),
    ],
    claims=[
        Claim("R = 0.8: nodes fall to about a half (40 to 60 %)", about(NODES, 0.8, 40, 60),
              "figure 2-7"),
        Claim("R = 0.8: iterations fall to about a half (40 to 60 %)",
              about(ITERATIONS, 0.8, 40, 60), "figure 2-7"),
        Claim("R = 0.4: nodes fall to about a third (25 to 45 %)", about(NODES, 0.4, 25, 45),
              "figure 2-7"),
        Claim("R = 0.4: iterations fall to about a half (40 to 60 %)",
              about(ITERATIONS, 0.4, 40, 60), "figure 2-7"),
        Claim("a rapid rise at R = 0.35", rises_at(0.35), "figure 2-6"),
        Claim("R = 0 solves almost none", solves_almost_none, "2.1.6"),
    ],
    differs="The thesis's positions are not published: ours are drawn from a seed by the same "
    "recipe. It names no limit; here a search stops at 5,000,000 nodes, which cuts off hard "
    "positions, so means are lower bounds and ratios are of positions that both "
    "finished. The question is whether the side to move wins, and a draw is no win; the thesis "
    "does not say what its solver asks.",
    minutes=Size(15, full=24 * 60),
)
