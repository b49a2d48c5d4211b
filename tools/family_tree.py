"""Draw family-tree.svg: who descends from whom among the searches of searches/family-tree.md.

    python -m tools.family_tree            is the drawing up to date?
    python -m tools.family_tree --write    write it

Descent goes from left to right. A search of this library is a filled box with its id; what others
descend from and is not a search here is a box with a dashed line.
"""

from __future__ import annotations

import argparse
import sys
from html import escape
from pathlib import Path
from typing import NamedTuple

from zermelo.search import HOMES

PICTURE = Path(__file__).parents[1] / "docs" / "searches" / "family-tree.svg"
KINDS = {  # light and dark fill
    "tree": ("#e3efdd", "#2d4326"), "table": ("#e6e6f5", "#303055"),
    "levels": ("#ddeef2", "#21434c"), "chances": ("#fbe0dc", "#54302a"),
    "playouts": ("#fdf0d5", "#4d3f1f"), "beside": ("#ececec", "#3a3a3a"),
}
LEGEND = {"tree": "best first, a tree", "table": "depth first, a table", "levels": "two levels",
          "chances": "probabilities", "playouts": "random games", "beside": "beside the family",
          "other": "not a search here"}
BOX_WIDTH, BOX_HEIGHT, GAP, ROW = 166, 52, 40, 66
LEFT, TOP = 16, 56


class Member(NamedTuple):
    """A search, with its kind, its column and row, and what it descends from: first of all the
    first of its parents."""

    name: str
    note: str
    who: str
    kind: str
    column: int
    row: int
    parents: tuple[str, ...] = ()


MEMBERS = [
    Member("cns", "leaves that must change", "McAllester 1988", "tree", 0, 5),
    Member("pn", "the fewest leaves to prove", "Allis 1994", "tree", 1, 5, ("cns",)),
    Member("PN*", "depth first, by pn alone", "Seo 1995", "table", 2, 2, ("pn",)),
    Member("PDS", "thresholds of pn and dn", "Nagai 1998", "table", 3, 2, ("PN*",)),
    Member("df-pn", "PN's order, depth first", "Nagai 2002", "table", 4, 2, ("PDS",)),
    Member("weak-df-pn", "the largest, not the sum", "Ueda et al. 2008", "table", 5, 0, ("df-pn",)),
    Member("widening-df-pn", "the best children count", "Yoshizoe 2008", "table", 5, 1,
           ("df-pn",)),
    Member("1 + epsilon", "an option of most of them", "Pawlewicz, Lew 2006", "table", 5, 2,
           ("df-pn",)),
    Member("tca-df-pn", "goes on past old positions", "Kishimoto 2010", "table", 5, 3,
           ("df-pn",)),
    Member("shared-df-pn", "what meets counts once", "Kishimoto 2010", "table", 5, 4, ("df-pn",)),
    Member("deep-df-pn", "stays deep, with a table", "Song 2019", "table", 5, 5,
           ("df-pn", "deep-pn")),
    Member("pn2", "a second PN at each leaf", "Breuker 1998", "levels", 2, 4, ("pn",)),
    Member("pds-pn", "PDS over PN", "Winands et al. 2002", "levels", 4, 4, ("pn2", "PDS")),
    Member("deep-pn", "stays deep", "Ishitobi et al. 2015", "tree", 2, 5, ("pn",)),
    Member("mcpn", "playouts at the leaves", "Saito et al. 2006", "playouts", 2, 7, ("pn",)),
    Member("pp", "products of probabilities", "Slagle, Bursky 1968", "chances", 2, 8),
    Member("ppn", "the probability of a proof", "Song et al. 2019", "chances", 3, 7,
           ("mcpn", "pp")),
    Member("df-ppn", "PPN, depth first", "this library", "chances", 5, 7, ("ppn", "df-pn")),
    Member("ews", "chance and size of a proof", "Randall et al. 2024", "chances", 2, 9, ("pn",)),
    Member("mopns", "win, draw, loss at once", "Saffidine, Cazenave 2012", "tree", 2, 10, ("pn",)),
    Member("uct", "win rate and doubt", "Kocsis, Szepesvari 2006", "playouts", 0, 11),
    Member("mcts", "playouts that prove", "Winands et al. 2008", "playouts", 1, 11, ("uct",)),
    Member("pn-mcts", "UCT that looks at pn", "Doe, Kowalski et al. 2022", "playouts", 2, 11,
           ("mcts", "pn")),
    Member("gpn-mcts", "a number for each player", "2025", "playouts", 3, 11,
           ("pn-mcts", "mopns")),
    Member("alpha-beta, pvs", "bounds on a value", "Knuth, Moore 1975", "beside", 0, 12),
    Member("rps, erps", "likely moves deeper", "Tsuruoka et al. 2002", "beside", 1, 12,
           ("alpha-beta, pvs",)),
    Member("vcdt", "threats alone", "Wu, Huang 2005", "beside", 2, 12),
    Member("retrograde", "all positions, backwards", "Ströhlein 1970", "beside", 3, 12),
]
WIDTH = 2 * LEFT + 6 * BOX_WIDTH + 5 * GAP
HEIGHT = TOP + 13 * ROW


