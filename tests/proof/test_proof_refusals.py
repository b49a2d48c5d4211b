"""Proofs that do not hold, damaged files, odd headers, other games; what the writer refuses."""

import io
import json
import os
import sys
import zlib
from dataclasses import replace

import numpy as np
import pytest
from certificates import FOUR, Chase, NaiveGraph, digested, refused, taken_apart, write

import zermelo
from zermelo.errors import BadCertificate, BadOption
from zermelo.games.registry import BUILT_IN
from zermelo.proof import SEARCH, CertificateWriter, Claim, verify
from zermelo.proof import check as checking
from zermelo.proof import workers as pools
from zermelo.proof import write as writing
from zermelo.proof.header import Refused
from zermelo.proof.read import Certificate

GAME = zermelo.game("connect-four", **FOUR)
ROOT = ".........OX..XOX O"


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """A small certificate."""
    path = tmp_path_factory.mktemp("proof") / "a.proof"
    write(path, GAME.parse(ROOT), [Claim(1)])
    return path.read_bytes()


def one_record_refused(tmp_path, position, claim, move, game=None, rank=None, **options):
    """Why a certificate with one record, for the root, is refused."""
    path = tmp_path / "one.proof"
    ranks = None if rank is None else np.array([rank])
    with CertificateWriter(path, position, [claim], **options) as writer:
        writer.add(0, position.canonical().state, np.array([move]), ranks)
    return refused(tmp_path, path.read_bytes(), game=game)


def test_records_that_are_not_sorted(content, tmp_path):
    parts = taken_apart(content)
    parts.records[0][3:5] = parts.records[0][4:2:-1]
    assert "record 5 of the claim 'O wins' does not come after" in refused(
        tmp_path, parts.joined())
    parts.records[0][3] = parts.records[0][4]
    assert "does not come after the one before it" in refused(tmp_path, parts.joined())


def test_where_it_fails(tmp_path):
    """The record, its position, the moves from there and the reason."""
    reason = one_record_refused(tmp_path, GAME.parse("1212124"), Claim(1), 0)
    assert reason == ("O wins: record 1 of 1, ....XO..XO..XO.X O, after 1 2: there is no record "
                      "for the position then")
    path = tmp_path / "none.proof"
    with CertificateWriter(path, GAME.parse(ROOT), [Claim(1)]):
        pass
    assert refused(tmp_path, path.read_bytes()) == (
        f"O wins: the root, {ROOT}: there is no record for the position then")


def test_a_false_search(tmp_path):
    draw = GAME.parse(".....OX.OXX.OXO. X")
    assert "shows that the claim is false" in one_record_refused(tmp_path, draw, Claim(0), SEARCH)
    message = one_record_refused(tmp_path, draw, Claim(1, wins=False), SEARCH, search=10)
    assert message.endswith("a search of 10 positions does not settle it")
    ring = Chase(ring=1).start()
    assert "shows that the claim is false" in one_record_refused(
        tmp_path, ring, Claim(0), SEARCH, Chase, rank=5)
    assert "does not settle it" in one_record_refused(
        tmp_path, ring, Claim(0), SEARCH, Chase, rank=5, search=10)


def test_games_that_end_otherwise(tmp_path):
    board = zermelo.game("tic-tac-toe").parse("XX./OO./... X")
    reason = one_record_refused(tmp_path, board, Claim(0), 8)
    assert reason.endswith("after c1 c2: the game ends with a win for O")
    full = zermelo.game("tic-tac-toe").parse("XOX/XOO/O.X X")
    assert "ends in a draw" in one_record_refused(tmp_path, full, Claim(0), 7)


def test_a_win_in_a_game_with_cycles_needs_ranks(tmp_path):
    path = tmp_path / "a.proof"
    position = Chase().start()
    with CertificateWriter(path, position, [Claim(0)], ranked=False):
        pass
    assert "needs ranks" in refused(tmp_path, path.read_bytes(), game=Chase)
    write(path, position, [Claim(0)])
    parts = taken_apart(path.read_bytes())
    parts.records[0] = [row[:-4] + (5).to_bytes(4, "little") for row in parts.records[0]]
    assert "the rank of the next record is not lower" in refused(
        tmp_path, parts.joined(), game=Chase)


