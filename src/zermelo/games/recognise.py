"""Which games and positions a text may mean: all readings over all games, the likeliest first.

The looks of a text are judged quickly and without making a game: a game that can't be meant is
neither asked nor compiled. A text is scanned a few times from left to right, whatever its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from zermelo.core.board_view import picture_of, place_of
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.reading import STATUS, headers_of, moves_of
from zermelo.errors import BadOption, BadPosition, ZermeloError, quoted
from zermelo.games import sgf
from zermelo.games.registry import ALIASES, BUILT_IN
from zermelo.games.registry import game as game_by_name
from zermelo.storage.whole_files import check_length

Likely = tuple[str, dict[str, Any]]  # the name of a game, and its parameters
Shape = tuple[int, int]  # columns and rows; rows 0: squares in one piece

NAMED = re.compile(r"([A-Za-z][A-Za-z0-9-]{1,20})\s*:\s+(?=\S)")
SIZED = re.compile(r"[0-9]{1,4}\s*x\s*[0-9]{1,4}\s*:", re.IGNORECASE | re.ASCII)
TREE = re.compile(r"(?:b|d|branching|depth|range|seed|generator|path)\s*=")
TREE_DRAWN = re.compile(r"depth [0-9]{1,4} of [0-9]{1,4}, sum ")
SQUARES = re.compile(r"([a-z])([0-9]{1,2})(?![0-9])", re.IGNORECASE | re.ASCII)
TWO = re.compile(r"[a-z][0-9]{1,2}[-x:]?[a-z][0-9]{1,2}", re.IGNORECASE | re.ASCII)
JOINED = re.compile(r"[a-z][0-9][-x:][a-z][0-9]", re.IGNORECASE | re.ASCII)
MOVE_NUMBER = re.compile(r"[0-9]+\.*$", re.ASCII)
SIDE = re.compile(r"[XxOo01*][0-9]{0,2}", re.ASCII)
WXF = re.compile(r"[KAEHRCPNB1-5][1-9+-][.+=-][1-9]", re.IGNORECASE)
CHINESE = re.compile("[\u5175\u5352\u70ae\u7832\u8eca\u8f66\u99ac\u9a6c\u76f8\u8c61\u4ed5\u58eb"
                     "\u5e25\u5e05\u5c07\u5c06]")  # the signs of pieces
WORDS = ("pass", "pa", "ps", "--", "swap", "swap-pieces", "swap-sides", "resign", "forfeit")
HEX_SIZES, GOMOKU_SIZES = (11, 13, 14, 15, 16), (15, 19, 26)
MARKS = frozenset("XxOo.-*+")
DIGITS, BETWEEN = frozenset("0123456789"), frozenset(" ,\n\t\r/")
MOST_COLUMNS = 16
UCI_MARKS = frozenset("xob, \n.winlosdra")  # of the columns of Connect Four, with win, loss or draw


class LinkedPlace(NamedTuple):
    """The position that a link to the explorer names."""

    game: str
    parameters: dict[str, str]
    position: str
    moves: list[str]


def place_in(text: str) -> LinkedPlace | None:
    """The place in a link to a page of the explorer; None for any other text."""
    if not text.startswith(("http://", "https://")) or " " in text:
        return None
    try:
        fields = dict(parse_qsl(urlsplit(text).query, max_num_fields=50))
    except ValueError:
        return None
    name = fields.pop("game", "")
    if ALIASES.get(name.lower(), name.lower()) not in BUILT_IN:
        return None
    position, moves = fields.pop("position", "start"), fields.pop("moves", "")
    kept = {key: value for key, value in fields.items() if key.islower() and key != "tab"}
    return LinkedPlace(name, kept, position, [move for move in moves.split(",") if move])


def named(text: str) -> tuple[str | None, str]:
    """The game whose name stands before a text, with a colon, and the rest."""
    found = NAMED.match(text)
    name = found[1].lower() if found else ""
    name = ALIASES.get(name, name)
    return (name, text[found.end() :]) if found and name in BUILT_IN else (None, text)


def likely(text: str) -> list[Likely]:
    """The games that ``text`` may be about, the likeliest first."""
    headers, rest = headers_of(text)
    if headers:
        return _of_pgn(headers, moves_of(rest))
    if text.startswith(("(", ";")):
        return _of_sgf(text)
    if "://" in text or text.startswith("#"):
        return [("connect-four", {})] if "pos=" in text else [("hex", {})] if "#" in text else []
    if TREE.match(text) or TREE_DRAWN.match(text):
        return [("p-game", {})]
    if text.lower().startswith("ggf:"):
        return [("othello", {"size": size}) for size in (8, 6, 4)]
    if CHINESE.search(text) or text.startswith(("position ", "startpos", "fen ")):
        return [("xiangqi", {})]
    if SIZED.match(text):
        return [("hex", {})]
    status = STATUS.search(text)
    body = text[: status.start()].rstrip() if status else text
    return _of_numbers(body) or _of_board(body) or _of_moves(body)


def _of_pgn(headers: dict[str, str], moves: str) -> list[Likely]:
    """Judge by the header that names the game, else by where it begins or its moves."""
    for key in ("Variant", "Game"):
        name = headers.get(key, "").lower().replace(" ", "-")
        name = ALIASES.get(name, name)
        if name in BUILT_IN:
            found = likely(headers["FEN"]) if "FEN" in headers else []
            return [each for each in found if each[0] == name] or [(name, {})]
    return likely(headers["FEN"]) if "FEN" in headers else likely(moves) if moves else []


def _of_sgf(text: str) -> list[Likely]:
    """Judge by GM and EV, else by how the moves are written."""
    try:
        record = sgf.SgfRecord("SGF", text, "B[a3]")
    except ZermeloError:
        return [(name, {}) for name in ("hex", "gomoku", "othello", "lines-of-action")]
    told = {name: values[0] for name, values in reversed(record.properties) if values}
    moves = [value for name, values in record.properties if name in "BW" for value in values]
    kind, size = told.get("GM", "").lower(), _numbers(told.get("SZ", ""))
    if kind in ("othello", "reversi", "2"):
        first = told.get("BO", "").split()[:1]
        return [("othello", {"size": int(first[0])} if first in (["4"], ["6"]) else {})]
    if kind in ("9", "11"):
        one = {"size": size[0]} if kind == "9" and size else {}
        return [("lines-of-action" if kind == "9" else "hex", one)]
    event = told.get("EV", "").lower()
    board = {"columns": size[0], "rows": size[-1]} if size else {}
    if ALIASES.get(event, event) in ("gomoku", "connect6", "tic-tac-toe", "k-in-a-row"):
        return [(ALIASES.get(event, event), board)]
    if any(JOINED.fullmatch(move) for move in moves):
        return [("lines-of-action", {"size": size[0]} if size else {})]
    if any(len(SQUARES.findall(move)) > 1 for move in moves):
        return [("connect6", board)]
    others: list[Likely] = [("hex", {}), ("gomoku", board), ("othello", {})]
    return [("tic-tac-toe", {}), *others] if size in ([3], [3, 3]) else others


def _numbers(text: str) -> list[int]:
    parts = text.split(":")
    return [int(part) for part in parts] if all(
        part.isascii() and part.isdigit() and len(part) < 4 for part in parts) else []


def _of_numbers(text: str) -> list[Likely]:
    """Digits alone: the columns of Connect Four, or a board of 0, 1 and 2."""
    body, _, side = text.rpartition(" ")
    body = body if body and side.upper() in ("X", "O") else text
    if not set(body) - BETWEEN or not set(body) - BETWEEN <= DIGITS:
        return []
    parts = [part for part in re.split(r"[/\s]+", body.strip()) if part]
    if set("".join(parts)) <= set("012") and len(parts) > 3 and (
            len(set(map(len, parts))) == 1 < len(parts[0])):
        return [("connect-four", _four(len(parts[0]), len(parts)))]
    named = body.split(",") if "," in body else list(body)
    columns = [int(part[:4]) for part in map(str.strip, named) if part.isdigit()]
    if not columns:
        return []
    widest = max(columns)
    if widest <= 7 or widest > MOST_COLUMNS:
        return [("connect-four", {})]
    rows = min(6, 64 // widest - 1)  # as many as fit
    return [("connect-four", {"columns": widest} | ({"rows": rows} if rows < 6 else {}))]


def _four(columns: int, rows: int) -> dict[str, Any]:
    return {} if (columns, rows) == (7, 6) else {"columns": columns, "rows": rows}


def _of_board(text: str) -> list[Likely]:
    """Judge by the shape of a board or diagram."""
    if text.startswith("c4-cols") or (text.count(",") > 20 and UCI_MARKS.issuperset(text)):
        return [("connect-four", {})]
    if text.count("/") == 9 and not text.lower().startswith("x"):
        return [("xiangqi", {})]
    drawn = _drawn(text)
    if drawn:
        return drawn
    rows = _rows(text)
    found = _of_shape(rows) if rows else []
    return [each for each in found if each[0] == "othello"] if ";" in text else found  # OBF


def _drawn(text: str) -> list[Likely]:
    """Judge by the labels of a diagram: 1 2 3 below, or a b c above or below."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    for at, words in enumerate(lines):
        columns, others = len(words), len(lines) - 1
        if columns < 2 or others < 2:
            continue
        if words == [str(i + 1) for i in range(columns)] and at == others:
            return [("connect-four", _four(columns, others))]
        if words == [chr(ord("a") + i) for i in range(columns)]:
            if at == 0:
                sizes = {"size": columns}
                return [("hex" if others == columns + 2 else "othello", sizes)]
            if (columns, others) == (9, 10):
                return [("xiangqi", {}), *_squared(columns, others)]
            return [each for each in _squared(columns, others) if each[0] not in
                    ("othello", "hex")]
    return []


