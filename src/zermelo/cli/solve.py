"""Commands that prove: solve a position, alone or with several workers, or a file of positions; go
on with a search that was kept."""

from __future__ import annotations

import errno
import os
import shlex
import stat
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import BAD_INPUT, FAILED, INTERRUPTED, show
from zermelo.cli import options as opt
from zermelo.cli.options import NUMBER
from zermelo.cli.terminal import check_file, source, stopping, terminable, write_file
from zermelo.errors import (
    BadCheckpoint,
    BadOption,
    BadPosition,
    ProofFailure,
    ZermeloError,
    counted,
    file_name,
    one_line,
)
from zermelo.solving.result import Limits, goal_named
from zermelo.storage.whole_files import COMMENT_LINE, file_text

if TYPE_CHECKING:
    from zermelo.cluster.journal import JournalFailure
    from zermelo.cluster.session import ClusterProgress
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.engine import Line
    from zermelo.playing import Guess
    from zermelo.proof.write import Written
    from zermelo.search.base import Search
    from zermelo.solving.analysis import Analysis
    from zermelo.solving.checkpoint import Keeper
    from zermelo.solving.result import Result
    from zermelo.solving.session import Session

REFUSED, UNKNOWN = 1, 10  # by the check of what workers reported; not proved


@dataclass(frozen=True)
class AnswerFiles:
    """The files to write beside an answer, and the form of the answer."""

    proof: str | None
    json: bool
    quiet: bool
    svg: str | None = None
    sgf: str | None = None

    def check(self, position: Position) -> None:
        """Refuse now a picture or a game record that could not be written after a long search."""
        if self.sgf is not None:
            position.game.sgf(position)
        for path in (self.svg, self.sgf):
            check_file(path)

    def write(self, result: Result) -> None:
        """Write the position with the line, as a picture and as a game record."""
        if self.svg is not None:
            write_file(self.svg, result.svg() + "\n")
        if self.sgf is not None:
            write_file(self.sgf, result.position.game.sgf(result.last) + "\n")


class Solver(ABC):
    """A search that ``answer`` runs, shows and certifies."""

    unproved: str | None = None  # why there is no certificate

    def __init__(self, position: Position, out: AnswerFiles, live: show.Live) -> None:
        self.position, self.out, self.live = position, out, live

    def check(self, proof: str) -> None:
        """Refuse a certificate that could not be written in the end."""
        from zermelo.proof.write import check_place

        check_place(self.position, proof)

    def opened(self) -> AbstractContextManager[Any]:
        """Open what is needed from the first visit to the certificate."""
        return nullcontext()

    def interrupts(self) -> AbstractContextManager[Any]:
        """Set how Ctrl-C ends the search."""
        return nullcontext()

    @abstractmethod
    def search(self, limits: Limits) -> Result:
        """Search; an interrupt is a result, too."""

    @abstractmethod
    def session(self) -> Session:
        """Return a session about the position, for a best guess."""

    @abstractmethod
    def certify(self, proof: str, result: Result) -> tuple[Written | None, Result]:
        """Write the certificate of what is proved, which may make the result surer."""

    def disproved(self, failure: ProofFailure) -> int:
        """Return the exit status where a certificate was refused, so that the answer is in
        doubt."""
        raise failure

    def conclude(self, result: Result) -> int:
        """Print what follows the answer; return the exit status."""
        if self.unproved is not None:
            print(f"no certificate: {self.unproved}", file=sys.stderr)
        return result.exit_status


