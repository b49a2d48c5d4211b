"""Whatever is pasted: which game, notation and position, and why not; the famous positions."""

import json
import random
import time

import pytest
from test_notations_time import HOSTILE, grown

import zermelo
from zermelo import BadOption, BadPosition, UnknownGame
from zermelo.compiler.jit import jit_enabled
from zermelo.core.board_view import notations
from zermelo.games.famous import famous
from zermelo.games.recognise import NOUNS, TITLES, Recognised, likely, named, place_in, recognise
from zermelo.games.registry import BUILT_IN, game_names
from zermelo.storage.whole_files import LONGEST_TEXT

# Every notation of the pages of the games and of the records: text, game, parameters, notation.
TOLD = [
    ("44455554221", "connect-four", {}, "moves"),
    ("4,4,4,5", "connect-four", {}, "moves"),
    ("4 4 4 5", "connect-four", {}, "moves"),
    ("44455 O to move", "connect-four", {}, "moves"),
    ("8181", "connect-four", {"columns": 8}, "moves"),
    ("10,1,9", "connect-four", {"columns": 10, "rows": 5}, "moves"),
    ("https://connect4.gamesolver.org/?pos=44455554221", "connect-four", {}, "link"),
    # Position 8 of the openings of Primanita, Khalid & Iida 2020.
    ("****************O*****XX*****OXO**O*XXOX*O X", "connect-four", {}, "board"),
    ("...................................X...... O", "connect-four", {}, "board"),
    ("0000000/0000000/0000000/0000000/0002000/0001000", "connect-four", {}, "board"),
    (".....\n.....\n.....\n.X.O.", "connect-four", {"columns": 5, "rows": 4}, "board"),
    ("c4-cols:" + "b," * 36 + "x" + ",b" * 5, "connect-four", {}, "c4-cols"),
    ("b," * 36 + "o,x,b,b,b,b,win", "connect-four", {}, "c4-cols"),
    ("-----OX--XO----- X", "othello", {"size": 4}, "board"),
    (".... .ox. .xo. .... x", "othello", {"size": 4}, "board"),
    ("*****10**01***** 0", "othello", {"size": 4}, "board"),
    ("-----OX--XO----- X; B1:-8; A2:-8;", "othello", {"size": 4}, "OBF line"),
    ("ggf:4 -----O*--*O----- *", "othello", {"size": 4}, "GGF board"),
    ("(;GM[Othello]BO[4 -----O*--*O----- *]B[a2//1.5]W[a3];)", "othello", {"size": 4}, "GGF"),
    ("(;GM[2];B[f5];W[d6])", "othello", {}, "SGF"),
    ("f5d6c3", "othello", {}, "transcript"), ("F5 D6 C3", "othello", {}, "transcript"),
    ("5x5: b2 c3 d1", "hex", {"size": 5}, "moves"),
    ("a1 k11 f6", "hex", {}, "moves"), ("m13 a1", "hex", {"size": 13}, "moves"),
    ("X..../.O.../...../...../..... X", "hex", {"size": 5}, "rows"),
    ("(;GM[11]SZ[5];B[b2];W[c3];B[d1])", "hex", {"size": 5}, "SGF, red-bean"),
    ("(;SZ[5];W[bb];B[cc];W[da])", "hex", {"size": 5}, "SGF, Little Golem"),
    ("https://hexworld.org/board/#5c1,b2c3d1", "hex", {"size": 5}, "HexWorld link"),
    ("#13c1,a3b4", "hex", {"size": 13}, "HexWorld link"),
    ("5x5: a1 swap", "hex", {"size": 5, "swap": "yes"}, "moves"),
    ("b=2,d=20,range=127,seed=42,generator=1,path=0.1.1", "p-game", {"seed": 42}, "path"),
    ("XO./.X./... O", "tic-tac-toe", {}, "rows"), ("b2,a1", "tic-tac-toe", {}, "moves"),
    ("j10 i9l10 j8l8", "connect6", {}, "moves"),
    ("(;SZ[19];B[j10];W[i9l10])", "connect6", {}, "SGF"),
    (";B[j10];W[i9l10]", "connect6", {}, "SGF"),
    ("(;FF[4]EV[gomoku]SZ[15];B[h8];W[h9])", "gomoku", {}, "SGF"),
    ("(;SZ[3];B[a1];W[b2])", "tic-tac-toe", {}, "SGF"),
    (".XX./O..O/O..O/.XX. X", "lines-of-action", {"size": 4}, "board"),
    ("1XXXXXX1/O6O/O6O/O6O/O6O/O6O/O6O/1XXXXXX1 X", "lines-of-action", {}, "board"),
    ("c1xa3 h2-f2", "lines-of-action", {}, "moves"),
    ("1. c1xa3 h2-f2", "lines-of-action", {}, "moves"),
    ("(;GM[9];B[c1:a3];W[h2-f2])", "lines-of-action", {}, "SGF"),
    (";B[c1:a3];W[h2-f2]", "lines-of-action", {}, "SGF"),
    ("3k5/9/9/9/9/9/9/9/4K4/R8 w", "xiangqi", {}, "FEN"),
    ("3k5/9/9/9/9/9/9/9/4K4/R8 w - - 0 1", "xiangqi", {}, "FEN"),
    ("3k5/9/9/9/9/9/9/9/4K4/R8 w moves a0a9 d9d8", "xiangqi", {}, "FEN and moves"),
    ("position startpos moves h2e2", "xiangqi", {}, "FEN and moves"),
    ("h2e2 h9g7", "xiangqi", {}, "moves"), ("H2-E2 H9-G7", "xiangqi", {}, "moves"),
    ("h3e3 h10g8", "xiangqi", {"dialect": "uci"}, "moves"),
    ("1. C2.5 H8+7", "xiangqi", {}, "moves"), ("炮二平五 马8进7", "xiangqi", {}, "moves"),
    ('[Event "a game"]\n\n1. h2e2 h9g7 2. h0g2 {good} *', "xiangqi", {}, "PGN"),
    ('[Game "Chinese Chess"]\n\n1. C2.5 H8+7 *', "xiangqi", {}, "PGN"),
    ('[FEN "3k5/9/9/9/9/9/9/9/4K4/R8 w"]\n\n1. a0a9 1-0', "xiangqi", {}, "PGN"),
    ('[Variant "connect6"]\n\n1. j10 *', "connect6", {}, "PGN"),
    ("http://127.0.0.1:8421/board?game=hex&position=start&moves=a1,b2&size=5", "hex",
     {"size": 5}, "place"),
    ("Connect6: a1", "connect6", {}, "moves"), ("othello: start", "othello", {}, "start"),
]


