"""SGF, as the games that have it share it: reading a record, and writing one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from zermelo.core.position import Position
from zermelo.errors import BadMove, BadPosition, quoted

COLOURS, ENDS, SETUP = "BW", ("resign", "forfeit"), ("AB", "AW", "AE", "PL")
Played = tuple[str | None, str]  # the colour of a player, if it is said, and the name of a move
# No piece can fail after a long run: a bracket that is not closed is a piece of its own.
SPACE = re.compile(r"\s*")
NAME = re.compile(r"[A-Za-z]+")
VALUE = re.compile(r"\[([^\]\\]*(?:\\.[^\]\\]*)*)(\]?)", re.DOTALL)
SHOWN = 10


class Property(NamedTuple):
    """``SZ[11]``: a name and its values."""

    name: str
    values: list[str]


class SgfRecord:
    """The game in ``text``: one tree in round brackets, or nodes without any.

    All of the text is read, so that nothing odd is passed over, though only the main line counts.
    ``properties``: those of the main line in order; ``root``: the first values of those of its
    first node; ``branched``: there are other lines. ``example``: a property, for complaints.
    """

    def __init__(self, owner: str, text: str, example: str) -> None:
        self.owner, self.text, self.example = owner, text, example
        self.properties: list[Property] = []
        self.root: dict[str, str] = {}
        self.at, self.depth, self.nodes = 0, 0, 0
        self.in_brackets = self.ended = self.branched = False
        self.opened = 0  # where the outermost bracket is
        self._skip()
        while self.at < len(text):
            mark = text[self.at]
            if mark in "()":
                self._bracket(mark)
            elif mark == ";" and (self.depth or not self.in_brackets):
                self.nodes += 1
                self.at += 1
            else:
                self._property()
            self._skip()
        if self.depth:
            raise self._odd(f"the bracket at character {self.opened + 1} is not closed")

    def _skip(self) -> None:
        self.at = SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def _bracket(self, mark: str) -> None:
        if mark == "(":
            if self.depth == 0 and (self.in_brackets or self.nodes):
                raise self._odd(f"a second game begins at character {self.at + 1}")
            if self.depth == 0:
                self.in_brackets, self.opened = True, self.at
            self.branched |= self.ended
            self.depth += 1
        elif self.depth == 0:
            raise self._unexpected()
        else:
            self.ended = True  # the first leaf: what comes is not the main line
            self.depth -= 1
        self.at += 1

    def _property(self) -> None:
        """A name and its values; they belong to a node."""
        text, name = self.text, NAME.match(self.text, self.at)
        if not name or (self.in_brackets and not self.depth) or not self.nodes:
            raise self._unexpected()
        begin, values = self.at, list[str]()
        self.at = name.end()
        self._skip()
        while self.at < len(text) and text[self.at] == "[":
            value = VALUE.match(text, self.at)
            if not value or not value[2]:
                raise self._odd(f"the bracket at character {self.at + 1} is not closed")
            values.append(value[1].strip())
            self.at = value.end()
            self._skip()
        if not values:
            self.at = begin
            raise self._unexpected()
        if not self.ended:
            # Older records write small letters too, as in SiZe[11]; only capitals count.
            capitals = re.sub("[a-z]", "", name[0]) or name[0]
            self.properties.append(Property(capitals, values))
            if self.nodes == 1:
                self.root.setdefault(capitals, values[0])

    def _unexpected(self) -> BadPosition:
        shown = quoted(self.text[self.at : self.at + SHOWN])
        return self._odd(f"character {self.at + 1}, {shown}, is not ; ( ) or a property such as "
                         f"{self.example}")

    def _odd(self, what: str) -> BadPosition:
        return BadPosition(f"{self.owner}: {quoted(self.text)} is not an SGF record: {what}.")


def check(owner: str, record: SgfRecord, games: tuple[str, ...] = (), own: str = "") -> None:
    """Refuse a record of another game than ``games`` (values of GM, none: any), or one that does
    not begin at the usual start."""
    for name, (value, *_) in record.properties:
        if name == "GM" and games and value.lower() not in games:
            raise BadPosition(f"{owner}: GM {quoted(value)} is another game; {own}.")
        if name in SETUP or (name == "SU" and value.lower() not in ("", "standard")):
            raise BadPosition(f"{owner}: the record sets up a position with {name}, which is not "
                              "read; write the board in rows of X, O and . instead.")


def replayed(position: Position, moves: Iterable[Played],
             passes: tuple[str, ...] = ()) -> Position:
    """``position`` after ``moves``. A pass may be left out, and nothing follows a resignation or an
    end by repetition. ``passes``: what a pass is called; an empty name is one too."""
    game, ended = position.game, None
    met = Counter(position.way)
    for number, (colour, name) in enumerate(moves, 1):
        try:
            if ended is not None:
                raise BadMove(f"{quoted(name)} follows {quoted(ended)}, which ends the game.")
            if name.lower() in ENDS:
                ended = name
                continue
            if game.rules.cyclic and met[position] >= game.draw_at:
                raise BadMove(f"{quoted(name)}: the position before it has come up {met[position]} "
                              f"times, so that the game is over, {game.repeated(position)}.")
            left_out = passes and name.lower() not in passes and len(position.codes()) == 1
            if left_out and position.moves() == [passes[0]]:
                position = position.play(passes[0])
                met[position] += 1
            over = position.outcome is not None
            if not over and colour not in (None, COLOURS[position.mover]):
                raise BadMove(f"{quoted(name)} is a move of {colour}, but {position.to_move} "
                              f"({COLOURS[position.mover]}) is to move.")
            position = position.play(name or "pass")
        except BadMove as error:
            raise BadPosition(f"{game.name}: move {number}: {error}") from None
        met[position] += 1
    return position


def escaped(text: str) -> str:
    """``text`` as a value of a property."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def properties(**values: object) -> str:
    """``GM[9]SZ[8]``."""
    return "".join(f"{name}[{escaped(str(value))}]" for name, value in values.items())


def moves_of(position: Position, **values: object) -> str:
    """``GM[9]SZ[8];B[b1-b3];W[a2-c2]``: the moves that led to ``position``, a node a turn.

    The first player is Black.
    """
    return properties(**values) + "".join(
        f";{COLOURS[player]}[{escaped(turn)}]" for player, turn in turns_of(position))


def turns_of(position: Position) -> Iterator[tuple[int, str]]:
    """The turns that led to ``position``: who moved, and the names of the moves, joined."""
    made = zip(position.way, position.played_names(), strict=False)
    for player, turn in groupby(made, lambda move: move[0].mover):
        yield player, "".join(name for _, name in turn)
