"""Xiangqi: notations and their errors, special rules, perft, repetition, pictures."""

import pytest
from brute import random_game
from conformance import check_refused
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.xiangqi import NaiveXiangqi

import zermelo
from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.board import moves_array, states_array
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, SECOND_WINS
from zermelo.errors import BadMove, BadOption, BadPosition
from zermelo.games.xiangqi.game import DIALECTS, Xiangqi, board_of
from zermelo.games.xiangqi.rules import captures, checks, may_stand, repeat

FAST = jit_enabled()
GAME, TWIN = Xiangqi(), NaiveXiangqi()
PLAY = Xiangqi(repetition="perpetual-check-loses")
DIALECT = {name: Xiangqi(dialect=name) for name in DIALECTS}
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
OPENED = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR"
# The start: published. The next ten: perft_xiangqi.txt of the project's shared data, there by an
# own generator and, to depth 3, by pyffish 0.0.90. The last three are from random games; pyffish
# to depth 3.
PERFT = {
    f"{START} w": [44, 1920, 79666, 3290240, 133312995],
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w": [38, 1128, 43929, 1339047],
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w": [7, 281, 8620, 326201],
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w": [25, 424, 9850, 202884],
    "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w": [28, 516, 14808, 395483],
    "R1N1k1b2/9/3aba3/9/2nr5/2B6/9/4B4/4A4/4KA3 w": [21, 364, 7626, 162837],
    "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w": [28, 222, 6241, 64971],
    "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w": [23, 345, 8124, 149272],
    "2b1ka3/9/b3N4/4n4/9/9/9/4C4/2p6/2BK5 w": [21, 195, 3883, 48060],
    "1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w": [30, 830, 22787, 649866],
    "CnN1k1b2/c3a4/4ba3/9/2nr5/9/9/4C4/4A4/4KA3 w": [19, 583, 11714, 376467],
    "3a1ab1r/2r1k4/bc4n2/p3C1p1p/1Rp1p3P/4c4/P1P1P1P2/4B1N1B/4A4/1N1K1A1R1 b": [38, 1711, 63542],
    "cn1ak2n1/1R2a1r2/b8/4p4/p3R1p1p/P1B5P/2P1P1P2/6C1N/3NA4/3K1AB2 b": [20, 895, 18946],
    "2b2kr2/9/2na1an1C/6p2/4p1b2/p2p2B1P/P1c1P1R2/1r3AN1B/4A3C/3RK4 b": [49, 1478, 67329],
}


@pytest.mark.parametrize(("text", "notation"), [
    (f"{OPENED} b", "FEN"), (f"{OPENED} b - - 1 1", "FEN"), (f"{OPENED} b - -", "FEN"),
    (f"fen {OPENED} b", "FEN"), (f"{OPENED.translate(str.maketrans('NBnb', 'HEhe'))} b", "FEN"),
    (f"{START} w moves h2e2", "FEN and moves"), (f"{START} r - - 0 1 moves h2e2", "FEN and moves"),
    ("position startpos moves h2e2", "FEN and moves"),
    (f"position fen {START} w - - 0 1 moves h2e2", "FEN and moves"),
    ("h2e2", "moves"), ("H2-E2", "moves"), ("1. h2e2", "moves"), ("1.H2E2", "moves"),
    ("C2=5", "moves"), ("1. c2.5", "moves"), ("炮二平五", "moves"), ("1. 砲二平五", "moves"),
])
def test_reads_every_notation(text, notation):
    position = GAME.parse(text)
    assert (position.text, position.notation) == (f"{OPENED} b", notation)
    assert GAME.parse(position.text) == position


def test_lists_of_moves():
    played = GAME.start().play("h2e2", "h9g7", "h0g2")
    for text in ("h2e2 h9g7 h0g2", "1. H2-E2 H9-G7 2. H0-G2", "1.C2.5 N8+7 2.H2+3",
                 "C2=5, h8+7, n2+3", "1. 炮二平五 馬\uff18進\uff17 2. 馬二進三",
                 "炮二平五 马8进7 马二进三"):
        assert GAME.parse(text) == played, text
    assert DIALECT["uci"].parse("h3e3 h10g8 h1g3").text == played.text