@pytest.mark.parametrize(("text", "name", "parameters", "notation"), TOLD)
def test_every_notation_is_recognised(text, name, parameters, notation):
    best = recognise(text).readings[0]
    assert (best.game.name, best.parameters, best.notation) == (name, parameters, notation)
    body = named(text)[1]
    if notation != "place":
        assert best.position == zermelo.game(name, **parameters).parse(body)
    assert best.words.startswith(NOUNS.get(notation, "a ")[:2])
    assert TITLES[name] in best.words


@pytest.mark.parametrize(("name", "parameters", "plies"), [
    ("connect-four", {}, 5), ("othello", {}, 4), ("othello", {"size": 4}, 3), ("hex", {}, 4),
    ("hex", {"size": 5}, 4), ("tic-tac-toe", {}, 3), ("gomoku", {}, 5), ("connect6", {}, 5),
    ("lines-of-action", {}, 2), ("xiangqi", {}, 2), ("p-game", {"seed": 5}, 3)], ids=str)
def test_what_a_page_copies_can_be_pasted(name, parameters, plies):
    rng, position = random.Random(3), zermelo.game(name, **parameters).start()
    for _ in range(plies):
        position = position.play(rng.choice(position.moves()))
    for notation, text in notations(position):
        found = recognise(text).readings
        if parameters == {"seed": 5} and notation == "diagram":
            continue  # the diagram of a tree does not say which tree it is
        if notation == "moves" and "size" in parameters and "x" not in text:
            continue  # moves alone do not say how large the board is
        assert position in [reading.position for reading in found], (notation, text)


