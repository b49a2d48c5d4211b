"""UCI, for Xiangqi.

Meyer-Kahlen's protocol for chess engines, as Fairy-Stockfish speaks it for Xiangqi: ranks are 1 to
10. ``uci2wb`` has the older way of Cyclone: no word ``position`` before ``fen``, and ranks 0 to 9.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.options import Option
from zermelo.engine.uci_family import UciFamily


class Uci(UciFamily):
    """UCI for Xiangqi."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.commands["fen"] = self.cyclone
        self.commands["debug"] = self.commands["register"] = self.nothing

    def all_options(self) -> list[Option]:
        """Those of all, and how Xiangqi is played and written."""
        dialects = {"1-10": "uci", "0-9": "ucci"}
        ranks = next((name for name, dialect in dialects.items()
                      if dialect == self.game["dialect"]), "1-10")
        rules = ("draw", "perpetual-check-loses")
        return [
            *super().all_options(),
            Option.flag("Ponder", False, lambda on: None),
            Option.flag("UCI_AnalyseMode", False, lambda on: None),
            Option.choice("UCI_Variant", "xiangqi", ("xiangqi",), lambda name: None),
            Option.choice("Ranks", ranks, tuple(dialects),
                          lambda name: self.change_game(dialect=dialects[name])),
            Option.choice("Repetition", self.game["repetition"], rules,
                          lambda name: self.change_game(repetition=name)),
        ]

    def change_game(self, **parameters: str) -> None:
        """The same position of a game with other parameters."""
        self.game = type(self.game)(**{**self.game.values, **parameters})
        self.position = None if self.position is None else self.game.parse(self.position.text)

    def cyclone(self, words: list[str]) -> None:
        """``fen FEN moves ...``, without the word position: then ranks are 0 to 9."""
        if self.game["dialect"] != "ucci":
            self.change_option("Ranks", "0-9")
        self.set_position(["fen", *words])