ROUND = {"r": ("or", ["a", "w"]), "a": ("and", ["b", "c"]), "b": ("and", ["a", "w"]),
         "c": ("and", ["w"]), "w": "win"}


def test_the_other_side_can_go_round_for_ever(tmp_path):
    graph = zermelo.graph(ROUND)
    move = graph.numbers["a"]
    reason = one_record_refused(tmp_path, graph.start(), Claim(0), move, graph, rank=1)
    assert reason.endswith("the other side can go round for ever")
    # That is no win for the AND player: the OR player, as prover, may let it happen.
    path = tmp_path / "a.proof"
    write(path, graph.start(), [Claim(1, wins=False)], twin=NaiveGraph(ROUND))
    assert verify(path, game=graph).verified


def test_too_much_between_two_moves(tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "MOST_BETWEEN", 3)
    game = zermelo.game("k-in-a-row", columns=4, rows=3, stones=2)
    reason = one_record_refused(tmp_path, game.parse("b2 a1"), Claim(1), 1)
    assert "more than 3 positions before the prover moves again" in reason


def test_a_record_for_the_other_side(tmp_path):
    path = tmp_path / "a.proof"
    write(path, Chase().start(), [Claim(0)])
    parts = taken_apart(path.read_bytes())
    parts.records[0][0] = parts.records[0][0][:16] + (1).to_bytes(4, "little") \
        + parts.records[0][0][20:]
    assert "the other side moves there" in refused(tmp_path, parts.joined(), game=Chase)


def test_a_record_of_a_finished_game(content, tmp_path):
    parts = taken_apart(content)
    won = bytes([0, 0, 0b1111, 0, 0, 0])  # a column of the other side's stones
    parts.records[0].insert(0, won)
    assert "the game is over there" in refused(tmp_path, parts.joined())


def test_a_move_that_is_not_legal(tmp_path):
    path = tmp_path / "a.proof"
    write(path, Chase().start(), [Claim(0)])
    parts = taken_apart(path.read_bytes())
    row = parts.records[0][0]
    parts.records[0][0] = row[:24] + (9).to_bytes(4, "little") + row[28:]
    assert "after 9: that move is not legal there" in refused(tmp_path, parts.joined(), game=Chase)


# --- other people's games ---


def test_a_game_that_is_not_built_in_must_be_named(tmp_path):
    path = tmp_path / "a.proof"
    write(path, Chase().start(), [Claim(0)])
    with pytest.raises(BadCertificate, match="--game"):
        verify(path)
    with pytest.raises(BadCertificate, match="about the game 'chase', not about 'graph'"):
        verify(path, game=zermelo.graph(ROUND))
    with pytest.raises(BadOption, match="OpenSpiel has no game 'chase'"):
        verify(path, game=Chase, rules="open-spiel")
    with pytest.raises(BadOption, match="rules='compiled' is for built-in games, not for 'chase'"):
        verify(path, game=Chase, rules="compiled")
    content = path.read_bytes()
    assert "not with" in refused(tmp_path, content, game=Chase(cells=6))
    parts = taken_apart(content)
    for changes, message in (({"parameters": {"cells": 99}}, "out of range"),
                             ({"folded": True}, "has no symmetries"),
                             ({"position": "7 7 7"}, "can't be read"),
                             ({"layout": {"kind": "fields", "fields": [["a", "<i8", 1]]}},
                              "layout")):
        changed = taken_apart(content)
        changed.header.update(changes)
        changed.records = [[] for _ in parts.records]
        assert message in refused(tmp_path, changed.joined(), game=Chase)


class Moody(Chase):
    """A game whose rules can't stand some states."""

    name = "moody"

    def define(self):
        rules = super().define()
        usual = rules.outcome

        def outcome(g, s):
            if s.a > 50:
                return [][s.a]
            return 9 if s.a > 40 else usual(g, s)

        return replace(rules, outcome=outcome)


def test_rules_that_fail(tmp_path):
    path = tmp_path / "a.proof"
    position = Moody().start()
    for cell, message in ((60, "outcome: IndexError"), (45, r"outcome 9")):
        with CertificateWriter(path, position, [Claim(0)]) as writer:
            state = np.zeros(1, position.game.rules.dtype)
            state["a"] = cell
            writer.add(0, state, np.zeros(1, np.int32), np.ones(1))
        assert message in refused(tmp_path, path.read_bytes(), game=Moody)


