"""The checker's own rules against the compiled games, the slow twins and OpenSpiel."""

import itertools
import random
from sys import getsizeof

import numpy as np
import pytest
from certificates import twin_of

import zermelo
from zermelo.proof import Claim
from zermelo.proof.header import DRAWN, FIRST, PASS, SEARCH, SECOND, ClaimPart, Header, Refused
from zermelo.proof.pack import packer_for
from zermelo.proof.rules import IN_A_ROW, NAIVE, rules_for
from zermelo.proof.rules.base import Images
from zermelo.proof.show import with_coordinates

ENDS = {None: None, "first": FIRST, "second": SECOND, "draw": DRAWN}
GAMES = [
    ("connect-four", {}, 12), ("connect-four", {"columns": 4, "rows": 4}, 20),
    ("connect-four", {"columns": 5, "rows": 4, "line": 3}, 20),
    ("connect-four", {"columns": 8, "rows": 7}, 4),
    ("othello", {}, 5), ("othello", {"size": 4}, 25),
    ("othello", {"size": 6, "no_move": "loses"}, 10),
    ("hex", {"size": 4}, 20), ("hex", {}, 2),
    ("k-in-a-row", {}, 30), ("k-in-a-row", {"columns": 6, "rows": 5, "line": 4, "stones": 2}, 6),
    ("k-in-a-row", {"columns": 9, "rows": 9, "line": 5, "overline": "no-win"}, 1),
    ("k-in-a-row", {"columns": 8, "rows": 8, "line": 4}, 2),
    ("lines-of-action", {}, 2), ("lines-of-action", {"size": 5}, 8),
    ("lines-of-action", {"size": 6, "simultaneous": "mover", "no_move": "loses"}, 4),
    ("xiangqi", {}, 2), ("xiangqi", {"protected": "black"}, 1),
    ("p-game", {"seed": 42}, 6), ("p-game", {"depth": 4, "range": 1, "seed": 3}, 9),
    ("p-game", {"branching": 8, "depth": 8, "seed": 7}, 6),
]
FOLLOWED = {"xiangqi": 45}  # plies of games that may go on for ever
LONG_LINES = [  # where exactly five win, six do not; and where they do
    ("XXXXX....", True, True), ("XXXXXX...", False, True), (".XXXX....", False, False)]


def name_of(case):
    return " ".join([case[0], *(f"{k}={v}" for k, v in case[1].items())])


def header_of(game, /, **changes):
    packer = packer_for(game)
    parts = (ClaimPart(Claim(0), game.players[0], False, 0),)
    fields = {
        "game": game.name, "built_in": packer.built_in, "parameters": dict(game.stated),
        "players": game.players, "position": game.start().text,
        "folded": game.rules.canonical is not None, "layout": packer.layout, "search": 10,
        "block": 1, "parts": parts, **changes}
    return Header(**fields)


