"""What a game offers besides its rules: are the numbers what they must be, and is it true?

``forced``, ``cannot_win``, ``foreseen`` and ``finish`` are held against exhaustive search wherever
that comes to an end soon; it is compiled like the rules, so that thousands of positions can be
compared. In a cyclic game a value may depend on the way to a position, so only the form is checked
there. Playouts must end, keep the state, and draw moves as evenly as they should.

What a win depends on is checked by random games in plain Python. Each stone must be where its move
says, and every empty square a move. Then each finished game is played again with other stones: the
winner gets the squares of the win, and everybody else goes anywhere outside them. However that
goes, the same player must win as soon as these squares are taken, unless the game has ended before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from zermelo.checks.walk import HINT, Findings, RandomGames, StateLook, identity
from zermelo.compiler.jit import core_of, jit_enabled, kernel
from zermelo.core.board import Scratch, moves_array, playout_of, scratch_for, states_array
from zermelo.core.rules import DRAW, FIRST_WINS, MOST_POINTS, NO_MOVE, ONGOING, SECOND_WINS, Rules
from zermelo.core.watched import (
    RuleTimeout,
    State,
    Watched,
    Wrong,
    differing,
    line_of,
    whole,
    within,
    without_padding,
)

UNSETTLED = 2
DEEPEST = 64
NEXT, COUNT, LOW, HIGH, MOVER = 0, 1, 2, 3, 4  # columns of `frames`


class ExactValues:
    """Values of positions of one game, for the first player: 1, 0 or -1; None beyond a budget."""

    def __init__(self, rules: Rules) -> None:
        levels = min(DEEPEST, rules.max_length + 2)
        self.rules, self.spent = rules, 0
        self.states = states_array(rules, levels)
        self.lists = np.zeros((levels, len(moves_array(rules))), np.int32)
        self.frames = np.zeros((levels, 5), np.int64)
        self.run = kernel(search_of(rules))

    def value(self, state: State, budget: int) -> int | None:
        """The value of ``state``, by looking at no more than ``budget`` positions."""
        self.states[0] = state[0]
        with np.errstate(all="ignore"):
            value, seen = self.run(
                self.rules.data, self.states, self.lists, self.frames, budget)
        self.spent += int(seen)
        return None if value == UNSETTLED else int(value)


def search_of(rules: Rules) -> Any:
    """``search(g, states, lists, frames, budget) -> (value, positions seen)``: alpha-beta."""
    moves, play, mover, outcome = rules.moves, rules.play, rules.mover, rules.outcome

    def enter(g, states, lists, frames, level):
        """The value of the state at ``level`` if the game is over, else UNSETTLED."""
        s = states[level]
        end = outcome(g, s)
        if end == DRAW:
            return 0
        if end != ONGOING:
            return 1 if end == FIRST_WINS else -1
        n, side = moves(g, s, lists[level]), mover(g, s)
        if n == 0:
            return 2 * side - 1
        frames[level, NEXT], frames[level, COUNT], frames[level, MOVER] = 0, n, side
        return UNSETTLED

    def search(g, states, lists, frames, budget):
        level, seen = 0, 1
        frames[0, LOW], frames[0, HIGH] = -1, 1
        value = enter(g, states, lists, frames, 0)
        while True:
            low, high, i = frames[level, LOW], frames[level, HIGH], frames[level, NEXT]
            if value == UNSETTLED and (low >= high or i == frames[level, COUNT]):
                value = low if frames[level, MOVER] == 0 else high
            if value != UNSETTLED:
                if level == 0:
                    return value, seen
                level -= 1
                if frames[level, MOVER] == 0:
                    frames[level, LOW] = max(frames[level, LOW], value)
                else:
                    frames[level, HIGH] = min(frames[level, HIGH], value)
                value = UNSETTLED
                continue
            if seen >= budget or level + 1 == len(frames):
                return UNSETTLED, seen
            frames[level, NEXT] = i + 1
            play(g, states[level], lists[level, i], states[level + 1])
            level, seen = level + 1, seen + 1
            frames[level, LOW], frames[level, HIGH] = low, high
            value = enter(g, states, lists, frames, level)

    return search


ABOUT_ONGOING = ("estimate", "remaining", "cannot_win", "foreseen", "finish", "evaluate",
                 "in_check")
ABOUT_SIDES = ("cannot_win", "foreseen")
CLAIMS = ("forced", "cannot_win", "foreseen", "finish")
EACH, ALTOGETHER = (20_000, 3_000_000) if jit_enabled() else (300, 4_000)  # positions looked at
WORDS = {1: "wins", 0: "draws", -1: "loses"}


def check_knowledge(walk: RandomGames, looks: list[StateLook]) -> int:
    """``estimate``, ``remaining``, ``cannot_win``, ``foreseen``, ``finish``, ``evaluate``,
    ``in_check``, ``score`` and ``categories`` give what they must."""
    for look in looks:
        try:
            _check_form(walk, look)
        except Wrong as wrong:
            walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
            return 0
    return len(looks)


def claims(walk: RandomGames, look: StateLook) -> dict[str, Any]:
    """Return what the optional functions say about a state."""
    rules, known = walk.rules, walk.rule.known
    if look.outcome != ONGOING:
        over = rules.score is not None and walk.rule.outcome(look.state) != ONGOING
        return {"score": known("score", look.state)} if over else {}
    said: dict[str, Any] = {}
    for part in ABOUT_ONGOING:
        if getattr(rules, part) is not None:
            sides = ((0,), (1,)) if part in ABOUT_SIDES else ((),)
            said[part] = [known(part, look.state, *side) for side in sides]
    if rules.categories is not None:
        said["categories"] = walk.rule.categories(look.state, look.codes)
    return said


def _check_form(walk: RandomGames, look: StateLook) -> None:
    how, said = walk.rule.how, claims(walk, look)
    for estimate in said.get("estimate", ()):
        pair = estimate if isinstance(estimate, tuple) and len(estimate) == 2 else ()
        if not pair or any((whole(part) or 0) < 1 for part in pair):
            raise Wrong("estimate", f"estimate returns {_shown(estimate)}{how}; it must be two "
                                    "whole numbers of at least 1, at {at}.")
    valid: dict[str, tuple[Callable[[int], bool], str]] = {
        "remaining": (lambda plies: plies >= 0, "a whole number from 0"),
        "cannot_win": (lambda answer: answer in (0, 1), "True or False"),
        "in_check": (lambda answer: answer in (0, 1), "True or False"),
        "foreseen": (lambda sight: sight in (-1, 0, 1), "1, 0 or -1"),
        "finish": (lambda move: move in (NO_MOVE, *look.codes), "a legal move or NO_MOVE"),
        "evaluate": (lambda points: abs(points) <= MOST_POINTS,
                     f"a whole number from {-MOST_POINTS:,} to {MOST_POINTS:,}"),
    }
    for part, (fits, wanted) in valid.items():
        for answer in said.get(part, ()):
            number = whole(answer)
            if number is None or not fits(number):
                raise Wrong(part, f"{part} returns {_shown(answer)}{how}; it must be {wanted}, at "
                                  "{at}.")
    names = walk.rules.category_names
    for kind in said.get("categories", ()):
        if not 0 <= kind < len(names):
            raise Wrong("categories", f"categories gives a move the category {kind}{how}; there "
                                      f"are {len(names)}, from 0, at {{at}}.")
    if "score" in said:
        _check_score(walk, look, said["score"])


def _check_score(walk: RandomGames, look: StateLook, score: Any) -> None:
    rules, number = walk.rules, whole(score)
    if number is None:
        raise Wrong("score", f"score returns {_shown(score)}{walk.rule.how}, not a whole number, "
                             "at {at}.")
    sign = {FIRST_WINS: 1, SECOND_WINS: -1}.get(look.outcome, 0)
    if (number > 0) - (number < 0) != sign:
        wanted = {1: "above 0, for the first player has won", 0: "0, for it is a draw",
                  -1: "below 0, for the second player has won"}[sign]
        raise Wrong("score", f"score returns {number}; it must be {wanted}, at {{at}}.")
    if abs(number) > rules.max_score:
        raise Wrong("score", f"score returns {number}, but max_score is {rules.max_score}, at "
                             "{at}.")
    if (rules.max_score - number) % rules.score_step:
        raise Wrong("score", f"score returns {number}, which does not differ from max_score="
                             f"{rules.max_score} by a multiple of score_step={rules.score_step}, "
                             "at {at}.")


def _shown(value: Any) -> str:
    """A number or a tuple of numbers without NumPy's type names."""
    if isinstance(value, tuple):
        return f"({', '.join(_shown(part) for part in value)})"
    return repr(value.item() if isinstance(value, np.generic) else value)


