"""Parts of the depth-first searches beyond df-pn against their definitions; what is refused."""

import random
from dataclasses import replace
from math import ceil
from types import SimpleNamespace

import pytest
from cyclic import graph_of

import zermelo
from zermelo import DFPN, PDSPN, TCADFPN, DeepDFPN, SharedDFPN, WideningDFPN
from zermelo.core.explicit_graph import Graph
from zermelo.search.base import Task
from zermelo.search.depth_first.table import INF
from zermelo.search.reasons import LOST, UNKNOWN, WON

FIVE_BY_FOUR = zermelo.game("connect-four", columns=5, rows=4, line=3)
TWO_STONES = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)


def some_children(rng, **more):
    """Children with numbers that are often equal; at least one is unsolved."""
    count = rng.randint(1, 12)
    found = [SimpleNamespace(pn=rng.randint(1, 6), dn=rng.randint(1, 6),
                             status=rng.choice([UNKNOWN, UNKNOWN, WON, LOST]),
                             **{name: draw(rng) for name, draw in more.items()})
             for _ in range(count)]
    found[rng.randrange(count)].status = UNKNOWN
    return found


def seen(child, attacker_moves):
    return (child.pn, child.dn) if attacker_moves else (child.dn, child.pn)


def check_backup(found, children, counted, delta, mine):
    """What ``backup`` says, where ``counted`` children are looked at and ``delta`` is the total."""
    phis = sorted((seen(children[k], mine)[0], k) for k in counted)
    assert (found.best, found.second) == (phis[0][1], phis[1][0] if len(phis) > 1 else INF)
    assert (found.pn, found.dn) == ((phis[0][0], delta) if mine else (delta, phis[0][0]))
    assert found.unsolved == sum(child.status == UNKNOWN for child in children)


@pytest.mark.parametrize("best", ["numbers", "order"])
def test_a_window_counts_the_best_children(best):
    rng, cut = random.Random(5), 0
    for _ in range(2_000):
        children, mine = some_children(rng), rng.random() < 0.5
        base, factor = rng.randint(0, 3), rng.choice([0.0, 0.1, 0.25, 0.5, 1.0])
        search = WideningDFPN(base, factor, best)
        plan = search.plan(FIVE_BY_FOUR.rules)
        options = search.data(FIVE_BY_FOUR.rules, True)
        live = [k for k, child in enumerate(children) if child.status == UNKNOWN]
        j = min(len(live), max(2, base + ceil(factor * len(live))))
        if best == "numbers":
            live.sort(key=lambda k: (seen(children[k], mine)[0], k))
        counted = sorted(live[:j])
        cut += j < len(live)
        found = plan.backup(options, children, 0, len(children), mine)
        deltas = {k: seen(children[k], mine)[1] for k in counted}
        check_backup(found, children, counted, sum(deltas.values()), mine)
        assert found.others == sum(deltas.values()) - deltas[found.best]
    assert cut > 500


@pytest.mark.usefixtures("without_jit")
@pytest.mark.parametrize("search", [
    WideningDFPN(factor=1), TCADFPN(), DeepDFPN(1, 12, epsilon=0.25), DeepDFPN(7, 1, epsilon=0.25),
    DeepDFPN(0, 0, epsilon=0.25)], ids=str)
def test_what_is_df_pn_but_for_an_option_or_for_cycles(search):
    for position in (TWO_STONES.parse("a1 b2"), FIVE_BY_FOUR.parse("33")):
        both = [zermelo.solve(position, each, goal="win", plain=True, nodes=400)
                for each in (DFPN(), search)]
        assert both[0].counters == both[1].counters
        assert [row.to_dict() for row in both[0].moves] == [row.to_dict() for row in both[1].moves]


def test_of_children_that_meet_the_largest_counts():
    rng, both = random.Random(6), 0
    search = SharedDFPN()
    plan = search.plan(FIVE_BY_FOUR.rules)
    for _ in range(2_000):
        children = some_children(rng, meets=lambda rng: rng.randint(0, 1))
        mine = rng.random() < 0.5
        live = [k for k, child in enumerate(children) if child.status == UNKNOWN]
        deltas = {k: seen(children[k], mine)[1] for k in live}
        alone = [deltas[k] for k in live if not children[k].meets]
        joined = [deltas[k] for k in live if children[k].meets]
        found = plan.backup(search.data(FIVE_BY_FOUR.rules, True), children, 0, len(children), mine)
        total = sum(alone) + max(joined, default=0)
        check_backup(found, children, live, total, mine)
        both += len(joined) > 1 and len(alone) > 1
        # What a child may use of a threshold: until the total would reach it.
        for th in (total + 1, total + 5):
            delta, limit = deltas[found.best], th - found.others
            assert delta < limit
            grown = [limit if k == found.best else deltas[k] for k in live]
            after = (sum(d for k, d in zip(live, grown, strict=True) if not children[k].meets)
                     + max((d for k, d in zip(live, grown, strict=True) if children[k].meets),
                           default=0))
            assert after == th
    assert both > 300


# Both replies to x lead to m: what it takes to prove m is one proof, not two.
MEETING = {
    "n0": ("or", ["x"]), "x": ("and", ["a", "b"]), "a": ("or", ["m"]), "b": ("or", ["m"]),
    "m": ("and", ["m1", "m2"]), "d": "draw", "w": "win",
    **{f"m{i}": ("or", [f"m{i}{j}" for j in "pqrs"]) for i in (1, 2)},
    **{f"m{i}{j}": ("and", [f"e{i}{j}"]) for i in (1, 2) for j in "pqrs"},
    **{f"e{i}{j}": ("or", ["w"] if j == "s" else ["d"]) for i in (1, 2) for j in "pqrs"},
}


