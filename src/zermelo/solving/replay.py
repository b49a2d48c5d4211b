"""replay(): a small search step by step, as it was.

The session runs as always, one expansion or one visit at a time; a recorder (see ``search.base``)
reads off what each did. The last frame has the root's numbers, the nodes and the answer of a run
that is not recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.position import Position
from zermelo.errors import BadOption, check_whole
from zermelo.search.base import Change, Numbers, Path, Run, Search, Seen, Step
from zermelo.search.common.recorder import Recorder
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.search.registry import SEARCHES
from zermelo.solving.result import Goal, Limits, Value
from zermelo.solving.session import Session, Slices
from zermelo.solving.trees import STATUSES, kind_of, repeats

MOST_STEPS = 5_000
MOST_MOVES = 300_000  # in all paths of all frames together: what bounds the memory
MEMORY = 1 << 28
Names = Callable[[Path], str]


@dataclass(frozen=True)
class Frame:
    """A step of a search: what it selected, made and changed, in records and in a sentence.

    step        its number within the question; 0 is the root alone
    question    which of the goal's subgoals it is about, from 1
    path        the moves to the node that was expanded (depth first: entered)
    created     its new children; in frame 0 the root, and what is there already (mopns, gpn-mcts)
    changed     the nodes with other numbers than before, the lowest first
    root        the root's numbers after it
    nodes       those of the whole search so far
    thresholds  depth first: of the nodes on the path, by their moves
    words       what happened
    """

    step: int
    question: int
    path: list[str]
    created: list[dict[str, Any]]
    changed: list[dict[str, Any]]
    root: Numbers
    nodes: int
    words: str
    thresholds: dict[str, Numbers] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the frame for JSON."""
        found = {**vars(self), "expanded": self.path if self.step > 0 else None}
        if self.thresholds is None:
            del found["thresholds"]
        return found


