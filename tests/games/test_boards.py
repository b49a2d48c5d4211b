"""Boards for a page: moves to click, notations to copy, and positions set up square by square."""

import random
from pathlib import Path
from xml.etree import ElementTree

import pytest
from brute import random_game

import zermelo
from zermelo import BadOption, BadPosition
from zermelo.compiler.jit import jit_enabled
from zermelo.core import svg
from zermelo.core.board_view import board_view, edit, notations, place_of
from zermelo.core.rules import FIRST_WINS, ONGOING, Rules
from zermelo.core.svg import last_turn

CHOMP = f"{Path(__file__).parents[2] / 'examples' / 'chomp.py'}:Chomp"
# The moves that have no place in the picture, by name: the page lists them.
NOWHERE = ("pass", "swap")
GAMES = [
    ("connect-four", {}), ("connect-four", {"columns": 4, "rows": 4}),
    ("othello", {"size": 4}), ("othello", {"size": 6, "no_move": "loses"}),
    ("hex", {"size": 4}), ("hex", {"size": 3, "swap": "yes"}), ("tic-tac-toe", {}),
    ("k-in-a-row", {"columns": 6, "rows": 5, "line": 4, "stones": 2}),
    ("gomoku", {"columns": 9, "rows": 9}), ("connect6", {}),
    ("lines-of-action", {"size": 5}), ("xiangqi", {}), ("xiangqi", {"dialect": "uci"}),
    ("p-game", {"branching": 3, "depth": 7}),
]


def positions(name, parameters):
    game = zermelo.game(name, **parameters)
    plies = 24 if jit_enabled() else 8
    played = [*random_game(game, 1, plies), *random_game(game, 2, plies)]
    return played[:: 4 if len(played[0].codes()) < 30 else 12]


def elements(picture):
    return list(ElementTree.fromstring(picture).iter())


def areas(picture, kind):
    """What is clicked, by name: the rectangles, or the middles of polygons."""
    found = {}
    for part in elements(picture):
        name = part.attrib.get(f"data-{kind}")
        if name is not None:
            assert name not in found
            found[name] = box(part.attrib)
    return found


def box(values):
    if "points" in values:
        corners = [tuple(map(float, pair.split(","))) for pair in values["points"].split()]
        (left, right), (top, bottom) = ((min(at), max(at)) for at in zip(*corners, strict=True))
        return left, top, right, bottom
    left, top, width, height = (float(values[name]) for name in ("x", "y", "width", "height"))
    return left, top, left + width, top + height


def few(moves):
    """Some of many moves."""
    return moves[:: 1 + len(moves) // 20]


def inside(spot, area):
    return area[0] < spot[0] < area[2] and area[1] < spot[1] < area[3]


@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=str)
def test_every_move_is_where_it_can_be_clicked(name, parameters):
    for position in positions(name, parameters):
        view = board_view(position)
        assert [move["move"] for move in view["moves"]] == position.moves()
        whole = (0, 0, view["width"], view["height"])
        pieces = name in ("lines-of-action", "xiangqi")
        found = areas(view["svg"], "square" if pieces else "move")
        for move in few(view["moves"]):
            if move["move"] in NOWHERE:
                assert move["spots"] == []
                assert move["move"] not in found
                continue
            assert all(inside(spot, whole) for spot in move["spots"])
            if pieces:
                squares = {square["square"]: [square["x"], square["y"]] for square in
                           view["squares"]}
                assert move["spots"] == [squares[move["from"]], squares[move["to"]]]
                assert all(inside(spot, found[square]) for spot, square in
                           zip(move["spots"], (move["from"], move["to"]), strict=True))
            else:
                (spot,) = move["spots"]
                hit = [each for each, area in found.items() if inside(spot, area)]
                assert move["move"] in hit if name == "hex" else hit == [move["move"]]
        if not pieces:
            assert set(found) == set(position.moves()) - set(NOWHERE)


@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=str)
def test_a_view_says_what_the_position_is(name, parameters):
    for position in positions(name, parameters)[1::2]:
        view, game = board_view(position), position.game
        place = view["place"]
        assert place["game"] == name
        again = zermelo.game(name, **place["parameters"])
        assert again.parse(place["position"]).play(*place["moves"]) == position
        assert view["text"] == position.text
        assert view["diagram"] == position.diagram
        assert view["mover"] == position.mover
        assert view["to_move"] == position.to_move == view["players"][view["mover"]]
        assert view["outcome"] == position.outcome
        assert [move["move"] for move in view["played"]] == place["moves"]
        assert len(view["played"]) == len(position.played)
        if position.outcome is None:
            second = view["played"] and view["played"][-1]["player"] == position.mover
            assert view["status"] == f"{position.to_move} to move{' again' if second else ''}"
        assert view["can_edit"] == bool(view["marks"]) == bool(view["squares"])
        assert set(game.cells(position).values()) <= set(view["marks"])
        assert list(game.cells(position)) == [each["square"] for each in view["squares"]]