def answer(solver: Solver, limits: Limits) -> int:
    """Search, write the certificate, print what is found; return the exit status."""
    position, live, out, written = solver.position, solver.live, solver.out, None
    out.check(position)
    if out.proof is not None:
        solver.check(out.proof)
    seen = "" if out.json or not sys.stdout.isatty() else position.diagram
    if seen:  # a search may take long
        print("\n".join(show.board(position, seen)), flush=True)
    failed: BaseException | None = None
    with terminable(), solver.opened():
        with solver.interrupts():
            result = solver.search(limits)
            guessed = None if result.concluded else best_guess(solver.session(), limits, live)
        if out.proof is not None:
            try:
                written, result = solver.certify(out.proof, result)
            except ProofFailure as failure:
                live.close()
                return solver.disproved(failure)
            except (ZermeloError, KeyboardInterrupt) as error:  # keep what there is
                failed = error
    live.close()
    try:
        if out.json:
            proof = {} if out.proof is None else {
                "proof": None if written is None else written.to_dict()}
            print(show.as_json({**record_of(result, guessed), **proof}), flush=True)
        else:
            lines = [show.solved(result, seen, guessed)]
            lines += [] if written is None else [show.certificate(written, result.goal)]
            print("\n".join(lines), flush=True)
    finally:  # where standard output is full, too
        with nullcontext() if failed is None else suppress(ZermeloError):
            out.write(result)
    if failed is not None:
        raise failed
    return solver.conclude(result)


def record_of(result: Result | Analysis, guessed: Guess | None) -> dict[str, Any]:
    """Return an answer as JSON has it."""
    return {**result.to_dict(), "guess": None if guessed is None else guessed.to_dict()}


def best_guess(session: Session, limits: Limits, live: show.Live,
               losing: Collection[str] = ()) -> Guess | None:
    """Return a move to play where nothing is proved, found within a tenth of ``limits``; None if an
    interrupt comes first."""
    from zermelo.playing import BY_EVALUATION, guess

    live.what = f"{BY_EVALUATION} for {session.position.game.name}, for a best guess"
    try:
        return guess(session, limits, losing=losing)
    except KeyboardInterrupt:
        return None


class Alone(Solver):
    """The search of a session. ``proof_memory``: what a certificate may take to be made;
    ``own_game``: the word for it, if the game is the user's own."""

    lost: BadCheckpoint | None = None

    def __init__(self, session: Session, limits: Limits, out: AnswerFiles,
                 keeper: Keeper | None = None, proof_memory: int | None = None,
                 own_game: Sequence[str] = ()) -> None:
        position = session.position
        super().__init__(position, out, show.Live(
            out.quiet or out.json, f"{session.search.id} for {position.game.name}",
            unlimited=limits.nodes is None and limits.time is None))
        self._session, self.keeper = session, keeper
        self.proof_memory, self.own_game = proof_memory, own_game

    def check(self, proof: str) -> None:
        """Refuse a certificate that could not be written in the end."""
        from zermelo.solving.certify import check_in_advance

        check_in_advance(self._session, proof)

    def interrupts(self) -> AbstractContextManager[Any]:
        """Let a search that is kept come to rest first."""
        return nullcontext() if self.keeper is None else stopping(self._session.cancel)

    def search(self, limits: Limits) -> Result:
        """Search, and keep where it is."""
        self._session.advance(limits, self.live, self.keeper)
        if self.keeper is not None:
            self._keep_last(self.keeper)
        return self._session.result()

    def _keep_last(self, keeper: Keeper) -> None:
        """Write the last checkpoint, before the walk through the proof, which fills tables; note
        what went wrong, if there is none at all."""
        solved = self._session.stopped in ("solved", "precision", "candidates")
        try:
            if keeper.write(last=True) and not solved and not self.out.quiet:
                self.live.say(
                    f"the search is kept in {file_name(keeper.path)}; to go on from here: "
                    f"zermelo resume {shlex.join([*self.own_game, str(keeper.path)])}")
        except BadCheckpoint as error:
            self.lost = error

    def session(self) -> Session:
        """Return the session itself."""
        return self._session

    def certify(self, proof: str, result: Result) -> tuple[Written | None, Result]:
        """Write the certificate of what is proved."""
        from zermelo.solving.certify import write_proof

        if not (result.proved or result.partial):
            self.unproved = "nothing is proved"
            return None, result
        return write_proof(self._session, proof, memory=self.proof_memory,
                           progress=self.live.certificate), result

    def conclude(self, result: Result) -> int:
        """Print that there is no certificate, that the game is not checked, what was not kept."""
        status = super().conclude(result)
        if not (self.out.json or self.out.quiet):
            from zermelo.core.game_files import reminder

            sentence = reminder(self.position.game)
            if sentence is not None:
                show.warn(sentence)
        if self.lost is not None:  # the answer comes first
            raise self.lost
        return status


