"""Lines of Action, a game of cycles: searches against retrograde analysis of whole boards, and
certificates whose ranks fall.

The exact values are those of all positions with so many pieces: backwards from the finished games,
by the checker's rules, which ``test_proof_rules`` holds against the slow twin. What is never won is
a draw.
"""

import random
from collections import Counter

import pytest
from certificates import Parts, refused, taken_apart
from cyclic import check_line, check_moves, exact, value

import zermelo
from zermelo.proof import verify

SEARCHES = [zermelo.DFPN(), zermelo.WeakDFPN(), zermelo.PN()]
NEWER = [zermelo.WideningDFPN(), zermelo.TCADFPN(), zermelo.SharedDFPN(), zermelo.PDSPN()]
# Size, most pieces of each side, the rule for both sides connected, positions that are looked at.
BOARDS = {"3x3": (3, 2, "draw", None), "4x4, mover": (4, 2, "mover", 120),
          "5x5": (5, 2, "draw", 120)}
MORE = {"4x4, three each": (4, 3, "draw", 1500)}


def check_board(board, search):
    """Value, best move, line and root moves of some positions of a board."""
    size, most, both, count = board
    game, rules, winner, ongoing = exact(size, most, both)
    chance, drawn = random.Random(1), [state for state in ongoing if state not in winner]
    chosen = ongoing
    if count:
        chosen = chance.sample(ongoing, count) + chance.sample(drawn, min(len(drawn), count // 10))
    values = Counter()
    for state in chosen:
        expected, position = value(state, winner), game.parse(rules.text(state))
        result = zermelo.solve(position, search, nodes=2e6, memory="16MB")
        assert (result.value, result.proved) == (expected, True), (position.text, search)
        values[expected] += 1
        check_moves(rules, state, winner, result)
        if expected != "draw":
            check_line(rules, state, winner, result)
    return values


@pytest.mark.parametrize(("name", "search"), [
    pytest.param(name, search, id=f"{name}-{search.id}", marks=() if quick else mark)
    for names, searches, mark in ((BOARDS, SEARCHES, pytest.mark.long),
                                  (["5x5"], NEWER, pytest.mark.long),
                                  (MORE, SEARCHES, pytest.mark.full))
    for name in names for search in searches
    for quick in [(name, search.id) in (("3x3", "df-pn"), ("4x4, mover", "weak-df-pn"))]])
def test_agrees_with_retrograde_analysis(name, search):
    values = check_board({**BOARDS, **MORE}[name], search)
    assert min(values["win"], values["loss"]) >= 15
    assert values["draw"] >= 5 or name in ("3x3", "4x4, mover")


def certified(position, search, path, **options):
    """The result, and the report on the certificate that was made of it."""
    session = zermelo.start(position, search, **options)
    result = session.run(zermelo.Limits(nodes=3e6, memory="64MB"))
    assert result.proved, position.text
    return result, zermelo.write_proof(session, path).report


@pytest.mark.long
@pytest.mark.parametrize("search", [
    zermelo.WeakDFPN(), *NEWER, *(pytest.param(search, marks=pytest.mark.full) for search in
                                  (zermelo.DFPN(), zermelo.PN()))], ids=lambda search: search.id)
def test_values_get_certificates(search, tmp_path):
    game, rules, winner, ongoing = exact(5, 2, "draw")
    chosen, values = random.Random(2).sample(ongoing, 14), set()
    drawn = [state for state in ongoing if state not in winner][:2]
    for state in [*chosen, *drawn]:
        position = game.parse(rules.text(state))
        result, report = certified(position, search, tmp_path / "proof")
        assert report.verified
        assert result.value == value(state, winner)
        values.add(str(result.value))
    assert values == {"win", "loss", "draw"}


def test_ranks_are_needed_and_checked(tmp_path):
    """The certificate of the start on 4x4, and what becomes of it with other ranks and rules."""
    path = tmp_path / "proof"
    start = zermelo.game("lines-of-action", size=4).start()
    result, report = certified(start, zermelo.WeakDFPN(), path)
    assert (result.value, report.verified, report.claims[0].longest) == ("win", True, 3)
    parts = taken_apart(path.read_bytes())
    assert parts.header["claims"][0]["ranked"]
    assert parts.header["layout"]["fields"] == [["own", "<u8", 1], ["opp", "<u8", 1]]
    assert verify(path).verified
    rows = parts.records[0]
    level = Parts(parts.header, [[row[:-4] + bytes([1, 0, 0, 0]) for row in rows]])
    assert "rank" in refused(tmp_path, level.joined())
    without = {**parts.header, "claims": [{**parts.header["claims"][0], "ranked": False}]}
    assert "needs ranks" in refused(tmp_path, Parts(without, [[row[:-4] for row in rows]]).joined())
    assert "no record" in refused(tmp_path, Parts(parts.header, [rows[1:]]).joined())


# Number 341 of the tactical suite. Its proof takes 38,702 visits; to rule out that a reply loses a
# ply sooner took more than two minutes.
HARD_LINE = ".X..X.../..O....O/..OXXO.O/..X.O..O/..X.O..O/.X.X...O/.....X../...XX... X"


@pytest.mark.long
def test_a_line_costs_little_beside_its_proof():
    position = zermelo.game("lines-of-action").parse(HARD_LINE)
    session = zermelo.start(position, zermelo.PDSPN(), goal="win", plain=True)
    session.advance(zermelo.Limits())
    run, walk = session.runs[0], session.runs[0].walk()
    move = walk.best()
    while move is not None:
        position = position.play_code(move)
        assert walk.follow(move, position)
        move = walk.best() if position.outcome is None else None
    assert position.outcome == "first"
    assert walk.run is not run  # one in whose proof every step leads nearer to the end
    assert walk.run.looked <= 2 * run.nodes
