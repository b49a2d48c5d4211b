"""The points of figures, and how their series look.

A search has one colour and one mark in all figures of the project: its first arm in a figure looks
as ``SEARCHES`` says. Further arms of the same search keep its mark and its hue: the second is
darker and hollow, the third lighter and filled, the fourth darker still and hollow, the fifth
lighter still and filled, each with dashes of its own. What is no search, such as a game, a seed or
a value of an option, has colours that no search has. No two series of a figure look the same, with
marks or without.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from itertools import product
from typing import Any, NamedTuple

from zermelo.lab import columns
from zermelo.lab.columns import Entry, interval
from zermelo.lab.experiment import Arm, Experiment, Figure, Positions
from zermelo.lab.plan import at_size
from zermelo.lab.results import Results
from zermelo.lab.statistics import Interval, share

Points = list[tuple[float, float]]
MOST_POINTS = 400
PER_DECADE = 20  # points of an error rate over a logarithmic axis
LEAST = 1e-4  # what takes no time at all has no logarithm


def chosen(results: Results, figure: Figure, arm: str | None = None) -> list[Entry]:
    """The results that the figure is about, of one arm or of all."""
    return [entry for entry in results.entries
            if entry.row is not None and arm in (None, entry.cell.arm)
            and (not figure.arms or entry.cell.arm in figure.arms)
            and (not figure.sets or entry.cell.set in figure.sets)]


def labels_of(arm: Arm, one: Positions) -> dict[str, Any]:
    """Properties that distinguish series: arm, set, their labels and options."""
    return {**arm.search.all_options, **arm.labels, **one.labels,
            "arm": arm.name, "set": one.name, "search": arm.search.id}


def over_label(results: Results, figure: Figure) -> dict[str, Points]:
    """Column ``y``, or each of several, for each value of the label ``x``, by series."""
    found = {}
    for name, column, by_x in _grouped(results, figure):
        points = [(x, columns.value(column, results, by_x[x], _one_set(figure),
                                    among=figure.arms)) for x in sorted(by_x)]
        found[name] = [(x, y) for x, y in points if y is not None]
    return {name: points for name, points in found.items() if points}


def spread_over_label(results: Results, figure: Figure) -> dict[str, dict[float, Interval]]:
    """The intervals of the same points, of those that have one."""
    found: dict[str, dict[float, Interval]] = {}
    for name, column, by_x in _grouped(results, figure):
        spreads = ((x, interval(column, results, by_x[x], _one_set(figure), among=figure.arms))
                   for x in by_x)
        found[name] = {x: one for x, one in spreads if one is not None}
    return found


def _one_set(figure: Figure) -> str | None:
    """The set on which another arm is looked up: the figure's own, if it has one."""
    return figure.sets[0] if len(figure.sets) == 1 else None


