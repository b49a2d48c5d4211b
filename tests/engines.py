"""Engines to talk to: in this process, line by line, or the real command."""

import contextlib
import io
import os
import queue
import threading
import time

import zermelo
from zermelo.engine.lines import Lines, Output
from zermelo.engine.protocols import ENGINES, engine_class
from zermelo.engine.thinking import Budget, Settings

WAIT = 120.0  # seconds: a search may have to be compiled
USUAL = Budget(nodes=20_000)


def made(protocol, output, game=None, settings=None, usual=USUAL, **parameters):
    """An engine that writes to ``output``."""
    _, only, extra = ENGINES[protocol]
    rules = zermelo.game(game or only, **{**extra, **parameters})
    return engine_class(protocol)(rules, settings or Settings(memory=1 << 26), usual,
                                  Output(output))


def transcript(protocol, text, **options):
    """What an engine says to these lines, which all come at once; then input ends."""
    output = io.StringIO()
    source = text if isinstance(text, bytes) else text.encode()
    made(protocol, output, **options).serve(Lines(io.BytesIO(source)))
    return output.getvalue().splitlines()


class Said(io.StringIO):
    """An output whose lines can be waited for."""

    def __init__(self):
        super().__init__()
        self.lines = queue.Queue()

    def write(self, text):
        for line in text.splitlines():
            self.lines.put(line)
        return len(text)


class Talk:
    """A conversation with an engine in another thread."""

    def __init__(self, protocol, **options):
        self.said = Said()
        self.engine = made(protocol, self.said, **options)
        self._open(self.engine.serve)

    def _open(self, serve):
        reader, self.writer = os.pipe()
        source = io.FileIO(reader)
        self.thread = threading.Thread(target=lambda: serve(Lines(source)), daemon=True)
        self.thread.start()

    def tell(self, *lines):
        os.write(self.writer, "".join(f"{line}\n" for line in lines).encode())

    def until(self, beginning):
        """The lines up to the first that begins so, that one included."""
        found, end = [], time.monotonic() + WAIT
        while not found or not found[-1].startswith(beginning):
            assert time.monotonic() < end, f"no {beginning!r} in {found}"
            with contextlib.suppress(queue.Empty):
                found.append(self.said.lines.get(timeout=1))
        return found

    def end(self):
        """Close the input; what is said after that."""
        with contextlib.suppress(OSError):
            os.close(self.writer)
        self.thread.join(WAIT)
        assert not self.thread.is_alive()
        rest = []
        with contextlib.suppress(queue.Empty):
            while True:
                rest.append(self.said.lines.get_nowait())
        return rest
