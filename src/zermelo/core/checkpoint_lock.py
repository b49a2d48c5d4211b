"""One process at a time goes on from a checkpoint: the others would overwrite what it writes.

The lock is on the file itself, so that it goes with the process, however that ends. A new
checkpoint is another file under the same name, which is locked in its turn.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from zermelo.errors import BadCheckpoint, file_name

try:
    import fcntl
except ImportError:  # Windows, where nobody is kept out
    fcntl = None  # type: ignore[assignment]


class CheckpointLock:
    """Keeps others from writing to ``path``, as long as this object lives."""

    def __init__(self, path: Path) -> None:
        self.path, self.file = path, -1

    def take(self) -> None:
        """Lock the file that is there now; BadCheckpoint if another process has it."""
        if fcntl is None:
            return
        before, self.file = self.file, -1
        try:
            self.file = os.open(self.path, os.O_RDONLY)
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise BadCheckpoint(f"another process is working with the checkpoint "
                                f"{file_name(self.path)}; wait until it has ended.") from None
        except OSError:  # a file system without locks, say: nobody is kept out
            self.release()
        finally:
            if before >= 0:
                os.close(before)

    def follow(self) -> None:
        """Lock the file that has taken its place."""
        with suppress(BadCheckpoint):  # whoever came between has it then
            self.take()

    def release(self) -> None:
        """Let others have it."""
        if self.file >= 0:
            os.close(self.file)
        self.file = -1

    def __del__(self) -> None:
        self.release()
