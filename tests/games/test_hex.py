"""Hex: notations, perft, rules against OpenSpiel and the slow twin, playouts, the swap rule."""

import random
import xml.etree.ElementTree as ElementTree
from functools import cache

import pytest
from brute import VALUES, BruteForce
from conformance import Subject, check_refused, check_rules, check_symmetry, check_text, seen
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.hex import NaiveHex

import zermelo
from zermelo.compiler.jit import jit_enabled
from zermelo.core.position import Position
from zermelo.errors import BadMove, BadOption, BadPosition
from zermelo.game_records.record import read_record
from zermelo.games.hex.game import Hex, build, cell_name, joined, stones
from zermelo.proof.header import Refused
from zermelo.proof.rules.hex import HexRules

FAST = jit_enabled()
# Stones are one word up to size 8, two at 9 (7 + 2 rows), three at 11 (5 + 5 + 1), four from 13 on.
SIZES = (1, 2, 3, 5, 8, 9, 11, 13, 16) if FAST else (1, 3, 9)


@cache
def board(size: int) -> Hex:
    return Hex(size=size)


@pytest.mark.parametrize(
    "text",
    [
        "5x5: b2 c3 d1",
        " 5X5:B2, c3 ,D1\n",
        "d1 c3 b2",
        "5x5: ...X./.X.../..O../...../.....",
        "...X./.X.../..O../...../..... O",
        "...x.\n.x...\n..o..\n.....\n.....\no",
        ". . . x . \n . x . . . \n  . . o . . \n   . . . . . \n    . . . . . ",
        "---X--X-----O------------",
        "...X..X.....O............ O",
        ";B[b2];W[c3];B[d1]",
        "(;FF[4]GM[11]SZ[5:5]PB[a \\] b]C[two\nlines];B[B2];W[C3](;B[d1])(;B[e5];W[e4]))",
        "(;FF[4]EV[x]SZ[5];W[bb];B[cc];W[da];B[resign])",
        "(;SZ[5];B[bb];W[cc];B[da])",
        "#5c1,b2c3d1",
        "https://hexworld.org/board/#5r9nc1,b2c3d1,e5a5",
        "#5x5,b2c3d1:fw",
    ],
)
def test_reads_every_notation(text):
    position = board(5).parse(text)
    assert position.text == "5x5: d1 c3 b2"
    assert (position.to_move, position.outcome) == ("O", None)


def test_empty_boards():
    start = board(5).start()
    for text in ("5x5:", "#5", "#5c1,", "#5c1,,b2", "(;SZ[5])", "." * 25, "...../" * 4 + "....."):
        assert board(5).parse(text) == start
    assert start.text == "5x5:"
    assert board(1).start().text == "1x1:"
    assert board(1).parse(".") == board(1).start()
    assert board(1).parse("X").outcome == "first"


def test_white_may_begin_in_either_dialect():
    red_bean = board(3).parse(";W[a1];B[b1]")
    assert red_bean.text == "OX./.../... O"
    assert board(3).parse(";W[aa];B[ba]").text == "3x3: a1 b1"
    assert board(3).parse(";B[aa];W[ba]").text == "3x3: a1 b1"


def test_a_pass_hands_the_turn_over():
    assert board(3).parse("#3c1,a1:pb1").text == "XX./.../... O"
    assert board(3).parse(";B[a1];W[pass];B[b1]").text == "XX./.../... O"
    with pytest.raises(BadPosition, match=r"hex: move 6, ':p': 'pass': the game is over"):
        board(3).parse("#3c1,a1b1a2b2a3:p")


def test_text_that_alternate_play_cannot_reach_is_written_in_rows():
    three = board(3)
    for text in ("XX./.../... O", "XX./.../... X", ".../.O./... X", ".../.../... O"):
        assert three.parse(text).text == text
    two_chains = three.parse("X.X/X.X/X.X O")
    assert (two_chains.text, two_chains.outcome) == ("X.X/X.X/X.X O", "first")
    # Either chain is enough: no last move made the win, though the numbers of stones fit.
    both = three.parse("XOX/XOX/XOX O")
    assert both.outcome == "first"
    assert three.parse(both.text) == both
    twice = board(4).parse("X.XO/X.XO/X.XO/X.XO O")
    assert twice.text.startswith("X.XO/")


