"""Proofs out of a table, and into it.

``records`` writes the records of a certificate: one move for every position that the prover can
come to. Its kernel walks over positions that have still to be answered. In a position of the prover
it takes a move to a child that is settled as claimed, by the rules, by the table or by a quick
search, and writes a record; in a position of the other side it goes on to every reply. Where
nothing is known any more it requests another search. Positions already answered are known by a hash
of 64 bits: a chance coincidence would leave a gap in the certificate, which the checker would find.

Short wins keep a proof small. A search only finds out who wins, and a win that the game foresees
may last as long as the board has squares. So a win is looked for within one ply, then within three,
and so on, as long as few positions have to be looked at.

``copy_proof`` puts the facts of a best-first search's tree into the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.compiler.jit import kernel, outlined
from zermelo.core import board
from zermelo.core.board import states_array
from zermelo.core.rules import DRAW, FIRST_WINS, NO_MOVE, ONGOING, Function, Rules
from zermelo.errors import ProofFailure
from zermelo.kernel.bits import ONE, ZERO, bare, mix, word
from zermelo.search.base import ProvedTree
from zermelo.search.common.rules import ending_of, legal_of
from zermelo.search.common.table import Array, bucket_of, state_hash
from zermelo.search.depth_first.driver import quick_of
from zermelo.search.depth_first.inspector import AGAIN
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import KEEPS, LOOKS, address_of, as_it_is, log_work
from zermelo.search.reasons import LOST, NEVER, UNKNOWN, WON

if TYPE_CHECKING:
    from zermelo.search.depth_first.run import Run

NONE = -(1 << 40)  # no move
NEXT, COUNT, MINE = 0, 1, 2  # columns of `quick_places`
MOST_WORK = 1 << 17  # for one answer: positions times the most moves of any
PLY_BITS, PLY_MASK = 8, word(255)
REMEMBERED = 3  # plies from which on it pays to remember
DONE, NEED, FLUSH, ROOM, CROWD, BROKEN = range(6)
SEARCH = -(1 << 31)  # instead of a move: the checker settles the position itself
CONTROL = np.dtype([
    ("todo", "i8"), ("written", "i8"), ("seen", "i8"), ("hint", "i8"), ("prover", "i8"),
    ("wanted", "i8"), ("plies", "i8"), ("search", "i8"), ("credit", "i8"),
])
BATCH, FIRST_SEEN = 1 << 16, 1 << 16
SEARCH_PLIES = 5
SHORT_PLACES, WORK = 1 << 16, 1 << 25
NOBODY = 0  # no node (see ``ProvedTree``)
LONGEST = (1 << 26) - 1


def place_in(seen, hash):
    """The place of ``hash`` in the set, or the free place where it belongs."""
    mask = len(seen) - 1
    at = np.int64(mix(hash) & word(mask))
    while seen[at] != ZERO and seen[at] != hash:
        at = (at + 1) & mask
    return at


def is_known(seen, hash):
    """Return True if ``hash`` is in the set."""
    return seen[place_in(seen, hash)] == hash


def remember(seen, hash):
    """Put ``hash`` into the set."""
    seen[place_in(seen, hash)] = hash


def move_over(old, new):
    """Put all of a set into a larger one."""
    for i in range(len(old)):
        if old[i] != ZERO:
            remember(new, old[i])


def short_wins_of(rules: Rules) -> Function:
    """Return ``short_win(g, stack, strategy, s) -> move``, which leads to a short win, or NONE.

    The replies tried are those that count (``forced``): the move wins in any case, and where it is
    not followed by a win within as many plies, the other side has played worse. Pre-condition: an
    acyclic game; the prover moves at ``s``.
    """
    play, mover, outcome = rules.play, rules.mover, rules.outcome
    legal, most_looks = legal_of(rules), max(MOST_WORK // rules.max_moves, 1)

    def place(stack, strategy, level):
        """The place of the state at ``level`` in ``strategy.short``, and its hash."""
        width = len(stack.folded_words)
        stack.folded[0] = stack.quick_states[level]
        hash = state_hash(stack.folded_words, 0, width)
        return np.int64(hash & word(len(strategy.short) - 1)), hash

    def known(stack, strategy, level, left):
        """1 if the prover wins within ``left`` plies, 0 if not; -1 if that is not remembered."""
        at, hash = place(stack, strategy, level)
        if strategy.short[at, 0] != hash:
            return -1
        enough = np.int64(strategy.short[at, 1] & PLY_MASK)
        too_few = np.int64(strategy.short[at, 1] >> PLY_BITS)
        if enough > 0 and enough <= left:
            return 1
        return 0 if too_few >= left else -1

    def note(stack, strategy, level, left, won):
        if left < REMEMBERED:
            return
        at, hash = place(stack, strategy, level)
        if strategy.short[at, 0] != hash:
            strategy.short[at, 0], strategy.short[at, 1] = hash, ZERO
        enough = strategy.short[at, 1] & PLY_MASK
        too_few = strategy.short[at, 1] >> PLY_BITS
        if won:
            enough = word(left)
        else:
            too_few = word(left)
        strategy.short[at, 1] = enough | (too_few << PLY_BITS)

    def look(g, stack, strategy, level, left):
        """1, 0 or -1 as above, in the last case with the moves to try."""
        s, prover = stack.quick_states[level], strategy.control[0].prover
        end = outcome(g, s)
        if end != ONGOING:
            return 1 if end == FIRST_WINS + prover else 0
        if left == 0:
            return 0
        mine = mover(g, s) == prover
        if left >= REMEMBERED:
            answer = known(stack, strategy, level, left)
            if answer >= 0:
                return answer
        n = legal(g, stack.control[0], s, stack.quick_moves[level])
        stack.quick_places[level, NEXT] = 0
        stack.quick_places[level, COUNT] = n
        stack.quick_places[level, MINE] = 1 if mine else 0
        return -1

    def within(g, stack, strategy, plies, most):
        """(1 if the prover wins the state at level 0 within ``plies``, 0 if not, -1 if it would
        take more than ``most`` looks; looks)."""
        states, places, lists = stack.quick_states, stack.quick_places, stack.quick_moves
        level, looks, answer = 0, 1, look(g, stack, strategy, 0, plies)
        while True:
            if answer < 0:
                i = places[level, NEXT]
                if i < places[level, COUNT]:
                    if looks >= most:
                        return -1, looks
                    places[level, NEXT] = i + 1
                    play(g, states[level], lists[level, i], states[level + 1])
                    level += 1
                    looks += 1
                    answer = look(g, stack, strategy, level, plies - level)
                    continue
                answer = 1 - places[level, MINE]
                note(stack, strategy, level, plies - level, answer == 1)
            if level == 0:
                return answer, looks
            level -= 1
            if answer == places[level, MINE]:
                note(stack, strategy, level, plies - level, answer == 1)
            else:
                answer = -1

    def short_win(g, stack, strategy, s):
        control, n_levels = strategy.control[0], len(stack.quick_states)
        if control.credit <= 0:
            return NONE
        total = 0
        for plies in range(0, n_levels - 2, 2):  # the last move is the prover's
            n = legal(g, stack.control[0], s, stack.quick_moves[n_levels - 1])
            for i in range(n):
                move = stack.quick_moves[n_levels - 1, i]
                play(g, s, move, stack.quick_states[0])
                answer, looks = within(g, stack, strategy, plies, most_looks - total)
                total += looks
                if answer == 1:
                    return np.int64(move)
                if answer < 0 or total >= most_looks:
                    control.credit -= total
                    return NONE
        control.credit -= total
        return NONE

    return outlined(short_win)


class Strategy(NamedTuple):
    """A strategy being written.

    todo, depths  states that wait for an answer, and their plies below the root
    seen          hashes of the answered ones, open addressing, 0 for a free place
    states, moves, ranks  records, until they are fetched
    control       one record: how many there are of each; ``hint``: the move for the state on top
                  if it had to be searched for, else NONE; ``wanted``: the status to keep up;
                  ``plies``, ``search``: where no more plies are left than that, and no more
                  positions below, the record has SEARCH; ``credit``: how many positions may still
                  be looked at in vain for short wins
    short         what is known about short wins, see ``short_wins_of``
    """

    todo: Array
    depths: Array
    seen: Array
    states: Array
    moves: Array
    ranks: Array
    control: Array
    short: Array


def size_of(rules: Rules) -> Function:
    """Return ``size(g, stack, s, most)``: the positions below ``s``, or more than ``most``."""
    moves, play, outcome = rules.moves, rules.play, rules.outcome

    def size(g, stack, s, most):
        states, lists, places = stack.quick_states, stack.quick_moves, stack.quick_places
        states[0] = s
        level, count = 0, 1
        places[0, 0], places[0, 1] = 0, moves(g, s, lists[0])
        while level >= 0 and count <= most:
            i = places[level, 0]
            if i == places[level, 1]:
                level -= 1
                continue
            if level + 1 == len(states):
                return most + 1
            places[level, 0] = i + 1
            play(g, states[level], lists[level, i], states[level + 1])
            count += 1
            if outcome(g, states[level + 1]) == ONGOING:
                level += 1
                places[level, 0], places[level, 1] = 0, moves(g, states[level], lists[level])
        return count

    return size


def extract_of(rules: Rules, plan: Plan) -> Function:
    """Return ``extract(g, stack, table, strategy) -> reason``: go on until something is missing.

    DONE; NEED: the state on top must be searched; FLUSH: the records must be fetched; ROOM, CROWD:
    ``todo`` or ``seen`` must grow; BROKEN: a finished game that is not as claimed.
    """
    moves, play, mover, outcome = rules.moves, rules.play, rules.mover, rules.outcome
    folds, most_moves = rules.canonical is not None, rules.max_moves
    canonical = rules.canonical or as_it_is
    move_image = rules.move_image or as_it_is
    legal, ending = legal_of(rules), ending_of(rules)
    address = address_of(rules, plan)
    look = LOOKS[plan.kind]
    cyclic = rules.cyclic
    bounded = rules.remaining is not None and not cyclic
    hurried = plan.quick is not None and bounded
    remaining = rules.remaining if bounded else rules.outcome
    quick, size, short_win = quick_of(rules), size_of(rules), short_wins_of(rules)
    finishes = rules.finish is not None and not cyclic
    hastens = rules.finish is None and not cyclic  # else the game says how to get on
    finish = rules.finish if finishes else rules.outcome

    def standing(g, stack, table, i, depth):
        """(status, length) of ``stack.child_states[i]``, ``depth`` plies below the root."""
        control, t = stack.control[0], stack.child_states[i]
        status = ending(g, control, t)
        if status != UNKNOWN:
            return status, 0 if outcome(g, t) != ONGOING else 1
        if control.horizon <= depth:
            return LOST, 0
        hash, check, _ = address(g, stack, stack.child_words, i, t, depth)
        at = bucket_of(len(table), hash)
        found, status, length, _ = look(table, at, check, control.generation, stack.readings)
        if found and status != UNKNOWN:
            return status, np.int64(length) + 1
        if (hurried and control.quick > 0 and control.horizon == NEVER
                and remaining(g, t) <= control.quick):
            return quick(g, stack, t), 1
        return UNKNOWN, 0

    def hash_of(g, stack, s, depth):
        """The hash by which ``s`` is remembered; with a horizon its depth belongs to it."""
        stack.folded[0] = s
        if folds:
            canonical(g, s, stack.folded[0])
        hash = state_hash(stack.folded_words, 0, len(stack.folded_words))
        if stack.control[0].horizon != NEVER:
            hash ^= mix(word(depth))
        return hash if hash != ZERO else ONE

    def unanswered(g, stack, strategy, t, depth):
        """The number of positions without a record that the prover can come to after one more
        move from ``t``."""
        replies, control = stack.quick_moves[0], strategy.control[0]
        if mover(g, t) == control.prover:
            return 0 if is_known(strategy.seen, hash_of(g, stack, t, depth)) else 1
        found = 0
        for i in range(moves(g, t, replies)):
            play(g, t, replies[i], stack.quick_states[0])
            if outcome(g, stack.quick_states[0]) == ONGOING:
                hash = hash_of(g, stack, stack.quick_states[0], depth + 1)
                found += not is_known(strategy.seen, hash)
        return found

    def choose(g, stack, table, strategy, s, depth):
        """The move to a child that is settled as claimed, or NONE: one that ends the game, else
        the one after which the fewest positions are new, else the one with the shortest proof."""
        wanted = strategy.control[0].wanted
        n = legal(g, stack.control[0], s, stack.moves)
        best, shortest, fewest = NONE, NEVER, NEVER
        for i in range(n):
            play(g, s, stack.moves[i], stack.child_states[i])
            status, length = standing(g, stack, table, i, depth + 1)
            if status != wanted:
                continue
            new = -1
            if length > 0:
                new = unanswered(g, stack, strategy, stack.child_states[i], depth + 1)
            if new < fewest or (new == fewest and length < shortest):
                best, shortest, fewest = np.int64(stack.moves[i]), length, new
        return best

    def write(g, stack, strategy, s, depth, move):
        """A record for the representative of ``s``."""
        control, horizon = strategy.control[0], stack.control[0].horizon
        at = control.written
        strategy.states[at] = s
        strategy.ranks[at] = horizon - depth if horizon != NEVER else 0
        if folds:
            k = canonical(g, s, stack.folded[0])
            strategy.states[at] = stack.folded[0]
            if move != SEARCH:
                n = moves(g, stack.folded[0], stack.moves)
                for i in range(n):
                    if move_image(g, k, stack.moves[i]) == move:
                        move = stack.moves[i]
                        break
        strategy.moves[at] = move
        control.written = at + 1

    def reply(g, stack, strategy, depth):
        """Replace the other side's position on top by its successors; False if one is lost."""
        control = strategy.control[0]
        control.todo -= 1
        stack.states[0] = strategy.todo[control.todo]
        s = stack.states[0]
        if cyclic:  # or they could go round for ever without the prover
            hash = hash_of(g, stack, s, depth)
            if is_known(strategy.seen, hash):
                return True
            remember(strategy.seen, hash)
            control.seen += 1
        n = moves(g, s, stack.moves)
        if n == 0:
            return (control.wanted == WON) == (mover(g, s) != stack.control[0].attacker)
        for i in range(n):
            play(g, s, stack.moves[i], stack.child_states[i])
            end = outcome(g, stack.child_states[i])
            if end == ONGOING:
                strategy.todo[control.todo] = stack.child_states[i]
                strategy.depths[control.todo] = depth + 1
                control.todo += 1
            elif (end == 1 + stack.control[0].attacker) != (control.wanted == WON):
                return False
        return True

    def short(g, stack, strategy, s):
        """Return True if the checker may settle ``s`` itself."""
        control = strategy.control[0]
        if not bounded or remaining(g, s) > control.plies:
            return False
        return size(g, stack, s, control.search) <= control.search

    def answer(g, stack, table, strategy, depth):
        """Answer the prover's position on top, unless it has been answered before."""
        control = strategy.control[0]
        stack.states[0] = strategy.todo[control.todo - 1]
        s, move = stack.states[0], control.hint
        hash = hash_of(g, stack, s, depth)
        control.hint = NONE
        if is_known(strategy.seen, hash):
            control.todo -= 1
            return DONE
        if move == NONE and short(g, stack, strategy, s):
            move = SEARCH
        if move == NONE and finishes and stack.control[0].plain == 0:
            move = finish(g, s)
            if move == NO_MOVE:
                move = NONE
        if move == NONE and hastens and control.wanted == WON and stack.control[0].horizon == NEVER:
            move = short_win(g, stack, strategy, s)
        if move == NONE:
            move = choose(g, stack, table, strategy, s, depth)
        if move == NONE:
            return NEED
        remember(strategy.seen, hash)
        control.seen += 1
        write(g, stack, strategy, s, depth, move)
        end = DRAW
        if move != SEARCH:
            play(g, s, move, stack.child_states[0])
            end = outcome(g, stack.child_states[0])
            if end != ONGOING and (end == 1 + stack.control[0].attacker) != (control.wanted == WON):
                return BROKEN
        if end == ONGOING:
            strategy.todo[control.todo - 1] = stack.child_states[0]
            strategy.depths[control.todo - 1] = depth + 1
        else:
            control.todo -= 1
        return DONE

    def loop(g, stack, table, strategy):
        control = strategy.control[0]
        while control.todo > 0:
            if control.written == len(strategy.moves):
                return FLUSH
            if control.todo + most_moves > len(strategy.todo):
                return ROOM
            if 2 * control.seen > len(strategy.seen):
                return CROWD
            depth = strategy.depths[control.todo - 1]
            if mover(g, strategy.todo[control.todo - 1]) != control.prover:
                if not reply(g, stack, strategy, depth):
                    return BROKEN
            else:
                reason = answer(g, stack, table, strategy, depth)
                if reason != DONE:
                    return reason
        return DONE

    def extract(g, stack, table, strategy):
        return loop(bare(g), bare(stack), bare(table), bare(strategy))

    return extract


