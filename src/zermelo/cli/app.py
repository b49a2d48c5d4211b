"""The commands."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from zermelo.cli import show
from zermelo.cli.read import read_file, read_game, read_limits, read_position, read_search
from zermelo.errors import BadOption

app = typer.Typer(
    help="Zermelo proves who wins positions of two-player games.",
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game ('zermelo games') or FILE.py:Class.")]
PositionText = Annotated[str, typer.Argument(
    metavar="POSITION", help="A position in the game's notation, 'start', or - for standard input.")]
Parameters = Annotated[list[str], typer.Option(
    "-g", metavar="NAME=VALUE", help="A parameter of the game; may be repeated.")]
SearchName = Annotated[str, typer.Option(
    "--search", "-s", help="A search ('zermelo searches'), also as ID:NAME=VALUE,...")]
Options = Annotated[list[str], typer.Option(
    "-p", metavar="NAME=VALUE", help="An option of the search; may be repeated.")]
Nodes = Annotated[str | None, typer.Option("--nodes", help="Stop at this many nodes, e.g. 35e6.")]
Time = Annotated[str | None, typer.Option("--time", help="Stop after this time, e.g. 90 or 2m.")]
Memory = Annotated[str | None, typer.Option(
    "--memory", help="Use at most this much memory, e.g. 256MB; half of what is free by default.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of all randomness.")]
Plain = Annotated[bool, typer.Option("--plain", help="Use the rules only, no knowledge of the game.")]
ToMove = Annotated[str | None, typer.Option("--to-move", help="Who moves, added to the position.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")]


@app.command()
def solve(
    game: GameName, position: PositionText = "start", search: SearchName = "", p: Options = [],
    g: Parameters = [], goal: Annotated[str, typer.Option(help="value, or win: does the side to move win?")] = "value",
    nodes: Nodes = None, time: Time = None, memory: Memory = None, seed: Seed = 0,
    plain: Plain = False, to_move: ToMove = None,
    trace: Annotated[int | None, typer.Option(help="Sample the root every so many iterations (JSON).")] = None,
    json: Json = False, quiet: Quiet = False,
) -> None:
    """Prove who wins a position, and show the line."""
    from zermelo.solve import DEFAULT_SEARCH, Session

    chosen = read_search(search or DEFAULT_SEARCH, p)
    limits = read_limits(nodes, time, memory)
    start = read_position(read_game(game, g), position, to_move)
    session = Session(start, chosen, goal=goal, seed=seed, plain=plain, trace=trace)
    live = show.Live(quiet or json)
    result = session.run(limits, live)
    live.close()
    print(show.as_json(result.to_dict()) if json else show.solved(result))
    raise typer.Exit(result.exit_status)


@app.command()
def analyze(
    game: GameName, position: PositionText = "start", search: SearchName = "", p: Options = [],
    g: Parameters = [],
    unique: Annotated[bool, typer.Option("--unique", help="Is the solution unique along the main line?")] = False,
    nodes: Nodes = None, time: Time = None, memory: Memory = None, seed: Seed = 0,
    plain: Plain = False, to_move: ToMove = None, json: Json = False, quiet: Quiet = False,
) -> None:
    """The value of every move; limits are totals, shared out among the moves."""
    from zermelo.analyze import analyze as analyze_position
    from zermelo.solve import DEFAULT_SEARCH

    chosen = read_search(search or DEFAULT_SEARCH, p)
    start = read_position(read_game(game, g), position, to_move)
    limits = read_limits(nodes, time, memory)
    live = show.Live(quiet or json)
    analysis = analyze_position(
        start, chosen, unique=unique, nodes=limits.nodes, time=limits.time, memory=limits.memory,
        seed=seed, plain=plain, progress=live,
    )
    live.close()
    print(show.as_json(analysis.to_dict()) if json else show.analyzed(analysis, unique))
    raise typer.Exit(analysis.exit_status)


@app.command()
def compare(
    game: GameName, position: Annotated[str | None, typer.Argument(metavar="[POSITION]")] = None,
    search: Annotated[list[str], typer.Option("--search", "-s", help="A search, ID or ID:NAME=VALUE,...; repeat it; all by default.")] = [],
    file: Annotated[str | None, typer.Option("--file", help="Positions, one per line; - for standard input.")] = None,
    g: Parameters = [], goal: Annotated[str, typer.Option(help="win, or value.")] = "win",
    nodes: Nodes = None, time: Time = None, memory: Memory = None, seed: Seed = 0,
    knowledge: Annotated[bool, typer.Option("--knowledge", help="Let games use their own knowledge; plain by default.")] = False,
    workers: Annotated[int, typer.Option(help="Runs side by side; 1 for honest times.")] = 1,
    to_move: ToMove = None, json: Json = False, quiet: Quiet = False,
) -> None:
    """Several searches side by side, on a position or on a file of positions."""
    from zermelo.cli.compare import run_compare
    from zermelo.search.registry import SEARCHES

    if (position is None) == (file is None):
        raise BadOption("compare: give either a position or --file.")
    searches = [read_search(text) for text in search or SEARCHES]
    rules = read_game(game, g)
    starts = (read_file(rules, file, to_move) if file is not None
              else [read_position(rules, position or "", to_move)])
    limits = read_limits(nodes, time, memory)
    raise typer.Exit(run_compare(
        starts, searches, json, quiet,
        {"goal": goal, "plain": not knowledge, "workers": workers, "nodes": limits.nodes,
         "time": limits.time, "memory": limits.memory, "seed": seed},
    ))


@app.command()
def games(json: Json = False, quiet: Quiet = False, seed: Seed = 0) -> None:
    """The built-in games and their parameters."""
    from zermelo.games.registry import game_class, game_names

    records = []
    for name in game_names():
        kind = game_class(name)
        records.append({
            "game": name, "about": (kind.__doc__ or "").splitlines()[0],
            "parameters": {key: {"default": value.default, "help": value.help}
                           for key, value in kind.parameters.items()},
        })
    if json:
        print("\n".join(show.as_json(record) for record in records))
        return
    for record in records:
        print(f"{record['game']}: {record['about']}")
        for key, facts in record["parameters"].items():  # type: ignore[attr-defined]
            print(f"    -g {key}={facts['default']}  {facts['help']}")


@app.command()
def searches(json: Json = False, quiet: Quiet = False, seed: Seed = 0) -> None:
    """The searches and their options."""
    from dataclasses import fields

    from zermelo.search.registry import SEARCHES

    for id, kind in SEARCHES.items():
        options = {item.name: {"default": item.default, "help": item.metadata["help"]}
                   for item in fields(kind)}
        if json:
            print(show.as_json({"search": id, "title": kind.title, "paper": kind.paper,
                                "options": options}))
            continue
        print(f"{id}: {kind.title} ({kind.paper})")
        for key, facts in options.items():
            print(f"    -p {key}={show.number(facts['default'])}  {facts['help']}")


@app.command("check-game")
def check_game(
    game: GameName, position: PositionText = "start", g: Parameters = [], seed: Seed = 0,
    rounds: Annotated[int, typer.Option("--games", help="Random games to play.")] = 100,
    json: Json = False, quiet: Quiet = False,
) -> None:
    """Look for mistakes in the definition of a game."""
    from zermelo.check_game import check_game as check
    from zermelo.errors import BadGame

    try:
        rules = read_game(game, g)
        report = check(rules, read_position(rules, position), games=rounds, seed=seed)
        problems, checks = report.problems, report.checks
    except BadGame as error:
        problems, checks = [str(error)], []
    if json:
        print(show.as_json({"game": game, "ok": not problems, "problems": problems,
                            "checks": checks}))
    else:
        print("\n".join([f"ok: {line}" for line in checks] + [f"wrong: {p}" for p in problems]))
        print(f"{game}: " + ("no mistake found" if not problems else f"{len(problems)} mistake(s)"))
    raise typer.Exit(2 if problems else 0)


@app.command()
def warmup(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all by default.")] = None,
    search: Annotated[str | None, typer.Argument(metavar="[SEARCH]", help="One search; all by default.")] = None,
    g: Parameters = [], json: Json = False, quiet: Quiet = False, seed: Seed = 0,
) -> None:
    """Compile games and searches now, so that later commands start fast."""
    from zermelo.games.registry import game_names
    from zermelo.search.registry import SEARCHES
    from zermelo.warmup import warm_up

    chosen = [read_search(id) for id in ([search] if search else SEARCHES)]
    total: dict[str, Any] = {"compiled": 0, "loaded": 0, "seconds": 0.0}
    for name in [game] if game else game_names():
        rules = read_game(name, g if game else [])
        for row in warm_up(rules, chosen):
            for key in total:
                total[key] += row[key]
            print(show.as_json(row) if json else
                  f"{row['game']} {row['search']}: {row['compiled']} compiled, {row['loaded']} "
                  f"loaded, {row['seconds']:.2f} s", flush=True)
    if not json:
        from zermelo.kernel.jit import cache_directory

        print(f"{total['compiled']} compiled, {total['loaded']} loaded, {total['seconds']:.1f} s; "
              f"kept in {cache_directory() or 'no cache (ZERMELO_CACHE=off)'}")


def _version(show_it: bool) -> None:
    if show_it:
        from zermelo import __version__

        print(f"zermelo {__version__}")
        raise typer.Exit


@app.callback()
def options(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False) -> None:
    """Zermelo proves who wins positions of two-player games."""


if __name__ == "__main__":
    sys.exit("run 'zermelo' or 'python -m zermelo'")
