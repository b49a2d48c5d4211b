"""Certificates of zones in Hex: written, checked, played out, and attacked.

Plain Python throughout: the compiled searches write them in the tests of certificates.
"""

import json
import random
import re
import time

import pytest
from forged_zones import header_of, taken_apart, zones_file
from test_zones_of_proofs import positions_of

import zermelo
from zermelo.errors import ProofFailure
from zermelo.games.hex.game import Hex
from zermelo.proof.budget import CheckBudget, Exceeded
from zermelo.proof.check import POSITION_BYTES, state_bytes
from zermelo.proof.header import Refused
from zermelo.proof.read import Certificate
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.show import ProofWalk
from zermelo.proof.zones import carriers
from zermelo.proof.zones.carriers import CarrierChecker
from zermelo.proof.zones.write import CarrierWriter
from zermelo.solving.certify import write_proof

pytestmark = pytest.mark.usefixtures("without_jit")


def solved(position):
    session = zermelo.start(position)
    session.run()
    return session


def content_of(position, path):
    write_proof(solved(position), path)
    return path.read_bytes()


class ZoneTruth:
    """Whether the winner wins with nothing but a zone: all other cells are the other side's."""

    def __init__(self, rules, winner):
        self.rules, self.winner, self.known = rules, winner, {}

    def wins(self, mine, theirs, begins):
        key = mine, theirs, begins
        if key not in self.known:
            self.known[key] = self._wins(*key)
        return self.known[key]

    def _wins(self, mine, theirs, begins):
        if self.rules.joined(mine, self.winner):
            return True
        if self.rules.joined(theirs, 1 - self.winner):
            return False
        free = [i for i in range(self.rules.cells) if not (mine | theirs) >> i & 1]
        if begins:
            return any(self.wins(mine | 1 << i, theirs, False) for i in free)
        return all(self.wins(mine, theirs | 1 << i, True) for i in free)

    def false_zones(self, zones):
        full = (1 << self.rules.cells) - 1
        return [zone for zone in zones
                if not self.wins(zone.stones, full & ~zone.cells, zone.begins)]


def test_certificates_are_written_and_hold_without_trust_in_zones(tmp_path):
    for number, position in enumerate(positions_of(Hex(size=4), 6, 1, 6, 1)):
        path = tmp_path / f"{number}.proof"
        session = solved(position)
        written = write_proof(session, path)
        assert written.report.verified
        played_out = zermelo.verify(path, exhaustive=True)
        assert played_out.verified
        assert played_out.positions > written.report.positions
        head, _ = taken_apart(path.read_bytes())
        assert (head["claims"][0]["player"] == "first") == (
            (session.value()[0].name == "WIN") == (position.mover == 0))


def test_a_walk_answers_every_reply(tmp_path):
    path = tmp_path / "walk.proof"
    content_of(Hex(size=3).parse("3x3: c1"), path)
    walk = ProofWalk(path)
    todo, seen = [walk.root], 0
    while todo:
        node = walk.settled(todo.pop())
        seen += 1
        if node.end is None:
            assert set(node.choices) <= set(node.moves)
            todo += [node.after(move) for move in node.moves]
        else:
            assert node.end == 0
    assert seen > 20


def mutated(rows, rng):
    """The same lines with one of them changed."""
    rows = json.loads(json.dumps(rows))
    row = rng.choice(rows)
    name = rng.choice(list(row))
    if name == "replies":
        rng.choice([lambda r: len(r) > 1 and r.pop(rng.randrange(len(r))),
                    lambda r: r.__setitem__(0, rng.randrange(len(rows)))])(row[name])
    elif name == "pairs" and row[name]:
        rng.choice([lambda p: p.pop(), lambda p: p[0].__setitem__(0, rng.randrange(16)),
                    lambda p: p.append([rng.randrange(16), rng.randrange(16)])])(row[name])
    elif name == "stones":
        row[name] = [cell for cell in row[name] if rng.random() < 0.7]
    else:
        row[name] = rng.randrange(16)
    return rows


