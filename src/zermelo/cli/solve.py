"""``zermelo solve``."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import typer

from zermelo.cli import show
from zermelo.cli.answering import Alone, Output, Solver, answer
from zermelo.cli.batch import check_batch, solve_all
from zermelo.cli.options import (
    BatchFile,
    Candidates,
    Checkpoint,
    ClusterAddress,
    CrewSize,
    Deterministic,
    Every,
    GameName,
    Goal,
    JournalFile,
    Json,
    JsonLines,
    Memory,
    Nodes,
    Options,
    Parameters,
    Plain,
    Proof,
    Quiet,
    Seed,
    Sgf,
    SolvePosition,
    SolveSearch,
    Svg,
    Threads,
    Time,
    ToMove,
    Trace,
    ZoneOptions,
)
from zermelo.cli.read import (
    read_every,
    read_game,
    read_limits,
    read_position,
    read_search,
    read_whole,
    read_zones,
)
from zermelo.cli.solve_workers import CrewOptions, Together, check_crew
from zermelo.errors import BadOption

if TYPE_CHECKING:
    from zermelo.solving.keeper import Keeper
    from zermelo.solving.session import Session


def solve(
    game: GameName, position: SolvePosition = None, search: SolveSearch = None,
    p: Options = None, g: Parameters = None, goal: Goal = "value", nodes: Nodes = None,
    time: Time = None, memory: Memory = None, threads: Threads = "1", seed: Seed = "0",
    plain: Plain = False, candidates: Candidates = False, zones: ZoneOptions = None,
    to_move: ToMove = None, trace: Trace = None, checkpoint: Checkpoint = None,
    every: Every = None, proof: Proof = None, svg: Svg = None, sgf: Sgf = None,
    file: BatchFile = None, jsonl: JsonLines = False, workers: CrewSize = None,
    journal: JournalFile = None, cluster: ClusterAddress = None,
    deterministic: Deterministic = False, json: Json = False, quiet: Quiet = False,
) -> None:
    """Prove who wins a position, and show the line."""
    rules = read_game(game, g)
    alone = {"--file": file, "--jsonl": jsonl, "--trace": trace,
             "--candidates": candidates, "--zones": zones, "--checkpoint": checkpoint,
             "--every": every}
    check_crew(workers, {"--journal": journal, "--cluster": cluster,
                         "--deterministic": deterministic}, alone)
    if file is not None or jsonl:
        check_batch(file, jsonl, {
            "a position": position, "--proof": proof, "--svg": svg, "--sgf": sgf, "--json": json,
            "--checkpoint": checkpoint})
    else:  # before the searches are loaded
        start = read_position(rules, "start" if position is None else position, to_move)
    from zermelo.solving.auto import AUTO, search_for
    from zermelo.solving.session import Session

    narrow = read_zones(candidates, zones)
    if search == AUTO and p:
        raise BadOption(f"-p {p[0]}: which search {AUTO} picks is not known yet; name the search "
                        "to give it options.")
    chosen = AUTO if search == AUTO else read_search(search, p, rules, narrow=bool(narrow))
    limits = read_limits(nodes, time, memory)
    number, each = read_whole("--seed", seed), read_whole("--threads", threads)
    begin = partial(
        Session, search=chosen, goal=goal, seed=number, plain=plain, threads=each,
        candidates=narrow, trace=None if trace is None else read_whole("--trace", trace))
    if file is not None:
        raise typer.Exit(solve_all(rules, file, to_move, begin, limits))
    out = Output(proof, json, quiet, svg, sgf)
    if workers is not None:
        crew = CrewOptions(read_whole("--workers", workers), each, journal, cluster, deterministic,
                           sys.argv)
        solver: Solver = Together(start, search_for(start, chosen, plain=plain), limits, crew, out,
                                  goal=goal, seed=number, plain=plain)
    else:
        session = begin(start)
        solver = Alone(session, limits, out, _keeper(session, checkpoint, every), limits.memory,
                       [game] if ".py" in game else [])
    raise typer.Exit(answer(solver, limits, out))


def _keeper(session: Session, checkpoint: str | None, every: str | None) -> Keeper | None:
    """What writes checkpoints, if they are wanted."""
    seconds = read_every(every)
    if checkpoint is None:
        if every is not None:
            raise BadOption("--every needs --checkpoint, the file to write.")
        return None
    from zermelo.solving.keeper import Keeper, check_new

    check_new(session, checkpoint)
    return Keeper(session, checkpoint, seconds, show.warn)
