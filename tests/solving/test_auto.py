"""``search="auto"``: which search the rule picks, and that all else goes on with that."""

from pathlib import Path

import pytest
from command import call, loads

import zermelo
from zermelo.solving.auto import picked_search, search_for, transpositions

pytestmark = pytest.mark.usefixtures("without_jit")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(("name", "parameters", "text", "how", "search"), [
    ("connect6", {}, "j10 k10k11", {"narrow": True}, "deep-df-pn"),
    ("connect6", {}, "j10 k10k11", {"plain": True}, "vcdt"),  # not for the rule to say
    ("connect-four", {}, "444", {"plain": True}, "weak-df-pn"),
    ("hex", {"size": 5}, "start", {"plain": True}, "deep-df-pn"),
    ("hex", {"size": 5}, "start", {}, "weak-df-pn"),  # which has the game's knowledge
    (f"{EXAMPLES / 'chomp.py'}:Chomp", {}, "4x3", {}, "deep-df-pn"),  # which has none
])
def test_the_rule(name, parameters, text, how, search):
    position = zermelo.game(name, **parameters).parse(text)
    assert picked_search(position, **how) == search
    assert search_for(position, "auto", **how).id == search
    assert search_for(position, "pn", **how) == zermelo.PN()


def test_what_the_rule_looks_at():
    tree = zermelo.game("p-game", branching=2, depth=6)
    assert transpositions(tree.start()) == 0.0  # a tree: no two lines meet
    # Four moves in each of four plies, which may be played in any order: 256 lines, 100 positions.
    assert transpositions(zermelo.game("connect6").parse("j10")) == 100 * (1 - 100 / 256)


def test_a_session_has_the_search_that_was_picked():
    position = zermelo.game("tic-tac-toe").parse("a1 b1 a2 b2")
    assert zermelo.start(position, "auto").search == zermelo.WeakDFPN()
    over = position.play("a3")
    assert zermelo.solve(over, "auto").value == "loss"


def test_the_command():
    done = call("solve", "tic-tac-toe", "a1 b1 a2 b2", "-s", "auto", "--json", "-q")
    answer = loads(done.out)
    assert (done.status, answer["search"], answer["value"]) == (0, "weak-df-pn", "win")
    refused = call("solve", "tic-tac-toe", "-s", "auto", "-p", "epsilon=1")
    assert (refused.status, refused.out) == (2, "")
    assert "-p epsilon=1: which search auto picks is not known yet" in refused.err