def check_same_claims(plain: Watched, walk: RandomGames, looks: list[StateLook]) -> None:
    """The compiled functions say what the plain ones do."""
    watched = RandomGames(plain, walk.findings, walk.keys)
    for look in looks:
        try:
            before, after = claims(watched, look), claims(walk, look)
        except Wrong as wrong:
            walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
            return
        for part, said in before.items():
            if said != after[part]:
                walk.findings.add(
                    f"{part} differs", f"{part} gives {_told(said)} as plain Python but "
                    f"{_told(after[part])} compiled, at {{at}}; {HINT}.", look.state)


def _told(said: Any) -> str:
    return ", ".join(_shown(part) for part in said) if isinstance(said, list) else _shown(said)


def check_truth(walk: RandomGames, looks: list[StateLook]) -> int:
    """``forced``, ``cannot_win``, ``foreseen`` and ``finish`` against exact values; on how many
    positions."""
    values, settled = ExactValues(walk.rules), 0
    for look in looks:
        value = values.value(look.state, EACH) if values.spent < ALTOGETHER else None
        if value is None:
            continue
        settled += 1
        try:
            if walk.rules.forced is not None:
                _check_forced_value(walk, values, look, value if look.mover == 0 else -value)
            if walk.rules.cannot_win is not None:
                _check_winner(walk, look, value)
            if walk.rules.foreseen is not None:
                _check_foreseen(walk, look, value)
            if walk.rules.finish is not None:
                _check_finish(walk, values, look)
        except Wrong as wrong:
            walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
            break
    return settled