@pytest.mark.parametrize(("text", "sentence"), [
    ("", "the position is empty; write 'start'"),
    (START, "does not say who moves; write a space and w \\(Red\\) or b \\(Black\\)"),
    (f"{START} x", "says 'x' for who moves"),
    (f"{START} w KQkq", "'KQkq' after the side to move of a FEN is not understood"),
    (f"{START[:-1]} w",
     "is not a board of 10 rows with 9 squares each \\(row 10 from the top has 8"),
    ("9/9 w", "is not a board of 10 rows with 9 squares each; write the rows"),
    (START.replace("C", "Q") + " w", "'Q' at b2 is not a piece; write KABNRCP for Red"),
    (START.replace("K", "1") + " w", "Red has 0 kings in .*; there must be just 1"),
    (START.replace("r/9", "r/r8") + " w", "Black has 3 rooks in .*; there must be at most 2"),
    (START.replace("1C5C1/9", "1C5C1/4K4") + " w", "Red has 2 kings"),
    (f"{START.replace('A', '1').replace('1C5C1/9', '1C5C1/A8')} w",
     "Red's advisor can't stand on a1"),
    ("4k4/9/9/9/9/9/9/9/9/4K4 w", "Red is to move and could take the king of Black"),
    ("3k5/9/9/9/9/9/9/9/3R5/4K4 w", "Red is to move and could take the king of Black"),
    ("h2e9", "move 1: 'h2e9' is not a legal move here; legal: a0a1, a0a2"),
    ("h2e2 h2e2", "move 2: 'h2e2' is not a legal move here"),
    ("h2e2 h10g8", "move 2: 'h10g8': there is no rank 10; with dialect=ucci ranks are 0 to 9, "
     "with dialect=uci 1 to 10"),
    ("h3e3", "'h3e3' is not a legal move here with ranks from 0, but with dialect=uci it is"),
    ("C2=5 C2=9", "move 2: 'C2=9' is not a legal move here"),
    (f"{START} w moves a0a5", "move 1: 'a0a5' is not a legal move here"),
    ("rubbish", "move 1: 'rubbish' is not a legal move here"),
])
def test_bad_positions_get_a_clear_sentence(text, sentence):
    check_refused(GAME, text, sentence)


def test_the_dialect_says_how_ranks_are_counted():
    assert DIALECT["ucci"].parse("h2e2") == GAME.parse("C2.5")
    assert DIALECT["uci"].parse("h3e3").text == DIALECT["uci"].parse("C2.5").text
    assert DIALECT["uci"].parse("h3e3").text == f"{OPENED} b"
    with pytest.raises(BadMove, match="no rank 0; with dialect=uci ranks are 1 to 10"):
        DIALECT["uci"].start().play("h0g2")


@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"repetition": "loses"}, "repetition='loses' is not one of draw, perpetual-check-loses"),
    ({"dialect": "san"}, "dialect='san' is not one of ucci, iccs, uci, wxf, chinese"),
    ({"pieces": "gold"}, "pieces='gold' is not one of letters, chinese"),
])
def test_bad_parameters(parameters, sentence):
    with pytest.raises(BadOption, match=sentence):
        Xiangqi(**parameters)


# Where files are crowded: position, then coordinates, WXF (pyffish 0.0.90 writes the same, with
# = for .) and Chinese. The Chinese numbers of pawns follow the rules that XQBase describes.
CROWDED = [
    ("3k5/9/4P4/4P4/4P4/2P6/2P6/9/9/4K4 w", {
        "c4c5": ("17+1", "四兵进一"), "e7f7": ("15.4", "一兵平四"), "e6d6": ("25.6", "二兵平六"),
        "e5d5": ("35.6", "三兵平六"), "e0f0": ("K5.4", "帅五平四")}),
    ("3k5/9/9/4P4/4P4/4P4/6P2/9/9/4K4 w", {
        "e6e7": ("15+1", "前兵进一"), "e5d5": ("25.6", "中兵平六"), "g3g4": ("P3+1", "兵三进一")}),
    ("3k5/9/9/4P4/4P4/6B2/9/3NR4/3NR4/3AK1B2 w", {
        "e2e4": ("R++2", "前车进二"), "e1i1": ("R-.1", "后车平一"), "d1b0": ("H--8", "后马退八"),
        "e5f5": ("P-.4", "后兵平四"), "g4i2": ("E3-1", "相三退一"), "g0i2": ("E3+1", "相三进一")}),
    ("3k5/9/9/4n4/4n4/3r5/3r5/3NR4/3NR4/3AK1B2 b", {
        "d3d2": ("R++1", "前车进1"), "d4d8": ("R--4", "后车退4"), "e5f3": ("H++6", "前马进6"),
        "e6d8": ("H--4", "后马退4"), "d9e9": ("K4.5", "将4平5")}),
]