def _grouped(results: Results, figure: Figure) -> list[tuple[str, str, dict[float, list[Entry]]]]:
    """(series, column, entries by ``x``)."""
    wanted = figure.ys or {"": figure.y}
    groups: dict[str, dict[float, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    sets = {one.name: one for one in results.plan.experiment.sets}
    for entry in chosen(results, figure):
        labels = labels_of(entry.arm, sets[entry.cell.set])
        x = labels.get(figure.x)
        if isinstance(x, int | float):
            groups[name_of(figure.series, labels)][x].append(entry)
    return [(joined(name, called, len(groups)), column, by_x)
            for (name, by_x), (called, column) in product(groups.items(), wanted.items())]


def joined(name: str, called: str, groups: int) -> str:
    """Name of a series: its group, where there are several, and its column."""
    return ", ".join(filter(None, [name if groups > 1 or not called else "", called]))


def plain(value: float) -> str:
    """A number as people write it, 0.00001 rather than 1e-05."""
    short = f"{value:,.6g}"
    return f"{value:.10f}".rstrip("0") if "e-" in short and abs(value) >= 1e-6 else short


def name_of(wanted: str, labels: dict[str, Any]) -> str:
    """The series: ``arm``, ``set``, or an option with its value; several with commas between."""
    if ", " in wanted:
        return ", ".join(name_of(one, labels) for one in wanted.split(", "))
    value = labels.get(wanted, "all")
    if wanted in ("arm", "set", "search", "game") or value == "all":
        return str(value)
    shown = "none" if value is None else plain(value) if isinstance(value, float) else value
    return f"{wanted} = {shown}"


def cactus(results: Results, figure: Figure, x: str) -> dict[str, Points]:
    """By arm: how many were concluded within each number of ``x``, in steps."""
    entries, found = chosen(results, figure), {}
    for arm in results.plan.arms:
        mine = [(max(number, LEAST), bool(entry.row and entry.row["concluded"]))
                for entry in entries if entry.cell.arm == arm.name
                and (number := columns.number_of(entry, x)) is not None]
        costs = sorted(number for number, concluded in mine if concluded)
        if costs:
            # From nothing, and on to where the search was stopped.
            steps = [(number, float(count)) for count, number in enumerate(costs, 1)]
            found[arm.name] = [(costs[0], 0.0), *steps, (max(mine)[0], float(len(costs)))]
    return found


def traces(results: Results, figure: Figure) -> dict[tuple[str, str], Points]:
    """By arm, or by what each of several numbers is called, and by position and seed where there
    are several: a number over iterations."""
    found = {}
    entries = chosen(results, figure)
    several = len({(entry.cell.set, entry.cell.id) for entry in entries}) > 1
    seeds = len({entry.cell.seed for entry in entries}) > 1
    arms = len({entry.cell.arm for entry in entries}) > 1
    for (called, name), entry in product((figure.ys or {"": figure.y}).items(), entries):
        points = [(float(sample["iterations"]), sample["root"].get(name))
                  for sample in (entry.row or {}).get("trace", ())]
        kept = [(x, float(y)) for x, y in points
                if isinstance(y, int | float) and (figure.most is None or x <= figure.most)]
        if kept:
            which = [f"id {entry.cell.id}"] * several + [f"seed {entry.cell.seed}"] * seeds
            words = ([entry.cell.arm] if arms or not called else []) + ([called] if called else [])
            found[", ".join(words), ", ".join(which)] = _thinned(kept)
    return found


def _thinned(points: Points) -> Points:
    """Enough points for a figure, the last one included."""
    step = max(1, len(points) // MOST_POINTS)
    return points[::step] + ([points[-1]] if (len(points) - 1) % step else [])


def error_rates(results: Results, figure: Figure) -> dict[str, Points]:
    """By arm: the share of positions whose chosen move does not win although one does.

    A position that is not won counts as no error; a solved one keeps its move. An iteration is
    ``unit`` of the search's own.
    """
    by_arm: dict[str, list[Entry]] = defaultdict(list)
    for entry in chosen(results, figure):
        if entry.known is not None and (entry.known != "win" or entry.good_moves is not None):
            by_arm[entry.cell.arm].append(entry)
    return {arm: points for arm, entries in by_arm.items()
            if (points := _error_rate(entries, figure))}


def _error_rate(entries: list[Entry], figure: Figure) -> Points:
    samples = [[(sample["iterations"] / e.unit, sample["move"]) for sample in e.row["trace"]]
               for e in entries if e.row is not None]
    if not any(samples):
        return []
    last = max(some[-1][0] for some in samples if some)
    last = last if figure.most is None else min(last, figure.most)
    step = min(some[0][0] for some in samples if some)
    grid = [step * i for i in range(1, int(last / step) + 1)]
    thinned = [x for x, _ in _thinned([(x, 0.0) for x in grid])]
    if figure.log_x:  # as many in each decade
        wanted = [10 ** (place / PER_DECADE) for place in range(PER_DECADE * 7)]
        thinned = sorted({grid[min(round(x / step), len(grid)) - 1] for x in wanted
                          if step <= x <= last} | {grid[-1]}) if grid else []
    return [(x, sum(wrong_at(e, some, x) for e, some in zip(entries, samples, strict=True))
             / len(entries)) for x in thinned]


def error_spread(results: Results, figure: Figure, arm: str,
                 points: Points) -> list[tuple[float, float]]:
    """The bounds of error rates, by Wilson."""
    many = sum(entry.known is not None and (entry.known != "win" or entry.good_moves is not None)
               for entry in chosen(results, figure, arm))
    spreads = (share(round(rate * many), many) for _, rate in points)
    return [(one.low / 100, one.high / 100) for one in spreads if one is not None]


def wrong_at(entry: Entry, samples: list[tuple[float, str | None]], x: float) -> bool:
    """Return True if the move chosen after ``x`` iterations loses a win."""
    if entry.known != "win" or entry.row is None:
        return False
    at = bisect_right(samples, x, key=lambda sample: sample[0]) - 1
    over = entry.row["iterations"] / entry.unit <= x
    move = entry.row["move"] if over and entry.row["concluded"] else \
        samples[at][1] if at >= 0 else None
    return move not in (entry.good_moves or ())


MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 3)))
DASH_KINDS = ("solid", "dashes", "both", "dots", "dashes", "both", "dots", "dashes")
PUBLISHED, PALE, BESIDE = "#8A8A8A", "#EFEFEF", "#D5D5D5"
MOST_SERIES = 8  # more are drawn in several panels
STYLE: Any = {
    "font.size": 9, "axes.titlesize": 10, "axes.labelsize": 9, "legend.fontsize": 8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#E3E3E3", "grid.linewidth": 0.6, "axes.axisbelow": True,
    "lines.linewidth": 1.4, "lines.markersize": 4.5, "svg.hashsalt": "zermelo",
    "svg.fonttype": "path", "legend.frameon": False, "figure.constrained_layout.use": True,
}
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++", "oo", "**")