def test_a_position_of_another_tree(tmp_path):
    class Trees(type(zermelo.game("p-game"))):
        name = "trees"

    path = tmp_path / "a.proof"
    with CertificateWriter(path, Trees(depth=1).start(), [Claim(0)]):
        pass
    parts = taken_apart(path.read_bytes())
    parts.header["position"] = "b=2,d=1,range=127,seed=9,generator=1"
    assert "is one of another game" in refused(tmp_path, parts.joined(), game=Trees)


def test_options_out_of_range(content, tmp_path):
    path = tmp_path / "a.proof"
    path.write_bytes(content)
    for options, message in (({"workers": 0}, "workers='0'"), ({"workers": 10**6}, "1 to 256"),
                             ({"workers": "2"}, "workers"), ({"sample": 0}, "sample='0'"),
                             ({"rules": "mine"}, "naive, compiled, open-spiel"),
                             ({"game": GAME}, "built-in")):
        with pytest.raises(BadOption, match=message):
            verify(path, **options)


def test_open_spiel_may_be_missing(content, tmp_path, monkeypatch):
    path = tmp_path / "a.proof"
    path.write_bytes(content)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadOption, match="pip install"):
        verify(path, rules="open-spiel")


def test_open_spiel_does_not_have_every_game(tmp_path):
    pytest.importorskip("pyspiel")
    played_on = "OpenSpiel can't set up a position of {}, only play on from the start of a game"
    two = "OpenSpiel has no such game with more than one stone in a turn"
    reasons = {
        ("p-game",): "OpenSpiel has no P-game",
        ("othello",): played_on.format("Othello"),
        ("lines-of-action",): played_on.format("Lines of Action"),
        ("xiangqi",): played_on.format("Xiangqi"),
        ("connect6",): two, ("k-in-a-row", "stones", 2): two, ("k-in-a-row", "first", 2): two,
        ("gomoku", "overline", "no-win"): "a longer line wins too, and here overline is no-win",
    }
    assert {name for name, *_ in reasons} | {"connect-four", "hex", "tic-tac-toe"} == set(BUILT_IN)
    for (name, *changed), reason in reasons.items():
        game = zermelo.game(name, **dict([changed] if changed else []))
        with CertificateWriter(tmp_path / "a.proof", game.start(), [Claim(0)]):
            pass
        with pytest.raises(BadOption, match=f"{reason}; use the naive rules."):
            verify(tmp_path / "a.proof", rules="open-spiel")


def test_open_spiel_checks_too(content, tmp_path):
    pytest.importorskip("pyspiel")
    path = tmp_path / "a.proof"
    path.write_bytes(content)
    naive, theirs = verify(path), verify(path, rules="open-spiel")
    assert (theirs.verdict, theirs.rules) == ("verified", "OpenSpiel")
    assert (theirs.positions, theirs.claims) == (naive.positions, naive.claims)
    parts = taken_apart(content)
    del parts.records[0][5]
    assert "no record" in refused(tmp_path, parts.joined(), rules="open-spiel")
    # A root that OpenSpiel can't set up, since X has a stone too many.
    odd = GAME.parse("............X... X")
    with CertificateWriter(path, odd, [Claim(1, wins=False)]):
        pass
    assert "can't set up" in refused(tmp_path, path.read_bytes(), rules="open-spiel")


def _dies(self, numbers):
    os._exit(1)


def test_a_worker_that_dies(content, tmp_path, monkeypatch):
    monkeypatch.setattr(pools, "BATCH", 5)
    monkeypatch.setattr(checking.Checker, "batch", _dies)
    path = tmp_path / "a.proof"
    path.write_bytes(content)
    with pytest.raises(BadCertificate, match="was killed"):
        verify(path, workers=2)


# --- damage ---


def test_every_changed_byte_is_refused(content, tmp_path):
    """Each byte in turn; only the first line tells that the file is not a certificate at all."""
    first = content.index(b"\n") + 1
    for at in range(len(content)):
        changed = content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :]
        if at < first:
            with pytest.raises(BadCertificate):
                refused(tmp_path, changed)
        else:
            assert "digest" in refused(tmp_path, changed)


