"""Engines to talk to: in this process, line by line, or the real command."""

import contextlib
import io
import os
import queue
import random
import threading
import time

import zermelo
from zermelo.engine import ENGINES, InputLines, OutputLines, engine_class
from zermelo.engine.thinking import EngineSettings, MoveBudget

WAIT = 120.0  # seconds: a search may have to be compiled
USUAL = MoveBudget(nodes=20_000)
# Words and options of the protocols for random lines.
WORDS = {
    "ugi": ("ugi isready uginewgame position startpos fen moves a1 b2 c3 pass go nodes 50 depth 2 "
            "searchmoves infinite ponder movetime 1 p1time -5 query p1turn gameover result fen "
            "islegal setoption name Hash value Threads stop ponderhit 0 99999999999999999999"),
    "uci": ("uci isready ucinewgame position startpos fen moves h3e3 h10g8 go nodes 50 depth 1 "
            "wtime 10 btime mate 1 setoption name Ranks value 0-9 1-10 Repetition draw "
            "stop w - 0 4k4/9"),
    "ucci": ("ucci isready position startpos moves h2e2 h9g7 banmoves go nodes 50 time 10 draw "
             "increment movestogo setoption usemillisec false hashsize 9 probe newgame infinite"),
    "htp": ("3 4 boardsize 3 4 play b w black a1 b2 c3 genmove reg_genmove undo showboard # "
            "interrupt dfpn-solve-state dfpn-get-bounds dfpn-get-pv dfpn-solver-find-winning "
            "param_dfpn use_guifx timelimit 0.01 time_left time_settings 3 final_score"),
    "nboard": ("nboard 2 set depth 3 game (;GM[Othello] BO[4 ;) move a1 b1 A2/1/2 PA hint 1 go "
               "ping learn analyze ( ; ] [ contempt 0"),
}
OPTIONS = {"ugi": {"game": "othello", "size": 4}, "uci": {}, "ucci": {}, "htp": {"size": 3},
           "nboard": {"size": 4}}


def made(protocol, output, game=None, settings=None, usual=USUAL, **parameters):
    """An engine that writes to ``output``."""
    _, only, extra = ENGINES[protocol]
    rules = zermelo.game(game or only, **{**extra, **parameters})
    return engine_class(protocol)(rules, settings or EngineSettings(memory=1 << 26), usual,
                                  OutputLines(output))


def transcript(protocol, text, **options):
    """What an engine says to these lines, which all come at once; then input ends."""
    output = io.StringIO()
    source = text if isinstance(text, bytes) else text.encode()
    made(protocol, output, **options).serve(InputLines(io.BytesIO(source)))
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
        self.thread = threading.Thread(target=lambda: serve(InputLines(source)), daemon=True)
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


def nonsense(protocol, seed, count):
    rng, words = random.Random(f"{protocol} {seed}"), WORDS[protocol].split()
    firsts = {"ugi": ["position", "go", "query"], "uci": ["position", "go", "setoption"],
              "ucci": ["position", "go", "setoption", "banmoves"],
              "htp": ["play", "genmove", "undo"], "nboard": ["set", "move", "hint", "go"]}[protocol]
    for _ in range(count):
        first = [rng.choice(firsts)] if rng.random() < 0.6 else []
        line = " ".join([*first, *(rng.choice(words) for _ in range(rng.randrange(6)))])
        if rng.random() < 0.1:
            line = "".join(chr(rng.choice([0, 7, 9, 34, 92, 233, 0x4E2D, *range(32, 127)]))
                           for _ in range(20))
        if line.split()[:1] != ["quit"]:
            yield line