def _check_winner(walk: RandomGames, look: StateLook, value: int) -> None:
    """Nobody says that the winner does not win."""
    winner = 0 if value > 0 else 1
    if value != 0 and walk.rule.known("cannot_win", look.state, winner):
        name = ("first", "second")[winner]
        raise Wrong("cannot_win", f"cannot_win says that the {name} player does not win, but that "
                                  "player does, at {at}.")


def _check_foreseen(walk: RandomGames, look: StateLook, value: int) -> None:
    """Check that the claims of ``foreseen`` about both players are true."""
    for side, name in enumerate(("first", "second")):
        sight, wins = walk.rule.known("foreseen", look.state, side), (value, -value)[side] > 0
        if sight != 0 and (sight > 0) != wins:
            said, truth = ("does not win", "does") if sight < 0 else ("wins", "does not")
            raise Wrong("foreseen", f"foreseen says that the {name} player {said}, but that player "
                                    f"{truth}, at {{at}}.")


def _check_finish(walk: RandomGames, values: ExactValues, look: StateLook) -> None:
    """The move that is said to win does."""
    move = walk.rule.known("finish", look.state)
    if move == NO_MOVE:
        return
    after = values.value(walk.rule.step(look.state, move, 0), EACH)
    if after is not None and after != (1 if look.mover == 0 else -1):
        raise Wrong("finish", f"finish says that the move with the code {move} wins, but it does "
                              "not, at {at}.")


def _check_forced_value(walk: RandomGames, values: ExactValues, look: StateLook,
                        value: int) -> None:
    """One of the forced moves must be as good as the best of all."""
    codes = walk.codes(look.state, "forced") or []
    best = -1 if codes else value
    for code in codes:
        after = values.value(walk.rule.step(look.state, code, 0), EACH)
        if after is None:
            return
        best = max(best, after if look.mover == 0 else -after)
    if best < value:
        raise Wrong("forced", f"forced leaves out what matters: with all moves the player to move "
                              f"{WORDS[value]}, with those of forced that player {WORDS[best]}, "
                              "at {at}.")


