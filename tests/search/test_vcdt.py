"""VCDT as a search: answers, refusals, limits, lines, pictures, records and certificates."""

import os
from pathlib import Path

import pytest
from command import call

import zermelo
from zermelo import VCDT, BadOption, BadPosition, Limits, Value
from zermelo.search.registry import default_search
from zermelo.search.threats import extract

# From the set of forced wins made from games of lzy-wj/Nebula-Zero-Connect6 (MIT): position, the
# side that moves and wins, its turns.
TWO = ("j10 i9m10 h12j12 k9j9 m9h9 h11i10 i11g12 g13i12 j13k8 j14k13 l12i8 j7j8 k11l10 n8i13 "
       "l11l13 l14l8 m11n11 j11o11 m12k14 o10j15 n12o12 p12k12")
SEVEN = "j10 j9j8 k8l9 j7k7 i9l7 j6i8 j5l8"
SHORTER_ANYWHERE = "j10 l12m11 i11k9 n10k13 j14o9 n9j13"
FORCED = [(TWO, "X", 2), (SEVEN, "O", 7), (SHORTER_ANYWHERE, "X", 6)]
SIX = zermelo.game("connect6")
SMALL = zermelo.game("k-in-a-row", columns=6, rows=5, line=4, stones=2)
DATA = os.environ.get("ZERMELO_DATA")


@pytest.mark.parametrize(("text", "side", "turns"), FORCED)
def test_forced_wins_of_connect6(text, side, turns):
    position = SIX.parse(text)
    result = zermelo.solve(position)
    assert (position.to_move, result.search) == (side, VCDT())
    assert (result.value, result.proved, result.stopped) == (Value.WIN, True, "solved")
    assert result.root == {"turns": turns}
    assert len(result.turns) == 2 * turns - 1
    assert result.last.outcome == ("first" if side == "X" else "second")
    assert result.move == result.line[0]
    known = {row.move: row.value for row in result.moves}
    assert {move for move in known if known[move] == Value.WIN} == set(result.turns[0])
    again = zermelo.solve(position, goal="win", plain=True)
    assert (again.nodes, again.line) == (result.nodes, result.line)


def test_a_free_stone_anywhere_may_win_sooner():
    position = SIX.parse(SHORTER_ANYWHERE)
    result = zermelo.solve(position, VCDT(free="anywhere"))
    assert result.root == {"turns": 5}
    assert result.last.outcome == "first"


@pytest.mark.skipif(DATA is None, reason="needs ZERMELO_DATA")
@pytest.mark.full
def test_all_forced_wins_of_the_set():
    rows = (Path(DATA) / "connect6" / "forced_wins.txt").read_text().splitlines()
    rows = [row for row in rows if not row.startswith("#")]
    seconds = []
    for row in rows:
        turns, side, _, *stones = row.partition("|")[0].split()
        result = zermelo.solve(SIX.parse(" ".join(stones)))
        assert result.root == {"turns": int(turns)}, row
        assert result.last.outcome == {"b": "first", "w": "second"}[side], row
        seconds.append(result.seconds)
    assert len(rows) == 220
    print(f"median {sorted(seconds)[110] * 1000:.1f} ms")


def test_no_win_by_threats_proves_nothing():
    result = zermelo.solve(SIX.parse("j10 i9l10"))
    assert (result.value, result.proved, result.stopped) == (Value.UNKNOWN, False, "candidates")
    assert (result.move, result.line, result.exit_status) == (None, [], 10)
    done = call("solve", "connect6", "j10 i9l10")
    assert "unknown: no win found by threats (not a proof of a loss)\n" in done.out
    assert done.status == 10
    assert zermelo.solve(SIX.parse(SEVEN), VCDT(depth=6)).stopped == "candidates"


def test_a_loss_is_proved_where_threats_cannot_be_stopped():
    rows = ["." * 19] * 8 + ["." * 5 + "XXXX" + "." * 10] + ["." * 19] * 5 + ["..XXXX" + "." * 13]
    rows += ["." * 19] * 4
    position = SIX.parse("/".join(rows) + " O")
    result = zermelo.solve(position)
    assert (result.value, result.proved, result.search.id) == (Value.LOSS, True, "vcdt")
    assert result.root == {"turns": 1}
    assert result.last.outcome == "first"
    assert zermelo.solve(position, goal="win").stopped == "candidates"
    assert zermelo.solve(result.last).value == Value.LOSS


