"""Attack the product at random, on all sides, and stop at the first difference.

    python -m benchmarks.soak --hours 2 --workers 2
    python -m benchmarks.soak --replay searches:1:4711

Positions x searches against exact values, changed certificates, every parser, ends at chance
moments. A case is a pure function of its kind, the seed and its number.
"""

import argparse
import signal
import sys
import time
from collections import Counter

from benchmarks.soak.case import Difference
from benchmarks.soak.kinds import KINDS, SHARES, run_case
from benchmarks.soak.team import Found, Team

EVERY = {True: 1.0, False: 10.0}  # seconds between reports, on a terminal and in a log


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=2.0, help="how long; fractions are fine")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other cases")
    parser.add_argument("--workers", type=int, default=2, help="processes side by side")
    parser.add_argument("--only", default=",".join(SHARES), metavar="KIND,...",
                        help=f"some of {', '.join(SHARES)}")
    parser.add_argument("--from", dest="begin", type=int, default=0, metavar="BLOCK",
                        help="leave out so many blocks of cases of each kind")
    parser.add_argument("--blocks", type=float, default=1.0, metavar="TIMES",
                        help="stay so many times as long at a block: more positions for each "
                        "kernel that is compiled, and fewer kernels")
    parser.add_argument("--keep-going", action="store_true",
                        help="note differences, and go on after them")
    parser.add_argument("--replay", metavar="KIND:SEED:NUMBER", help="one case again")
    given = parser.parse_args()
    given.kinds = [kind.strip() for kind in given.only.split(",")]
    unknown = [kind for kind in given.kinds if kind not in SHARES]
    if unknown or given.hours <= 0 or given.workers < 1 or given.blocks <= 0:
        parser.error(f"there is no kind {unknown[0]!r}" if unknown else
                     "--hours, --workers and --blocks are above 0")
    return given


def replay(text: str) -> int:
    """Run one case; 1 if it shows a difference."""
    kind, _, rest = text.partition(":")
    seed, _, number = rest.partition(":")
    if kind not in KINDS or not number.isdecimal() or not seed.isdecimal():
        print(f"--replay {text!r} is not of the form KIND:SEED:NUMBER", file=sys.stderr)
        return 2
    try:
        counts = run_case(kind, int(seed), int(number))
    except Difference as difference:
        print(f"difference: {difference}")
        return 1
    print("no difference:", in_words(counts))
    return 0


def in_words(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


class Progress:
    """A line about the counts now and then, on standard error."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self.began = time.monotonic()
        self.next = self.began + EVERY[self.terminal]

    def __call__(self, team: Team) -> None:
        """Print it, if it is time."""
        if time.monotonic() < self.next:
            return
        said = "; ".join(f"{kind}: {in_words(counts)}" for kind, counts in team.counts.items()
                         if counts)
        line = f"{time.monotonic() - self.began:,.0f} s  {said}"
        end = "\r" if self.terminal else "\n"
        print(line[:200].ljust(120) if self.terminal else line, end=end, file=sys.stderr,
              flush=True)
        self.next = time.monotonic() + EVERY[self.terminal]


def table(team: Team) -> str:
    """Counts, and how many a second of one processor: of all workers together, their number is
    the factor on a machine with nothing else to do. Compiling is part of those seconds."""
    rows = [["kind", "what", "count", "a processor's second"]]
    for kind, counts in team.counts.items():
        clock, processor, compiling = team.spent[kind]
        rows += [[kind, what, f"{count:,}", f"{count / max(processor, 1e-9):,.1f}"]
                 for what, count in counts.items()]
        rows.append([kind, "seconds", f"{clock:,.0f}", f"({processor:,.0f})"])
        rows.append([kind, "of them compiling", f"{compiling:,.0f}", ""])
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return "\n".join("  ".join([row[0].ljust(widths[0]), row[1].ljust(widths[1]),
                                row[2].rjust(widths[2]), row[3].rjust(widths[3])]).rstrip()
                     for row in rows)


def tell(found: Found) -> None:
    """A difference, and how to see it again."""
    print(f"\ndifference in {found.kind}: {found.text}\nshown again by: python -m benchmarks.soak "
          f"--replay '{found.kind}:{found.seed}:{found.index}'", flush=True)


def main() -> int:
    given = arguments()
    if given.replay:
        return replay(given.replay)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # may be inherited as ignored
    team = Team(given.kinds, given.seed, given.workers, given.begin, given.keep_going,
                given.blocks)
    interrupted = False
    try:
        team.run(given.hours * 3600, Progress(), tell)
    except KeyboardInterrupt:
        interrupted = True
    team.close()
    print(f"\n{table(team)}\n\n{team.summary()}{', interrupted' if interrupted else ''}")
    return 1 if team.found else 130 if interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
