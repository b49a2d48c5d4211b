"""Files that a job needs and other machines may lack: a game or a search of somebody's own, the
files beside it that it imports, and tables of probabilities.

They travel with the job, as texts. A machine that has the same file in the same place uses its
own; else it writes copies, in a directory where nobody else can write.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from zermelo.core.game_files import beside
from zermelo.errors import BadOption, file_name, one_line
from zermelo.jobs.job import Job
from zermelo.storage.whole_files import Folder
from zermelo.version import __version__

PACKAGE = Path(__file__).parents[1]
SOURCES = ("*.py", "*.json")
OPTION = "probabilities"  # the option of a search that may name a file

Files = dict[str, str]  # path on the machine that sends them: content


@cache
def package_digest() -> str:
    """The version of Zermelo and a digest of all its sources and data: the same on every machine
    that may work for one store."""
    digest = hashlib.sha256()
    for path in sorted(path for kind in SOURCES for path in PACKAGE.rglob(kind)):
        digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode() + path.read_bytes())
    return f"{__version__} ({digest.hexdigest()[:12]})"


def files_of(job: Job) -> Files:
    """What to send with a job."""
    found: Files = {}
    for path in _named(job):
        found.update(_known(path))
    return found


@cache
def _known(path: str) -> Files:
    """Read once: jobs are many, and all of one experiment."""
    return with_neighbours(path)


def _named(job: Job) -> list[str]:
    """The files that the job names itself."""
    against = job.against or {"search": "", "options": {}}
    own = [name.rpartition(":")[0] for name in (job.game, job.search, against["search"])]
    tables = [str(options.get(OPTION, "")) for options in (job.options, against["options"])]
    return [*(path for path in own if path.endswith(".py")),
            *(path for path in tables if path and Path(path).is_file())]


def _moved(job: Job, places: dict[str, str]) -> Job:
    """The job with its files in other places."""
    def name(old: str) -> str:
        path, _, kind = old.rpartition(":")
        return f"{places[path]}:{kind}" if path in places else old

    def options(old: dict[str, Any]) -> dict[str, Any]:
        return {**old, OPTION: places[old[OPTION]]} if old.get(OPTION) in places else old

    against = job.against
    if against is not None:
        against = {**against, "search": name(against["search"]),
                   "options": options(against["options"])}
    return replace(job, game=name(job.game), search=name(job.search), options=options(job.options),
                   against=against)


def with_neighbours(name: str) -> Files:
    """A file, and those beside it that it imports, and what those import."""
    found: Files = {}
    waiting = [Path(name)]
    while waiting:
        path = waiting.pop()
        if str(path) in found:
            continue
        try:
            found[str(path)] = text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or one_line(error)
            raise BadOption(f"can't send the file {file_name(path)} to the cluster: "
                            f"{reason}.") from None
        if path.suffix == ".py":
            waiting += beside(path, text)
    return found


class Unpacked:
    """Where the files of jobs are on this machine."""

    def __init__(self) -> None:
        self.places: dict[str, dict[str, str]] = {}  # by digest of the files

    def localise(self, job: Job, files: Files) -> Job:
        """The job as this machine can do it."""
        if all(same(path, text) for path, text in files.items()):
            return job
        digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
        if digest not in self.places:
            self.places[digest] = copied(files)
        return _moved(job, self.places[digest])


_folders: list[Folder] = []  # there until the process ends


def copied(files: Files) -> dict[str, str]:
    """Copies: files of one directory stay together, and apart from those of others."""
    _folders.append(Folder("zermelo-files"))
    top = _folders[-1].path
    places = {}
    for path, text in files.items():
        parent, _, name = path.replace("\\", "/").rpartition("/")
        copy = top / hashlib.sha256(parent.encode()).hexdigest()[:8] / name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(text, "utf-8")
        places[path] = str(copy)
    return places


def same(path: str, text: str) -> bool:
    """Whether this machine has the file, with this content."""
    try:
        return Path(path).read_text("utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False
