"""The lab: experiments with searches, written as short declarative files, run and judged.

    from zermelo.lab import Experiment, Table, arms, from_file
"""

from zermelo.conspiracy.watch import Watch
from zermelo.lab.experiment import Arm, Experiment, Figure, Judge, Table, arms, sweep
from zermelo.lab.experiment import PaperClaim as Claim
from zermelo.lab.positions import Positions, each, from_file, generated, texts
from zermelo.lab.report.claims import equals, none_false, ordered
from zermelo.lab.size import Size

__all__ = [
    "Arm",
    "Claim",
    "Experiment",
    "Figure",
    "Judge",
    "Positions",
    "Size",
    "Table",
    "Watch",
    "arms",
    "each",
    "equals",
    "from_file",
    "generated",
    "none_false",
    "ordered",
    "sweep",
    "texts",
]
