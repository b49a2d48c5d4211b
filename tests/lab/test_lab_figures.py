"""Figures: intervals are drawn, a search looks the same everywhere, many series take panels."""

from dataclasses import replace
from itertools import combinations

import pytest

import zermelo
from zermelo.jobs.store import Store
from zermelo.lab import Arm, Experiment, Figure, Judge, each, figures, series, sweep
from zermelo.lab.columns import interval, value
from zermelo.lab.experiment import experiment, experiment_names
from zermelo.lab.figures import calibration, draw, panels_of, root_values
from zermelo.lab.plan import plan_of, run
from zermelo.lab.results import Results
from zermelo.lab.series import (
    BESIDE,
    DASHES,
    MARKS,
    NAMED,
    OTHERS,
    PUBLISHED,
    SEARCHES,
    Look,
    alike,
    compact,
    looks,
    looks_in,
    series_of,
    shade,
)
from zermelo.search.registry import SEARCHES as ALL
from zermelo_papers import false_conclusions

pytest.importorskip("matplotlib")
SETS = ("depth 4", "depth 5")
FIGURES = {
    "dots": Figure("dots", "dots", "x", y="concluded %", published={"PN": 90, "UCT": 80},
                   log_y=True),
    "lines": Figure("lines", "lines", "x", x="pr", y="false %", series="game", log_x=True,
                    arms=[f"ppn pr={pr:g}" for pr in (0.01, 0.1, 0.3)], baseline=10),
    "by arm": Figure("arm", "lines", "x", x="depth", y="mean nodes", baseline="PN"),
    "cactus": Figure("cactus", "cactus", "x", x="nodes"),
    "bands": Figure("bands", "trace", "x", y="pn", arms=["PN"]),
    "sets": Figure("sets", "sets", "x", y="mean nodes", arms=["PN", "UCT"],
                   published={"usual": (10, 20)}),
    "calibration": Figure("c", "calibration", "x", arms=["look"], series="game", x_label="p",
                          y_label="won"),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        one = Experiment(
            "drawn", [each("p-game", "seed", range(60, 70), name=name, branching=2, depth=depth,
                           labels={"game": name, "depth": depth})
                      for name, depth in zip(SETS, (4, 5), strict=True)],
            [Arm("PN", zermelo.PN(), memory="20MB", trace=1), Arm("UCT", zermelo.UCT(playouts=2)),
             *sweep(zermelo.PPN, {"pr": [0.01, 0.1, 0.3]}, fixed={"playouts": 2}, memory="20MB"),
             *sweep(zermelo.PPN, {"theta": [0.02, 0.03, 0.04, 0.05, 0.06]}, nodes=15,
                    fixed={"playouts": 2}, memory="20MB"),
             Arm("look", zermelo.PPN(playouts=2), nodes=8, memory="20MB")],
            judge=Judge(all=True, certificate=False, memory="20MB"), name="drawn")
        plan, store = plan_of(one), Store(tmp_path_factory.mktemp("drawn") / "s")
        run(plan, store, workers=1, backend="in-process")
        yield Results(plan, store)


@pytest.mark.quick_cases("calibration", "lines", "sets")
@pytest.mark.parametrize("name", sorted(FIGURES))
def test_every_kind_is_drawn(results, name):
    drawn = draw(results, FIGURES[name])
    assert drawn.svg.startswith("<?xml")
    assert drawn.png[:4] == b"\x89PNG"
    assert drawn == draw(results, FIGURES[name]), "a figure made again is the same"


def test_a_vector_file_is_made_smaller_and_shows_the_same():
    given = """<svg>
 <g id="text_1">
  <!-- a word -->
  <g transform="translate(50.463443 220.661961) scale(0.015625 -0.015625)">
   <use xlink:href="#x" x="1.234567" y="-0.001"/>
  </g>
 </g>
 <path d="M 10.123456 20.987654
L 15.5 20.987654
L 15.5 20.991
L 15.5 30
Q 1 2 3.004 4
L 3 5
z
" style="opacity: 0.123456"/>
</svg>"""
    found = compact(given)
    assert found == (
        '<svg><g id="text_1"><g transform="translate(50.46 220.66) scale(0.015625 -0.015625)">'
        '<use xlink:href="#x" x="1.23" y="0"/></g></g><path d="M10.12 20.99h5.38v9.01Q1 2 3 4v1z" '
        'style="opacity: 0.123456"/></svg>')
    assert compact(found) == found


def test_every_search_has_a_look_of_its_own():
    assert SEARCHES.keys() == ALL.keys() - {"auto"}
    assert not any(alike(*pair) for pair in combinations(SEARCHES.values(), 2))


def test_what_is_no_search_has_the_colour_of_none():
    mine = {look.colour for look in (*OTHERS, *NAMED.values())}
    shades = {shade(look.colour, by) for look in SEARCHES.values()
              for by in (0, -0.4, 0.4, -0.65, 0.65)}
    assert not mine & {*(look.colour for look in SEARCHES.values()), *shades}
    assert not {PUBLISHED, BESIDE} & (mine | shades)
    assert not {look.mark for look in OTHERS} & {look.mark for look in SEARCHES.values()}


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("name", experiment_names())
def test_no_two_series_of_a_figure_look_the_same(name, full):
    one = experiment(name)
    for figure in one.figures:
        series = series_of(one, figure, full=full)
        found = looks(series)
        assert found.keys() == series.keys()
        assert len(found) > 0 or figure.kind == "pairs"
        for a, b in combinations(found, 2):
            assert not alike(found[a], found[b]), (figure.name, a, b)
        for id in {id for id in series.values() if id in SEARCHES}:
            first = next(name for name in series if series[name] == id)
            assert found[first] == SEARCHES[id], (figure.name, first)


def test_a_search_looks_the_same_whatever_else_is_there():
    alone, both = looks({"PPN": "ppn"}), looks({"PN": "pn", "PPN": "ppn", "PPN, pr = 0.1": "ppn"})
    assert alone["PPN"] == both["PPN"] == SEARCHES["ppn"]
    second = both["PPN, pr = 0.1"]
    assert (second.colour, second.mark, second.filled) == (shade("#D55E00", -0.4), "D", False)
    assert looks({"E = 2": None, "E = 4": None})["E = 4"] == OTHERS[1]
    assert looks({"Black": None, "x": None}) == {"Black": NAMED["Black"], "x": OTHERS[0]}
    both = looks({"drawn": None, "level": None})
    assert both["drawn"] == looks({"level": None})["level"] == NAMED["drawn"]
    assert not alike(both["drawn"], both["level"])
    for id, most in (("pn", 17), (None, 32)):
        full = looks({str(i): id for i in range(most)})
        assert not any(alike(*pair) for pair in combinations(full.values(), 2))
    many = looks({**{f"PN {i}": "pn" for i in range(10)}, "PN2": "pn2", "PDS-PN": "pds-pn",
                  **{f"value {i}": None for i in range(20)}})
    assert not any(alike(*pair) for pair in combinations(many.values(), 2))
    assert {look.mark for look in many.values()} >= set(MARKS[:2])
    assert {look.dash for look in many.values()} == set(DASHES)


def test_lines_of_dots_look_alike_whatever_their_distance():
    pink = Look("#CC79A7", "v", ":")
    assert alike(pink, Look("#CC79A7", "P", (0, (1, 1))))
    assert alike(pink, Look("#CC79A7", "v", "-"))
    assert not alike(pink, Look("#CC79A7", "v", "-", filled=False))
    assert not alike(pink, Look("#000000", "v", ":"))


def test_black_has_shades_that_are_no_greys():
    for by in (-0.4, 0.4):
        red, _, blue = (int(shade("#000000", by)[at : at + 2], 16) for at in (1, 3, 5))
        assert blue > red


def test_looks_do_not_depend_on_what_was_run(results):
    figure = FIGURES["lines"]
    assert list(looks_in(results, figure)) == list(SETS)
    assert set(series.over_label(results, figure)) <= set(looks_in(results, figure))
    assert looks_in(results, figure, ["seed 1"])["seed 1"] == OTHERS[2]
    some = replace(FIGURES["cactus"], arms=("UCT", "ppn pr=0.1"))
    assert looks_in(results, some) == {"UCT": SEARCHES["uct"], "ppn pr=0.1": SEARCHES["ppn"]}


def test_numbers_are_written_as_people_write_them():
    assert [series.plain(x) for x in (1e-5, 0.001, 0.5, 1.0, 20000.0, 1e-16)] == [
        "0.00001", "0.001", "0.5", "1", "20,000", "1e-16"]


@pytest.mark.parametrize(("low", "high"), [(1.1, 95), (3, 8), (60_000, 280_000), (9, 11)])
def test_logarithmic_axes_have_ticks_enough_to_read(low, high):
    from matplotlib.figure import Figure as Canvas

    axes = Canvas().subplots()
    axes.plot([low, high], [1, 2])
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    figures._ticks(axes)
    ticks = [*axes.xaxis.get_minorticklocs(), *axes.xaxis.get_majorticklocs()]
    assert sum(low <= tick <= high for tick in ticks) >= (4 if high > 1.5 * low else 1)


def test_at_most_eight_series_in_a_panel(results):
    panels = panels_of(results, FIGURES["cactus"])
    names = [name for panel in panels for name in panel]
    assert sorted(names) == sorted(series.cactus(results, FIGURES["cactus"], "nodes"))
    assert len(names) > 8
    assert max(map(len, panels)) <= 8
    assert panels_of(results, FIGURES["calibration"]) == [[SETS[0]], [SETS[1]]]
    assert panels_of(results, FIGURES["dots"]) == [[]]
    assert draw(results, replace(FIGURES["by arm"], sets=[SETS[0]])) is None, "a point is no line"


def test_points_have_their_intervals(results):
    figure = FIGURES["lines"]
    found, spreads = series.over_label(results, figure), series.spread_over_label(results, figure)
    assert set(found) == set(SETS)
    for name, line in found.items():
        for x, y in line:
            assert spreads[name][x].low <= y <= spreads[name][x].high
    both = "mean nodes of both vs PN"
    entries = results.select("ppn pr=0.01")
    assert interval(both, results, entries).value == pytest.approx(value(both, results, entries))
    assert interval("ratio nodes to PN", results, entries).many == len(
        [entry for entry in entries if entry.row["concluded"]])
    assert interval("jobs", results, entries) is None
    assert interval("fewer nodes than PN", results, entries) is None
    assert interval("median nodes vs PN", results, entries).value == pytest.approx(
        value("median nodes vs PN", results, entries))
    assert interval("mean seesaw vs PN", results, entries) is None, "PN has no seesaw"


def test_p_is_held_against_the_truth(results):
    some = root_values(results, "look", SETS[0])
    open_ones = [entry for entry in results.select("look", SETS[0]) if not entry.row["proved"]]
    assert len(some) == len(open_ones) > 0
    table = calibration("look", SETS)(results)
    assert sum(int(row[3]) for row in table.rows) == len(root_values(results, "look"))


def test_rates_of_false_conclusions_leave_out_proofs_where_asked(results):
    arm = "ppn pr=0.3"
    entries = results.select(arm)
    false = sum(entry.verdict == "false" for entry in entries)
    assert false_conclusions.judged(results, arm) == (false, len(entries))
    unproved = [entry for entry in entries if not entry.row["proved"]]
    assert false_conclusions.judged(results, arm, open_only=True) == (false, len(unproved))
    assert 0 < false < len(unproved) < len(entries) or unproved == entries
    assert false_conclusions.rate(results, arm, SETS[0]).many == 10
    assert false_conclusions.rate(results, arm, "none") is None