LIMITS = {"nodes": "--nodes", "time": "--time"}  # by the word for a search that met it


@dataclass(frozen=True)
class CrewOptions:
    """The number of workers, their place, and what is kept; ``command`` is what was typed."""

    workers: int
    threads: int
    journal: str | None
    cluster: str | None
    deterministic: bool
    command: list[str]

    def again(self, stopped: str) -> str:
        """Return the command to go on with: the same, without the limit that stopped it."""
        words, limit = list[str](), LIMITS.get(stopped)
        left = iter(self.command[1:])
        for word in left:
            if word == limit:
                next(left, None)
            elif limit is None or not word.startswith(f"{limit}="):
                words.append(word)
        return shlex.join(["zermelo", *words])

    @property
    def advice(self) -> str | None:
        """A sentence about what would usually be faster, if something would: threads share a
        table."""
        if self.workers == 1 or self.threads > 1 or self.cluster is not None or self.deterministic:
            return None
        alone = f"--threads {self.workers} or " if self.journal is None else ""
        return (f"on one machine, {alone}--workers 1 --threads {self.workers} is usually faster "
                f"than --workers {self.workers}: threads share a table, workers do much twice")


class Together(Solver):
    """The search of several workers."""

    broken: JournalFailure | None = None  # why the journal can't be written
    stopped = ""
    known = False  # whether there is something to prove

    def __init__(self, start: Position, search: Search, limits: Limits, crew: CrewOptions,
                 out: AnswerFiles, **asked: Any) -> None:
        self.crew_live = CrewLive(out.quiet or out.json, f"{search.id} for {start.game.name}")
        super().__init__(start, out, self.crew_live)
        self.chosen, self.limits, self.crew, self.asked = search, limits, crew, asked

    def opened(self) -> AbstractContextManager[Any]:
        """Start the workers."""
        from zermelo.cluster.session import Distributed

        crew = self.crew
        self.solver = Distributed(
            self.position, self.chosen, workers=crew.workers, threads=crew.threads,
            memory=self.limits.memory, journal=crew.journal,
            backend="local" if crew.cluster is None else "ray", cluster=crew.cluster,
            rounds=crew.deterministic, **self.asked)
        return self.solver

    def search(self, limits: Limits) -> Result:
        """Search, and report trouble with the journal later."""
        from zermelo.cluster.journal import JournalFailure
        from zermelo.cluster.session import result_of

        if self.crew.advice is not None and not self.live.quiet:
            show.warn(self.crew.advice)
        try:
            result = self.solver.run(limits, self.crew_live.workers)
        except JournalFailure as failure:
            self.broken, result = failure, result_of(self.solver)
        self.stopped, self.known = result.stopped, result.by is not None
        return result

    def session(self) -> Session:
        """Return a session that knows what the workers do."""
        from zermelo.cluster.session import session_of

        return session_of(self.solver, self.asked["plain"])

    def certify(self, proof: str, result: Result) -> tuple[Written | None, Result]:
        """Write the certificate of what is proved, within the time that is left."""
        from zermelo.cluster.certificate import OutOfTime
        from zermelo.cluster.session import result_of

        if self.broken is not None:
            return None, result
        if self.solver.interrupted or not self.known:
            self.unproved = "interrupted" if self.known else "nothing is proved"
            return None, result
        try:
            written = self.solver.write_proof(proof, time=self.limits.time,
                                              progress=self.live.certificate)
        except OutOfTime as error:
            self.unproved, self.stopped = one_line(error), "time"
        except KeyboardInterrupt:
            self.unproved = "interrupted"
        else:
            return written, result_of(self.solver)
        return None, result

    def disproved(self, failure: ProofFailure) -> int:
        """Report what a worker got wrong."""
        show.warn(str(failure))
        return REFUSED

    def conclude(self, result: Result) -> int:
        """Print how to go on, and why there is no certificate."""
        if self.broken is not None:
            show.warn(str(self.broken))
            return FAILED
        unfinished = self.solver.interrupted or result.exit_status == UNKNOWN or (
            self.unproved is not None and self.known)
        if unfinished and self.crew.journal is not None:
            show.warn(f"what was found is kept; to go on: {self.crew.again(self.stopped)}")
        status = super().conclude(result)
        return INTERRUPTED if self.unproved == "interrupted" else status


