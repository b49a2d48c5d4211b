"""Claim: what a certificate proves about a player."""

from dataclasses import dataclass

FIRST, SECOND, DRAWN = 0, 1, 2  # how a game ends: who has won, or nobody
SIDES = ("first", "second")
WINS, WINS_NOT = "wins", "does not win"


@dataclass(frozen=True)
class Claim:
    """``player`` (0 or 1) wins; or, with ``wins=False``, does not win."""

    player: int
    wins: bool = True

    @property
    def prover(self) -> int:
        """The player who has a move for everything: the winner, or the one who holds out."""
        return self.player if self.wins else 1 - self.player

    @property
    def verb(self) -> str:
        """``wins`` or ``does not win``."""
        return WINS if self.wins else WINS_NOT

    def holds(self, end: int) -> bool:
        """Whether a game that ends like this is as the claim says."""
        return (end == self.player) == self.wins

    def words(self, players: tuple[str, str]) -> str:
        """The claim in a sentence."""
        return f"{players[self.player]} {self.verb}"
