"""``zermelo lab`` with all its commands."""

from zermelo.cli.lab import lab
from zermelo.cli.lab_archive import archive, rebuild, restore
from zermelo.cli.lab_estimate import estimate
from zermelo.cli.lab_tune import tune

lab.command()(archive)
lab.command()(rebuild)
lab.command()(restore)
lab.command()(tune)
lab.command()(estimate)

__all__ = ["lab"]
