"""From a search to its answer, for ``solve``, ``solve --workers`` and ``resume``: run it, write its
proof, show what is found."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.cli import show
from zermelo.cli.pictures import check_pictures, write_pictures
from zermelo.cli.signals import stopping, terminable
from zermelo.cli.unproved import best_guess
from zermelo.errors import BadCheckpoint, ProofFailure, ZermeloError, file_name

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.playing import Guess
    from zermelo.proof.certify import Written
    from zermelo.solving.keeper import Keeper
    from zermelo.solving.result import Limits, Result
    from zermelo.solving.session import Session


@dataclass(frozen=True)
class Output:
    """What a command has to show and to write."""

    proof: str | None
    json: bool
    quiet: bool
    svg: str | None = None
    sgf: str | None = None


class Solver:
    """A search that ``answer`` runs, shows and certifies."""

    unproved: str | None = None  # why there is no certificate

    def __init__(self, position: Position, out: Output, live: show.Live) -> None:
        self.position, self.out, self.live = position, out, live

    def check(self, proof: str) -> None:
        """Refuse a certificate that could not be written in the end."""
        from zermelo.proof.certify import check_place

        check_place(self.position, proof)

    def opened(self) -> AbstractContextManager[Any]:
        """What is open from the first visit to the certificate."""
        return nullcontext()

    def interrupts(self) -> AbstractContextManager[Any]:
        """How Ctrl-C ends the search."""
        return nullcontext()

    def search(self, limits: Limits) -> Result:
        """Search; an interrupt is a result, too."""
        raise NotImplementedError

    def session(self) -> Session:
        """A session about the position, for a best guess."""
        raise NotImplementedError

    def certify(self, proof: str, result: Result) -> tuple[Written | None, Result]:
        """Write the certificate of what is proved, which may make the result surer."""
        raise NotImplementedError

    def disproved(self, failure: ProofFailure) -> int:
        """The exit status where a certificate was refused, so that the answer is in doubt."""
        raise failure

    def conclude(self, result: Result) -> int:
        """Say what is left to say once the answer is printed; the exit status."""
        if self.unproved is not None:
            print(f"no certificate: {self.unproved}", file=sys.stderr)
        return result.exit_status


def answer(solver: Solver, limits: Limits, out: Output) -> int:
    """Search, write the certificate, print what is found; the exit status."""
    position, live, written = solver.position, solver.live, None
    check_pictures(position, out.svg, out.sgf)
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
            write_pictures(result, out.svg, out.sgf)
    if failed is not None:
        raise failed
    return solver.conclude(result)


def record_of(result: Result, guessed: Guess | None) -> dict[str, Any]:
    """An answer as JSON has it."""
    return {**result.to_dict(), "guess": None if guessed is None else guessed.to_dict()}


class Alone(Solver):
    """The search of a session. ``proof_memory``: what a certificate may take to be made;
    ``own_game``: the word for it, if the game is the user's own."""

    lost: BadCheckpoint | None = None

    def __init__(self, session: Session, limits: Limits, out: Output, keeper: Keeper | None = None,
                 proof_memory: int | None = None, own_game: Sequence[str] = ()) -> None:
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
        """A search that is kept comes to rest first."""
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
        """The session itself."""
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
        """Say that there is no certificate, that the game is not checked, what was not kept."""
        status = super().conclude(result)
        if not (self.out.json or self.out.quiet):
            from zermelo.checks.checked import reminder

            sentence = reminder(self.position.game)
            if sentence is not None:
                print(f"zermelo: {sentence}", file=sys.stderr)
        if self.lost is not None:  # the answer comes first
            raise self.lost
        return status
