"""The protocol of NBoard, version 2, for Othello.

The client sets up a game and asks for hints, or for a move, which it then plays itself. ``ping``
stops a search. Evaluations are in discs, for the player to move: exact where the final score is
proved, else what looking ahead says, a sixteenth of its points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from zermelo.core.position import Position
from zermelo.engine.loop import ProtocolEngine
from zermelo.engine.thinking import EngineAnswer, Hint, Hints, MoveBudget, Thinking, discs, whole
from zermelo.errors import BadOption, quoted

NAME = "Zermelo"
PASS = "PA"
DEEPEST = 60


class NBoard(ProtocolEngine):
    """NBoard's protocol."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.at: Position = self.game.start()
        self.depth: int | None = None
        self.commands: dict[str, Callable[[str], None]] = {
            "nboard": self.greet, "set": self.set, "move": self.move, "hint": self.hint,
            "go": self.go, "ping": self.pong, "learn": self.learn, "analyze": self.analyze,
            "quit": self.quit,
        }

    @property
    def budget(self) -> MoveBudget:
        """The budget of one answer: to the depth that was set, and not longer than usual."""
        return replace(self.usual, depth=self.depth)

    @property
    def goal(self) -> str:
        """The final score, where the rules have one."""
        return "value" if self.game.rules.score is None else "score"

    def handle(self, line: str) -> None:
        """Answer one command; a move may also come alone."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return
        found = self.commands.get(word)
        if found is not None:
            found(rest.strip())
        elif len(word) == 2 and not rest:
            self.move(word)
        else:
            raise BadOption(f"unknown command {quoted(word)}; commands are "
                            f"{', '.join(self.commands)}.")

    def refuse(self, sentence: str) -> None:
        """Send an error for the client's status line."""
        self.output.say(f"status Error: {sentence}")

    def at_once(self, line: str) -> bool:
        """Let ``ping`` and ``quit`` end a search; they are answered after it."""
        if line.split()[:1] in (["ping"], ["quit"]) and self.at_work is not None:
            self.at_work.stop()
        return False

    def begins(self, line: str) -> bool:
        """Return True for what makes the engine think."""
        return line.split()[:1] in (["go"], ["hint"], ["analyze"])

    def greet(self, text: str) -> None:
        """Answer ``nboard VERSION``."""
        whole("nboard", text)
        self.output.say(f"set myname {NAME}{'' if self.depth is None else self.depth}")

    def set(self, text: str) -> None:
        """Read ``set depth N`` and ``set game GGF``; ``set contempt X`` changes nothing."""
        word, _, rest = text.partition(" ")
        if word == "depth":
            self.depth = min(whole("set depth", rest.strip(), 1), DEEPEST)
            self.output.say(f"set myname {NAME}{self.depth}")
        elif word == "game":
            self.at = self.game.parse(rest)
        elif word != "contempt":
            raise BadOption(f"set {quoted(word)} is not understood; set takes depth, game and "
                            "contempt.")

    def move(self, text: str) -> None:
        """Play ``MOVE/EVAL/TIME``, of which the last two are of no use."""
        self.at = self.at.play(text.split("/")[0].strip())

    def pong(self, text: str) -> None:
        """Answer a ping: all that came before is done. The number is the client's, of any size."""
        whole("ping", text)
        self.output.say(f"pong {text}")

    def learn(self, text: str) -> None:
        """Answer ``learn``, though there is no book to keep the game in."""
        self.output.say("learned")

    def quit(self, text: str) -> None:
        """End."""
        self.over = True

    def go(self, text: str) -> None:
        """Send the move to play; the client plays it."""
        if self.at.outcome is not None:
            raise BadOption("the game is over: there is no move.")
        self.output.say("status Thinking")
        answer = self.think(Thinking(self.at, self.settings, self.budget, goal=self.goal),
                            self.tell)
        self.tell(answer)
        worth = _worth(answer)
        parts = [_name(answer.move), "" if worth is None else f"{worth:.2f}",
                 f"{answer.seconds:.2f}"]
        self.output.say(f"=== {'/'.join(parts)}", "status")

    def tell(self, answer: EngineAnswer) -> None:
        """Send how much was searched, and the worth of the best move."""
        self.output.say(f"nodestats {answer.nodes} {answer.seconds:.2f}")
        worth = _worth(answer)
        if worth is not None and answer.move is not None:
            depth = "100%" if answer.proved else str(answer.depth)
            line = "".join(map(_name, answer.line)) or _name(answer.move)
            self.output.say(f"search {line} {worth:.2f} 0 {depth}")

    def hint(self, text: str) -> None:
        """Send what the best N moves are worth."""
        count = whole("hint", text, 1)
        if self.at.outcome is not None:
            raise BadOption("the game is over: there is no move.")
        self.output.say("status Analyzing")
        hints = Hints(self.at, self.settings, self.budget, self.goal)
        with self.listening(hints):
            found = hints.run(self.between, lambda now: self._tell_hints(hints, now[:count]))
        self._tell_hints(hints, found[:count])
        self.output.say("status")

    def _tell_hints(self, hints: Hints, found: list[Hint]) -> None:
        self.output.say(f"nodestats {hints.nodes} {hints.seconds:.2f}", *(
            f"search {''.join(map(_name, hint.line))} {hint.worth:.2f} 0 "
            f"{'100%' if hint.exact else hint.depth}" for hint in found))

    def analyze(self, text: str) -> None:
        """Send what every position of the game is worth, the last one first."""
        self.output.say("status Analyzing")
        for ply, position in reversed(list(enumerate(self.at.way))):
            if position.outcome is None:
                thinking = Thinking(position, self.settings, self.budget, goal=self.goal)
                worth = _worth(self.think(thinking, lambda answer: None))
                if thinking.stopping:
                    break
                if worth is not None:
                    self.output.say(f"analysis {ply} {worth:.2f}")
        self.output.say("status")


def _worth(answer: EngineAnswer) -> float | None:
    """Return the worth in discs, for the player to move."""
    if answer.score is not None and answer.score[0] == answer.score[1]:
        return float(answer.score[0])
    return None if answer.points is None else discs(answer.points)


def _name(move: str | None) -> str:
    """Return a move as NBoard writes it."""
    return PASS if move in (None, "pass") else str(move).upper()
