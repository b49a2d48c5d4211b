"""Song 2019, section 2.1.6, figures 2-10 to 2-12: DeepPN by R on 4 x 4 Hex."""

from functools import partial
from typing import Any

from zermelo import DeepPN
from zermelo.lab import Claim, Experiment, Figure, Size, Table, number_of, sweep, texts
from zermelo.lab.statistics import Verdict, all_of, below, inside, ratio_of_samples, share
from zermelo_papers.deep_pn_othello import FORMULAS, PN, arm

FINE = [round(1 - 0.01 * step, 2) for step in range(11)]
RS = [*FINE, *(round(0.9 - 0.05 * step, 2) for step in range(1, 19))]
OFTEN = [1.0, 0.99, 0.97, 0.95, 0.5, 0.98, 0.96, 0.94, 0.93, 0.92, 0.91, 0.9, 0.8, 0.75, 0.7]
NODES, ITERATIONS = f"mean nodes vs {PN}", f"mean iterations vs {PN}"
MEDIAN = f"median nodes vs {PN}"


def nodes(results: Any, name: str) -> list[float]:
    """Of all runs of an arm; of one that was cut off, what it had used."""
    return [number for entry in results.select(name)
            if (number := number_of(entry, "nodes")) is not None]


def between(rs: list[float], low: float, high: float, formula: str,
            results: Any) -> tuple[Verdict, str]:
    """At each of these R the mean of the nodes is within these per cents of PN's."""
    names = {r: arm(r, formula) for r in rs}
    found = {r: ratio_of_samples(nodes(results, name), nodes(results, PN))
             for r, name in names.items()}
    if None in found.values() or not results.finished(PN, *names.values()):
        return None, ""
    medians = {r: ratio_of_samples(nodes(results, name), nodes(results, PN), median=True)
               for r, name in names.items()}
    told = ", ".join(f"R = {r:g}: {one.text()}, of medians {median.text()}"
                     for (r, one), median in zip(found.items(), medians.values(), strict=True)
                     if one is not None and median is not None)
    return all_of([inside(one, low, high) for one in found.values()]), told


def no_answer(results: Any) -> tuple[Verdict, str]:
    """R = 0 proves nothing: of the share that is proved the interval lies below a tenth."""
    proved, jobs = results.number("proved", arm(0.0)), results.number("jobs", arm(0.0))
    found = share(proved or 0, jobs or 0)
    if found is None or not results.finished(arm(0.0)):
        return None, ""
    told = f"{proved} of {jobs} runs ended with a proof: {found.text()}"
    return (False if proved else below(found, 10)), told


def claims(formula: str) -> list[Claim]:
    """Claims of the thesis for one formula."""
    rule = ("the interval of each mean in % of PN's lies within the bounds; refuted if one lies "
            "outside")
    words = f"formula of {formula}: "
    return [
        Claim(f"{words}about half of PN's nodes at R = 0.99, 0.97 and 0.95 (40 to 60 %)",
              partial(between, [0.99, 0.97, 0.95], 40, 60, formula), "figure 2-12", rule=rule),
        Claim(f"{words}more than PN between R = 0.85 and 0.7",
              partial(between, [0.8, 0.75, 0.7], 100, float("inf"), formula), "figure 2-11",
              rule=rule),
        Claim(f"{words}about half again at R = 0.5 (35 to 65 %)",
              partial(between, [0.5], 35, 65, formula), "figure 2-11", rule=rule),
    ]


LIMITS: dict[str, Any] = {"nodes": Size(50_000_000, full=500_000_000),
                          "memory": Size("2GB", full="18GB")}
OFTEN_2015 = [0.99, 0.97, 0.95, 0.5, 0.8, 0.75, 0.7]

experiment = Experiment(
    title="DeepPN by R on 4 x 4 Hex",
    source="Song 2019, section 2.1.6, figures 2-10 to 2-12, credited to Ishitobi et al. 2015.",
    about="The empty 4 x 4 board with the moves of every node in a random order; R in steps of "
    "0.05, and of 0.01 between 0.9 and 1 (the thesis prints 0.5 and 0.1). Published: ten runs for "
    "each R, at most 500,000,000 nodes. Ours: 100 runs where the thesis says something about R, "
    "ten elsewhere. Runs fall into two kinds, of about a million nodes and of ten to twenty, by "
    "which first move is tried first: means of ten are means of a coin, so medians stand beside "
    "them. Both formulas, that of the thesis and that of 2015 from which its figures are.",
    positions=texts("hex", ["start"], name="4 x 4", size=4),
    arms=[*sweep(DeepPN, {"R": OFTEN}, fixed={"shuffle": True}, seeds=100, **LIMITS),
          *sweep(DeepPN, {"R": OFTEN_2015}, fixed={"shuffle": True, "formula": "2015"},
                 named="2015", seeds=100, **LIMITS),
          *sweep(DeepPN, {"R": [r for r in RS if r not in OFTEN]}, fixed={"shuffle": True},
                 seeds=10, **LIMITS)],
    tables=[Table(
        "By R", ["mean nodes", "median nodes", "least nodes", "most nodes", NODES, MEDIAN,
                 ITERATIONS, "out"], intervals=True,
        published={NODES: {PN: "100", **{name(0.95): "about 50" for name in
                                         (arm, lambda r: arm(r, "2015"))},
                           arm(0.5): "about 50", arm(0.8): "over 100"},
                   "concluded": {arm(0.0): 0}},
        note="Over all runs; one that was cut off at the limit counts with what it had used, so "
        "such means are lower bounds. In brackets the interval of 95 %, by resampling of the runs.",
    )],
    figures=[
        Figure("ratio", "lines", "Mean nodes in per cent of PN's (thesis: figure 2-11)", x="R",
               y=NODES, series="formula", baseline=100,
               x_label="R (1 is PN-search)", y_label="% of PN", log_y=True,
               published={"thesis": {1.0: 100, 0.95: 50, 0.85: 100, 0.5: 50}}),
        Figure("fine", "lines", "Mean nodes near R = 1 (thesis: figure 2-12)", x="R", y=NODES,
               series="formula", x_label="R (1 is PN-search)", y_label="% of PN", baseline=100,
               arms=[*(arm(r) for r in FINE), *(arm(r, "2015") for r in OFTEN_2015 if r >= 0.9)],
               published={"thesis": {1.0: 100, 0.99: 50, 0.95: 50}}),
        Figure("median", "lines", "Median nodes in per cent of PN's", x="R", y=MEDIAN,
               series="formula", baseline=100, x_label="R (1 is PN-search)", y_label="% of PN",
               log_y=True),
    ],
    claims=[
        *(claim for formula in FORMULAS for claim in claims(formula)),
        Claim("no answer at R = 0 within the limit", no_answer, "2.1.6",
              rule="no run ends with a proof, and the interval of the share lies below 10 %; "
              "refuted by any proof"),
    ],
    differs="The thesis shows curves only; the published per cents are read from its text. Our Hex "
    "answers by connection alone, when a side is connected; where the thesis's program ends a game "
    "it does not say. At the default size a run stops at 50,000,000 nodes.",
    minutes=Size(60, full=24 * 60),
)
