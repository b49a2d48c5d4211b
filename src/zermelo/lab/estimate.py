"""Transition probabilities from game records (Winands & Björnsson, eq. 1).

The probability of a category is the number of positions in which a move of it was played, divided
by the number in which one was available. A category that hardly ever came up would get a number
that means nothing, and one that never did none at all: ``prior`` positions, in which moves of it
are played as often as those of all categories together, are added to each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.core.game import Game
from zermelo.errors import BadOption, check_whole
from zermelo.game_records.record import GameRecord, records
from zermelo.storage.whole_files import file_text

PRIOR = 10
Tell = Callable[[str, int], None]


@dataclass
class Estimate:
    """Counts by category, and where they are from."""

    game: Game
    skip: int
    prior: int
    note: str
    played: list[int]
    available: list[int]
    positions: int = 0
    files: list[dict[str, Any]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)

    def add(self, record: GameRecord) -> None:
        """Count the positions of one game, but for the first ``skip``."""
        codes = record.positions[-1].played
        for position, code in list(zip(record.positions, codes, strict=False))[self.skip:]:
            kinds = position.game.board.categories(position.state)
            for kind in set(kinds):
                self.available[kind] += 1
            self.played[kinds[position.codes().index(code)]] += 1
            self.positions += 1

    @property
    def games(self) -> int:
        """Number of games that were counted."""
        return sum(file["games"] for file in self.files)

    def probability(self, kind: int) -> float:
        """Eq. 1, with the prior positions; without them, of a category that never came up, the
        mean."""
        mean = self.positions / max(sum(self.available), 1)
        if self.available[kind] + self.prior == 0:
            return round(mean, 6)
        played = self.played[kind] + self.prior * mean
        return round(played / (self.available[kind] + self.prior), 6)

    def to_dict(self) -> dict[str, Any]:
        """The data file that games load."""
        names = self.game.rules.category_names
        return {
            "game": self.game.name, "parameters": self.game.changed,
            "provenance": {"made by": "zermelo lab estimate", "note": self.note,
                           "games": self.games, "positions": self.positions, "skip": self.skip,
                           "prior": self.prior, "files": self.files},
            "categories": [
                {"name": name, "played": self.played[kind], "available": self.available[kind],
                 "probability": self.probability(kind)} for kind, name in enumerate(names)],
        }


def estimate(game: Game, files: Sequence[str | Path], *, skip: int = 0, prior: int = PRIOR,
             note: str = "", tell: Tell | None = None) -> Estimate:
    """Count how often the categories of ``game`` are played in the records in ``files``.

    ``skip``: the first moves of each game, this many, were not chosen by a player.
    ``note``: where the games are from, in words.
    """
    if game.rules.categories is None:
        raise BadOption(f"{game.name} has no categories of moves to estimate; a game declares them "
                        "in Rules.categories.")
    check_whole("skip", skip, 0)
    check_whole("prior", prior, 0)
    if not files:
        raise BadOption("an estimate needs at least one file of game records.")
    count = len(game.rules.category_names)
    found = Estimate(game, skip, prior, note, [0] * count, [0] * count)
    for file in files:
        refused: list[tuple[str, str]] = []
        games = 0
        for record in records(game, file, refused):
            found.add(record)
            games += 1
            if tell is not None:
                tell(str(file), games)
        digest = hashlib.sha256(file_text(file).encode()).hexdigest()
        found.files.append({"name": Path(file).name, "sha256": digest, "games": games,
                            "refused": len(refused)})
        found.refused += [(f"{Path(file).name}, {name}", why) for name, why in refused]
    if not found.positions:
        raise BadOption("the files hold no position to count.")
    return found
