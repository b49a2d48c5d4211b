"""Zones that come out of proofs: answers held against brute force, and zones broken on purpose.

Plain Python, so that broken games need no compiling; the brute-force tests of all searches run the
compiled code with zones, since these are on by default in Hex.
"""

import random
from dataclasses import replace

import pytest
from brute import BruteForce
from certificates import twin_of

import zermelo
from zermelo.checks.check_game import check_game
from zermelo.core.rules import Dependence
from zermelo.errors import BadGame
from zermelo.games.hex.game import Hex
from zermelo.games.k_in_a_row.game import KInARow
from zermelo.kernel.bits import ONE, ZERO
from zermelo.search.base import Task
from zermelo.search.depth_first import zones
from zermelo.search.reasons import UNKNOWN, WON

pytestmark = pytest.mark.usefixtures("without_jit")

SHAPES = [
    {"columns": 3, "rows": 3, "line": 3}, {"columns": 4, "rows": 3, "line": 3},
    {"columns": 4, "rows": 4, "line": 3, "overline": "no-win"},
    {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1},
    {"columns": 5, "rows": 3, "line": 4, "stones": 2, "first": 2},
    {"columns": 4, "rows": 4, "line": 4}, {"columns": 6, "rows": 2, "line": 3},
]


def positions_of(game, count, seed, longest, shortest=0):
    """Ongoing positions after random moves, both players' to move."""
    rng = random.Random(seed)
    while count:
        position = game.start()
        for _ in range(rng.randint(shortest, longest)):
            if position.outcome is None:
                position = position.play_code(rng.choice(position.codes()))
        if position.outcome is None:
            count -= 1
            yield position


def wrong_answers(game, positions, search, enough=1):
    """How many answers brute force does not share; ``enough`` of them will do."""
    brute, wrong = BruteForce(twin_of(game)), 0
    for position in positions:
        if wrong >= enough:
            break
        state = brute.naive.from_position(position)
        for attacker in (0, 1):
            run = search.start(Task(position, attacker, 1 << 20))
            assert run.plan.zones
            while run.status == UNKNOWN:
                run.advance(1 << 20)
            wrong += (run.status == WON) != (brute.for_player(state, attacker) == 1)
    return wrong


def blind(game_class, **changes):
    """A game that sees nothing without a search, so that zones have all the work."""

    class Blind(game_class):
        def define(self):
            rules = super().define()
            return replace(rules, dependence=replace(rules.dependence, sight=None, **{
                name: change(rules.dependence) for name, change in changes.items()}))

    return Blind


@pytest.mark.parametrize("search", [zermelo.WeakDFPN(), zermelo.DFPN()])
@pytest.mark.parametrize("game_class", [Hex, blind(Hex)])
def test_positions_of_hex(search, game_class):
    game = game_class(size=3)
    assert wrong_answers(game, positions_of(game, 15, 1, 6, 3), search) == 0


