"""``zermelo problem``: solve an AND/OR problem of a file, and check its certificates."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from zermelo.cli import options as opt
from zermelo.cli import show
from zermelo.cli.options import NUMBER
from zermelo.cli.terminal import LiveLine, check_file, terminable
from zermelo.errors import (
    BadCertificate,
    BadProblem,
    BadRule,
    ZermeloError,
    check_whole,
    counted,
    file_name,
    listed,
    quoted,
)
from zermelo.solving.result import Limits

if TYPE_CHECKING:
    from zermelo.problems.problem import Problem
    from zermelo.problems.result import ProblemProgress, ProblemResult

HAPPENED = "zermelo: this happened in "
PACKAGE = str(Path(__file__).parents[1])

ProblemName = Annotated[str, typer.Argument(
    metavar="FILE.py:NAME", help="A problem in a file of yours: NAME = zermelo.problem(...).")]
ProblemSearch = Annotated[str, typer.Option(
    "--search", "-s", metavar="ID", help="pn, deep-pn, df-pn, weak-df-pn or deep-df-pn, also as "
    "ID:NAME=VALUE,...")]
ProblemGoal = Annotated[str, typer.Option(
    "--goal", metavar="GOAL", help="solve: a solution; cheapest: until none can cost less; all: "
    "expand all there is.")]
Batch = Annotated[str, typer.Option(
    "--batch", metavar=NUMBER, help="How many nodes expand_many is given at a time.")]
Routes = Annotated[str, typer.Option(
    "--routes", metavar=NUMBER, help="Print up to this many routes, cheapest first.")]
WriteProof = Annotated[str | None, typer.Option(
    "--proof", metavar="FILE", help="Write a certificate of the answer, and check it.")]
CheckProof = Annotated[str | None, typer.Option(
    "--check", metavar="FILE", help="Solve nothing: check a certificate that was written.")]


def problem(
    name: ProblemName, search: ProblemSearch = "pn", p: opt.Options = None,
    goal: ProblemGoal = "solve", batch: Batch = "1", routes: Routes = "1", nodes: opt.Nodes = None,
    time: opt.Time = None, memory: opt.Memory = None, seed: opt.Seed = "0",
    proof: WriteProof = None, check: CheckProof = None, json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Solve an AND/OR problem of a file of yours, and print its cheapest routes."""
    given = problem_in_file(name)
    if check is not None:
        raise typer.Exit(tell_checked(given, check, json))
    check_file(proof)
    most = opt.read_whole("--routes", routes)
    check_whole("--routes", most, 0)
    session = given.start(opt.read_search(search, p), goal=cast(Any, goal),
                          batch=opt.read_whole("--batch", batch),
                          seed=opt.read_whole("--seed", seed))
    live = LiveLine(quiet or json)
    with terminable():
        try:
            result = session.run(Limits(nodes, time, memory),
                                 lambda progress: live.line(in_words(progress)))
        except ZermeloError:
            raise
        except Exception as error:
            raise failed(error) from None
        finally:
            live.close()
    found = result.routes(most) if most else []
    answer: dict[str, Any] = {**result.to_dict(), "routes": [
        {"cost": route.cost, "text": str(route)} for route in found]}
    text = "\n".join([str(result), *map(str, found)])
    try:
        if proof is not None:
            answer["proof"] = None
            answer["proof"], said = written(result, proof)
            text += f"\n{said}"
    finally:  # whatever happens to the file, the answer is told
        print(show.as_json(answer) if json else text, flush=True)
    raise typer.Exit(0 if result.complete else 10)


def tell_checked(given: Problem, path: str, json: bool) -> int:
    """Print what a certificate proves, or why it does not; return the exit status of ``verify``."""
    try:
        verdict, reason = "verified", checked(given, path)
    except BadCertificate as error:
        if isinstance(error.__context__, OSError):  # not read is not refused
            raise
        verdict, reason = "refused", str(error)
    print(show.as_json({"verdict": verdict, "reason": reason}) if json else f"{verdict}: {reason}")
    return 0 if verdict == "verified" else 1


def problem_in_file(name: str) -> Problem:
    """Return the problem that ``path/to/file.py:NAME`` names, or the only one in the file."""
    from zermelo.core.game_files import load_file
    from zermelo.problems.problem import Problem

    path, _, wanted = name.rpartition(":") if ".py:" in name else (name, "", "")
    found = {key: value for key, value in vars(load_file(Path(path))).items()
             if isinstance(value, Problem)}
    if not wanted and len(found) == 1:
        return next(iter(found.values()))
    if wanted not in found:
        lacks = f"has no problem {quoted(wanted)}" if wanted else "does not hold just one problem"
        raise BadProblem(f"the file {file_name(path)} {lacks}; problems in it: {listed(found)}. A "
                         "problem is a line NAME = zermelo.problem(...).")
    return found[wanted]


def checked(given: Problem, path: str) -> str:
    """Return what a certificate proves about the root."""
    from zermelo.proof.problem import answers_of, verify_problem

    try:
        if not Path(path).is_fifo():  # which is refused, and not waited for
            Path(path).open().close()  # no certificate is not a refused one
    except OSError as error:
        raise BadProblem(f"can't read the file {file_name(path)}: {error.strerror}.") from None
    try:
        return verify_problem(given.root, answers_of(given), path)
    except ZermeloError:
        raise
    except Exception as error:
        raise failed(error) from None


def written(result: ProblemResult, path: str) -> tuple[str | None, str]:
    """Write a certificate and check it; return the file, and a sentence."""
    if result.status == "unknown":
        return None, "no certificate: nothing is proved"
    try:
        result.write_certificate(path)
    except OSError as error:
        raise BadProblem(f"can't write the file {file_name(path)}: {error.strerror}.") from None
    return path, f"certificate {path}; verified: {checked(result.problem, path)}"


def failed(error: Exception) -> BadRule:
    """Return an error for one that a function of the problem raised: a sentence, then the place."""
    below = error.__traceback__
    while below is not None and below.tb_frame.f_code.co_filename.startswith(PACKAGE):
        below = below.tb_next
    where = next((note.removeprefix(HAPPENED).rstrip(".")
                  for note in getattr(error, "__notes__", ())), "a function of the problem")
    error.__notes__ = []  # it is said before
    lines = traceback.format_exception(type(error), error, below)
    return BadRule(f"{where} raised {type(error).__name__}:\n{''.join(lines).rstrip()}", error)


def in_words(progress: ProblemProgress) -> str:
    """Return the state of the search in words."""
    numbers = ", ".join(f"{name} {value}" for name, value in progress.root.items())
    return (f"{progress.seconds:.0f} s, {counted(progress.nodes, 'node')}, "
            f"{counted(progress.iterations, 'expansion')}, "
            f"{progress.bytes / 1e6:,.0f} MB, {numbers}")
