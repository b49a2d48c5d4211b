"""No game is privileged: Connect Four from a user's file is searched visit for visit alike."""

from pathlib import Path

import pytest
from paper_positions import CONNECT_FOUR

import zermelo
from zermelo import DFPN, DFPPN, DeepDFPN, WeakDFPN

COPY = Path(__file__).parents[2] / "examples" / "connect_four_copy.py"
SEARCHES = [DFPN(epsilon=0), DeepDFPN(3, 4), WeakDFPN(quick=0), WeakDFPN(quick=3, k=2),
            DFPPN(playouts=3)]


def both(text):
    """The position in the built-in game and in the copy."""
    position = zermelo.game("connect-four").parse(text)
    fields = {name: position.state[0][name] for name in position.state.dtype.names}
    return position, zermelo.game(f"{COPY}:ConnectFour").position(**fields)


def figures(position, search, **options):
    result = zermelo.solve(position, search, seed=2, **options)
    return result.value, result.counters, result.root, result.line


@pytest.mark.long
@pytest.mark.parametrize("search", SEARCHES, ids=[f"{s.id} {s.options}" for s in SEARCHES])
def test_the_copy_is_searched_alike(monkeypatch, search):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for plain in (True, False):
        for text in ("start", CONNECT_FOUR[8], CONNECT_FOUR[11]):
            built_in, copy = both(text)
            found = figures(built_in, search, plain=plain, nodes=40, goal="win")
            assert found == figures(copy, search, plain=plain, nodes=40, goal="win")


def test_the_default_search_compiled_solves_it_alike():
    for id in (161, 0, 2):
        built_in, copy = both(CONNECT_FOUR[id])
        found = figures(built_in, None)
        assert found == figures(copy, None)
        assert found[0] == "win" if id != 2 else found[0] != "win"
        assert found[1]["visits"] > 30