def accepted(rules, rows, winner, root):
    """The zones that the checker believed before it refused, if it did; and whether it did."""
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    checker = CarrierChecker(rules, root, winner, text, len(rows), CheckBudget())
    try:
        checker.run()
    except Refused:
        return checker.zones, False
    return checker.zones, True


def attack(tmp_path, count):
    """(zones that are false, but were believed; certificates; those refused)."""
    rules, rng, false, refused = HexRules({"size": 4}, False), random.Random(3), 0, 0
    head, rows = taken_apart(content_of(Hex(size=4).parse("4x4: a1"), tmp_path / "a.proof"))
    root, winner = rules.read(head["position"]), 1
    truth = ZoneTruth(rules, winner)
    for _ in range(count):
        changed = mutated(rows, rng)
        if rng.random() < 0.3:
            changed = mutated(changed, rng)
        zones, passed = accepted(rules, changed, winner, root)
        refused += not passed
        false += len(truth.false_zones(zones))
    return false, refused


@pytest.mark.quick_cases("40")
@pytest.mark.parametrize("count", [40, 150])
def test_no_false_zone_is_believed(tmp_path, count):
    false, refused = attack(tmp_path, count)
    assert false == 0
    assert refused > count // 3


def test_a_checker_with_a_part_taken_out_is_fooled(tmp_path, monkeypatch):
    monkeypatch.setattr(HexRules, "linked", lambda *a: True)
    assert attack(tmp_path, 12)[0] > 0


def test_answers_that_share_a_cell_must_be_refused(tmp_path, monkeypatch):
    honest = carriers.zone_from

    def careless(row, rules, winner, before, budget=None):
        if isinstance(row, dict) and "replies" in row and row["replies"]:
            row = {"replies": row["replies"]}
            try:
                return honest(row, rules, winner, before)
            except Refused:
                parts = [before[n] for n in row["replies"] if type(n) is int and n < len(before)]
                cells = stones = 0
                for part in parts:
                    cells, stones = cells | part.cells, stones | part.stones
                return carriers.Carrier(cells, stones, False, answers=tuple(row["replies"]))
        return honest(row, rules, winner, before)

    monkeypatch.setattr(carriers, "zone_from", careless)
    assert attack(tmp_path, 40)[0] > 0


REFUSED = [
    ([{"stones": [0], "pairs": []}], "the stones do not hold together"),
    ([{"stones": [0, 0], "pairs": []}], r"'\[0, 0\]' is not a set of cells"),
    ([{"stones": [0], "pairs": [[1]]}], r"'\[1\]' is not a set of 2 cells"),
    ([{"stones": 7, "pairs": []}], "'7' is not a list"),
    ([{"move": 9, "then": 0}], "'9' is not a number from 0 to 8"),
    ([{"else": 9}], "makes no sense there"),
    ([{"replies": []}], "makes no sense there"),
    ([{"stones": [1, 4, 7], "pairs": []}, {"move": 0, "then": 0}, {"move": 2, "then": 1}],
     "zone 1 has the winner move, who has just moved"),
    ([{"stones": [1, 4, 7], "pairs": []}, {"replies": [0]}],
     "zone 0 has the other side move, who has just moved"),
    ([{"stones": [1, 4, 7], "pairs": []}, {"move": 4, "then": 0}, {"replies": [1]}],
     r"a stone on \(4,\) is in all of the zones"),
    ([{"stones": [1, 4, 7], "pairs": []}], "the last zone does not hold in the position"),
    ([{"stones": [4], "pairs": [[1, 2], [6, 7]]}, {"move": 4, "then": 0}],
     "the last zone has the winner move, but the other side moves"),
]


@pytest.mark.parametrize(("rows", "reason"), REFUSED)
def test_refusals(tmp_path, rows, reason):
    head, _ = taken_apart(content_of(Hex(size=3).parse("3x3: b2"), tmp_path / "b.proof"))
    head["claims"][0]["nodes"] = len(rows)
    bad = tmp_path / "bad.proof"
    bad.write_bytes(zones_file(head, rows))
    report = zermelo.verify(bad)
    assert not report.verified
    assert re.search(reason, report.reason)