AGAIN = 4  # how often a game is played again with other stones
FEW = 20  # games


def check_dependence(rules: Rules, start: State, chance: Random, findings: Findings) -> int:
    """``dependence``; how many finished games were played again."""
    checked = 0
    with np.errstate(over="ignore"):
        for _ in range(FEW):
            table = _Table(rules, start)
            problem = table.play_on(chance)
            end = table.outcome()
            if problem is None and end in (FIRST_WINS, SECOND_WINS):
                problem = _other_games(table, start, end - FIRST_WINS, chance)
                checked += 1
            if problem is not None:
                findings.add("dependence", problem, table.state, fatal=True)
                return 0
    return checked


def _other_games(table: _Table, start: State, winner: int, chance: Random) -> str | None:
    """Return what is wrong with the squares of a win."""
    zone = table.ending()
    if zone == 0 or zone & ~table.stones(winner):
        return ("dependence.ending must return squares of the winner's stones, and some; it "
                "does not at {at}.")
    for _ in range(AGAIN):
        again = _Table(table.rules, start)
        again.play_for(winner, zone, chance)
        if again.outcome() == ONGOING and not zone & ~again.stones(winner):
            return ("dependence.ending: the squares that it returns at {at} do not win with other "
                    "stones elsewhere.")
    return None


class _Table:
    """A game being played."""

    def __init__(self, rules: Rules, start: State) -> None:
        assert rules.dependence is not None
        self.rules, self.about = rules, rules.dependence
        self.states: Any = np.zeros(2, rules.dtype).view(np.recarray)
        self.states[0] = start[0]
        self.out = np.zeros(2 * rules.max_moves + 64, np.int64)

    @property
    def state(self) -> State:
        """The position, as findings show it."""
        return np.array(self.states[:1], self.rules.dtype)

    def outcome(self) -> int:
        return int(self.rules.outcome(self.rules.data, self.states[0]))

    def mover(self) -> int:
        return int(self.rules.mover(self.rules.data, self.states[0]))

    def stones(self, side: int) -> int:
        return int(self.about.stones(self.rules.data, self.states[0], side))

    def square(self, move: int) -> int:
        return int(self.about.move(self.rules.data, move))

    def ending(self) -> int:
        return int(self.about.ending(self.rules.data, self.states[0]))

    def moves(self) -> list[int]:
        n = int(self.rules.moves(self.rules.data, self.states[0], self.out))
        return [int(move) for move in self.out[:n]]

    def play(self, move: int) -> None:
        self.rules.play(self.rules.data, self.states[0], move, self.states[1])
        self.states[0] = self.states[1]

    def play_on(self, chance: Random) -> str | None:
        """Random moves to the end; what is wrong with stones and squares."""
        full = (1 << self.about.squares) - 1
        while self.outcome() == ONGOING:
            moves, side = self.moves(), self.mover()
            own, other = self.stones(side), self.stones(1 - side)
            squares = [self.square(move) for move in moves]
            if sorted(squares) != [1 << i for i in range(self.about.squares)
                                   if (full & ~(own | other)) >> i & 1]:
                return ("dependence: moves must be the empty squares, one each, by "
                        "dependence.stones and dependence.move; they are not at {at}.")
            at = chance.randrange(len(moves))
            self.play(moves[at])
            if (self.stones(side), self.stones(1 - side)) != (own | squares[at], other):
                return ("dependence: a move must put one stone of its mover on its square, and "
                        "change nothing else; the last one before {at} does not.")
        return None

    def play_for(self, winner: int, zone: int, chance: Random) -> None:
        """Until ``winner`` has all of ``zone`` or the game is over; others go elsewhere."""
        while self.outcome() == ONGOING and zone & ~self.stones(winner):
            mine = self.mover() == winner
            moves = [move for move in self.moves() if bool(self.square(move) & zone) == mine]
            if not moves:
                return
            self.play(chance.choice(moves))


