"""The lab: experiments with searches, written as short declarative files, run and judged.

    from zermelo.lab import Experiment, Table, arms, from_file

Statistics with their intervals are in ``zermelo.lab.statistics``; ready tables and claims in
``zermelo.lab.contest``, ``zermelo.lab.hindsight`` and ``zermelo.lab.watching``; tuning in
``zermelo.lab.tune``. Names are loaded when they are first used.
"""

from __future__ import annotations

from zermelo.public_names import homes_in_stub, load_name

_HOMES = homes_in_stub(__file__)
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    return load_name(globals(), _HOMES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
