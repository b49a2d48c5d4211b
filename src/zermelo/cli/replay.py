"""``zermelo replay``: a small search, step by step."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.cli import show
from zermelo.cli.options import (
    NUMBER,
    GameName,
    Goal,
    Json,
    Options,
    Parameters,
    Plain,
    PositionText,
    Seed,
    ToMove,
)
from zermelo.cli.read import read_game, read_position, read_search, read_whole
from zermelo.solving.replay import Frame, Replay, said
from zermelo.solving.replay import replay as replay_of

Replayed = Annotated[str, typer.Option(
    "--search", "-s", metavar="ID", help="A best-first or depth-first search, also as "
    "ID:NAME=VALUE,...")]
Steps = Annotated[str, typer.Option(
    "--steps", metavar=NUMBER, help="Show at most this many expansions, or visits of a "
    "depth-first search.")]
Changes = Annotated[bool, typer.Option(
    "--changes", help="Also list the new nodes and the numbers that changed.")]


def replay(
    game: GameName, position: PositionText = "start", search: Replayed = "pn", p: Options = None,
    g: Parameters = None, steps: Steps = "20", goal: Goal = "win", seed: Seed = "0",
    plain: Plain = False, to_move: ToMove = None, changes: Changes = False, json: Json = False,
) -> None:
    """Show a search step by step: what it selects, expands and changes."""
    rules = read_game(game, g)
    found = replay_of(
        read_position(rules, position, to_move), read_search(search, p),
        steps=read_whole("--steps", steps), goal=goal, seed=read_whole("--seed", seed), plain=plain)
    print(show.as_json(found.to_dict()) if json else told(found, changes))


def told(found: Replay, changes: bool) -> str:
    """A replay for people."""
    parts = [*show.board(found.position, found.position.diagram), ""]
    for frame in found.frames:
        parts.append(frame.words)
        if changes and frame.step > 0:
            parts += listed(frame)
    if not found.done:
        why = {"steps": f"after {len(found.frames) - len(found.attackers)} steps",
               "size": "because it gets too long to be shown"}
        parts += ["", f"stopped {why.get(found.reason, f'by {found.reason}')}"]
    return "\n".join(parts)


def listed(frame: Frame) -> list[str]:
    """The new nodes and the changed ones, a line each."""
    rows = [(" ".join(row["path"]), "", said(row["numbers"])) for row in frame.created]
    rows += [(" ".join(row["path"]) or "root", said(row["before"]), said(row["after"]))
             for row in frame.changed]
    return [f"    {where}: {before} -> {after}" if before else f"    {where}: {after}"
            for where, before, after in rows]
