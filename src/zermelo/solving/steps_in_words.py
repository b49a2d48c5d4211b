"""A step of a search in words, as a teacher would say it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.search.base import Numbers, Path, Run, Search, Seen, Step
from zermelo.search.common.status import LOST, UNKNOWN, WON

Names = Callable[[Path], str]


def said(numbers: Numbers) -> str:
    """``pn 3, dn inf``."""
    return ", ".join(f"{name} {_number(value)}" for name, value in numbers.items()
                     if value is not None)


def _number(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else f"{value}"


def beginning(question: str, run: Run, search: Search, standing: int = 0) -> str:
    """The root alone, or with so many nodes of the question before, and how the search goes about
    it."""
    if standing and run.status != UNKNOWN:
        return f"The question is: {question} The tree has the answer already: {_answer(run)}."
    if run.status != UNKNOWN:
        return f"The question is: {question} The game is over: {_answer(run)}."
    me, you = _players(run)
    numbers = f", with {said(run.numbers())}" if run.numbers() else ""
    there = f"The tree has {standing + 1:,} nodes" if standing else "There is only the root"
    return (f"The question is: {question} {there}{numbers}; from here on the search "
            f"follows {search.follows.format(me=me, you=you)}.")


def in_words(number: int, run: Run, step: Step, names: list[str], name: Names) -> str:
    """What a step did, and what came of it."""
    visit = step.thresholds is not None
    what = _visit(number, run, step, names) if visit else _expansion(number, run, step, names, name)
    if run.status != UNKNOWN:
        return f"{what}; that settles the question: {_answer(run)}."
    if not (visit or step.path):
        return f"{what}."
    return f"{what}; {_way_back(run, step, name) if visit else _way_up(step)}."


def _expansion(number: int, run: Run, step: Step, names: list[str], name: Names) -> str:
    where, own = " ".join(names) or "the root", said(step.numbers)
    if not step.created:
        return f"Step {number} selects {where}: it has no move, and whoever has none loses"
    new = f"it gets {_children(len(step.created))}"
    if len(step.created) == 1:
        child = step.created[0]
        assert child.move is not None
        new = f"it gets the child {name((*step.path, child.move))} ({said(child.numbers)})"
    settled = _settled(step.created, run)
    return f"Step {number} selects {where}: {new}{settled}{_now(step, run, own)}"


def _visit(number: int, run: Run, step: Step, names: list[str]) -> str:
    assert step.thresholds is not None
    limits = said(step.thresholds[step.path])
    how = "again" if step.again else "for the first time"
    where = f"{' '.join(names)} {how}, with the thresholds {limits}" if names else "the root"
    known = sum(child.held and child.status == UNKNOWN for child in step.created)
    table = f", {known} of them known already" if known else ""
    has = f"it has {_children(step.children)}{table}" if step.children else "it has no move to try"
    settled = _settled(step.created, run)
    return f"Visit {number} enters {where}: {has}{settled}{_now(step, run, said(step.numbers))}"


def _children(count: int) -> str:
    return "1 child" if count == 1 else f"{count:,} children"


def _settled(made: list[Seen], run: Run) -> str:
    """How many of the new children are settled at once."""
    me, _ = _players(run)
    parts = []
    for status, how in ((WON, f"won for {me}"), (LOST, f"not won for {me}")):
        count = sum(child.status == status for child in made)
        if count:
            one = "which is" if len(made) == 1 else f"{count} of them"
            parts.append(f"{one} {how}")
    return f", {' and '.join(parts)}" if parts else ""


def _now(step: Step, run: Run, own: str) -> str:
    me, _ = _players(run)
    if step.status != UNKNOWN:
        return f", so it is {'won' if step.status == WON else 'not won'} for {me}"
    return f", and now has {own}" if own else ""


def _way_up(step: Step) -> str:
    """Best first: how far the numbers change."""
    above = [change for change in step.changed if len(change.path) < len(step.path)]
    root = next((change for change in above if not change.path), None)
    if root is not None:
        return f"on the way up, the root changes from {said(root.before)} to {said(root.after)}"
    if above:
        nodes = "the node" if len(above) == 1 else f"the {len(above)} nodes"
        return f"{nodes} right above it {'changes' if len(above) == 1 else 'change'}, the root not"
    return "nothing changes above it"


def _way_back(run: Run, step: Step, name: Names) -> str:
    """Depth first: where the search goes on."""
    if step.back_to == len(step.path):
        return "the search goes on below it"
    path = step.path[: step.back_to]
    where = " ".join(name(path[: at + 1]) for at in range(len(path)))
    back = f"the search goes back to {where or 'the root'}"
    why = "" if step.status != UNKNOWN else "that reaches a threshold, and "
    root = "" if where else f", which now has {said(run.numbers())}"
    return f"{why}{back}{root}"


def _answer(run: Run) -> str:
    me, _ = _players(run)
    return f"{me} wins" if run.status == WON else f"{me} does not win"


def _players(run: Run) -> tuple[str, str]:
    players = run.position.game.players
    return players[run.attacker], players[1 - run.attacker]