def records(run: Run, search: int, progress: Callable[[int], None] | None = None,
            ) -> Iterator[tuple[Array, Array, Array]]:
    """Batches (states, moves, ranks) that prove what ``run`` found out.

    ``search``: how many positions the checker may settle by itself at a record; 0 for none.
    """
    if run.position.outcome is not None:
        return
    strategy = _begin(run, search, BATCH)
    control = strategy.control[0]
    rules, stack, written = run.rules, run.spare, 0
    run.aim(stack, run.position.state[0])
    while True:
        reason = run.parts.extract(rules.data, stack, run.table.words, strategy)
        if reason in (FLUSH, DONE):
            n = int(control["written"])
            yield strategy.states[:n].copy(), strategy.moves[:n].copy(), strategy.ranks[:n].copy()
            written, control["written"] = written + n, 0
            if progress is not None:
                progress(written)
            if reason == DONE:
                return
        elif reason == ROOM:
            room = 2 * len(strategy.todo)
            strategy = strategy._replace(todo=board.longer(strategy.todo, room),
                                         depths=board.longer(strategy.depths, room))
        elif reason == CROWD:
            seen = np.zeros(4 * len(strategy.seen), np.uint64)
            kernel(move_over)(strategy.seen, seen)
            strategy = strategy._replace(seen=seen)
        elif reason == NEED:
            top = int(control["todo"]) - 1
            control["hint"] = proved_move(run, strategy.todo[top], int(strategy.depths[top]))
            run.aim(stack, run.position.state[0])
        elif reason == BROKEN:
            raise ProofFailure(f"{run.position.game.name}: the proof of "
                               f"{run.position.text!r} runs into a finished game that it does "
                               "not allow. This is a bug.")


