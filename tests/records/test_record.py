"""Game records and files of games: every notation of moves is read, written and read again."""

import json
import os
from pathlib import Path

import pytest
from command import call, loads

import zermelo
from zermelo import BadOption, BadPosition, Game, Rules, ZermeloError
from zermelo.game_records.record import ToWrite, read_record, records, written
from zermelo.storage import whole_files

CHOMP = f"{Path(__file__).parents[2] / 'examples' / 'chomp.py'}:Chomp"
TTT = zermelo.game("tic-tac-toe")


def moves_of(game, record, start=None):
    return " ".join(read_record(game, record, start).moves)


@pytest.mark.parametrize(
    ("game", "parameters", "record", "start", "moves"),
    [
        ("connect-four", {}, "4455", None, "4 4 5 5"),
        ("connect-four", {}, "4, 4\n5 5", None, "4 4 5 5"),
        ("connect-four", {"columns": 12, "rows": 4}, "12,1 12", None, "12 1 12"),
        ("connect-four", {}, "55", "44", "5 5"),
        ("connect-four", {}, "start", "44", ""),
        ("connect-four", {}, [], None, ""),
        ("connect-four", {}, ("1", "7"), None, "1 7"),
        ("othello", {}, "f5d6c3", None, "f5 d6 c3"),
        ("othello", {}, "F5 D6, C3", None, "f5 d6 c3"),
        ("othello", {"size": 4}, "a2a3b4c1a4b1", None, "a2 a3 b4 c1 a4 pass b1"),
        ("othello", {"size": 4}, "a2 a3 b4 c1 a4 pa b1", None, "a2 a3 b4 c1 a4 pass b1"),
        ("hex", {"size": 5}, "5x5: b2 c3 d1", None, "b2 c3 d1"),
        ("hex", {}, "#5c1,a3b4", None, "a3 b4"),
        ("hex", {}, "(;GM[11]SZ[5];B[a3];W[b4])", None, "a3 b4"),
        ("hex", {"size": 3}, "(;W[a3];B[b1])", ".../.../... O", "a3 b1"),
        ("connect6", {}, "j10 i9l10 j8l8", None, "j10 i9 l10 j8 l8"),
        ("connect6", {}, ";B[j10];W[i9l10]", None, "j10 i9 l10"),
        ("connect6", {}, "i9 l10", "j10", "i9 l10"),
        ("p-game", {"depth": 4}, "0 1 1", None, "0 1 1"),
        ("p-game", {}, "b=3,d=4,path=0.2", None, "0 2"),
        (CHOMP, {}, "c2 b1", None, "c2 b1"),
        (CHOMP, {}, "b2", "2x2", "b2"),
    ],
)
def test_every_notation_of_moves_is_read(game, parameters, record, start, moves):
    assert moves_of(zermelo.game(game, **parameters), record, start) == moves


def test_a_record_of_another_size_brings_its_board():
    record = read_record(zermelo.game("hex"), "#4c1,a3b4")
    assert [position.game["size"] for position in record.positions] == [4, 4, 4]


def test_moves_with_spaces_in_them():
    graph = zermelo.graph({"r": ("or", ["a b", "c"]), "a b": ("and", ["c", "d"]), "c": "win",
                           "d": "draw"})
    assert read_record(graph, "a b\n d \n").moves == ["a b", "d"]
    assert read_record(graph, ["a b", "d"]).moves == ["a b", "d"]
    assert read_record(graph, "d", start="a b").moves == ["d"]


def test_a_start_that_was_played_to_is_a_start():
    start = TTT.parse("b2 a1")
    record = read_record(TTT, "c3 b1", start)
    assert record.moves == ["c3", "b1"]
    assert record.positions[0] == start