def code_of(game, rules, state, move):
    """A move of the compiled game as the checker has it."""
    if game.name == "connect-four":
        return next(m for m in rules.moves(state) if m // rules.pitch == move)
    return PASS if game.name == "othello" and move == 64 else move


@pytest.mark.quick_cases(
    "connect-four columns=5 rows=4 line=3", "othello size=6 no_move=loses", "k-in-a-row*",
    "lines-of-action size=5", "p-game seed=42", "connect-four", "othello", "hex", "xiangqi",
    "lines-of-action")
@pytest.mark.parametrize("case", GAMES, ids=name_of)
def test_agrees_with_the_game_and_its_twin(case):
    """Random games: moves and their order, movers, ends, texts, keys and records."""
    game, rng = zermelo.game(case[0], **case[1]), random.Random(5)
    rules, reader = (rules_for(header_of(game), "naive", None) for _ in range(2))
    twin = twin_of(game)
    assert rules.cyclic == game.rules.cyclic
    for _ in range(case[2]):
        position = game.start()
        state = rules.read(position.text)
        while True:
            assert ENDS[position.outcome] == ENDS[twin.outcome(twin.from_position(position))]
            assert reader.read(position.text) == state
            if game.name != "p-game":  # whose parameters are not in the state
                assert reader.read(rules.text(state)) == state
                assert rules.diagram(state).replace(" ", "").count("\n") > 1
            same_moves(rules, position, state)
            if position.outcome is not None or len(position.played) == FOLLOWED.get(game.name):
                break
            assert position.moves() == twin.moves(twin.from_position(position))
            same_records(rules, position, state)
            move = rng.choice(position.codes())
            state = rules.play(state, code_of(game, rules, state, move))
            position = position.play_code(move)


def same_moves(rules, position, state):
    """The end, or the mover and the moves in their order, and no other move."""
    end = rules.end(state)
    if position.game.name == "lines-of-action" and end is None and not rules.moves(state):
        end = 1 - rules.mover(state)  # as the checker takes it
    assert end == ENDS[position.outcome]
    if end is None:
        assert rules.mover(state) == position.mover
        moves = rules.moves(state)
        assert [rules.move_name(state, move) for move in moves] == position.moves()
        others = rules._ways(state) if position.game.name == "xiangqi" else range(-3, 70)
        assert all(rules.legal(state, move) == (move in moves) for move in [*moves, *others])


def same_records(rules, position, state):
    """What the writer makes of a folded position, the checker reads; and it folds as the game."""
    packer, folded, prover = packer_for(position.game), position.canonical(), position.mover
    keys = packer.keys(folded.state, prover)
    assert rules.key(state) == keys.tobytes()
    for code in [*folded.codes()[:: len(folded.codes()) // 5 + 1], SEARCH]:
        moves = packer.moves(keys, np.array([code], np.int32))
        record = packer.records(keys, moves)
        assert rules.keys(record).tobytes() == keys.tobytes()
        again, move = rules.record(record.tobytes(), prover)
        assert rules.key(again) == keys.tobytes()
        assert rules.mover(again) == prover
        few = position.game.name == "othello" and folded.text.count("-") < 2 and code == 64
        assert move == SEARCH if few or code == SEARCH else move in rules.moves(again)
        if move != SEARCH:
            assert move == code_of(position.game, rules, again, code)


@pytest.mark.parametrize("case", GAMES, ids=name_of)
def test_keys_do_not_depend_on_the_image(case):
    """A mirror image has the same key, and a key no symmetry."""
    game, rng = zermelo.game(case[0], **case[1]), random.Random(6)
    rules, plain = (rules_for(header_of(game, folded=folded), "naive", None)
                    for folded in (game.rules.canonical is not None, False))
    position, packer = game.start(), packer_for(game)
    while position.outcome is None and len(position.played) != FOLLOWED.get(game.name):
        folded = rules.read(position.canonical().text) if game.name != "p-game" else None
        state = rules.read(position.text)
        if folded is not None:
            assert rules.key(folded) == rules.key(state) == plain.key(folded)
        else:
            assert rules.key(state) == plain.key(state)
        assert plain.key(state) == packer.keys(position.state, position.mover).tobytes()
        position = position.play_code(rng.choice(position.codes()))


def test_moves_of_hex_end_with_the_game():
    rules = NAIVE["hex"]({"size": 2}, False)
    assert rules.end(rules.read("2x2: a1 b1 a2")) == FIRST
    assert rules.diagram(rules.read("2x2: a1 b1")) == "X O\n . ."
    with pytest.raises(Refused, match="'b2' is not a move"):
        rules.read("2x2: a1 b1 a2 b2")


def test_large_boards_are_folded_by_words_of_whole_rows():
    """The first word that differs decides, and the image with the lower one stands for both."""
    game = zermelo.game("hex")
    rules, plain = (rules_for(header_of(game, folded=folded), "naive", None)
                    for folded in (True, False))
    for least, other in ((120, 0), (55, 65), (110, 10)):
        for cell in (least, other):
            assert rules.key((0, word(cell), 1)) == plain.key((0, word(least), 1))


def test_lines_of_exactly_five():
    for row, exactly, longer in LONG_LINES:
        for overline, wins in (("no-win", exactly), ("wins", longer)):
            for columns, rows, board in ((9, 3, [row, "." * 9, "." * 9]),
                                         (3, 9, [f".{mark}." for mark in row])):
                game = zermelo.game("k-in-a-row", columns=columns, rows=rows, line=5,
                                    overline=overline)
                rules = rules_for(header_of(game), "naive", None)
                state = rules.read("/".join(board) + " O")
                assert (rules.end(state) == FIRST) == wins


GUARDS = [(0, 3, "a"), (0, 5, "a"), (1, 4, "a"), (2, 3, "a"), (2, 5, "a"), (0, 2, "b"),
          (0, 6, "b"), (2, 0, "b"), (2, 4, "b"), (2, 8, "b"), (4, 2, "b"), (4, 6, "b"),
          (1, 3, "a"), (0, 4, "b")]  # the last two can't be
ODD = [  # no moves, or only a pass; and a horse that does not get at the king
    "OOOXOOOO-XOOXOOO X", "OXXX-OXOOOXOOXXO O",
    "R3k4/1R7/9/9/9/9/9/9/9/3K5 b", "4k4/9/4P4/9/9/3R1R3/9/9/9/4K4 b",
    ".O../X.X./...O/X.X. X", ".X../O.O./...X/O.O. O", "..../OOO./X.X./.O.. X",
    "4k4/3p5/3N5/9/9/9/9/9/9/3K5 w"]
TINY = [
    ("connect-four", {"columns": 3, "rows": 2, "line": 2}), ("hex", {"size": 2, "swap": "yes"}),
    ("k-in-a-row", {"columns": 1, "rows": 5, "line": 3, "stones": 2, "first": 3}),
    ("k-in-a-row", {"columns": 5, "rows": 1, "line": 2, "stones": 2, "overline": "no-win"})]
READ = TINY + [case[:2] for case in GAMES if case[:2] not in (("hex", {}), ("xiangqi", {}))] + [
    ("xiangqi", {"protected": "red"}), ("lines-of-action", {"size": 4}),
    ("lines-of-action", {"size": 4, "simultaneous": "mover", "no_move": "loses"}),
    ("hex", {"size": 4, "swap": "yes"}),
    ("k-in-a-row", {"columns": 5, "rows": 4, "line": 3, "overline": "no-win"}),
    ("k-in-a-row", {"columns": 5, "rows": 5, "line": 3, "stones": 2, "first": 3})]


@pytest.mark.parametrize("case", READ, ids=name_of)
def test_positions_are_read_that_the_game_reads(case):
    """And no others: none that is over before its last stone, none with a swap ahead."""
    game, rng = zermelo.game(case[0], **case[1]), random.Random(7)
    rules = rules_for(header_of(game), "naive", None)
    for text in (*ODD, *(texts_of_tiny_boards if case in TINY else changed_texts)(game, rng)):
        try:
            position = game.parse(text)
            game.check_certificate(position)
            assert rules.text(rules.read(position.text))
        except zermelo.ZermeloError:
            with pytest.raises(Refused):
                rules.read(text)
            continue
        try:
            state = rules.read(text)
        except Refused:
            assert position.text != text, "there is a shorter way to write it"
        else:
            same_moves(rules, position, state)
            assert state == rules.read(position.text)
            if position.outcome is None and game.name != "connect-four":  # it counts stones
                move = rng.choice(position.codes())
                after = rules.play(state, code_of(game, rules, state, move))
                assert after == rules.read(position.play_code(move).text)


def changed_texts(game, rng):
    """The texts of positions of random games, with up to three signs changed; endings."""
    for turn in range(80):
        position = game.start()
        for _ in range(rng.randrange(30)):
            if position.outcome is None:
                position = position.play(rng.choice(position.moves()))
        marks = list(position.text)
        for _ in range(turn % 4):
            marks[rng.randrange(len(marks))] = rng.choice([*marks, *"XO.-12wb/ "])
        text = "".join(marks)
        if game.name != "p-game" or text.startswith(position.text.split("path")[0]):
            yield text
        if game.name == "xiangqi" and turn % 2:
            yield ending(rng)


def ending(rng):
    """Both kings with two guards, the middle pawns, and six pieces anywhere."""
    rows = [["1"] * 9 for _ in range(10)]
    for side, top in ((str.lower, 0), (str.upper, 7)):
        for row, column, piece in rng.sample(GUARDS, 2):
            rows[row if top == 0 else 9 - row][column] = side(piece)
        rows[top + rng.randrange(3)][rng.randrange(3, 6)] = side("k")
    rows[3][4], rows[6][4] = "p", "P"
    for piece in rng.sample("RNCPPrncpp", 6):
        row, column = rng.randrange(10), rng.randrange(9)
        rows[row][column] = rows[row][column] if rows[row][column] in "Kk" else piece
    text = "/".join("".join(row) for row in rows)
    for length in range(9, 1, -1):
        text = text.replace("1" * length, str(length))
    return f"{text} {rng.choice('wb')}"


def texts_of_tiny_boards(game, _):
    """All of them, and whoever is to move, with any number of stones left."""
    board = "../.." if game.name == "hex" else game.start().text.rpartition(" ")[0]
    for marks in itertools.product(".XO", repeat=board.count(".")):
        filled = iter(marks)
        text = "".join(next(filled) if mark == "." else mark for mark in board)
        lefts = ("", *range(5)) if game.values.get("stones", 1) > 1 else ("",)
        yield from (f"{text} {side}{left}" for side in "XO" for left in lefts)


BAD_TEXTS = {
    "connect-four": ["", "X", "." * 41 + " X", "." * 42, "." * 42 + " Y", "." * 41 + "Z X",
                     "X" + "." * 41 + " O", "." * 35 + "XXXX... X",
                     "." * 35 + "XXOO.XX O"],
    "othello": ["-" * 63 + " X", "-" * 64, "x" * 64 + " X", "-" * 64 + " -"],
    "hex": ["3x3: a1", "11x11: a1 a1", "11x11: z1", "11x11: a12", "11x11: 5", "./. X",
            "/".join(["X" + "." * 10] * 11) + " X"],
    "k-in-a-row": ["XXX/OO./... X", "XXX/OOO/... X", "XXX/OO./XXX O", ".../.../... Z",
                   ".../.../... X2", ".../.../.. X", ".../.../...X"],
    "lines-of-action": ["", "/".join(["." * 8] * 8) + " X", "/".join(["X......O"] * 8),
                        "/".join(["X......O"] * 7) + " X", "X......O" * 8 + " X",
                        "/".join(["X.....O"] * 8) + " X", "/".join(["X......Z"] * 8) + " X",
                        "/".join(["XX.....O"] * 7 + ["........"]) + " X"],
    "xiangqi": ["", "9/9 w", "/".join(["9"] * 10) + " w", "3k5" + "/9" * 8 + "/4K4",
                "3k5" + "/9" * 8 + "/4K4 r", "3k5" + "/9" * 8 + "/4K3Q w",
                "3k5" + "/9" * 8 + "/3RK4 w", "4k4" + "/9" * 8 + "/4K4 b",
                "3k5/9/4K4" + "/9" * 7 + " w", "3k5" + "/9" * 8 + "/1A2K4 w",
                "B2k5" + "/9" * 8 + "/4K4 w", "3k5/ppp6/9/pppp5" + "/9" * 5 + "/4K4 w",
                *(f"3k5/{row}{'/9' * 5}{rest} w" for row, rest in (
                    ("RRR6", "/9/9/4K4"), ("NNN6", "/9/9/4K4"), ("CCC6", "/9/9/4K4"),
                    ("9", "/9/4A4/3AKA3"), ("9", "/4B4/9/2B1K1B2")))],
    "p-game": ["", "start", "b=3,d=20,range=127,seed=0,generator=1",
               "b=2,d=20,range=127,seed=0,generator=1,path=2",
               "b=2,d=20,range=127,seed=0,generator=1,path=0.",
               "b=2,d=20,range=127,seed=0,generator=1,path=01", "path=" + "9" * 5000,
               "b=2,d=20,range=127,seed=0,generator=1,path=" + ".".join(["0"] * 21)],
}


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, all in BAD_TEXTS.items() for t in all])
def test_bad_positions_are_refused(name, text):
    rules = rules_for(header_of(zermelo.game(name)), "naive", None)
    with pytest.raises(Refused):
        rules.read(text)


@pytest.mark.parametrize(("changes", "message"), [
    ({"game": "hex", "built_in": False, "kind": "zones"}, "zones are for the built-in games"),
    ({"game": "chess"}, "not a built-in game"), ({"players": ("O", "X")}, "players"),
    ({"layout": {"kind": "board", "bits": 49, "squares": "0x0"}}, "layout")])
def test_a_header_that_is_not_the_game_s_is_refused(changes, message):
    with pytest.raises(Refused, match=message):
        rules_for(header_of(zermelo.game("connect-four"), **changes), "naive", None)


@pytest.mark.parametrize("name", ["p-game", "xiangqi"])
def test_what_does_not_fold_can_not_be_folded(name):
    with pytest.raises(Refused, match="no symmetries"):
        rules_for(header_of(zermelo.game(name), folded=True), "naive", None)


def word(*squares):
    return sum(1 << square for square in squares)


@pytest.mark.parametrize(("name", "taken", "second", "message"), [
    ("connect-four", word(1), 0, "nothing below"),
    ("connect-four", word(6), 0, "outside the board"),
    ("connect-four", word(0), word(48), "outside the board"),
    ("connect-four", word(0), word(1, 7), "several moves"),
    ("connect-four", word(0), word(50), "outside the board"),
    ("tic-tac-toe", word(0), 0, "does not move"), ("tic-tac-toe", word(9), 0, "outside the board")])
def test_records_that_hold_no_position(name, taken, second, message):
    rules = rules_for(header_of(zermelo.game(name)), "naive", None)
    data = taken.to_bytes(rules.size, "big") + second.to_bytes(rules.size, "big")
    with pytest.raises(Refused, match=message):
        rules.record(data, 0)


@pytest.mark.parametrize("name", ["connect-four", "othello", "hex", "k-in-a-row"])
def test_with_one_free_square_left_a_record_is_a_search(name):
    rules = rules_for(header_of(zermelo.game(name)), "naive", None)
    rules.checked = lambda *state: state
    squares = [square for square in range(rules.bits) if rules.squares >> square & 1]
    for one, other in zip(squares, [*squares[1:], squares[0]], strict=True):
        for free, move in ((word(one), SEARCH), (word(one, other), PASS)):
            taken = (rules.squares & ~free).to_bytes(rules.size, "big")
            assert rules.record(taken + bytes(rules.size), 1)[1] == move


def test_memory_of_images():
    assert Images.bytes_of(29) == 3 * (getsizeof(1 << 29) + 8) << 13
    assert Images.bytes_of(361) == 46 * (getsizeof(1 << 361) + 8) << 8
    for name in NAIVE:
        assert NAIVE[name](zermelo.game(name).stated, False).table_bytes == 0
    for rows, images in ((5, 7), (4, 3)):
        game = zermelo.game("k-in-a-row", columns=5, rows=rows)
        assert NAIVE["k-in-a-row"](game.stated, True).table_bytes == images * Images.bytes_of(
            5 * rows)


SIZES = {"p-game": ("branching", (*range(2, 12), 1024), "depth", range(1, 63)),
         "connect-four": ("columns", range(1, 17), "rows", range(1, 16))}


@pytest.mark.parametrize("name", SIZES)
def test_games_are_as_large_as_64_bits_allow(name):
    one, ones, other, others = SIZES[name]
    for values in itertools.product(ones, others):
        parameters = {**zermelo.game(name).values, **dict(zip((one, other), values, strict=True))}
        try:
            zermelo.game(name, **parameters)
        except zermelo.ZermeloError:
            with pytest.raises(Refused):
                NAIVE[name](parameters, False)
        else:
            assert NAIVE[name](parameters, False)


def test_positions_of_a_tree_are_named_by_their_moves():
    rules = rules_for(header_of(zermelo.game("p-game", branching=3)), "naive", None)
    state = (0, 0, 0)
    assert rules.text(state) == rules.diagram(state) == "path="
    for move in (2, 0, 1):
        state = rules.play(state, move)
    assert rules.text(state) == rules.diagram(state) == "path=2.0.1"
    assert rules.move_name(state, 2) == "2"
    for node, depth in ((0, 0), (rules.starts[20], 20)):
        data = b"".join(n.to_bytes(size, "little")
                        for n, size in ((node, 8), (0, 4), (depth, 4), (1, 4)))
        assert rules.record(data, 0) == ((node, 0, depth), 1)


def test_pairs_join_in_any_order():
    """And as trying each cell of each pair says."""
    rules, rng = NAIVE["hex"]({"size": 4}, False), random.Random(2)
    joined = 0
    for _ in range(2000):
        cells = rng.sample(range(16), rng.randrange(5, 13))
        count = rng.randrange(1, len(cells) // 2)
        pairs = [word(*cells[2 * i : 2 * i + 2]) for i in range(count)]
        stones, player = word(*cells[2 * count :]), rng.randrange(2)
        found = rules.linked(player, stones, pairs)
        assert found == rules.linked(player, stones, pairs[::-1])
        joined += found
        if found:
            choices = [[1 << i for i in range(16) if pair >> i & 1] for pair in pairs]
            assert all(rules.joined(stones | sum(chosen), player)
                       for chosen in itertools.product(*choices))
    assert joined > 50


def test_a_board_of_one_square_has_no_lines():
    one = {**zermelo.game("k-in-a-row").values, "columns": 1, "rows": 1, "line": 2}
    with pytest.raises(zermelo.BadOption):
        zermelo.game("k-in-a-row", **one)
    with pytest.raises(Refused, match="line"):
        NAIVE["k-in-a-row"](one, False)


def test_turns_of_several_stones():
    game = zermelo.game("k-in-a-row", columns=4, rows=4, line=4, stones=2, first=3)
    rules = rules_for(header_of(game), "naive", None)
    with pytest.raises(Refused, match="3 stones left in a turn"):
        rules.read("..../..../..../.... O3")
    crossed = "OOOO/O..X/O..X/O..X X2"  # the last stone was that in the corner
    assert rules.end(rules.read(crossed)) == SECOND
    assert rules.text(rules.read(crossed)) == crossed
    root = rules.read("X.../..../..../.... X2")
    assert rules.checked(*root[:3]) == root
    assert rules.checked(word(1), word(0, 1, 2), 1) == (word(1), word(0, 1, 2), 1, 2)
    assert rules.checked(word(1), word(0, 1, 2, 3), 1)[3] == 1
    with pytest.raises(Refused, match="after that many stones"):
        rules.checked(0, 0, 0)
    assert rules.checked(*rules.read("..../..../..../.... X3")[:3]) == (0, 0, 0, 3)
    assert rules.checked(word(1), word(1), 0) == (word(1), word(1), 0, 2)


def test_a_lead_of_one_disc():
    rules = rules_for(header_of(zermelo.game("othello", size=4)), "naive", None)
    for board, end in (("XXXXXXXXOOOOOOO-", FIRST), ("OOOOOOOOXXXXXXX-", SECOND),
                       ("XXXXXXXOOOOOOO--", DRAWN)):
        squares = sorted(rules.order)
        x, o = (sum(1 << i for i, mark in zip(squares, board, strict=True) if mark == side)
                for side in "XO")
        rules.places = lambda own, other, one: 0
        assert rules.end((x, x | o, 0)) == rules.end((o, x | o, 1)) == end


def test_a_record_of_a_tree_names_a_node_of_its_depth():
    rules = rules_for(header_of(zermelo.game("p-game")), "naive", None)
    for node, depth in ((3, 1), (0, 1), (1, -1), (2**63, 62)):
        data = b"".join(n.to_bytes(size, "little", signed=n < 0)
                        for n, size in ((node, 8), (0, 4), (depth, 4), (0, 4)))
        with pytest.raises(Refused, match="a node that the tree does not have"):
            rules.record(data, 0)


@pytest.mark.parametrize(("own", "opp"), [(word(0, 1), word(1, 5)), (word(0, 4), word(9)),
                                          (word(0), word(32))])
def test_records_of_lines_of_action_that_hold_no_position(own, opp):
    rules = rules_for(header_of(zermelo.game("lines-of-action", size=4)), "naive", None)
    data = own.to_bytes(8, "little") + opp.to_bytes(8, "little") + bytes(4)
    with pytest.raises(Refused, match="two pieces on one square, or one outside the board"):
        rules.record(data, 0)


@pytest.mark.parametrize(("squares", "message"), [
    *((kings, "one king of each side") for kings in ({}, {4: 1}, {85: 9}, {3: 1, 4: 1, 85: 9})),
    ({4: 1, 85: 9, 40: 8}, "a piece that does not exist"),
    ({4: 1, 84: 9, 0: 2}, "has A where that piece can't stand"),
    ({4: 1, 85: 9}, "could be taken")])
def test_records_of_xiangqi_that_hold_no_position(squares, message):
    rules = rules_for(header_of(zermelo.game("xiangqi")), "naive", None)
    codes = [squares.get(square, 0) for square in range(90)]
    data = bytes(codes[i] | codes[i + 1] << 4 for i in range(0, 90, 2)) + bytes(4)
    with pytest.raises(Refused, match=message):
        rules.record(data, 0)


def test_xiangqi_is_shown_in_its_dialect():
    for dialect, name, corner in (("uci", "h3e3", "10 r"), ("wxf", "h2e2", "9 r")):
        rules = rules_for(header_of(zermelo.game("xiangqi", dialect=dialect)), "naive", None)
        state = rules.read(zermelo.game("xiangqi").start().text)
        assert rules.move_name(state, 128 * 25 + 22) == name
        shown = with_coordinates(rules, rules.diagram(state)).splitlines()
        assert shown[0].startswith(corner)
        assert len({len(line) for line in shown}) == 1

@pytest.mark.parametrize("name", [name for name in NAIVE if name not in IN_A_ROW[1:]])
def test_parameters_are_those_of_the_game(name):
    """Two parameters at a time, at their limits and just beyond."""
    game = zermelo.game(name)
    edges = {given: (*each.choices, 5, 10, "no") if each.choices else
             (each.low - 1, each.low, each.low + 1, each.high, each.high + 1)
             for given, each in game.parameters.items() if given in game.stated}
    for one, other in itertools.combinations_with_replacement(edges, 2):
        for values in itertools.product((*edges[one], 4), (*edges[other], 4)):
            parameters = {**game.stated, **dict(zip((one, other), values, strict=True))}
            try:
                zermelo.game(name, **parameters)
                valid = parameters.get("repetition") != "perpetual-check-loses"
            except zermelo.ZermeloError:
                valid = False
            try:
                assert NAIVE[name](parameters, False), parameters
                assert valid, parameters
            except Refused:
                assert not valid, parameters
    for given in edges:
        for value in (None, True, 4.0, "4", []):
            with pytest.raises(Refused):
                NAIVE[name]({**game.stated, given: value}, False)
        with pytest.raises(Refused, match="has no parameter 'no'"):
            NAIVE[name]({**game.stated, "no": 1}, False)


# OpenSpiel plays along: the same moves, ends and positions as the checker's own rules.
SPIEL = [("connect-four", {}), ("connect-four", {"columns": 4, "rows": 4}),
         ("hex", {"size": 4}), ("tic-tac-toe", {}),
         ("k-in-a-row", {"columns": 4, "rows": 3, "line": 3}),
         ("k-in-a-row", {"columns": 3, "rows": 6, "line": 4}), ("gomoku", {}),
         *(("k-in-a-row", {"columns": columns, "rows": rows, "line": line})
           for columns, rows, line in ((3, 4, 3), (3, 2, 3), (2, 3, 3), (3, 3, 2)))]


@pytest.mark.long_cases("gomoku-parameters6")
@pytest.mark.parametrize(("name", "parameters"), SPIEL)
def test_open_spiel_plays_by_the_same_rules(name, parameters):
    pytest.importorskip("pyspiel")
    game, rng = zermelo.game(name, **parameters), random.Random(3)
    header = header_of(game)
    own, theirs = rules_for(header, "naive", None), rules_for(header, "open-spiel", None)
    assert theirs.source == "OpenSpiel"
    for _ in range(6):
        state = own.read(header.position)
        while own.end(state) is None:
            assert theirs.end(state) is None
            assert own.mover(state) == theirs.mover(state)
            assert own.moves(state) == theirs.moves(state)
            move = rng.choice(own.moves(state))
            after = own.play(state, move)
            assert theirs.play(state, move) == after
            assert theirs.key(after) == own.key(after)
            state = after
            if own.end(state) is None:
                theirs.known.clear()  # so that the position is set up anew
        assert theirs.end(state) == own.end(state)
        assert theirs.mover(state) == own.mover(state)


def test_open_spiel_needs_positions_it_can_set_up():
    pytest.importorskip("pyspiel")
    rules = rules_for(header_of(zermelo.game("connect-four")), "open-spiel", None)
    with pytest.raises(Refused, match="as many stones as O, or one more"):
        rules.end(rules.read("." * 35 + "X...... X"))
    over = rules.read(zermelo.game("connect-four").parse("1213141").text)
    assert rules.end(over) == FIRST
    assert rules.end(rules.read(zermelo.game("connect-four").parse("71213151").text)) == SECOND
    with pytest.raises(Refused, match="can't set up"):
        rules.end((word(0, 1, 2, 3), word(0, 1, 2, 3, 7, 8, 9, 10), 0))


def test_open_spiel_refuses_a_stone_after_the_end():
    pytest.importorskip("pyspiel")
    game = zermelo.game("k-in-a-row", columns=4, rows=3)
    rules = rules_for(header_of(game), "open-spiel", None)
    with pytest.raises(Refused, match="over before its last stone"):
        rules.end((word(0, 1, 2), word(0, 1, 2, 4, 5, 11), 0, 1))


def test_pawns_of_compositions_stand_anywhere():
    rules = rules_for(header_of(zermelo.game("xiangqi")), "naive", None)
    state = rules.read("3k5/9/9/9/9/9/9/9/P8/4K4 w")
    assert "a1a2" in [rules.move_name(state, move) for move in rules.moves(state)]
