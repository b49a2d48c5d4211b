"""Certificates node by node, in the records that trees of searches have."""

import json

import pytest
from certificates import FOUR, TWINS, Chase, value_claims, write

import zermelo
from zermelo.proof import Claim
from zermelo.proof.show import RECORD, SEARCHED, ProofWalk, certificate_branch

CASES = {
    "four": ("connect-four", FOUR, ".........OX..XOX O", None),
    "draw": ("connect-four", FOUR, ".....OX.OXX.OXO. X", None),
    "hex": ("hex", {"size": 3}, "3x3: a1", None),
    "searched": ("tic-tac-toe", {}, "a1 a3", lambda state: len(repr(state)) % 3 == 0),
    "two stones": ("k-in-a-row", {"columns": 4, "rows": 3, "stones": 2}, "b2 a1 c3", None),
}
MOST = 400


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    directory, found = tmp_path_factory.mktemp("branches"), {}
    for name, (game, parameters, text, searches) in CASES.items():
        position = zermelo.game(game, **parameters).parse(text)
        more = {} if searches is None else {"searches": searches}
        found[name] = write(directory / f"{name}.proof", position, value_claims(position), **more)
    for name, parameters, claims in (("chase", {}, [Claim(0)]),
                                     ("ring", {"ring": 1}, [Claim(0, False), Claim(1, False)])):
        found[name] = write(directory / f"{name}.proof", Chase(**parameters).start(), claims)
    return found


def opened(walk, most=MOST):
    """Branches from the root on, up to ``most``."""
    todo, found = [[]], []
    while todo and len(found) < most:
        found.append(certificate_branch(walk, todo.pop(0)))
        json.dumps(found[-1], allow_nan=False)
        todo += [child["path"] for child in found[-1]["children"] if child["children"]]
    return found


@pytest.mark.parametrize("name", list(CASES))
def test_every_reply_has_an_answer(made, name):
    game, parameters, *_ = CASES[name]
    naive, sources = TWINS[game](**parameters), set()
    for number, claim in enumerate(value_claims(made[name].position), 1):
        walk = ProofWalk(made[name].path, number)
        for found in opened(walk):
            state = naive.from_position(made[name].position)
            for move in found["path"]:
                state = naive.play(state, move)
            mover, moves = naive.mover(state), naive.moves(state)
            assert found["node"]["kind"] == ("or" if mover == claim.player else "and")
            assert found["node"]["status"] == ("won" if claim.wins else "lost")
            shown = [child["move"] for child in found["children"]]
            if mover == claim.prover:
                assert shown == [found["answer"]["move"]]
                assert shown[0] in moves
                assert found["children"][0]["best"]
                sources.add(found["answer"]["source"])
            else:
                assert (sorted(shown), found["answer"]) == (sorted(moves), None)
                assert not any(child["best"] for child in found["children"])
            for child in found["children"]:
                after = naive.play(state, child["move"])
                assert child["outcome"] == naive.outcome(after)
                if child["kind"] == "end":
                    assert child["children"] == 0
                    assert (child["outcome"] == ("first", "second")[claim.player]) == claim.wins
    assert sources <= {RECORD, SEARCHED}
    assert (SEARCHED in sources) == (name == "searched")


def test_a_few_at_a_time(made):
    walk = ProofWalk(made["hex"].path)
    root = certificate_branch(walk)
    path = root["children"][0]["path"] if root["answer"] else []
    whole = certificate_branch(walk, path)
    parts = [certificate_branch(walk, path, offset=at, count=2)
             for at in range(0, whole["node"]["children"], 2)]
    assert [child for part in parts for child in part["children"]] == whole["children"]
    assert [part["more"] for part in parts] == [
        max(0, len(whole["children"]) - at - 2) for at in range(0, len(whole["children"]), 2)]


def test_own_games_and_repetitions(made):
    """Where play goes round for ever the line ends, and says so."""
    repeated = 0
    for name in ("chase", "ring"):
        for number in range(1, 2 if name == "chase" else 3):
            for found in opened(ProofWalk(made[name].path, number, Chase)):
                for child in found["children"]:
                    repeated += child.get("repeats", False)
                    if child.get("repeats"):
                        assert (child["children"], name) == (0, "ring")
                        around = certificate_branch(ProofWalk(made[name].path, number, Chase),
                                                    child["path"])
                        assert (around["children"], around["answer"]) == ([], None)
    assert repeated > 0
    chased = certificate_branch(ProofWalk(made["chase"].path, 1, Chase))
    assert isinstance(chased["answer"]["rank"], int)


def test_what_is_refused(made):
    walk = ProofWalk(made["four"].path)
    answer = certificate_branch(walk)["answer"]
    other = next(move for move in made["four"].position.moves() if move != answer["move"])
    for path, what in (
            ("12", "a path is a list of moves, not '12'"),
            ([other], f"'{other}' is not a move of the proof here; the certificate has "
             f"{answer['move']}"),
            ([answer["move"], "9"], "'9' is not a move of the proof here; replies: "),
            ([answer["move"], 3], "'3' is not a move of the proof here; replies: ")):
        with pytest.raises(zermelo.BadMove, match=what):
            certificate_branch(walk, path)
    end = next(child for found in opened(walk) for child in found["children"]
               if child["kind"] == "end")
    with pytest.raises(zermelo.BadMove, match="'1': the line ends before it"):
        certificate_branch(walk, [*end["path"], "1"])
    with pytest.raises(zermelo.BadOption, match="count='500' is not a whole number from 0 to 200"):
        certificate_branch(walk, count=500)
