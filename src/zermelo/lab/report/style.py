"""How figures look: colours, marks, dashes and hatches that can be told apart."""

from typing import Any

# Okabe and Ito's palette, which colour-blind readers can tell apart; marks and dashes differ too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C8C")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 3)))
PUBLISHED = "#B5B5B5"
STYLE: Any = {
    "font.size": 9, "axes.titlesize": 10, "axes.labelsize": 9, "legend.fontsize": 8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#E3E3E3", "grid.linewidth": 0.6, "axes.axisbelow": True,
    "lines.linewidth": 1.4, "lines.markersize": 4.5, "svg.hashsalt": "zermelo",
    "svg.fonttype": "path", "legend.frameon": False, "figure.constrained_layout.use": True,
}
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++", "oo", "**")
PALE = "#EFEFEF"