@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=str)
def test_all_notations_are_read_back(name, parameters):
    for position in positions(name, parameters)[1::2]:
        names = [each for each, _ in notations(position)]
        assert len(set(names)) == len(names)
        assert {"PGN", "diagram"} <= set(names)
        assert {each for each, _ in position.game.notations(position)} <= set(names)
        for each, text in notations(position):
            found = position.game.parse(text)
            assert found == position, each
        sgf = position.game.sgf_moves(position) is not None
        if not sgf:
            assert "SGF" not in names


def test_a_position_that_was_set_up_has_no_record():
    position = zermelo.game("hex", size=3).parse("X../.O./... X")
    assert [name for name, _ in notations(position)] == ["moves", "rows", "PGN", "diagram"]
    played = zermelo.game("connect-four").parse("445")
    names = dict(notations(played))
    assert names["moves"] == "445"
    assert names["link"] == "https://connect4.gamesolver.org/?pos=445"
    set_up = zermelo.game("connect-four").parse(names["board"])
    assert "moves" not in dict(notations(set_up))


def test_what_was_played_on_after_a_repetition_is_no_record():
    game = zermelo.game("lines-of-action", size=5)
    there, back = ("b1-b3", "b3-b1"), ("a2-c2", "c2-a2")
    position = game.start()
    for _ in range(3):
        position = position.play(there[0], back[0], there[1], back[1])
    assert game.drawn_by_repetition(position)
    names = [name for name, _ in notations(position.play("c1-c3"))]
    assert names == ["board", "digits", "diagram"]
    assert "moves" in [name for name, _ in notations(game.start().play("c1-c3"))]


def test_the_last_turn_is_marked():
    game = zermelo.game("connect6")
    position = game.parse("j10 i9l10 j8l8")
    assert last_turn(position) == [game.spots(position, game.parse_move(game.start(), name))
                                   for name in ("j8", "l8")]
    assert len(last_turn(game.parse("j10 i9l10 j8"))) == 1
    assert board_view(game.parse("j10 i9l10 j8"))["status"] == "X to move again"
    assert board_view(position)["status"] == "O to move"
    assert last_turn(game.start()) == []
    four = zermelo.game("connect-four").parse("445")
    mark = four.game.last_move_svg(last_turn(four)[0])
    assert mark in four.svg()
    assert mark in board_view(four)["svg"]
    assert mark not in four.game.parse(four.text).svg()  # set up: no move was the last
    chess = zermelo.game("xiangqi").parse("h2e2")
    assert board_view(chess)["last"] == board_view(chess.origin)["moves"][
        chess.origin.moves().index("h2e2")]["spots"]
    assert board_view(zermelo.game("p-game").parse("path=0.1"))["last"] == []


def test_a_line_is_shown_in_the_picture():
    position = zermelo.game("connect-four").parse("445")
    picture = board_view(position, ["4", "3"])["svg"]
    assert ">1</text>" in picture.replace(board_view(position)["svg"].removesuffix("</svg>"), "")
    assert len(elements(picture)) > len(elements(board_view(position)["svg"])) + 3
    tree = zermelo.game("p-game", branching=3, depth=7).start()
    shown = elements(board_view(tree, ["1", "0", "2"])["svg"])  # below the first move: not drawn
    assert len(shown) == len(elements(board_view(tree, ["1"])["svg"]))


def test_a_picture_on_the_paper_of_the_page():
    position = zermelo.game("othello", size=4).start()
    standing, inlined = position.game.svg(position), board_view(position)["svg"]
    assert 'fill="#ffffff"/>' in standing[:300]
    assert 'color="#20242c"' in standing[:300]
    assert inlined == svg.bare(standing)
    assert "color=" not in inlined.partition(">")[0]
    assert svg.size_of(inlined) == svg.size_of(standing) == (206, 206)
    assert svg.bare("<svg/>") == "<svg/>"
    assert svg.size_of("<svg/>") == (0, 0)


def test_a_game_without_a_picture_shows_its_diagram_and_a_list_of_moves():
    position = zermelo.game(CHOMP).start()
    view = board_view(position)
    assert "data-move" not in view["svg"]
    texts = [part.text for part in elements(view["svg"]) if part.tag.endswith("text")]
    assert texts == position.diagram.splitlines()
    assert [move["move"] for move in view["moves"]] == position.moves()
    assert all(move["spots"] == [] for move in view["moves"])
    assert not view["can_edit"]
    assert view["width"] > 20


class Spotted(zermelo.Game):
    """One heap of three; a picture of its own, and moves that say where they are."""

    name = "spotted"

    def define(self):
        def moves(g, s, out):
            for i in range(s.left):
                out[i] = i + 1
            return s.left

        def play(g, s, move, t):
            t.left, t.turn = s.left - move, 1 - s.turn

        return Rules(state=[("left", "i8"), ("turn", "i8")], max_moves=3, max_length=3,
                     moves=moves, play=play, mover=lambda g, s: s.turn,
                     outcome=lambda g, s: ONGOING if s.left else FIRST_WINS + 1 - s.turn,
                     key=lambda g, s: s.left * 2 + s.turn)

    def start(self):
        return self.position(left=3)

    def svg(self, position):
        return '<svg viewBox="0 0 90 30" xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'

    def spots(self, position, move):
        return [(30.0 * move - 15, 15.0)]


