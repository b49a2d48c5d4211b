"""Commands that look closer at a position: the value of every move, several searches side by side,
a search step by step."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import options as opt
from zermelo.cli import show
from zermelo.cli.options import NUMBER
from zermelo.cli.solve import best_guess, record_of
from zermelo.cli.terminal import LiveLine, terminable
from zermelo.errors import BadOption, counted
from zermelo.search.reasons import STOPPED
from zermelo.solving.result import Limits, Value, goal_named

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.playing import Guess
    from zermelo.search.base import Search
    from zermelo.solving.analysis import Analysis, MoveAnalysis
    from zermelo.solving.replay import Frame, Replay
    from zermelo.solving.result import Result

Unique = Annotated[bool, typer.Option(
    "--unique", help="Also ask whether the solution is unique along the main line.")]
OnePosition = Annotated[str | None, typer.Argument(
    metavar="POSITION", help="A position, as for solve, or use --file; by default the start of "
    "the game.")]
Searches = Annotated[list[str] | None, typer.Option(
    "--search", "-s", metavar="ID", help="A search: ID or ID:NAME=VALUE,...; may be repeated; by "
    "default all that suit the game.")]
File = Annotated[str | None, typer.Option(
    "--file", metavar="FILE", help="Positions, one per line; - for standard input.")]
Workers = Annotated[str, typer.Option(
    "--workers", metavar=NUMBER, help="Runs at the same time; use 1 for accurate timings.")]


def analyze(
    game: opt.GameName, position: opt.PositionText = "start", search: opt.SearchName = None,
    p: opt.Options = None, g: opt.Parameters = None, goal: opt.WorthGoal = "value",
    unique: Unique = False, nodes: opt.Nodes = None, time: opt.Time = None,
    memory: opt.Memory = None, seed: opt.Seed = "0", plain: opt.Plain = False,
    to_move: opt.ToMove = None, json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Find the value of every move; limits are totals, divided among the moves."""
    rules = opt.read_game(game, g)
    from zermelo.solving.analysis import analyze as analyze_position
    from zermelo.solving.session import Session

    chosen = opt.read_search(search, p, rules)
    limits = Limits(nodes, time, memory)
    start = opt.read_position(rules, position, to_move)
    live = show.Live(quiet or json, f"{chosen.id} for {rules.name}")
    with terminable():
        analysis = analyze_position(
            start, chosen, goal=goal_named(goal), unique=unique, nodes=limits.nodes,
            time=limits.time, memory=limits.memory, seed=opt.read_whole("--seed", seed),
            plain=plain, progress=live,
        )
        guessed = None
        if not analysis.concluded:
            session = Session(start, chosen, goal=goal_named(goal), seed=analysis.seed, plain=plain)
            losing = [row.move for row in analysis.moves if row.value == Value.LOSS]
            guessed = best_guess(session, limits, live, losing)
    live.close()
    print(show.as_json(record_of(analysis, guessed)) if json
          else analyzed(analysis, unique, guessed))
    raise typer.Exit(analysis.exit_status)


FEW = 8  # this many moves without a value have a line each


def analyzed(analysis: Analysis, asked_unique: bool, guess: Guess | None = None) -> str:
    """Return an analysis for people."""
    parts = show.board(analysis.position, analysis.position.diagram)
    if analysis.moves:
        parts += ["", *_moves(analysis)] if parts[-1] else _moves(analysis)
    state = "proved" if analysis.proved else f"not proved ({analysis.stopped})"
    lasting = "" if analysis.length is None else f" in {show.plies(analysis.length)}"
    parts += ["", f"value: {analysis.value}{lasting}, {state}{_number(analysis)}; "
              f"{counted(analysis.nodes, 'node')}, "
              f"{analysis.seconds:.3f} s (and {analysis.compile_seconds:.2f} s to compile or load)"]
    if guess is not None:
        parts.append(f"best guess: {guess}")
    if asked_unique:
        parts.append(uniqueness(analysis))
    return "\n".join(parts)


