"""The lab: experiments with searches, written as short declarative files, run and judged.

    from zermelo.lab import Experiment, Table, arms, from_file

Statistics with their intervals are in ``zermelo.lab.statistics``; ready tables and claims in
``zermelo.lab.contest``, ``zermelo.lab.hindsight`` and ``zermelo.lab.watching``; tuning in
``zermelo.lab.tune``. Names are loaded when they are first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zermelo.conspiracy.rscn import Watch
    from zermelo.lab.claims import (
        Test,
        all_hold,
        concludes_more,
        equals,
        least_errors,
        none_false,
        ordered,
        waves_more,
    )
    from zermelo.lab.columns import (
        BEATS,
        Entry,
        beats,
        concluded_by_both,
        concluded_within,
        mixed_times,
        number_of,
    )
    from zermelo.lab.data import data_file
    from zermelo.lab.experiment import (
        Arm,
        Experiment,
        Figure,
        Judge,
        Positions,
        Size,
        Table,
        arms,
        each,
        from_file,
        generated,
        sweep,
        texts,
    )
    from zermelo.lab.experiment import PaperClaim as Claim
    from zermelo.lab.report.figures import calibration, root_values
    from zermelo.lab.report.tables import Made
    from zermelo.lab.results import Results

_HOMES = {
    "zermelo.conspiracy.rscn": "Watch",
    "zermelo.lab.claims":
        "Test all_hold concludes_more equals least_errors none_false ordered waves_more",
    "zermelo.lab.columns":
        "BEATS Entry beats concluded_by_both concluded_within mixed_times number_of",
    "zermelo.lab.data": "data_file",
    "zermelo.lab.experiment":
        "Arm Claim Experiment Figure Judge Positions Size Table arms each from_file generated "
        "sweep texts",
    "zermelo.lab.report.figures": "calibration root_values",
    "zermelo.lab.report.tables": "Made",
    "zermelo.lab.results": "Results",
}
_CALLED = {"Claim": "PaperClaim"}  # by other names where they live
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "BEATS",
    "Arm",
    "Claim",
    "Entry",
    "Experiment",
    "Figure",
    "Judge",
    "Made",
    "Positions",
    "Results",
    "Size",
    "Table",
    "Test",
    "Watch",
    "all_hold",
    "arms",
    "beats",
    "calibration",
    "concluded_by_both",
    "concluded_within",
    "concludes_more",
    "data_file",
    "each",
    "equals",
    "from_file",
    "generated",
    "least_errors",
    "mixed_times",
    "none_false",
    "number_of",
    "ordered",
    "root_values",
    "sweep",
    "texts",
    "waves_more",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOME_OF:
        raise AttributeError(f"module 'zermelo.lab' has no attribute {name!r}")
    value: object = getattr(import_module(_HOME_OF[name]), _CALLED.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