def test_where_two_fit_both_are_given():
    names = [reading.game.name for reading in recognise("a1 b1 a2").readings]
    assert names == ["tic-tac-toe", "hex", "gomoku", "connect6"]
    names = [reading.game.name for reading in recognise("f5 d6 c3").readings]
    assert names == ["othello", "hex", "gomoku", "connect6"]
    both = recognise("XO./.X./... O")
    assert [reading.game.name for reading in both.readings] == ["tic-tac-toe", "hex",
                                                               "lines-of-action"]
    one = zermelo.game("othello", size=8).start().text
    assert recognise(one).readings[0].game.name == "othello"  # the middle is never empty there
    pieces = zermelo.game("lines-of-action").start().text
    assert recognise(pieces).readings[0].game.name == "lines-of-action"


def test_what_was_over_when_it_was_set_up_comes_last():
    readings = recognise("X.../.O../..../.... X").readings
    assert readings[0].game.name == "hex"
    assert [each.position.outcome is not None for each in readings] == [False, False, True]


def test_words():
    assert recognise("444").readings[0].words == (
        "a move string of Connect Four, 3 moves, O to move")
    assert recognise("5x5: a1").readings[0].words == (
        "a list of moves of Hex 5x5, 1 move, O to move")
    assert recognise("XXX/OO./... O").readings[0].words == "a board of tic-tac-toe, X wins"
    assert recognise("XOX/XOO/OXX O").readings[0].words == "a board of tic-tac-toe, a draw"
    assert "Connect Four 8x6" in recognise("8181").readings[0].words
    assert set(TITLES) == set(game_names())


def test_records_and_json():
    found = recognise("5x5: b2 c3 d1")
    assert found.readings[0].record
    assert not recognise("3k5/9/9/9/9/9/9/9/4K4/R8 w").readings[0].record
    (row,) = found.to_dict()["readings"]
    assert row["place"] == {"game": "hex", "parameters": {"size": 5}, "position": "start",
                            "moves": ["b2", "c3", "d1"]}
    assert (row["notation"], row["record"]) == ("moves", True)
    assert row["picture"].startswith("<svg")
    assert zermelo.recognise is recognise


@pytest.mark.parametrize(("text", "game", "complaint"), [
    ("1111111", "connect-four", "column 1 is full"),
    ("X" * 42, "connect-four", "42 X and 0 O"),
    ("h2h3 h2h3", "xiangqi", "is not a legal move here"),
    ("3k5/9/9/9/9/9/9/9/4K4/R8", "xiangqi", "does not say who moves"),
    ("(;GM[11];B[a1", "hex", "is not an SGF record"),
    ("b=1", "p-game", "names no tree"),
    ("http://127.0.0.1/board?game=hex&size=99", "hex", "size"),
    ("http://127.0.0.1/board?game=hex&flavour=1", "hex", "no parameter 'flavour'"),
    ("0 0 1 ,01 0 1 0", "", "looks like no position, record or link"),
    ("hello", "", "looks like no position, record or link"),
    ("https://example.org/", "", "looks like no position, record or link"),
    ("", "", "there is no text"), ("start", "", "'start' is the start of any game"),
    ("xiangqi: hello", "xiangqi", "is not a legal move here"),
])
def test_refusals_say_why(text, game, complaint):
    found = recognise(text)
    assert found.readings == []
    (error,) = [each.error for each in found.refused if each.game == game]
    assert complaint in error
    assert found.to_dict()["refused"][0]["error"] == found.refused[0].error


def test_a_game_that_is_asked_alone():
    hex = zermelo.game("hex", size=5)
    found = recognise("a1 b1 a2", hex)
    assert [reading.parameters for reading in found.readings] == [{"size": 5}]
    other = recognise("X../.O./... X", hex)  # its own size does not fit, but another does
    assert [reading.parameters for reading in other.readings] == [{"size": 3}]
    assert recognise("f5d6c3", "connect-four").readings == []
    assert "connect-four" in recognise("f5d6c3", "connect-four").refused[0].error
    assert recognise("start", "othello").readings[0].notation == "start"
    graph = zermelo.graph({"root": ("or", ["a"]), "a": "win"})
    assert recognise("a", graph).readings[0].words == "node of graph, or wins"
    assert recognise("b", graph).refused[0].game == "graph"


