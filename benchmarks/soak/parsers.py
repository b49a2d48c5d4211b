"""Every parser with valid, changed and chance texts: it reads them, or says what is wrong.

Allowed are an answer and a ZermeloError (on the command line a status and a sentence), within about
a second. What a game has read it must write, and read again as the same.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import islice
from typing import Any

from command import call

import zermelo
from benchmarks.soak import protocols, texts
from benchmarks.soak.case import (
    LONGEST,
    Difference,
    Stuck,
    Watch,
    chance,
    patience,
    place,
    shown,
    without_compilation,
)

BLOCK, SECONDS = 8, 120.0
# Inputs of one case: fewer where one takes longer.
MOST, MANY, SOME, FEW, COMMANDS = 2_000, 600, 80, 20, 4
GIVE_UP, LONGEST_COMMAND = 30.0, 10.0
MOST_GAMES = 1_000  # of a file
STATUSES = (0, 1, 2, 10, 11)
Make, Read = Callable[[random.Random], Any], Callable[[Any], None]


def read_position(game: zermelo.Game, text: str) -> None:
    """``game.parse``; what it has read must come back."""
    position = game.parse(text)
    again = position.game.parse(position.text)
    if again != position:
        raise Difference(f"is read as {position.text!r}, and that as {again.text!r}")


def read_move(position: zermelo.Position, text: str) -> None:
    """A move in a position."""
    position.play(text)


def read_games(game: zermelo.Game, text: str) -> None:
    """A file of games; of ten thousand the first are enough, each takes its time."""
    path = place() / "games.txt"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    for _ in islice(zermelo.records(game, path), MOST_GAMES):
        pass


def read_certificate(content: bytes) -> None:
    """A file that may be a certificate; what it says is the business of another kind of case."""
    path = place() / "read.proof"
    path.write_bytes(content)
    zermelo.verify(path)


def read_words(words: tuple[str, str, str, str]) -> None:
    """A game, a search or limits with options given as texts."""
    what, name, option, text = words
    if what == "game":
        zermelo.game(name, **{option: text})
    elif what == "search":
        zermelo.search(name, **{option: text})
    else:
        zermelo.Limits(**{option: text})


def read_command(words: list[str]) -> None:
    """A command line, in this process and without compilation."""
    with without_compilation():
        done = call(*words)
    if done.status not in STATUSES or (done.status == 2 and not done.err.strip()):
        raise Difference(f"leaves with status {done.status} and the message {shown(done.err)}")


def some_paste(rng: random.Random) -> str:
    """A text of any game, changed, perhaps with the name of a game before it."""
    name = rng.choice(list(texts.GAMES))
    text = texts.mutated(rng, texts.positions(name)) if rng.random() < 0.9 else texts.mutated(
        rng, texts.files(name))
    return f"{rng.choice([*texts.GAMES, 'chess'])}: {text}" if rng.random() < 0.1 else text


def read_paste(text: str) -> None:
    """What may it be? Every reading must be one that its game reads again."""
    found = zermelo.recognise(text)
    for reading in found.readings[:3]:
        read_position(reading.game, reading.position.text)
        if not reading.words:
            raise Difference(f"is read as {reading.position.text!r} without a word")
    if not found.readings and not all(each.error for each in found.refused):
        raise Difference("is refused without a word")


HEADER = b'zermelo certificate 1\n{"game": "tic-tac-toe", "built_in": true, "claims": []}\n\n'
ZONES = (b'zermelo zones 1\n{"game":"k-in-a-row","parameters":{"columns":4},"position":"start",'
         b'"winner":0,"zones":{},"nodes":1}\n{"turn":[0],"then":null}\n')


def some_bytes(rng: random.Random) -> bytes:
    """The beginning of a certificate, changed."""
    content = bytearray(rng.choice([HEADER, ZONES]))
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(content))
        new = [rng.randbytes(rng.randint(0, 4)), b"[" * rng.choice([1, 9, 5000]), b"\n\n", b'"',
               b"1e999"]
        content[at : at + rng.choice([0, 1, 1, 3])] = rng.choice(new)
    return bytes(content)


OPTIONS = {"k-in-a-row": ["columns", "rows", "line", "stones", "first", "overline"],
           "othello": ["size", "no_move"], "p-game": ["branching", "depth", "range", "seed"],
           "lines-of-action": ["size", "simultaneous", "no_move", "repetition"],
           "xiangqi": ["repetition", "protected", "dialect", "pieces"], "hex": ["size"]}
VALUES = ["3", "5", "wins", "no-win", "pass", "true", "0.5", "1e-3", "2m", "256MB", "35e6", "none",
          "draw", "ucci", "left", "max+(sum-max)/k"]
SEARCH_OPTIONS = ["tie", "a", "N", "R", "theta", "pr", "playouts", "epsilon", "k", "leaf", "quick",
                  "fold", "E", "D", "C", "minFP", "bins", "thresholds", "depth", "free"]


def some_words(rng: random.Random) -> tuple[str, str, str, str]:
    """A name, an option and a value; the value, and rarely the name, is changed."""
    what = rng.choice(["game", "search", "limits"])
    value = texts.mutated(rng, VALUES)
    if what == "limits":
        return what, "", rng.choice(["nodes", "time", "memory"]), value
    names = list(OPTIONS) if what == "game" else list(zermelo.SEARCHES)
    name = rng.choice(names)
    option = rng.choice(OPTIONS[name] if what == "game" else SEARCH_OPTIONS)
    if rng.random() < 0.1:
        name = texts.mutated(rng, names)
    return what, name, option, value


BOUNDED = ["--nodes", "30", "--memory", "2MB", "--quiet"]
COMMAND_LINES = [
    ["solve", "tic-tac-toe", "a1 b2", "-s", "pn", "-g", "line=3", "-p", "tie=left"],
    ["solve", "tic-tac-toe", "a1 b2", "-s", "pn", "-g", "name=3", "-p", "id=left"],
    ["solve", "connect-four", "4444", "-s", "df-pn", "-g", "columns=5", "--goal", "win",
     "--seed", "3"],
    ["solve", "k-in-a-row", "a1 b2", "-s", "pn", "--zones", "width=8,threats=1", "--to-move", "X"],
    ["solve", "hex", "3x3: a1", "-s", "pn", "--trace", "5", "--json"],
    ["analyze", "tic-tac-toe", "a1 b2 c3", "-s", "pn", "--unique"],
    ["compare", "tic-tac-toe", "a1 b2", "-s", "pn:tie=deepest", "-s", "ppn:theta=0.001,pr=0.1"],
    ["annotate", "tic-tac-toe", "a1 b2 c3 a2", "-s", "pn"],
    ["annotate", "lines-of-action", "d8-b6 h6xf8", "-s", "pn", "--from", "start"],
    ["progress", "xiangqi", "h2e2 h9g7"], ["scn", "connect-four", "4444"],
]
SHORT_LINES = [
    ["games", "hex"], ["searches", "pn"], ["verify", "nothing.proof", "--sample", "3"],
    ["show", "nothing.proof", "--json"], ["lab", "status", "seesaw", "--set", "PN.nodes=1e6"],
    ["lab", "status", "p-games", "--only", "PN"], ["--version"], ["match", "hex", "pn", "df-pn"],
]


def some_command(rng: random.Random) -> list[str]:
    """A command with one or two words changed. Words that bound its work come last, unchanged."""
    long = rng.random() < 0.6
    words = list(rng.choice(COMMAND_LINES if long else SHORT_LINES))
    for _ in range(rng.choice([1, 1, 2])):
        at = rng.randrange(len(words))
        new = texts.mutated(rng, [words[at], *words])
        words[at] = new.replace("\0", "").encode("utf-8", "replace").decode()
    if words[0] == "match" or words[:2] == ["lab", "run"]:
        words[1:] = ["nothing"]  # these would play or run
    return [*words, *BOUNDED] if long else words


EXPERIMENT = '''from zermelo import PN, PPN
from zermelo.lab import Arm, Experiment, Size, Table, each, sweep

experiment = Experiment(
    title="trees",
    positions=each("p-game", "seed", range(4), branching=2, depth=3, take=Size(2, full=4)),
    arms=[
        Arm("PN", PN(), nodes=1_000, memory="1MB", seeds=2),
        *sweep(PPN, {"pr": [0.1, 0.01]}, fixed={"playouts": 10}, nodes=1_000, memory="1MB"),
    ],
    tables=[Table("by precision", ["wins", "mean nodes"])],
    minutes=Size(0.5, full=5),
)
'''


@cache
def store() -> str:
    """A store of results, so that experiments can be asked how far they are."""
    file = place() / "first.py"
    file.write_text(EXPERIMENT)
    read_command(["lab", "run", str(file), "--store", str(place() / "lab"), "--backend",
                  "in-process", "--quiet", "--workers", "1"])
    return str(place() / "lab")


def some_experiment(rng: random.Random) -> str:
    """An experiment with a few changes."""
    return texts.mutated(rng, [EXPERIMENT])


def read_experiment(text: str) -> None:
    """How far an experiment of one's own is: its file is read, and all its jobs are planned."""
    file = place() / "mine.py"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    read_command(["lab", "status", str(file), "--store", store()])
    sys.modules.pop("mine", None)


