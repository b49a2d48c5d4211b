"""How many positions a second retrograde analysis enumerates and solves, in processor time.

    python -m benchmarks.retrograde                       Connect Four 4x4, 4x5, 5x4
    python -m benchmarks.retrograde connect-four:5x5 lines-of-action:4 FILE.py:Class

One core, no symmetry folded; compiling is not counted.
"""

import resource
import sys
import time

import zermelo
from zermelo import Limits, Retrograde, Session

USUAL = ["connect-four:4x4", "connect-four:4x5", "connect-four:5x4"]


def start(text):
    """The initial position of GAME:COLUMNSxROWS, GAME:SIZE, or of a game in a file."""
    name, _, size = text.partition(":")
    if ".py:" in text or not size:
        return zermelo.game(text).start()
    columns, _, rows = size.partition("x")
    sizes = {"columns": int(columns), "rows": int(rows)} if rows else {"size": int(columns)}
    return zermelo.game(name, **sizes).start()


def main():
    print("game                   value  positions        moves    seconds   positions/s  GB")
    for text in sys.argv[1:] or USUAL:
        session = Session(start(text), Retrograde(fold=False))
        session.prepare()
        Session(zermelo.game("tic-tac-toe").start(), Retrograde()).run()  # what all games share
        began = time.process_time()
        session.advance(Limits(memory="18GB"))
        took = time.process_time() - began
        result = session.result(line=False)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"{text:22} {result.value:7} {result.nodes:11,} {result.counters['edges']:12,} "
              f"{took:8.2f} s {result.nodes / took:12,.0f} {memory:5.2f}", flush=True)


if __name__ == "__main__":
    main()
