"""Does a certificate prove its claims? Said by the slow twins, without a line of the checker.

The records are read as the page on proofs describes them and put into a dictionary, every image of
a folded position for itself. Then the strategy is followed from the root wherever it leads.
"""

import struct

from certificates import PLAYERS, TWINS, NaiveChase, NaiveGraph, Truth, text_only, winner

from zermelo.proof import Claim

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LOOK = "search"


class ConnectFour:
    """Cells are (column, row), rows from the bottom."""

    def __init__(self, header):
        self.columns, self.rows = header["parameters"]["columns"], header["parameters"]["rows"]
        self.bits = self.columns * (self.rows + 1)
        self.symmetries = [lambda c, r: (c, r), lambda c, r: (self.columns - 1 - c, r)]

    def cell(self, bit):
        column, row = divmod(bit, self.rows + 1)
        return (column, row) if row < self.rows and column < self.columns else None

    def compose(self, cells, mover, root):
        return (frozenset(cells.items()), mover)

    def name(self, cell, cells):
        height = sum(column == cell[0] for column, _ in cells)
        return str(cell[0] + 1) if cell[1] == height else "not the lowest"


def mirrors(columns, rows):
    """The symmetries of a rectangle, of a square if it is one."""
    found = [lambda c, r: (c, r), lambda c, r: (columns - 1 - c, r),
             lambda c, r: (c, rows - 1 - r), lambda c, r: (columns - 1 - c, rows - 1 - r)]
    return found + [lambda c, r, f=f: f(r, c) for f in found] * (columns == rows)


class Othello:
    """Cells are (column, row), rows from the top, on the board in the middle of 8 x 8."""

    def __init__(self, header):
        self.size = header["parameters"]["size"]
        self.first = (8 - self.size) // 2
        self.bits = 8 * (self.first + self.size - 1) + self.first + self.size
        self.symmetries = mirrors(self.size, self.size)

    def cell(self, bit):
        row, column = bit // 8 - self.first, bit % 8 - self.first
        return (column, row) if 0 <= row < self.size and 0 <= column < self.size else None

    def compose(self, cells, mover, root):
        board = ["-XO"[1 + cells.get((c, r), -1)] for r in range(self.size)
                 for c in range(self.size)]
        return ("".join(board), mover)

    def name(self, cell, cells):
        return f"{LETTERS[cell[0]]}{cell[1] + 1}"