OTHERS: dict[str, tuple[Make, Read, int, float]] = {
    "words": (some_words, read_words, MOST, LONGEST),
    "recognise": (some_paste, read_paste, FEW, LONGEST),
    "requests": (protocols.some_request, protocols.read_request, MOST, LONGEST),
    **{f"lines of {name}": (partial(protocols.some_lines, protocol=name),
                            partial(protocols.read_lines, protocol=name), COMMANDS,
                            LONGEST_COMMAND) for name in protocols.NAMES},
    "certificates": (some_bytes, read_certificate, MANY, LONGEST),
    "commands": (some_command, read_command, COMMANDS, LONGEST_COMMAND),
    "experiments": (some_experiment, read_experiment, COMMANDS, LONGEST_COMMAND),
}
TARGETS = [*(f"{what} of {name}" for name in texts.GAMES for what in ("positions", "moves",
                                                                      "records")),
           "positions of graph", *OTHERS]


@cache
def target(wanted: str) -> tuple[Make, Read, int, float]:
    """What makes an input, what reads it, how many a case has, and how long one may take."""
    if wanted in OTHERS:
        return OTHERS[wanted]
    what, _, name = wanted.partition(" of ")
    slow = name.startswith(("xiangqi", "hex"))
    count = SOME if slow else MANY
    read: dict[str, Callable[[], tuple[Make, Read, int, float]]] = {
        "positions": lambda: (partial(texts.mutated, seeds=texts.positions(name)),
                              partial(read_position, texts.game(name)), count, LONGEST),
        "moves": lambda: (partial(texts.mutated, seeds=texts.moves(name)),
                          partial(read_move, texts.open_position(name)),
                          SOME if name.startswith("xiangqi") else MOST, LONGEST),
        "records": lambda: (partial(texts.mutated, seeds=texts.files(name)),
                            partial(read_games, texts.game(name)), FEW if slow else SOME, LONGEST),
    }
    return read[what]()