def test_children_that_meet_are_found(monkeypatch):
    """Some node of the path has marked children at some time, and they do lead to one place."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    game = graph_of(MEETING)
    session = zermelo.start(game.start(), SharedDFPN(epsilon=0), goal="win")
    names, marked = {number: name for name, number in game.numbers.items()}, set()
    for visits in range(1, 60):
        result = session.run(zermelo.Limits(nodes=visits))
        stack = session.runs[0].stacks[0]
        for depth in range(max(int(stack.control[0]["depth"]), 0) + 1):
            frame = stack.frames[depth]
            rows = stack.children[frame["first"] : frame["first"] + frame["count"]]
            marked |= {names[int(row["move"])] for row in rows if row["meets"]}
        if result.proved:
            break
    assert result.value == "win"
    assert marked == {"a", "b"}


def test_tca_holds_the_search_where_a_position_is_old(monkeypatch):
    """n5 is met at depth 1, and again below n1 at depth 3: n3 has an old child."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    nodes = {
        "n0": ("or", ["n1", "n5"]), "n1": ("and", ["n2", "n3"]), "n2": ("or", ["n4", "n5"]),
        "n3": ("or", ["n5", "n6"]), "n4": ("and", ["n0", "n6"]), "n5": ("and", ["n2", "n7"]),
        "n6": ("and", ["n7", "n3"]), "n7": ("or", ["w", "n1"]), "w": "win",
    }
    session, held = zermelo.start(graph_of(nodes).start(), TCADFPN(epsilon=0), goal="win"), 0
    for visits in range(1, 200):
        result = session.run(zermelo.Limits(nodes=visits))
        stack = session.runs[0].stacks[0]
        control, depth = stack.control[0], int(stack.control[0]["depth"])
        for frame in stack.frames[1 : depth + 1]:
            if frame["held"] == control["expansions"]:
                held += 1
                assert (frame["th_pn"], frame["th_dn"]) >= (frame["own_pn"], frame["own_dn"])
        if result.proved:
            break
    assert result.proved
    assert held > 0


def test_pds_gives_room_for_a_proof_or_for_a_disproof():
    rng, search = random.Random(8), PDSPN()
    plan, o = search.plan(FIVE_BY_FOUR.rules), search.data(FIVE_BY_FOUR.rules, True)
    for _ in range(2_000):
        children, mine = some_children(rng), rng.random() < 0.5
        live = [k for k, child in enumerate(children) if child.status == UNKNOWN]
        found = plan.backup(o, children, 0, len(children), mine)
        assert found.best == min(live, key=lambda k: (*seen(children[k], mine), k))
        frame = SimpleNamespace(th_pn=rng.randint(1, 20), th_dn=rng.randint(1, 20))
        left = plan.reached(o, frame, found.pn, found.dn)
        assert left == (found.pn >= frame.th_pn and found.dn >= frame.th_dn)
        if left:
            continue
        child = children[found.best]
        th_pn, th_dn = plan.thresholds(o, frame, child, found, mine)
        proof = th_pn > child.pn
        assert (th_pn, th_dn) == (child.pn + proof, child.dn + (not proof))
        assert proof or found.dn < frame.th_dn  # where only one has room, that one gets more
        assert not proof or found.pn < frame.th_pn


def test_the_root_of_pds_gets_more_room_where_it_has_less():
    plan = PDSPN().plan(FIVE_BY_FOUR.rules)
    o = PDSPN().data(FIVE_BY_FOUR.rules, True)
    for (pn, dn), thresholds in (((3, 5), (4, 5)), ((5, 3), (5, 4)), ((4, 4), (5, 4))):
        frame = SimpleNamespace(th_pn=3, th_dn=3)
        plan.adjust(o, frame, None, 0, pn, dn)
        assert (frame.th_pn, frame.th_dn) == thresholds
        frame = SimpleNamespace(th_pn=pn + 1, th_dn=1)
        plan.adjust(o, frame, None, 0, pn, dn)
        assert (frame.th_pn, frame.th_dn) == (pn + 1, 1)
        plan.adjust(o, frame, None, 1, pn + 1, dn)
        assert (frame.th_pn, frame.th_dn) == (pn + 1, 1)


GAME = zermelo.game("connect-four", columns=4, rows=4)


def test_no_scores_where_positions_come_again():
    class Scored(Graph):
        def define(self):
            return replace(super().define(), score=lambda g, s: -3, max_score=3)

    nodes = {"n0": ("or", ["n1", "l"]), "n1": ("and", ["n0"]), "l": "loss"}
    with pytest.raises(zermelo.BadOption, match="positions of graph can repeat"):
        zermelo.start(Scored(nodes, "n0").start(), goal="score")


@pytest.mark.usefixtures("without_jit")
@pytest.mark.parametrize("search", [DFPN(), zermelo.AlphaBeta(), zermelo.Retrograde()],
                         ids=lambda search: search.id)
@pytest.mark.parametrize(("bounds", "message"), [
    ({"max_moves": 2}, "more moves than max_moves=2"),
    ({"max_length": 1}, "a game lasts longer than max_length=1"),
])
def test_rules_that_break_their_bounds(search, bounds, message):
    class Broken(type(GAME)):
        def define(self):
            return replace(super().define(), **bounds)

    start = Broken(columns=4, rows=4).start()
    start.__dict__["_seen"] = (0, 0, [0, 1, 2, 3])  # the position itself would complain first
    question = search.start(Task(start, 0, 1 << 20, plain=True))
    assert question.finished == UNKNOWN
    with pytest.raises(zermelo.BadGame, match=message):
        question.advance(1_000)