@pytest.mark.full
def test_all_positions_of_hex_3x3_and_many_of_4x4(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    for game_class in (Hex, blind(Hex)):
        game = game_class(size=3)
        positions, todo = {}, [game.start()]
        while todo:
            position = todo.pop()
            if position.state.tobytes() not in positions and position.outcome is None:
                positions[position.state.tobytes()] = position
                todo += [position.play_code(move) for move in position.codes()]
        positions = list(positions.values())
        assert wrong_answers(game, positions, zermelo.WeakDFPN()) == 0
        game = game_class(size=4)
        late = [p for p in positions_of(game, 6_000, 2, 16) if len(p.codes()) <= 10]
        assert wrong_answers(game, late[:2_000], zermelo.WeakDFPN()) == 0


def k_in_a_row_boards(count, seed):
    """Wrong answers on so many boards of each shape."""
    found = 0
    for shape in SHAPES:
        for game_class in (KInARow, blind(KInARow)):
            game = game_class(**shape)
            late = (p for p in positions_of(game, 50 * count, seed, 12, 5) if len(p.codes()) <= 6)
            found += wrong_answers(game, [next(late) for _ in range(count)],
                                   zermelo.WeakDFPN(zones="on"))
    return found


def test_boards_of_k_in_a_row():
    assert k_in_a_row_boards(4, 3) == 0


@pytest.mark.full
def test_thousands_of_boards_of_k_in_a_row():
    assert k_in_a_row_boards(200, 4) == 0


def _less(zone):
    return zone & (zone - ONE)


BROKEN = {
    "ending without a square": {"ending": lambda d: lambda g, s: _less(d.ending(g, s))},
    "a move has no square": {"move": lambda d: lambda g, move: ZERO},
}


@pytest.mark.quick_cases("a move has no square")
@pytest.mark.parametrize("changes", BROKEN.values(), ids=BROKEN)
def test_a_game_that_says_too_little_is_noticed(changes):
    game = blind(Hex, **changes)(size=3)
    assert wrong_answers(game, positions_of(game, 300, 5, 5, 3), zermelo.DFPN()) > 0
    report = check_game(game)
    assert not report.ok
    assert "dependence" in report.problems[0]


@pytest.mark.long
def test_rivals_matter():
    broken = blind(KInARow, rival=lambda d: lambda g, s, side, plies: ZERO)
    game = broken(**SHAPES[1])
    positions = positions_of(game, 4_000, 6, 7, 4)
    found = 0
    while not found:
        found = wrong_answers(game, [next(positions)], zermelo.DFPN(zones="on"))


def sweeps_all(rules):
    """``sweep_of``, but one refuted move refutes them all."""
    honest = zones.sweep_of_games(rules)

    def sweep(g, stack, depth):
        frame, children = stack.frames[depth], stack.children
        refuted = 2 if frame.mover == stack.control[0].attacker else 1
        for j in range(frame.first, frame.first + frame.count):
            if children[j].status == refuted:
                children[j].zone = ZERO
        honest(g, stack, depth)

    return sweep


def keeps_no_stones(rules):
    """``learn_of``, but a pattern forgets which stones it needs."""
    honest = zones.learn_of_games(rules)

    def learn(g, stack, depth, status, zone):
        honest(g, stack, depth, status, zone)
        stack.patterns[:, :, :, zones.STONES] = 0

    return learn


def forgets_children(rules):
    """``zone_of``, but the zone of a refuted node is empty."""
    honest = zones.zone_of_games(rules)

    def zone(g, stack, depth, status):
        mine = stack.frames[depth].mover == stack.control[0].attacker
        found = honest(g, stack, depth, status)
        return found if (status == WON) == mine else found & ONE

    return zone


@pytest.mark.parametrize(("part", "broken"), [
    ("sweep_of", sweeps_all), ("learn_of", keeps_no_stones), ("zone_of", forgets_children)])
def test_broken_zones_are_noticed(monkeypatch, part, broken):
    monkeypatch.setattr(zones, f"{part}_games", getattr(zones, part), raising=False)
    monkeypatch.setattr(zones, part, broken)
    game = blind(Hex)(size=3)
    assert wrong_answers(game, positions_of(game, 300, 7, 5, 3), zermelo.DFPN()) > 0


def test_what_a_game_may_say():
    dependence = Hex(size=3).rules.dependence
    with pytest.raises(BadGame, match=r"dependence\.move must be a function, not '3'"):
        replace(dependence, move=3).check("mine", False)
    with pytest.raises(BadGame, match="squares='65' must be a whole number from 1 to 64"):
        replace(dependence, squares=65).check("mine", False)
    with pytest.raises(BadGame, match="this one is cyclic"):
        dependence.check("mine", True)
    assert isinstance(dependence, Dependence)


def test_stones_and_squares_are_checked():
    def swapped(d):
        return lambda g, s, side: d.stones(g, s, 1 - side)

    game = blind(Hex, stones=swapped)(size=3)
    assert "must put one stone of its mover" in check_game(game).problems[0]
    game = blind(Hex, ending=lambda d: lambda g, s: ZERO)(size=3)
    assert "squares of the winner's stones" in check_game(game).problems[0]


def test_zones_are_an_option():
    position = Hex(size=3).start()
    for zones_option, used in (("auto", True), ("on", True), ("off", False)):
        run = zermelo.DFPN(zones=zones_option).start(Task(position, 0, 1 << 20))
        assert run.plan.zones == used
    plain = zermelo.DFPN().start(Task(position, 0, 1 << 20, plain=True))
    assert not plain.plan.zones
    board = KInARow(columns=3, rows=3, line=3).start()
    assert not zermelo.DFPN().start(Task(board, 0, 1 << 20)).plan.zones
