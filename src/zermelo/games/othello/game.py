"""Othello on 8x8, 6x6 and 4x4 boards.

A state is two words, ``own`` for the discs of the player to move and ``opp`` for the other's, and
``turn``, who moves. Bit 8 * row + column is a square, rows from the top and columns from the left;
smaller boards stand in the middle, so that all sizes share their shifts and their symmetries:

             a  b  c  d  e  f  g  h
          1  0  1  2  3  4  5  6  7
          2  8  9 10 11 12 13 14 15      a 6x6 board is the bits 9..14, 17..22, ..., 49..54,
          3 16 17 18 19 20 21 22 23      a 4x4 board the bits 18..21, ..., 42..45
          .  .  .  .  .  .  .  .  .
          8 56 57 58 59 60 61 62 63

The code of a move is the bit of its square; 64 is the pass. Moves come in the order of the bits.

Notations are boards, OBF lines, GGF boards and games, and transcripts.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from zermelo.core import svg
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Parameter, Rules
from zermelo.core.svg import Spot
from zermelo.errors import BadPosition, quoted
from zermelo.games import grid, sgf
from zermelo.games.othello.endgame import SPACE, endgame_of
from zermelo.games.othello.program import program_playout_of
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, popcount, word
from zermelo.kernel.rays import MIDDLE, enclosed, reach
from zermelo.kernel.rng import GAMMA, next_counter

PASS = 64
PASSES = ("pass", "pa", "ps", "--", "")
MOVE_TEXT = re.compile(r"[\s,]*(pass|pa|ps|--|[a-z][0-9])", re.IGNORECASE | re.ASCII)
VALUE = re.compile(r"([a-z][0-9]|pass|pa|ps|--):[+-]?[0-9]+", re.IGNORECASE | re.ASCII)

# Three ways of writing squares: 0 for black, 1 for white, 2 for empty.
LETTERS = {"X": 0, "x": 0, "O": 1, "o": 1, "-": 2, ".": 2}
DIGITS = {"0": 0, "1": 1, "*": 2}
GGF = {"*": 0, "O": 1, "-": 2}
WAYS, GGF_WAY = "X, O and - (or .), or 0, 1 and *", "*, O and - after ggf:"
SIDES, GGF_SIDES = "X or O (or 0, 1)", "* or O"


def squares(size: int) -> list[int]:
    """The bits of a board of ``size``, row by row from the top."""
    span = range((8 - size) // 2, (8 + size) // 2)
    return [8 * row + column for row in span for column in span]


def square_name(size: int, bit: int) -> str:
    """Column a.. from the left, row 1.. from the top."""
    first = (8 - size) // 2
    return f"{'abcdefgh'[bit % 8 - first]}{bit // 8 - first + 1}"


def _undrawn(text: str, size: int) -> str:
    """The rows of a diagram; + marks a square where a disc can be put, which is empty."""
    found = grid.undrawn(text, size, size)
    return text if found == text else found.replace("+", "-")


def _from_transcript(game: Game, text: str) -> Position:
    """Moves one after the other; a pass may be written or left out."""
    moves: list[sgf.Played] = []
    at = 0
    while at < len(text):
        found = MOVE_TEXT.match(text, at)
        if not found:
            raise BadPosition(
                f"othello: {quoted(text[at:].strip())}, after move {len(moves)}, does not begin "
                "with a move such as f5 or pass."
            )
        at = found.end()
        moves.append((None, found[1].lower()))
    return sgf.replayed(game.start(), moves, PASSES)


def _from_game(game: Game, text: str) -> Position:
    """A game in GGF, or in SGF, which looks alike: ``BO[...]`` is the board it begins with."""
    record, position = sgf.SgfRecord("othello", text, "B[d3]"), game.start()
    moves: list[sgf.Played] = []
    sgf.check("othello", record, ("othello", "reversi", "2"),
              "Othello is GM[Othello], or GM[2] in SGF")
    for name, (value, *_) in record.properties:
        if name == "BO":
            if moves:
                raise BadPosition(f"othello: a second board, BO {quoted(value)}, follows move "
                                  f"{len(moves)}.")
            position = _from_ggf(game, f"ggf:{value}")
        if name in tuple(sgf.COLOURS):  # GGF has an estimate and a time too: D3/1.2/0.5
            moves.append((name, value.split("/")[0].strip().lower()))
    position = sgf.replayed(position, moves, PASSES)
    return position.read_as("GGF" if any(p.name == "BO" for p in record.properties) else "SGF")


def _from_ggf(game: Game, text: str) -> Position:
    """Return what a GGF record has in ``BO[...]``: the size (may be left out), the board, the
    side."""
    parts = text[4:].strip().removeprefix("BO[").removesuffix("]").split()
    if parts and parts[0] == str(game["size"]):
        parts.pop(0)
    board, side = _parts(game, parts, text, GGF_SIDES)
    if side not in ("*", "O"):
        raise BadPosition(f"othello: {quoted(side)} is not a side to move in GGF; write "
                          f"{GGF_SIDES}.")
    return _from_cells(game, board, (GGF,), GGF[side], GGF_WAY)


def _parts(game: Game, parts: list[str], text: str, sides: str) -> tuple[str, str]:
    """The board, which may come in rows, and the side to move."""
    size, board = game["size"], "".join(parts)
    if len(board) == size * size and len({len(part) for part in parts}) == 1:
        raise BadPosition(
            f"othello: {quoted(text)} does not say who moves; add a space and {sides}."
        )
    if not parts or len(board) - len(parts[-1]) != size * size:
        raise BadPosition(
            f"othello: {quoted(text)} is not a board of {size}x{size}; write its {size * size} "
            f"squares, a space and the side to move, {sides}."
        )
    return "".join(grid.rows_of("othello", " ".join(parts[:-1]), size, size)), parts[-1]


def _from_cells(
    game: Game, board: str, alphabets: tuple[dict[str, int], ...], turn: int, ways: str
) -> Position:
    """The position on ``board``, all of it written in one of the ``alphabets``."""
    bits, fitting = squares(game["size"]), list(alphabets)
    for bit, mark in zip(bits, board, strict=True):
        fitting = [alphabet for alphabet in fitting if mark in alphabet]
        if not fitting:
            raise BadPosition(
                f"othello: {quoted(mark)} at {square_name(game['size'], bit)} of {quoted(board)} "
                f"is not a square, or not written like those before it; write {ways}."
            )
    discs = [0, 0, 0]
    for bit, mark in zip(bits, board, strict=True):
        discs[fitting[0][mark]] |= 1 << bit
    return game.position(own=discs[turn], opp=discs[1 - turn], turn=turn)


CELL, MARGIN = 44, 24
BOARD, GRID, DOT = "#3f7d52", "#2c5c3b", "#a9c9ae"
ROWS, ROW_PAIRS = word(0x00FF00FF00FF00FF), word(0x0000FFFF0000FFFF)
BLOCKS_2, BLOCKS_4, BLOCKS_8 = (
    word(0x00AA00AA00AA00AA), word(0x0000CCCC0000CCCC), word(0x00000000F0F0F0F0)
)
# Points for a move more than the other side has, for a corner more, and when discs begin to count.
MOVE, CORNER, LATE = 8, 60, 16


def flipped(x):
    """The board ``x`` with top and bottom exchanged."""
    x = ((x >> 8) & ROWS) | ((x & ROWS) << 8)
    x = ((x >> 16) & ROW_PAIRS) | ((x & ROW_PAIRS) << 16)
    return (x >> 32) | (x << 32)


def transposed(x):
    """The board ``x`` with rows and columns exchanged: in blocks of 2x2, then 4x4, then 8x8."""
    swap = (x ^ (x >> 7)) & BLOCKS_2
    x = x ^ swap ^ (swap << 7)
    swap = (x ^ (x >> 14)) & BLOCKS_4
    x = x ^ swap ^ (swap << 14)
    swap = (x ^ (x >> 28)) & BLOCKS_8
    return x ^ swap ^ (swap << 28)


def least_image(own, opp, down):
    """The image with the lowest ``own``, then ``opp``, and how many steps lead to it.

    Turning upside down, where a board ends ``down`` bits early, and transposing in turn leads
    through all 8.
    """
    least_own, least_opp, least = own, opp, 0
    for k in range(1, 8):
        if k % 2:
            own, opp = flipped(own) >> down, flipped(opp) >> down
        else:
            own, opp = transposed(own), transposed(opp)
        if own < least_own or (own == least_own and opp < least_opp):
            least_own, least_opp, least = own, opp, k
    return least_own, least_opp, least


class Othello(grid.BoardGame):
    """X begins; a move encloses discs of the other colour, which turn; the most discs win."""

    name = "othello"
    players = ("X", "O")
    upwards = False
    stones = grid.DISCS["X"][0], grid.DISCS["O"][0]
    colours = (("black", "white"),)
    thresholds = (200, 60)
    parameters: ClassVar[dict[str, Parameter]] = {
        "size": Parameter(8, "rows and columns", choices=(4, 6, 8)),
        "no_move": Parameter("pass", "what a player without a move does: pass, or lose at once",
                             choices=("pass", "loses")),
        "playouts": Parameter("legal", "random games: legal moves, or as the program of the "
                              "papers plays them", choices=("legal", "program")),
    }

    def define(self) -> Rules:
        """The rules as bit operations: runs of discs are followed for all squares at once."""
        size, passes = self["size"], self["no_move"] == "pass"
        board = word(sum(1 << bit for bit in squares(size)))
        corners = word(sum(1 << squares(size)[i] for i in (0, size - 1, -size, -1)))
        middle, doublings = word(MIDDLE), (size - 4) // 2

        def runs(start, through, d):
            """The discs of ``through`` in unbroken runs of up to size - 2 next to ``start``.

            First those in steps of +d bits, then those in steps of -d.
            """
            up, down = through & (start << d), through & (start >> d)
            up |= through & (up << d)
            down |= through & (down >> d)
            pairs = through & (through << d)
            for _ in range(doublings):
                up |= pairs & (up << (2 * d))
                down |= (pairs >> d) & (down >> (2 * d))
            return up, down

        def mobility(own, opp):
            """The squares where the owner of ``own`` can move."""
            return reach(own, opp) & board & ~(own | opp)

        def more(own, opp, turn):
            """Return who has more discs, ``own`` being those of player ``turn``."""
            lead = popcount(own) - popcount(opp)
            if lead == 0:
                return DRAW
            return FIRST_WINS + turn if lead > 0 else SECOND_WINS - turn

        def moves(g, s, out):
            free = mobility(s.own, s.opp)
            n = 0
            while free != ZERO:
                out[n] = lowest(free)
                free &= free - ONE
                n += 1
            if passes and n == 0:
                out[0] = PASS
                n = 1
            return n

        def play(g, s, move, t):
            own, opp, turn = s.own, s.opp, s.turn
            if move != PASS:
                disc = ONE << word(move)
                change = enclosed(own, opp, disc)
                own |= disc | change
                opp ^= change
            t.own, t.opp, t.turn = opp, own, 1 - turn

        def mover(g, s):
            return s.turn

        def outcome(g, s):
            own, opp = s.own, s.opp
            if mobility(own, opp) != ZERO:
                return ONGOING
            if mobility(opp, own) == ZERO:
                return more(own, opp, s.turn)
            return ONGOING

        def key(g, s):
            return mix(s.opp ^ mix(s.own ^ (GAMMA if s.turn else ZERO)))

        def canonical(g, s, t):
            own, opp, k = least_image(s.own, s.opp, ZERO)
            t.own, t.opp, t.turn = own, opp, s.turn
            return k

        def move_image(g, k, move):
            if move == PASS:
                return move
            for step in range(k, 0, -1):
                move = move ^ 56 if step % 2 else (move % 8) * 8 + move // 8
            return move

        def playout(g, s, rng, scratch):
            # The runs that give the moves also give the discs that turn: those that lie in a run
            # from an own disc and, the other way, in a run from the disc put.
            own, opp, turn, x = s.own, s.opp, s.turn, rng[0]
            stuck = False
            while True:
                inner = opp & middle
                up_1, down_1 = runs(own, inner, 1)
                up_7, down_7 = runs(own, inner, 7)
                up_8, down_8 = runs(own, opp, 8)
                up_9, down_9 = runs(own, inner, 9)
                free = (up_1 << 1) | (up_7 << 7) | (up_8 << 8) | (up_9 << 9)
                free |= (down_1 >> 1) | (down_7 >> 7) | (down_8 >> 8) | (down_9 >> 9)
                free &= board & ~(own | opp)
                if free != ZERO:
                    if stuck and not passes:
                        end = FIRST_WINS + turn
                        break
                    stuck = False
                    x = next_counter(x)
                    skip = ((mix(x) >> 32) * word(popcount(free))) >> 32
                    while skip != ZERO:
                        free &= free - ONE
                        skip -= ONE
                    disc = free & ~(free - ONE)
                    change = runs(disc, up_1, 1)[1] | runs(disc, down_1, 1)[0]
                    change |= runs(disc, up_7, 7)[1] | runs(disc, down_7, 7)[0]
                    change |= runs(disc, up_8, 8)[1] | runs(disc, down_8, 8)[0]
                    change |= runs(disc, up_9, 9)[1] | runs(disc, down_9, 9)[0]
                    own |= disc | change
                    opp ^= change
                elif stuck:
                    end = more(own, opp, turn)
                    break
                else:
                    stuck = True
                own, opp, turn = opp, own, 1 - turn
            rng[0] = x
            return end

        def work(moves):
            """To answer these moves; a corner, which is never lost again, counts as two."""
            return max(popcount(moves) + popcount(moves & corners), 1)

        def estimate(g, s):
            # The fewer moves the other side has, the sooner it runs out of good ones.
            return work(mobility(s.opp, s.own)), work(mobility(s.own, s.opp))

        def remaining(g, s):
            return popcount(board & ~(s.own | s.opp))

        def score(g, s):
            # The winner gets the squares that are left empty.
            lead = popcount(s.own) - popcount(s.opp)
            if lead != 0:
                left = remaining(g, s)
                lead += left if lead > 0 else -left
            return lead if s.turn == 0 else -lead

        def evaluate(g, s):
            # Moves count more than discs until few squares are left; corners are never lost again.
            own, opp = s.own, s.opp
            left = popcount(board & ~(own | opp))
            moves_lead = popcount(mobility(own, opp)) - popcount(mobility(opp, own))
            corner_lead = popcount(own & corners) - popcount(opp & corners)
            lead = popcount(own) - popcount(opp)
            return MOVE * moves_lead + CORNER * corner_lead + (LATE - min(left, LATE)) * lead

        return Rules(
            state=[("own", "u8"), ("opp", "u8"), ("turn", "i8")],
            max_moves=size * size, max_length=2 * size * size, moves=moves, play=play, mover=mover,
            outcome=outcome, key=key, canonical=canonical, move_image=move_image,
            playout=playout if self["playouts"] == "legal"
            else program_playout_of(board, runs, more),
            estimate=estimate, remaining=remaining, evaluate=evaluate,
            endgame=endgame_of(board, corners) if passes else None,
            endgame_space=SPACE if passes else 1,
            score=score if passes else None, max_score=size * size if passes else 1,
            score_step=2 if passes else 1,
        )

    @property
    def stated(self) -> dict[str, Any]:
        """All parameters but how random games go, on which no proof depends."""
        return {name: value for name, value in super().stated.items() if name != "playouts"}

    def start(self) -> Position:
        """Two discs of each colour in the middle, O on the falling diagonal."""
        return self.position(own=1 << 28 | 1 << 35, opp=1 << 27 | 1 << 36)

    def read(self, text: str) -> Position:
        """A board with the side to move, an OBF line, a GGF board or game, or a transcript."""
        if text.startswith(("(", ";")):
            return _from_game(self, text)
        text = _undrawn(text, self["size"])
        if text.lower().startswith("ggf:"):
            return _from_ggf(self, text).read_as("GGF board")
        if re.search("[a-hA-H]", text.split()[0]):
            return _from_transcript(self, text).read_as("transcript")
        body, _, values = text.partition(";")
        for value in values.split(";"):
            if value.strip() and not VALUE.fullmatch(value.strip()):
                raise BadPosition(
                    f"othello: {quoted(value.strip())} in {quoted(text)} is not a move with its "
                    "score, such as h5:+6."
                )
        board, side = _parts(self, body.replace("/", " ").split(), text, SIDES)
        if "*" in board and set(board) <= {"*", *LETTERS}:
            raise BadPosition(
                f"othello: * in {quoted(board)} can be read as a black disc (as in GGF: then write "
                "ggf: before the board) or as an empty square (then write the discs as 0 and 1)."
            )
        turn = LETTERS.get(side, DIGITS.get(side, 2))
        if turn == 2:
            raise BadPosition(
                f"othello: {quoted(side)} after the board is not a side to move; write {SIDES}."
            )
        position = _from_cells(self, board, (LETTERS, DIGITS), turn, WAYS)
        return position.read_as("OBF line" if ";" in text else "board")

    def format(self, position: Position) -> str:
        """The board, rows top to bottom, and the side to move."""
        return f"{self.squares(position)} {position.to_move}"

    def move_name(self, position: Position, move: int) -> str:
        """Column a.. from the left and row 1.. from the top, or ``pass``."""
        return "pass" if move == PASS else square_name(self["size"], move)

    def parse_move(self, position: Position, text: str) -> int:
        """``f5`` in either case; a pass by any of its names."""
        return super().parse_move(position, "pass" if text.strip().lower() in PASSES[:-1] else text)

    def squares(self, position: Position) -> str:
        """X, O and - row by row from the top."""
        return grid.stones_at(*grid.by_player(position), squares(self["size"]), "-")

    def diagram(self, position: Position) -> str:
        """The board, + where the player to move can go, and who that is."""
        size, marks = self["size"], list(self.squares(position))
        for index, bit in enumerate(squares(size)):
            if bit in position.codes():
                marks[index] = "+"
        lines = ["  " + " ".join("abcdefgh"[:size])]
        for row in range(size):
            lines.append(f"{row + 1} " + " ".join(marks[row * size : (row + 1) * size]))
        score = f"X {marks.count('X')}, O {marks.count('O')}"
        return "\n".join([*lines, f"{grid.status_line(position)} ({score})"])

    def spots(self, position: Position, move: int) -> list[Spot]:
        """The square; a pass is nowhere."""
        first = (8 - self["size"]) // 2
        return [] if move == PASS else [self.centre(move // 8 - first, move % 8 - first)]

    def svg(self, position: Position) -> str:
        """A green board with dark (X) and light (O) discs, and a dot where a disc can be put: a
        click there is a move."""
        end, moves = MARGIN + CELL * self["size"], position.moves()
        parts = [svg.rectangle(MARGIN, MARGIN, end - MARGIN, end - MARGIN, BOARD, radius=3)]
        for at in range(MARGIN, end + 1, CELL):
            parts += [svg.line(MARGIN, at, end, at, GRID), svg.line(at, MARGIN, at, end, GRID)]
        spots = self.square_spots()
        parts += grid.labels(spots, MARGIN / 2, MARGIN / 2)
        places = {name: spot for name, spot in spots.items() if name in moves}
        for name, mark in self.cells(position).items():
            if mark in grid.DISCS:
                parts.append(svg.disc(*spots[name], 18, *grid.DISCS[mark]))
        parts += [svg.disc(*spot, 4, DOT, "none") for spot in places.values()]
        return svg.page(end + 6, end + 6, [*parts, svg.areas(places, CELL)])

    def centre(self, row: int, column: int) -> Spot:
        """Return where a square is, rows from the top."""
        return MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5)

    def marks(self, position: Position) -> list[str]:
        """Empty, X and O."""
        return ["-", *self.players]

    def cleared(self, cells: dict[str, str]) -> dict[str, str]:
        """No discs at all."""
        return dict.fromkeys(cells, "-")

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The board in four ways, and the transcript where the game began at the start."""
        board, turn = self.squares(position), position.mover
        papers, ggf = str.maketrans("XO-", "01*"), str.maketrans("XO-", "*O-")
        found = [("board", self.format(position)),
                 ("rows", f"{'/'.join(self.lines(position))} {position.to_move}"),
                 ("OBF line", f"{board} {position.to_move};"),
                 ("digits", f"{board.translate(papers)} {turn}"),
                 ("GGF board", f"ggf: {self['size']} {board.translate(ggf)} {'*O'[turn]}")]
        if position.origin == self.start() and position.played:
            found.insert(0, ("transcript", "".join(position.played_names())))
        return found
