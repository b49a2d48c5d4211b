"""What every game must do, whatever it is: each check takes a Subject and asserts.

A game is compared with its slow twin along random games from fixed seeds. A new game is added in
``games_under_test`` and needs no test of its own for any of this.
"""

import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

from zermelo.checks.knowledge import alike
from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.board import playout_of, playouts_of, scratch_for, states_array
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import OUTCOMES, Rules
from zermelo.errors import BadMove, BadPosition

RUBBISH = ("", " ", "rubbish", "-1", "0x1", "\u00e9", "1.5", "\0", "a" * 500, "9" * 5000)
FAST = jit_enabled()


@dataclass(frozen=True, eq=False)
class Subject:
    """A game and its twin, and how much of them to look at."""

    game: Game
    twin: Any
    perft: int
    walks: int = 12
    plies: int | None = None  # where random games may go on for ever: how far to follow them

    def __str__(self) -> str:
        changed = "-".join(f"{key}{value}" for key, value in self.game.changed.items())
        return f"{self.game.name}-{changed}" if changed else self.game.name


Seen = tuple[Position, Any]


@cache
def walks(subject: Subject) -> list[list[Seen]]:
    """Random games from the start to the end: position and the twin's state at every ply."""
    chance = random.Random(20190)
    games = []
    for _ in range(subject.walks if FAST else 3):
        position, state = subject.game.start(), subject.twin.start()
        game = [(position, state)]
        while position.outcome is None and (subject.plies is None or len(game) <= subject.plies):
            move = chance.choice(position.moves())
            position, state = position.play(move), subject.twin.play(state, move)
            game.append((position, state))
            assert len(game) <= subject.game.rules.max_length + 1
        games.append(game)
    return games


def seen(subject: Subject) -> list[Seen]:
    """All positions of the random games."""
    return [pair for game in walks(subject) for pair in game]