@pytest.mark.parametrize(("text", "wanted"), CROWDED)
def test_names_where_pieces_share_a_file(text, wanted):
    position = GAME.parse(text)
    for move, spellings in wanted.items():
        code = GAME.parse_move(position, move)
        for dialect, spelling in zip(("wxf", "chinese"), spellings, strict=True):
            assert DIALECT[dialect].move_name(position, code) == spelling
            assert GAME.parse_move(position, spelling) == code


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_move_has_a_name_of_its_own(dialect):
    game = DIALECT[dialect]
    played = random_game(GAME, 5, 60 if FAST else 8)[::4]
    for text in [*(text for text, _ in CROWDED), *(position.text for position in played)]:
        position = game.parse(text)
        names = position.moves()
        assert len(set(names)) == len(names)
        assert [game.parse_move(position, name) for name in names] == position.codes()
        assert [game.parse_move(position, name.lower()) for name in names] == position.codes()


def test_the_start():
    assert GAME.start().text == f"{START} w"
    assert TWIN.from_position(GAME.start()) == TWIN.start()
    assert GAME.start().moves() == TWIN.moves(TWIN.start())


def targets(text, square):
    return {move[2:] for move in GAME.parse(text).moves() if move.startswith(square)}


def test_blocked_horses_and_elephants():
    assert targets("3k5/9/9/9/4N4/9/9/9/9/4K4 w", "e5") == {
        "f7", "d7", "g6", "g4", "c6", "c4", "f3", "d3"}
    assert targets("3k5/9/9/4p4/4N4/9/9/9/9/4K4 w", "e5") == {"g6", "g4", "c6", "c4", "f3", "d3"}
    assert targets("5k3/9/9/9/9/9/9/4B4/4A4/3K5 w", "e2") == {"c0", "g0", "c4", "g4"}
    assert targets("5k3/9/9/9/9/9/3p5/4B4/4A4/3K5 w", "e2") == {"c0", "g0", "g4"}
    assert targets("3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c4") == {"a2", "e2"}


def test_cannons_take_over_one_piece():
    assert targets("3k5/9/9/9/9/9/9/2C1P1r1r/9/4K4 w".replace("P", "p"), "c2") & {
        "d2", "e2", "f2", "g2", "h2", "i2"} == {"d2", "g2"}


def test_pawns_go_sideways_beyond_the_river():
    assert targets("3k5/9/9/9/9/4P4/9/9/9/4K4 w", "e4") == {"e5"}
    assert targets("4k4/9/9/9/4P4/9/9/9/9/4K4 w", "e5") == {"e6"}  # or the kings would face
    assert targets("3k5/9/9/9/6P2/9/9/9/9/4K4 w", "g5") == {"g6", "f5", "h5"}
    assert targets("3k4P/9/9/9/9/9/9/9/9/4K4 w", "i9") == {"h9"}


def test_kings_do_not_face_each_other():
    assert targets("3k5/9/9/9/9/9/9/9/9/4K4 w", "e0") == {"e1", "f0"}
    assert targets("4k4/9/9/9/4N4/9/9/9/9/4K4 w", "e5") == set()


MATE = "3k5/3R5/9/9/9/9/9/9/9/3RK4 b"
STALEMATE = "3k5/9/3P5/9/9/9/9/9/9/4K4 b"


def test_mate_and_stalemate_lose():
    for text, check in ((MATE, True), (STALEMATE, False)):
        position = GAME.parse(text)
        assert (position.outcome, position.moves(), GAME.in_check(position)) == ("first", [], check)
        assert position.diagram.endswith("Red wins")
        with pytest.raises(BadMove, match="the game is over"):
            position.play("d9d8")
    assert not GAME.in_check(GAME.start())


def test_perft():
    for text, counts in PERFT.items():
        depth = (4 if text.startswith(START) else 3) if FAST else 1
        position = GAME.parse(text)
        assert [position.perft(d + 1) for d in range(depth)] == counts[:depth], text


@pytest.mark.full
@pytest.mark.skipif(not FAST, reason="133 million leaves")
def test_deep_perft():
    for text, counts in PERFT.items():
        assert GAME.parse(text).perft(len(counts)) == counts[-1], text


def checks_of_first(g, states, side, out):
    return checks(g, states[0], side, out)


