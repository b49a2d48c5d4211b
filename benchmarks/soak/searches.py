"""A random position, all searches, chance options: every answer against the exact one."""

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import zermelo
from benchmarks.soak import beyond
from benchmarks.soak.case import Difference, Stuck, chance, patience
from benchmarks.soak.games import SHAPES, Drawn, draw

BLOCK = 16  # positions of the same shape, one after the other
NODES, FEW_NODES = 20_000, 1_500
LONG_GAMES = ("xiangqi", "lines-of-action")  # whose draws, and random games, take long
LONGEST = 300.0  # seconds of the processor for one answer, compilation included
STOPS = ("solved", "candidates", "nodes", "memory", "precision")
# What a value says about a player: the least and the most it can be worth.
BOUNDS = {"win": (1, 1), "draw": (0, 0), "loss": (-1, -1), "not-win": (-1, 0), "unknown": (-1, 1)}
# On positions as small as these PN2 has no second searches with its defaults.
VARIANTS: dict[str, list[Any]] = {
    "pn": [zermelo.PN(), zermelo.PN(tie="deepest")],
    "pn2": [zermelo.PN2(a=20, b=10, N=300), zermelo.PN2(a=200, b=50, N=3000)],
    "deep-pn": [zermelo.DeepPN(), zermelo.DeepPN(R=0.2)],
    "mcpn": [zermelo.MCPN(playouts=4)],
    "ppn": [zermelo.PPN(playouts=4), zermelo.PPN(playouts=2, pr=0.05)],
    "mcts": [zermelo.MCTS(playouts=2)],
    "uct": [zermelo.UCT(playouts=2)],
    "df-pn": [zermelo.DFPN(), zermelo.DFPN(epsilon=0)],
    "deep-df-pn": [zermelo.DeepDFPN(), zermelo.DeepDFPN(E=3, D=5)],
    "df-ppn": [zermelo.DFPPN(playouts=2)],
    "weak-df-pn": [zermelo.WeakDFPN(), zermelo.WeakDFPN(quick=0, fold=0),
                   zermelo.WeakDFPN(quick=2, fold=3)],
    "vcdt": [zermelo.VCDT(), zermelo.VCDT(free="anywhere"), zermelo.VCDT(depth=2)],
}


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


def trial(rng: random.Random, found: Drawn, id: str) -> Trial:
    """A search with chance options, such that it can be asked so."""
    kind, game = zermelo.SEARCHES[id], found.position.game
    goals = [goal for goal in kind.goals if goal != "score" or found.scores is not None]
    goal = rng.choice([*goals, "value", "value", "win"])
    options: dict[str, Any] = {"goal": goal, "seed": rng.getrandbits(rng.choice([1, 64]))}
    if rng.random() < 0.3:
        options["plain"] = True
    if kind.threaded and rng.random() < 0.05:
        options["threads"] = rng.choice([2, 3])
    if rng.random() < 0.1:
        options["player"] = rng.randrange(2)
    narrow = kind.narrows and goal in ("win", "value") and "threads" not in options
    if narrow and game.name in ("k-in-a-row", "tic-tac-toe", "xiangqi") and rng.random() < 0.25:
        options["candidates"] = True
    sizes = [1, 1 << 10, 1 << 14, 1 << 20] if kind.threaded else [1 << 13, *[1 << 20] * 9]
    most = FEW_NODES if game.name in LONG_GAMES else NODES
    steps, nodes = [most], 1
    if rng.random() < 0.15:  # paused and resumed
        steps, nodes = [], rng.randint(1, 40)
        while nodes < most:
            steps.append(nodes)
            nodes += rng.randint(1, 1 + 2 * nodes)
        steps.append(most)
    return Trial(rng.choice(VARIANTS.get(id) or [kind()]), options, rng.choice(sizes),
                 tuple(steps))


class Judge:
    """The exact answers about one position, and what searches have said about it so far."""

    def __init__(self, found: Drawn) -> None:
        self.found, self.exact = found, found.exact
        self.mover = self.exact.twin.mover(found.state)
        self.circles = 0  # lines of wins that come back to where they were
        worth = self.exact.value(found.state, 0)
        self.low, self.high = (-1, 1) if found.only_wins and worth == 0 else (worth, worth)

    def hear(self, one: Trial, result: zermelo.Result) -> None:
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
    """Ask, in one run or several; every result is heard."""
    session = zermelo.start(judge.found.position, one.search, **one.options)
    for nodes in one.steps:
        result = session.run(zermelo.Limits(nodes=nodes, memory=one.memory))
        judge.hear(one, result)
        if result.stopped != "nodes":
            break
    return result


def run(seed: int, index: int) -> Counter[str]:
    """One position, each search once."""
    rng = chance("searches", seed, index)
    shapes = [*SHAPES, *beyond.SHAPES]
    shape = shapes[index // BLOCK % len(shapes)]
    if shape in beyond.SHAPES:
        return beyond.run(shape, rng)
    found, counts = draw(shape, rng), Counter(positions=1)
    judge = Judge(found)
    ids = searches_of(shape)
    for id in rng.sample(ids, 2) if shape.startswith("xiangqi") else ids:  # slow
        one = trial(rng, found, id)
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