@cache
def broad(subject: Subject, most: int = 2400) -> list[Seen]:
    """Positions near the start and on from the middle of a game, with all their transpositions."""
    found: list[Seen] = []
    walk = walks(subject)[0]
    for root in (walk[0], walk[len(walk) // 3], walk[len(walk) // 2]):
        level, room = [root], (most if FAST else 90) // 3
        while level and room > 0:
            found += level
            different = list({state: (position, state) for position, state in level}.values())
            room -= len(different)
            level = list(islice(successors(subject, different), max(0, 2 * room)))
    return found


def successors(subject: Subject, level: list[Seen]) -> Iterator[Seen]:
    """What one move leads to from each of these."""
    for position, state in level:
        for code, name in zip(position.codes(), position.moves(), strict=True):
            yield position.play_code(code), subject.twin.play(state, name)


def check_rules(subject: Subject) -> None:
    """Moves, their order, mover and outcome are the twin's at every ply."""
    twin = subject.twin
    for position, state in seen(subject):
        over = twin.outcome(state)
        assert position.outcome == over, position.text
        assert position.mover == twin.mover(state), position.text
        assert position.to_move == subject.game.players[position.mover]
        assert position.moves() == ([] if over else twin.moves(state)), position.text


def check_end(subject: Subject) -> None:
    """A finished game is a position without moves that still can be read, drawn and hashed."""
    ended = [game for game in walks(subject) if game[-1][0].outcome is not None]
    assert len(ended) == len(walks(subject)) or subject.plies is not None
    for game in ended:
        last = game[-1][0]
        assert last.outcome in ("first", "second", "draw")
        assert last.moves() == last.codes() == []
        assert last.perft(0) == 1
        assert last.perft(1) == last.perft(3) == 0
        with pytest.raises(BadMove, match="the game is over"):
            last.play(game[-2][0].moves()[0])


def check_text(subject: Subject) -> None:
    """Text is read back as the same position, and as the twin's state; rubbish is refused."""
    game, twin = subject.game, subject.twin
    for position, state in seen(subject)[:: 1 if FAST else 7]:
        again = game.parse(position.text)
        assert again == position, position.text
        assert hash(again) == hash(position)
        assert again.text == position.text
        assert again.key() == position.key()
        assert twin.from_position(position) == state, position.text
    assert game.parse("start") == game.parse(" start\n") == game.start()
    for text in (*RUBBISH, "=", "path"):
        with pytest.raises(BadPosition) as caught:
            game.parse(text)
        assert one_sentence(caught.value)


def check_moves(subject: Subject) -> None:
    """Names and codes belong to each other one to one; anything else is refused."""
    game = subject.game
    for position, _ in seen(subject)[:: 1 if FAST else 5]:
        names, codes = position.moves(), position.codes()
        assert len(set(names)) == len(set(codes)) == len(names)
        for name, code in zip(names, codes, strict=True):
            assert game.move_name(position, code) == name
            assert game.parse_move(position, name) == code
            assert game.parse_move(position, f" {name} ") == code
    for position, _ in seen(subject)[::17]:
        for text in set(RUBBISH) - set(position.moves()):
            with pytest.raises(BadMove) as caught:
                position.play(text)
            assert one_sentence(caught.value)
        for code in (-1, 10**6, *(code + 1 for code in position.codes()[-1:])):
            if code not in position.codes():
                with pytest.raises(BadMove, match="not legal here"):
                    position.play_code(code)
        with pytest.raises(BadMove, match="a move is a text"):
            position.play(3)  # type: ignore[arg-type]


def check_refused(game: Game, text: str, sentence: str) -> None:
    """A text is refused with one short sentence that matches, and names the game."""
    with pytest.raises(BadPosition, match=sentence) as caught:
        game.parse(text)
    assert one_sentence(caught.value)
    assert str(caught.value).startswith(f"{game.name}: ")


def one_sentence(error: Exception) -> bool:
    """Is the message a short sentence on one line?"""
    message = str(error)
    return message.endswith(".") and len(message) < 600 and "\n" not in message


def check_play_writes_everything(subject: Subject) -> None:
    """The successor does not depend on what its slot held, and the state itself stays."""
    game = subject.game
    step = game.board._kernel("step")
    for position, _ in seen(subject)[:: 3 if FAST else 11]:
        before = position.state.tobytes()
        for code in position.codes():
            expected = game.board.step(position.state, code)
            for junk in (0x00, 0x5A, 0xFF):
                states = states_array(game.rules, 2)
                states.view(np.uint8)[:] = junk
                states[0] = position.state[0]
                step(game.rules.data, states, code)
                assert same_fields(states[1], expected[0]), (position.text, code, junk)
                assert same_fields(states[0], position.state[0])
        assert position.state.tobytes() == before


def same_fields(one: Any, other: Any) -> bool:
    """Are two states equal, whatever is in their padding?"""
    return all(np.array_equal(one[name], other[name]) for name in other.dtype.names)


def check_keys(subject: Subject) -> None:
    """Equal states have one key, different states different keys, however they were reached."""
    by_state: dict[Any, tuple[int, bytes]] = {}
    for position, state in [*seen(subject), *broad(subject)]:
        entry = (position.key(), position.state.tobytes())
        assert 0 <= entry[0] < 1 << 64
        assert by_state.setdefault(state, entry) == entry, position.text
    assert len({key for key, _ in by_state.values()}) == len(by_state)
    assert len({fields for _, fields in by_state.values()}) == len(by_state)
    assert len(by_state) > (1000 if FAST else 30)


def check_bounds(subject: Subject) -> None:
    """No position has more than max_moves moves, no game more than max_length."""
    rules = subject.game.rules
    assert max(len(position.codes()) for position, _ in seen(subject)) <= rules.max_moves
    assert max(len(game) for game in walks(subject)) <= rules.max_length + 1
    assert all(len(position.codes()) > 0 for game in walks(subject) for position, _ in game[:-1])


def check_symmetry(subject: Subject) -> None:
    """Images have one representative, and a move's image leads to the image of where it leads."""
    game = subject.game
    if game.rules.canonical is None:
        assert all(position.canonical() is position for position, _ in seen(subject)[:5])
        return
    used = set()
    for position, _ in seen(subject)[:: 2 if FAST else 15]:
        folded, k = game.board.canonical(position.state)
        image = Position(game, folded)
        used.add(k)
        assert image.canonical() == image, position.text
        assert (image.mover, image.outcome) == (position.mover, position.outcome)
        back = {code: game.board.move_image(k, code) for code in image.codes()}
        assert sorted(back.values()) == sorted(position.codes())
        for code, original in back.items():
            one = position.play_code(original).canonical()
            other = image.play_code(code).canonical()
            assert one == other, (position.text, code)
            assert one.key() == other.key()
    assert len(used) > 1 or not FAST, "every position met is its own representative"


def check_images_stay_together(subject: Subject) -> None:
    """Two images of one game, played on side by side, have one representative at every ply."""
    game, chance = subject.game, random.Random(5)
    if game.rules.canonical is None:
        return
    for walk in walks(subject):
        for position, _ in walk[1 : 9 if FAST else 3]:
            folded, k = game.board.canonical(position.state)
            image = Position(game, folded)
            while image.outcome is None:
                code = chance.choice(image.codes())
                position = position.play_code(game.board.move_image(k, code))
                image = image.play_code(code)
                assert position.canonical() == image.canonical(), (position.text, image.text)
                assert position.outcome == image.outcome


def check_perft(subject: Subject) -> None:
    """The number of move sequences is the twin's, from the start and from the middle of a game."""
    twin = subject.twin

    @cache
    def slow(state: Any, depth: int) -> int:
        if depth == 0:
            return 1
        if twin.outcome(state) is not None:
            return 0
        return sum(slow(twin.play(state, move), depth - 1) for move in twin.moves(state))

    for walk in walks(subject)[:3]:
        for position, state in (walk[0], walk[len(walk) // 2], walk[-1]):
            for depth in range((subject.perft if FAST else 2) + 1):
                assert position.perft(depth) == slow(state, depth), (position.text, depth)


# Chi-square exceeded by chance once in a million, for 1 and 2 degrees of freedom.
CRITICAL = {1: 23.93, 2: 27.63}


class TooManyStates(Exception):
    """The game from here is too long to be counted out."""


def exact_chances(twin: Any, state: Any, most: int = 400) -> dict[str, float]:
    """How likely each outcome is under random moves, or nothing if that takes too long."""
    known: dict[Any, dict[str, float]] = {}

    def chances(state: Any) -> dict[str, float]:
        if state not in known:
            if len(known) > most:
                raise TooManyStates
            end = twin.outcome(state)
            if end is not None:
                return known.setdefault(state, {end: 1.0})
            moves, total = twin.moves(state), dict.fromkeys(OUTCOMES[1:], 0.0)
            for move in moves:
                for outcome, share in chances(twin.play(state, move)).items():
                    total[outcome] += share / len(moves)
            known[state] = total
        return known[state]

    try:
        return chances(state)
    except TooManyStates:
        return {}


def fits(counts: list[int], expected: list[float]) -> bool:
    """Chi-square of counts against what is expected; outcomes expected 10 times or less share."""
    rare = [i for i, e in enumerate(expected) if e <= 10]
    if any(counts[i] > 0 for i in rare if expected[i] < 1e-9):
        return False
    groups = [[i] for i in range(len(expected)) if i not in rare]
    if len(groups) < 2:
        return sum(counts[i] for i in rare) <= 60
    groups[0] += rare
    pairs = [(sum(counts[i] for i in g), sum(expected[i] for i in g)) for g in groups]
    return sum((c - e) ** 2 / e for c, e in pairs) < CRITICAL[len(groups) - 1]


def check_playout(subject: Subject) -> None:
    """Playouts end as uniformly random moves do: counted out near the end, else as the generic."""
    rules = subject.game.rules
    compared = rules.playout is not None or not rules.cyclic
    n = (20_000 if compared else 500) if FAST else 40
    if subject.plies is not None:  # most playouts run to max_length
        n = 20 if FAST else 2
    playouts = [many_playouts(rules)]
    if rules.playout is not None:
        playouts.append(many_playouts(replace(rules, playout=None)))
    if rules.playouts is not None:
        playouts.append(many_playouts_at_once(rules))
    for walk in walks(subject)[: 3 if FAST else 1]:
        for back in (len(walk), 7, 5, 3):
            position, state = walk[max(0, len(walk) - back)]
            counts = [run(position, 77 + i, n) for i, run in enumerate(playouts)]
            assert all(sum(count) == n and count[0] == 0 for count in counts)
            assert counts[0] == playouts[0](position, 77, n)
            for other in counts[1:]:
                assert alike(counts[0][1:], other[1:]), (position.text, counts)
            counted_out = back <= 7 and not rules.cyclic
            chances = exact_chances(subject.twin, state) if counted_out else {}
            for count in counts if chances else ():
                expected = [n * chances.get(end, 0.0) for end in OUTCOMES[1:]]
                assert fits(count[1:], expected), (position.text, count, expected)


def many_playouts(rules: Rules) -> Callable[[Position, int, int], list[int]]:
    """Counts the outcomes of n playouts from a position, which must stay as it is."""
    playout, scratch = playout_of(rules), scratch_for(rules)

    def count_outcomes(g, states, scratch, n, counts):  # type: ignore[no-untyped-def]
        for _ in range(n):
            counts[playout(g, states[0], scratch.rng, scratch)] += 1

    compiled = kernel(count_outcomes)

    def run(position: Position, seed: int, n: int) -> list[int]:
        states, counts = states_array(rules, 1), np.zeros(4, np.int64)
        states[0] = position.state[0]
        scratch.rng[0] = seed
        compiled(rules.data, states, scratch, n, counts)
        assert same_fields(states[0], position.state[0]), position.text
        return [int(count) for count in counts]

    return run


def many_playouts_at_once(rules: Rules) -> Callable[[Position, int, int], list[int]]:
    """The same for a game that plays many at once: the same games, asked for each outcome."""
    playouts, scratch = playouts_of(rules), scratch_for(rules)

    def count(g, states, scratch, n, won):  # type: ignore[no-untyped-def]
        return playouts(g, states[0], scratch.rng, n, won, scratch)

    compiled = kernel(count)

    def run(position: Position, seed: int, n: int) -> list[int]:
        states, counts = states_array(rules, 1), [0]
        states[0] = position.state[0]
        for won in (1, 2, 3):
            scratch.rng[0] = seed
            counts.append(int(compiled(rules.data, states, scratch, n, won)))
        assert same_fields(states[0], position.state[0]), position.text
        return counts

    return run


def check_pictures(subject: Subject) -> None:
    """Every position can be drawn, for a terminal and for a page."""
    for position, _ in seen(subject)[:: 5 if FAST else 13]:
        assert position.diagram.strip()
        assert position.text in repr(position)
        root = ElementTree.fromstring(position.svg())
        assert root.tag.endswith("svg")
        assert len(list(root.iter())) > 2


CHECKS: list[Callable[[Subject], None]] = [
    check_rules, check_end, check_text, check_moves, check_play_writes_everything, check_keys,
    check_bounds, check_symmetry, check_images_stay_together, check_perft, check_playout,
    check_pictures,
]