def ids_of(member: Member) -> list[str]:
    """The ids of this library that a member stands for."""
    return [name for name in member.name.split(", ") if name in HOMES]


def place_of(member: Member) -> tuple[int, int]:
    """The upper left corner of a member's box."""
    return LEFT + member.column * (BOX_WIDTH + GAP), TOP + member.row * ROW


def line_of(parent: Member, child: Member) -> str:
    """From the right of the parent to the left of the child, by way of the gap before the child,
    or behind the parent if nothing stands between. Further parents have a dashed line."""
    (x1, y1), (x2, y2) = place_of(parent), place_of(child)
    x1, y1, y2 = x1 + BOX_WIDTH, y1 + BOX_HEIGHT // 2, y2 + BOX_HEIGHT // 2
    first = child.parents[0] == parent.name
    shift = 0 if first else 9
    turn = (x2 - GAP // 2 if parent.row == child.row else x1 + GAP // 2) - shift
    y2 += shift
    kind = "line" if first else "line further"
    return f'<path class="{kind}" d="M{x1} {y1 + shift}H{turn}V{y2}H{x2}"/>'


def box_of(member: Member) -> list[str]:
    """The box with a name, a note and whose it is."""
    x, y = place_of(member)
    kind = member.kind if ids_of(member) else "other"
    middle = x + BOX_WIDTH // 2
    return [
        f'<rect class="{kind}" x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="7"/>',
        f'<text class="name" x="{middle}" y="{y + 18}">{escape(member.name)}</text>',
        f'<text class="note" x="{middle}" y="{y + 32}">{escape(member.note)}</text>',
        f'<text class="who" x="{middle}" y="{y + 45}">{escape(member.who)}</text>',
    ]


def legend() -> list[str]:
    """What the colours mean."""
    rows, x = list[str](), LEFT
    for kind, words in LEGEND.items():
        rows += [f'<rect class="{kind}" x="{x}" y="16" width="18" height="18" rx="4"/>',
                 f'<text class="note left" x="{x + 25}" y="29">{words}</text>']
        x += 52 + 7 * len(words)
    return rows


def style() -> str:
    """Colours, light and dark."""
    def fills(index: int) -> str:
        return "".join(f".{kind}{{fill:{pair[index]}}}" for kind, pair in KINDS.items())

    return ("<style>text{font-family:system-ui,sans-serif;text-anchor:middle}"
            ".left{text-anchor:start}.name{font-size:15px;font-weight:600;fill:#111}"
            ".note{font-size:11px;fill:#333}.who{font-size:10px;fill:#666}"
            "rect{stroke:#888}.other{fill:#fff;stroke-dasharray:4 3}"
            ".line{fill:none;stroke:#777;stroke-width:1.4;marker-end:url(#a)}"
            f".further{{stroke-dasharray:3 3}}.tip{{fill:#777}}{fills(0)}"
            ".ground{fill:#fff;stroke:none}"
            "@media(prefers-color-scheme:dark){.name{fill:#f4f4f4}.note{fill:#ddd}.who{fill:#aaa}"
            ".other{fill:#14161a}.line{stroke:#9a9a9a}.tip{fill:#9a9a9a}"
            f"{fills(1)}.ground{{fill:#14161a}}}}</style>")


def picture() -> str:
    """The drawing as text."""
    by_name = {member.name: member for member in MEMBERS}
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            'aria-label="The family tree of proof-number searches">', style(),
            '<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
            'markerHeight="7" orient="auto"><path class="tip" d="M0 0L10 5L0 10z"/></marker>'
            "</defs>", f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>', *legend()]
    rows += [line_of(by_name[parent], member) for member in MEMBERS for parent in member.parents]
    rows += [row for member in MEMBERS for row in box_of(member)]
    return "\n".join([*rows, "</svg>", ""])


def main() -> int:
    """Write the drawing, or say whether it is up to date."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        PICTURE.write_text(picture())
        return 0
    current = PICTURE.exists() and PICTURE.read_text() == picture()
    print("up to date" if current else "not up to date: python -m tools.family_tree --write")
    return 0 if current else 1


if __name__ == "__main__":
    sys.exit(main())
