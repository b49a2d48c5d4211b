"""``zermelo lab tune``: choose options of a search on positions of your kind."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import show
from zermelo.cli.lab import BackendName, LabCluster, LabWorkers, Retry, StoreFile, at_least_1
from zermelo.cli.options import (
    NUMBER,
    Json,
    Knowledge,
    Memory,
    Options,
    Parameters,
    Quiet,
    Seed,
    ToMove,
)
from zermelo.cli.read import pairs, read_file, read_game, read_search, read_whole
from zermelo.cli.signals import terminable
from zermelo.errors import BadOption, quoted

if TYPE_CHECKING:
    from zermelo.core.game import Game as Rules
    from zermelo.lab.experiment import Positions

RANDOM_COUNT = 40
RANGE = re.compile(r"\s*(\w+)\s*=\s*(-?[0-9]{1,15})\s*\.\.\s*(-?[0-9]{1,15})\s*")
MOST_VALUES = 100_000

SearchText = Annotated[str, typer.Argument(
    metavar="SEARCH", help="A search (see 'zermelo searches'), also as ID:NAME=VALUE,...")]
Vary = Annotated[list[str] | None, typer.Option(
    "--vary", metavar="NAME=VALUES", help="An option to vary: E=1..20, epsilon=0..1:0.25, "
    "theta=0.001..0.1:x10 or R=0.1,0.5,1; may be repeated.")]
Strategy = Annotated[str, typer.Option(
    "--strategy", metavar="NAME", help="climb (the thesis's hill climbing), sweep (all "
    "combinations) or optuna.")]
Game = Annotated[str | None, typer.Option(
    "--game", metavar="GAME", help="The game of the positions (see 'zermelo games'), or "
    "FILE.py:Class.")]
PositionFile = Annotated[str | None, typer.Option(
    "--file", metavar="FILE", help="Positions, one per line: a file, a data file, or - for "
    "standard input.")]
Each = Annotated[str | None, typer.Option(
    "--each", metavar="NAME=LOW..HIGH", help="Starting positions, one for each value of a "
    "parameter of the game, such as seed=0..39.")]
Random = Annotated[str | None, typer.Option(
    "--random", metavar="PLIES", help="Positions after this many random moves; --take says how "
    "many positions.")]
Of = Annotated[str | None, typer.Option(
    "--experiment", metavar="EXPERIMENT", help="The positions of an experiment (see 'zermelo "
    "lab list') or FILE.py, instead of --game.")]
Take = Annotated[str | None, typer.Option(
    "--take", metavar=NUMBER, help="Use only this many positions, the first ones; for --random "
    f"{RANDOM_COUNT} by default.")]
JobNodes = Annotated[str, typer.Option(
    "--nodes", metavar=NUMBER, help="The node limit of each job; an unsolved job counts as "
    "twice the limit.")]
JobGoal = Annotated[str, typer.Option(
    "--goal", metavar="GOAL", help="win: does the side to move win? Or any goal of solve.")]
Seeds = Annotated[str, typer.Option(
    "--seeds", metavar=NUMBER, help="Runs per position, each with its own seed.")]
Concluded = Annotated[bool, typer.Option(
    "--concluded", help="Count positions concluded at a precision as solved.")]
Flat = Annotated[str, typer.Option(
    "--flat", metavar=NUMBER, help="climb: stop after this many steps without a change.")]
Up = Annotated[bool, typer.Option(
    "--up", help="climb: only step upwards, as printed in the thesis.")]
Trials = Annotated[str, typer.Option(
    "--trials", metavar=NUMBER, help="optuna: number of points to try.")]


def tune(
    search: SearchText, vary: Vary = None, strategy: Strategy = "climb", game: Game = None,
    g: Parameters = None, file: PositionFile = None, each: Each = None, random: Random = None,
    experiment: Of = None, take: Take = None, to_move: ToMove = None, p: Options = None,
    nodes: JobNodes = "1e6", memory: Memory = None, goal: JobGoal = "win",
    knowledge: Knowledge = False, seeds: Seeds = "1", concluded: Concluded = False,
    flat: Flat = "5", up: Up = False, trials: Trials = "50", store: StoreFile = None,
    workers: LabWorkers = None, backend: BackendName = "processes", cluster: LabCluster = None,
    retry: Retry = False, seed: Seed = "0", json: Json = False, quiet: Quiet = False,
) -> None:
    """Choose options of a search on one half of the positions; report them on the other half."""
    from zermelo.cli.lab_show import Live, tuned_text
    from zermelo.jobs.store import Store
    from zermelo.lab.data import store_path
    from zermelo.lab.experiment import MEMORY
    from zermelo.lab.tune import Tuning
    from zermelo.lab.tune import tune as run_tuning

    count = None if workers is None else at_least_1("--workers", workers)
    chance = read_whole("--seed", seed)
    number = None if take is None else at_least_1("--take", take)
    tuning = Tuning(
        read_search(search, p), vary or [],
        _experiment_sets(experiment, game) if experiment is not None
        else _positions(game, g, file, each, random, to_move, number, chance),
        strategy=strategy, nodes=nodes, memory=memory or MEMORY, goal=goal, plain=not knowledge,
        seeds=at_least_1("--seeds", seeds), seed=chance, concluded=concluded, take=number,
        flat=at_least_1("--flat", flat), up=up, trials=at_least_1("--trials", trials))
    tuning.check()
    live = Live(quiet or json)
    with terminable(), closing(Store(store_path(store))) as opened:
        tuned = run_tuning(tuning, opened, workers=count, backend=backend, cluster=cluster,
                           retry=retry, command=_command(sys.argv[1:]), progress=live)
    live.close()
    print(show.as_json(tuned.to_dict()) if json else tuned_text(tuned))
    raise typer.Exit(tuned.exit_status)


def _experiment_sets(name: str, game: str | None) -> Sequence[Positions]:
    from zermelo.lab.experiment import experiment

    if game is not None:
        raise BadOption("--experiment brings its own positions; give it without --game.")
    return experiment(name).sets


def _positions(game: str | None, g: list[str] | None, file: str | None, each: str | None,
               random: str | None, to_move: str | None, take: int | None,
               seed: int) -> Positions:
    """The set of positions that the words name."""
    from zermelo.lab.experiment import each as each_of
    from zermelo.lab.experiment import generated

    if game is None or sum(word is not None for word in (file, each, random)) != 1:
        raise BadOption("a tuning needs positions: --game with one of --file, --each and --random, "
                        "or --experiment.")
    rules = read_game(game, g)
    parameters: dict[str, Any] = {**pairs(g or (), "-g")}
    if file is not None:
        return _from_file(rules, file, to_move)
    if each is not None:
        name, values = _range(each)
        if name in parameters:
            raise BadOption(f"--each {quoted(each)}: {quoted(name)} is also given with -g.")
        return each_of(game, name, values, **parameters)
    if "seed" in parameters:
        raise BadOption("--random and -g seed=... do not go together; use --each seed=LOW..HIGH.")
    return generated(game, read_whole("--random", random or ""), take or RANDOM_COUNT, seed=seed,
                     **parameters)


def _from_file(rules: Rules, file: str, to_move: str | None) -> Positions:
    """As ``compare`` reads a file; a name that is not a file here is one of the data files."""
    from zermelo.lab.data import data_file
    from zermelo.lab.experiment import Positions

    path = file if file == "-" or Path(file).exists() else str(data_file(file))
    found = read_file(rules, path, to_move)
    return Positions(Path(file).stem, lambda: [(str(i), one) for i, one in enumerate(found)],
                     note=file)


def _range(word: str) -> tuple[str, range]:
    match = RANGE.fullmatch(word)
    values = range(int(match[2]), int(match[3]) + 1) if match else range(0)
    if match is None or not 0 < len(values) <= MOST_VALUES:
        raise BadOption(f"--each {quoted(word)} is not of the form NAME=LOW..HIGH with whole "
                        f"numbers, at most {MOST_VALUES:,} of them.")
    return match[1], values


def _command(words: Sequence[str]) -> str:
    """The command as given; of files their names only."""
    return shlex.join(["zermelo", *(Path(word).name if Path(word).is_absolute() else word
                                    for word in words)])
