"""match(): two searches play each other from many openings, on all cores.

Each game is a job of the lab: it runs in a process of its own, and with a ``store`` it is kept as
soon as it is finished, so that the same call continues where the last one ended.

Openings are positions after random moves, all different, the most even ones of several. Even means
that a small search finds it so: where the game has an evaluation, the value by ``pvs`` is near 0;
where it has none, no side is known to win. Every opening is played with both colours, so that one
which is not even costs games, not fairness.

The result is in points and Elo, with an interval. Games from one opening are not independent: an
opening that favours one side gives a point to each search, so that two such games say less, and a
mirrored pair more, than two games of their own. So the unit is the opening: its games have a mean,
and the interval is that of the mean of these.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadOption, check_whole, counted, quoted
from zermelo.jobs.job import Job, play_job, with_options
from zermelo.jobs.store import Store
from zermelo.jobs.workers import ProgressCallback, at_work
from zermelo.playing import LONGEST_GAME
from zermelo.search.base import Search
from zermelo.search.registry import SEARCHES, check_fit, chosen_search
from zermelo.solving.result import Limits
from zermelo.solving.solve import solve

LOOK_NODES, LOOK_MEMORY = 10_000, 1 << 26
MOST_TRIES = 100
PLIES, BALANCE = 4, 4


def random_openings(game: Game, count: int, *, plies: int = PLIES, seed: int = 0,
                    balance: int = BALANCE) -> list[Position]:
    """Up to ``count`` openings of ``plies`` moves: the most even of ``balance`` times as many.

    Mirror images count as one. A small game may have fewer.
    """
    check_whole("openings", count, 1)
    check_whole("plies", plies, 0)
    check_whole("balance", balance, 1)
    found = _candidates(game, count * balance, plies, seed)
    if not found:
        raise BadOption(f"{game.name}: found no unfinished position after {plies} random moves in "
                        f"{MOST_TRIES} tries; take fewer plies.")
    if len(found) <= count:
        return found
    tilts = [imbalance(position) for position in found]
    chosen = sorted(range(len(found)), key=lambda i: tilts[i])[:count]
    return [found[i] for i in sorted(chosen)]


def _candidates(game: Game, count: int, plies: int, seed: int) -> list[Position]:
    """Different unfinished positions; each has a generator of its own."""
    found: dict[Position, Position] = {}
    for number in range(count):
        chance = random.Random(f"opening {seed} {number}")
        for _ in range(MOST_TRIES):
            position = random_walk(game.start(), plies, chance)
            if position is not None and position.canonical() not in found:
                found[position.canonical()] = position
                break
        else:
            break
    return list(found.values())


def random_walk(position: Position, plies: int, chance: random.Random) -> Position | None:
    """Return ``position`` after this many random moves, or None if the game ends on the way."""
    for _ in range(plies):
        if position.outcome is not None:
            return None
        position = position.play_code(chance.choice(position.codes()))
    return position if position.outcome is None else None


def imbalance(position: Position) -> float:
    """Return how uneven a small search finds the position; infinite where a win is proved."""
    evaluated = position.game.rules.evaluate is not None
    result = solve(position, "pvs" if evaluated else None, nodes=LOOK_NODES, memory=LOOK_MEMORY)
    if result.stopped == "interrupted":
        raise KeyboardInterrupt
    if result.proved:
        return 0.0 if result.value == "draw" else math.inf
    points = result.root.get("estimate") if evaluated else 0
    return math.inf if points is None else float(abs(points))


Z = 1.959964  # 97.5 % of a normal distribution
POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True)
class Score:
    """A score from A's side; ``low`` and ``high`` bound the expected share of points by 95 %."""

    won: int
    drawn: int
    lost: int
    units: int
    share: float
    low: float
    high: float

    @property
    def games(self) -> int:
        """Games that count."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A game won is 1, a draw 1/2."""
        return self.won + self.drawn / 2

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo points, and its bounds."""
        return elo(self.share), elo(self.low), elo(self.high)

    def to_dict(self) -> dict[str, Any]:
        """Return the object as in the JSON output."""
        shown = [_number(x) for x in self.elo]
        return {"won": self.won, "drawn": self.drawn, "lost": self.lost, "games": self.games,
                "units": self.units, "points": self.points, "share": round(self.share, 6),
                "interval": [round(self.low, 6), round(self.high, 6)],
                "elo": shown[0], "elo_interval": shown[1:]}


def _number(x: float) -> float | str:
    return round(x, 1) if math.isfinite(x) else "inf" if x > 0 else "-inf"


def elo(share: float) -> float:
    """The Elo difference at which this share of the points is expected."""
    if share <= 0 or share >= 1:
        return math.inf if share >= 1 else -math.inf
    return 400 * math.log10(share / (1 - share))


def score_of(units: Sequence[Sequence[str]]) -> Score | None:
    """The score of games, given as values for A ("win", "draw", "loss"), a list for each opening.

    None where there are no games.
    """
    games = [value for unit in units for value in unit]
    if not games:
        return None
    won, drawn, lost = (games.count(value) for value in ("win", "draw", "loss"))
    counted = [(sum(POINTS[value] for value in unit), len(unit)) for unit in units if unit]
    low, high = interval(counted)
    return Score(won, drawn, lost, len(counted), (won + drawn / 2) / len(games), low, high)


def interval(units: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """95 % bounds of the share of points, given points and games of each opening, by Student's t.

    The share is a ratio of sums; its variance is that of points - share * games, as usual for units
    of unequal size. Where that is 0, the spread is of no use: then Wilson's bounds for as many
    openings, as if all were won or lost, which varies most.
    """
    n, games = len(units), sum(size for _, size in units)
    mean = sum(points for points, _ in units) / games
    spread = sum((points - mean * size) ** 2 for points, size in units)
    variance = spread / (n - 1) / (games / n) ** 2 if n > 1 else 0.0
    if variance > 0:
        wide = student(n - 1) * math.sqrt(variance / n)
        return max(0.0, mean - wide), min(1.0, mean + wide)
    centre = (mean + Z * Z / (2 * n)) / (1 + Z * Z / n)
    wide = Z / (1 + Z * Z / n) * math.sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n))
    return max(0.0, centre - wide) if mean > 0 else 0.0, centre + wide if mean < 1 else 1.0


def student(freedom: int) -> float:
    """97.5 % of Student's t; from 6 degrees of freedom by Fisher and Cornish's series."""
    exact = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706}
    if freedom in exact:
        return exact[freedom]
    v, z = float(freedom), Z
    return (z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3))


Turn = tuple[int, int, int]  # the opening's number, the round, the player that A is


@dataclass(frozen=True)
class MatchGame:
    """A game of a match: from which opening, as which player A played, and how it went.

    ``moves`` are all since the ``start`` that was set up, the first ``opening`` of them given.
    ``value`` is that for A; ``nodes`` and ``seconds`` are for the first and the second player.
    """

    turn: Turn
    start: Position
    moves: list[str]
    opening: int
    outcome: str
    how: str
    value: str
    nodes: list[int]
    seconds: list[float]

    def to_dict(self) -> dict[str, Any]:
        """Return the object as in the JSON output."""
        facts = {item.name: getattr(self, item.name) for item in fields(self)}
        number, round, player = facts.pop("turn")
        return {"number": number, "round": round, "player": player, **facts,
                "start": self.start.text}


@dataclass(frozen=True)
class Match:
    """The result of a match; ``b`` is None where A played itself, once from each opening.

    ``turns`` are the games that there were to be, ``failed`` why some could not be played.
    """

    game: Game
    a: Search
    b: Search | None
    limits: Limits
    seed: int
    turns: list[Turn]
    games: list[MatchGame]
    failed: list[str]
    ran: int
    seconds: float
    interrupted: bool
    notes: list[str]

    @property
    def score(self) -> Score | None:
        """The score of A, over the openings whose games have all been played."""
        due: dict[int, int] = {}
        for number, _, _ in self.turns:
            due[number] = due.get(number, 0) + 1
        units: dict[int, list[str]] = {}
        for game in self.games:
            units.setdefault(game.turn[0], []).append(game.value)
        return score_of([unit for number, unit in units.items() if len(unit) == due[number]])

    @property
    def complete(self) -> bool:
        """True if all games were played."""
        return len(self.games) == len(self.turns)

    def outcomes(self) -> dict[str, int]:
        """Return the numbers of games that the first player won, the second won, and drawn ones."""
        return {end: sum(game.outcome == end for game in self.games)
                for end in ("first", "second", "draw")}

    def ended(self, how: str) -> int:
        """Return the number of games that ended by ``repetition`` or ``length``."""
        return sum(game.how == how for game in self.games)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that ``zermelo match --json`` prints."""
        score = self.score
        return {
            "game": self.game.name, "parameters": self.game.changed,
            "a": {"search": self.a.id, "options": self.a.options},
            "b": None if self.b is None else {"search": self.b.id, "options": self.b.options},
            "nodes": self.limits.nodes, "time": self.limits.time, "seed": self.seed,
            "total": len(self.turns), "done": len(self.games), "failed": self.failed,
            "interrupted": self.interrupted, "outcomes": self.outcomes(),
            "by_repetition": self.ended("repetition"), "by_length": self.ended("length"),
            "score": None if score is None or self.b is None else score.to_dict(),
        }


MEMORY = "256MB"
IN_MEMORY = ":memory:"
SEEDS = 1 << 63
PLAYED = ("moves", "opening", "outcome", "how", "nodes", "seconds")  # of a game, in its row


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
        games=[MatchGame(turn=turn, start=openings[turn[0]].origin, value=row["value"],
                         **{name: row["played"][name] for name in PLAYED})
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
    wanted = {job.digest: job for job in jobs.values()}
    opened = Store(store or IN_MEMORY)
    before = opened.rows(wanted)
    # Games from an archive without positions have no moves: they are played again.
    failed = {digest for digest, row in before.items() if "moves" not in row.get("played", ())}
    with at_work(opened, "match", max(job.memory for job in wanted.values()), workers=workers,
                 backend=backend, progress=progress) as pool:
        opened.forget(failed)
        pool.run("games", wanted)
    rows = opened.rows(wanted)
    opened.close()
    ran = sum("played" in row for row in rows.values()) - (len(before) - len(failed))
    return rows, ran, pool.seconds, pool.interrupted, pool.hired.notes