class Look(NamedTuple):
    """Colour, dashes and mark of a series."""

    colour: str
    mark: Any
    dash: Any
    filled: bool = True

    @property
    def marks(self) -> dict[str, Any]:
        """Matplotlib's name of the mark."""
        return {"marker": self.mark, "color": self.colour,
                "markerfacecolor": self.colour if self.filled else "white"}


# By id of the search, in Okabe and Ito's colours, which colour-blind readers can tell apart, and a
# few more: relatives share a colour, and no two searches colour and mark, or colour and dash.
SEARCHES = {
    "pn": Look("#0072B2", "o", "-"), "pn2": Look("#0072B2", "s", "--"),
    "deep-pn": Look("#56B4E9", "^", "-."),
    "ppn": Look("#D55E00", "D", "-"), "pp": Look("#D55E00", "v", "--"),
    "df-ppn": Look("#E69F00", "v", "-."), "mcpn": Look("#009E73", "^", "-"),
    "mcts": Look("#CC79A7", "P", "-"), "uct": Look("#CC79A7", "v", ":"),
    "df-pn": Look("#000000", "s", "-"), "deep-df-pn": Look("#8C8C8C", "D", "--"),
    "weak-df-pn": Look("#6B4C9A", "*", "-."), "widening-df-pn": Look("#6B4C9A", "X", ":"),
    "ews": Look("#56B4E9", "v", ":"), "mopns": Look("#009E73", "X", "--"),
    "tca-df-pn": Look("#000000", "P", ":"), "shared-df-pn": Look("#D55E00", "s", "-."),
    "pds-pn": Look("#0072B2", "D", "-."), "pn-mcts": Look("#117733", "P", "-."),
    "gpn-mcts": Look("#117733", "v", ":"),
    "vcdt": Look("#8C8C8C", "o", ":"), "alpha-beta": Look("#8C6D31", "o", "--"),
    "pvs": Look("#8C6D31", "s", "-"), "rps": Look("#B5A13C", "^", "--"),
    "erps": Look("#B5A13C", "P", "-."), "cns": Look("#117733", "s", "--"),
    "retrograde": Look("#CC79A7", "D", "--"),
}


# What is no search: Tol's muted colours and two more, with marks that no search has.
OTHERS = tuple(Look(colour, mark, dash) for colour, mark, dash in zip(
    ("#332288", "#CC6677", "#44AA99", "#882255", "#999933", "#88CCEE", "#AA4499", "#DDAA55"),
    ("h", "d", "<", "p", ">", "H", "8", (4, 1, 45)), DASHES, strict=True))
# Sides that are called by their colours, and the results of a position.
NAMED = {
    "Red": Look("#C03A3A", "h", "-"), "Black": Look("#3A3A3A", "d", "--"),
    "won": OTHERS[2], "drawn": OTHERS[4], "level": OTHERS[4], "lost": OTHERS[3],
}
SHADES = (-0.4, 0.4, -0.65, 0.65)  # towards black, towards white
# So many are tried. 17 arms of one search can be told apart, and 32 series that are no search.
MOST_VARIANTS = 2 * len(SHADES) * len(DASHES)


def looks(series: Mapping[str, str | None]) -> dict[str, Look]:
    """The look of each series, given the id of its search, or None where it is not one."""
    found: dict[str, Look] = {}
    for name in series:
        if name in NAMED and NAMED[name] not in found.values():  # drawn and level share one
            found[name] = NAMED[name]
    for name, id in series.items():
        if name not in found:
            variants = [_variant(id if id in SEARCHES else None, nth)
                        for nth in range(MOST_VARIANTS)]
            found[name] = next((look for look in variants
                                if not any(alike(look, other) for other in found.values())),
                               variants[-1])
    return found


def alike(one: Look, other: Look) -> bool:
    """Return True if two looks can be confused as lines or as marks: equal in colour, and in dashes
    or mark."""
    return one.colour == other.colour and (
        DASH_KINDS[DASHES.index(one.dash)] == DASH_KINDS[DASHES.index(other.dash)]
        or (one.mark, one.filled) == (other.mark, other.filled))