@pytest.mark.parametrize(
    ("game", "record", "start", "sentence"),
    [
        ("connect-four", "4444449", None, "move 7: '9' is not a legal move here: no such column"),
        ("connect-four", "4 4 y", None, "'y'"),
        ("connect-four", "59", "44", "move 2: '9'"),
        ("connect-four", "1212121" + "3", None, "move 8: '3': the game is over"),
        ("connect-four", "", None, "the record is empty; write 'start' for one without moves"),
        ("connect-four", "." * 42, None, "does not lead from .* by moves alone"),
        ("connect-four", [4], None, "move 1: a move is a text such as '1', not '4'"),
        ("connect-four", 4, None, "a record is a text or a list of moves, not '4'"),
        ("connect-four", "4", "4?", r"'4\?'"),
        ("othello", "f5d9", None, "move 2: 'd9' is not a legal move"),
        ("hex", "a1 pass b2", None, "given apart from the moves"),
        ("hex", "(;W[a3];B[b4])", None, "does not lead from '11x11:' by moves alone"),
        ("connect6", "j10 i9l10 j8j8", None, "move 5: 'j8' is not a legal move here"),
        ("p-game", "0 2", None, "move 2: '2' is not a legal move here; legal: 0 to 1"),
        (CHOMP, "zz c2", None, "move 1: 'zz' is not a legal move here; legal: a1"),
        (CHOMP, "3x3", None, "move 1: '3x3' is not a legal move here"),
        (CHOMP, "a1 b1", None, "move 2: 'b1': the game is over"),
    ],
)
def test_a_bad_record_is_named(game, record, start, sentence):
    with pytest.raises(BadPosition, match=sentence) as caught:
        read_record(zermelo.game(game), record, start)
    assert str(caught.value).count("\n") == 0


def test_what_is_no_game_or_no_start():
    with pytest.raises(BadOption, match="'tic-tac-toe' is not a game"):
        zermelo.annotate("tic-tac-toe", "a1")
    for start in (3, zermelo.game("connect-four").start()):
        with pytest.raises(BadOption, match=r"the record starts from .* not a position of tic-"):
            zermelo.annotate(TTT, "a1", start=start)
    with pytest.raises(ZermeloError, match="there is no search"):
        zermelo.annotate(TTT, "a1", "best")


def test_an_interrupt_before_anything_is_known(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(zermelo.Session, "advance", interrupted)
    with pytest.raises(KeyboardInterrupt):
        zermelo.annotate(TTT, "a1")
    assert call("annotate", "tic-tac-toe", "a1") == (130, "", "zermelo: interrupted.\n")


def test_a_finished_game_needs_no_search():
    done = call("annotate", "tic-tac-toe", "start", "--from", "a1 b1 a2 b2 a3")
    assert (done.status, done.err) == (0, "")
    assert "no move threw anything away\n0 nodes, 0.000 s" in done.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tic-tac-toe"], "give either a record or --file, not both or neither."),
        (["tic-tac-toe", "a1", "--file", "x"], "give either a record or --file"),
        (["tic-tac-toe", "--file", "no.txt"], "can't read the file 'no.txt'"),
        (["tic-tac-toe", "a1 a1"], "tic-tac-toe: move 2: 'a1' is not a legal move here"),
        (["tic-tac-toe", "a1", "--from", "x"], "'x'"),
        (["tic-tac-toe", "a1", "-s", "best"], "there is no search 'best'"),
        (["tic-tac-toe", "a1", "--nodes", "0"], "the limit nodes='0'"),
        (["tic-tac-toe", "a1", "--seed", "x"], "--seed 'x'"),
        (["chess", "e4"], "there is no game 'chess'"),
    ],
)
def test_bad_words_are_refused(words, sentence):
    done = call("annotate", *words)
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert sentence in done.err


# Which notation a text was taken for.
@pytest.mark.parametrize(
    ("game", "parameters", "texts"),
    [
        ("connect-four", {}, {
            "start": "start", "44455": "moves", "4,4,5": "moves", "." * 41 + "X": "board",
            "0" * 41 + "1 O": "board", "c4-cols: " + ",".join("b" * 42): "c4-cols"}),
        ("connect-four", {"columns": 2, "rows": 1, "line": 2}, {"12": "moves", ".X": "board"}),
        ("othello", {"size": 4}, {
            "-----OX--XO----- X": "board", "-----OX--XO----- X; a2:+3": "OBF line",
            "ggf: -----O*--*O----- *": "GGF board", "a2a3": "transcript"}),
        ("hex", {"size": 3}, {
            "3x3: a1": "moves", "a1 b2": "moves", "X../.../...": "rows", "#3,a1b2": "HexWorld link",
            "(;B[a1];W[b2])": "SGF, red-bean", "(;W[aa];B[bb])": "SGF, Little Golem",
            "(;GM[11])": "SGF"}),
        ("k-in-a-row", {}, {"a1 b2": "moves", ";B[a1];W[b2]": "SGF", "X../.../...": "rows"}),
        ("p-game", {}, {"b=2,path=0.1": "path"}),
        (CHOMP, {}, {"start": "start", "3x3": None}),
    ],
)
def test_a_position_says_how_it_was_written(game, parameters, texts):
    rules = zermelo.game(game, **parameters)
    for text, notation in texts.items():
        position = rules.parse(text)
        assert position.notation == notation, text
        assert rules.parse(position.text) == position
        for move in position.moves()[:1]:
            assert position.play(move).notation is None
    assert rules.start().notation is None


