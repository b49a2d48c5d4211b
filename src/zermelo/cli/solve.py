"""``zermelo solve``."""

from __future__ import annotations

import sys
from functools import partial

import typer

from zermelo.cli import show
from zermelo.cli.batch import check_batch, solve_all
from zermelo.cli.options import (
    BatchFile,
    Candidates,
    ClusterAddress,
    CrewSize,
    Deterministic,
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
    SearchName,
    Seed,
    Sgf,
    SolvePosition,
    Svg,
    Threads,
    Time,
    ToMove,
    Trace,
    ZoneOptions,
)
from zermelo.cli.pictures import check_pictures, write_pictures
from zermelo.cli.read import (
    read_game,
    read_limits,
    read_position,
    read_search,
    read_whole,
    read_zones,
)
from zermelo.cli.signals import terminable
from zermelo.cli.solve_workers import CrewOptions, check_crew, solve_with_workers
from zermelo.cli.unproved import best_guess
from zermelo.errors import ProofFailure, ZermeloError


def solve(
    game: GameName, position: SolvePosition = None, search: SearchName = None,
    p: Options = None, g: Parameters = None, goal: Goal = "value", nodes: Nodes = None,
    time: Time = None, memory: Memory = None, threads: Threads = "1", seed: Seed = "0",
    plain: Plain = False, candidates: Candidates = False, zones: ZoneOptions = None,
    to_move: ToMove = None, trace: Trace = None, proof: Proof = None, svg: Svg = None,
    sgf: Sgf = None, file: BatchFile = None, jsonl: JsonLines = False, workers: CrewSize = None,
    journal: JournalFile = None, cluster: ClusterAddress = None,
    deterministic: Deterministic = False, json: Json = False, quiet: Quiet = False,
) -> None:
    """Prove who wins a position, and show the line."""
    rules = read_game(game, g)
    alone = {"--file": file, "--jsonl": jsonl, "--threads": threads != "1", "--trace": trace,
             "--candidates": candidates, "--zones": zones}
    check_crew(workers, {"--journal": journal, "--cluster": cluster,
                         "--deterministic": deterministic}, alone)
    if file is not None or jsonl:
        check_batch(file, jsonl, {
            "a position": position, "--proof": proof, "--svg": svg, "--sgf": sgf, "--json": json})
    else:  # before the searches are loaded
        start = read_position(rules, "start" if position is None else position, to_move)
    from zermelo.solving.session import Session

    narrow = read_zones(candidates, zones)
    chosen = read_search(search, p, rules, narrow=bool(narrow))
    limits = read_limits(nodes, time, memory)
    begin = partial(
        Session, search=chosen, goal=goal, seed=read_whole("--seed", seed), plain=plain,
        trace=None if trace is None else read_whole("--trace", trace),
        threads=read_whole("--threads", threads), candidates=narrow,
    )
    if workers is not None:
        crew = CrewOptions(read_whole("--workers", workers), journal, cluster, deterministic,
                           sys.argv)
        raise typer.Exit(solve_with_workers(
            start, chosen, limits, crew, goal=goal, seed=read_whole("--seed", seed), plain=plain,
            proof=proof, svg=svg, sgf=sgf, json=json, quiet=quiet))
    if file is not None:
        raise typer.Exit(solve_all(rules, file, to_move, begin, limits))
    session = begin(start)
    if proof is not None:
        from zermelo.solving.certify import check_in_advance, write_proof

        check_in_advance(session, proof)
    check_pictures(start, svg, sgf)
    seen = "" if json or not sys.stdout.isatty() else start.diagram
    if seen:  # a search may take long
        print("\n".join(show.board(start, seen)), flush=True)
    live = show.Live(quiet or json, f"{chosen.id} for {rules.name}",
                     unlimited=nodes is None and time is None)
    with terminable():
        result = session.run(limits, live)
        guessed = best_guess(session, limits, live) if not result.concluded else None
    answer, text = result.to_dict(), show.solved(result, seen, guessed)
    answer["guess"] = None if guessed is None else guessed.to_dict()
    write_pictures(result, svg, sgf)
    known = result.proved or result.partial
    if proof is not None and known:
        try:
            written = write_proof(session, proof, memory=limits.memory, progress=live.certificate)
        except ProofFailure:  # then the answer is in doubt
            raise
        except (ZermeloError, KeyboardInterrupt):  # keep what there is
            live.close()
            print(show.as_json({**answer, "proof": None}) if json else text)
            raise
        answer["proof"], text = written.to_dict(), f"{text}\n{show.certificate(written)}"
    elif proof is not None:
        answer["proof"] = None
    live.close()
    print(show.as_json(answer) if json else text, flush=True)
    if proof is not None and not known:
        print("no certificate: nothing is proved", file=sys.stderr)
    if not (json or quiet):
        from zermelo.checks.checked import reminder

        sentence = reminder(rules)
        if sentence is not None:
            print(f"zermelo: {sentence}", file=sys.stderr)
    raise typer.Exit(result.exit_status)
