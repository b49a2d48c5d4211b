"""Commands that do not search: listing games and searches, checking a game, compiling ahead."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import options as opt
from zermelo.cli import show
from zermelo.cli.options import NUMBER
from zermelo.errors import BadOption, counted, quoted

if TYPE_CHECKING:
    from zermelo.core.rules import Parameter

Rounds = Annotated[str, typer.Option("--games", metavar=NUMBER, help="Random games to play.")]
OneGame = Annotated[str | None, typer.Argument(
    metavar="GAME", help="One game; all by default.")]
OneSearch = Annotated[str | None, typer.Argument(
    metavar="SEARCH", help="One search; all by default.")]


def games(json: opt.Json = False, quiet: opt.Quiet = False, seed: opt.NoSeed = "0") -> None:
    """List the built-in games and their parameters."""
    from zermelo.core.game import Game
    from zermelo.games.registry import aliases_of, game_class, game_names

    for name in game_names():
        kind = game_class(name)
        about = (kind.__doc__ or "").splitlines()[0].replace("``", "")
        parameters = {key: _facts(value) for key, value in kind.parameters.items()}
        together = ""
        if kind.check_parameters is not Game.check_parameters:
            together = (kind.check_parameters.__doc__ or "").strip()
        if json:
            print(show.as_json({"game": name, "aliases": aliases_of(name), "about": about,
                                "parameters": parameters, "together": together}))
        else:
            lines = show.choices("-g", parameters) + [f"    {together}"] * bool(together)
            also = ", ".join(aliases_of(name))
            lines = [f"    also called {also}"] * bool(also) + lines
            print(f"{name}: {about}", *lines, sep="\n")


def _facts(parameter: Parameter) -> dict[str, Any]:
    """Return a parameter as in the JSON output: ``choices``, or the ends of a range."""
    ends = {} if parameter.choices else {"low": parameter.low, "high": parameter.high}
    choices = {"choices": list(parameter.choices)} if parameter.choices else {}
    return {"default": parameter.default, "help": parameter.help, "valid": parameter.valid,
            **ends, **choices}


def searches(json: opt.Json = False, quiet: opt.Quiet = False, seed: opt.NoSeed = "0") -> None:
    """List the searches and their options."""
    from dataclasses import fields

    from zermelo.search.registry import SEARCHES

    for id, kind in SEARCHES.items():
        options = {item.name: {"default": item.default, "help": item.metadata["help"]}
                   for item in fields(kind)}
        if json:
            print(show.as_json({"search": id, "title": kind.title, "paper": kind.paper,
                                "options": options}))
        else:
            print(f"{id}: {kind.title} ({kind.paper})", *show.choices("-p", options), sep="\n")


def check_game(
    game: opt.GameName, position: opt.PositionText = "start", g: opt.Parameters = None,
    seed: opt.Seed = "0", rounds: Rounds = "100", json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Look for mistakes in the definition of a game."""
    from zermelo.checks.check_game import check_game as check
    from zermelo.errors import BadGame
    from zermelo.games.registry import game_class

    count, start = opt.read_whole("--games", rounds), opt.read_whole("--seed", seed)
    with suppress(BadGame):
        game_class(game)  # a name that is not a game is not a mistake in a game
    try:
        report = check(lambda: opt.read_game(game, g), position, games=count, seed=start)
        problems, checks, sample = report.problems, report.checks, report.sample
    except BadGame as error:
        problems, checks, sample = [str(error)], [], ""
    if json:
        print(show.as_json({"game": game, "ok": not problems, "problems": problems,
                            "checks": checks, "sample": sample}))
    else:
        print("\n".join([f"ok: {line}" for line in checks] + [f"wrong: {p}" for p in problems]
                        + [sample] * bool(sample)))
        found = counted(len(problems), "mistake") if problems else "no mistake found"
        print(f"{game}: {found}")
    raise typer.Exit(2 if problems else 0)


def warmup(
    game: OneGame = None, search: OneSearch = None, g: opt.Parameters = None,
    json: opt.Json = False, quiet: opt.Quiet = False, seed: opt.NoSeed = "0",
) -> None:
    """Compile games and searches now, so that later commands start fast."""
    from zermelo.compiler.cache import place
    from zermelo.games.registry import game_names
    from zermelo.search.registry import searches_for
    from zermelo.solving.solve import warm_up

    if g and game is None:
        raise BadOption(f"-g {quoted(g[0])} needs a game; name it before -g.")
    total: dict[str, Any] = {"compiled": 0, "loaded": 0, "seconds": 0.0}
    for rules in [opt.read_game(name, g) for name in ([game] if game else game_names())]:
        chosen = [opt.read_search(id) for id in ([search] if search else searches_for(rules))]
        for row in warm_up(rules, chosen):
            for key in total:
                total[key] += row[key]
            print(show.as_json(row) if json else
                  f"{row['game']} {row['search']}: {show.compiling(row)}", flush=True)
    if not json:
        cache = place()
        print(f"{show.compiling(total)}; "
              + (f"kept in {cache.directory}" if cache is not None and cache.writable
                 else "not kept: there is no cache directory"))
