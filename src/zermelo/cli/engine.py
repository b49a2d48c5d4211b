"""``zermelo engine``: another program asks, by a protocol, on standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import (
    NUMBER,
    Memory,
    Nodes,
    Options,
    Parameters,
    Plain,
    SearchName,
    Seed,
)
from zermelo.cli.read import pairs, read_limits, read_search, read_whole
from zermelo.cli.signals import terminable
from zermelo.cli.streams import private_output, source
from zermelo.engine.lines import Lines, Output
from zermelo.engine.protocols import (
    ENGINES,
    JSONL,
    NAMES,
    check_protocol,
    engine_class,
    game_of,
)
from zermelo.errors import BadOption, check_whole, quoted

MaybeGame = Annotated[str | None, typer.Argument(
    metavar="GAME", help="A game (see 'zermelo games'), or FILE.py:Class for your own; most "
    "protocols are for one game alone.")]
ProtocolName = Annotated[str, typer.Option(
    "--protocol", metavar="NAME", help=f"What the client speaks: {', '.join(NAMES)}.")]
PerAnswer = Annotated[str | None, typer.Option(
    "--time", metavar=NUMBER, help="Think for at most this many seconds, where the client does not "
    "say; 5 by default, an hour for jsonl.")]
AtOnce = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="Searches at the same time, for jsonl; one per core by "
    "default.")]
Certificates = Annotated[str | None, typer.Option(
    "--certificates", metavar="DIRECTORY", help="For jsonl: requests may write and check "
    "certificates below this directory; without it no request names a file.")]
USUAL_SECONDS, USUAL_MEMORY = 5.0, 256_000_000


def engine(
    game: MaybeGame = None, protocol: ProtocolName = JSONL, g: Parameters = None,
    search: SearchName = None, p: Options = None, nodes: Nodes = None, time: PerAnswer = None,
    memory: Memory = None, workers: AtOnce = None, certificates: Certificates = None,
    seed: Seed = "0", plain: Plain = False,
) -> None:
    """Answer another program, by a protocol, on standard input and output."""
    check_protocol(protocol)
    limits = read_limits(nodes, time, memory)
    if protocol == JSONL:
        for flag, given in (("-g", g), ("-s", search), ("-p", p), ("--nodes", nodes)):
            if given:
                raise BadOption(f"{flag} is not for jsonl: every request says it for itself.")
        from zermelo.engine.jsonl import serve

        count = None if workers is None else check_whole(
            "--workers", read_whole("--workers", workers), 1, 256)
        folder = None if certificates is None else Path(certificates)
        if folder is not None and not folder.is_dir():
            raise BadOption(f"--certificates {quoted(certificates)} is not a directory.")
        with terminable():
            serve(source(), private_output(), game, limits, count, folder)
        return
    if certificates is not None:
        raise BadOption("--certificates is for jsonl: no other protocol has certificates.")
    name, output = game_of(protocol, game), Output(private_output())
    from zermelo.engine.thinking import Budget, Settings
    from zermelo.games.registry import game as game_by_name

    rules = game_by_name(name, **{**ENGINES[protocol][2], **pairs(g or (), "-g")})
    chosen = None if search is None else read_search(search, p, rules)
    settings = Settings(chosen, limits.memory or USUAL_MEMORY, read_whole("--seed", seed), plain)
    usual = Budget(limits.time or (USUAL_SECONDS if nodes is None else None), limits.nodes)
    with terminable():
        engine_class(protocol)(rules, settings, usual, output).serve(Lines(source()))