def tried(read: Read, content: Any, longest: float) -> bool:
    """Whether the content was accepted; Difference if that was not decided as it should be."""
    for _ in range(2):  # the first time something may be compiled
        watch = Watch()
        try:
            read(content)
            accepted = True
        except zermelo.ZermeloError as error:
            accepted = False
            if not str(error):
                raise Difference("is refused without a word") from None
        except Difference:
            raise
        except Exception as error:
            raise Difference(f"raises {type(error).__name__}: {error}") from error
        if watch.seconds <= longest:
            return accepted
    raise Difference(f"takes {watch.seconds:.1f} s")


def run(seed: int, index: int) -> Counter[str]:
    """Some inputs of one parser."""
    rng, name = chance("parsers", seed, index), TARGETS[index % len(TARGETS)]
    make, read, count, longest = target(name)
    counts: Counter[str] = Counter()
    for number in range(count):
        content = make(rng)
        try:
            with patience(GIVE_UP):
                accepted = tried(read, content, longest)
        except (Difference, Stuck) as error:
            what = f"gives no answer in {GIVE_UP:.0f} s" if isinstance(error, Stuck) else str(error)
            raise Difference(f"{name}, input {number}: {shown(content)} {what}") from error
        inputs = len(content) if name.startswith("lines of") else 1
        counts.update(inputs=inputs, accepted=accepted * inputs)
    return counts

