"""What ``solve`` and ``resume`` do with a session: run it, show the answer, write its proof."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.cli import show
from zermelo.cli.pictures import write_pictures
from zermelo.cli.signals import stopping, terminable
from zermelo.cli.unproved import best_guess
from zermelo.errors import BadCheckpoint, ProofFailure, ZermeloError, file_name

if TYPE_CHECKING:
    from zermelo.solving.keeper import Keeper
    from zermelo.solving.result import Limits
    from zermelo.solving.session import Session


@dataclass
class Answering:
    """How a command was told to answer; ``limits`` are those of the search, ``proof_memory`` what a
    certificate may take to be made."""

    session: Session
    limits: Limits
    proof: str | None
    json: bool
    quiet: bool
    svg: str | None = None
    sgf: str | None = None
    keeper: Keeper | None = None
    proof_memory: int | None = None
    own_game: Sequence[str] = ()  # the word for it, if the game is the user's own

    def prepare(self) -> str:
        """Refuse what can't be done in the end, and show the board; what was shown."""
        if self.proof is not None:
            from zermelo.solving.certify import check_in_advance

            check_in_advance(self.session, self.proof)
        position = self.session.position
        seen = "" if self.json or not sys.stdout.isatty() else position.diagram
        if seen:  # a search may take long
            print("\n".join(show.board(position, seen)), flush=True)
        return seen

    def answer(self) -> int:
        """Search, print what is found, write the certificate; the exit status."""
        seen, session, limits = self.prepare(), self.session, self.limits
        unlimited = limits.nodes is None and limits.time is None
        live = show.Live(self.quiet or self.json,
                         f"{session.search.id} for {session.position.game.name}", unlimited)
        with self._interrupts():
            session.advance(limits, live, self.keeper)
            lost = None if self.keeper is None else self._keep_last(self.keeper, live)
            result = session.result()
            guessed = best_guess(session, limits, live) if not result.concluded else None
        answer, text = result.to_dict(), show.solved(result, seen, guessed)
        answer["guess"] = None if guessed is None else guessed.to_dict()
        known = result.proved or result.partial
        if self.proof is not None and known:
            from zermelo.solving.certify import write_proof

            try:
                written = write_proof(session, self.proof, memory=self.proof_memory,
                                      progress=live.certificate)
            except ProofFailure:  # then the answer is in doubt
                raise
            except (ZermeloError, KeyboardInterrupt):  # keep what there is
                live.close()
                try:
                    print(show.as_json({**answer, "proof": None}) if self.json else text,
                          flush=True)
                finally:
                    with suppress(ZermeloError):  # what went wrong first is told
                        write_pictures(result, self.svg, self.sgf)
                raise
            answer["proof"] = written.to_dict()
            text = f"{text}\n{show.certificate(written, result.goal)}"
        elif self.proof is not None:
            answer["proof"] = None
        live.close()
        try:
            print(show.as_json(answer) if self.json else text, flush=True)
            if self.proof is not None and not known:
                print("no certificate: nothing is proved", file=sys.stderr)
        finally:  # where standard output is full, too
            write_pictures(result, self.svg, self.sgf)
        self._remind()
        if lost is not None:  # the answer comes first
            raise lost
        return result.exit_status

    def _interrupts(self) -> AbstractContextManager[None]:
        return terminable() if self.keeper is None else stopping(self.session.cancel)

    def _keep_last(self, keeper: Keeper, live: show.Live) -> BadCheckpoint | None:
        """The last checkpoint, before the walk through the proof, which fills tables; what went
        wrong, if there is none at all."""
        solved = self.session.stopped in ("solved", "precision", "candidates")
        try:
            if keeper.write(last=True) and not solved and not self.quiet:
                live.say(f"the search is kept in {file_name(keeper.path)}; to go on from here: "
                         f"zermelo resume {shlex.join([*self.own_game, str(keeper.path)])}")
        except BadCheckpoint as error:
            return error
        return None

    def _remind(self) -> None:
        if self.json or self.quiet:
            return
        from zermelo.checks.checked import reminder

        sentence = reminder(self.session.position.game)
        if sentence is not None:
            print(f"zermelo: {sentence}", file=sys.stderr)
