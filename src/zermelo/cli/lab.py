"""``zermelo lab``: run experiments, make reports of what they found, publish their results, tune a
search and estimate probabilities."""

from __future__ import annotations

import json as json_text
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, overload

import typer

from zermelo.cli import options as opt
from zermelo.cli import show
from zermelo.cli.options import NUMBER
from zermelo.cli.terminal import check_file, shortened, terminable, write_file
from zermelo.errors import BadOption, ZermeloError, counted, file_name, one_line, quoted, shown
from zermelo.storage.whole_files import Folder

if TYPE_CHECKING:
    from zermelo.core.game import Game as Rules
    from zermelo.jobs.store import Store
    from zermelo.lab.compare import ArmComparison, Comparison
    from zermelo.lab.estimate import Estimate
    from zermelo.lab.experiment import Positions
    from zermelo.lab.plan import ExperimentPlan, Outcome, Settings
    from zermelo.lab.results import Results
    from zermelo.lab.tune import Tuned, TuningScore

lab = typer.Typer(help="Run experiments, and report, export and compare what they found.",
                  rich_markup_mode=None, add_completion=False)

Name = Annotated[str, typer.Argument(
    metavar="EXPERIMENT", help="An experiment (see 'zermelo lab list') or FILE.py.")]
OneName = Annotated[str | None, typer.Argument(
    metavar="EXPERIMENT", help="An experiment, or FILE.py; by default all that were started.")]
Full = Annotated[bool, typer.Option("--full", help="Use the published sizes; may take days.")]
FullRun = Annotated[bool, typer.Option("--full", help="The run with the published sizes.")]
SeedOfRun = Annotated[str, typer.Option(
    "--seed", metavar=NUMBER, help="The random seed that it was run with.")]
Changes = Annotated[list[str] | None, typer.Option(
    "--set", metavar="NAME=VALUE", help="Change a limit (nodes, time, memory, wall), take, seeds "
    "or an option, for all searches, or for one: ARM.NAME=VALUE; may be repeated.")]
Only = Annotated[list[str] | None, typer.Option(
    "--only", metavar="ARM", help="Only this arm (search) of the experiment; may be repeated.")]
StoreFile = Annotated[str | None, typer.Option(
    "--store", metavar="FILE", help="Where results are kept; by default ZERMELO_LAB, or the user's "
    "data directory.")]
LabWorkers = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="Jobs run at the same time; one per core by default.")]
BackendName = Annotated[str, typer.Option(
    "--backend", metavar="NAME", help="processes, or in-process to use a debugger.")]
LabCluster = Annotated[str | None, typer.Option(
    "--cluster", metavar="ADDRESS", help="Run the jobs on the Ray cluster at this address; 'local' "
    "begins one on this machine.")]
Retry = Annotated[bool, typer.Option(
    "--retry", help="Rerun jobs that crashed, ran out of memory or were killed.")]
OutFolder = Annotated[str | None, typer.Option(
    "--out", metavar="DIRECTORY", help="Where to write; by default named after the experiment.")]
Older = Annotated[bool, typer.Option(
    "--older", help="Include results made by other versions of the code.")]
Parquet = Annotated[bool, typer.Option("--parquet", help="Also write jobs.parquet.")]
ResultFile = Annotated[str, typer.Argument(metavar="FILE", help="A store or an exported jobs.csv.")]
OtherFile = Annotated[str | None, typer.Argument(
    metavar="FILE", help="Another one; by default the same file, to compare two of its arms.")]
Arms = Annotated[list[str] | None, typer.Option(
    "--arm", metavar="ARM", help="Compare this arm, by its name in a jobs.csv or as a search such "
    "as 'ppn pr=0.01', with the same arm of the other file, or with a second --arm.")]


@lab.callback(invoke_without_command=True)
def overview(context: typer.Context) -> None:
    """Run experiments, and report, export and compare what they found."""
    from zermelo.lab.experiment import check_packages

    if context.invoked_subcommand is None:
        print(context.get_help())
    else:
        check_packages()