def load_extraction(run: Run) -> None:
    """Load or compile what ``records`` needs, and write none."""
    if run.position.outcome is not None:
        return
    strategy = _begin(run, 0, 1)
    strategy.control[0]["todo"] = 0
    run.aim(run.spare, run.position.state[0])
    run.parts.extract(run.rules.data, run.spare, run.table.words, strategy)
    kernel(move_over)(strategy.seen, strategy.seen.copy())


def proved_move(run: Run, state: Any, origin: int) -> int:
    """The prover's move in a state ``origin`` plies below the root, by the table or by another
    search."""
    wanted = run.status
    status, children = run.look_again(state.copy(), origin, AGAIN)
    good = [(length, index) for index, (_, child, length) in enumerate(children) if child == wanted]
    if status != wanted or not good:
        raise ProofFailure(f"{run.position.game.name}: a position of the proof of "
                           f"{run.position.text!r} was not proved when it was searched again. "
                           "This is a bug.")
    return children[min(good)[1]][0]


def _begin(run: Run, search: int, batch: int) -> Strategy:
    rules, won = run.rules, run.status == WON
    control = board.records(CONTROL, 1)
    room = max(1 << 12, 4 * rules.max_moves)
    strategy = Strategy(
        todo=states_array(rules, room), depths=np.zeros(room, np.int32),
        seen=np.zeros(FIRST_SEEN, np.uint64), states=states_array(rules, batch),
        moves=np.zeros(batch, np.int32), ranks=np.zeros(batch, np.int64), control=control,
        short=np.zeros((SHORT_PLACES, 2), np.uint64),
    )
    strategy.todo[0] = run.position.state[0]
    control[0]["todo"], control[0]["hint"] = 1, NONE
    control[0]["credit"] = WORK // rules.max_moves
    control[0]["wanted"] = WON if won else LOST
    control[0]["prover"] = run.attacker if won else 1 - run.attacker
    control[0]["search"], control[0]["plies"] = search, SEARCH_PLIES if search > 0 else 0
    return strategy