def _rows(text: str) -> list[str]:
    """The rows of a board, or all its squares as one; none if the text is not a board."""
    lines = [line for line in re.split(r"[/\n]", text.strip().strip("/")) if line.strip()]
    if len(lines) <= 1:
        lines = text.partition(";")[0].split()
        if len(lines) > 4 and all(len(line) == 1 for line in lines):
            lines = ["".join(lines)]
    else:
        *front, last = lines
        body, _, side = last.rstrip().rpartition(" ")
        spaced = all(len(part) == 1 for part in front[0].split())
        if SIDE.fullmatch(side) and body and not (
                spaced and len(last.split()) == len(front[0].split())):
            lines = [*front, body]
    rows = ["".join(line.split()) for line in lines]
    if len(rows) > 1 and SIDE.fullmatch(rows[-1]) and len(rows[-1]) < len(rows[0]):
        rows.pop()
    runs = [re.sub("[1-9]", lambda run: "." * int(run[0]), row) for row in rows]
    if len(set(map(len, rows))) > 1 and len(set(map(len, runs))) == 1 < len(runs):
        rows = runs
    marks = set("".join(rows))
    fits = marks <= MARKS or marks <= set("01*") or marks <= set("012")
    return rows if fits and len(set(map(len, rows))) == 1 and marks else []


