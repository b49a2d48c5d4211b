"""``zermelo resume``: go on from a checkpoint, or with the journal of several workers."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.answering import Alone, Output, Solver, answer
from zermelo.cli.options import NUMBER, Every, Json, Nodes, Proof, Quiet, Time
from zermelo.cli.read import read_every, read_limits, read_whole
from zermelo.cli.solve_workers import CrewOptions, Together
from zermelo.cli.verify import OwnGame, named
from zermelo.errors import BadCheckpoint, BadOption, file_name

if TYPE_CHECKING:
    from zermelo.solving.result import Limits

JOURNAL = b"SQLite format 3"  # how the file begins
KEPT = "checkpoint or journal"
GameAndCheckpoint = Annotated[list[str], typer.Argument(
    metavar="[GAME] FILE", help="A checkpoint or a journal; before it a game of your own, "
    "FILE.py:Class, if the search is about one.")]
HadMemory = Annotated[str | None, typer.Option(
    "--memory", metavar=NUMBER, help="Use at most this much memory, e.g. 256MB. By default a "
    "checkpoint has what it had before, if that is free; a journal has half of the free memory.")]
Hands = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="For a journal: how many workers; one per core by default.")]
HandThreads = Annotated[str | None, typer.Option(
    "--threads", metavar=NUMBER, help="For a journal: threads of each worker; 1 by default.")]
Address = Annotated[str | None, typer.Option(
    "--cluster", metavar="ADDRESS", help="For a journal: let the workers run on the Ray cluster at "
    "this address; 'local' begins one on this machine.")]
Rounds = Annotated[bool, typer.Option(
    "--deterministic", help="For a journal: work in rounds, so that the same work is done every "
    "time.")]


def resume(
    files: GameAndCheckpoint, game: OwnGame = None, nodes: Nodes = None, time: Time = None,
    memory: HadMemory = None, every: Every = None, proof: Proof = None, workers: Hands = None,
    threads: HandThreads = None, cluster: Address = None, deterministic: Rounds = False,
    json: Json = False, quiet: Quiet = False,
) -> None:
    """Go on with a search that was kept by 'solve --checkpoint' or 'solve --journal'; limits are
    totals."""
    file, game = named(files, game, KEPT)
    limits, seconds = read_limits(nodes, time, memory), read_every(every)
    out = Output(proof, json, quiet)
    if is_journal(file):
        refuse({"--every": every}, "a checkpoint, and a journal is written all the time")
        crew = CrewOptions(
            _hands(workers), 1 if threads is None else read_whole("--threads", threads), file,
            cluster, deterministic, sys.argv)
        raise typer.Exit(answer(_with_workers(file, game, limits, crew, out), limits, out))
    refuse({"--workers": workers, "--threads": threads, "--cluster": cluster,
            "--deterministic": deterministic}, "the journal of several workers")
    from zermelo.cli import show
    from zermelo.solving.keeper import Keeper
    from zermelo.solving.result import Limits
    from zermelo.solving.session import Session

    session = Session.load(file, game, memory=limits.memory)
    # Where no limit is given it keeps to the memory that it had, and so does its certificate.
    limits = Limits(nodes=limits.nodes, time=limits.time, memory=session.memory)
    keeper = Keeper(session, file, seconds, show.warn, there=True)
    raise typer.Exit(answer(Alone(
        session, limits, out, keeper, session.limits.memory, [] if game is None else [game]),
        limits, out))


def _hands(workers: str | None) -> int:
    from zermelo.jobs.machine import cores

    return cores() if workers is None else read_whole("--workers", workers)


def _with_workers(file: str, game: str | None, limits: Limits, crew: CrewOptions,
                  out: Output) -> Solver:
    """The search of a journal."""
    from zermelo.cluster.session import asked_in

    if game is not None:
        _check_game(file, game)
    position, search, facts = asked_in(file, game)
    return Together(position, search, limits, crew, out, goal=facts["goal"], seed=facts["seed"],
                    plain=facts["plain"])


def _check_game(file: str, game: str) -> None:
    """Refuse a journal that is about another game: another built-in one, or another class."""
    from zermelo.cluster.journal import Journal
    from zermelo.games.registry import ALIASES, BUILT_IN

    with closing(Journal(file)) as journal:
        about = str((journal.facts() or {}).get("game", game))
    given = ALIASES.get(game.lower(), game.lower())
    same = (given == about if given in BUILT_IN or about in BUILT_IN
            else _class_in(game) in ("", _class_in(about)))
    if not same:
        raise BadCheckpoint(f"the journal {file_name(file)} is about {file_name(about)}, not about "
                            f"{file_name(game)}.")


def _class_in(name: str) -> str:
    """The class in ``FILE.py:Class``, if it is named."""
    return name.rpartition(".py:")[2] if ".py:" in name else ""


def refuse(options: Mapping[str, Any], what: str) -> None:
    """Refuse those that are given: they are for ``what``."""
    for name, given in options.items():
        if given:
            raise BadOption(f"{name} is for {what}.")


def is_journal(file: str) -> bool:
    """Whether a file is a journal, by its first bytes; BadCheckpoint unless it can be resumed."""
    from zermelo.storage.checkpoint_file import HEAD, is_checkpoint

    try:
        kind = os.stat(file).st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):  # some would be waited for
            raise OSError(errno.EINVAL, "it is a device, a FIFO or a socket, not a file")
        with open(file, "rb") as opened:
            begin = opened.read(HEAD)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it has no valid name"
        raise BadCheckpoint(f"can't read the {KEPT} {file_name(file)}: {reason}.") from None
    if begin.startswith(JOURNAL):
        return True
    if not is_checkpoint(begin):
        raise BadCheckpoint(f"the {KEPT} {file_name(file)} can't be used: it is a file of "
                            "something else.")
    return False