class CrewLive(show.Live):
    """Progress of several workers."""

    trouble = ""

    def workers(self, progress: ClusterProgress) -> None:
        """Report trouble with a worker at once, and the rest if it is time."""
        if progress.trouble != self.trouble:
            self.trouble = progress.trouble
            self.note(f"{self.trouble}; another one takes its place")
        if self.is_time():
            self.parts(how_far(progress))


def how_far(progress: ClusterProgress) -> list[str]:
    """Return how far several workers are, most telling numbers first."""
    settled, moves = progress.settled
    return [
        f"{progress.question} {progress.seconds:.0f} s",
        f"{progress.flying} of {counted(progress.workers, 'worker')} busy",
        *([f"{settled} of {counted(moves, 'move')} settled"] if moves else []),
        f"{show.roughly(progress.visits, 'visit')} in {counted(progress.jobs, 'job')}",
        f"efficiency {progress.efficiency:.0%}", f"pn {progress.pn:,}, dn {progress.dn:,}",
        *([f"{progress.lost} lost"] if progress.lost else []),
    ]


SolvePosition = Annotated[str | None, typer.Argument(
    metavar="POSITION", help="A position in the game's notation, 'start', or - for standard "
    "input; by default the start of the game.")]
SolveSearch = Annotated[str | None, typer.Option(
    "--search", "-s", metavar="ID",
    help=f"{opt.A_SEARCH}; auto: picked by looking at the position.")]
Threads = Annotated[str, typer.Option(
    "--threads", metavar=NUMBER, help="Threads for one search; only depth-first searches can use "
    "more than 1.")]
Candidates = Annotated[bool, typer.Option(
    "--candidates", help="Let the attacker try only the game's candidate moves, such as checks; if "
    "they run out, the answer is unknown.")]
ZoneOptions = Annotated[str | None, typer.Option(
    "--zones", metavar="NAME=VALUE,...", help="Use candidates with relevance zones, and set these "
    "options: width, depth, effort, threats, eager.")]
Trace = Annotated[str | None, typer.Option(
    "--trace", metavar=NUMBER, help="Sample the root every NUMBER iterations, for --json.")]
Checkpoint = Annotated[str | None, typer.Option(
    "--checkpoint", metavar="FILE", help="Keep the search in a file as it goes on; 'zermelo resume "
    "FILE' goes on from there.")]
Every = Annotated[str | None, typer.Option(
    "--every", metavar=NUMBER, help="Write the checkpoint this often, e.g. 30s or 5m; by default "
    "every 60 s, or less often where writing would take more than 2 % of the time.")]
Svg = Annotated[str | None, typer.Option(
    "--svg", metavar="FILE", help="Draw the position, with the line where stones can be numbered.")]
Sgf = Annotated[str | None, typer.Option(
    "--sgf", metavar="FILE", help="Write the moves and the line as SGF (k-in-a-row games).")]
