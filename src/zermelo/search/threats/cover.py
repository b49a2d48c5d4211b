"""The records after the replies that stop not all threats, of which there are very many."""

from typing import Any

from zermelo.core.rules import ONGOING, Rules


def cover_of(rules: Rules) -> Any:
    """``cover``: answer all last stones of a defender's turn that leave a threat."""
    play, outcome = rules.play, rules.outcome

    def cover(g, states, squares, begin, before, taken, lines, sizes, count, out, moves):
        """``states[0]``: the defender has one stone left; ``before``: those of the turn so far."""
        written = 0
        for i in range(begin, len(squares)):
            found = -1
            for line in range(count):
                met = False
                for j in range(sizes[line]):
                    met |= lines[line, j] == squares[i]
                    for q in range(taken):
                        met |= lines[line, j] == before[q]
                if not met:
                    found = line
                    break
            if found < 0:
                continue
            play(g, states[0], squares[i], states[1])
            now = 1
            for j in range(sizes[found]):
                out[written] = states[now]
                moves[written] = lines[found, j]
                written += 1
                play(g, states[now], lines[found, j], states[3 - now])
                now = 3 - now
                if outcome(g, states[now]) != ONGOING:
                    break
        return written

    return cover
