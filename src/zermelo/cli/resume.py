"""``zermelo resume``: go on from a checkpoint."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.cli.answering import Answering
from zermelo.cli.options import Every, Json, Memory, Nodes, Proof, Quiet, Time
from zermelo.cli.read import read_every, read_limits
from zermelo.cli.verify import OwnGame, named
from zermelo.errors import BadCheckpoint, file_name

CHECKPOINT = b"zermelo checkpoint "  # how the files begin that can be resumed
JOURNAL = b"SQLite format 3"
GameAndCheckpoint = Annotated[list[str], typer.Argument(
    metavar="[FILE.py:Class] FILE", help="A checkpoint, after the game if that is your own.")]


def resume(
    files: GameAndCheckpoint, game: OwnGame = None, nodes: Nodes = None, time: Time = None,
    memory: Memory = None, every: Every = None, proof: Proof = None, json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Go on with a search that was kept by 'solve --checkpoint'; limits are totals."""
    file, game = named(files, game, "checkpoint")
    limits, seconds = read_limits(nodes, time, memory), read_every(every)
    check_kind(file)
    from zermelo.cli import show
    from zermelo.solving.keeper import Keeper
    from zermelo.solving.result import Limits
    from zermelo.solving.session import Session

    session = Session.load(file, game, memory=limits.memory)
    # Where no limit is given it keeps to the memory that it had, and so does its certificate.
    limits = Limits(nodes=limits.nodes, time=limits.time, memory=session.memory)
    keeper = Keeper(session, file, seconds, show.warn, there=True)
    raise typer.Exit(Answering(session, limits, proof, json, quiet, keeper=keeper,
                               proof_memory=session.limits.memory,
                               own_game=[] if game is None else [game]).answer())


def check_kind(file: str) -> None:
    """Refuse what is no checkpoint, by its first bytes."""
    try:
        with open(file, "rb") as opened:
            begin = opened.read(len(CHECKPOINT))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it has no valid name"
        raise BadCheckpoint(f"can't read the checkpoint {file_name(file)}: {reason}.") from None
    if begin.startswith(JOURNAL):
        raise BadCheckpoint(f"{file_name(file)} is no checkpoint but a journal of several workers; "
                            "to go on, give the command again that made it, with --journal.")
    if not begin.startswith(CHECKPOINT):
        raise BadCheckpoint(f"the checkpoint {file_name(file)} can't be used: it is a file of "
                            "something else.")
