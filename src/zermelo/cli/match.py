"""The command that lets two searches play each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import show
from zermelo.cli.options import (
    NUMBER,
    GameName,
    Json,
    Nodes,
    Parameters,
    Plain,
    Quiet,
    Seed,
    Time,
)
from zermelo.cli.out_files import check_file, write_file
from zermelo.cli.read import read_file, read_game, read_limits, read_search, read_whole
from zermelo.cli.signals import terminable
from zermelo.errors import BadOption, counted, file_name

if TYPE_CHECKING:
    from zermelo.jobs.workers import JobProgress
    from zermelo.matches import Match

A = Annotated[str, typer.Option("--a", metavar="ID", help="A search: ID or ID:NAME=VALUE,...")]
B = Annotated[str | None, typer.Option(
    "--b", metavar="ID", help="The other search; without it A plays itself, once from each "
    "opening.")]
Games = Annotated[str, typer.Option(
    "-n", metavar=NUMBER, help="Number of games: two from each opening, one with each colour.")]
MoveMemory = Annotated[str, typer.Option(
    "--memory", metavar=NUMBER, help="Memory limit of each search.")]
Openings = Annotated[str | None, typer.Option(
    "--openings", metavar="FILE", help="Openings, one position or move list per line; random ones "
    "by default.")]
Plies = Annotated[str | None, typer.Option(
    "--plies", metavar=NUMBER, help="Number of random moves in each opening; 4 by default.")]
Balance = Annotated[str | None, typer.Option(
    "--balance", metavar=NUMBER, help="Generate this many times as many openings and keep the most "
    "even ones; 4 by default, 1 if A plays itself.")]
Noise = Annotated[str | None, typer.Option(
    "--noise", metavar=NUMBER, help="Set the option noise of both searches.")]
Longest = Annotated[str | None, typer.Option(
    "--longest", metavar=NUMBER, help="Declare a draw after this many moves; by default the game's "
    "own limit.")]
AllWorkers = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="Games played at the same time; one per core by default.")]
MatchStore = Annotated[str | None, typer.Option(
    "--store", metavar="FILE", help="Where finished games are kept; by default ZERMELO_LAB, or the "
    "user's data directory.")]
Out = Annotated[str | None, typer.Option(
    "--out", metavar="FILE", help="Write the games to this file: SGF if the game supports it, "
    "otherwise one line of moves per game.")]


def match(
    game: GameName, a: A = "pvs", b: B = None, n: Games = "100", nodes: Nodes = None,
    time: Time = None, memory: MoveMemory = "256MB", noise: Noise = None, openings: Openings = None,
    plies: Plies = None, balance: Balance = None, longest: Longest = None, g: Parameters = None,
    plain: Plain = False, workers: AllWorkers = None, store: MatchStore = None, out: Out = None,
    seed: Seed = "0", json: Json = False, quiet: Quiet = False,
) -> None:
    """Let two searches play each other; limits are per move. Ctrl-C keeps finished games."""
    from zermelo.cli.lab_show import Live
    from zermelo.lab.data import store_path
    from zermelo.matches import PLIES
    from zermelo.matches import match as play_match

    limits = read_limits(nodes, time, memory)
    rules = read_game(game, g)
    first, second = read_search(a), None if b is None else read_search(b)
    given = None if openings is None else read_file(rules, openings, None)
    if given is not None and (plies is not None or balance is not None):
        raise BadOption("--plies and --balance are for random openings, not for --openings.")
    check_file(out)  # a match may take hours
    live = Live(quiet or json, progress_text)
    with terminable():
        played = play_match(
            rules, first, second, games=read_whole("-n", n), nodes=limits.nodes, time=limits.time,
            memory=limits.memory, noise=noise, seed=read_whole("--seed", seed), openings=given,
            plies=read_whole("--plies", plies or str(PLIES)), balance=_whole("--balance", balance),
            longest=_whole("--longest", longest), plain=plain,
            workers=_whole("--workers", workers), store=store_path(store), progress=live)
    live.close()
    try:
        print(show.as_json(played.to_dict()) if json else match_text(played), flush=True)
    finally:
        if out is not None:
            write_file(out, games_text(played),
                       "; the games are kept in the store, and the same command writes them")
    if out is not None and not json:
        print(f"wrote {file_name(out)}")
    raise typer.Exit(0 if played.complete else 10)


def _whole(flag: str, text: str | None) -> int | None:
    return None if text is None else read_whole(flag, text)


def progress_text(progress: JobProgress) -> str:
    """``12 of 100 games, +6 =1 -5, 0:31, about 4:10 left``."""
    from zermelo.cli.lab_show import clock, so_far

    parts = [f"{progress.done:,} of {counted(progress.total, 'game')}, {so_far(progress)}"]
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    parts.append(clock(progress.seconds))
    if progress.eta is not None:
        parts.append(f"about {clock(progress.eta)} left")
    return ", ".join(parts)


def games_text(played: Match) -> str:
    """The games in the game's notation, as ``zermelo.records`` reads them."""
    from zermelo.cli.compare_table import name_of
    from zermelo.game_records.record import ToWrite, written

    a, b = name_of(played.a), name_of(played.b or played.a)
    return written(ToWrite(
        one.start.play(*one.moves), _name(one.turn), (a, b) if one.turn[2] == 0 else (b, a),
        one.outcome) for one in played.games)


def _name(turn: tuple[int, int, int]) -> str:
    """``12.0a``: opening 12, round 0, A is the first player."""
    number, round, player = turn
    return f"{number}.{round}{'ab'[player]}"


def match_text(played: Match) -> str:
    """A match for people."""
    from zermelo.cli.compare_table import name_of
    from zermelo.cli.lab_show import clock

    budget = [f"{counted(played.limits.nodes, 'node')}"] if played.limits.nodes is not None else []
    budget += [f"{played.limits.time:g} s"] if played.limits.time is not None else []
    other = "itself" if played.b is None else name_of(played.b)
    ends = played.outcomes()
    names = played.game.players
    lines = [f"{name_of(played.a)} against {other}: {played.game.name}, {' and '.join(budget)} "
             "per move", *score_lines(played),
             f"{names[0]} won {ends['first']}, {names[1]} {ends['second']}; drawn {ends['draw']}, "
             f"{played.ended('repetition')} of them by repetition, {played.ended('length')} by "
             "length"]
    lines += [f"note: {note}" for note in played.notes]
    lines += [f"not played: {why}" for why in dict.fromkeys(played.failed)]
    lines.append(f"{len(played.games):,} of {counted(len(played.turns), 'game')} played, "
                 f"{played.ran:,} of them now, in {clock(played.seconds)}")
    if played.interrupted:
        lines.append("interrupted: run the same command again to continue")
    return "\n".join(lines)


def score_lines(played: Match) -> list[str]:
    """Points, share and Elo with 95 % bounds, where there is a score."""
    score = played.score
    if score is None or played.b is None:
        return []
    elo, low, high = score.elo
    return [f"won {score.won}, drawn {score.drawn}, lost {score.lost} of "
            f"{counted(score.games, 'game')} from {counted(score.units, 'opening')}",
            f"score {score.points:g}-{score.games - score.points:g}, {100 * score.share:.1f} % "
            f"(95 %: {100 * score.low:.1f} to {100 * score.high:.1f})",
            f"Elo {elo:+.0f} (95 %: {low:+.0f} to {high:+.0f})"]
