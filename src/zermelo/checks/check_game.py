"""check_game(): look for the mistakes that a game can have, and say where they are.

First the rules run as plain Python on watched states (``checks.watched``), which finds wrong
indices and numbers without harm. Only if that goes well they are compiled, compared with the plain
ones, and put through many more random games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import numpy as np

from zermelo.checks.agree import check_agreement, check_allocation, check_key_type
from zermelo.checks.checked import remember_check
from zermelo.checks.dependence import check_dependence
from zermelo.checks.extras import check_some_moves, check_symmetry
from zermelo.checks.findings import Findings, lost_without_a_move
from zermelo.checks.keys import Keys
from zermelo.checks.knowledge import CLAIMS, check_knowledge, check_same_claims, check_truth
from zermelo.checks.machine import Machine
from zermelo.checks.plain import PlainChecks
from zermelo.checks.playouts import check_plain_playouts, check_playouts, with_choice
from zermelo.checks.shape import check_shape
from zermelo.checks.text import check_words
from zermelo.checks.walk import Look, Walk
from zermelo.core.first_look import hint
from zermelo.core.game import Game
from zermelo.core.object_game import ObjectGame
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING
from zermelo.core.watched import State, Watched
from zermelo.errors import ZermeloError, counted
from zermelo.kernel.jit import jit_enabled

PLAIN_POSITIONS, COMPILED_POSITIONS = 6, 40  # at most, for each game to be played
NEAR_POSITIONS = 1_500
SAMPLE, SMALL = 60, 1_000
LONGEST_GAME = 60  # moves that are shown
KNOWLEDGE = ("estimate", "cannot_win", "foreseen", "remaining", "finish", "score", "evaluate",
             "in_check", "categories")


@dataclass
class GameReport:
    """What was wrong, a sentence each, what was checked, and a game to look at.

    No check can know who ought to win. ``sample`` is a short random game with its last position and
    its winner, for a person who knows the rules.
    """

    problems: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    sample: str = ""

    @property
    def ok(self) -> bool:
        """No mistake was found."""
        return not self.problems


def check_game(game: Game | Callable[[], Game], start: Position | str | None = None,
               games: int = 100, seed: int = 0) -> GameReport:
    """Play ``games`` random games from ``start`` and look for mistakes in the definition.

    ``game`` may be a class or a function that makes the game: then what goes wrong in ``define`` is
    part of the report. ``start`` is a position or its text, the initial position unless given.
    """
    made: Game | None = None
    try:
        made = game if isinstance(game, Game) else game()
        if not isinstance(made, Game):
            return GameReport([f"{made!r} is not a zermelo.Game."])
        state = _start_state(made, start)
    except ZermeloError as error:
        return GameReport([str(error).replace(f"; {hint(made)}", "") if made else str(error)])
    except Exception as error:
        return GameReport([f"making the game or its start raises {type(error).__name__}: {error}."])
    if isinstance(made, ObjectGame):
        return _check_plain(made, Position(made, state), games, seed)
    findings = Findings(made)
    checker = _Checker(made, state, games, seed, findings)
    checker.run()
    if not findings.found:
        remember_check(made)
    return GameReport(findings.sentences(), checker.checks, checker.sample)


def _check_plain(game: ObjectGame, start: Position, games: int, seed: int) -> GameReport:
    """The same for a game in plain Python."""
    checks = PlainChecks(game, games, seed)
    if start.outcome is not None:
        return GameReport([f"the game is over at its start {start.text!r}, so nothing could be "
                       "checked; give another position."])
    checks.run(start)
    if not checks.found:
        remember_check(game)
    return GameReport(list(checks.found.values()), checks.checks,
                  "" if checks.found else checks.sample)


def _start_state(game: Game, start: Position | str | None) -> State:
    position = game.parse(start) if isinstance(start, str) else start or game.start()
    if not isinstance(position, Position):
        raise TypeError(f"start() returns {position!r}, not a Position")
    return np.array(position.state)


class _Checker:
    """The checks, from the harmless to those that trust the rules."""

    def __init__(self, game: Game, start: State, games: int, seed: int,
                 findings: Findings) -> None:
        self.game, self.rules, self.start = game, game.rules, start
        self.games, self.seed, self.findings = games, seed, findings
        self.checks: list[str] = []
        self.sample = ""
        self.keys = Keys(game.rules, findings)

    def run(self) -> None:
        """All checks, as far as they can be made."""
        functions = check_shape(self.game, self.findings)
        self.checks.append(f"the definition: {len(self.rules.dtype.names or ())} fields, "
                           f"{functions} functions")
        if self.findings.fatal:
            return
        plain = self._plain()
        if not self.findings.fatal:
            self._compiled(plain)

    def _plain(self) -> list[Look]:
        """Random games in plain Python, and the optional functions there."""
        walk = Walk(Watched(self.rules), self.findings, self.keys)
        walk.run(self.start, self.games, PLAIN_POSITIONS * self.games, Random(self.seed))
        looks = list(walk.looks.values())
        if looks and looks[0].outcome != ONGOING:
            self.findings.add("start", "the game is over at its start {at}, so nothing else could "
                              "be checked; define start(), or give another position.", self.start,
                              fatal=True)
        if self.findings.fatal:
            return looks
        self.checks.append(f"plain Python: {counted(walk.games, 'random game')}, "
                           f"{counted(walk.positions, 'position')}")
        few = sample(looks, SAMPLE)
        self._optional(walk, sample(looks, SAMPLE // 4), "")
        check_plain_playouts(self.rules, sample(with_choice(looks), 5), self.findings)
        if self.rules.dependence is not None and not self.findings.found:
            ended = check_dependence(self.rules, self.start, Random(self.seed), self.findings)
            self.checks.append(f"dependence: {counted(ended, 'finished game')} again with other "
                               "stones")
        flipped = self.keys.check_mover(walk.rule, [look.state for look in few])
        if flipped:
            self.checks.append(f"the key tells who moves: {flipped} states with the other mover")
        return looks

    def _compiled(self, plain: list[Look]) -> None:
        """The same and more in machine code."""
        machine = Machine(self.rules)
        walk = Walk(machine, self.findings, self.keys)
        agreed = check_agreement(walk, plain)
        if self.findings.fatal:
            return
        check_key_type(machine, self.findings)
        if agreed:
            self.checks.append(f"compiled code agrees with plain Python on "
                               f"{counted(agreed, 'position')}")
        most = COMPILED_POSITIONS * self.games if jit_enabled() else 1
        walk.run(self.start, self.games, most, Random(self.seed + 1))
        looks = list(walk.looks.values())
        roots = [look.state for look in sample(looks, 3)]
        near = walk.spread(roots, NEAR_POSITIONS if jit_enabled() else SAMPLE)
        if self.findings.fatal:
            return
        self.checks.append(f"compiled code: {counted(walk.games, 'random game')}, "
                           f"{counted(walk.positions, 'position')}, "
                           f"and {counted(near, 'position')} near one another")
        self.checks.append(f"keys: {counted(len(self.keys.owner), 'different position')}")
        if walk.stuck:
            self.checks.append(f"{lost_without_a_move(walk.stuck)}")
        few = sample(looks, SAMPLE)
        self._optional(walk, few, " compiled")
        self._knowledge(walk, looks, plain)
        self._playouts(looks)
        if not self.findings.found and check_allocation(self.rules, plain[0], self.findings):
            self.checks.append("memory: none is allocated by the rules")
        if not self.findings.fatal:
            count = check_words(self.game, few, self.findings)
            self.checks.append(f"text: {counted(count, 'position')} and "
                               f"{'its' if count == 1 else 'their'} moves written and read back")
        if not self.findings.found and walk.sample is not None:
            self.sample = sample_game(self.game, self.start, *walk.sample)

    def _optional(self, walk: Walk, looks: list[Look], how: str) -> None:
        """Symmetries, forced moves and other knowledge, where the game has them."""
        if self.rules.canonical is not None and check_symmetry(walk, looks):
            self.checks.append(f"symmetries{how}: {counted(len(looks), 'position')}")
        going_on = [look for look in looks if look.outcome == ONGOING]
        for part, name in (("forced", "forced moves"), ("candidates", "candidates"),
                           ("captures", "captures")):
            there = getattr(self.rules, part) is not None and not self.findings.fatal
            if there and check_some_moves(walk, going_on, part):
                self.checks.append(f"{name}{how}: {counted(len(going_on), 'position')}")
        known = [part for part in KNOWLEDGE if getattr(self.rules, part) is not None]
        if known and not self.findings.fatal:
            over = [look for look in walk.looks.values() if look.outcome != ONGOING]
            ended = sample(over, SAMPLE) if self.rules.score is not None else []
            if check_knowledge(walk, going_on + ended):
                self.checks.append(f"{', '.join(known)}{how}: "
                                   f"{counted(len(going_on + ended), 'position')}")

    def _knowledge(self, walk: Walk, looks: list[Look], plain: list[Look]) -> None:
        """What the game claims to know, against plain Python and against exhaustive search."""
        if not self.findings.fatal:
            check_same_claims(Watched(self.rules), walk, sample(plain, SAMPLE))
        claims = [part for part in CLAIMS if getattr(self.rules, part)]
        if claims and not self.rules.cyclic and not self.findings.found:
            going_on = [look for look in looks if look.outcome == ONGOING]
            settled = check_truth(walk, sample(going_on, SMALL))
            self.checks.append(f"{' and '.join(claims)} against exhaustive search: {settled} "
                               "positions")

    def _playouts(self, looks: list[Look]) -> None:
        """The game's own playouts against random moves."""
        few, own = sample(with_choice(looks), 6), (self.rules.playout, self.rules.playouts)
        if own != (None, None) and few and not self.findings.fatal:
            count = check_playouts(self.rules, few, self.seed, self.findings)
            if count:
                self.checks.append(f"playouts from {counted(count, 'position')} are like "
                                   "random moves")


def sample_game(game: Game, start: State, moves: list[int], end: Look) -> str:
    """A game in words: its moves, its last position, and who has won by the rules."""
    position, names = Position(game, np.array(start)), []
    for move in moves:
        names.append(game.move_name(position, move))
        position = position.play_code(move)
    if len(names) > LONGEST_GAME:
        names[LONGEST_GAME // 2 : -LONGEST_GAME // 2] = ["..."]
    won = "a draw" if end.outcome == DRAW else f"{game.players[end.outcome - FIRST_WINS]} has won"
    return (f"a random game, for you to judge: {' '.join(names)}\n{game.diagram(position)}\n"
            f"by the rules: {won}")


def sample(looks: list[Look], most: int) -> list[Look]:
    """At most ``most`` of ``looks``, evenly spread, the first among them."""
    step = -(-len(looks) // most) if looks else 1
    return looks[::step]