def test_notations_of_games_without_their_own():
    copy = zermelo.game(str(Path(CHOMP).with_name("connect_four_copy.py")))
    assert copy.parse("445").notation == "moves"
    assert copy.parse(copy.parse("445").text).notation == "fields"
    assert zermelo.graph({"a": ("or", ["b"]), "b": "win"}).parse("b").notation == "node"


# SOURCE: EricCJoyce/Datasets (MIT, 2022), Lines of Action, two of the shortest games of programs
# that play themselves.
QUOTED = """\
# <source file:line> <result> <moves...>
mcts:2378 1-0 d8-b6 h6xf8 c8-e6 h4-f4 b6-e3 a6-c6 g8-d5 h3-f5 e6-e2 f4-d4 b8-d6 h5-h8 e8-e4
trueonlinetdl:3508 1-0 d8-d6 a5-c3 b8-e5 a3-d3 c8-e6 h5-f5 g8-d5 h6xf8 e8-e4 a2xd5 e6-e2 h7-g8 g1-e3
"""
DATA = os.environ.get("ZERMELO_DATA")


@pytest.fixture(autouse=True)
def plain_python(monkeypatch, request):
    if "full" not in request.keywords:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.fixture
def file(tmp_path):
    def write(text):
        (tmp_path / "games.txt").write_text(text)
        return tmp_path / "games.txt"

    return write


def test_quoted_games_are_legal_and_end_as_they_say(file):
    games = list(records(zermelo.game("lines-of-action"), file(QUOTED)))
    assert [game.name for game in games] == ["mcts:2378", "trueonlinetdl:3508"]
    assert [len(game.moves) for game in games] == [13, 13]
    for game in games:
        assert game.result == game.positions[-1].outcome == "first"
        assert game.positions[-2].outcome is None


@pytest.mark.full
@pytest.mark.skipif(not DATA, reason="needs ZERMELO_DATA")
def test_all_games_of_the_file_are_legal():
    refused = []
    path = Path(DATA) / "lines-of-action" / "games.txt"
    found = list(records(zermelo.game("lines-of-action"), path, refused))
    assert refused == []
    assert (len(found), sum(len(game.moves) for game in found)) == (4_283, 330_536)


@pytest.mark.parametrize(
    ("name", "parameters", "moves", "begins"),
    [("lines-of-action", {}, "b1-b3 a2-c2 c1xa3", "(;FF[4]CA[UTF-8]GM[9]SZ[8]GN[7]PB[a]PW[b]RE["),
     ("hex", {"size": 4}, "a1 b2 c3", "(;FF[4]CA[UTF-8]GM[11]SZ[4]"),
     ("connect6", {}, "j10 i9 l10 j8 l8 a1", "(;FF[4]CA[UTF-8]EV[connect6]SZ[19]"),
     ("k-in-a-row", {"columns": 4}, "a1 b1 d2", "(;FF[4]CA[UTF-8]EV[k-in-a-row]SZ[4:3]"),
     ("tic-tac-toe", {}, "a1 b1 a2 b2 a3", "(;FF[4]CA[UTF-8]EV[tic-tac-toe]SZ[3]"),
     ("connect-four", {}, "4 4 5", "7 * 4 4 5\n"),
     ("othello", {"size": 4}, "a2 a3 b4 c1 a4 pass b1", "7 * a2 a3 "),
     ("p-game", {"depth": 4}, "0 1 1", "7 * 0 1 1\n")],
)
def test_what_is_written_is_read_again(file, name, parameters, moves, begins):
    game = zermelo.game(name, **parameters)
    end = game.start().play(*moves.split())
    text = written([ToWrite(end, "7", ("a", "b"), end.outcome or "")] * 2)
    assert text.startswith(begins)
    for found in records(game, file(text)):
        assert (found.name, found.moves) == ("7", moves.split())
        assert found.positions[-1] == end
        assert found.result == (end.outcome or "")