def test_bodies_that_are_none(tmp_path):
    head, rows = taken_apart(content_of(Hex(size=3).parse("3x3: b2"), tmp_path / "b.proof"))
    bad = tmp_path / "bad.proof"
    bad.write_bytes(zones_file(head, [], b"{\n"))
    assert "is not JSON" in zermelo.verify(bad).reason
    bad.write_bytes(zones_file(head, [*rows, *rows]))
    assert "does not have 1 line" in zermelo.verify(bad).reason
    bad.write_bytes(zones_file({**head, "wins": 64}, rows))
    assert zermelo.verify(bad).reason == (
        "wins is 64, but in Hex there are none by threats; it must be 0")
    over = {**head, "position": "3x3: a1 b1 a2 b2 a3"}
    bad.write_bytes(zones_file(over, rows))
    assert "the game is over" in zermelo.verify(bad).reason


def test_the_other_side_wins_only_if_the_checker_was_fooled(tmp_path, monkeypatch):
    """Playing out finds a false zone that was believed."""
    monkeypatch.setattr(HexRules, "linked", lambda *a: True)
    head, _ = taken_apart(content_of(Hex(size=3).parse("3x3: b2"), tmp_path / "b.proof"))
    bad = tmp_path / "bad.proof"
    bad.write_bytes(zones_file(head, [{"stones": [4], "pairs": []}]))
    assert zermelo.verify(bad).verified
    assert "the other side wins" in zermelo.verify(bad, exhaustive=True).reason


def test_a_writer_that_finds_nothing_says_so(monkeypatch):
    run = solved(Hex(size=4).start()).answered(0, 1)
    monkeypatch.setattr(type(run), "look_again", lambda *a: (0, []))
    with pytest.raises(ProofFailure, match="was not proved when it was searched again"):
        CarrierWriter(run.position, 0, run.proof().move)
    monkeypatch.undo()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr(HexRules, "linked", lambda *a: False)
    with pytest.raises(ProofFailure, match="a chain that was seen does not hold"):
        CarrierWriter(run.position, 0, run.proof().move)
    held = solved(Hex(size=3).parse("3x3: b2")).answered(0, 1)
    with pytest.raises(ProofFailure, match="a chain that was seen does not hold"):
        CarrierWriter(held.position, 0, held.proof().move)


def chain(path, size=16):
    """A true certificate: stones in every second row, held together by pairs to the edges."""
    stones, pairs = [], []
    for row in range(1, size, 2):
        column = size - 2 - row // 2
        stones.append(size * row + column)
        pairs.append([size * (row - 1) + column, size * (row - 1) + column + 1])
    marks = ["X" if cell in stones else "." for cell in range(size * size)]
    rows = ["".join(marks[at : at + size]) for at in range(0, size * size, size)]
    head = header_of({"size": size, "swap": "no"}, f"{'/'.join(rows)} O", 0, game="hex")
    path.write_bytes(zones_file(head, [{"stones": stones, "pairs": pairs}]))
    return path


def test_playing_out_keeps_to_its_memory(tmp_path):
    path = chain(tmp_path / "big.proof")
    assert zermelo.verify(path).verified
    report = zermelo.verify(path, exhaustive=True, memory=1_000_000)
    assert (report.verdict, report.stopped) == ("undecided", "memory")
    assert report.positions < 3_000


def test_playing_out_gives_back_what_it_has_seen(tmp_path):
    certificate, budget = Certificate(chain(tmp_path / "small.proof", 4)), CheckBudget()
    rules = HexRules({"size": 4}, False)
    root = rules.read(certificate.header.position)
    checker = CarrierChecker(rules, root, 0, certificate.body(budget), 1, budget, exhaustive=True)
    before = budget.kept
    checker.run()
    kept = checker.positions - 2  # of the positions, neither the zone nor the root
    assert kept > 50
    assert budget.kept - before == kept * (POSITION_BYTES + state_bytes(root))


def test_one_large_zone_keeps_to_the_time():
    rules, budget = HexRules({"size": 16}, False), CheckBudget(time=0.05)
    stones = sum(1 << cell for cell in range(256) if cell % 16 != 7)
    began = time.monotonic()
    with pytest.raises(Exceeded, match="not finished after"):
        rules.linked(1, stones, (), budget)
    assert time.monotonic() - began < 2