def test_the_winning_stone_comes_last_in_the_text():
    won = board(3).parse("b1 a1 c3 a2 b3 c1 b2")
    assert won.outcome == "first"
    assert won.text == "3x3: b1 a1 b2 c1 c3 a2 b3"  # without c3, the last cell, X wins all the same
    assert board(3).parse(won.text) == won


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "hex: the position is empty; write 'start'"),
        ("4x4: a1", "'4x4: a1' is for a board of 4 x 4 cells, but this one has size=3."),
        ("3x4: a1", "is for a board of 3 x 4 cells"),
        ("a1 d1", "move 2: 'd1' is not a cell of the 3 x 3 board; cells are a1 to c3."),
        ("a1 b2 a4", "move 3: 'a4' is not a cell"),
        ("a1 b0", "move 2: 'b0' is not a cell"),
        ("rubbish", "move 1: 'rubbish' is not a cell"),
        ("a1 b2 A1", "move 3, 'A1': 'a1': there is a stone on this cell already."),
        ("a1 b1 a2 b2 a3 b3", "move 6: 'b3': the game is over, no move is legal."),
        ("a1 b2 swap", "move 3: 'swap': a swap is the answer to the first stone."),
        ("#3c1,a1b2:sb2", "move 3, ':s': 'swap-pieces': a swap is the answer"),
        ("#3c1,:Sb2", "move 1, ':S': 'swap-sides': a swap is the answer to the first stone."),
        (";W[a1];B[swap-pieces]", "move 2: 'swap-pieces': a swap is the answer"),
        (";W[aa];B[swap];W[swap]", "move 3: 'swap': a swap is the answer"),
        (";B[a1];W[swap-sides];B[b1]", "move 3, 'b1', is B's, but after swap-sides it is again"),
        ("a1 resign b2", "move 2: 'resign' ends the game, but 'b2' follows."),
        ("#3c1,a1:rbc1", "move 2, ':rb': 'resign' ends the game, but 'c1' follows."),
        (";B[a1];W[resign];B[b1]", "move 2: 'resign' ends the game, but 'b1' follows."),
        ("#c1,a1", "'#c1,a1' is not a HexWorld link; one looks like '#11c1,a3b4', size first."),
        ("https://hexworld.org/board/#11c1,a3", "is for a board of 11 x 11 cells"),
        ("#3c1,a1b", "move 2: 'b' is not a cell"),
        ("#3c1,a1:x", "move 2: ':x' is not a cell"),
        (";B[a1];B[b1]", "move 2, 'b1', is B's, and so was the move before."),
        (";B[a1];W[bb]", "'a1' is a cell as red-bean's SGF writes it, 'bb' one as Little Golem's"),
        (";W[aa];B[aa]", "move 2, 'aa': 'a1': there is a stone on this cell"),
        (";W[ad]", "move 1, 'ad': 'a4' is not a cell"),
        (";B[a1][b1]", "B has 2 values, 'a1' first; a move is one cell."),
        (";B[]", "move 1: '' is not a cell"),
        ("(;SZ[5];B[a1])", "is for a board of 5 x 5 cells"),
        ("(;SZ[big];B[a1])", "SZ 'big' is not a board size; write SZ\\[11\\]."),
        ("(;GM[1];B[aa])", "GM '1' is another game; Hex is GM\\[11\\]."),
        ("(;AB[a1][b1])", "sets up a position with AB, which is not read"),
        (";B[a1] rubbish", "is not an SGF record: character 8, 'rubbish', is not ; \\( \\)"),
        (";B[a1", "is not an SGF record: the bracket at character 3 is not closed."),
        ("(;B[a1]", "is not an SGF record: the bracket at character 1 is not closed."),
        ("what (;B[a1])", "is not an SGF record: character 1, 'what \\(;B\\[a', is not"),
        ("(;B[a1]) what", "is not an SGF record: character 10, 'what', is not"),
        ("(;B[a1])(;B[b1])", "is not an SGF record: a second game begins at character 9."),
        (";B[a1])", "is not an SGF record: character 7, '\\)', is not"),
        ("(;B[a1];W)", "is not an SGF record: character 9, 'W\\)', is not"),
        ("X../...", "'X../...' has 6 squares in 2 rows, but a board of 3 columns x 3 rows has 9."),
        ("X....", "'X....' has 5 squares, but a board of 3 columns x 3 rows has 9."),
        ("X../..../...", "row 2, '....', has 4 squares, not 3."),
        ("X../.../..XX", "row 3, '..XX', has 4 squares, not 3."),
        ("X../.?./...", "'\\?' at b2 is not a cell; use X, O and '.'."),
        ("XX./.../...", "has 2 X and 0 O; X begins, so X has as many as O or one more"),
        ("..O/.../...", "has 0 X and 1 O; X begins"),
        ("X../X../X.. X", "X already joins top and bottom in 'X../X../X..', so X can't be to move"),
        ("XX./OOO/XXO O", "O already joins left and right in 'XX./OOO/XXO', so O can't be to"),
    ],
)
def test_bad_positions_get_a_clear_sentence(text, sentence):
    check_refused(board(3), text, sentence)


