"""Strategies of tuning on objectives that are known; the words that name values."""

import math
import random
import sys
from itertools import product

import pytest
from tuning import Objective, fake_optuna, line

import zermelo
from zermelo.lab.tune import strategies
from zermelo.lab.tune.strategies import Axis, axis_of


@pytest.mark.parametrize(
    ("search", "word", "values", "real"),
    [("deep-df-pn", "E=1..4", (1, 2, 3, 4), False),
     ("deep-df-pn", " E = 0..20:5 ", (0, 5, 10, 15, 20), False),
     ("deep-df-pn", "E=1..1e3:x10", (1, 10, 100, 1000), False),
     ("deep-df-pn", "D=7,2", (7, 2), False),
     ("df-pn", "epsilon=0.05..0.2:0.05", (0.05, 0.1, 0.15, 0.2), False),
     ("df-pn", "epsilon=0..1", (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1), True),
     ("ppn", "theta=0.001..0.1:x10", (0.001, 0.01, 0.1), False),
     ("ppn", "pr=none,0.1", (None, 0.1), False),
     ("pn", "tie=left,deepest", ("left", "deepest"), False)],
)
def test_words_name_values(search, word, values, real):
    axis = axis_of(zermelo.search(search), word)
    assert (axis.values, axis.real) == (values, real)
    assert [type(value) for value in axis.values] == [
        type(getattr(zermelo.search(search, **{axis.name: value}), axis.name)) for value in values]


@pytest.mark.parametrize("start", [(2, 2), (1, 1), (20, 15), (1, 15), (20, 1)])
@pytest.mark.parametrize("top", [(7, 4), (18, 2), (1, 15), (20, 1)])
def test_climbing_finds_the_only_hill(start, top):
    axes = [Axis("E", tuple(range(1, 21))), Axis("D", tuple(range(1, 16)))]
    objective = Objective(lambda e, d: 1000 + 30 * abs(e - top[0]) + (d - top[1]) ** 2)
    strategies.climb(axes, start, objective)
    assert objective.best == top
    assert len(set(objective.asked)) < 300 / 2  # a sweep asks for all


def test_climbing_with_real_numbers_begins_where_it_can():
    axis = axis_of(zermelo.DFPN(), "epsilon=0.05..3:0.05")
    for start in (0.25, 0.01, 99, None):
        objective = Objective(lambda x: (x - 1.35) ** 2)
        strategies.climb([axis], (start,), objective)
        assert objective.best == (1.35,)
    assert [axis.nearest(value) for value in (0.26, 0.01, 99, None)] == [4, 0, 59, 0]


def algorithm_1(node, largest, flat):
    """The thesis's Algorithm 1, line by line, for two options from 2 on; what it asks for.

    A value above N is infinite; an infinite point is "not considered": nothing is better for it.
    """
    asked, inf = [], math.inf

    def limited(e, d, n):
        if e > largest or d > largest:
            return inf
        asked.append((e, d))
        return node(e, d) if node(e, d) <= n else inf

    e, d, n, same = 2, 2, inf, 0
    value = last = limited(2, 2, n)
    while same < flat:
        right, up = limited(e + 1, d, n), limited(e, d + 1, n)
        if e == d == largest:
            break
        there = (e + 1, d) if right <= up and e < largest else (e, d + 1)
        new = min(right, up)
        if new > value:
            behind = [limited(there[0] + 1, there[1], n), limited(there[0], there[1] + 1, n)]
            if all(further > new or further == inf for further in behind):
                break
        if new < inf:
            n, same, last = new, same + 1 if new == last else 0, new
        (e, d), value = there, new
    return asked


def test_climbing_up_asks_what_algorithm_1_asks():
    axes = [Axis(name, tuple(range(2, 9))) for name in "ED"]
    lengths = set()
    for seed in range(300):
        chance = random.Random(seed)
        slope, noise = seed % 3, 1 + seed % 9
        table = {(e, d): 100 - slope * (e + d) + chance.randrange(noise)
                 for e in range(2, 9) for d in range(2, 9)}
        node = lambda e, d, table=table: table[e, d]  # noqa: E731
        objective = Objective(node)
        strategies.climb(axes, (2, 2), objective, flat=3, up=True)
        assert objective.asked == algorithm_1(node, 8, 3)
        lengths.add(len(objective.asked))
    assert len(lengths) > 8


def test_the_last_value_is_the_next_limit():
    axis, objective = line(9, 8, 6, 5, 7, 8)
    strategies.climb([axis], (0,), objective)
    # 0, then 1; 2 under 8, 3 under 6, 4 under 5 and behind it 5.
    assert objective.asked == [(0,), (1,), (2,), (3,), (4,), (5,)]
    assert objective.limits == [math.inf, math.inf, 8, 6, 5, 5]


def test_climbing_steps_over_one_bad_point_and_not_over_two():
    axis, objective = line(9, 8, 12, 5, 4, 6, 7, 1)
    strategies.climb([axis], (0,), objective, up=True)
    assert objective.best == (4,)
    assert max(objective.asked) == (6,)
    # Beside the bad point, which has no value, the limit stays what it was.
    assert objective.limits == [math.inf, math.inf, 8, 8, 8, 5, 4, 4]


def test_what_is_as_good_as_a_worse_point_lets_it_go_on():
    axis, objective = line(9, 10, 10, 5, 6, 7)
    strategies.climb([axis], (0,), objective, up=True)
    assert objective.best == (3,)


def test_a_flat_ends_it_and_its_first_point_counts():
    axis, objective = line(*[9, 7] + [5] * 20)
    strategies.climb([axis], (0,), objective, flat=4)
    assert max(objective.asked) == (6,)
    assert objective.best == (2,)


def test_a_sweep_asks_for_all():
    axes = [Axis("a", (1, 2, 3)), Axis("b", ("x", "y"))]
    objective = Objective(lambda a, b: a + (b == "x"))
    strategies.sweep(axes, objective)
    assert sorted(objective.asked) == sorted(product((1, 2, 3), "xy"))
    assert objective.best == (1, "y")


def test_optuna_is_asked_and_told(monkeypatch):
    studies = []
    monkeypatch.setitem(sys.modules, "optuna", fake_optuna(studies))
    axes = [Axis("a", (1, 5, 9)), Axis("b", (0.0, 0.5, 1.0), True), Axis("c", ("x", "y"))]
    objective = Objective(lambda a, b, c: math.inf if a == 9 else a + b)
    strategies.optuna(axes, (4, 0.5, "y"), objective, trials=3, seed=7)
    assert objective.asked == [(5, 0.5, "y"), (9, 1.0, "y"), (1, 0.0, "x")]
    assert studies[0].told == [(5.5, None), (None, "fail"), (1.0, None)]
    assert studies[0].seed == 7
