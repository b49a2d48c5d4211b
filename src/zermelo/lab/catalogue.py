"""Finding an experiment: a built-in one by name, a user's own by its file."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from zermelo.core.game_files import load_file
from zermelo.errors import BadOption, did_you_mean, file_name, listed, quoted
from zermelo.lab.data import PAPERS, papers
from zermelo.lab.experiment import Experiment


def experiment_names() -> list[str]:
    """The experiments of the package ``zermelo_papers``, none where it is not installed."""
    folder = papers()
    return sorted(path.stem.replace("_", "-") for path in (folder.glob("*.py") if folder else ())
                  if not path.stem.startswith("_"))


def experiment(name: str) -> Experiment:
    """The experiment called ``name``, or the one in the file ``name``."""
    if name.endswith(".py"):
        found = _in_module(load_file(Path(name)), file_name(name), Path(name).stem)
        return replace(found, file=Path(name).name)
    if name not in experiment_names():
        raise BadOption(f"there is no experiment {quoted(name)}"
                        f"{did_you_mean(name, experiment_names())}; experiments: "
                        f"{listed(experiment_names())}, or FILE.py.")
    module = import_module(f"{PAPERS}.{name.replace('-', '_')}")
    return _in_module(module, name, name)


def _in_module(module: Any, where: str, name: str) -> Experiment:
    found = getattr(module, "experiment", None)
    if not isinstance(found, Experiment):
        raise BadOption(f"{where} has no experiment; it needs a line 'experiment = "
                        "Experiment(...)'.")
    return replace(found, name=found.name or name.replace("_", "-"))