def test_moves_that_say_where_they_are_can_be_clicked_in_any_picture():
    view = board_view(Spotted().start())
    assert set(areas(view["svg"], "move")) == {"1", "2", "3"}
    assert (view["width"], view["height"]) == (90, 30)
    assert place_of(Spotted().start())["position"] == "start"
    done = board_view(Spotted().start().play("3"))
    assert areas(done["svg"], "move") == {}


FOUR = zermelo.game("connect-four")
CHESS = zermelo.game("xiangqi")


@pytest.mark.parametrize(("name", "parameters"), [
    ("connect-four", {}), ("othello", {"size": 4}), ("hex", {"size": 4}), ("tic-tac-toe", {}),
    ("k-in-a-row", {"columns": 6, "rows": 5, "line": 4, "stones": 2}),
    ("lines-of-action", {"size": 5}), ("xiangqi", {})], ids=str)
def test_what_comes_out_can_be_parsed(name, parameters):
    game, rng, edited = zermelo.game(name, **parameters), random.Random(name), 0
    position = edit(game.start(), clear=True) if name == "xiangqi" else game.start()
    for _ in range(40):
        square = rng.choice(list(game.square_spots()))
        mark = rng.choice(game.marks(position))
        try:
            found = edit(position, square=square, mark=mark)
        except BadPosition:
            continue
        assert game.parse(found.text) == found
        assert found.played == []
        assert found.origin == found
        if name != "connect-four":
            assert game.cells(found)[square] == mark
        edited += found != position
        position = found
    assert edited > 5


def test_stones_fall():
    one = edit(FOUR.start(), square="d6", mark="X")
    assert FOUR.cells(one)["d1"] == "X"
    two = edit(one, square="d1", mark="O")  # the colour of a stone that is there
    assert FOUR.cells(two)["d1"] == "O"
    stack = FOUR.parse("44444")
    gone = edit(stack, square="d1", mark=".")
    assert [FOUR.cells(gone)[f"d{row}"] for row in range(1, 7)] == ["O", "X", "O", "X", ".", "."]
    full = FOUR.parse("444444")
    assert FOUR.cells(edit(full, square="d6", mark="."))["d6"] == "."
    with pytest.raises(BadPosition, match="4 X and 2 O"):
        edit(full, square="d6", mark="X")


def test_who_moves():
    board = edit(FOUR.parse("44"), to_move="O")
    assert board.to_move == "O"
    assert board.to_move == edit(board, square="a1", mark="X").to_move
    # X has four in a row, so that O must be to move.
    won = edit(FOUR.parse("112233"), square="d1", mark="X")
    assert (won.outcome, won.to_move) == ("first", "O")
    with pytest.raises(BadPosition, match="so X can't be to move"):
        edit(won, to_move="red")
    assert edit(won, to_move="yellow").text == won.text
    with pytest.raises(BadOption, match="'green' is not a player; players are X, O, red, yellow"):
        edit(won, to_move="green")


def test_a_cleared_board():
    assert edit(FOUR.parse("4455"), clear=True) == FOUR.start()
    assert edit(FOUR.parse("4455"), clear=True, to_move="O").to_move == "O"
    assert edit(CHESS.start(), clear=True).text == "4k4/9/9/9/9/9/9/9/9/3K5 w"
    empty = edit(zermelo.game("othello", size=4).start(), clear=True)
    assert empty.text == "-" * 16 + " X"
    with pytest.raises(BadPosition, match="X has 0 pieces"):
        edit(zermelo.game("lines-of-action", size=5).start(), clear=True)


def test_kings_are_moved_and_must_not_be_taken():
    moved = edit(CHESS.start(), square="e1", mark="K")
    assert (CHESS.cells(moved)["e1"], CHESS.cells(moved)["e0"]) == ("K", ".")
    with pytest.raises(BadPosition, match="0 kings"):
        edit(CHESS.start(), square="e0", mark=".")
    with pytest.raises(BadPosition, match="can't stand on"):
        edit(CHESS.start(), square="a4", mark="K")


@pytest.mark.parametrize(("asked", "complaint"), [
    ({"square": "z9", "mark": "X"}, "there is no square 'z9'; squares: a6, b6"),
    ({"square": "a1", "mark": "Q"}, "'Q' can't be put on a square; marks: . X O"),
    ({"square": "a1"}, "edit needs a square and a mark, or to_move, or clear"),
    ({}, "edit needs a square and a mark, or to_move, or clear"),
])
def test_refusals(asked, complaint):
    with pytest.raises(BadOption, match=complaint):
        edit(FOUR.start(), **asked)


def test_games_without_squares_and_what_is_no_position():
    with pytest.raises(BadOption, match="p-game: its positions can't be edited"):
        edit(zermelo.game("p-game").start(), clear=True)
    with pytest.raises(BadOption, match="is not a Position"):
        edit("start", clear=True)
