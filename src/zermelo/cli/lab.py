"""``zermelo lab``: run experiments, and make reports of what they found."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import show
from zermelo.cli.options import NUMBER, Json, NoSeed, Quiet, Seed
from zermelo.cli.read import read_whole
from zermelo.cli.signals import terminable
from zermelo.errors import BadOption, ZermeloError, counted, file_name

if TYPE_CHECKING:
    from zermelo.jobs.store import Store
    from zermelo.lab.plan import Plan, Settings
    from zermelo.lab.results import Results

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
Folder = Annotated[str | None, typer.Option(
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
    from zermelo.lab.data import check_packages

    if context.invoked_subcommand is None:
        print(context.get_help())
    else:
        check_packages()


@lab.command("list")
def list_experiments(json: Json = False, quiet: Quiet = False, seed: NoSeed = "0") -> None:
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
    cluster: LabCluster = None, retry: Retry = False, seed: Seed = "0", json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run or resume an experiment and print its tables. Ctrl-C keeps finished results."""
    from zermelo.cli.lab_show import Live, outcome_text
    from zermelo.jobs.store import Store
    from zermelo.lab.data import store_path
    from zermelo.lab.report.tables import all_tables
    from zermelo.lab.results import Results
    from zermelo.lab.run import run as run_plan

    count = None if workers is None else at_least_1("--workers", workers)
    plan = _plan(experiment, _settings(full, set, only, seed))
    live = Live(quiet or json)
    command = shlex.join([*plan.command("run"), *([] if workers is None else
                                                  ["--workers", workers])])
    with terminable(), closing(Store(store_path(store))) as opened:
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
    store: StoreFile = None, seed: SeedOfRun = "0", json: Json = False, quiet: Quiet = False,
) -> None:
    """Show the progress of experiments, and the settings they were run with."""
    from zermelo.cli.lab_show import statuses
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
    """The settings that were asked for; where there were none, all that have results."""
    from zermelo.lab.experiment import experiment
    from zermelo.lab.plan import settings_of_runs

    if asked.words():
        return [asked]
    return settings_of_runs(store, experiment(name).name) or [asked]


@lab.command()
def report(
    experiment: Name, full: FullRun = False, set: Changes = None, only: Only = None,
    store: StoreFile = None, out: Folder = None, older: Older = False, seed: SeedOfRun = "0",
    json: Json = False, quiet: Quiet = False,
) -> None:
    """Write a report: HTML, Markdown and figures."""
    from zermelo.lab.report.report import write_report
    from zermelo.lab.results import Results

    plan = _plan(experiment, _settings(full, set, only, seed))
    results = Results(plan, _open(store), older)
    _written(write_report(results, Path(out or f"{plan.experiment.name}-report")), json)
    _point_elsewhere(results)
    raise typer.Exit(0 if results.complete else 10)


@lab.command()
def export(
    experiment: Name, full: FullRun = False, set: Changes = None, only: Only = None,
    store: StoreFile = None, out: Folder = None, parquet: Parquet = False, older: Older = False,
    seed: SeedOfRun = "0", json: Json = False, quiet: Quiet = False,
) -> None:
    """Write all results as CSV, with the environment and digests."""
    from zermelo.lab.report.report import write_export
    from zermelo.lab.results import Results

    plan = _plan(experiment, _settings(full, set, only, seed))
    results = Results(plan, _open(store), older)
    _written(write_export(results, Path(out or f"{plan.experiment.name}-export"), parquet), json)
    _point_elsewhere(results)
    raise typer.Exit(0 if results.complete else 10)


@lab.command()
def compare(
    a: ResultFile, b: OtherFile = None, arm: Arms = None, json: Json = False, quiet: Quiet = False,
    seed: NoSeed = "0",
) -> None:
    """Compare two sets of results: do they agree, which is faster? Or two arms: --arm A --arm B."""
    from zermelo.cli.lab_show import arms_text, comparison_text
    from zermelo.lab.compare import compare as compare_files
    from zermelo.lab.compare import compare_arms

    read_whole("--seed", seed)  # checked, as everywhere
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

    return Settings(full, tuple(changes or ()), tuple(only or ()), read_whole("--seed", seed))


def _plan(name: str, settings: Settings) -> Plan:
    from zermelo.lab.experiment import experiment
    from zermelo.lab.plan import plan_of

    return plan_of(experiment(name), full=settings.full, changes=settings.changes,
                   only=settings.only, seed=settings.seed)


def _open(store: str | None) -> Store:
    from zermelo.jobs.store import Store
    from zermelo.lab.data import store_path

    return Store(store_path(store), create=False)


def at_least_1(flag: str, text: str) -> int:
    """A whole number above 0."""
    number = read_whole(flag, text)
    if number < 1:
        raise BadOption(f"{flag} {text} is not a whole number of at least 1.")
    return number


def _point_elsewhere(results: Results) -> None:
    if results.elsewhere is not None:
        print(f"note: {results.elsewhere}", file=sys.stderr)


def _written(files: list[Path], json: bool) -> None:
    if json:
        print(show.as_json({"files": [str(path) for path in files]}))
    else:
        for path in files:
            print(f"wrote {file_name(path)}")