def check_some_moves(walk: RandomGames, looks: list[StateLook], part: str) -> int:
    """``forced``, ``candidates`` or ``captures`` gives some of the legal moves, or none."""
    for look in looks:
        codes = walk.codes(look.state, part)
        if codes is None:
            return 0
        illegal = [code for code in codes if code not in look.codes]
        if illegal:
            walk.findings.add(part, f"{part} gives the move {{move}}, which is not legal, at "
                              "{at}.", look.state, move=illegal[0])
    return len(looks)


def check_symmetry(walk: RandomGames, looks: list[StateLook]) -> int:
    """The representative is a position like the state itself, move by move."""
    for look in looks:
        try:
            problem = _symmetry_problem(walk, look)
        except Wrong as wrong:
            walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
            return 0
        if problem is not None:
            part, sentence, move = problem
            walk.findings.add(part, sentence, look.state, move=move)
            return 0
    return len(looks)


def fold(rule: Watched, state: State) -> tuple[State, int]:
    """The representative of a state, with clean padding, and the symmetry used."""
    (one, k), (other, _) = rule.canonical(state, 0x55), rule.canonical(state, 0xAA)
    missed = differing(one, other)
    if missed:
        raise Wrong("canonical", f"canonical does not write all of t: {', '.join(missed)} is left "
                                 "as it was, at {at}.")
    if whole(k) is None:
        raise Wrong("canonical", f"canonical returns {k!r}, not the number of a symmetry, at "
                                 "{at}.")
    return without_padding(one), int(k)


def _symmetry_problem(walk: RandomGames, look: StateLook) -> tuple[str, str, int | None] | None:
    """Return what is wrong with the representative of one state: part, sentence, move."""
    rule = walk.rule
    image, k = fold(rule, look.state)
    if identity(fold(rule, image)[0]) != identity(image):
        return ("canonical", "canonical gives a state that is not its own representative, of {at}.",
                None)
    folded = walk.look(image)
    if folded is None:
        return None
    if (folded.outcome, folded.mover) != (look.outcome, look.mover):
        return ("canonical", "canonical changes the outcome or the mover of {at}.", None)
    for move in folded.codes[:8]:
        original = whole(rule.move_image(k, move))
        if original not in look.codes:
            return ("move_image", f"move_image({k}, {move}) gives {original}, which is not a legal "
                    "move at {at}.", None)
        there = fold(rule, rule.step(look.state, original, 0))[0]
        here = fold(rule, rule.step(image, move, 0))[0]
        if identity(there) != identity(here):
            return ("move_image", "the move {move} and its image lead to positions with different "
                    "representatives, at {at}.", original)
    return None


# Chi-square exceeded by chance once in a million, by degrees of freedom.
CRITICAL = {1: 23.93, 2: 27.63}
WORK = 200_000_000  # moves written in one comparison, about
PARTS = ("playout", "playouts")
SECONDS = 30.0  # for one call in plain Python, which may be 20 games

Run = Callable[..., Any]


