"""MCTS and UCT with all children at once: right values, and the statistics that the page says."""

import pytest
from cases import cases, check_case

import zermelo


@pytest.mark.quick_cases("p-game-*")
@pytest.mark.parametrize("search", [
    zermelo.MCTS(playouts=2, whole=True), zermelo.UCT(playouts=2, whole=True)],
    ids=lambda search: search.id)
@pytest.mark.parametrize("name", ["p-game", "connect(4,3,3,2,1)"])
def test_all_children_at_once_agrees_with_brute_force(search, name):
    for case in cases(name)[:: 2 if name == "p-game" else 1]:
        check_case(case, search, plain=True)


def test_a_node_holds_the_playouts_of_its_children():
    position = zermelo.game("p-game", branching=3, depth=7, seed=5).start()
    session = zermelo.start(position, zermelo.MCTS(playouts=2, whole=True), plain=True)
    session.run(zermelo.Limits(nodes=90))
    tree, size = session.runs[0].tree.nodes, session.runs[0].size
    inner = [n for n in range(size) if tree[n]["count"]]
    assert len(inner) == session.runs[0].iterations == (size - 1) // 3
    for n in inner:
        children = tree[tree[n]["first"] :][: tree[n]["count"]]
        for name in ("visits", "wins"):
            assert tree[n][name] == children[name].sum()
    assert tree[0]["visits"] == size - len(inner)  # its leaves
