"""Game records: the moves of a game, and files of many games, each checked move by move.

Moves are in any notation in which the game reads moves, given one by one, or as one text with
spaces, commas or line ends between them. A text that is not such a list is read as a position
(``4455``, ``f5d6c3``, an SGF record): a position knows the moves that led to it.

A file is an SGF collection, or games in PGN, or has one game per line: its moves, or
``ID RESULT MOVES``, with ``[POSITION]`` before the moves where they do not begin at the start. A
line that begins with ``#`` and no digit after it is a comment. ``match`` writes such files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.reading import HEADER, headers_of, moves_of
from zermelo.errors import BadOption, BadPosition, ZermeloError, file_name, quoted, shown
from zermelo.games import sgf
from zermelo.storage.whole_files import check_length, file_text, lines_of

BETWEEN = re.compile(r"[\s,]+")


@dataclass(frozen=True)
class Record:
    """The positions of a game, from the first to the last, and the moves between them."""

    positions: list[Position]
    moves: list[str]


def read_record(game: Game, record: str | Iterable[str],
                start: Position | str | None = None) -> Record:
    """The moves in ``record``, from the game's start or from ``start``."""
    if not isinstance(game, Game):
        raise BadOption(f"{quoted(game)} is not a game; zermelo.game(name) makes one.")
    if isinstance(record, str):
        check_length(game.name, record, "a record")
        headers, rest = headers_of(record)
        if headers:
            record, start = moves_of(rest) or "start", start or headers.get("FEN")
    begin = _begin(game, start)
    if isinstance(record, str):
        end = _read(begin, record.strip(), start is not None)
    elif isinstance(record, Iterable):
        end = begin.game.play_all(begin, record)
    else:
        raise BadPosition(f"{game.name}: a record is a text or a list of moves, not "
                          f"{quoted(record)}.")
    return Record(end.way, end.played_names())


def _begin(game: Game, start: Position | str | None) -> Position:
    """Return the beginning of the record, as a position that was set up."""
    if start is None:
        return game.start()
    found = game.parse(start) if isinstance(start, str) else start
    if not isinstance(found, Position) or type(found.game) is not type(game):
        shown = start.text if isinstance(start, Position) else start
        raise BadOption(f"the record starts from {quoted(shown)}, which is not a position of "
                        f"{game.name}.")
    return Position(found.game, found.state)


def _read(begin: Position, text: str, given: bool) -> Position:
    """Return the position after the moves in ``text``, or raise the most telling error."""
    game = begin.game
    if not text:
        raise BadPosition(f"{game.name}: the record is empty; write 'start' for one without moves.")
    if text == "start":
        return begin
    complaints: list[ZermeloError] = []
    for words in (BETWEEN.split(text), text.splitlines()):  # a move may have spaces in it
        try:
            return game.play_all(begin, [word.strip() for word in words if word.strip()])
        except BadPosition as error:
            complaints.append(error)
    reader = _reader(begin)
    try:
        end = reader.parse(text)
        if end.played and _from_there(end.origin, begin, given):
            return end
        complaint: ZermeloError = BadPosition(
            f"{game.name}: {quoted(text)} does not lead from {quoted(begin.text)} by moves alone; "
            "a position to begin at is given apart from the moves (--from, or start=)."
        )
    except BadPosition as error:
        complaint = error
    raise (complaint if _reads_moves(reader, begin) else complaints[0]) from None


def _reader(begin: Position) -> Game:
    """Return the game as if it began at ``begin``, where it then reads moves from."""
    reader: Game = object.__new__(type(begin.game))
    reader.__dict__.update(begin.game.__dict__, start=lambda: begin)
    return reader


def _from_there(origin: Position, begin: Position, given: bool) -> bool:
    """Return True if moves from ``origin`` are the record: a text may name another board."""
    return origin == begin or (not given and origin == origin.game.start())


def _reads_moves(reader: Game, begin: Position) -> bool:
    """Return True if the game reads moves as a position; then its complaint is the best."""
    try:
        return bool(reader.parse(begin.moves()[0]).played)
    except (ZermeloError, IndexError):
        return False


RESULTS = {"1-0": "first", "0-1": "second", "1/2-1/2": "draw", "*": ""}
SIGNS = {outcome: sign for sign, outcome in RESULTS.items()}
SGF_SIGNS = {"first": "B+", "second": "W+", "draw": "0", "": "?"}
SGF_RESULTS = {"B": "first", "W": "second", "0": "draw", "D": "draw"}


@dataclass(frozen=True)
class GameRecord(Record):
    """A game: its positions and moves, what it is called, and the result that is written there."""

    name: str = ""
    result: str = ""


def records(game: Game, source: str | Path,
            refused: list[tuple[str, str]] | None = None) -> Iterator[GameRecord]:
    """The games in the file ``source``, one by one, each legal from its first move to its last.

    A game that is not, or that does not end with its result, is an error; or is added to
    ``refused``, by name and with the reason, where that list is given.
    """
    empty = True
    for name, result, start, moves in _parts(file_text(source)):
        empty = False
        try:
            found = _checked(game, name, result, start, moves)
        except ZermeloError as error:
            if refused is None:
                raise BadPosition(f"file {file_name(source)}, {shown(name)}: {error}") from None
            refused.append((name, str(error)))
            continue
        yield found
    if empty:
        raise BadOption(f"the file {file_name(source)} holds no game; it needs an SGF collection, "
                        "or the moves of a game in each line.")