class Hex:
    """Cells are (column, row), rows from the top."""

    def __init__(self, header):
        self.size = header["parameters"]["size"]
        self.bits = self.size**2
        self.symmetries = [lambda c, r: (c, r), lambda c, r: (self.size - 1 - c, self.size - 1 - r)]

    def cell(self, bit):
        return (bit % self.size, bit // self.size) if bit < self.bits else None

    def compose(self, cells, mover, root):
        stones = [frozenset(cell for cell in cells if cells[cell] == who) for who in (0, 1)]
        return (*stones, mover)

    def name(self, cell, cells):
        return f"{LETTERS[cell[0]]}{cell[1] + 1}"


class InARow:
    """Cells are (column, row), rows from the top."""

    def __init__(self, header):
        given = header["parameters"]
        self.columns, self.rows, self.stones = given["columns"], given["rows"], given["stones"]
        self.bits = self.columns * self.rows
        self.symmetries = mirrors(self.columns, self.rows)

    def cell(self, bit):
        return (bit % self.columns, bit // self.columns) if bit < self.bits else None

    def compose(self, cells, mover, root):
        _, turn, left = root
        for _ in range(len(cells) - len(root[0])):
            turn, left = (turn, left - 1) if left > 1 else (1 - turn, self.stones)
        stones = frozenset((self.name(cell, cells), who) for cell, who in cells.items())
        return (stones, turn, left) if turn == mover else None

    def name(self, cell, cells):
        return f"{LETTERS[cell[0]]}{self.rows - cell[1]}"


BOARDS = {"connect-four": ConnectFour, "othello": Othello, "hex": Hex, "k-in-a-row": InARow,
          "tic-tac-toe": InARow, "connect6": InARow}


def board_records(header, claim, rows, root):
    """(state, move) of records on a board, every image of it."""
    look = BOARDS[header["game"]](header)
    size, squares = -(-look.bits // 8), int(header["layout"]["squares"], 16)
    for row in rows:
        taken, second = (int.from_bytes(row[at : at + size], "big") for at in (0, size))
        free, rest = squares & ~taken, second & ~taken
        bits = [i for i in range(8 * size) if taken >> i & 1]
        if any(look.cell(bit) is None for bit in bits):
            continue
        cells = {look.cell(bit): claim.prover if second >> bit & 1 else 1 - claim.prover
                 for bit in bits}
        spot = look.cell(rest.bit_length() - 1) if rest.bit_count() == 1 else None
        for change in look.symmetries if header["folded"] else look.symmetries[:1]:
            there = {change(*cell): who for cell, who in cells.items()}
            move = "pass" if rest == 0 and free.bit_count() > 1 else LOOK
            if spot is not None:
                move = look.name(change(*spot), there)
            elif rest not in (0, free):
                move = "several"
            yield look.compose(there, claim.prover, root), move


def tree_records(header, twin, rows):
    """(state, move) of a P-game: the path to a node, if the rest of the record belongs to it."""
    for row in rows:
        node, total, depth, move = struct.unpack("<Qiii", row)
        path = []
        while node > 0:
            node, step = divmod(node - 1, twin.branching)
            path.insert(0, step)
        if len(path) == depth and sum(twin.values(path)) == total:
            yield tuple(path), str(move) if move != -(2**31) else LOOK


def field_records(header, twin, rows):
    """(state, move) of the chase and of graphs."""
    chase = header["game"] == "chase"
    names = [] if chase else list(twin.nodes)
    for row in rows:
        *state, move = struct.unpack("<qqiii" if chase else "<qi", row)
        search = move == -(2**31)
        if chase:
            yield tuple(state), LOOK if search else str(move)
        elif 0 <= state[0] < len(names) and (search or 0 <= move < len(names)):
            yield names[state[0]], LOOK if search else names[move]


def proves(parts, nodes=None):
    """Whether every claim is proved; ``nodes`` is the graph, if the game is one."""
    header = parts.header
    kind = {**TWINS, "chase": NaiveChase}.get(header["game"])
    try:
        twin = NaiveGraph(nodes) if kind is None else kind(**header["parameters"])
        root = twin.from_position(text_only(header["position"]))
        return all(follows(header, twin, root, claim, rows)
                   for claim, rows in zip(header["claims"], parts.records, strict=True))
    except (TypeError, KeyError, IndexError, ValueError):
        return False  # the header describes no game, or a board of another shape


def follows(header, twin, root, described, rows):
    """Whether one claim is proved."""
    claim = Claim(PLAYERS[described["player"]], described["claim"] == "wins")
    if described["ranked"]:
        rows = [row[:-4] for row in rows]
    if header["layout"]["kind"] == "board":
        records = dict(board_records(header, claim, rows, root))
    else:
        read = tree_records if header["game"] == "p-game" else field_records
        records = dict(read(header, twin, rows))
    truth = Truth(twin, claim, cyclic=header["game"] in ("chase", "graph"))
    above, done = set(), set()

    def covered(state):
        if state in done:
            return True
        if state in above:
            return not claim.wins
        over, who = winner(twin, state)
        if over:
            return (who == claim.player) == claim.wins
        above.add(state)
        moves = twin.moves(state)
        if twin.mover(state) == claim.prover:
            move = records.get(state)
            if move == LOOK:
                good = truth.holds(state)
            else:
                good = move in moves and covered(twin.play(state, move))
        else:
            good = all(covered(twin.play(state, move)) for move in moves)
        above.discard(state)
        done.add(state)
        return good

    return covered(root)
