"""Files of probabilities for tests, as ``zermelo.probabilities`` reads them."""

import json
import tempfile
from functools import cache
from pathlib import Path

import zermelo


@cache
def folder():
    """A place that lasts as long as the process."""
    kept = tempfile.TemporaryDirectory()
    folder.kept = kept
    return Path(kept.name)


@cache
def likely(game, *chances):
    """A file that gives the game's categories these probabilities, again and again in turn."""
    names = zermelo.game(game).rules.category_names
    rows = [{"name": name, "played": 1, "available": 1, "probability": chances[i % len(chances)]}
            for i, name in enumerate(names)]
    path = folder() / f"{game}-{'-'.join(map(str, chances))}.json"
    path.write_text(json.dumps({"game": game, "provenance": "made up", "categories": rows}))
    return str(path)