BatchFile = Annotated[str | None, typer.Option(
    "--file", metavar="FILE", help="Solve the positions of a file, one per line; - for standard "
    "input. Needs --jsonl.")]
JsonLines = Annotated[bool, typer.Option(
    "--jsonl", help="Print a line of JSON for every position of --file, as soon as it is known.")]
CrewSize = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="Let this many workers, processes of their own, search one "
    "position together: for several machines; on one, --threads does less work twice.")]
JournalFile = Annotated[str | None, typer.Option(
    "--journal", metavar="FILE", help="With --workers: keep every result in this file; the same "
    "command goes on from there.")]
ClusterAddress = Annotated[str | None, typer.Option(
    "--cluster", metavar="ADDRESS", help="With --workers: let them run on the Ray cluster at this "
    "address; 'local' begins one on this machine.")]
Deterministic = Annotated[bool, typer.Option(
    "--deterministic", help="With --workers: work in rounds, so that the same work is done every "
    "time.")]


def solve(
    game: opt.GameName, position: SolvePosition = None, search: SolveSearch = None,
    p: opt.Options = None, g: opt.Parameters = None, goal: opt.Goal = "value",
    nodes: opt.Nodes = None, time: opt.Time = None, memory: opt.Memory = None,
    threads: Threads = "1", seed: opt.Seed = "0", plain: opt.Plain = False,
    candidates: Candidates = False, zones: ZoneOptions = None, to_move: opt.ToMove = None,
    trace: Trace = None, checkpoint: Checkpoint = None, every: Every = None,
    proof: opt.Proof = None, svg: Svg = None, sgf: Sgf = None, file: BatchFile = None,
    jsonl: JsonLines = False, workers: CrewSize = None, journal: JournalFile = None,
    cluster: ClusterAddress = None, deterministic: Deterministic = False, json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Prove who wins a position, and show the line."""
    rules = opt.read_game(game, g)
    if workers is None:
        refuse({"--journal": journal, "--cluster": cluster, "--deterministic": deterministic},
               "needs --workers, such as --workers 2")
    else:
        refuse({"--file": file, "--jsonl": jsonl, "--trace": trace, "--candidates": candidates,
                "--zones": zones, "--checkpoint": checkpoint, "--every": every},
               "does not go with --workers")
    if file is None and not jsonl:  # before the searches are loaded
        start = opt.read_position(rules, "start" if position is None else position, to_move)
    elif file is None or not jsonl:
        raise BadOption("solve needs --file and --jsonl together: positions from a file, answers "
                        "as lines of JSON.")
    refuse({} if file is None else {
        "a position": position, "--proof": proof, "--svg": svg, "--sgf": sgf, "--json": json,
        "--checkpoint": checkpoint}, "is for one position, not for --file")
    from zermelo.solving.auto import AUTO, search_for
    from zermelo.solving.session import Session

    narrow = opt.read_zones(candidates, zones)
    if search == AUTO and p:
        raise BadOption(f"-p {p[0]}: which search {AUTO} picks is not known yet; name the search "
                        "to give it options.")
    usual = search in (None, AUTO) and not p  # a small game is solved whole beside it
    chosen = search if usual else opt.read_search(search, p, rules, narrow=bool(narrow))
    limits = Limits(nodes, time, memory)
    number, each = opt.read_whole("--seed", seed), opt.read_whole("--threads", threads)
    begin = partial(
        Session, search=chosen, goal=goal_named(goal), seed=number, plain=plain, threads=each,
        candidates=narrow, trace=opt.maybe_whole("--trace", trace))
    if file is not None:
        raise typer.Exit(solve_all(rules, file, to_move, begin, limits))
    out = AnswerFiles(proof, json, quiet, svg, sgf)
    if workers is not None:
        crew = CrewOptions(opt.read_whole("--workers", workers), each, journal, cluster,
                           deterministic, sys.argv)
        solver: Solver = Together(start, search_for(start, chosen, plain=plain), limits, crew, out,
                                  goal=goal, seed=number, plain=plain)
    else:
        session = begin(start)
        solver = Alone(session, limits, out, _keeper(session, checkpoint, every), limits.memory,
                       [game] if ".py" in game else [])
    raise typer.Exit(answer(solver, limits))


def refuse(options: Mapping[str, Any], why: str) -> None:
    """Refuse the options that are given, by name, with the rest of a sentence about them."""
    for name, given in options.items():
        if given not in (None, False):
            raise BadOption(f"{name} {why}.")


def _keeper(session: Session, checkpoint: str | None, every: str | None) -> Keeper | None:
    """Return what writes checkpoints, if they are wanted."""
    seconds = opt.read_every(every)
    if checkpoint is None:
        if every is not None:
            raise BadOption("--every needs --checkpoint, the file to write.")
        return None
    from zermelo.solving.checkpoint import Keeper, check_new

    check_new(session, checkpoint)
    return Keeper(session, checkpoint, seconds, show.warn)


def solve_all(game: Game, file: str, to_move: str | None,
              begin: Callable[[Position], Session], limits: Limits) -> int:
    """Print an answer for each line with a position, within ``limits`` for each; return the exit
    status.

    A line that is no position is answered by an object with an ``error``, and the next one is
    taken. 0: all proved, 10: not all, 2: some were no positions.
    """
    status, found = 0, False
    with terminable():
        for number, line in _lines(file):
            found = True
            answer: dict[str, Any] = {"line_number": number}
            try:
                answer.update(_solved(game, line, to_move, begin, limits))
            except ZermeloError as error:
                answer["error"], status = str(error), BAD_INPUT
            else:
                status = status or (0 if answer["proved"] else UNKNOWN)
            print(show.as_json(answer), flush=True)
            if answer.get("stopped") == "interrupted":
                return INTERRUPTED
    if not found:
        raise BadOption(f"the file {file_name(file)} holds no position; it needs one per line.")
    return status


def _solved(game: Game, line: Line, to_move: str | None, begin: Callable[[Position], Session],
            limits: Limits) -> dict[str, Any]:
    """Return the answer for one line, as ``solve --json`` gives it."""
    from zermelo.engine import TooLong
    from zermelo.playing import guess

    if not isinstance(line, str):
        raise BadPosition(TooLong.sentence)
    session = begin(game.parse(line, to_move))
    result = session.run(limits)
    guessed = None if result.concluded else guess(session, limits)
    return record_of(result, guessed)


def _lines(file: str) -> Iterator[tuple[int, Line]]:
    """Yield the lines with a position and their numbers; those of standard input as they come."""
    from zermelo.engine import InputLines

    lines: Iterator[Line] = (iter(InputLines(source()).next, None) if file == "-"
                             else iter(file_text(file).splitlines()))
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str) or not COMMENT_LINE.match(line):
            yield number, line


JOURNAL = b"SQLite format 3"  # how the file begins
KEPT = "checkpoint or journal"
GameAndCheckpoint = Annotated[list[str], typer.Argument(
    metavar="[GAME] FILE", help="A checkpoint or a journal; before it a game of your own, "
    "FILE.py:Class, if the search is about one.")]
HadMemory = Annotated[str | None, typer.Option(
    "--memory", metavar=NUMBER, help="Use at most this much memory, e.g. 256MB. By default a "
    "checkpoint has what it had before, if that is free; a journal has half of the free memory.")]
Hands = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="For a journal: how many workers; one per core by default.")]
HandThreads = Annotated[str | None, typer.Option(
    "--threads", metavar=NUMBER, help="For a journal: threads of each worker; 1 by default.")]
Address = Annotated[str | None, typer.Option(
    "--cluster", metavar="ADDRESS", help="For a journal: let the workers run on the Ray cluster at "
    "this address; 'local' begins one on this machine.")]
Rounds = Annotated[bool, typer.Option(
    "--deterministic", help="For a journal: work in rounds, so that the same work is done every "
    "time.")]


def resume(
    files: GameAndCheckpoint, game: opt.OwnGame = None, nodes: opt.Nodes = None,
    time: opt.Time = None, memory: HadMemory = None, every: Every = None, proof: opt.Proof = None,
    workers: Hands = None, threads: HandThreads = None, cluster: Address = None,
    deterministic: Rounds = False, json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Go on with a search that was kept by 'solve --checkpoint' or 'solve --journal'; limits are
    totals."""
    file, game = opt.named(files, game, KEPT)
    limits, seconds = Limits(nodes, time, memory), opt.read_every(every)
    out = AnswerFiles(proof, json, quiet)
    if is_journal(file):
        from zermelo.workers.processes import cores

        refuse({"--every": every}, "is for a checkpoint, and a journal is written all the time")
        crew = CrewOptions(
            cores() if workers is None else opt.read_whole("--workers", workers),
            1 if threads is None else opt.read_whole("--threads", threads), file,
            cluster, deterministic, sys.argv)
        raise typer.Exit(answer(_with_workers(file, game, limits, crew, out), limits))
    refuse({"--workers": workers, "--threads": threads, "--cluster": cluster,
            "--deterministic": deterministic}, "is for the journal of several workers")
    from zermelo.solving.checkpoint import Keeper
    from zermelo.solving.session import Session

    session = Session.load(file, game, memory=limits.memory)
    # Where no limit is given it keeps to the memory that it had, and so does its certificate.
    limits = Limits(nodes=limits.nodes, time=limits.time, memory=session.memory)
    keeper = Keeper(session, file, seconds, show.warn, there=True)
    raise typer.Exit(answer(Alone(session, limits, out, keeper, session.limits.memory,
                                  [] if game is None else [game]), limits))


def _with_workers(file: str, game: str | None, limits: Limits, crew: CrewOptions,
                  out: AnswerFiles) -> Solver:
    """Return the search of a journal."""
    from zermelo.cluster.session import asked_in

    if game is not None:
        _check_game(file, game)
    position, search, facts = asked_in(file, game)
    return Together(position, search, limits, crew, out, goal=facts["goal"], seed=facts["seed"],
                    plain=facts["plain"])


def _check_game(file: str, game: str) -> None:
    """Refuse a journal that is about another game: another built-in one, or another class."""
    from zermelo.cluster.journal import Journal
    from zermelo.games.registry import ALIASES, BUILT_IN

    with closing(Journal(file)) as journal:
        about = str((journal.facts() or {}).get("game", game))
    given = ALIASES.get(game.lower(), game.lower())
    same = (given == about if given in BUILT_IN or about in BUILT_IN
            else _class_in(game) in ("", _class_in(about)))
    if not same:
        raise BadCheckpoint(f"the journal {file_name(file)} is about {file_name(about)}, not about "
                            f"{file_name(game)}.")


def _class_in(name: str) -> str:
    """Return the class in ``FILE.py:Class``, if it is named."""
    return name.rpartition(".py:")[2] if ".py:" in name else ""


def is_journal(file: str) -> bool:
    """Return True for a journal, by its first bytes; raise BadCheckpoint unless it can be
    resumed."""
    from zermelo.storage.checkpoint_file import HEAD, is_checkpoint

    try:
        kind = os.stat(file).st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):  # some would be waited for
            raise OSError(errno.EINVAL, "it is a device, a FIFO or a socket, not a file")
        with open(file, "rb") as opened:
            begin = opened.read(HEAD)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it has no valid name"
        raise BadCheckpoint(f"can't read the {KEPT} {file_name(file)}: {reason}.") from None
    if begin.startswith(JOURNAL):
        return True
    if not is_checkpoint(begin):
        raise BadCheckpoint(f"the {KEPT} {file_name(file)} can't be used: it is a file of "
                            "something else.")
    return False
