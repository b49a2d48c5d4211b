"""Tuning: choose options of a search on one half of the positions, report them on the other.

    from zermelo.lab.tune import Tuning, tune
"""

from zermelo.lab.tune.tuning import Tuned, Tuning, tune

__all__ = ["Tuned", "Tuning", "tune"]