def _variant(id: str | None, nth: int) -> Look:
    """The look of the ``nth`` arm of a search in a figure, or of the ``nth`` other series."""
    if id is None:
        turn, place = divmod(nth, len(OTHERS))
        own = OTHERS[place]
        return own if not turn else Look(
            own.colour, OTHERS[(place + turn // 2) % len(OTHERS)].mark,
            DASHES[(place + turn) % len(DASHES)], filled=turn % 2 == 0)
    own = SEARCHES[id]
    if not nth:
        return own
    turn, place = divmod(nth - 1, len(SHADES))
    return Look(shade(own.colour, SHADES[place]),
                MARKS[(MARKS.index(own.mark) + turn // 2) % len(MARKS)],
                DASHES[(DASHES.index(own.dash) + nth + turn // 2) % len(DASHES)],
                filled=(place + turn) % 2 == 1)


def shade(colour: str, by: float) -> str:
    """``colour`` mixed with black, where ``by`` is negative, or with white; black itself becomes
    a slate blue, as greys stand for what was published."""
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    if not any(parts):
        parts, by = [70, 95, 150], by / 1.3
    end = 0 if by < 0 else 255
    return "#" + "".join(f"{round(part + (end - part) * abs(by)):02X}" for part in parts)


BY_SEARCH = ("arm", "search")


def looks_in(results: Results, figure: Figure, names: Iterable[str] = ()) -> dict[str, Look]:
    """The looks of the figure's series, and of these ``names``, which may be others."""
    known = series_of(results.plan.experiment, figure, full=results.plan.full)
    return looks({**known, **{name: None for name in names if name not in known}})


def series_of(experiment: Experiment, figure: Figure, *, full: bool) -> dict[str, str | None]:
    """The id of the search of each series, by its name; None where it is not a search."""
    arms = [at_size(arm, full) for arm in experiment.arms
            if not figure.arms or arm.name in figure.arms]
    if figure.kind == "lines":
        return _lines(experiment, figure, arms)
    if figure.kind == "histogram" or (figure.kind == "trace" and figure.ys):
        return dict.fromkeys(figure.ys)
    if figure.kind == "calibration":
        return dict.fromkeys(str(one.labels.get(figure.series)) for one in experiment.sets
                             if not figure.sets or one.name in figure.sets)
    return {arm.name: arm.search.id for arm in arms}


def _lines(experiment: Experiment, figure: Figure, arms: Iterable[Arm]) -> dict[str, str | None]:
    groups: dict[str, str | None] = {}
    by_search = any(word in BY_SEARCH for word in figure.series.split(", "))
    for arm in arms:
        for one in experiment.sets:
            if (arm.on and one.name not in arm.on) or (figure.sets and one.name not in figure.sets):
                continue
            labels = labels_of(arm, one)
            if isinstance(labels.get(figure.x), int | float):
                groups.setdefault(name_of(figure.series, labels),
                                  arm.search.id if by_search else None)
    return {joined(name, called, len(groups)): id for name, id in groups.items()
            for called in figure.ys or ("",)}


DECIMALS = Decimal("0.01")
PATH = re.compile(r' d="([^"]*)"')
STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
PLACE = re.compile(r"-?\d+\.\d+")
BETWEEN = re.compile(r"<!-- .*? -->|(?<=>)\s+(?=<)", re.DOTALL)
WHERE = re.compile(r'translate\([^)]*\)| [xy]="[^"]*"')


def compact(svg: str) -> str:
    """``svg``, as Matplotlib writes it, with places rounded to a hundredth of a point."""
    shorter = PATH.sub(lambda found: f' d="{_path(found[1])}"', BETWEEN.sub("", svg))
    return WHERE.sub(lambda found: PLACE.sub(
        lambda place: _text(Decimal(place[0]).quantize(DECIMALS)), found[0]), shorter)


def _path(steps: str) -> str:
    """Steps along an axis are written as how far they go; those that go nowhere are left out."""
    words: list[str] = []
    at: tuple[Decimal, Decimal] | None = None
    for kind, numbers in STEP.findall(steps):
        places = [Decimal(number).quantize(DECIMALS) for number in numbers.split()]
        to = (places[-2], places[-1]) if len(places) > 1 else None
        if kind == "L" and at is not None and to is not None and (to[0] == at[0] or to[1] == at[1]):
            across, down = to[0] - at[0], to[1] - at[1]
            words.append(f"h{_text(across)}" if across else f"v{_text(down)}" if down else "")
        else:
            words.append(kind + " ".join(map(_text, places)))
        at = to
    return "".join(words)


def _text(number: Decimal) -> str:
    return f"{number.normalize() + 0:f}"
