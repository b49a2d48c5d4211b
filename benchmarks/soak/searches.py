"""A random position, all searches, chance options: every answer against the exact one.

Whatever kernels are compiled for is the same in all positions of a block: the shape and the manner
(variants of the searches, with or without knowledge, with or without candidates). All else is drawn
anew for each position and each search.
"""

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import zermelo
from benchmarks.soak import beyond
from benchmarks.soak.case import Difference, Stuck, chance, patience
from benchmarks.soak.drawn import Drawn
from benchmarks.soak.games import NAMES, draw
from zermelo.core.object_game import ObjectGame
from zermelo.solving.answer import needs_the_rules_alone

BLOCK = 10_000  # positions of the same shape and manner; left before the end
SECONDS = 15.0  # for a block
LOT = 100  # positions of one graph, or of one game of objects
NODES, FEW_NODES, FEWEST_NODES = 20_000, 1_500, 100
OF_OBJECTS = 16 << 20  # bytes, where positions take memory too
LONG_GAMES = ("xiangqi", "lines-of-action")  # whose draws, and random games, take long
LONGEST = 300.0  # seconds of the processor for one answer, compilation included
NARROWED = ("k-in-a-row", "tic-tac-toe", "xiangqi")  # games with candidates
KNOWLEDGE = ("forced", "cannot_win", "foreseen", "finish", "estimate", "endgame")
STOPS = ("solved", "candidates", "nodes", "memory", "precision")
# What a value says about a player: the least and the most it can be worth.
BOUNDS = {"win": (1, 1), "draw": (0, 0), "loss": (-1, -1), "not-win": (-1, 0), "unknown": (-1, 1)}
# On positions as small as these PN2 has no second searches with its defaults.
PLAYS = ("mcpn", "ppn", "mcts", "uct", "ews", "pn-mcts", "gpn-mcts", "df-ppn")  # random games
MANNERS = 6  # how often a shape comes until all its kernels were used
VARIANTS: dict[str, list[Any]] = {
    "pn": [zermelo.PN(), zermelo.PN(tie="deepest")],
    "pn2": [zermelo.PN2(a=20, b=10, N=300), zermelo.PN2(a=200, b=50, N=3000)],
    "deep-pn": [zermelo.DeepPN(), zermelo.DeepPN(R=0.2)],
    "mcpn": [zermelo.MCPN(playouts=4)],
    "ppn": [zermelo.PPN(playouts=4), zermelo.PPN(playouts=2, pr=0.05)],
    "mcts": [zermelo.MCTS(playouts=2)],
    "uct": [zermelo.UCT(playouts=2)],
    "ews": [zermelo.EWS(), zermelo.EWS(rates=False)],
    "pn-mcts": [zermelo.PNMCTS(), zermelo.PNMCTS(term="sum")],
    "gpn-mcts": [zermelo.GPNMCTS(), zermelo.GPNMCTS(term="max")],
    "mopns": [zermelo.MOPNS(), zermelo.MOPNS(shuffle=True)],
    "df-pn": [zermelo.DFPN(), zermelo.DFPN(epsilon=0)],
    "deep-df-pn": [zermelo.DeepDFPN(), zermelo.DeepDFPN(E=3, D=5)],
    "df-ppn": [zermelo.DFPPN(playouts=2)],
    "tca-df-pn": [zermelo.TCADFPN(), zermelo.TCADFPN(epsilon=0)],
    "shared-df-pn": [zermelo.SharedDFPN(), zermelo.SharedDFPN(slack=0)],
    "pds-pn": [zermelo.PDSPN(), zermelo.PDSPN(a=20, b=10, N=300)],
    "widening-df-pn": [zermelo.WideningDFPN(),
                       zermelo.WideningDFPN(base=0, factor=0.5, best="order")],
    "weak-df-pn": [zermelo.WeakDFPN(), zermelo.WeakDFPN(quick=0, fold=0),
                   zermelo.WeakDFPN(quick=2, fold=3)],
    "retrograde": [zermelo.Retrograde(), zermelo.Retrograde(fold=False)],
    "vcdt": [zermelo.VCDT(), zermelo.VCDT(free="anywhere"), zermelo.VCDT(depth=2)],
}