def test_every_truncated_file_is_refused(content, tmp_path):
    first = content.index(b"\n") + 1
    for size in [*range(60), *range(60, len(content), 37), len(content) - 1]:
        if size < first:
            with pytest.raises(BadCertificate):
                refused(tmp_path, content[:size])
        else:
            assert "digest" in refused(tmp_path, content[:size])
    assert "digest" in refused(tmp_path, content + b"\0")


def test_a_file_that_shrinks_while_it_is_read():
    class Shrinking(io.BytesIO):
        def read(self, size=-1):
            return b""

    with pytest.raises(Refused, match="became shorter"):
        Certificate.__new__(Certificate)._check_digest(Shrinking(b"x" * 100))


def test_files_that_are_no_certificates(tmp_path):
    for text, message in (("", "is not a certificate"), ("hello\n", "is not a certificate"),
                          ("zermelo certificate 1\n", "another version"),
                          ("zermelo certificate 2", "another version")):
        path = tmp_path / "file"
        path.write_text(text)
        with pytest.raises(BadCertificate, match=message):
            verify(path)
    for path in (tmp_path, tmp_path / "nothing", "a\0b"):
        with pytest.raises(BadCertificate, match="can't read the file"):
            verify(path)


def test_a_body_that_is_not_what_the_header_says(content, tmp_path):
    head, body = content[:-32].split(b"\n\n", 1)
    more = head.replace(b'"records": ', b'"records": 9999999999')
    for changed, message in [
            (head[:200], "the header has no end"), (head + b"\n\n", "do not end where"),
            (head + b"\n\n" + body[:-1], "do not end where"),
            (head + b"\n\n" + body + b"x", "do not end where"),
            (more + b"\n\n" + body, "more records than its size allows"),
            (head + b"\n\n" + body[:-1] + b"\xff", "block 1 of the claim 'O wins'")]:
        assert message in refused(tmp_path, digested(changed)), message


def with_blocks(content, *blocks):
    """The certificate with other blocks."""
    head = content.split(b"\n\n", 1)[0] + b"\n\n"
    sizes = b"".join(len(block).to_bytes(4, "little") for block in blocks)
    return digested(head + sizes + b"".join(blocks))


def test_a_block_unpacks_to_just_its_records(content, tmp_path):
    """No more than that is unpacked, however much is packed."""
    rows = b"".join(bytes(c) for c in zip(*taken_apart(content).records[0], strict=True))
    good = zlib.compress(rows)
    path = tmp_path / "a.proof"
    path.write_bytes(with_blocks(content, good))
    assert verify(path).verified
    bomb = zlib.compress(bytes(20_000_000))
    for block in (zlib.compress(rows[:-1]), zlib.compress(rows + b"\0"), good + b"x", good[:-1],
                  b"", bomb):
        assert "can't be unpacked" in refused(tmp_path, with_blocks(content, block))


def test_more_records_than_memory(content, tmp_path, monkeypatch):
    def none_left(*shape):
        raise MemoryError

    monkeypatch.setattr(np, "empty", none_left)
    assert "do not fit into memory" in refused(tmp_path, content)


# --- headers ---


HEADERS = [
    ({"game": "go"}, "not a built-in game"), ({"game": 5}, "game is '5', not a text"),
    ({"game": None}, "has no 'game'"), ({"built_in": 1}, "not true or false"),
    ({"parameters": []}, "not an object"), ({"players": ["X"]}, "not 2 texts"),
    ({"players": ["X", 5]}, "not 2 texts"), ({"players": ["A", "O"]}, "calls the players"),
    ({"position": "...."}, "not a side to move"), ({"search": 9}, "not 10 to"),
    ({"search": 10**9}, "not 10 to"), ({"search": True}, "not a whole number"),
    ({"block": 0}, "not 1 to"), ({"block": 1 << 24}, "too large"), ({"claims": {}}, "not a list"),
    ({"claims": []}, "0 claims"), ({"claims": [5]}, "not a JSON object"),
    ({"layout": {"kind": "board", "bits": 20}}, "no 'squares'"),
    ({"layout": {"kind": "tree"}}, "not one of board, fields"),
    ({"layout": {"kind": "fields", "fields": [["a", "object", 1]]}}, "has the field"),
    ({"layout": {"kind": "fields", "fields": []}}, "layout"),
    ({"layout": {"kind": "fields", "fields": [["a", "<u8", 65536]]}}, "too large"),
    ({"extra": 1}, "which this version does not know"), ({"note": 1}, "not a text"),
    ({"folded": "no"}, "not true or false"), ({"parameters": {"columns": 4}}, "parameter rows"),
]