def test_a_game_from_a_position_that_was_set_up(file):
    game = zermelo.game("tic-tac-toe")
    end = game.parse("x../.o./... X").play("c3")
    text = written([ToWrite(end, "3.0b", ("a", "b"), "draw")])
    assert text == "3.0b 1/2-1/2 [X../.O./... X] c3\n"
    found = next(records(game, file(text)))
    assert (found.positions[0].text, found.moves, found.result) == ("X../.O./... X", ["c3"], "draw")
    assert end.played_names() == ["c3"]


def test_other_forms(file):
    game = zermelo.game("connect-four")
    found = list(records(game, file("445\n\n# x\n1-0 4,4,5\n9 0-1\n")))
    assert [(one.name, one.moves, one.result) for one in found] == [
        ("line 1", ["4", "4", "5"], ""), ("line 4", ["4", "4", "5"], "first"), ("9", [], "second")]
    hexes = "what comes first (;GM[11]SZ[3]GN[x (a\\] ;B];B[a1](;W[b1])(;W[c1]))\n(;SZ[3];B[b2])"
    trees = list(records(zermelo.game("hex", size=3), file(hexes.partition("first ")[2])))
    assert [one.moves for one in trees] == [["a1", "b1"], ["b2"]]
    assert [one.name for one in trees] == ["x (a\\] ;B", "game 2"]


@pytest.mark.parametrize(("text", "names", "odd"), [
    ("(;SZ[3]GN[1];B[a1]) (;SZ[3]GN[2];B[b2]", ["1"], ["after game 1"]),
    ("(;SZ[3]GN[1];B[a1])) (;SZ[3]GN[2];B[b2])", ["1", "2"], ["after game 1"]),
    ("(;SZ[3]GN[1];B[a1])\nb2\n(;SZ[3]GN[2];B[b2]) c3", ["1", "2"],
     ["after game 1", "after game 2"])])
def test_what_is_no_game_is_not_passed_over(file, text, names, odd):
    refused = []
    found = list(records(zermelo.game("hex", size=3), file(text), refused))
    assert ([one.name for one in found], [name for name, _ in refused]) == (names, odd)
    with pytest.raises(BadPosition, match=f"{odd[0]}: "):
        list(records(zermelo.game("hex", size=3), file(text)))


def test_properties_are_those_of_the_first_node(file):
    text = ("(;SZ[3]BRE[W+]C[RE[B+\\]]RE[W+];B[a1]GN[late]RE[B+])"
            "(;SZ[3]RE [B+];B[b2])")
    found = list(records(zermelo.game("hex", size=3), file(text)))
    assert [(one.name, one.result) for one in found] == [("game 1", "second"), ("game 2", "first")]


def test_bad_games_are_refused_or_listed(file):
    game = zermelo.game("tic-tac-toe")
    path = file("one 1-0 a1 b1 a2 b2 a3\ntwo 0-1 a1 b1 a2 b2 a3\nthree 1-0 a1 a1\n")
    with pytest.raises(BadPosition, match=r"games.txt', two: tic-tac-toe: the record of 'two' says "
                                          r"0-1, but its last move makes it 1-0\."):
        list(records(game, path))
    refused = []
    assert [one.name for one in records(game, path, refused)] == ["one"]
    assert [name for name, _ in refused] == ["two", "three"]
    assert "move 2" in refused[1][1]
    with pytest.raises(BadPosition, match=r"games.txt', \\x9b2J: tic-tac-toe: "):
        list(records(game, file("\x9b2J 0-1 a1 b1 a2 b2 a3\n")))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(None, "can't read the file"), (b"\xff\xfe\xff", "is not a text in UTF-8"),
     (b"# nothing\n", "holds no game; it needs an SGF collection"),
     (b"x" * 100, "is larger than 50 bytes")],
)
def test_files_that_are_none(tmp_path, monkeypatch, content, sentence):
    monkeypatch.setattr(whole_files, "LARGEST_FILE", 50)
    path = tmp_path / "games"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadOption, match=sentence):
        list(records(zermelo.game("tic-tac-toe"), path))


