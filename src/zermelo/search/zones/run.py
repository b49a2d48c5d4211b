"""Run: a search of the game by turns, seen as a run of the game stone by stone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo.search import base
from zermelo.search.base import Proof, Search, Task, ThreatPlan, Zones
from zermelo.search.common.proof_moves import open_proof
from zermelo.search.common.saved import Saved, Saving
from zermelo.search.reasons import CANDIDATES, LOST, NEVER, SLICE, SOLVED, UNKNOWN, WON
from zermelo.search.threats.threat_search import Walk as ThreatWalk
from zermelo.search.threats.vcdt import VCDT
from zermelo.search.threats.vcdt import Run as ThreatRun
from zermelo.search.zones.game import VICTORY, turn_game
from zermelo.search.zones.generator import ZoneGenerator

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.zones.generator import Turn

NODE_BYTES = 1_000
EFFORT = 1 << 30  # visits for a win by threats that was found before


class Run(base.Run):
    """Does the attacker win with its candidates? ``status`` is WON or UNKNOWN: a search that fails
    has run out of candidates, and nothing follows from that."""

    open = open_proof

    def __init__(self, search: Search, task: Task, zones: Zones) -> None:
        super().__init__(task)
        self.search, self.zones = search, zones
        self.game = turn_game(task.position, task.attacker, zones, task.alone)
        by_turns = replace(task, position=self.game.start(), candidates=False, after=None)
        self.inner = search.start(by_turns)
        self.charged = set[int]()
        self.threat_visits = 0
        self.broken: BaseException | None = None

    def _charge(self, number: int) -> None:
        """Charge, the first time a node is entered, the visits of its threat searches."""
        if number not in self.charged:
            self.charged.add(number)
            cost = self.game.graph.nodes[number].cost
            self.threat_visits += cost
            self.inner.charge(cost)

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """Make at most ``budget`` steps; return why the search came back (see ``reasons``)."""
        if self.broken is not None:
            raise self.broken
        graph = self.game.graph
        graph.meter = self._charge
        try:
            limit = node_limit if node_limit == NEVER else node_limit - self.threat_visits
            reason = self.inner.advance(budget, limit, pause)
        finally:
            graph.meter = None
        failed = self.game.take_failure()
        if failed is not None:
            if not isinstance(failed, KeyboardInterrupt):
                self.broken = failed  # the search was told of a node without moves: no way back
            raise failed
        return CANDIDATES if reason == SOLVED and self.inner.status == LOST else reason

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on."""
        self.inner.grow(memory)

    @property
    def status(self) -> int:
        """UNKNOWN or WON."""
        return WON if self.inner.status == WON else UNKNOWN

    @property
    def leaning(self) -> int:
        """The conclusion of the search, short of a proof."""
        return self.inner.leaning

    @property
    def nodes(self) -> int:
        """Nodes of the search and visits of the threat searches, as the thesis counts."""
        return self.inner.nodes + self.threat_visits

    @property
    def iterations(self) -> int:
        """Expansions of the search alone."""
        return self.inner.iterations

    @property
    def counters(self) -> dict[str, Any]:
        """The counters of the search, and the visits of the threat searches."""
        return {**self.inner.counters, "threat_visits": self.threat_visits}

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return self.inner.bytes + NODE_BYTES * len(self.game.graph.nodes)

    @property
    def fill(self) -> float | None:
        """The part of the search's memory that is in use."""
        return self.inner.fill

    def numbers(self) -> dict[str, Any]:
        """The root's numbers."""
        return self.inner.numbers()

    def moves(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The stones of the attacker's turns in the root, won or in question."""
        if self.position.mover != self.attacker:
            return []
        found: dict[int, tuple[int, int, dict[str, Any]]] = {}
        for child, status, numbers in self.inner.moves():
            for stone in self.game.turn_to(self.inner.position, child):
                if stone not in found or status == WON:
                    found[stone] = (stone, WON if status == WON else UNKNOWN, numbers)
        return list(found.values())

    def chosen(self) -> int | None:
        """The root's stone that would be played now; None while there is none."""
        child = self.inner.chosen()
        turn = () if child is None else self.game.turn_to(self.inner.position, child)
        return turn[0] if turn else None

    @property
    def path(self) -> list[tuple[int, dict[str, Any]]]:
        """The stones of the path being searched, with the numbers of the nodes they lead to."""
        position, found = self.inner.position, list[tuple[int, dict[str, Any]]]()
        for child, numbers in self.inner.path:
            found += [(stone, numbers) for stone in self.game.turn_to(position, child)]
            position = position.play_code(child)
        return found

    def walk(self) -> Walk:
        """A walk through the win found."""
        return Walk(self)

    def proof(self) -> Proof:
        """Turns and threats, where the search by turns can name its moves again: a table can, a
        tree can't."""
        move = self.inner.proof().move
        return Proof(threats=None if move is None else partial(threat_plan, self, move))

    def save(self, saving: Saving) -> None:
        """Keep the graph, the nodes that were paid for, and the search."""
        saving.json("graph", self.game.graph.opened)
        saving.json("paid", [self.threat_visits, *sorted(self.charged)])
        self.inner.save(saving.part("inner"))

    def restore(self, saved: Saved) -> None:
        """Let a run that has just begun, in a graph of its own, go on from a checkpoint."""
        self.game.graph.open_again(saved.json("graph"))
        self.threat_visits, *charged = map(int, saved.json("paid"))
        self.charged = set(charged)
        self.inner.restore(saved.part("inner"))


def threat_plan(question: Run, move: Callable[[Any, int], int]) -> ThreatPlan:
    """The attacker's turns, and the replies that threats alone do not answer; ``move`` gives the
    attacker's moves in the game by turns."""
    zones = question.zones
    generator = ZoneGenerator(zones.lines_of(question.position.game), question.attacker,
                              Zones(zones.width, zones.depth, EFFORT))
    return ThreatPlan(list(_rows(question, move)), generator.win, generator.hint)


def _rows(question: Run, move: Callable[[Any, int], int]) -> Iterator[dict[str, Any]]:
    """A record for each node of the proof; children come after their parents."""
    game, start = question.game, question.inner.position
    places: dict[int, int] = {int(start.state[0]["node"]): 0}
    todo: list[tuple[Position, int]] = [(start, 0)]

    def place_of(position: Position, plies: int) -> int:
        number = int(position.state[0]["node"])
        if number not in places:
            places[number] = len(places)
            todo.append((position, plies))
        return places[number]

    for position, plies in todo:  # grows on the way
        node = game.node_of(position)
        assert node.turns is not None
        if node.mover != question.attacker:
            replies = [[*turn, place_of(position.play_code(child), plies + 1)]
                       for turn, child in zip(node.turns, node.children, strict=True)
                       if VICTORY not in game.graph.open(child).children]  # those lose to threats
            yield {"replies": replies}
        elif VICTORY in node.children:
            yield {"turn": list(node.turns[0]), "then": None}
        else:
            child = move(position.state[0], plies)
            yield {"turn": list(game.turn_to(position, child)),
                   "then": place_of(position.play_code(child), plies + 1)}


THREAT_MEMORY, THREAT_SLICE = 1 << 24, 1 << 14


def threats_of(position: Position, attacker: int, depth: int) -> ThreatRun:
    """An answered run about a win by threats."""
    run = VCDT(depth=depth).start(Task(position, attacker, THREAT_MEMORY))
    while run.advance(THREAT_SLICE) == SLICE:  # short ones, so that Ctrl-C is heard
        pass
    return run


class Walk:
    """A place in the win, stone by stone."""

    def __init__(self, run: Run) -> None:
        self.run, self.position = run, run.position
        self.game, self.attacker = run.game, run.attacker
        self.inner = run.inner.walk()
        self.place: Position | None = run.inner.position
        self.plan, self.child = list[int](), -1
        self.threats: ThreatWalk | None = None

    def best(self) -> int | None:
        """The next stone: of a shortest win, or of the longest reply; None at the end."""
        if self.run.status == UNKNOWN or self.position.outcome is not None:
            return None
        if self.threats is None and not self.plan:
            self._plan()
        if self.threats is not None:
            return self.threats.best()
        return self.plan[0] if self.plan else None

    def _plan(self) -> None:
        """The next turn, or the win by threats that ends the game."""
        place = self.place
        node = None if place is None else self.game.node_of(place)
        if place is None or node is None or VICTORY in node.children:
            won = threats_of(self.position, self.attacker, self.run.zones.depth)
            self.threats = won.walk() if won.status == WON else None
            return
        turn: Turn = node.longest
        self.child = -1
        if node.children:
            best = self.inner.best()
            if best is None:
                return
            turn, self.child = self.game.turn_to(place, best), best
        self.plan = list(turn)

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        self.position = position
        if self.threats is not None:
            return self.threats.follow(move, position)
        if self.plan[:1] != [move]:
            return False
        self.plan = self.plan[1:]
        if not self.plan:
            place, self.place = self.place, None
            if place is not None and self.child >= 0:
                self.place = place.play_code(self.child)
                self.inner.follow(self.child, self.place)
        return True
