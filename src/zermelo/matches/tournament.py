"""match(): two searches play each other from many openings, on all cores.

Each game is a job of the lab: it runs in a process of its own, and with a ``store`` it is kept as
soon as it is finished, so that the same call continues where the last one ended.
"""

from __future__ import annotations

import hashlib
import time as clock
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadOption, check_whole, counted, quoted
from zermelo.jobs.hire import hire
from zermelo.jobs.job import Job, play_job, with_options
from zermelo.jobs.machine import environment
from zermelo.jobs.store import Store
from zermelo.jobs.workers import ProgressCallback, Workers
from zermelo.matches.openings import BALANCE, PLIES, random_openings
from zermelo.matches.result import Match, MatchGame, Turn
from zermelo.playing import LONGEST_GAME
from zermelo.search.base import Search
from zermelo.search.registry import SEARCHES
from zermelo.search.selection import check_fit, chosen_search
from zermelo.solving.result import Limits

MEMORY = "256MB"
IN_MEMORY = ":memory:"
SEEDS = 1 << 63


def match(game: Game, a: Search | str, b: Search | str | None = None, *, games: int = 100,
          nodes: float | str | None = None, time: float | str | None = None,
          memory: float | str | None = MEMORY, noise: float | str | None = None, seed: int = 0,
          openings: Sequence[Position] | None = None, plies: int = PLIES,
          balance: int | None = None, longest: int | None = None, plain: bool = False,
          workers: int | None = None, store: str | Path | None = None,
          backend: str = "processes", progress: ProgressCallback | None = None) -> Match:
    """The games of ``a`` against ``b``, two from each opening; limits are per move.

    Without ``b``, ``a`` plays itself, once from each opening. ``openings``: these; by default as
    many as are needed, of ``plies`` random moves, the most even of ``balance`` times as many. If
    they are not enough, they are played again, with other seeds. ``noise`` is an option of both
    searches. ``longest``: a draw after this many moves; by default the game's ``max_length``.
    """
    limits = Limits(nodes=nodes, time=time, memory=memory)
    players = [noisy(chosen_search(one), noise) for one in ((a,) if b is None else (a, b))]
    _check(game, limits, games, longest, workers, seed, alone=b is None)
    for player in players:
        check_fit(player, game, "value", 1)
        player.check_files(game)
    count = games if b is None else games // 2
    if openings is None:
        level = balance if balance is not None else BALANCE if b is not None else 1
        openings = random_openings(game, count, plies=plies, seed=seed, balance=level)
    turns = schedule(count, len(_checked(game, openings, longest)), alone=b is None)
    jobs = {turn: _job(openings[turn[0]], players, turn, limits, seed, longest, plain)
            for turn in turns}
    rows, ran, seconds, interrupted, notes = _run(jobs, workers, store, backend, progress)
    played = [(turn, rows[job.digest]) for turn, job in jobs.items() if job.digest in rows]
    return Match(
        game, players[0], None if b is None else players[1], limits, seed, turns,
        games=[_game(turn, openings[turn[0]], row["played"], row["value"])
               for turn, row in played if "played" in row],
        failed=[f"{row['status']}: {row['message']}" for _, row in played if "played" not in row],
        ran=ran, seconds=seconds, interrupted=interrupted, notes=notes)


def _check(game: Game, limits: Limits, games: int, longest: int | None, workers: int | None,
           seed: int, alone: bool) -> None:
    if not isinstance(game, Game):
        raise BadOption(f"{quoted(game)} is not a game; zermelo.game(name) makes one.")
    if limits.nodes is None and limits.time is None:
        raise BadOption("a match needs a budget for each move: a number of nodes, a time, or both.")
    if type(games) is not int or games < 1 or (not alone and games % 2):
        raise BadOption(f"games={quoted(games)} is not valid: it is a whole number of at least 1, "
                        "and even where two searches play each other, since each opening is "
                        "played with both colours.")
    if longest is not None:
        check_whole("longest", longest, 1)
    if workers is not None:
        check_whole("workers", workers, 1)
    check_whole("seed", seed, 0, SEEDS - 1)


