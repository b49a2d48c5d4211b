"""``zermelo play``: a game against the machine, which plays what it can prove."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import show
from zermelo.cli.options import (
    NUMBER,
    GameName,
    Memory,
    Nodes,
    Options,
    Parameters,
    PositionText,
    Quiet,
    SearchName,
    Seed,
)
from zermelo.cli.read import read_game, read_limits, read_position, read_search, read_whole
from zermelo.cli.unproved import best_guess
from zermelo.core.svg import status
from zermelo.errors import BadOption, ZermeloError, quoted

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.search.base import Search
    from zermelo.solving.result import Limits

Side = Annotated[str | None, typer.Option(
    "--side", metavar="SIDE", help="The side you play, or both; the side to move by default.")]
PerMove = Annotated[str, typer.Option(
    "--time", metavar=NUMBER, help="Think for at most this many seconds per move.")]
HELP = "a move, or one of the words moves, hint, undo, quit"


def play(
    game: GameName, position: PositionText = "start", side: Side = None,
    search: SearchName = None, p: Options = None, g: Parameters = None, time: PerMove = "5",
    nodes: Nodes = None, memory: Memory = None, seed: Seed = "0", quiet: Quiet = False,
) -> None:
    """Play a game against the machine, which tells you what it has proved."""
    rules = read_game(game, g)
    chosen = read_search(search, p, rules)
    limits = read_limits(nodes, time, memory)
    start = read_position(rules, position)
    yours = read_side(rules, start, side)
    Table(start, yours, chosen, limits, read_whole("--seed", seed), quiet).play()


def read_side(game: Game, start: Position, text: str | None) -> tuple[int, ...]:
    """The players that the user plays."""
    if text is None:
        return (start.mover,)
    if text.strip().lower() == "both":
        return (0, 1)
    player = game.player_called(text)
    if player is None:
        raise BadOption(f"--side {quoted(text)} is not a side; valid are {game.players[0]}, "
                        f"{game.players[1]} and both.")
    return (player,)


@dataclass
class Table:
    """Where a game is played: what the user types, and what the machine replies."""

    at: Position
    yours: tuple[int, ...]
    search: Search
    limits: Limits
    seed: int
    quiet: bool
    before: list[tuple[Position, str]] = field(default_factory=list)  # positions, moves from them

    def play(self) -> None:
        """Until the game is over, or the user has had enough."""
        going = True
        while going:
            print("\n".join(show.board(self.at, self.at.diagram)), flush=True)
            if self.at.outcome is not None:
                print(status(self.at))
                break
            going = self.users_turn() if self.at.mover in self.yours else self.machines_turn()
        if self.before:
            print(f"moves {' '.join(move for _, move in self.before)}", flush=True)

    def users_turn(self) -> bool:
        """Ask until there is a legal move, or something else was done; False to stop."""
        while True:
            try:
                typed = input(f"{self.at.to_move}: ").strip()
            except (EOFError, KeyboardInterrupt):
                print()
                return False
            if typed.lower() in ("quit", "exit"):
                return False
            if typed.lower() == "undo":
                return self.take_back()
            if typed.lower() == "moves":
                print(" ".join(self.at.moves()))
            elif typed.lower() == "hint":
                print(self.think()[1])
            elif typed in ("", "help", "?"):
                print(f"type {HELP}")
            else:
                try:
                    self.make(typed)
                    return True
                except ZermeloError as error:
                    print(f"{error} Type {HELP}.")

    def machines_turn(self) -> bool:
        """The best move that is known."""
        move, words, interrupted = self.think()
        if not interrupted:
            print(f"{self.at.to_move} plays {words}", flush=True)
            self.make(move)
        return not interrupted

    def make(self, move: str) -> None:
        """Play a move."""
        after = self.at.play(move)
        self.before.append((self.at, move))
        self.at = after

    def take_back(self) -> bool:
        """Back to the user's last move."""
        while self.before:
            self.at, _ = self.before.pop()
            if self.at.mover in self.yours:
                break
        return True

    def think(self) -> tuple[str, str, bool]:
        """A move, what is known about it, and whether Ctrl-C came first."""
        from zermelo.solving.session import Session

        session = Session(self.at, self.search, seed=self.seed)
        live = show.Live(self.quiet, f"{self.search.id} for {self.at.game.name}")
        try:
            result = session.run(self.limits, live)
            guessed = None if result.concluded else best_guess(session, self.limits, live)
        finally:
            live.close()
        interrupted = result.stopped == "interrupted"
        if guessed is not None:
            return guessed.move, str(guessed), interrupted
        move = result.move if result.move is not None else self.at.moves()[0]
        return move, f"{move} ({show.verdict(result)})", interrupted