def test_what_is_no_text_or_no_game():
    with pytest.raises(BadPosition, match="recognise takes a text, not '5'"):
        recognise(5)
    with pytest.raises(BadOption, match="game='5' is neither a game nor the name of one"):
        recognise("a1", 5)
    with pytest.raises(UnknownGame):
        recognise("a1", "chess")
    with pytest.raises(BadPosition, match="too long for a position or record"):
        recognise("1" * (LONGEST_TEXT + 1))


def test_links_to_the_explorer():
    assert place_in("hello") is None
    assert place_in("http://[/?game=hex") is None
    assert place_in("https://example.org/?game=chess") is None
    place = place_in("http://localhost:8421/tree?game=c4&columns=6&moves=1,2")
    assert place == ("c4", {"columns": "6"}, "start", ["1", "2"])
    best = recognise("http://localhost:8421/tree?game=c4&columns=6&moves=1,2").readings[0]
    assert best.parameters == {"columns": 6}


def test_looking_takes_time_in_proportion_to_the_text():
    for case in HOSTILE[::2]:
        took = []
        for length in (LONGEST_TEXT // 4, LONGEST_TEXT):
            began = time.process_time()
            likely(grown(case, length - 100).strip())
            took.append(time.process_time() - began)
        assert took[1] < 9 * took[0] + 0.1, case


def test_numbers_with_signs_beside_them_are_refused():
    found = recognise(",, ,4/")
    assert not found.readings
    assert found.refused


@pytest.mark.long_cases("400")
@pytest.mark.parametrize("count", [80, 400])
def test_nothing_breaks_it(count):
    rng = random.Random(count)
    pieces = ["a1", "XO.", "/", "\n", "4", "(;B[", "]", "w", "=", "b", "1.", " ", "#", "pass", "炮",
              "-", "x", '[A "b"]', "://", "kK9", ",", "c4-cols", "X to move", "{", "0"]
    for _ in range(count):
        text = "".join(rng.choice(pieces) for _ in range(rng.randrange(1, 12)))
        found = recognise(text)
        assert isinstance(found, Recognised)
        assert found.readings or found.refused, text
        for reading in found.readings:
            assert reading.game.name in BUILT_IN


QUICK = [each for each in famous() if not each.long]


@pytest.mark.long_cases("connect6-threats", "hex-5")
@pytest.mark.parametrize("each", QUICK, ids=lambda each: each.id)
def test_it_is_what_is_said_of_it(each):
    if not jit_enabled() and each.id not in ("tic-tac-toe", "id-8"):
        pytest.skip("too slow in plain Python")
    result = zermelo.solve(each.at, each.search, goal=each.goal, memory="300MB", time=60)
    assert (result.value, result.proved) == (each.value, True)
    assert result.seconds < 10
    if each.score is not None:
        assert result.score == (each.score, each.score)


def test_each_can_be_shown():
    assert len({each.id for each in famous()}) == len(famous()) == 9
    assert {each.game for each in famous()} <= set(game_names())
    for each in famous():
        found = json.loads(json.dumps(each.to_dict()))
        place = found["place"]
        game = zermelo.game(place["game"], **place["parameters"])
        assert game.parse(place["position"]).play(*place["moves"]) == each.at
        assert each.at.outcome is None
        assert found["picture"].startswith("<svg")
        assert found["title"]
        assert found["words"].endswith(".")
        assert found["source"]
        assert zermelo.search(found["search"]).id == found["search"]


def test_one_is_long():
    (empty,) = [each for each in famous() if each.long]
    assert empty.at == zermelo.game("connect-four").start()


@pytest.mark.long
def test_seven_turns_and_nine_plies():
    by_id = {each.id: each for each in famous()}
    if jit_enabled():
        threats = zermelo.solve(by_id["connect6-threats"].at)
        assert threats.root == {"turns": 7}
        mate = zermelo.solve(by_id["shi-qing-ya-qu-43"].at)
        assert len(mate.line) == 9
        tree = zermelo.solve(by_id["p-game-42"].at)
        assert 400 < tree.nodes < 600
    assert by_id["othello-84"].position.count("*") == 13