def _checked(game: Game, openings: Sequence[Position], longest: int | None) -> Sequence[Position]:
    seen: dict[Position, int] = {}
    for number, opening in enumerate(openings, 1):
        if not isinstance(opening, Position) or type(opening.game) is not type(game):
            raise BadOption(f"the opening {quoted(opening)} is not a position of {game.name}.")
        if opening.game.values != game.values:
            raise BadOption(f"the opening {quoted(opening.text)} is a position of "
                            f"{opening.game!r}, but the match is played on {game!r}.")
        if opening.outcome is not None:
            raise BadOption(f"the opening {quoted(opening.text)} is a finished game.")
        if longest is not None and len(opening.played) >= longest:
            raise BadOption(f"longest={longest}: the opening {quoted(opening.text)} already has "
                            f"{counted(len(opening.played), 'move')}.")
        earlier = seen.setdefault(opening.canonical(), number)
        if earlier != number:  # its games would be counted as if they were further evidence
            raise BadOption(f"openings {earlier} and {number} are the same position, or mirror "
                            "images of each other; a match counts each once.")
    if not openings:
        raise BadOption("a match needs at least one opening.")
    return openings


def noisy(search: Search, noise: float | str | None) -> Search:
    """The search with this option ``noise``, if any is asked for."""
    if noise is None:
        return search
    if "noise" not in search.all_options:
        able = [id for id, kind in SEARCHES.items() if "noise" in kind.__dataclass_fields__]
        raise BadOption(f"noise={quoted(noise)}: {search.id} has no such option; searches "
                        f"that have it: {', '.join(able) or 'none'}.")
    return with_options(search, {"noise": noise})


def schedule(count: int, openings: int, alone: bool) -> list[Turn]:
    """The games: opening after opening, then another round; both colours, unless A is alone."""
    return [(k % openings, k // openings, player) for k in range(count)
            for player in ((0,) if alone else (0, 1))]


def _job(opening: Position, players: list[Search], turn: Turn, limits: Limits, seed: int,
         longest: int | None, plain: bool) -> Job:
    _, round, player = turn
    return play_job(opening, players[0], players[-1], player, plain=plain,
                    seed=seed_of_round(seed, round), longest=longest, nodes=limits.nodes,
                    time=limits.time, memory=limits.memory_bytes, wall=LONGEST_GAME)


def seed_of_round(seed: int, round: int) -> int:
    """The seed of a round: of the first the match's own, of others one that no match begins with.
    """
    if round == 0:
        return seed
    return int.from_bytes(hashlib.sha256(f"round {seed} {round}".encode()).digest()[:8]) >> 1


def _run(jobs: dict[Turn, Job], workers: int | None, store: str | Path | None, backend: str,
         progress: ProgressCallback | None) -> tuple[Any, ...]:
    """Play what is not in the store yet, and what failed; the rows by digest, how many games were
    played, and notes."""
    began = clock.monotonic()
    wanted = {job.digest: job for job in jobs.values()}
    hired = hire(max(job.memory for job in wanted.values()), workers, backend)
    opened = Store(store or IN_MEMORY)
    opened.begin("match", "", {**environment(), "workers": hired.count, "backend": hired.name})
    before = opened.rows(wanted)
    # Games from an archive without positions have no moves: they are played again.
    failed = {digest for digest, row in before.items() if "moves" not in row.get("played", ())}
    opened.forget(failed)
    pool = Workers(opened, hired, progress, began)
    interrupted = False
    try:
        pool.run("games", wanted)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        hired.crew.close()
        opened.end()
    rows = opened.rows(wanted)
    opened.close()
    ran = sum("played" in row for row in rows.values()) - (len(before) - len(failed))
    return rows, ran, clock.monotonic() - began, interrupted, hired.notes


def _game(turn: Turn, opening: Position, game: dict[str, Any], value: str) -> MatchGame:
    kept = ("moves", "opening", "outcome", "how", "nodes", "seconds")
    return MatchGame(turn=turn, start=opening.origin, value=value,
                     **{name: game[name] for name in kept})