@lab.command("list")
def list_experiments(
    json: opt.Json = False, quiet: opt.Quiet = False, seed: opt.NoSeed = "0",
) -> None:
    """List the experiments, and how long they take on two cores."""
    from zermelo.lab.experiment import experiment, experiment_names, sized

    rows = []
    for name in experiment_names():
        one = experiment(name)
        minutes = [sized(one.minutes, full) for full in (False, True)]
        if json:
            print(show.as_json({"experiment": name, "title": one.title, "source": one.source,
                                "minutes": minutes[0], "full_minutes": minutes[1]}))
        rows.append([name, *map(_duration, minutes), one.title])
    if not json:
        print(show.table(["experiment", "takes about", "with --full", "what"], rows))


def _duration(minutes: float | None) -> str:
    if minutes is None:
        return "unknown"
    if minutes < 120:
        return f"{minutes:g} min"
    return f"{minutes / 60:.0f} h" if minutes < 48 * 60 else f"{minutes / 1440:.0f} d"


@lab.command()
def run(
    experiment: Name, full: Full = False, set: Changes = None, only: Only = None,
    store: StoreFile = None, workers: LabWorkers = None, backend: BackendName = "processes",
    cluster: LabCluster = None, retry: Retry = False, seed: opt.Seed = "0", json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Run or resume an experiment and print its tables. Ctrl-C keeps finished results."""
    from zermelo.lab.plan import run as run_plan
    from zermelo.lab.results import Results, all_tables

    count = at_least_1("--workers", workers)
    plan = _plan(experiment, _settings(full, set, only, seed))
    live = show.JobLive(quiet or json)
    command = shlex.join([*plan.command("run"), *([] if workers is None else
                                                  ["--workers", workers])])
    with terminable(), closing(_open(store, create=True)) as opened:
        outcome = run_plan(plan, opened, command=command, workers=count, backend=backend,
                           cluster=cluster, retry=retry, progress=live)
        live.close()
        tables = all_tables(Results(plan, opened))
    if json:
        print(show.as_json({
            "experiment": plan.experiment.name, "jobs": outcome.total, "done": outcome.done,
            "ran": outcome.ran, "statuses": outcome.statuses, "seconds": outcome.seconds,
            "interrupted": outcome.interrupted, "notes": outcome.notes,
            "tables": [table.to_dict() for table in tables]}))
    else:
        for table in tables:
            note = [table.note] if table.note else []
            print(table.title, show.table(table.header, table.rows), *note, "", sep="\n")
        print(outcome_text(outcome))
    raise typer.Exit(0 if outcome.done == outcome.total and not outcome.interrupted else 10)


@lab.command()
def status(
    experiment: OneName = None, full: FullRun = False, set: Changes = None, only: Only = None,
    store: StoreFile = None, seed: SeedOfRun = "0", json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Show the progress of experiments, and the settings they were run with."""
    from zermelo.lab.experiment import experiment_names

    opened = _open(store)
    begun = dict.fromkeys(run["experiment"] for run in opened.runs())
    known = [name for name in begun if name in experiment_names()]
    names = known if experiment is None else [experiment]
    header = ["experiment", "run with", "arm", "done", "of", "proved", "concluded", "failed"]
    asked = _settings(full, set, only, seed)
    rows, notes = [], []
    for name in names:
        for one in _to_show(name, asked, opened):
            try:
                plan = _plan(name, one)
            except ZermeloError as error:
                if one == asked:
                    raise
                notes.append(f"{name} {one}: {error}")  # it fitted an earlier state of the file
                continue
            rows += statuses(plan, opened)
    at_work = opened.at_work()
    if json:
        names = ["settings" if name == "run with" else name for name in header]
        print(show.as_json({"at_work": at_work,
                            "arms": [dict(zip(names, row, strict=True)) for row in rows]}))
        return
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    texts = [[str(cell) for cell in row] for row in rows]
    print(show.table(header, texts))
    print()
    others = [name for name in begun if name not in known and not name.startswith("tune ")]
    if experiment is None and others:
        print(f"also started, from files of their own: {', '.join(others)}")
    print(f"{counted(at_work, 'job')} {'is' if at_work == 1 else 'are'} being worked on now")


def _to_show(name: str, asked: Settings, store: Store) -> list[Settings]:
    """Return the settings that were asked for; where there were none, all that have results."""
    from zermelo.lab.experiment import experiment
    from zermelo.lab.plan import settings_of_runs

    if asked.words():
        return [asked]
    return settings_of_runs(store, experiment(name).name) or [asked]


@lab.command()
def report(
    experiment: Name, full: FullRun = False, set: Changes = None, only: Only = None,
    store: StoreFile = None, out: OutFolder = None, older: Older = False, seed: SeedOfRun = "0",
    json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Write a report: HTML, Markdown and figures."""
    from zermelo.lab.report import write_report

    results, name = _results(experiment, _settings(full, set, only, seed), store, older)
    _written(results, write_report(results, Path(out or f"{name}-report")), json)


@lab.command()
def export(
    experiment: Name, full: FullRun = False, set: Changes = None, only: Only = None,
    store: StoreFile = None, out: OutFolder = None, parquet: Parquet = False, older: Older = False,
    seed: SeedOfRun = "0", json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Write all results as CSV, with the environment and digests."""
    from zermelo.lab.report import write_export

    results, name = _results(experiment, _settings(full, set, only, seed), store, older)
    _written(results, write_export(results, Path(out or f"{name}-export"), parquet), json)


@lab.command()
def compare(
    a: ResultFile, b: OtherFile = None, arm: Arms = None, json: opt.Json = False,
    quiet: opt.Quiet = False, seed: opt.NoSeed = "0",
) -> None:
    """Compare two sets of results: do they agree, which is faster? Or two arms: --arm A --arm B."""
    from zermelo.lab.compare import compare as compare_files
    from zermelo.lab.compare import compare_arms

    opt.read_whole("--seed", seed)  # checked, as everywhere
    if arm:
        if len(arm) > 2:
            raise BadOption("lab compare takes --arm once, for the same arm of two files, or "
                            "twice.")
        arms = compare_arms(Path(a), arm[0], Path(b or a), arm[-1])
        print(show.as_json(arms.to_dict()) if json else arms_text(arms))
        raise typer.Exit(arms.exit_status)
    if b is None:
        raise BadOption("lab compare needs two files, or --arm twice to compare two arms of one.")
    found = compare_files(Path(a), Path(b))
    print(show.as_json(found.to_dict()) if json else comparison_text(found))
    raise typer.Exit(found.exit_status)


def _settings(full: bool, changes: list[str] | None, only: list[str] | None,
              seed: str) -> Settings:
    from zermelo.lab.plan import Settings

    return Settings(full, tuple(changes or ()), tuple(only or ()), opt.read_whole("--seed", seed))


def _plan(name: str, settings: Settings) -> ExperimentPlan:
    from zermelo.lab.experiment import experiment
    from zermelo.lab.plan import plan_of

    return plan_of(experiment(name), full=settings.full, changes=settings.changes,
                   only=settings.only, seed=settings.seed)


def _open(store: str | None, create: bool = False) -> Store:
    from zermelo.jobs.store import Store
    from zermelo.lab.experiment import store_path

    return Store(store_path(store), create=create)


def _results(name: str, settings: Settings, store: str | None, older: bool) -> tuple[Results, str]:
    """Return the results of an experiment, and its name."""
    from zermelo.lab.results import Results

    plan = _plan(name, settings)
    return Results(plan, _open(store), older), plan.experiment.name


@overload
def at_least_1(flag: str, text: str) -> int: ...
@overload
def at_least_1(flag: str, text: str | None) -> int | None: ...
def at_least_1(flag: str, text: str | None) -> int | None:
    """Read a whole number above 0, if one is given."""
    number = opt.maybe_whole(flag, text)
    if number is not None and number < 1:
        raise BadOption(f"{flag} {text} is not a whole number of at least 1.")
    return number


def _written(results: Results, files: list[Path], json: bool) -> None:
    """Name what was written; the exit status is 10 where results are missing."""
    _name_files({"files": [str(path) for path in files]}, json)
    if results.elsewhere is not None:
        print(f"note: {results.elsewhere}", file=sys.stderr)
    raise typer.Exit(0 if results.complete else 10)


def _name_files(record: dict[str, list[str]], json: bool) -> None:
    print(show.as_json(record) if json
          else "\n".join(f"wrote {file_name(path)}" for path in record["files"]))


Archive = Annotated[str, typer.Argument(
    metavar="FILE", help="An archive, such as results.parquet; its digest, results.parquet.sha256, "
    "lies beside it.")]
Names = Annotated[list[str] | None, typer.Argument(
    metavar="EXPERIMENT", help="These only, or FILE.py; by default all that are built in.")]
Archived = Annotated[list[str] | None, typer.Argument(
    metavar="EXPERIMENT", help="Only what the reports of these, or of FILE.py, are made of: of "
    "results by several versions of the code, those of this one or the newest; by default the "
    "whole store.")]
WithoutPositions = Annotated[bool, typer.Option(
    "--without-positions", help="Leave out positions and the moves of games. Digests stay: who "
    "tries a position can see by them whether it was searched.")]
Into = Annotated[str, typer.Option("--out", metavar="DIRECTORY", help="Where to write reports.")]


@lab.command()
def archive(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Such as results.parquet.")],
    experiments: Archived = None, without_positions: WithoutPositions = False,
    store: StoreFile = None, seed: opt.NoSeed = "0", json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Write the results of a store to one file, with its digest."""
    from zermelo.lab.archive import part_of, write_archive
    from zermelo.lab.experiment import experiment_names

    opt.read_whole("--seed", seed)  # checked, as everywhere
    if file.endswith(".py") or file in experiment_names():
        raise BadOption(f"{quoted(file)} is an experiment; before it comes the file to write, such "
                        "as results.parquet.")
    with closing(_open(store)) as opened:
        part = part_of(opened, experiments) if experiments else None
        written = write_archive(opened, Path(file), part, positions=not without_positions)
    _told(written, [] if part is None else part.notes, json)


@lab.command()
def rebuild(
    file: Archive, experiments: Names = None, out: Into = "results", seed: opt.NoSeed = "0",
    json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Make every report again from an archive, without running a search."""
    from zermelo.lab.archive import experiments_in, read_archive
    from zermelo.lab.report import rebuild as make

    opt.read_whole("--seed", seed)
    with Folder("zermelo-archive") as folder, \
            closing(read_archive(Path(file), folder / "lab.sqlite")) as store:
        written, notes = make(store, Path(out), experiments or (), experiments_in(Path(file)))
    _told(written, notes, json)


@lab.command()
def restore(
    file: Archive, store: StoreFile = None, seed: opt.NoSeed = "0", json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Add the results of an archive to a store, so that 'lab run' goes on from there."""
    from zermelo.lab.archive import restore as add
    from zermelo.lab.experiment import store_path

    opt.read_whole("--seed", seed)
    path = store_path(store)
    added, among = add(Path(file), path)
    if json:
        print(show.as_json({"store": str(path), "added": added, "there": among - added}))
        return
    print(f"added {counted(added, 'result')} to the store {file_name(path)}; "
          f"{among - added:,} of {among:,} were there already")


def _told(files: list[Path], notes: list[str], json: bool) -> None:
    """Name what was written, and what was left out: then the exit status is 10."""
    _name_files({"files": [str(path) for path in files], "notes": notes}, json)
    for note in [] if json else notes:
        print(f"note: {note}", file=sys.stderr)
    raise typer.Exit(10 if notes else 0)


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


@lab.command()
def tune(
    search: SearchText, vary: Vary = None, strategy: Strategy = "climb", game: Game = None,
    g: opt.Parameters = None, file: PositionFile = None, each: Each = None, random: Random = None,
    experiment: Of = None, take: Take = None, to_move: opt.ToMove = None, p: opt.Options = None,
    nodes: JobNodes = "1e6", memory: opt.Memory = None, goal: JobGoal = "win",
    knowledge: opt.Knowledge = False, seeds: Seeds = "1", concluded: Concluded = False,
    flat: Flat = "5", up: Up = False, trials: Trials = "50", store: StoreFile = None,
    workers: LabWorkers = None, backend: BackendName = "processes", cluster: LabCluster = None,
    retry: Retry = False, seed: opt.Seed = "0", json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Choose options of a search on one half of the positions; report them on the other half."""
    from zermelo.lab.experiment import MEMORY
    from zermelo.lab.tune import Tuning
    from zermelo.lab.tune import tune as run_tuning

    count, number = at_least_1("--workers", workers), at_least_1("--take", take)
    chance = opt.read_whole("--seed", seed)
    tuning = Tuning(
        opt.read_search(search, p), vary or [],
        _experiment_sets(experiment, game) if experiment is not None
        else _positions(game, g, file, each, random, to_move, number, chance),
        strategy=strategy, nodes=nodes, memory=memory or MEMORY, goal=goal, plain=not knowledge,
        seeds=at_least_1("--seeds", seeds), seed=chance, concluded=concluded, take=number,
        flat=at_least_1("--flat", flat), up=up, trials=at_least_1("--trials", trials))
    tuning.check()
    live = show.JobLive(quiet or json)
    with terminable(), closing(_open(store, create=True)) as opened:
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
    """Return the set of positions that the words name."""
    from zermelo.lab.experiment import each as each_of
    from zermelo.lab.experiment import generated

    if game is None or sum(word is not None for word in (file, each, random)) != 1:
        raise BadOption("a tuning needs positions: --game with one of --file, --each and --random, "
                        "or --experiment.")
    rules = opt.read_game(game, g)
    parameters: dict[str, Any] = {**opt.pairs(g or (), "-g")}
    if file is not None:
        return _from_file(rules, file, to_move)
    if each is not None:
        name, values = _range(each)
        if name in parameters:
            raise BadOption(f"--each {quoted(each)}: {quoted(name)} is also given with -g.")
        return each_of(game, name, values, **parameters)
    if "seed" in parameters:
        raise BadOption("--random and -g seed=... do not go together; use --each seed=LOW..HIGH.")
    return generated(game, opt.read_whole("--random", random or ""), take or RANDOM_COUNT,
                     seed=seed, **parameters)


def _from_file(rules: Rules, file: str, to_move: str | None) -> Positions:
    """Read a file of positions; a name that is not a file here is one of the data files."""
    from zermelo.lab.experiment import Positions, data_file

    path = file if file == "-" or Path(file).exists() else str(data_file(file))
    found = opt.read_file(rules, path, to_move)
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
    """Return the command as given; of files their names only."""
    return shlex.join(["zermelo", *(Path(word).name if Path(word).is_absolute() else word
                                    for word in words)])


SHOWN = 10
STEP = 100  # games between two words about progress

Files = Annotated[list[str], typer.Argument(
    metavar="FILES", help="Game records: SGF collections, or one line of moves per game.")]
Out = Annotated[str | None, typer.Option(
    "--out", metavar="FILE", help="Write the probabilities to this file, for games to load.")]
Skip = Annotated[str, typer.Option(
    "--skip", metavar=NUMBER, help="Leave out this many moves at the beginning of each game, such "
    "as random openings.")]
Prior = Annotated[str, typer.Option(
    "--prior", metavar=NUMBER, help="Add this many positions to each category, with moves of it "
    "played as often as those of an average category.")]

Note = Annotated[str, typer.Option(
    "--note", metavar="TEXT", help="Where the games come from; kept in the file.")]


@lab.command()
def estimate(
    game: opt.GameName, files: Files, out: Out = None, skip: Skip = "0", prior: Prior = "10",
    note: Note = "", g: opt.Parameters = None, seed: opt.NoSeed = "0", json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Estimate from game records how likely moves of each category are to be played."""
    from zermelo.lab.estimate import estimate as count

    rules = opt.read_game(game, g)
    check_file(out)

    def tell(name: str, games: int) -> None:
        if not quiet and not json and games % STEP == 0:
            print(f"{name}: {counted(games, 'game')}", file=sys.stderr, flush=True)

    opt.read_whole("--seed", seed)  # checked, as everywhere
    found = count(rules, files, skip=opt.read_whole("--skip", skip), note=note, tell=tell,
                  prior=opt.read_whole("--prior", prior))
    refused = [{"game": name, "why": why} for name, why in found.refused]
    try:
        print(show.as_json({**found.to_dict(), "refused": refused}) if json else
              estimate_text(found), flush=True)
    finally:
        if out is not None:
            text = json_text.dumps(found.to_dict(), indent=1, ensure_ascii=False)
            write_file(out, f"{text}\n")
    if out is not None and not json:
        print(f"wrote {file_name(out)}")


def estimate_text(found: Estimate) -> str:
    """Return the counts in words, and the categories at both ends."""
    rows = [[row["name"], f"{row['played']:,}", f"{row['available']:,}",
             f"{row['probability']:.4f}"]
            for row in sorted(found.to_dict()["categories"],
                              key=lambda row: -row["probability"]) if row["available"]]
    some = rows if len(rows) <= 2 * SHOWN else [
        *rows[:SHOWN], ["...", "...", "...", "..."], *rows[-SHOWN:]]
    lines = [f"{counted(found.games, 'game')}, {counted(found.positions, 'position')}; "
             f"{len(rows)} of {len(found.played)} categories came up", "",
             show.table(["category", "played", "available", "probability"], some)]
    if found.refused:
        lines += ["", f"refused {counted(len(found.refused), 'game')}:"]
        lines += [f"{shown(name)}: {why}" for name, why in found.refused]
    return "\n".join(lines)


SHOWN_DIFFERENCES = 20
SHOWN_REASON = 100  # characters
# What became of jobs without an answer: of one, and of several.
FAILED = {
    "crash": ("crashed", "crashed"),
    "error": ("ended with an error", "ended with an error"),
    "memory": ("ran out of memory", "ran out of memory"),
    "timeout": ("was killed after its time", "were killed after their time"),
}
SHOWN_IDS = 60
NOTHING = "nothing was compared: no task is in both"


def outcome_text(outcome: Outcome) -> str:
    """Return the end of a run in a sentence or two."""
    lines = [f"note: {note}" for note in outcome.notes]
    failed = ", ".join(f"{count:,} {FAILED[status][count > 1]}"
                       for status, count in sorted(outcome.statuses.items()) if status != "done")
    lines.append(f"{outcome.done:,} of {counted(outcome.total, 'job')} done, {outcome.ran:,} of "
                 f"them now, in {show.clock(outcome.seconds)}" + (f"; {failed}" if failed else ""))
    if failed:
        lines.append(f"the first that failed: {shortened(one_line(outcome.failure), SHOWN_REASON)}"
                     "; --retry runs those again")
    if outcome.interrupted:
        lines.append("interrupted: run the same command again to continue")
    return "\n".join(lines)


def statuses(plan: ExperimentPlan, store: Store) -> list[list[Any]]:
    """Return a line for each arm of a plan."""
    from zermelo.lab.results import Results

    results, found = Results(plan, store), []
    which = [plan.experiment.name, str(plan.settings) or "-"]
    for arm in plan.arms:
        entries = results.select(arm.name)
        counts = [results.number(word, arm.name) or 0
                  for word in ("jobs", "proved", "concluded", "failed")]
        found.append([*which, arm.name, counts[0], len(entries), *counts[1:]])
    if results.judged:
        rows = results.judge_rows.values()
        proved = sum(row["proved"] for row in rows)
        failed = sum(row["status"] != "done" for row in rows)
        found.append([*which, "judge", len(rows), len(results.judged), proved, proved, failed])
    return found


def arms_text(found: ArmComparison) -> str:
    """Return a comparison of two arms for people."""
    done = found.concluded
    lines = [f"A: {found.a}; B: {found.b}",
             f"{counted(found.both, 'position')} in both, {found.only_a:,} only in A, "
             f"{found.only_b:,} only in B"]
    if not found.both:
        return "\n".join([*lines, NOTHING])
    lines.append(f"concluded by both {done['both']:,}, by A alone {done['only_a']:,}, by B alone "
                 f"{done['only_b']:,}, by neither {done['neither']:,}")
    if found.nodes is not None:
        lines.append(f"A takes {found.nodes:.2f} x the nodes of B (geometric mean): fewer on "
                     f"{found.fewer:,}, as many on {found.equal:,}, more on {found.more:,}")
    lines += [one.text(alone=len(found.speeds) == 1) for one in found.speeds]
    lines += [f"proofs contradict each other on {position}: {a} by A, {b} by B"
              for position, a, b in found.contradictions]
    return "\n".join(lines)


def comparison_text(found: Comparison) -> str:
    """Return a comparison for people."""
    lines = [f"{counted(found.both, 'task')} in both, {found.only_a:,} only in A, "
             f"{found.only_b:,} only in B; {found.same:,} with the same answer and the same counts"]
    if not found.both:
        lines.append(NOTHING)
    lines += [one.text(alone=len(found.speeds) == 1) for one in found.speeds]
    if found.differences:
        rows = [[search, shortened(position or "-", 50), what, a or "-", b or "-"]
                for _, search, position, what, a, b in found.differences[:SHOWN_DIFFERENCES]]
        lines += ["", show.table(["search", "position", "what", "A", "B"], rows)]
        if len(found.differences) > SHOWN_DIFFERENCES:
            lines.append(f"... and {len(found.differences) - SHOWN_DIFFERENCES:,} more")
    return "\n".join(lines)


def tuned_text(tuned: Tuned) -> str:
    """Return the results of a tuning: split, best and default on both halves, and the cost."""
    from zermelo.lab.tune import text_of

    tuning = tuned.tuning
    nodes = tuning.halves[0][0].job.nodes
    lines = [f"{tuning.search.id}: {', '.join(tuning.vary)} by {tuning.strategy}; {nodes:,} nodes "
             "per job, twice as many if unsolved (PAR-2)"]
    for what, half in zip(("training", "held out"), tuning.halves, strict=True):
        names = tuning.names(half)
        ids = shortened(" ".join(names), SHOWN_IDS)
        lines.append(f"{what}: {counted(len(names), 'position')}, by seed {tuning.seed}: {ids}")
    rows = [["best on training", "-" if tuned.best is None else text_of(tuned.best),
             *_halves(tuned.training, tuned.held_out)],
            ["default", text_of(tuned.default),
             *_halves(tuned.default_training, tuned.default_held_out)]]
    header = ["", "options", "training", "solved", "held out", "solved"]
    lines += ["", show.table(header, rows), "", *_verdict(tuned)]
    lines += [f"note: {note}" for note in tuned.notes]
    if tuned.interrupted:
        lines.append("interrupted: run the same command again to continue")
    return "\n".join(lines)


def _halves(*scores: TuningScore | None) -> list[str]:
    cells = []
    for score in scores:
        cells += ["-", "-"] if score is None else [
            f"{score.par2:,.0f}", f"{score.solved} of {len(score.costs)}"]
    return cells


def _verdict(tuned: Tuned) -> list[str]:
    lines = []
    if tuned.best is not None and tuned.nothing_solved:
        lines.append("nothing was solved: all points are equal, so the choice means nothing; "
                     "raise --nodes")
    elif tuned.ratio is not None and tuned.against_default is not None:
        count = tuned.against_default
        lines.append(f"held out, the best takes {100 * tuned.ratio:.1f} % of the default's nodes: "
                     f"fewer on {count['fewer']}, as many on {count['equal']}, more on "
                     f"{count['more']}")
    stopped = sum(point["above"] is not None for point in tuned.points)
    lines.append(f"the tuning itself took {tuned.cost:,} nodes: {counted(tuned.jobs, 'job')} at "
                 f"{counted(len(tuned.points), 'point')}" +
                 (f", {stopped:,} of them given up at a limit" if stopped else ""))
    lines.append(f"{counted(tuned.ran, 'job')} run now, in {show.clock(tuned.seconds)}")
    return lines