@pytest.mark.parametrize("step", [17, 100])
def test_slices_change_nothing(step):
    whole = zermelo.solve(SIX.parse(SEVEN), goal="win")
    session, nodes = zermelo.start(SIX.parse(SEVEN), goal="win"), 0
    while session.stopped != "solved":
        nodes += step
        result = session.run(Limits(nodes=nodes))
        assert result.nodes <= nodes
    assert (result.nodes, result.iterations, result.line) == (
        whole.nodes, whole.iterations, whole.line)
    traced = zermelo.solve(SIX.parse(SEVEN), goal="win", trace=100)
    assert [row["iterations"] for row in traced.trace][:2] == [100, 200]
    assert traced.nodes == whole.nodes


def test_progress_shows_the_path():
    session = zermelo.start(SIX.parse(SEVEN))
    session.run(Limits(nodes=300))
    shown = session.progress()
    assert shown.path
    assert all(numbers["turns"] >= 1 for _, numbers in shown.path)
    SIX.parse(SEVEN).play(*(move for move, _ in shown.path))


def test_a_small_table_changes_no_answer():
    full = zermelo.solve(SIX.parse(SEVEN))
    small = zermelo.solve(SIX.parse(SEVEN), memory=1)
    assert (small.value, small.root) == (full.value, full.root)


def test_gomoku_wins_by_fours():
    game = zermelo.game("gomoku")
    stones = "h8 a1 i8 a3 j8 a5"
    result = zermelo.solve(game.parse(stones))
    assert (result.value, result.root) == (Value.WIN, {"turns": 2})
    assert result.line[0] in ("g8", "k8")
    assert zermelo.solve(game.parse("h8 a1 i8 a3")).stopped == "candidates"


def test_the_line_is_drawn_with_numbers(tmp_path):
    svg, sgf = tmp_path / "a.svg", tmp_path / "a.sgf"
    done = call("solve", "connect6", TWO, "--svg", str(svg), "--sgf", str(sgf))
    assert done.status == 0
    rows = done.out.splitlines()
    assert rows[5] == "14 . . . . . . . . . O X O . 1 . . . . ."
    assert "line n14n13 n15o15 n10n9" in rows
    assert svg.read_text().count(">1</text>") == 3  # two stones and a row of the board
    record = sgf.read_text()
    assert record.startswith("(;FF[4]EV[connect6]SZ[19];B[j10];W[i9m10];B[h12j12]")
    assert record.endswith(";B[n14n13];W[n15o15];B[n10n9])\n")
    assert SIX.parse(record).outcome == "first"
    result = zermelo.solve(SMALL.parse("a1"), "pn", nodes=50)
    assert result.diagram == result.position.diagram
    assert result.svg() == result.position.svg() == result._repr_svg_()


def test_which_search_is_the_default():
    assert default_search(SIX) == default_search(zermelo.game("gomoku")) == "vcdt"
    assert default_search(SMALL) == default_search(zermelo.game("hex")) == "weak-df-pn"
    many = zermelo.game("k-in-a-row", columns=9, rows=9, line=8, stones=5)
    assert default_search(many) == "weak-df-pn"
    with pytest.raises(BadOption, match="vcdt: k-in-a-row has 5 stones per turn; at most 4 are"):
        zermelo.solve(many.start(), "vcdt")
    with pytest.raises(BadOption, match="othello has no lines; use another search"):
        zermelo.start(zermelo.game("othello").start(), VCDT())
    done = call("solve", "hex", "-s", "vcdt")
    assert (done.status, done.out) == (2, "")
    with pytest.raises(BadOption, match="can be asked for win and value only"):
        zermelo.solve(SIX.start(), "vcdt", goal="shortest")


def test_game_records_are_written_and_read():
    game = zermelo.game("k-in-a-row", columns=6, rows=5, line=4, stones=2)
    position = game.parse("a1 b2c2 d4")
    assert game.sgf(position) == "(;FF[4]EV[k-in-a-row]SZ[6:5];B[a1];W[b2c2];B[d4])"
    assert game.parse(game.sgf(position)) == position
    with pytest.raises(BadPosition, match="was set up, not reached by moves"):
        game.sgf(game.parse(position.text))
    with pytest.raises(BadOption, match="othello: games are not written as SGF"):
        zermelo.game("othello").sgf(zermelo.game("othello").start())


def test_certificates_that_are_too_large(tmp_path, monkeypatch):
    game = zermelo.game("k-in-a-row", columns=6, rows=5, line=4, stones=3)  # too many for zones
    session = zermelo.start(game.parse("e1"), "vcdt", goal="win")
    assert session.run().root == {"turns": 2}
    monkeypatch.setattr(extract, "MOST_RECORDS", 10)
    with pytest.raises(BadOption, match=r"every reply after each of 1 turns; at most 10 are "
                       r"written\. A later position of the line has fewer"):
        zermelo.write_proof(session, tmp_path / "proof")
