"""Many positions: the values alone, as ``solve_many(values_only=True)`` finds them, and easy ones,
as ``solve`` does."""

import copy
import dataclasses
import pickle

import pytest
from brute import random_positions

import zermelo
from zermelo.errors import BadOption
from zermelo.solving import solve as solving

CONNECT_FOUR = zermelo.game("connect-four")
EASY = CONNECT_FOUR.parse("4433")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """Which positions are easy must not depend on what else the machine does."""
    monkeypatch.setattr(solving, "EASY", zermelo.Limits(nodes=400, memory=1 << 16))


def positions(count):
    return list(random_positions(CONNECT_FOUR, count, 24, 40, seed=7))


@pytest.mark.quick_cases("options0", "options2")
@pytest.mark.parametrize(("options", "count"), [
    ({}, 150), ({"goal": "win"}, 150), ({"plain": True}, 40), ({"player": 0}, 150),
    ({"search": "df-pn", "workers": 1}, 150), ({}, 400)],
    ids=[*(f"options{number}" for number in range(5)), "many"])
def test_values_alone_are_those_of_solve(options, count):
    some = positions(count)
    assert any(position.outcome is not None for position in some)
    values = list(zermelo.solve_many(some, values_only=True, **options))
    options = {name: value for name, value in options.items() if name != "workers"}
    search = options.pop("search", None)
    alone = [zermelo.start(p, search, **options).run().value for p in some]
    assert values == alone
    assert len(set(values)) > 1


def test_hard_positions_among_easy_ones_keep_their_places():
    hard = CONNECT_FOUR.parse("444555542")  # takes more visits than an easy one may
    some = positions(6)
    given = [some[0], hard, *some[1:], hard, zermelo.game("tic-tac-toe").start()]
    values = list(zermelo.solve_many(given, values_only=True, memory="32MB"))
    assert values == [zermelo.solve(position, memory="32MB").value for position in given]


def test_what_is_not_proved_is_unknown():
    hard = CONNECT_FOUR.parse("444555542")
    assert list(zermelo.solve_many([hard], values_only=True, nodes=50)) == ["unknown"]


def test_what_is_not_valid_is_refused():
    with pytest.raises(BadOption, match="'a1' is not a Position"):
        list(zermelo.solve_many(["a1"], values_only=True))
    with pytest.raises(BadOption, match="goal='best' is not one of"):
        list(zermelo.solve_many([CONNECT_FOUR.start()], values_only=True, goal="best"))


def facts(result):
    found = result.to_dict()
    for name in ("seconds", "compile_seconds", "peak_bytes"):
        del found[name]
    return found


@pytest.mark.parametrize(("some", "options"), [
    *((positions(60), options) for options in ({}, {"goal": "win"}, {"goal": "shortest"})),
    (list(random_positions(zermelo.game("othello", size=4), 20, 4, 10, seed=1)), {})],
    ids=["value", "win", "shortest", "without exact keys"])
def test_easy_positions_have_the_result_of_a_session(some, options):
    results = [zermelo.solve(position, **options) for position in some]
    assert sum("line" not in vars(result) for result in results) > len(some) * 0.8
    for position, result in zip(some, results, strict=True):
        assert facts(result) == facts(zermelo.start(position, **options).run())
        assert result.proved


def easy_result():
    result = zermelo.solve(EASY)
    assert "line" not in vars(result)
    return result


def test_what_is_put_off_is_there_for_everybody():
    line, move = easy_result().line, easy_result().move
    assert line[0] == move
    assert f"line {' '.join(line)}" in str(easy_result())
    for copied in (copy.copy(easy_result()), pickle.loads(pickle.dumps(easy_result())),
                   dataclasses.replace(easy_result(), seed=1)):
        assert (vars(copied)["line"], vars(copied)["move"]) == (line, move)
        assert "_again" not in vars(copied)
    assert easy_result().moves == zermelo.start(EASY).run().moves
    with pytest.raises(AttributeError, match="a Result has no attribute 'lines'"):
        _ = easy_result().lines


def interrupt(patch):
    """Let searches be interrupted at once."""
    advance = zermelo.Session.advance

    def cancelled(session, *arguments):
        session.cancel()
        advance(session, *arguments)

    patch.setattr(zermelo.Session, "advance", cancelled)


def test_results_are_completed_in_any_order():
    some = positions(20)
    results = [zermelo.solve(position) for position in some]
    expected = [zermelo.start(position).run().line for position in some]
    assert [result.line for result in results[::-1]] == expected[::-1]
    assert [zermelo.solve(position).line for position in some] == expected


def test_an_interrupt_while_the_line_is_found_leaves_it_open(monkeypatch):
    result, _ = easy_result(), easy_result()  # the first one has to search again
    with monkeypatch.context() as patch:
        interrupt(patch)
        with pytest.raises(KeyboardInterrupt):
            _ = result.line
    assert zermelo.start(EASY).run().line == result.line


def test_an_interrupt_of_an_easy_search_is_no_reason_to_begin_anew(monkeypatch):
    interrupt(monkeypatch)
    assert zermelo.solve(EASY).stopped == "interrupted"


def test_what_a_small_table_loses_is_searched_with_a_large_one(monkeypatch):
    small = zermelo.Limits(nodes=4_000, memory=64)
    start = zermelo.game("connect-four", columns=4, rows=4).start()
    lost = zermelo.start(start).run(small)
    assert lost.proved
    assert not lost.counters["exact"]
    some = [start, start.play("1", "2"), *positions(20)]
    expected = [facts(zermelo.start(position).run()) for position in some]
    monkeypatch.setattr(solving, "EASY", small)
    assert [facts(zermelo.solve(position)) for position in some] == expected
