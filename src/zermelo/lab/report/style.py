"""How figures look: one colour and one mark for each search in all figures of the project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

# Okabe and Ito's palette, which colour-blind readers can tell apart; marks and dashes differ too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C8C")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 3)))
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
    """How a series is drawn."""

    colour: str
    mark: str
    dash: Any


# By id of the search: relatives share a colour, and no two searches colour, mark and dash.
SEARCHES = {
    "pn": Look("#0072B2", "o", "-"), "pn2": Look("#0072B2", "s", "--"),
    "deep-pn": Look("#56B4E9", "^", "-."),
    "ppn": Look("#D55E00", "D", "-"), "pp": Look("#D55E00", "v", "--"),
    "df-ppn": Look("#E69F00", "v", "-."), "mcpn": Look("#009E73", "^", "-"),
    "mcts": Look("#CC79A7", "P", "-"), "uct": Look("#CC79A7", "X", ":"),
    "df-pn": Look("#000000", "s", "-"), "deep-df-pn": Look("#8C8C8C", "D", "--"),
    "weak-df-pn": Look("#6B4C9A", "*", "-."), "widening-df-pn": Look("#6B4C9A", "X", ":"),
    "ews": Look("#56B4E9", "v", ":"), "mopns": Look("#009E73", "X", "--"),
    "tca-df-pn": Look("#000000", "P", ":"), "shared-df-pn": Look("#D55E00", "s", "-."),
    "pds-pn": Look("#0072B2", "D", "-."), "pn-mcts": Look("#117733", "P", "-."),
    "gpn-mcts": Look("#117733", "v", ":"),
    "vcdt": Look("#8C8C8C", "o", ":"), "alpha-beta": Look("#8C6D31", "o", "--"),
    "pvs": Look("#8C6D31", "s", "-"), "rps": Look("#B5A13C", "^", "--"),
    "erps": Look("#B5A13C", "P", "-."), "cns": Look("#117733", "X", "--"),
}


def looks(names: Iterable[str], searches: Mapping[str, str]) -> dict[str, Look]:
    """The look of each series, whichever of them have results.

    ``searches``: the id of the search, by the name of an arm. A series that is an arm has the
    colour and mark of its search; several arms of one search differ in mark and dash. A series of
    another kind, such as a value of an option, goes by its place.
    """
    found: dict[str, Look] = {}
    used: dict[str, int] = {}
    for place, name in enumerate(names):
        id = searches.get(name, name.partition(",")[0])  # such as "ppn, 2 x 20"
        if id not in SEARCHES:
            found[name] = Look(COLOURS[place % 8], MARKS[place % 8], DASHES[place % 8])
            continue
        own = SEARCHES[id]
        nth = used[id] = used.get(id, -1) + 1
        if nth:
            own = Look(own.colour, MARKS[(MARKS.index(own.mark) + nth) % 8],
                       DASHES[(DASHES.index(own.dash) + nth) % 8])
        found[name] = own
    return found