@dataclass(frozen=True)
class Replay:
    """A search from its beginning, frame by frame.

    ``done``: the last frame has the answer, ``value``; else ``reason`` is why it ended:
    ``steps``, ``size`` (of all frames together) or a limit of the search.
    """

    position: Position
    search: Search
    goal: Goal
    seed: int
    plain: bool
    frames: list[Frame]
    attackers: list[str]
    done: bool
    reason: str
    value: Value
    proved: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object that ``zermelo replay --json`` prints."""
        game = self.position.game
        return {
            "search": self.search.id, "options": self.search.options, "goal": self.goal,
            "seed": self.seed, "plain": self.plain, "attacker": self.attackers[0],
            "attackers": self.attackers,
            "place": {"game": game.name, "parameters": game.changed,
                      "position": self.position.text, "moves": []},
            "frames": [frame.to_dict() for frame in self.frames],
            "done": self.done, "reason": self.reason, "value": str(self.value),
            "proved": self.proved,
        }

    def __str__(self) -> str:
        return "\n".join(frame.words for frame in self.frames)


def replay(position: Position, search: Search | str | None = "pn", *, steps: int = 100,
           goal: Goal = "win", seed: int = 0, plain: bool = False) -> Replay:
    """Return the first ``steps`` expansions of a search, or visits of a depth-first one.

    At most 5,000. It is the search itself, stopped after each: the numbers are those of ``solve``.
    """
    check_whole("steps", steps, 1, MOST_STEPS)
    session = _Stepwise(position, search, goal=goal, seed=seed, plain=plain)
    if not session.search.replays:
        able = [id for id, kind in SEARCHES.items() if kind.replays]
        raise BadOption(f"{session.search.id} can't be replayed; {', '.join(able)} can.")
    film = _Film(session, steps)
    session.advance(Limits(memory=MEMORY), between=film.look)
    answer = session.answer
    asked = answer.asked()
    done = asked[-1].status != UNKNOWN and answer.next_subgoal(asked) is None
    value, proved = session.value()
    reason = session.stopped if session.stopped != "interrupted" else film.full
    if done:
        reason = "solved" if proved else "precision"
    players = position.game.players
    return Replay(position, session.search, goal, seed, plain, film.frames,
                  [players[run.attacker] for run in session.runs], done, reason, value, proved)


class _Stepwise(Session):
    """A session whose slices are single steps."""

    recorder: Recorder | None = None

    def _new_slices(self) -> Slices:
        return _Steps(self)


class _Steps(Slices):
    def __init__(self, session: _Stepwise) -> None:
        super().__init__(1)
        self.session = session

    def advance(self, search: Callable[..., int], seconds: float = 0.0) -> int:
        assert self.session.recorder is not None
        return self.session.recorder.advance(search)


@dataclass
class _Film:
    """The frames so far; ``look`` is called after every step."""

    session: _Stepwise
    steps: int
    frames: list[Frame] = field(default_factory=list)
    full: str = "steps"
    moves: int = 0
    asked: int = 0
    made: int = 0
    before: int = 0  # steps of the questions before this one
    positions: dict[Path, Position] = field(default_factory=dict)

    def look(self) -> None:
        """Record what there is to record; stop the search once that is enough."""
        run = self.session.runs[-1]
        if len(self.session.runs) > self.asked:
            self._begin(run)
            return
        assert self.session.recorder is not None
        step = self.session.recorder.record()
        if step is None:
            return
        self.made += 1
        self.frames.append(self._frame(run, step))
        if self.moves > MOST_MOVES:
            self.full = "size"
        if (self.made >= self.steps or self.moves > MOST_MOVES) and run.status == UNKNOWN:
            self.session.cancel()

    def _begin(self, run: Run) -> None:
        self.asked, self.before = self.asked + 1, self.made
        if self.made >= self.steps:
            self.session.cancel()
        self.session.recorder = self.session.search.recorder(run)
        self.positions = {(): run.position}
        root: dict[str, Any] = {"path": [], "move": None, "status": STATUSES[run.status],
                                "kind": kind_of(run.position, run.attacker),
                                "numbers": run.numbers()}
        standing = []
        for path, child in self.session.recorder.standing() if self.session.recorder else []:
            standing.append(self._created(run, path[:-1], self._names(path[:-1]), child))
            self.moves += len(path) + 1
        words = beginning(self.session.in_words(self.session.subgoals[-1]), run,
                          self.session.search, len(standing))
        self.frames.append(Frame(0, self.asked, [], [root, *standing], [], run.numbers(),
                                 self.session.answer.nodes, words))

    def _frame(self, run: Run, step: Step) -> Frame:
        names = self._names(step.path)
        thresholds = None
        if step.thresholds is not None:
            thresholds = {" ".join(self._names(path)): numbers
                          for path, numbers in step.thresholds.items()}
        created = [self._created(run, step.path, names, child) for child in step.created]
        changed = [self._changed(change) for change in step.changed]
        number = self.made - self.before
        self.moves += sum(len(row["path"]) + 1 for row in (*created, *changed)) + len(names)
        return Frame(number, self.asked, names, created, changed, run.numbers(),
                     self.session.answer.nodes,
                     in_words(number, run, step, names, self._name_of),
                     thresholds)

    def _position(self, path: Path) -> Position:
        if path not in self.positions:
            self.positions[path] = self._position(path[:-1]).play_code(path[-1])
        return self.positions[path]

    def _names(self, path: Path) -> list[str]:
        return [self._name_of(path[: at + 1]) for at in range(len(path))]

    def _name_of(self, path: Path) -> str:
        before = self._position(path[:-1])
        return before.game.move_name(before, path[-1])

    def _created(self, run: Run, path: Path, names: list[str], child: Seen) -> dict[str, Any]:
        assert child.move is not None
        before = self._position(path)
        after, name = before.play_code(child.move), before.game.move_name(before, child.move)
        row: dict[str, Any] = {
            "path": [*names, name], "move": name, "status": STATUSES[child.status],
            "kind": kind_of(after, run.attacker), "numbers": child.numbers}
        if not child.held:
            row["held"] = False
        if before.game.rules.cyclic and repeats(
                [*(self._position(path[:at]) for at in range(len(path) + 1)), after]):
            row["repeats"] = True
        return row

    def _changed(self, change: Change) -> dict[str, Any]:
        return {"path": self._names(change.path), "before": change.before, "after": change.after,
                "status": STATUSES[change.status]}


def said(numbers: Numbers) -> str:
    """Return numbers as ``pn 3, dn inf``."""
    return ", ".join(f"{name} {_number(value)}" for name, value in numbers.items()
                     if value is not None)


def _number(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else f"{value}"


def beginning(question: str, run: Run, search: Search, standing: int = 0) -> str:
    """Return a sentence about the root, alone or with nodes of the question before, and the
    search."""
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
    """Return a sentence about a step and its effect."""
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
    """Return the number of new children that are settled at once, in words."""
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
    """Return, for best-first searches, how far up the numbers change."""
    above = [change for change in step.changed if len(change.path) < len(step.path)]
    root = next((change for change in above if not change.path), None)
    if root is not None:
        return f"on the way up, the root changes from {said(root.before)} to {said(root.after)}"
    if above:
        nodes = "the node" if len(above) == 1 else f"the {len(above)} nodes"
        return f"{nodes} right above it {'changes' if len(above) == 1 else 'change'}, the root not"
    return "nothing changes above it"


def _way_back(run: Run, step: Step, name: Names) -> str:
    """Return, for depth-first searches, where the search goes on."""
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