def _moves(analysis: Analysis) -> list[str]:
    """Return the table, and one line for the many moves about which nothing is known."""
    unknown = [row for row in analysis.moves if row.value == Value.UNKNOWN]
    if len(unknown) <= FEW:
        unknown = []
    told = [row for row in analysis.moves if row not in unknown]
    more = {"score": ["score"], "shortest": ["length"]}.get(analysis.goal, [])
    header = ["move", "value", *more, "how", "line", "nodes"]
    lines = [show.table(header, [_row(row) for row in told])] if told else []
    for stopped in dict.fromkeys(row.stopped for row in unknown):
        alike = [row for row in unknown if row.stopped == stopped]
        count = f"and {len(alike)} more" if lines else f"{len(alike)}"
        lines.append(f"{count} {'move' if len(alike) == 1 else 'moves'}: unknown ({stopped}), "
                     f"{counted(sum(row.nodes for row in alike), 'node')}")
    return lines


def _row(row: MoveAnalysis) -> list[str]:
    columns = {"score": [show.signed(row.score)], "shortest": [show.number(row.length)]}
    how = "proved" if row.proved else row.stopped
    return [row.move, str(row.value), *columns.get(row.goal, []), how, " ".join(row.line),
            f"{row.nodes:,}"]


def _number(analysis: Analysis) -> str:
    """Return the score, if asked for, or that the score or the length is unknown."""
    if analysis.goal == "score" and analysis.score is not None:
        return f"; score {show.signed(analysis.score)}"
    decided = analysis.value in (Value.WIN, Value.LOSS)
    if analysis.goal == "score" or (analysis.goal == "shortest" and decided
                                    and analysis.length is None):
        what = "score" if analysis.goal == "score" else "length"
        return f"; {what} unknown{_why(analysis)}"
    return ""


def _why(analysis: Analysis) -> str:
    stopped = STOPPED.get(analysis.stopped)
    return f": stopped by {stopped}" if analysis.proved and stopped else ""


def uniqueness(analysis: Analysis) -> str:
    """Return a sentence that says if the solution is unique."""
    if not analysis.moves:
        return "unique: the game is over"
    if analysis.unique is None:
        return "unique: not settled within the limits"
    if analysis.unique:
        return "unique: yes, each move of the solving side along the main line is the only one"
    for step in analysis.decisions:
        if step.also:
            return f"unique: no, at ply {step.ply} {step.move} and {', '.join(step.also)} all do"
    return "unique: no, every move loses"