@pytest.mark.parametrize(("changes", "message"), HEADERS, ids=lambda x: str(x)[:50])
def test_headers_that_make_no_sense(content, changes, message, tmp_path):
    header = {**taken_apart(content).header, **changes}
    header = {name: value for name, value in header.items() if value is not None}
    rest = content[:-32].split(b"\n\n", 1)[1]
    text = b"zermelo certificate 2\n" + json.dumps(header).encode() + b"\n\n" + rest
    assert message in refused(tmp_path, digested(text))


CLAIMS = [({"player": "third"}, "not one of first, second"), ({"claim": "draws"}, "not one of"),
          ({"name": "X"}, "gives the second player the name 'X'"), ({"ranked": 0}, "true or false"),
          ({"records": -1}, "not 0 to"), ({"more": 1}, "does not know")]


@pytest.mark.parametrize(("changes", "message"), CLAIMS, ids=lambda x: str(x)[:50])
def test_claims_that_make_no_sense(content, changes, message, tmp_path):
    claim = {**taken_apart(content).header["claims"][0], **changes}
    test_headers_that_make_no_sense(content, {"claims": [claim]}, message, tmp_path)


@pytest.mark.parametrize(("header", "message"), [
    (b"{", "not JSON"), (b"[]", "not a JSON object"), (b'{"a": NaN}', "not JSON"),
    (b'{"a": 1, "a": 1}', "appears twice"), (b"\xff", "not JSON"), (b"[" * 100_000, "not JSON"),
    (b'{"search": ' + b"9" * 5000 + b"}", "not JSON")])
def test_headers_that_are_no_json(header, message, tmp_path):
    assert message in refused(tmp_path, digested(b"zermelo certificate 2\n" + header + b"\n\n"))


def test_the_same_claim_twice(content, tmp_path):
    parts = taken_apart(content)
    parts.header["claims"] *= 2
    parts.records *= 2
    assert "the same claim twice" in refused(tmp_path, parts.joined())


# --- the writer ---


def test_what_can_not_be_written(tmp_path):
    position = GAME.parse(ROOT)
    for options, message in (({"claims": []}, "1 to 4 different claims"),
                             ({"claims": [Claim(0), Claim(0)]}, "1 to 4 different claims"),
                             ({"claims": [Claim(0)], "search": 5}, "search='5' is out of range")):
        with pytest.raises(BadCertificate, match=message):
            CertificateWriter(tmp_path / "a.proof", position, **options)
    with (pytest.raises(BadCertificate, match=r"can't write .*: there is no such directory"),
          CertificateWriter(tmp_path / "no" / "a.proof", position, [Claim(0)])):
        pass
    (tmp_path / "folder").mkdir()
    with (pytest.raises(BadCertificate, match=r"can't write .*: it is a directory"),
          CertificateWriter(tmp_path / "folder", position, [Claim(0)])):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(("changes", "move", "options", "message"), [
    ({}, 4, {}, "a column, 0 to 3"), ({}, -1, {}, "a column, 0 to 3"),
    ({"mask": 0b1111}, 0, {}, "a column that is full"), ({"turn": 0}, 0, {}, "the prover moves"),
    ({}, [0, 1], {}, "as many moves"), ({}, 0, {"ranks": np.ones(1)}, "ranks belong")])
def test_records_that_can_not_be_written(changes, move, options, message, tmp_path):
    state = GAME.parse(ROOT).state.copy()
    for field, value in changes.items():
        state[field] = value
    with (pytest.raises(BadCertificate, match=message),
          CertificateWriter(tmp_path / "a.proof", GAME.parse(ROOT), [Claim(1)]) as writer):
        writer.add(0, state, np.atleast_1d(move), **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "parameters", "move"), [
    ("othello", {}, 28), ("othello", {"size": 4}, 0), ("hex", {"size": 3}, 9), ("hex", {}, 121),
    ("tic-tac-toe", {}, -5)])