class Sum(Game):
    """Add 1, 2 or 3; whoever reaches 6 wins. Large and small steps are categories; none is huge."""

    name = "sum"

    def define(self):
        def moves(g, s, out):
            n = min(3, 6 - s.n)
            for i in range(n):
                out[i] = i + 1
            return n

        def play(g, s, move, t):
            t.n, t.turn = s.n + move, 1 - s.turn

        def categories(g, s, moves, n, out):
            for i in range(n):
                out[i] = 1 if moves[i] > 1 else 0

        return Rules(state=[("n", "i8"), ("turn", "i8")], max_moves=3, max_length=6, moves=moves,
                     play=play, mover=lambda g, s: s.turn,
                     outcome=lambda g, s: 0 if s.n < 6 else 2 - s.turn, key=lambda g, s: s.n,
                     categories=categories, category_names=("small", "large", "huge"))


def test_probabilities_by_hand(file):
    from zermelo.lab.estimate import estimate

    path = file("3 3\n1 2 3\n1 1 1 1 1 1\nx 1-0 9\n")
    found = estimate(Sum(), [path], prior=0)
    # Positions: 0 0 0 1 3 2 3 3 4 5 1; at 5 only the small step is there.
    assert found.available == [11, 10, 0]
    assert found.played == [7, 4, 0]
    told = found.to_dict()
    assert [row["probability"] for row in told["categories"]] == [
        round(7 / 11, 6), 0.4, round(11 / 21, 6)]
    assert told["provenance"]["games"] == 3
    assert told["provenance"]["files"][0]["refused"] == 1
    assert found.refused[0][0] == "games.txt, x"
    prior = estimate(Sum(), [path], prior=10).to_dict()["categories"]
    assert prior[1]["probability"] == round((4 + 10 * 11 / 21) / 20, 6)
    assert prior[2]["probability"] == round(11 / 21, 6)
    skipped = estimate(Sum(), [path, path], skip=1, prior=0)
    assert skipped.positions == 2 * 8
    assert skipped.played == [10, 6, 0]


SUM = '''
from test_record import Sum as Base

class Sum(Base):
    """The same, where the command line finds it."""
'''


def test_the_command(file, tmp_path):
    (tmp_path / "sums.py").write_text(SUM)
    game, out = f"{tmp_path / 'sums.py'}:Sum", tmp_path / "probabilities.json"
    done = call("lab", "estimate", game, str(file("3 3\n1 2 3\n")), "--prior", "0", "--out",
                str(out), "--quiet")
    assert done.status == 0
    assert done.out.splitlines()[0] == "2 games, 5 positions; 2 of 3 categories came up"
    assert [row["name"] for row in json.loads(out.read_text())["categories"]] == [
        "small", "large", "huge"]
    told = loads(call("lab", "estimate", game, str(file("3 3\n9\n")), "--json").out)
    assert told["refused"][0]["game"] == "games.txt, line 2"
    refused = call("lab", "estimate", game, str(file("3 3\n9\n")))
    assert "refused 1 game:\ngames.txt, line 2: sum: move 1" in refused.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["tic-tac-toe", "{file}"], "tic-tac-toe has no categories of moves to estimate"),
     (["{sums}", "{file}", "--skip", "-1"], "skip='-1' is not a whole number of at least 0."),
     (["{sums}", "{file}", "--skip", "9"], "the files hold no position to count."),
     (["{sums}", "{file}", "--out", "/no/such/file"], "can't write the file '/no/such/file'")],
)
def test_estimates_that_can_not_be_made(file, tmp_path, words, sentence):
    (tmp_path / "sums.py").write_text(SUM)
    path = file("3 3\n")
    filled = [word.format(file=path, sums=f"{tmp_path / 'sums.py'}:Sum") for word in words]
    done = call("lab", "estimate", *filled)
    assert done.status == 2
    assert sentence in done.err


def test_an_estimate_needs_files():
    from zermelo.lab.estimate import estimate

    with pytest.raises(BadOption, match="needs at least one file"):
        estimate(Sum(), [])