def given_checks(position):
    states, out = states_array(GAME.rules, 1), moves_array(GAME.rules)
    states[0] = position.state[0]
    n = kernel(checks_of_first)(GAME.rules.data, states, position.mover, out)
    assert states[0].tobytes() == position.state[0].tobytes()
    return [GAME.move_name(position, int(code)) for code in out[:n]]


def boards(draw):
    """Kings and a few other pieces of both sides, anywhere they may stand."""
    free, board = set(range(90)), {}
    most = {1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 5}
    for kind, count in most.items():  # both kings first
        for side in (0, 1):
            for _ in range(1 if kind == 1 else draw(st.integers(0, count))):
                room = sorted(square for square in free if may_stand(
                    kind, square // 9 if side == 0 else 9 - square // 9, square % 9))
                if not room:  # the other side's pieces are there
                    continue
                square = draw(st.sampled_from(room))
                free.discard(square)
                board[square] = ".KABNRCP"[kind] if side == 0 else ".kabnrcp"[kind]
    return "/".join("".join(board.get(9 * row + column, ".") for column in range(9))
                    for row in reversed(range(10))).replace(".", "1")


def test_pawns_may_be_set_up_where_none_can_come_in_a_game():
    """Compositions have them; they go forward, and sideways too beyond the river."""
    position = GAME.parse("3k5/9/9/9/9/9/1P7/9/4P4/3AKP3 w")
    assert [move for move in position.moves() if move[:2] in ("b3", "e1", "f0")] == [
        "f0f1", "e1e2", "b3b4"]


@settings(max_examples=40 if FAST else 8, deadline=None)
@given(data=st.data(), side=st.sampled_from("wb"))
def test_any_board_against_the_twin(data, side):
    text = f"{boards(data.draw)} {side}"
    state = TWIN.from_text(text)
    if TWIN.in_check(dict(state[0]), 1 - state[1]):
        with pytest.raises(BadPosition, match="could take the king"):
            GAME.parse(text)
        return
    position = GAME.parse(text)
    assert GAME.parse(position.text) == position
    assert (position.moves(), position.outcome) == (TWIN.moves(state), TWIN.outcome(state))
    assert GAME.in_check(position) == TWIN.in_check(dict(state[0]), state[1])
    assert given_checks(position) == TWIN.checks(state)
    for name in position.moves()[::5]:
        after = position.play(name)
        assert TWIN.from_position(after) == TWIN.play(state, name)
        assert after.key() == GAME.parse(after.text).key()


@pytest.mark.parametrize(("side", "text", "takers"), [
    ("red", "r1bakabnr/9/1c5c1/p1p1p1p1p/3n5/9/P1P1P1P1P/1C5C1/9/RNBAKAB1R b", {"d5e3"}),
    ("black", "rnbakab1r/9/1c5c1/p1p1p1p1p/9/3N5/P1P1P1P1P/1C5C1/9/R1BAKABNR w", {"d4e6"})])
def test_a_middle_pawn_may_be_protected(side, text, takers):
    """Until it moves; the other side's may be taken."""
    free = GAME.parse(text)
    assert takers < set(free.moves())
    kept = zermelo.game("xiangqi", protected=side).parse(text)
    assert set(free.moves()) - set(kept.moves()) == takers
    other = zermelo.game("xiangqi", protected=("red", "black")[side == "red"]).parse(text)
    assert other.moves() == free.moves()


@pytest.mark.long_cases("200")
@pytest.mark.parametrize("count", [50, 200])
def test_protected_pawns_along_games(count):
    met = 0
    for side in ("red", "black"):
        game, twin = zermelo.game("xiangqi", protected=side), NaiveXiangqi(protected=side)
        for position in random_game(GAME, 0, count if FAST else 10):
            position = game.parse(position.text)
            assert position.moves() == twin.moves(twin.from_position(position))
            met += len(position.moves()) < len(GAME.parse(position.text).moves())
    assert met > 3 or not FAST


def test_checks_along_games():
    met = 0
    for position in random_game(GAME, 3, 90 if FAST else 6):
        found = TWIN.checks(TWIN.from_position(position))
        assert given_checks(position) == found
        met += len(found)
    assert met > 10 or not FAST


def test_captures_along_games():
    met, worth = 0, GAME.rules.data.worth
    for position in random_game(GAME, 4, 60 if FAST else 4):
        found, board = taking(position), position.state[0]["board"]
        codes = position.codes()
        assert sorted(found) == sorted(code for code in codes if board[code & 127])
        gains = [(worth[board[code & 127], code & 127], -worth[board[code >> 7], code >> 7])
                 for code in found]
        assert gains == sorted(gains, reverse=True)
        met += len(found)
    assert met > 20 or not FAST


def taking(position):
    """The codes of the captures, as the rules give them."""
    states, out = states_array(GAME.rules, 1), moves_array(GAME.rules)
    states[0] = position.state[0]

    def call(g, states, out):
        return captures(g, states[0], out)

    return out[: kernel(call)(GAME.rules.data, states, out)].tolist()


CHASE = "3k5/9/9/9/9/9/9/9/4K4/R8 w"
ROUND = ["a9a8", "d8d9", "a8a9", "d9d8"]  # Red gives check, Black has no other way


def test_a_position_that_comes_for_the_third_time_ends_the_game():
    for game, end, words in ((GAME, "draw", "a draw"), (PLAY, "second", "Black has won")):
        moves = ["a0a9", "d9d8", *ROUND * 2][:-1]
        over = game.play_all(game.parse(CHASE), moves)
        assert game.ended_by_repetition(over) == end
        assert game.ended_by_repetition(game.play_all(game.parse(CHASE), moves[:-1])) is None
        assert over.outcome is None  # a position has no past
        sentence = f"move 10: 'd9d8': the position before it has come up 3 times, .* over, {words}"
        with pytest.raises(BadPosition, match=sentence):
            game.parse(f"{CHASE} moves {' '.join([*moves, 'd9d8'])}")


def test_repetition_without_perpetual_check_is_a_draw():
    quiet = ["a0a1", "d9d8", "a1a0", "d8d9"] * 2
    for game in (GAME, PLAY):
        assert game.ended_by_repetition(game.play_all(game.parse(CHASE), quiet)) == "draw"


def test_perpetual_check_of_black():
    turned = "r8/4k4/9/9/9/9/9/9/9/3K5 b"
    moves = ["a9a0", "d0d1", *["a0a1", "d1d0", "a1a0", "d0d1"] * 2][:-1]
    assert PLAY.ended_by_repetition(PLAY.play_all(PLAY.parse(turned), moves)) == "first"


def outcome_of_repeat(g, path, i, n):
    return repeat(g, path, i, n)


@pytest.mark.parametrize(("text", "moves", "end"), [
    (CHASE, ["a0a9", "d9d8", *ROUND], SECOND_WINS),
    (CHASE, ["a0a1", "d9d8", "a1a0", "d8d9"], DRAW),
    (CHASE, ["a0a1", "d9d8", "a1a8", "d8d9", "a8a1", "d9d8"], DRAW),
    ("r8/4k4/9/9/9/9/9/9/9/3K5 b", ["a9a0", "d0d1", "a0a1", "d1d0", "a1a0", "d0d1"], FIRST_WINS)])
def test_the_rule_for_searches(text, moves, end):
    """What a search is told about a repetition, at its second occurrence."""
    path = PLAY.play_all(PLAY.parse(text), moves).way
    states = states_array(PLAY.rules, len(path))
    for i, position in enumerate(path):
        states[i] = position.state[0]
    again = next(i for i, position in enumerate(path) if position == path[-1])
    assert again < len(path) - 1
    found = kernel(outcome_of_repeat)(PLAY.rules.data, states, again, len(path) - 1)
    assert found == end
    assert GAME.rules.repeat is None


def test_pictures():
    lines = GAME.parse("h2e2").diagram.splitlines()
    assert lines[0] == "9 r n b a k a b n r"
    assert lines[7] == "2 . C . . C . . . ."
    assert lines[-2:] == ["  a b c d e f g h i", "Black to move"]
    assert DIALECT["uci"].start().diagram.splitlines()[0].startswith("10 r")
    assert DIALECT["uci"].start().diagram.splitlines()[9].startswith(" 1 R")
    signs = Xiangqi(pieces="chinese").start().diagram.splitlines()
    assert signs[0] == "9 車馬象士將士象馬車"
    assert signs[9] == "0 俥傌相仕帥仕相傌俥"
    assert len({len(line) for line in signs[:11]}) == 1
    for game in (GAME, Xiangqi(pieces="chinese")):
        picture = game.start().svg()
        assert picture.count("<circle") == 2 * 32  # a piece has two rims
        assert ("帥" in picture) == (game is not GAME)


def test_the_game_is_registered():
    game = zermelo.game("xiangqi", dialect="wxf")
    assert (game.players, game.start().moves()[0]) == (("Red", "Black"), "R9+1")
    assert board_of(game.start()).count(0) == 58
    assert isinstance(game.start(), Position)