def copy_proof_of(rules: Rules, plan: Plan, linked: bool) -> Any:
    """Return ``copy(g, nodes, lengths, waiting, stack, table)``: all proved nodes into the table.

    ``waiting`` has room for one node per ply: the tree is walked through depth first.
    """
    play, address, keep = rules.play, address_of(rules, plan), KEEPS[plan.kind]

    def next_sibling(nodes, parent, n):
        if linked:
            return nodes[n].next
        last = nodes[parent].first + nodes[parent].count - 1
        return n + 1 if n < last else NOBODY

    def loop(g, nodes, lengths, waiting, stack, table):
        control, depth = stack.control[0], 0
        waiting[0] = 0
        entering = True
        while depth >= 0:
            n = waiting[depth]
            child = NOBODY
            if entering:
                hash, check, _ = address(g, stack, stack.words, depth, stack.states[depth], depth)
                keep(table, bucket_of(len(table), hash), check, nodes[n].status,
                     min(lengths[n], LONGEST), 0, log_work(lengths[n] + 1), control.generation)
                child = nodes[n].first if nodes[n].count > 0 else NOBODY
                parent = n
            else:
                parent = waiting[depth - 1] if depth > 0 else n
                child = next_sibling(nodes, parent, n) if depth > 0 else NOBODY
                depth -= 1
            while child != NOBODY and nodes[child].status != nodes[0].status:
                child = next_sibling(nodes, parent, child)
            if child != NOBODY and depth + 2 < len(waiting):
                play(g, stack.states[depth], nodes[child].move, stack.states[depth + 1])
                depth += 1
                waiting[depth] = child
                entering = True
            elif entering:
                entering = False
            elif depth == 0:
                return

    def copy(g, nodes, lengths, waiting, stack, table):
        loop(bare(g), bare(nodes), bare(lengths), bare(waiting), bare(stack), bare(table))

    return copy


def copy_proof(tree: ProvedTree, run: Run) -> None:
    """Copy the proved nodes of ``tree`` into the table of ``run``, but for those that hold on their
    path only."""
    rules = run.rules
    if rules.cyclic and (rules.repeat is not None or tree.status != WON):
        return
    stack = run.spare
    run.aim(stack, run.position.state[0])
    waiting = np.zeros(len(stack.states), np.int64)
    copy = kernel(copy_proof_of(rules, run.plan, tree.linked))
    copy(rules.data, tree.nodes, tree.lengths, waiting, stack, run.table.words)
