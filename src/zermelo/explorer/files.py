"""The files that the server keeps while it runs: certificates that were sent or written."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterable
from dataclasses import dataclass
from pathlib import Path

from zermelo.explorer.refusals import Refused
from zermelo.storage.whole_files import Folder

MOST_FILES, MOST_BYTES = 40, 2_000_000_000


@dataclass(frozen=True)
class Kept:
    """A file, under a number of ours; no name that anybody sends is the name of a file."""

    id: str
    path: Path
    name: str


class Files:
    """All of them, in a folder that is removed with the server."""

    def __init__(self) -> None:
        self.folder = Folder("zermelo-explore")
        self.known: dict[str, Kept] = {}
        self.numbers = itertools.count(1)

    def new(self, name: str) -> Kept:
        """A new file, not written yet."""
        id = str(next(self.numbers))
        kept = self.known[id] = Kept(id, self.folder.path / f"{id}.proof", name)
        self._tidy()
        return kept

    async def receive(self, parts: AsyncIterable[bytes]) -> Kept:
        """A new file with what is sent."""
        kept = self.new("certificate.proof")
        try:
            with kept.path.open("wb") as file:
                async for part in parts:
                    file.write(part)
        except BaseException:
            self.forget(kept)
            raise
        return kept

    def get(self, id: str) -> Kept:
        """The file with this number."""
        kept = self.known.get(id)
        if kept is None or not kept.path.exists():
            raise Refused(f"there is no certificate {id[:20]!r} here.", 404)
        return kept

    def forget(self, kept: Kept) -> None:
        """Remove a file."""
        self.known.pop(kept.id, None)
        kept.path.unlink(missing_ok=True)

    def _tidy(self) -> None:
        """Remove the oldest, where there are too many."""
        while len(self.known) > 1 and (len(self.known) > MOST_FILES or self._size() > MOST_BYTES):
            self.forget(next(iter(self.known.values())))

    def _size(self) -> int:
        return sum(kept.path.stat().st_size for kept in self.known.values() if kept.path.exists())

    def close(self) -> None:
        """Remove all."""
        self.folder.close()