def test_a_finished_game_is_a_position():
    for text, winner in (("XX./XOO/XO. O", "first"), ("X.X/OOO/XX. X", "second")):
        position = board(3).parse(text)
        assert (position.outcome, position.moves()) == (winner, [])


def test_bad_moves_and_sizes():
    with pytest.raises(BadMove, match="'k12' is not a cell of the 11 x 11 board; cells are a1 to"):
        board(11).start().play("k12")
    with pytest.raises(BadMove, match="'a1': there is a stone on this cell already"):
        board(3).parse("a1").play("a1")
    for size in (0, 17):
        with pytest.raises(BadOption, match=f"hex: size={size} is out of range; valid is 1 to 16"):
            Hex(size=size)


@settings(deadline=None, max_examples=120 if FAST else 10)
@given(st.sampled_from([1, 2, 3, 5, 9, 11]), st.data())
def test_every_notation_leads_back(size, data):
    game = board(size if FAST else 3)
    size = game["size"]
    marks = data.draw(st.text("XO.", min_size=size * size, max_size=size * size))
    side = data.draw(st.sampled_from("XO"))
    x, o = (sum(1 << i for i, mark in enumerate(marks) if mark == player) for player in "XO")
    rows = "/".join(marks[i : i + size] for i in range(0, size * size, size)) + f" {side}"
    if joined(game, (x, o)["XO".index(side)], "XO".index(side)):
        with pytest.raises(BadPosition, match="can't be to move"):
            game.parse(rows)
        return
    position = game.parse(rows)
    assert stones(position) == (x, o)
    assert position.to_move == side
    assert game.parse(position.text) == position
    assert game.parse(position.text).text == position.text


@settings(deadline=None, max_examples=40 if FAST else 5)
@given(st.sampled_from([2, 5, 11, 13]), st.integers(0, 10**6))
def test_records_of_one_game_agree(size, seed):
    game, chance = board(size if FAST else 3), random.Random(seed)
    position, names = game.start(), []
    while position.outcome is None and len(names) < 40:
        names.append(chance.choice(position.moves()))
        position = position.play(names[-1])
    size = game["size"]
    golem = [f"{name[0]}{'abcdefghijklm'[int(name[1:]) - 1]}" for name in names]
    records = [
        f"{size}x{size}: {' '.join(names)}",
        f"(;SZ[{size}]" + "".join(f";{'BW'[i % 2]}[{n}]" for i, n in enumerate(names)) + ")",
        f"(;SZ[{size}]" + "".join(f";{'WB'[i % 2]}[{n}]" for i, n in enumerate(golem)) + ")",
        f"https://hexworld.org/board/#{size}c1,{''.join(names)}",
        position.text,
    ]
    assert all(game.parse(record) == position for record in records)


def test_diagram_shows_whose_edges_are_which():
    assert board(3).parse("b2 c1").diagram.splitlines() == [
        "   a b c",
        "    x x x",
        " 1 o . . O o",
        "  2 o . X . o",
        "   3 o . . . o",
        "        x x x",
    ]


def test_svg_has_coloured_edges():
    position = board(3).parse("b2 c1 a1")
    parts = [part.attrib for part in ElementTree.fromstring(position.svg()).iter()]
    red, blue = "#c8443c", "#3b6ea8"
    assert sum("points" in part for part in parts) == 9
    # The stones, and a mark on the last one.
    assert [part["fill"] for part in parts if "r" in part] == [red, blue, red, "#ffffff"]
    edges = [part["stroke"] for part in parts if "x1" in part]
    # Two open sides for each cell of an edge; those that an obtuse corner has twice are X's.
    assert (edges.count(red), edges.count(blue)) == (12, 10)