def _of_shape(rows: list[str]) -> list[Likely]:
    """The games that are played on such a board; where several are, by what stands on it."""
    board = "".join(rows)
    if len(rows) > 1:
        columns, height = len(rows[0]), len(rows)
    elif len(board) == 42:
        columns, height = 7, 6
    else:
        columns = height = isqrt(len(board))
    if columns * height != len(board) or columns < 2:
        return []
    found = _squared(columns, height)
    if columns >= 4 and height >= 4 and columns * (height + 1) <= 64 and not (
            columns == height and len(rows) == 1):
        found.insert(0, ("connect-four", _four(columns, height)))
    middle = [board[row * columns + column] for row in (height // 2 - 1, height // 2)
              for column in (columns // 2 - 1, columns // 2)]
    if set(middle) & set(".-*"):  # these four are never empty in Othello
        found.sort(key=lambda each: each[0] == "othello")
    return found


def _squared(columns: int, rows: int) -> list[Likely]:
    """Games on such a board, but for Connect Four."""
    if columns != rows:
        return []
    size, found = columns, list[Likely]()
    if size in (4, 6, 8):
        found.append(("othello", {} if size == 8 else {"size": size}))
    if size == 3:
        found.append(("tic-tac-toe", {}))
    if 3 <= size <= 8:
        found.append(("lines-of-action", {} if size == 8 else {"size": size}))
    if 2 <= size <= 16:
        found.append(("hex", {} if size == 11 else {"size": size}))
    if 7 <= size <= 26:
        both = {"columns": size, "rows": size}
        found.append(("gomoku", {} if size == 15 else both))
        found.append(("connect6", {} if size == 19 else both))
    usual = {15: "gomoku", 19: "connect6"}.get(size)
    return sorted(found, key=lambda each: each[0] != usual)


def _of_moves(text: str) -> list[Likely]:
    """Judge by the squares that are named, and how."""
    tokens = [token for token in text.replace(",", " ").replace(";", " ").split()
              if token.lower() not in WORDS and not MOVE_NUMBER.match(token)]
    if tokens and all(WXF.fullmatch(token.rpartition("..")[2]) for token in tokens[:8]):
        return [("xiangqi", {})]
    squares = SQUARES.findall(text)
    if not squares or not tokens:
        return []
    columns = max(ord(letter.lower()) for letter, _ in squares) - ord("a") + 1
    ranks = [int(rank) for _, rank in squares]
    fits = _fitting(columns, max(ranks))
    pairs = all(TWO.fullmatch(token.split(".")[-1]) for token in tokens[:8])
    found = list[Likely]()
    if pairs and columns <= 8 and max(ranks) <= 8 and min(ranks) > 0:
        found.append(("lines-of-action", {}))
    if pairs and columns <= 9 and max(ranks) <= 10:
        dialects: list[Likely] = [("xiangqi", {}), ("xiangqi", {"dialect": "uci"})]
        found += dialects[max(ranks) == 10 :]
    if JOINED.match(tokens[0]) or min(ranks) == 0:
        return found
    grouped = any(len(SQUARES.findall(token)) > 1 for token in tokens[1:8])
    placed = [each for each in fits if not grouped or each[0] in ("connect6", "othello")]
    return [*found, *placed]


def _fitting(columns: int, rows: int) -> list[Likely]:
    """The games on whose usual boards there are this many columns and rows."""
    size, found = max(columns, rows), list[Likely]()
    found += [("othello", {} if n == 8 else {"size": n}) for n in (8, 6, 4) if size <= n]
    if size <= 3:
        found.append(("tic-tac-toe", {}))
    for name, sizes, usual in (("hex", HEX_SIZES, 11), ("gomoku", GOMOKU_SIZES, 15),
                               ("connect6", GOMOKU_SIZES[1:], 19)):
        fit = next((n for n in sizes if size <= n), None)
        if fit is not None:
            keys = ("size",) if name == "hex" else ("columns", "rows")
            found.append((name, {} if fit == usual else dict.fromkeys(keys, fit)))
    return found


TITLES = {
    "connect-four": "Connect Four", "othello": "Othello", "hex": "Hex", "p-game": "a P-game",
    "k-in-a-row": "k-in-a-row", "tic-tac-toe": "tic-tac-toe", "gomoku": "Gomoku",
    "connect6": "Connect6", "lines-of-action": "Lines of Action", "xiangqi": "Xiangqi",
}
# What a notation is called in a sentence; others are called what they are.
NOUNS = {
    "moves": "a list of moves", "board": "a board", "rows": "a board", "link": "a link",
    "c4-cols": "a board, column by column,", "transcript": "a transcript", "path": "a path",
    "OBF line": "an OBF line", "GGF board": "a GGF board", "GGF": "a game in GGF",
    "SGF": "a record in SGF", "PGN": "a record in PGN", "FEN": "a FEN",
    "FEN and moves": "a FEN with moves", "diagram": "a diagram", "start": "the start",
    "fields": "the fields of a state", "HexWorld link": "a HexWorld link",
    "SGF, red-bean": "a record in SGF (red-bean)",
    "SGF, Little Golem": "a record in SGF (Little Golem)", "place": "a link to a position",
}


@dataclass(frozen=True)
class TextReading:
    """One thing that a text may be: a position of a game, with the moves that led to it."""

    position: Position
    notation: str

    @property
    def game(self) -> Game:
        """The game, with its parameters."""
        return self.position.game

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that differ from their defaults."""
        return self.game.changed

    @property
    def moves(self) -> list[str]:
        """Return what was played since the position that the text begins with."""
        return self.position.played_names()

    @property
    def record(self) -> bool:
        """Return True if it is the record of a game."""
        return len(self.position.played) > 1

    @property
    def words(self) -> str:
        """Return what it is, in words."""
        noun = NOUNS.get(self.notation, self.notation)
        if (self.notation, self.game.name) == ("moves", "connect-four"):
            noun = "a move string"
        count = len(self.position.played)
        moves = f"{count} move{'s' * (count != 1)}, " if count else ""
        end = self.position.outcome
        status = f"{self.position.to_move} to move" if end is None else (
            "a draw" if end == "draw" else f"{self.game.players[end == 'second']} wins")
        title = TITLES.get(self.game.name, self.game.name)
        return f"{noun} of {title}{self._size}, {moves}{status}"

    @property
    def _size(self) -> str:
        values = self.game.values
        if "size" in values:
            return f" {values['size']}x{values['size']}"
        if "columns" in values and self.game.changed:
            return f" {values['columns']}x{values['rows']}"
        return ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON, with a picture."""
        return {"place": place_of(self.position), "notation": self.notation, "words": self.words,
                "record": self.record, "picture": picture_of(self.position)}


@dataclass(frozen=True)
class Refusal:
    """The reason why a text is not of a game that it looked like; ``game`` is empty for none."""

    game: str
    error: str


@dataclass(frozen=True)
class Recognised:
    """All readings of a text, the likeliest first, and why others are none."""

    readings: list[TextReading]
    refused: list[Refusal]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"readings": [reading.to_dict() for reading in self.readings],
                "refused": [{"game": each.game, "error": each.error} for each in self.refused]}


def recognise(text: str, game: Game | str | None = None) -> Recognised:
    """Return what ``text`` may be, over all built-in games, or as a text of ``game`` only.

    It may be a position, a record of moves or a link, in any notation. Sizes are those that the
    text tells, or the usual ones.
    """
    if not isinstance(text, str):
        raise BadPosition(f"recognise takes a text, not {quoted(text)}.")
    if game is not None and not isinstance(game, Game | str):
        raise BadOption(f"game={quoted(game)} is neither a game nor the name of one.")
    check_length("recognise", text, "a position or record")
    text, readings, refused = text.strip(), list[TextReading](), list[Refusal]()
    own = game_by_name(game) if isinstance(game, str) else game
    for name, found in _tried(text, own):
        if isinstance(found, ZermeloError):
            if all(each.game != name for each in refused):
                refused.append(Refusal(name, str(found)))
        elif all(found.position != each.position for each in readings):
            readings.append(found)
    readings.sort(key=_odd)
    read = {reading.game.name for reading in readings}
    refused = [each for each in refused if each.game not in read]
    if not readings and not refused:
        refused.append(Refusal("", _nothing(text)))
    return Recognised(readings, refused)


def _odd(reading: TextReading) -> bool:
    """Few stones set up by themselves: with pieces that move, or discs that turn, the game is over,
    which is rarely what is meant."""
    over = reading.position.outcome is not None and not reading.moves
    return over and reading.game.name in ("lines-of-action", "othello")


def _nothing(text: str) -> str:
    if not text or text == "start":
        return "there is no text." if not text else "'start' is the start of any game; choose one."
    return (f"{quoted(text)} looks like no position, record or link of a game that is built in; "
            "put the game before it, such as 'hex: a1 b2'.")


def _tried(text: str, own: Game | None) -> Iterator[tuple[str, TextReading | ZermeloError]]:
    """The games that were asked, and what each made of the text."""
    place = place_in(text)
    if place is not None and own is None:
        yield _asked((place.game, dict(place.parameters)), place.position, place.moves)
        return
    if own is not None:
        found = _read(own, text)
        yield own.name, found
        if isinstance(found, TextReading) or own.name not in BUILT_IN:
            return
    name, body = named(text)
    if not body:
        return
    wanted = own.name if own is not None else name
    guesses = likely(body) if body != "start" else []
    options = [each for each in guesses if wanted in (None, each[0])]
    if name is not None and own is None and not options:
        options = [(name, {})]
    for option in options:
        yield _asked(option, body)


def _asked(option: Likely, text: str, moves: list[str] | None = None
           ) -> tuple[str, TextReading | ZermeloError]:
    name, parameters = option
    try:
        game = game_by_name(name, **parameters)
    except ZermeloError as error:
        return name, error
    return game.name, _read(game, text, moves)


def _read(game: Game, text: str, moves: list[str] | None = None) -> TextReading | ZermeloError:
    """Return what one game makes of a text."""
    try:
        position = game.parse(text)
        if moves is None:
            return TextReading(position, position.notation or "text")
        return TextReading(position.play(*moves), "place")
    except ZermeloError as error:
        return error