Part = tuple[str, str, str, str | None]  # name, result, where it begins, moves; None if no game


def _parts(text: str) -> Iterator[Part]:
    lines = list(lines_of(text))
    if lines and lines[0][1].startswith("("):
        yield from _sgf_parts("\n".join(line for _, line in lines))
        return
    if lines and HEADER.fullmatch(lines[0][1]):
        yield from _pgn_parts([line for _, line in lines])
        return
    for number, line in lines:
        yield _line_part(number, line)


def _line_part(number: int, line: str) -> Part:
    """Read ``ID RESULT [POSITION] MOVES``; without a result, all of the line are moves."""
    words = line.split()
    at = next((i for i, word in enumerate(words[:2]) if word in RESULTS), None)
    name = f"line {number}"
    if at is None:
        return name, "", "", line
    rest = line.split(None, at + 1)[at + 1] if len(words) > at + 1 else "start"
    set_up = sgf.VALUE.match(rest)
    start, moves = (set_up[1], rest[set_up.end():]) if set_up and set_up[2] else ("", rest)
    return words[0] if at else name, RESULTS[words[at]], start, moves.strip() or "start"


def _pgn_parts(lines: list[str]) -> Iterator[Part]:
    """Games in PGN: each has its headers, then its moves."""
    games: list[list[str]] = []
    moves = True
    for line in lines:
        header = HEADER.fullmatch(line) is not None
        if header and moves:
            games.append([])
        moves = not header
        games[-1].append(line)
    for count, game in enumerate(games, 1):
        text = "\n".join(game)
        headers = headers_of(text)[0]
        yield (f"game {count}", RESULTS.get(headers.get("Result", "*"), ""), "", text)


def _sgf_parts(text: str) -> Iterator[Part]:
    """The trees of a collection, each whole; what is none is given as one, to be refused."""
    depth, begin, at, count = 0, 0, 0, 0
    while at < len(text):
        if depth and text[at] == "[":
            at = sgf.VALUE.match(text, at).end()  # type: ignore[union-attr]
            continue
        if text[at] == "(":
            if depth == 0:
                yield from _between(text[begin:at], count)
                begin = at
            depth += 1
        elif text[at] == ")" and depth:
            depth -= 1
            if depth == 0:
                count += 1
                yield _sgf_part(text[begin : at + 1], count)
                begin = at + 1
        at += 1
    yield from _between(text[begin:], count)


def _between(text: str, count: int) -> Iterator[Part]:
    """Yield what stands after ``count`` games and is not a game, to be refused."""
    if text.strip():
        yield f"after game {count}", "", text.strip(), None


def _sgf_part(tree: str, count: int) -> Part:
    try:
        headers = sgf.SgfRecord("SGF", tree, "").root
    except BadPosition:  # the game says why when it reads it
        headers = {}
    result = SGF_RESULTS.get(headers.get("RE", "")[:1].upper(), "")
    return headers.get("GN", f"game {count}"), result, "", tree


def _checked(game: Game, name: str, result: str, start: str, moves: str | None) -> GameRecord:
    if moves is None:
        raise BadPosition(f"{quoted(start)} is not a whole game; in SGF each stands in round "
                          "brackets.")
    read = read_record(game, moves, start or None)
    end = read.positions[-1].outcome
    if result and end is not None and end != result:
        raise BadPosition(f"{game.name}: the record of {quoted(name)} says {SIGNS[result]}, but "
                          f"its last move makes it {SIGNS[end]}.")
    return GameRecord(read.positions, read.moves, name, result or end or "")


@dataclass(frozen=True)
class ToWrite:
    """A game to be written: its end, who played, the result, and what to call it."""

    end: Position
    name: str
    players: tuple[str, str]
    result: str


def written(games: Iterable[ToWrite]) -> str:
    """The games as a text that ``records`` reads: SGF where the game has it, else a line each.

    SGF begins at the start of the game; a match that does not is written as lines.
    """
    games = list(games)
    trees = [one.end.game.sgf_moves(one.end) for one in games
             if one.end.origin == one.end.game.start()]
    if len(trees) == len(games) and None not in trees:
        return "".join(_tree(one, str(tree)) for one, tree in zip(games, trees, strict=True))
    return "".join(_line(one) for one in games)


def _tree(one: ToWrite, moves: str) -> str:
    head, sign, rest = moves.partition(";")
    facts = sgf.properties(GN=one.name, PB=one.players[0], PW=one.players[1],
                       RE=SGF_SIGNS[one.result])
    return f"(;FF[4]CA[UTF-8]{head}{facts}{sign}{rest})\n"


def _line(one: ToWrite) -> str:
    start = "" if one.end.origin == one.end.game.start() else f"[{one.end.origin.text}] "
    return f"{one.name} {SIGNS[one.result]} {start}{' '.join(one.end.played_names())}\n"
