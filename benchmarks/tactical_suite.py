r"""``python -m benchmarks.tactical_suite``: forced wins from games, by a rule fixed in advance.

The rule. It looks at no search, and was written down before any had seen a position.

1. One position a game, from games that ended by the rules with a winner, in the order of the file.
2. Of the positions 3 to 12 plies before the end of the game (``--nearest``, ``--furthest``) in
   which the winner is to move, one is drawn, each with the same chance, by a generator seeded with
   ``--seed`` and the name of the game. A game without one, after its first ``--skip`` moves, which
   nobody chose, gives none.
3. A position that is a mirror image of an earlier one is left out.

Then every position is given to the provers, one after the other until one proves the win; its
certificate is written and checked. Positions that are proved to be no win, or not proved at all,
are listed apart. What Classic does with the proved ones is measured, and nothing is left out for
it. All results are jobs of the lab: the same command goes on where it was stopped.

    zermelo match lines-of-action --a pvs:probabilities=none -n 760 --nodes 20000 --seed 2025 \
        --out games.sgf
    python -m benchmarks.tactical_suite lines-of-action games.sgf --skip 4 --seed 2025 --out suite \
        --prover weak-df-pn --nodes 4e5 --prover pvs --nodes 4e6 --wall 300
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from dataclasses import dataclass
from pathlib import Path

import zermelo
from zermelo.cli.options import read_search
from zermelo.cli.show import JobLive
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.game_records.record import GameRecord, records
from zermelo.jobs.hire import hire
from zermelo.jobs.job import PROVE, Job, job_for
from zermelo.jobs.store import Store
from zermelo.jobs.workers import Workers
from zermelo.solving.result import Limits

PROVERS = ("pvs", "weak-df-pn", "df-pn:epsilon=0.25")
COLUMNS = ("line", "game", "ply", "before_end", "to_move", "prover", "prover_nodes", "classic",
           "classic_nodes", "position")


@dataclass(frozen=True)
class Candidate:
    """A position drawn by the rule."""

    game: str
    ply: int
    before_end: int
    position: Position


def drawn(record: GameRecord, seed: int, nearest: int, furthest: int,
          skip: int) -> Candidate | None:
    """The position of one game that the rule takes, if any."""
    end, last = record.positions[-1].outcome, len(record.moves)
    if end not in ("first", "second"):
        return None
    winner = ("first", "second").index(end)
    open_to = [k for k in range(nearest, furthest + 1)
               if last - k >= skip and record.positions[last - k].mover == winner]
    if not open_to:
        return None
    k = random.Random(f"suite {seed} {record.name}").choice(open_to)
    at = record.positions[last - k]
    return Candidate(record.name, last - k, k, Position(at.game, at.state))


def candidates(game: Game, files: list[str], args: argparse.Namespace) -> list[Candidate]:
    """What the rule takes from all games, mirror images once."""
    found: dict[Position, Candidate] = {}
    for file in files:
        for record in records(game, file):
            one = drawn(record, args.seed, args.nearest, args.furthest, args.skip)
            if one is not None:
                found.setdefault(one.position.canonical(), one)
    return list(found.values())[: args.take]


def job_of(one: Candidate, search: str, limits: Limits, wall: float, prove: bool) -> Job:
    """Prove the win with a certificate, or just see how far the search comes."""
    rest = {"kind": PROVE, "certificate": True} if prove else {}
    return job_for(one.position, read_search(search), seed=0, goal="win", plain=not prove,
                   nodes=limits.nodes, time=limits.time, memory=limits.memory_bytes, wall=wall,
                   trace=None, **rest)


def run(jobs: list[Job], store: Store, workers: int | None, what: str) -> dict[str, dict]:
    """Run what is not done yet; rows by digest."""
    wanted = {job.digest: job for job in jobs}
    if not wanted:
        return {}
    hired = hire(max(job.memory for job in jobs), workers)
    for note in hired.notes:
        print(note, file=sys.stderr)
    live = JobLive(False)
    try:
        Workers(store, hired, live).run(what, wanted)
    finally:
        live.close()
        hired.crew.close()
        store.end()
    return store.rows(wanted)


def prove(found: list[Candidate], args: argparse.Namespace, store: Store) -> dict[int, tuple]:
    """By number of the candidate: (value, prover, nodes), the provers one after the other."""
    settled: dict[int, tuple] = {}
    provers = args.prover or PROVERS
    nodes = args.nodes or ["20e6"]
    for number, prover in enumerate(provers):
        left = [i for i in range(len(found)) if i not in settled]
        limits = Limits(nodes=nodes[min(number, len(nodes) - 1)], memory=args.memory)
        jobs = {i: job_of(found[i], prover, limits, args.wall, prove=True) for i in left}
        rows = run(list(jobs.values()), store, args.workers, f"{prover}:")
        for i, job in jobs.items():
            row = rows.get(job.digest, {})
            if row.get("proved") and (row["value"] != "win" or row["certified"]):
                settled[i] = (row["value"], prover, row["nodes"])
        print(f"{prover}: {len(left)} positions, {len(settled)} of {len(found)} settled now")
    return settled


def write(found: list[Candidate], settled: dict[int, tuple], classic: dict[int, dict],
          folder: Path) -> None:
    """The suite, a table about it, and the positions that are not in it."""
    folder.mkdir(parents=True, exist_ok=True)
    wins = [i for i in settled if settled[i][0] == "win"]
    wins.sort()
    (folder / "tactics.txt").write_text("".join(f"{found[i].position.text}\n" for i in wins))
    with (folder / "tactics.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for line, i in enumerate(wins):
            one, row = found[i], classic[i]
            table.writerow([line, one.game, one.ply, one.before_end, one.position.to_move,
                            *settled[i][1:], "solved" if row.get("proved") else "not solved",
                            row.get("nodes", ""), one.position.text])
    with (folder / "left-out.txt").open("w") as file:
        for i, one in enumerate(found):
            if i not in wins:
                why = "proved to be no win" if i in settled else "not proved"
                file.write(f"{one.game} ply {one.ply}, {one.before_end} before the end, {why}: "
                           f"{one.position.text}\n")


def main() -> None:
    """Make the suite and say what is in it."""
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("game")
    parse.add_argument("files", nargs="+")
    parse.add_argument("--out", type=Path, required=True)
    parse.add_argument("--store", type=Path, help="where results are kept; in --out by default")
    parse.add_argument("--seed", type=int, default=0)
    parse.add_argument("--nearest", type=int, default=3)
    parse.add_argument("--furthest", type=int, default=12)
    parse.add_argument("--skip", type=int, default=0)
    parse.add_argument("--take", type=int, default=None, help="only the first so many positions")
    parse.add_argument("--prover", action="append", help=f"in turn; default: {', '.join(PROVERS)}")
    parse.add_argument("--nodes", action="append",
                       help="for each prover in turn, the last for all further ones; default: 20e6")
    parse.add_argument("--memory", default="1GB")
    parse.add_argument("--wall", type=float, default=600, help="seconds for a proof and its check")
    parse.add_argument("--classic", default="pvs")
    parse.add_argument("--classic-nodes", default="1e6")
    parse.add_argument("--workers", type=int, default=None)
    args = parse.parse_args()
    game = zermelo.game(args.game)
    found = candidates(game, args.files, args)
    print(f"{len(found)} positions by the rule")
    args.out.mkdir(parents=True, exist_ok=True)
    store = Store(args.store or args.out / "jobs.sqlite")
    settled = prove(found, args, store)
    wins = sorted(i for i in settled if settled[i][0] == "win")
    limits = Limits(nodes=args.classic_nodes, memory=args.memory)
    jobs = {i: job_of(found[i], args.classic, limits, args.wall, prove=False) for i in wins}
    rows = run(list(jobs.values()), store, args.workers, f"{args.classic}:")
    classic = {i: rows.get(job.digest, {}) for i, job in jobs.items()}
    write(found, settled, classic, args.out)
    hard = sum(not classic[i].get("proved") for i in wins)
    print(f"{len(wins)} forced wins, {hard} of them not solved by {args.classic} within "
          f"{limits.nodes:,} nodes; {len(settled) - len(wins)} proved to be no win, "
          f"{len(found) - len(settled)} not proved")


if __name__ == "__main__":
    main()
