"""What a notebook shows of analyses and annotated records: true, complete and escaped."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

import zermelo
from zermelo import Value
from zermelo.game_records.annotate import Note, worth

AWKWARD = {"root": ("or", ["<b>a</b>", "x & y"]), "<b>a</b>": ("and", ["<script>"]),
           "<script>": "win", "x & y": "loss"}


class Tables(HTMLParser):
    """The rows of the tables of a page, which of them are marked, and the text outside."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.marked, self.tags, self.said, self.inside = [], [], set(), "", False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
            self.marked.append("background" in dict(attributes).get("style", ""))
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside &= tag not in ("td", "th")

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data
        else:
            self.said += data


@pytest.fixture(scope="module")
def game():
    return zermelo.game("tic-tac-toe")


def test_an_analysis_is_a_table_of_its_moves(game):
    analysis = zermelo.analyze(game.parse("a1 a2 b1"))
    seen = Tables(analysis._repr_html_())
    assert seen.rows[0] == ["move", "value", "proved", "line"]
    assert seen.rows[1:] == [[row.move, str(row.value), "yes", " ".join(row.line)]
                             for row in analysis.moves]
    assert seen.rows[1][0] == "c1"
    assert f"O to move: {analysis.value}, proved" in seen.said
    assert analysis._repr_html_().startswith("<svg")


def test_what_is_not_proved_says_so(game):
    analysis = zermelo.analyze(game.parse("a1 a2 b1"))
    cut = replace(analysis, proved=False, stopped="time", value=Value.UNKNOWN, moves=[
        replace(row, proved=row.move == "c1", stopped="nodes") for row in analysis.moves])
    seen = Tables(cut._repr_html_())
    assert [row[2] for row in seen.rows[1:]] == ["yes", *["no (nodes)"] * 5]
    assert "unknown, not proved (time)" in seen.said


def test_a_finished_game_has_no_table(game):
    seen = Tables(zermelo.analyze(game.parse("a1 a2 b1 b2 c1"))._repr_html_())
    assert seen.rows == []
    assert "the game is over: loss for O" in seen.said


def test_an_annotated_game_marks_its_turns(game):
    annotation = zermelo.annotate(game, "a1 a2 c3 b2 c2 c1 b1")
    seen = Tables(annotation._repr_html_())
    assert seen.rows[0][:6] == ["move", "player", "played", "value before", "value after", "better"]
    assert [row[2] for row in seen.rows[1:]] == annotation.moves
    turns = {turn.ply: turn for turn in annotation.turns}
    assert len(turns) > 1
    for number, row in enumerate(seen.rows[1:], 1):
        assert int(row[0]) == number
        assert seen.marked[number] == (number in turns) == (row[6] == "turning point")
        if number in turns:
            turn = turns[number]
            assert row[1:5] == [turn.player, turn.move, str(turn.before), str(turn.after)]
            assert row[5] == " ".join(turn.best)
        else:
            assert row[3] == row[4]
    assert str(annotation) in seen.said


def test_an_empty_record_has_no_table(game):
    seen = Tables(zermelo.annotate(game, [])._repr_html_())
    assert seen.rows == []
    assert "no move threw anything away" in seen.said


def test_values_of_others_and_bounds(game):
    def note(value, low, high, proved=False):
        return Note(0, game.start(), value, value, low, high, proved, False, "nodes", 1)

    win, draw, loss = Value.WIN, Value.DRAW, Value.LOSS
    assert worth(note(win, win, win, True), 0) == "win"
    assert worth(note(win, win, win, True), 1) == "loss"
    assert worth(note(win, loss, win), 1) == "loss (not proved)"
    assert worth(note(Value.NOT_WIN, loss, draw), 0) == "not-win"
    assert worth(note(Value.NOT_WIN, loss, draw), 1) == "not-loss"
    assert worth(note(Value.UNKNOWN, loss, win), 1) == "unknown"


def test_names_are_escaped():
    graph = zermelo.graph(AWKWARD)
    analysis = Tables(zermelo.analyze(graph.start(), "pn")._repr_html_())
    assert ["<b>a</b>", "win"] in [row[:2] for row in analysis.rows]
    record = Tables(zermelo.annotate(graph, ["x & y"], "pn")._repr_html_())
    assert record.rows[1][2:6] == ["x & y", "win", "loss", "<b>a</b>"]
    for seen in (analysis, record):
        assert not seen.tags & {"b", "script"}


def test_certificates_say_what_they_claim(game, tmp_path):
    session = zermelo.start(game.parse("a1 b1 a2 b2"))
    session.run()
    written = zermelo.write_proof(session, tmp_path / "win.proof")
    report = zermelo.verify(tmp_path / "win.proof")
    for said in (str(written), str(report)):
        assert "tic-tac-toe" in said
        assert "X wins:" in said
        assert f"sha256 {written.digest}" in said
        assert f"{written.positions:,} positions" in said
    assert "verified" in str(report)
    assert Tables(report._repr_html_()).said == str(report)
    assert Tables(written._repr_html_()).said == str(written)
    unchecked = zermelo.write_proof(session, tmp_path / "again.proof", check=False)
    assert "not checked" in str(unchecked)
    damaged = bytearray((tmp_path / "win.proof").read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "bad.proof").write_bytes(damaged)
    assert "refused: the digest at its end" in str(zermelo.verify(tmp_path / "bad.proof"))
