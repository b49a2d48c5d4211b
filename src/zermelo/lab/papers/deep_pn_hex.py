"""Song 2019, section 2.1.6, figures 2-10 to 2-12: DeepPN by R on 4 x 4 Hex."""

from typing import Any

from zermelo.lab import Claim, Experiment, Figure, Size, Table, sweep, texts
from zermelo.search.best_first.deep_pn import DeepPN

FINE = [round(1 - 0.01 * step, 2) for step in range(11)]
RS = [*FINE, *(round(0.9 - 0.05 * step, 2) for step in range(1, 19))]


def arm(r: float) -> str:
    """The name of an arm."""
    return f"deep-pn R={r:g}"


PN = arm(1.0)
NODES, ITERATIONS = f"mean nodes vs {PN}", f"mean iterations vs {PN}"


def between(rs: list[float], low: float, high: float) -> Any:
    """At each of these R the mean number of nodes is the published per cent of PN's."""
    def test(results: Any) -> tuple[bool | None, str]:
        numbers = {r: results.number(NODES, arm(r)) for r in rs}
        if None in numbers.values() or not results.finished(PN, *(arm(r) for r in rs)):
            return None, ""
        told = ", ".join(f"R = {r:g}: {number:.0f} %" for r, number in numbers.items())
        return all(low <= number <= high for number in numbers.values()), told

    return test


def no_answer(results: Any) -> tuple[bool | None, str]:
    """R = 0 proves nothing."""
    proved, jobs = results.number("proved", arm(0.0)), results.number("jobs", arm(0.0))
    if not jobs or not results.finished(arm(0.0)):
        return None, ""
    return proved == 0, f"{proved} of {jobs} runs ended with a proof"


experiment = Experiment(
    title="DeepPN by R on 4 x 4 Hex",
    source="Song 2019, section 2.1.6, figures 2-10 to 2-12.",
    about="The empty 4 x 4 board, solved ten times for each R with the moves of every node in a "
    "random order; R in steps of 0.05, and of 0.01 between 0.9 and 1 (the thesis prints 0.5 and "
    "0.1). Published limit: 500,000,000 nodes.",
    positions=texts("hex", ["start"], name="4 x 4", size=4),
    arms=sweep(DeepPN, {"R": RS}, fixed={"shuffle": True}, seeds=10,
               nodes=Size(50_000_000, full=500_000_000), memory=Size("2GB", full="18GB")),
    tables=[Table(
        "By R", ["mean nodes", "least nodes", "most nodes", "mean iterations", NODES, ITERATIONS,
                 "out", "mean seconds"],
        published={NODES: {PN: "100", arm(0.95): "about 50", arm(0.5): "about 50",
                           arm(0.8): "over 100"},
                   "concluded": {arm(0.0): 0}},
        note="Means are over all ten runs; a run that was cut off at the limit counts with what it "
        "had used, so such means are lower bounds.",
    )],
    figures=[
        Figure("ratio", "lines", "Cost in per cent of PN's (thesis: figure 2-11)", x="R",
               ys={"nodes": NODES, "iterations": ITERATIONS}, series="search",
               x_label="R (1 is PN-search)", y_label="% of PN", log_y=True,
               published={"nodes": {1.0: 100, 0.95: 50, 0.85: 100, 0.5: 50}}),
        Figure("fine", "lines", "The same near R = 1 (thesis: figure 2-12)", x="R",
               ys={"nodes": NODES, "iterations": ITERATIONS}, series="search",
               x_label="R (1 is PN-search)", y_label="% of PN", arms=[arm(r) for r in FINE],
               published={"nodes": {1.0: 100, 0.99: 50, 0.95: 50}}),
        Figure("nodes", "lines", "Nodes to solve 4 x 4 Hex (thesis: figure 2-10)", x="R",
               ys={"mean": "mean nodes", "least": "least nodes", "most": "most nodes"},
               series="search",
               x_label="R (1 is PN-search)", y_label="nodes", log_y=True),
    ],
    claims=[
        Claim("about half of PN's nodes from R = 0.99 to 0.95 (40 to 60 %)",
              between([0.99, 0.98, 0.97, 0.96, 0.95], 40, 60), "figure 2-12"),
        Claim("more than PN between R = 0.85 and 0.7", between([0.8, 0.75, 0.7], 100, 1e9),
              "figure 2-11"),
        Claim("about half again at R = 0.5 (35 to 65 %)", between([0.5], 35, 65), "figure 2-11"),
        Claim("no answer at R = 0 within the limit", no_answer, "2.1.6"),
    ],
    differs="The thesis shows curves only; the published per cents are read from its text. Ten "
    "runs of one board can differ much, see *least* and *most*, so the mean of ten is a rough "
    "number there and here. Our Hex answers by connection alone, when a side is connected; where "
    "the thesis's program ends a game it does not say. At the default size a run stops at "
    "50,000,000 nodes.",
    minutes=Size(30, full=12 * 60),
)
