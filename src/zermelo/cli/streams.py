"""Standard input and output for those who talk in lines: unbuffered, and theirs alone."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, Any


def source() -> Any:
    """Standard input without a buffer: what has come is read at once."""
    try:
        return open(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    except (OSError, ValueError, io.UnsupportedOperation):
        return sys.stdin.buffer


def private_output() -> IO[str]:
    """Standard output for the protocol alone: what a game prints goes to standard error."""
    try:
        descriptor = sys.stdout.fileno()
        ours = open(os.dup(descriptor), "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        os.dup2(sys.stderr.fileno(), descriptor)
        return ours
    except (OSError, ValueError, io.UnsupportedOperation):
        return sys.stdout