def test_moves_that_are_no_empty_squares(name, parameters, move, tmp_path):
    position = zermelo.game(name, **parameters).start()
    with (pytest.raises(BadCertificate, match="not an empty square"),
          CertificateWriter(tmp_path / "a.proof", position, [Claim(0)]) as writer):
        writer.add(0, position.state, np.array([move]))


class Strange(zermelo.Game):
    """A game with a state that is given to it."""

    def __init__(self, state):
        self.state = state
        super().__init__()

    def define(self):
        return replace(zermelo.game("p-game").rules, state=self.state, cyclic=True)


def test_states_that_can_not_be_written(tmp_path):
    for state, message in (([("a", "c16")], "can't hold the field a"),
                           ([("a", "u8", (5_000,))], "40,000 bytes is too large")):
        game = Strange(state)
        with pytest.raises(BadCertificate, match=message):
            CertificateWriter(tmp_path / "a.proof", game.position(), [Claim(0)])
    game = Strange([("a", "u8")])
    with (pytest.raises(BadCertificate, match="ranks must be whole numbers, one for each"),
          CertificateWriter(tmp_path / "a.proof", game.position(), [Claim(0)]) as writer):
        writer.add(0, game.position().state, np.zeros(1, np.int32), np.array([-1]))


def write_and_stop(path, problem):
    with CertificateWriter(path, GAME.parse(ROOT), [Claim(1)]) as writer:
        writer.add(0, GAME.parse(ROOT).state, np.array([0]))
        raise problem


def test_nothing_is_left_of_what_was_not_finished(tmp_path, content):
    """An exception in the middle, whatever it is; and a certificate that was there stays."""
    path = tmp_path / "a.proof"
    path.write_bytes(content)
    for problem in (ValueError, KeyboardInterrupt):
        with pytest.raises(problem):
            write_and_stop(path, problem)
    assert [file.name for file in tmp_path.iterdir()] == ["a.proof"]
    assert path.read_bytes() == content


def test_the_order_of_batches_does_not_matter(tmp_path, monkeypatch):
    """Duplicates and all: the same bytes, however often they are sorted."""
    rng = np.random.default_rng(4)
    states = np.zeros(3_000, GAME.rules.dtype)
    heights = rng.integers(0, 4, (len(states), 4))
    for column in range(4):
        full = (1 << heights[:, column]) - 1
        states["mask"] |= (full << (5 * column)).astype(np.uint64)
        own = full & rng.integers(0, 16, len(states))
        states["own"] |= (own << (5 * column)).astype(np.uint64)
    moves = rng.integers(0, 4, len(states)).astype(np.int32)
    moves[::7] = SEARCH
    found = []
    for most, size in ((10_000, 3_000), (100, 100), (500, 7)):
        monkeypatch.setattr(writing, "MANY_ROWS", most)
        order = rng.permutation(len(states))
        with CertificateWriter(tmp_path / "a.proof", GAME.parse(ROOT), [Claim(0)]) as writer:
            for at in range(0, len(states), size):
                some = order[at : at + size]
                writer.add(0, states[some], moves[some])
        found.append((tmp_path / "a.proof").read_bytes())
    assert found[0] == found[1] == found[2]
    rows = taken_apart(found[0]).records[0]
    best = {}
    for state, move in zip(states.tolist(), moves.tolist(), strict=True):
        best.setdefault(state, []).append(move)
    assert len(rows) == len(best) == writer.records
    # A move is kept where there is one, the lowest of several.
    assert sum(max(moves) == SEARCH for moves in best.values()) == sum(
        row[3:] == bytes(a | b for a, b in zip(free(row), row[3:], strict=True)) for row in rows)


def free(row):
    """The empty squares of a record, all of which are set if it says `search`."""
    board = int("01111011110111101111", 2)
    taken = int.from_bytes(row[:3], "big")
    return (board & ~taken).to_bytes(3, "big")