@dataclass(frozen=True)
class Manner:
    """What kernels are compiled for, besides the shape."""

    variant: int
    plain: bool
    candidates: bool

    def search(self, id: str) -> Any:
        """A search with its parameters."""
        variants = VARIANTS.get(id) or [zermelo.SEARCHES[id]()]
        return variants[self.variant % len(variants)]


def manner(number: int) -> Manner:
    """Of the ``number``-th block of a shape: at first what most people use."""
    number %= MANNERS
    return Manner(number // 2, number % 2 == 1, number >= 2)


@dataclass(frozen=True)
class Trial:
    """One way to ask: what goes to ``zermelo.start``, and the limits of each run of the session."""

    search: Any
    options: dict[str, Any]
    memory: int
    steps: tuple[int, ...]

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return (f"start(position, {self.search!r}, {options}), memory={self.memory}, "
                f"nodes {', '.join(map(str, self.steps))}")


@cache
def searches_of(shape: str) -> list[str]:
    """The searches for a shape."""
    return zermelo.searches_for(draw(shape, random.Random(1)).position.game)


def goals_of(kind: Any, found: Drawn, plain: bool) -> list[str]:
    """What can be asked without another kernel: some goals need the rules alone."""
    rules = found.position.game.rules
    goals = [goal for goal in kind.goals if goal != "score" or found.scores is not None]
    knows = any(getattr(rules, part) is not None for part in KNOWLEDGE)
    return [goal for goal in goals
            if plain or not knows or not needs_the_rules_alone(goal, rules)]


def trial(rng: random.Random, found: Drawn, id: str, manner: Manner) -> Trial:
    """A search with chance options, such that it can be asked so."""
    kind, game = zermelo.SEARCHES[id], found.position.game
    goal = rng.choice([*goals_of(kind, found, manner.plain), "value", "value", "win"])
    options: dict[str, Any] = {"goal": goal, "seed": rng.getrandbits(rng.choice([1, 64]))}
    if manner.plain:
        options["plain"] = True
    if kind.threaded and rng.random() < 0.03:
        options["threads"] = rng.choice([2, 3])
    if rng.random() < 0.1:
        options["player"] = rng.randrange(2)
    narrow = kind.narrows and goal in ("win", "value") and "threads" not in options
    if manner.candidates and narrow and game.name in NARROWED and rng.random() < 0.5:
        options["candidates"] = True
    sizes = [1, 1 << 10, 1 << 14, 1 << 20] if kind.threaded else [1 << 13, *[1 << 20] * 9]
    memory = rng.choice(sizes) + (OF_OBJECTS if isinstance(game, ObjectGame) else 0)
    return Trial(manner.search(id), options, memory, steps(rng, most_nodes(game, id)))


def most_nodes(game: zermelo.Game, id: str) -> int:
    """Fewer where a node takes longer."""
    if game.name not in LONG_GAMES:
        return NODES
    return FEWEST_NODES if id in PLAYS else FEW_NODES


def steps(rng: random.Random, most: int) -> tuple[int, ...]:
    """Limits of the runs of a session: one, or several where it is paused and resumed."""
    if rng.random() > 0.15:
        return (most,)
    found, nodes = [], rng.randint(1, 40)
    while nodes < most:
        found.append(nodes)
        nodes += rng.randint(1, 1 + 2 * nodes)
    return (*found, most)


class Judge:
    """The exact answers about one position, and what searches have said about it so far."""

    def __init__(self, found: Drawn) -> None:
        self.found, self.exact = found, found.exact
        self.mover = self.exact.twin.mover(found.state)
        self.circles = 0  # lines of wins that come back to where they were
        worth = self.exact.value(found.state, 0)
        self.low, self.high = (-1, 1) if found.only_wins and worth == 0 else (worth, worth)

    def take(self, one: Trial, result: zermelo.Result) -> None:
        """Compare a result; Difference if anything in it is wrong."""
        player = one.options.get("player", self.mover)
        if result.stopped not in STOPS:
            raise Difference(f"it stopped because of {result.stopped!r}")
        if result.stopped == "solved" and not result.proved:
            raise Difference("it is solved but not proved")
        if result.proved:
            self._value(result, player)
            self._move_and_line(result, player)
        self._moves(result, player)
        if result.score is not None and self.found.scores is not None:
            score = self.found.scores.of(self.found.state) * (1 - 2 * player)
            low, high = result.score
            if not low <= score <= high or (result.stopped == "solved" and low < high):
                raise Difference(f"the score is {score}, not {result.score}")
        if one.options["goal"] == "shortest" and result.stopped == "solved":
            self._distance(result)

    def _value(self, result: zermelo.Result, player: int) -> None:
        low, high = BOUNDS[result.value]
        if player == 1:
            low, high = -high, -low
        self.low, self.high = max(low, self.low), min(high, self.high)
        if self.low > self.high:
            raise Difference(f"{result.value} is proved for player {player}, but the exact value "
                             f"for player 0, or what others proved, is different")

    def _move_and_line(self, result: zermelo.Result, player: int) -> None:
        twin, exact, state = self.exact.twin, self.exact, self.found.state
        loose = self.found.only_wins
        if twin.outcome(state) is not None and (result.move or result.line):
            raise Difference(f"the game is over, but the move is {result.move!r}")
        complete = BOUNDS[result.value][0] == BOUNDS[result.value][1]
        if result.move is not None and complete and not loose:
            after = twin.play(state, self._legal(state, result.move))
            if exact.value(after, player) != exact.value(state, player):
                raise Difference(f"the move {result.move} changes the value")
        value, met = exact.value(state, player), set()
        for move in result.line:
            met.add(state)
            state = twin.play(state, self._legal(state, move))
            if not loose and exact.value(state, player) != value:
                raise Difference(f"the move {move} of the line {result.line} changes the value")
        goes_on = twin.outcome(state) is None and twin.moves(state)
        if result.line and value and not loose and goes_on:
            if state in met:  # where positions come again, only so much work is done for a line
                self.circles += 1
                return
            raise Difference(f"the line {result.line} does not end the game")

    def _legal(self, state: Any, move: str) -> str:
        if move not in self.exact.twin.moves(state):
            raise Difference(f"{move!r} is not legal in {state}")
        return move

    def _moves(self, result: zermelo.Result, player: int) -> None:
        """What is said about each move of the root."""
        if self.found.only_wins:
            return
        for row in result.moves:
            if row.proved:
                after = self.exact.twin.play(self.found.state, self._legal(self.found.state,
                                                                           row.move))
                low, high = BOUNDS[row.value]
                if not low <= self.exact.value(after, player) <= high:
                    raise Difference(f"the move {row.move} is no {row.value} for player {player}")

    def _distance(self, result: zermelo.Result) -> None:
        winner, plies = self.exact.of(self.found.state)
        if self.found.only_wins:
            return
        if result.distance != (None if winner is None else plies):
            raise Difference(f"the shortest win takes {plies} plies, not {result.distance}")
        if result.line and winner is not None and len(result.line) != plies:
            raise Difference(f"a shortest win of {plies} plies has the line {result.line}")


def ask(one: Trial, judge: Judge) -> zermelo.Result:
    """Ask, in one run or several; every result is compared."""
    session = zermelo.start(judge.found.position, one.search, **one.options)
    for nodes in one.steps:
        result = session.run(zermelo.Limits(nodes=nodes, memory=one.memory))
        judge.take(one, result)
        if result.stopped != "nodes":
            break
    return result


SHAPES = [*NAMES, *beyond.SHAPES]


def run(seed: int, index: int) -> Counter[str]:
    """One position, each search once."""
    rng, block = chance("searches", seed, index), index // BLOCK
    shape, way = SHAPES[block % len(SHAPES)], manner(block // len(SHAPES) + seed - 1)
    if shape in beyond.SHAPES:
        return beyond.run(shape, rng, way.plain)
    found, counts = draw(shape, rng, f"{seed}:{index // LOT}"), Counter(positions=1)
    judge, ids = Judge(found), searches_of(shape)
    for id in rng.sample(ids, 4) if shape.startswith("xiangqi") else ids:  # slow
        one = trial(rng, found, id, way)
        try:
            with patience(LONGEST):
                result = ask(one, judge)
        except (Difference, Stuck, Exception) as error:
            what = "no answer for minutes" if isinstance(error, Stuck) else \
                f"{type(error).__name__}: {error}"
            raise Difference(f"{shape}, {found.position!r}\n  {one}\n  {what}") from error
        counts.update(pairs=1, proved=result.proved)
    if judge.circles:
        counts["lines in a circle"] = judge.circles
    return counts