def compare(
    game: opt.GameName, position: OnePosition = None, search: Searches = None, file: File = None,
    g: opt.Parameters = None, goal: opt.Goal = "win", nodes: opt.Nodes = None,
    time: opt.Time = None, memory: opt.Memory = None, seed: opt.Seed = "0",
    knowledge: opt.Knowledge = False, workers: Workers = "1", to_move: opt.ToMove = None,
    json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Run several searches on a position, or on a file of positions, and compare them."""
    from zermelo.search.registry import searches_for

    if position is not None and file is not None:
        raise BadOption("compare takes either a position or --file, not both.")
    rules = opt.read_game(game, g)
    searches = [opt.read_search(text) for text in search or searches_for(rules)]
    limits = Limits(nodes, time, memory)
    options = {
        "goal": goal, "plain": not knowledge, "workers": opt.read_whole("--workers", workers),
        "nodes": limits.nodes, "time": limits.time, "memory": limits.memory,
        "seed": opt.read_whole("--seed", seed),
    }
    starts = (opt.read_file(rules, file, to_move) if file is not None
              else [opt.read_position(rules, "start" if position is None else position, to_move)])
    raise typer.Exit(run_compare(starts, searches, json, quiet, options))


HEADER = ["position", "search", "value", "proved", "move", "nodes", "iterations", "seconds",
          "compile", "stopped"]


def row_of(index: int, result: Result) -> list[str]:
    """Return a line of the table."""
    proved = "yes" if result.proved else "concluded" if result.concluded else "no"
    return [str(index), show.name_of(result.search), str(result.value), proved, result.move or "-",
            f"{result.nodes:,}", f"{result.iterations:,}", f"{result.seconds:.3f}",
            f"{result.compile_seconds:.2f}", result.stopped]


def run_compare(starts: list[Position], searches: list[Search], as_json: bool, quiet: bool,
                options: dict[str, Any]) -> int:
    """Run and print; return 0 if every run proved its value, 11 if some only concluded, else 10."""
    from zermelo.solving.solve import compare as compare_searches

    results: list[Result] = []
    total = len(starts) * len(searches)
    live = LiveLine(quiet or as_json)
    with suppress(KeyboardInterrupt):  # what is finished is shown
        for result in compare_searches(starts, searches, **options):
            results.append(result)
            if as_json:
                index = (len(results) - 1) // len(searches)
                print(show.as_json({"index": index, **result.to_dict()}), flush=True)
            live.line(f"{len(results)} of {counted(total, 'run')}")
    live.close()
    if not as_json:
        rows = [row_of(i // len(searches), result) for i, result in enumerate(results)]
        print(show.table(HEADER, rows))
        if len(starts) > 1:
            print()
            print(summary(searches, results))
    statuses = [result.exit_status for result in results]
    if len(results) < total:
        print(f"zermelo: interrupted after {len(results)} of {counted(total, 'run')}.",
              file=sys.stderr)
        statuses.append(10)
    return max(statuses, key=[0, 11, 10].index)


def summary(searches: list[Search], results: list[Result]) -> str:
    """Return for each search the number of positions proved or concluded, and the cost."""
    rows = []
    for offset, search in enumerate(searches):
        mine = results[offset :: len(searches)]
        rows.append([
            show.name_of(search), str(len(mine)), str(sum(r.proved for r in mine)),
            str(sum(r.concluded for r in mine)), str(sum(r.value == "win" for r in mine)),
            f"{sum(r.nodes for r in mine):,}", f"{sum(r.seconds for r in mine):.1f}",
        ])
    return show.table(
        ["search", "positions", "proved", "concluded", "wins", "nodes", "seconds"], rows)


Replayed = Annotated[str, typer.Option(
    "--search", "-s", metavar="ID", help="A best-first or depth-first search, also as "
    "ID:NAME=VALUE,...")]
Steps = Annotated[str, typer.Option(
    "--steps", metavar=NUMBER, help="Show at most this many expansions, or visits of a "
    "depth-first search.")]
Changes = Annotated[bool, typer.Option(
    "--changes", help="Also list the new nodes and the numbers that changed.")]


def replay(
    game: opt.GameName, position: opt.PositionText = "start", search: Replayed = "pn",
    p: opt.Options = None, g: opt.Parameters = None, steps: Steps = "20", goal: opt.Goal = "win",
    seed: opt.Seed = "0", plain: opt.Plain = False, to_move: opt.ToMove = None,
    changes: Changes = False, json: opt.Json = False,
) -> None:
    """Show a search step by step: what it selects, expands and changes."""
    from zermelo.solving.replay import replay as replay_of

    rules = opt.read_game(game, g)
    found = replay_of(
        opt.read_position(rules, position, to_move), opt.read_search(search, p),
        steps=opt.read_whole("--steps", steps), goal=goal_named(goal),
        seed=opt.read_whole("--seed", seed), plain=plain)
    print(show.as_json(found.to_dict()) if json else told(found, changes))


def told(found: Replay, changes: bool) -> str:
    """Return a replay for people."""
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
    """Return the new nodes and the changed ones, a line each."""
    from zermelo.solving.replay import said

    rows = [(" ".join(row["path"]), "", said(row["numbers"])) for row in frame.created]
    rows += [(" ".join(row["path"]) or "root", said(row["before"]), said(row["after"]))
             for row in frame.changed]
    return [f"    {where}: {before} -> {after}" if before else f"    {where}: {after}"
            for where, before, after in rows]