def check_playouts(rules: Rules, looks: list[StateLook], seed: int, findings: Findings) -> int:
    """Compare ``playout`` and ``playouts`` with random legal moves; the number of positions."""
    n = max(1_000, min(20_000, WORK // (rules.max_length * rules.max_moves)))
    n = n if jit_enabled() else 60
    generic = kernel(_one_by_one(replace(rules, playout=None, playouts=None)))
    for part in PARTS:
        if getattr(rules, part) is None:
            continue
        run = kernel(_one_by_one(rules) if part == "playout" else _at_once(rules))
        for look in looks:
            try:
                counts, sentence = _ends(run, rules, look.state, seed, n)
            except Exception as error:
                verb = "does not compile" if jit_enabled() else "fails"
                findings.add(part, f"{part} {verb}: {core_of(error)}.", look.state, fatal=True)
                return 0
            if not sentence:
                expected, _ = _ends(generic, rules, look.state, seed + 1, n)
                sentence = _compared(counts, expected, n)
            if sentence:
                findings.add(part, f"{part} {sentence}", look.state)
                return 0
    return len(looks)


def check_plain_playouts(rules: Rules, looks: list[StateLook], findings: Findings) -> None:
    """A few as plain Python, for the sake of indices that compiled code does not check."""
    for number, look in enumerate(looks):
        states, scratch = _place(rules, look.state, number)
        s, plain = states.view(np.recarray)[0], scratch.states.view(np.recarray)
        scratch = scratch._replace(states=plain)
        for part in PARTS:
            function = getattr(rules, part)
            arguments = () if part == "playout" else (20, FIRST_WINS)
            try:
                with np.errstate(all="ignore"):
                    if function is not None:
                        within(SECONDS, function, rules.data, s, scratch.rng, *arguments, scratch)
            except RuleTimeout as error:
                findings.add(part, f"{part} does not return within {SECONDS:g} seconds as plain "
                             f"Python{line_of(error)}; is there an endless loop? From {{at}}.",
                             look.state, fatal=True)
                return
            except IndexError as error:
                findings.add(part, f"{part} raises IndexError as plain Python: {error}"
                             f"{line_of(error)}, from {{at}}.", look.state, fatal=True)
                return
            except Exception:  # plain and compiled numbers may differ in other ways
                return


def _one_by_one(rules: Rules) -> Run:
    """``run(g, states, scratch, n, counts)``: ends of playouts; index 4 is for other numbers."""
    playout = playout_of(rules)

    def run(g, states, scratch, n, counts):
        for _ in range(n):
            end = playout(g, states[0], scratch.rng, scratch)
            counts[end if end >= 0 and end <= 3 else 4] += 1

    return run


def _at_once(rules: Rules) -> Run:
    """``run(g, states, scratch, n, counts)`` through ``playouts``, one kind of end at a time."""
    playouts: Any = rules.playouts

    def run(g, states, scratch, n, counts):
        begin = scratch.rng[0]
        for won in range(FIRST_WINS, DRAW + 1):
            scratch.rng[0] = begin
            counts[won] = playouts(g, states[0], scratch.rng, n, won, scratch)

    return run


def _place(rules: Rules, state: State, seed: int) -> tuple[State, Scratch]:
    states, scratch = states_array(rules, 1), scratch_for(rules)
    states[0] = state[0]
    scratch.rng[0] = seed
    return states, scratch


def _ends(run: Run, rules: Rules, state: State, seed: int, n: int) -> tuple[list[int], str]:
    """The ends of ``n`` playouts, and a sentence about what is wrong, or an empty one."""
    states, scratch = _place(rules, state, seed)
    counts = np.zeros(5, np.int64)
    with np.errstate(all="ignore"):
        run(rules.data, states, scratch, n, counts)
    sentence = ""
    if counts[0] or counts[4]:
        found = "ONGOING" if counts[0] else "a number beyond 3"
        sentence = f"returns {found}, not how the game ended, from {{at}}."
    elif any(states[name].tobytes() != state[name].tobytes() for name in state.dtype.names or ()):
        sentence = "changes s, which must stay as it is, from {at}."
    elif scratch.rng[0] == seed:
        sentence = "does not store its counter in rng[0], so all games are alike, from {at}."
    elif counts.sum() != n:
        sentence = (f"counts {counts[1]}, {counts[2]} and {counts[3]} of {n} games as won by the "
                    f"first, won by the second and drawn: together {counts.sum()}, from {{at}}.")
    return counts.tolist(), sentence


def _compared(counts: list[int], expected: list[int], n: int) -> str:
    if alike(counts[1:4], expected[1:4]):
        return ""
    return (f"is not uniform over the legal moves: of {n} games the first player wins {counts[1]}, "
            f"the second {counts[2]} and {counts[3]} are drawn, where random moves give "
            f"{expected[1]}, {expected[2]} and {expected[3]}, from {{at}}.")


def alike(one: list[int], other: list[int]) -> bool:
    """Chi-square of two samples of equal size: can they come from one distribution?"""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a + b > 20]
    if len(pairs) < 2:
        return True
    return sum((a - b) ** 2 / (a + b) for a, b in pairs) < CRITICAL[len(pairs) - 1]


def with_choice(looks: list[StateLook]) -> list[StateLook]:
    """The looks where the game goes on and there is more than one move."""
    return [look for look in looks if look.outcome == ONGOING and len(look.codes) > 1]
