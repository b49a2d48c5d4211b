"""Dependence: which squares of the board a win and a move depend on, for proofs with zones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zermelo.errors import BadGame, quoted

Function = Callable[..., Any]
MOST_SQUARES = 64  # a zone is one word
MOST_THREATS = 128  # zones that ``sight`` may write


@dataclass(frozen=True)
class Dependence:
    """What a game says so that a search may leave out replies that a proof does not depend on.

    It is for games in which each move puts a stone of the mover on one empty square, where it
    stays, every empty square is a move until the game is over, and the number of stones says who
    moves. Sets of squares are words: bit i is square i, at most 64 of them. A win, once there, must
    not be undone by other stones.

    squares how many squares there are
    stones  ``stones(g, s, side) -> uint64``: the squares with stones of a player
    ending  ``ending(g, s) -> uint64``: squares of the winner's stones in a finished game that is
            won. Whenever the winner has stones on all of them, that player has won, unless the
            other one had won before
    move    ``move(g, move) -> uint64``: the square of a move
    rival   ``rival(g, s, side, plies) -> uint64``: the squares where a stone of ``side`` may belong
            to a win of that player within ``plies`` plies. None: there are no draws, and the two
            players can't both have stones on squares with which they win, so that a player who
            wins need not mind what the other one builds
    sight   ``sight(g, s, zones) -> (verdict, zone, n)``: what is seen without a search. 1: the
            mover certainly wins, and that depends on no squares but those of ``zone``, which are
            empty or the winner's; -1: the same for the other side; 0: unknown, and ``zones[:n]``,
            at most MOST_THREATS, are zones of wins of the other side, each good whatever the mover
            plays outside it. Where there is a ``rival``, a win takes no more plies than its zone
            has empty squares
    moves   the legal moves, as ``Rules.moves`` writes them, those first that are to be tried first
    """

    squares: int
    stones: Function
    ending: Function
    move: Function
    rival: Function | None = None
    sight: Function | None = None
    moves: Function | None = None

    def check(self, owner: str, cyclic: bool) -> None:
        """Refuse what no search could use."""
        optional = ("rival", "sight", "moves")
        for part in ("stones", "ending", "move", *optional):
            value = getattr(self, part)
            if not callable(value) and not (value is None and part in optional):
                raise BadGame(f"{owner}: dependence.{part} must be a function, not "
                              f"{quoted(value)}.")
        if type(self.squares) is not int or not 1 <= self.squares <= MOST_SQUARES:
            raise BadGame(f"{owner}: dependence.squares={quoted(self.squares)} must be a whole "
                          f"number from 1 to {MOST_SQUARES}.")
        if cyclic:
            raise BadGame(f"{owner}: dependence is for games in which stones stay where they are; "
                          "this one is cyclic.")
