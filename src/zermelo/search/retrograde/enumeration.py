"""Every position that can come up, breadth first, and who moves from which to which.

Positions have numbers in the order in which they are found, the root 0. ``children`` has the
numbers of what the moves of position 0 lead to, in the order of its moves, then those of position
1, and so on; ``degrees`` says how many belong to each. All later work needs only these numbers.

A table finds the number of a state: open addressing, an entry is the upper half of the state's
hash, and the number + 1. The top bits of the hash are the place, so that a larger table is filled
from the entries alone. Whole states are compared, so a hash never decides.

Where memory runs out in a game whose positions can't repeat, states that have been expanded are
forgotten: what stays is a layer and the next, and the numbers. A position that comes up again later
is then counted twice, which changes no value.

The states of a block are expanded together: first all successors are made and their places in the
table requested from memory, then what is there, then they are looked up. The numbers are those of
expanding one state after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.compiler.jit import jit_enabled, kernel, rules_that_compile
from zermelo.core.board import moves_array, states_array
from zermelo.core.rules import FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.errors import BadOption
from zermelo.kernel.bits import ONE, ZERO, bare, mix, prefetch, word
from zermelo.search.common.rules import kept
from zermelo.search.common.table import Array, aligned_words, state_hash, words_of
from zermelo.search.reasons import (
    DEEPER,
    GROW,
    MEMORY,
    NODES,
    SLICE,
    SOLVED,
    TOO_MANY,
    too_long,
    too_many_moves,
)
from zermelo.search.retrograde.values import END_MASK, MOVER_BIT, call

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.common.saved import Saved, Saving

Function = Callable[..., Any]
FIRST, FIRST_PLACES = 1 << 12, 1 << 13  # positions, and places in the table, to begin with
MOST = (1 << 32) - 2  # positions: an entry of the table has 32 bits for a number
MOST_MOVES = (1 << 16) - 1
BLOCK, SUCCESSORS = 128, 512  # at most, in one block
FULL = 0.75  # of the table
PART = 4  # forgetting less than one in so many positions does not help
FACTORS = (2, 1.2, 1.01)  # by which arrays grow, the largest that memory allows
LOW = word(0xFFFFFFFF)
CONTROL = np.dtype([
    ("nodes", "i8"), ("done", "i8"), ("edges", "i8"), ("depth", "i8"), ("layer_end", "i8"),
    ("back", "i8"), ("limit", "i8"), ("pause", "i8"), ("shift", "u8"), ("oldest", "i8"),
])


class Space(NamedTuple):
    """The positions found so far.

    states, words  the states, the first that of position ``oldest``; their bytes as words
    table          where their numbers are found
    ends           outcome and mover of each that is done; ``degrees``: how many moves it has;
                   ``scores``: its final score, in games that have one
    children       the numbers that the moves lead to
    fresh, fresh_words, hashes  the successors of a block
    spare          a state before it is folded; ``moves``: the moves of one position
    control        one record: ``nodes`` positions are known, ``done`` of them expanded, with
                   ``edges`` moves; ``depth`` layers have been begun, the last ends before
                   ``layer_end``; ``back`` moves lead to an earlier position, or nowhere
    """

    states: Array
    words: Array
    table: Array
    ends: Array
    degrees: Array
    scores: Array
    children: Array
    fresh: Array
    fresh_words: Array
    hashes: Array
    spare: Array
    moves: Array
    control: Array


def expand_of(rules: Rules, folds: bool) -> Function:
    """``expand(g, space, budget) -> reason``: expand at most ``budget`` further positions."""
    most, endless, longest = rules.max_moves, rules.cyclic, rules.max_length
    look, make, hash_of = look_of(rules), successor_of(rules, folds), hash_in(rules)
    width = width_of(rules)

    def generate(g, space, first, stop):
        """Make the successors of the states from ``first`` on; return (where it ended, how many),
        or (-1, 0) for too many moves."""
        states, fresh, hashes = space.states, space.fresh, space.hashes
        shift, at, count = space.control[0].shift, first, 0
        while at < stop and count + most <= len(fresh):
            s = states[at - space.control[0].oldest]
            n = look(g, space, s, at)
            if n > most:
                return -1, 0
            space.degrees[at] = n
            for i in range(n):
                make(g, space.spare, s, space.moves[i], fresh, count)
                h = hash_of(g, fresh, space.fresh_words, count)
                hashes[count] = h
                prefetch(space.table, np.int64(h >> shift))
                count += 1
            at += 1
        return at, count

    def fetch(space, count):
        """Request the states with which the successors will be compared."""
        table, words, shift = space.table, space.words, space.control[0].shift
        oldest = space.control[0].oldest
        for i in range(count):
            h = space.hashes[i]
            entry = table[np.int64(h >> shift)]
            if entry != ZERO and entry >> 32 == h >> 32:
                prefetch(words, (np.int64(entry & LOW) - 1 - oldest) * width)

    def number(space, i):
        """Return the number of successor ``i``, which gets one if it has none."""
        table, words, new = space.table, space.words, space.fresh_words
        h, mask, oldest = space.hashes[i], len(table) - 1, space.control[0].oldest
        slot = np.int64(h >> space.control[0].shift)
        while True:
            entry = table[slot]
            if entry == ZERO:
                break
            if entry >> 32 == h >> 32:
                known = np.int64(entry & LOW) - 1
                same = True
                for w in range(width):
                    same &= words[(known - oldest) * width + w] == new[i * width + w]
                if same:
                    return known
            slot = (slot + 1) & mask
        known = np.int64(space.control[0].nodes)
        table[slot] = (h >> 32) << 32 | word(known + 1)
        space.states[known - oldest] = space.fresh[i]
        space.control[0].nodes = known + 1
        return known

    def expand(g, space, budget):
        g, space = bare(g), bare(space)
        control, room = space.control[0], len(space.fresh)
        control.shift = shift_for(len(space.table))
        if control.nodes == 0:
            space.hashes[0] = hash_of(g, space.fresh, space.fresh_words, 0)
            number(space, 0)
        last = min(control.done + budget, control.pause)
        while control.done < control.nodes:
            if control.nodes >= control.limit:
                return NODES
            if control.done >= last:
                return SLICE
            held = control.nodes - control.oldest + room
            if (control.nodes + room > len(space.ends) or held > len(space.states) or held
                    > FULL * len(space.table) or control.edges + room > len(space.children)):
                return GROW
            if control.done == control.layer_end:
                control.depth += 1
                control.layer_end = control.nodes
                if not endless and control.depth > longest + 1:
                    return DEEPER
            first = control.done
            stop = min(last, control.layer_end, first + BLOCK)
            if control.nodes + room >= control.limit:
                stop = first + 1
            at, count = generate(g, space, first, stop)
            if at < 0:
                return TOO_MANY
            fetch(space, count)
            i, edge = 0, control.edges
            for parent in range(first, at):
                for _ in range(space.degrees[parent]):
                    child = number(space, i)
                    control.back += child <= parent
                    space.children[edge] = child
                    edge += 1
                    i += 1
            control.edges, control.done = edge, at
        return SOLVED

    return expand


def look_of(rules: Rules) -> Function:
    """``look(g, space, s, at) -> n``: note the end, the mover and the score of state ``s``, that of
    position ``at``, and write its moves."""
    moves, mover, outcome = rules.moves, rules.mover, rules.outcome
    scored, score, surely = rules.score is not None, rules.score or outcome, 2 * rules.max_score

    def look(g, space, s, at):
        end, n = outcome(g, s), 0
        if scored and end != ONGOING:
            space.scores[at] = score(g, s)
        if end == ONGOING:
            n = max(moves(g, s, space.moves), 0)
            if n == 0:
                end = SECOND_WINS - mover(g, s)
                if scored:  # lost, with any number of points
                    space.scores[at] = surely if end == FIRST_WINS else -surely
        space.ends[at] = end | mover(g, s) << MOVER_BIT
        return n

    return look


def successor_of(rules: Rules, folds: bool) -> Function:
    """``make(g, spare, s, move, out, i)``: write what a move leads to into ``out[i]``, folded."""
    play, canonical = rules.play, rules.canonical or rules.play

    def make(g, spare, s, move, out, i):
        if folds:
            play(g, s, move, spare[0])
            canonical(g, spare[0], out[i])
        else:
            play(g, s, move, out[i])

    return make


def hash_in(rules: Rules) -> Function:
    """``hash_of(g, states, words, i)``: a hash of state ``i``: of its key where that is exact, else
    of its bytes, so that a poor key costs nothing."""
    key, exact, width = rules.key, rules.exact_key, width_of(rules)

    def hash_of(g, states, words, i):
        if exact:
            return mix(word(key(g, states[i])))
        return state_hash(words, i * width, width)

    return hash_of


def width_of(rules: Rules) -> int:
    """Return how many words the bytes of a state are."""
    return len(words_of(np.zeros(1, rules.dtype)))


def shift_for(length):
    """Return by how much a hash is shifted to be a place in a table of ``length`` words."""
    shift = word(64)
    while length > 1:
        length >>= 1
        shift -= ONE
    return shift


def move_over(old, new, least):
    """Put the entries of a table into another one, but for positions before ``least``."""
    old, new = bare(old), bare(new)
    mask, shift = len(new) - 1, shift_for(len(new))
    for i in range(len(old)):
        entry = old[i]
        if np.int64(entry & LOW) > least:
            slot = np.int64(entry >> shift)
            while new[slot] != ZERO:
                slot = (slot + 1) & mask
            new[slot] = entry


def again_of(rules: Rules, folds: bool) -> Function:
    """``again(g, space) -> fits``: make the states again from ``degrees`` and ``children``.

    False if these are not those of an enumeration. There is room for all, ``control`` says how many
    positions and moves there are, and the root is there. A position is found when its number comes
    up for the first time.
    """
    look, make, hash_of = look_of(rules), successor_of(rules, folds), hash_in(rules)

    def again(g, space):
        g, space = bare(g), bare(space)
        control, known, edge, mask = space.control[0], 1, 0, len(space.table) - 1
        control.shift = shift_for(len(space.table))
        h = hash_of(g, space.states, space.words, 0)
        space.table[np.int64(h >> control.shift)] = (h >> 32) << 32 | word(1)
        for at in range(control.done):
            s = space.states[at]
            n = look(g, space, s, at)
            if at >= known or n != space.degrees[at] or edge + n > control.edges:
                return False
            for i in range(n):
                child = space.children[edge]
                edge += 1
                if child > known or child >= control.nodes:
                    return False
                if child == known:
                    make(g, space.spare, s, space.moves[i], space.states, known)
                    h = hash_of(g, space.states, space.words, known)
                    slot = np.int64(h >> control.shift)
                    while space.table[slot] != ZERO:
                        slot = (slot + 1) & mask
                    space.table[slot] = (h >> 32) << 32 | word(known + 1)
                    known += 1
        return known == control.nodes and edge == control.edges

    return again


def codes_of(rules: Rules, folds: bool) -> Function:
    """``codes(g, states, out, places)``: replace each place among the moves of a state by the code
    of the move."""
    moves = rules.moves

    def codes(g, states, out, places):
        for i in range(len(places)):
            moves(g, states[i], out)
            places[i] = out[places[i]]

    return codes


def grown(length: int, needed: int, factor: float) -> int:
    """Return the length of an array in which ``needed`` items have to fit."""
    return length if needed <= length else max(int(factor * length), needed)


def table_for(count: int) -> Array:
    """Return an empty table for ``count`` positions."""
    length = FIRST_PLACES
    while FULL * length < count:
        length *= 2
    return aligned_words(length)


def extended(array: Array, used: int, length: int) -> Array:
    """Return an array of ``length`` items that begins as ``array``; what is not used of it takes no
    memory."""
    larger = np.empty(length, array.dtype)
    larger[:used] = array[:used]
    return larger if type(array) is np.ndarray else larger.view(type(array))


class Enumeration:
    """The positions that can come up from ``position``; ``folds``: one for all symmetric ones."""

    def __init__(self, position: Position, folds: bool, memory: int) -> None:
        self.position, self.game, self.rules = position, position.game, position.game.rules
        if self.rules.max_moves > MOST_MOVES:
            raise BadOption(f"retrograde: {self.game.name} has max_moves={self.rules.max_moves:,}; "
                            f"at most {MOST_MOVES:,} are valid.")
        self.folds = folds and self.rules.canonical is not None
        self.memory = memory
        self.space = self._space()
        self.root, _ = self.folded(position)
        self.space.fresh[0] = self.root[0]

    def folded(self, position: Position) -> tuple[Array, int]:
        """Return the state that stands for a position, and the symmetry that leads to it."""
        if not self.folds:
            return position.state, 0
        return self.game.board.canonical(position.state)

    def _space(self) -> Space:
        rules, room = self.rules, SUCCESSORS + self.rules.max_moves
        count = FIRST + room
        states, fresh = states_array(rules, count), states_array(rules, room)
        return Space(
            states=states, words=words_of(states), table=aligned_words(FIRST_PLACES),
            ends=np.empty(count, np.uint8), degrees=np.empty(count, np.uint16),
            scores=np.zeros(count if self.scored else 0, np.int32),
            children=np.empty(4 * count, np.uint32), fresh=fresh, fresh_words=words_of(fresh),
            hashes=np.zeros(room, np.uint64), spare=states_array(rules, 1),
            moves=moves_array(rules),
            control=self._control(np.zeros(1, CONTROL)[0]))

    def _control(self, record: Any) -> Array:
        """Return a record as kernels take it."""
        control = np.array([record], CONTROL)
        return control if jit_enabled() else control.view(np.recarray)

    def call(self, make: Callable[..., Function], *arguments: Any) -> Any:
        """Call a kernel of the game, which ``make`` makes of its rules."""
        run = kept(self.game, (make, self.folds), lambda: kernel(make(self.rules, self.folds)))
        with rules_that_compile(self.game.name, run):
            return run(self.rules.data, *arguments)

    def advance(self, budget: int, node_limit: int, pause: int) -> int:
        """Expand at most ``budget`` positions; return the reason to stop (see ``reasons``)."""
        control = self.space.control[0]
        control["limit"], control["pause"] = node_limit, pause
        end = control["done"] + budget
        while True:
            reason = int(self.call(expand_of, self.space, end - control["done"]))
            if reason == TOO_MANY:
                raise too_many_moves(self.game)
            if reason == DEEPER:
                raise too_long(self.game)
            if reason != GROW or not self.grow():
                return MEMORY if reason == GROW else reason

    def grow(self) -> bool:
        """Make room for more, as much as is allowed, if need be by forgetting; return False if that
        is none."""
        if self._extend():
            return True
        done = int(self.control["done"])
        if self.rules.cyclic or PART * (done - int(self.control["oldest"])) < self.held:
            return False
        self._forget(done)
        return self._extend()

    def _extend(self) -> bool:
        """Make room for more, as much as is allowed; return False if that is none."""
        space, room = self.space, len(self.space.fresh)
        nodes, edges = int(self.control["nodes"]), int(self.control["edges"])
        held = self.held
        larger = held + room > FULL * len(space.table)
        table = space.table.nbytes * (2 if larger else 1)
        for factor in FACTORS:
            states = grown(len(space.states), held + room, factor)
            length = grown(len(space.ends), nodes + room, factor)
            moves = grown(len(space.children), edges + room, factor)
            needed = states * self.rules.dtype.itemsize + length * self.each + 4 * moves
            if table + needed <= self.memory and length <= MOST:
                break
        else:
            return False
        bigger: dict[str, Array] = {}
        if states > len(space.states):
            bigger["states"] = extended(space.states, held, states)
            bigger["words"] = words_of(bigger["states"])
        if length > len(space.ends):
            bigger |= {name: extended(getattr(space, name), nodes, length)
                       for name in ("ends", "degrees", *(["scores"] if self.scored else []))}
        if moves > len(space.children):
            bigger["children"] = extended(space.children, edges, moves)
        if larger:
            bigger["table"] = aligned_words(2 * len(space.table))
            call(move_over, space.table, bigger["table"], 0)
        self.space = space._replace(**bigger)
        return True

    def _forget(self, least: int) -> None:
        """Forget the states of all positions before ``least``, which are expanded."""
        space, control, room = self.space, self.control, len(self.space.fresh)
        kept = int(control["nodes"]) - least
        states, table = states_array(self.rules, kept + room), table_for(kept + room)
        states[:kept] = space.states[least - int(control["oldest"]) :][:kept]
        call(move_over, space.table, table, least)
        now = control.copy()
        now["oldest"] = least
        self.space = space._replace(states=states, words=words_of(states), table=table,
                                    control=self._control(now))

    @property
    def scored(self) -> bool:
        """True if games have a final score."""
        return self.rules.score is not None

    @property
    def held(self) -> int:
        """The positions whose states are there."""
        return int(self.control["nodes"] - self.control["oldest"])

    @property
    def each(self) -> int:
        """The bytes that a position takes beside its state and its moves."""
        return 7 if self.scored else 3

    @property
    def bytes(self) -> int:
        """The memory in use."""
        used = int(self.control["nodes"] * self.each + 4 * self.control["edges"])
        return used + self.held * self.rules.dtype.itemsize + self.space.table.nbytes

    @property
    def control(self) -> Any:
        """The record of how far it has come."""
        return self.space.control[0]

    @property
    def complete(self) -> bool:
        """True if all positions have been expanded."""
        return bool(0 < self.control["nodes"] == self.control["done"])

    def finish(self) -> None:
        """Give up what only finds positions: all moves have their numbers."""
        self.space = self.space._replace(table=aligned_words(1))
        if self.control["oldest"] > 0:
            none = states_array(self.rules, 0)
            self.control["oldest"] = self.control["nodes"]
            self.space = self.space._replace(states=none, words=words_of(none))

    def codes(self, numbers: Array, places: Array) -> tuple[Array, Array]:
        """Return states and the codes of their moves, which are at ``places`` among all moves."""
        states = self.space.states[numbers]
        codes = places.astype(np.int32)
        self.call(codes_of, states, self.space.moves, codes)
        return states, codes

    def ends_by_score(self, least: int) -> Array:
        """Return ``ends`` as if the first player wins with a final score of ``least``, and the
        second with any less."""
        ends = self.relation[0]
        wins = self.space.scores[: len(ends)] >= least
        winner = np.where(wins, FIRST_WINS, SECOND_WINS).astype(np.uint8)
        return np.where(ends & END_MASK == ONGOING, ends, ends & ~np.uint8(END_MASK) | winner)

    @property
    def relation(self) -> tuple[Array, Array, Array, bool]:
        """Return ``ends``, ``degrees`` and ``children`` of all positions, and whether a move leads
        back."""
        space, control = self.space, self.space.control[0]
        nodes = int(control["nodes"])
        return (space.ends[:nodes], space.degrees[:nodes], space.children[:int(control["edges"])],
                bool(control["back"]))

    def save(self, saving: Saving) -> None:
        """Keep the moves between positions."""
        done = int(self.control["done"])
        saving.array("control", self.space.control)
        saving.array("degrees", self.space.degrees[:done])
        saving.array("children", self.space.children[:int(self.control["edges"])])

    def restore(self, saved: Saved) -> None:
        """Make the positions again from the moves between them."""
        control = saved.record("control", self.space.control)
        degrees, children = saved.array("degrees", np.uint16), saved.array("children", np.uint32)
        nodes, done, room = int(control["nodes"]), int(control["done"]), len(self.space.fresh)
        saved.require(done == len(degrees) and len(children) == control["edges"]
                      and done <= nodes <= len(children) + 1
                      and 0 <= control["layer_end"] <= nodes and control["back"] >= 0
                      and 0 <= control["oldest"] <= done)
        if nodes == 0:
            return
        length = nodes + room
        oldest, states = int(control["oldest"]), states_array(self.rules, length)
        states[0] = self.root[0]
        space = self.space
        self.space = space._replace(
            states=states, words=words_of(states), table=table_for(length),
            ends=np.empty(length, np.uint8),
            scores=np.zeros(length if self.scored else 0, np.int32),
            degrees=extended(degrees, done, length),
            children=extended(children, len(children), len(children) + room))
        space.control[0] = control
        space.control["oldest"] = 0
        saved.require(self.call(again_of, self.space))
        if oldest > 0:
            self._forget(oldest)
