"""The commands: each reads its words, calls the library and shows what comes back."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from zermelo.cli import about, show
from zermelo.cli.annotate import annotate
from zermelo.cli.lab import lab
from zermelo.cli.lab_estimate import estimate
from zermelo.cli.lab_tune import tune
from zermelo.cli.match import match
from zermelo.cli.options import (
    Candidates,
    File,
    GameName,
    Goal,
    Json,
    Knowledge,
    Memory,
    Nodes,
    OnePosition,
    Options,
    Parameters,
    Plain,
    PositionText,
    Proof,
    Quiet,
    Searches,
    SearchName,
    Seed,
    Sgf,
    Svg,
    Threads,
    Time,
    ToMove,
    Trace,
    Unique,
    Workers,
    ZoneOptions,
)
from zermelo.cli.pictures import check_pictures, write_pictures
from zermelo.cli.progress import progress, scn
from zermelo.cli.read import (
    read_file,
    read_game,
    read_limits,
    read_position,
    read_search,
    read_whole,
    read_zones,
)
from zermelo.cli.show_certificate import show_certificate
from zermelo.cli.verify import verify
from zermelo.errors import BadOption, ProofFailure, ZermeloError

app = typer.Typer(
    help="Zermelo proves who wins positions of two-player games.",
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def solve(
    game: GameName, position: PositionText = "start", search: SearchName = None,
    p: Options = None, g: Parameters = None, goal: Goal = "value", nodes: Nodes = None,
    time: Time = None, memory: Memory = None, threads: Threads = "1", seed: Seed = "0",
    plain: Plain = False, candidates: Candidates = False, zones: ZoneOptions = None,
    to_move: ToMove = None, trace: Trace = None, proof: Proof = None, svg: Svg = None,
    sgf: Sgf = None, json: Json = False, quiet: Quiet = False,
) -> None:
    """Prove who wins a position, and show the line."""
    from zermelo.solving.session import Session

    rules = read_game(game, g)
    narrow = read_zones(candidates, zones)
    chosen = read_search(search, p, rules, narrow=bool(narrow))
    limits = read_limits(nodes, time, memory)
    start = read_position(rules, position, to_move)
    session = Session(
        start, chosen, goal=goal, seed=read_whole("--seed", seed), plain=plain,
        trace=None if trace is None else read_whole("--trace", trace),
        threads=read_whole("--threads", threads), candidates=narrow,
    )
    if proof is not None:
        from zermelo.solving.certify import check_in_advance, write_proof

        check_in_advance(session, proof)
    check_pictures(start, svg, sgf)
    live = show.Live(quiet or json)
    result = session.run(limits, live)
    answer, text = result.to_dict(), show.solved(result)
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


@app.command()
def analyze(
    game: GameName, position: PositionText = "start", search: SearchName = None,
    p: Options = None, g: Parameters = None, unique: Unique = False, nodes: Nodes = None,
    time: Time = None, memory: Memory = None, seed: Seed = "0", plain: Plain = False,
    to_move: ToMove = None, json: Json = False, quiet: Quiet = False,
) -> None:
    """The value of every move; limits are totals, shared out among the moves."""
    from zermelo.solving.analysis import analyze as analyze_position

    rules = read_game(game, g)
    chosen = read_search(search, p, rules)
    limits = read_limits(nodes, time, memory)
    start = read_position(rules, position, to_move)
    live = show.Live(quiet or json)
    analysis = analyze_position(
        start, chosen, unique=unique, nodes=limits.nodes, time=limits.time, memory=limits.memory,
        seed=read_whole("--seed", seed), plain=plain, progress=live,
    )
    live.close()
    print(show.as_json(analysis.to_dict()) if json else show.analyzed(analysis, unique))
    raise typer.Exit(analysis.exit_status)


@app.command()
def compare(
    game: GameName, position: OnePosition = None, search: Searches = None, file: File = None,
    g: Parameters = None, goal: Goal = "win", nodes: Nodes = None, time: Time = None,
    memory: Memory = None, seed: Seed = "0", knowledge: Knowledge = False, workers: Workers = "1",
    to_move: ToMove = None, json: Json = False, quiet: Quiet = False,
) -> None:
    """Several searches side by side, on a position or on a file of positions."""
    from zermelo.cli.compare import run_compare
    from zermelo.search.registry import searches_for

    if position is not None and file is not None:
        raise BadOption("compare takes either a position or --file, not both.")
    rules = read_game(game, g)
    searches = [read_search(text) for text in search or searches_for(rules)]
    limits = read_limits(nodes, time, memory)
    options = {
        "goal": goal, "plain": not knowledge, "workers": read_whole("--workers", workers),
        "nodes": limits.nodes, "time": limits.time, "memory": limits.memory,
        "seed": read_whole("--seed", seed),
    }
    starts = (read_file(rules, file, to_move) if file is not None
              else [read_position(rules, "start" if position is None else position, to_move)])
    raise typer.Exit(run_compare(starts, searches, json, quiet, options))


app.command()(annotate)
app.command()(progress)
app.command()(scn)
app.command()(match)
app.command()(verify)
app.command("show")(show_certificate)
app.command()(about.games)
app.command()(about.searches)
app.command("check-game")(about.check_game)
app.command()(about.warmup)
lab.command()(tune)
lab.command()(estimate)
app.add_typer(lab, name="lab")


def _version(wanted: bool) -> None:
    if wanted:
        from zermelo.version import __version__

        print(f"zermelo {__version__}")
        raise typer.Exit


@app.callback()
def options(version: Annotated[bool, typer.Option(
    "--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Zermelo proves who wins positions of two-player games."""
