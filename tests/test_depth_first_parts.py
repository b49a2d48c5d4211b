"""Parts of the depth-first searches beyond df-pn against their definitions, in plain Python."""

import random
from math import ceil
from types import SimpleNamespace

import pytest

import zermelo
from zermelo import DFPN, WideningDFPN
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.search.depth_first.table import INF

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


def test_a_window_that_has_all_children_is_df_pn(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for position in (TWO_STONES.parse("a1 b2"), FIVE_BY_FOUR.parse("33")):
        both = [zermelo.solve(position, search, goal="win", plain=True, nodes=400)
                for search in (DFPN(), WideningDFPN(factor=1))]
        assert both[0].counters == both[1].counters
        assert [row.to_dict() for row in both[0].moves] == [row.to_dict() for row in both[1].moves]
