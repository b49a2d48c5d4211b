"""``zermelo analyze``."""

from __future__ import annotations

import typer

from zermelo.cli import show
from zermelo.cli.options import (
    GameName,
    Json,
    Memory,
    Nodes,
    Options,
    Parameters,
    Plain,
    PositionText,
    Quiet,
    SearchName,
    Seed,
    Time,
    ToMove,
    Unique,
    WorthGoal,
)
from zermelo.cli.read import read_game, read_limits, read_position, read_search, read_whole
from zermelo.cli.show_analysis import analyzed
from zermelo.cli.signals import terminable
from zermelo.cli.unproved import best_guess


def analyze(
    game: GameName, position: PositionText = "start", search: SearchName = None,
    p: Options = None, g: Parameters = None, goal: WorthGoal = "value", unique: Unique = False,
    nodes: Nodes = None, time: Time = None, memory: Memory = None, seed: Seed = "0",
    plain: Plain = False, to_move: ToMove = None, json: Json = False, quiet: Quiet = False,
) -> None:
    """Find the value of every move; limits are totals, divided among the moves."""
    rules = read_game(game, g)
    from zermelo.solving.analysis import analyze as analyze_position
    from zermelo.solving.result import Value
    from zermelo.solving.session import Session

    chosen = read_search(search, p, rules)
    limits = read_limits(nodes, time, memory)
    start = read_position(rules, position, to_move)
    live = show.Live(quiet or json, f"{chosen.id} for {rules.name}")
    with terminable():
        analysis = analyze_position(
            start, chosen, goal=goal, unique=unique, nodes=limits.nodes, time=limits.time,
            memory=limits.memory, seed=read_whole("--seed", seed), plain=plain, progress=live,
        )
        guessed = None
        if not analysis.concluded:
            session = Session(start, chosen, goal=goal, seed=analysis.seed, plain=plain)
            losing = [row.move for row in analysis.moves if row.value == Value.LOSS]
            guessed = best_guess(session, limits, live, losing)
    live.close()
    answer = {**analysis.to_dict(), "guess": None if guessed is None else guessed.to_dict()}
    print(show.as_json(answer) if json else analyzed(analysis, unique, guessed))
    raise typer.Exit(analysis.exit_status)