# Move sequences from the empty board. Sizes 2 and 3: OpenSpiel 2.0.2, hex, board_size=n. Size 4:
# the twin, counting paths to each state ply by ply. Size 11: no game ends that early.
@pytest.mark.long_cases("11-counts3")
@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (2, [1, 4, 12, 24, 12, 0]),
        (3, [1, 9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960, 0]),
        (4, [1, 16, 240, 3360, 43680, 524160, 5765760, 57657600]),
        (11, [1, 121, 121 * 120, 121 * 120 * 119]),
    ],
)
def test_perft(size, counts):
    counts = counts if FAST else counts[:4]
    assert [board(size).start().perft(d) for d in range(len(counts))] == counts


def test_perft_in_the_middle():
    position = board(5).parse("c3 b4 d2 b2 c2 c4 b5 d4 d3 e3 a4 b3")
    counts = [1, 13, 156, 1320, 13200, 87120, 696960]  # the twin, ply by ply as above
    shown = counts if FAST else counts[:3]
    assert [position.perft(d) for d in range(len(shown))] == shown


@pytest.mark.long_cases("16")
@pytest.mark.parametrize("size", SIZES)
def test_random_games_agree_with_the_twin(size):
    subject = Subject(board(size), NaiveHex(size), perft=1, walks=4 if size > 8 else 20)
    check_rules(subject)
    check_text(subject)
    if size in (3, 8):  # the others are among the games of all conformance checks
        check_symmetry(subject)
    positions = {position for position, _ in seen(subject)}
    positions |= {build(board(size), *stones(p), 1 - p.mover) for p in list(positions)}
    assert len({position.key() for position in positions}) == len(positions)
    assert board(size).rules.exact_key == (size <= 5)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_full_board_has_exactly_one_winner(size):
    game, twin, cells = board(size), NaiveHex(size), size * size
    for x in range(1 << cells):
        o = x ^ ((1 << cells) - 1)
        own = [joined(game, x, 0), joined(game, o, 1)]
        assert sum(own) == 1
        where = [{(i % size, i // size) for i in range(cells) if s >> i & 1} for s in (x, o)]
        assert own == [twin.joined(where[0], 1), twin.joined(where[1], 0)]


@pytest.mark.parametrize("size", [5, 8, 9, 11, 13, 16] if FAST else [5, 9])
def test_a_connection_is_seen_on_winding_boards(size):
    """Half-full random boards and single stones less: long walks that cross words up and down."""
    game, twin, chance = board(size), NaiveHex(size), random.Random(size)
    cells = size * size
    for share in (0.45, 0.5, 0.55) if FAST else (0.5,):
        for _ in range(40 if FAST else 5):
            bits = sum(1 << i for i in range(cells) if chance.random() < share)
            where = {(i % size, i // size) for i in range(cells) if bits >> i & 1}
            assert joined(game, bits, 0) == twin.joined(where, 1)
            assert joined(game, bits, 1) == twin.joined(where, 0)


@pytest.mark.parametrize("size", [9, 11, 13] if FAST else [9])
def test_a_serpent_joins(size):
    """The longest walk: whole rows, joined at alternate ends, and columns likewise."""
    down, across = set(), set()
    for line in range(size):
        full = line % 2 == 0
        end = size - 1 if line % 4 == 1 else 0
        cells = range(size) if full else [end]
        down |= {(c, line) for c in cells}
        across |= {(line, c) for c in cells}
    for player, where in enumerate((down, across)):
        bits = sum(1 << (r * size + c) for c, r in where)
        assert joined(board(size), bits, player)
        cut = 2 * size - 1 if player == 0 else size * size - size + 1  # the first crossing
        assert not joined(board(size), bits ^ (1 << cut), player)


def test_openspiel_draws_the_board_in_rows():
    pyspiel = pytest.importorskip("pyspiel")
    state = pyspiel.load_game("hex", {"board_size": 5}).new_initial_state()
    for name in ("b2", "c3", "d1", "a4"):
        state.apply_action(state.string_to_action(name))
    text = str(state)
    assert set(text) <= set(".xo \n")
    assert board(5).parse(text) == board(5).parse("b2 c3 d1 a4")


@pytest.mark.parametrize(("size", "winning"), [(1, "a1"), (2, "b1 a2"), (3, "c1 a2 b2 c2 a3")])
def test_winning_first_moves(size, winning):
    """All that win, as an exhaustive search with the twin's rules finds them too."""
    if not FAST and size > 2:
        pytest.skip("takes long without compiled rules")
    known: dict[Position, bool] = {}

    def wins(position: Position) -> bool:
        """Does the player to move win?"""
        folded = position.canonical()
        if folded not in known:
            known[folded] = position.outcome is None and not all(
                wins(position.play_code(code)) for code in position.codes()
            )
        return known[folded]

    start = board(size).start()
    assert [name for name in start.moves() if not wins(start.play(name))] == winning.split()


def test_a_text_that_names_its_size_brings_its_board():
    for text in ("5x5: b2 c3 d1", "#5c1,b2c3d1", "(;SZ[5];B[b2];W[c3];B[d1])"):
        position = Hex().parse(text)
        assert position.game["size"] == 5
        assert position == Hex(size=5).parse("b2 c3 d1")
    with pytest.raises(BadPosition, match="is for a board of 5 x 5 cells"):
        Hex(size=7).parse("5x5: b2")


@pytest.mark.parametrize(
    ("size", "text", "moves"),
    [
        (3, "a1", "b2"),  # holds with both edges by bridges
        (3, "a2 b2", "a3"),  # joins the bottom; the top is two cells away, of which one is enough
        (3, "b2", "a1"),  # lost whatever is played
        (4, "b2", "b3 c1 b1"),  # elsewhere X holds with b3
        (4, "b2 b3", "a3 a4"),
    ],
)
def test_moves_worth_trying(size, text, moves):
    game = board(size)
    position = game.parse(text)
    codes = game.board.forced(position.state)
    assert [game.move_name(position, code) for code in codes] == moves.split()
    assert game.board.ask(game.rules.estimate, position.state) == (1, len(codes))


def test_without_chains_moves_come_from_the_centre():
    game = board(5)
    assert game.move_name(game.start(), game.board.forced(game.start().state)[0]) == "c3"
    large = board(11)
    assert large.board.forced(large.start().state) == large.start().codes()
    assert large.board.ask(large.rules.estimate, large.parse("a1 b1").state) == (1, 119)
    assert large.board.ask(large.rules.remaining, large.parse("a1 b1").state) == 119


@pytest.mark.full
def test_winning_first_moves_of_five_by_five():
    start = board(5).start()
    losing = [move for move in start.moves()
              if zermelo.solve(start.play(move), "weak-df-pn", goal="win").value == "win"]
    wins = ["e1", "b2", "c2", "d2", "e2", "b3", "c3", "d3", "a4", "b4", "c4", "d4", "a5"]
    assert sorted(wins + losing) == sorted(start.moves())


@pytest.mark.parametrize("size", [1, 2, 5, 16])
def test_a_diagram_says_how_large_its_board_is(size):
    position = board(size).parse("a1" if size > 1 else "start")
    again = zermelo.game("hex").parse(position.diagram)
    assert (again, again.game["size"]) == (position, size)
    assert board(size).parse(f"{position.diagram}\n\nO to move" if size > 1 else "start")


def test_a_diagram_of_another_size_than_asked_for_is_refused():
    with pytest.raises(BadPosition, match="is for a board of 5 x 5 cells, but this one has size=4"):
        board(4).parse(board(5).parse("c3").diagram)


# SOURCE: littlegolem.net, game 1139802, of which these are the first moves.
GOLEM = ("(;FF[4]EV[hex.ch.23.1.1]PB[one]PW[two]SZ[13]RE[W]GC[ game #1139802]"
         "SO[http://www.littlegolem.com];W[mf];B[swap];W[kj];B[ie];W[resign])")


def test_a_record_of_little_golem_with_its_swap():
    position = Hex().parse(GOLEM)
    assert (position.game.values, position.notation) == (
        {"size": 13, "swap": "yes"}, "SGF, Little Golem")
    x, o = stones(position)
    names = [[cell_name(13, i) for i in range(169) if bits >> i & 1] for bits in (x, o)]
    assert names == [["k10"], ["i5", "f13"]]  # m6 mirrored
    assert position.to_move == "X"
    record = read_record(Hex(), GOLEM)
    assert record.moves == ["m6", "swap", "k10", "i5"]
    assert [one.mover for one in record.positions] == [0, 1, 0, 1, 0]


def test_swaps_in_all_notations():
    for text in ("3x3: a2 swap c3", "a2 swap-pieces c3", "#3c1,a2:sc3", ".O./.../..X O",
                 ";B[a2];W[swap-pieces];B[c3]", ";W[ab];B[swap];W[cc]"):
        for game in (Hex(size=3), Hex(size=3, swap="yes")):
            position = game.parse(text)
            assert (stones(position), position.mover) == ((1 << 8, 1 << 1), 1), text
    for text in ("a2 swap-sides c3", "#3c1,a2:Sc3", ";B[a2];W[swap-sides];W[c3]"):
        for game in (Hex(size=3), Hex(size=3, swap="yes")):
            position = game.parse(text)
            assert (stones(position), position.mover) == ((1 << 3, 1 << 8), 0), text
            assert position.game["swap"] == "no"


def test_the_record_of_a_swap_is_written_and_read_again():
    game = Hex(size=3, swap="yes")
    position = game.start().play("a2", "swap", "c3")
    assert game.sgf(position) == "(;FF[4]GM[11]SZ[3];B[a2];W[swap-pieces];B[c3])"
    assert game.parse(game.sgf(position)) == position
    assert position.play("b2").text == ".O./.O./..X X"


@pytest.mark.parametrize("size", [2, 3, 9])
def test_the_swap_rule_against_the_twin(size):
    game, twin = Hex(size=size, swap="yes"), NaiveHex(size, "yes")
    for seed in range(6):
        chance, position, state = random.Random(seed), game.start(), twin.start()
        names = []
        while position.outcome is None:
            assert position.moves() == twin.moves(state)
            assert ("swap" in position.moves()) == (len(names) == 1)
            name = "swap" if len(names) == 1 and seed % 2 else chance.choice(twin.moves(state))
            position, state, names = position.play(name), twin.play(state, name), [*names, name]
            assert twin.from_position(position) == state
            assert game.parse(position.text) == position
        assert position.outcome == twin.outcome(state)


def test_values_with_the_swap_rule_are_those_of_brute_force():
    brute = BruteForce(NaiveHex(3, "yes"))
    game = Hex(size=3, swap="yes")
    assert brute.value(brute.naive.start()) == -1  # with best play the second player wins
    assert zermelo.solve(game.start()).value == "loss"
    for first in ("a1", "b2", "a3", "b1"):
        position = game.start().play(first)
        for after in (position, position.play("swap"), position.play("c3")):
            state = brute.naive.from_position(after)
            for plain in (False, True):
                found = zermelo.solve(after, plain=plain)
                assert found.value == VALUES[brute.value(state)], (first, after.text)


def test_a_certificate_is_refused_where_a_swap_is_open():
    game = Hex(size=3, swap="yes")
    for text in ("start", "b2"):
        with pytest.raises(BadOption, match="a certificate can't hold a swap"):
            game.check_certificate(game.parse(text))
    game.check_certificate(game.parse("b2 swap"))


@pytest.mark.long
def test_no_certificate_holds_a_swap(tmp_path):
    game = Hex(size=3, swap="yes")
    for text in ("start", "b2"):
        session = zermelo.Session(game.parse(text))
        session.run(zermelo.Limits())
        with pytest.raises(BadOption, match="a certificate can't hold a swap"):
            zermelo.write_proof(session, tmp_path / "x.proof")
    session = zermelo.Session(game.parse("b2 swap"))
    session.run(zermelo.Limits())
    zermelo.write_proof(session, tmp_path / "x.proof")
    assert zermelo.verify(tmp_path / "x.proof").verified


def test_moves_that_are_no_swap():
    start = Hex(size=3, swap="yes").start()
    with pytest.raises(BadMove, match="a swap is the answer to the first stone"):
        start.play("swap")
    with pytest.raises(BadMove, match="that changes who plays which colour"):
        start.play("a1", "swap-sides")
    with pytest.raises(BadMove, match="there is no swap in this game of Hex; with swap=yes"):
        Hex(size=3).start().play("a1", "swap")


def test_the_checker_knows_where_a_swap_may_come():
    rules = HexRules({"size": 3, "swap": "yes"}, False)
    for text in ("3x3:", "3x3: a1", "X../.../... O"):
        with pytest.raises(Refused, match="a swap may still come"):
            rules.read(text)
    assert rules.read("O../.../... X") == (0, 1, 0)
    with pytest.raises(Refused, match="swap is 'maybe', not yes or no"):
        HexRules({"size": 3, "swap": "maybe"}, False)
    assert HexRules({"size": 3, "swap": "no"}, False).read("3x3: a1") == (0, 1, 1)
