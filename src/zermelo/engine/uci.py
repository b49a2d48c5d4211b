"""UCI, UCCI and UGI: one family of protocols, with its options, positions, ``go`` and ``stop``.

UCI is Meyer-Kahlen's protocol for chess engines, here for Xiangqi as Fairy-Stockfish speaks it:
ranks are 1 to 10. ``uci2wb`` has the older way of Cyclone: no word ``position`` before ``fen``, and
ranks 0 to 9. UCCI, the Universal Chinese Chess Interface, version 3, has ranks 0 to 9 and other
words: options have no ``name`` and ``value``, the clock is that of the player to move, scores are
plain numbers, and moves may be forbidden because of repetitions. UGI, the Universal Game Interface
of cutegames, is UCI for any game: the client knows no rules, and asks whose turn it is and whether
the game is over.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, ClassVar

from zermelo.core.position import Position
from zermelo.engine.loop import ClientOption, ProtocolEngine
from zermelo.engine.thinking import (
    EngineAnswer,
    MoveBudget,
    Thinking,
    share_of_clock,
    whole,
    with_what_came_before,
)
from zermelo.errors import BadMove, BadOption, quoted
from zermelo.playing import Referee
from zermelo.solving.result import Value
from zermelo.version import __version__

NAME, AUTHOR = f"Zermelo {__version__}", "the Zermelo authors"
NO_MOVE = "(none)"
MILLISECONDS = 1000.0
NUMBERS = ("movestogo", "depth", "nodes", "mate", "movetime")
FLAGS = ("infinite", "ponder")


class UciFamily(ProtocolEngine):
    """A protocol of the family; each class has what differs from the others."""

    hello: ClassVar[str] = "uci"
    words: ClassVar[str] = "info string"  # how a line of words begins, which clients show
    new_game: ClassVar[str] = "ucinewgame"
    clocks: ClassVar[tuple[str, ...]] = ("wtime", "btime", "winc", "binc")
    plies_per_mate_move: ClassVar[int] = 2

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.reason = ""  # why there is no position
        self.pondered: MoveBudget | None = None  # what counts from ``ponderhit`` on
        self.options = {option.name.lower(): option for option in self.all_options()}
        self.commands: dict[str, Callable[[list[str]], None]] = {
            self.hello: self.introduce, "isready": self.ready, "setoption": self.set_option,
            self.new_game: self.begin_game, "position": self.set_position, "go": self.go,
            "stop": self.nothing, "ponderhit": self.nothing, "quit": self.quit,
        }

    def all_options(self) -> list[ClientOption]:
        """Return what the client may set."""
        return [
            ClientOption.number("Hash", self.settings.memory // 10**6, 1, 1 << 20,
                                self._set_memory),
            ClientOption.number("Threads", self.settings.threads, 1, 256, self._set_threads),
        ]

    def _set_memory(self, megabytes: int) -> None:
        self.settings = replace(self.settings, memory=megabytes * 10**6)

    def _set_threads(self, threads: int) -> None:
        settings = replace(self.settings, threads=threads)
        Thinking(self.game.start(), settings, MoveBudget())  # not all searches can use several
        self.settings = settings

    def handle(self, line: str) -> None:
        """Answer one command."""
        words = line.split()
        if not words:
            return
        found = self.commands.get(words[0])
        if found is None:
            known = ", ".join(self.commands)
            raise BadOption(f"unknown command {quoted(words[0])}; commands are {known}.")
        found(words[1:])

    def refuse(self, sentence: str) -> None:
        """Send an error, which clients show."""
        self.output.say(f"{self.words} error: {sentence}")

    def at_once(self, line: str) -> bool:
        """Answer what may come while the engine thinks."""
        word = (line.split() or [""])[0]
        search = self.at_work
        assert search is not None
        if word == "isready":
            self.output.say("readyok")
        elif word == "stop":
            search.stop()
        elif word == "quit":
            self.quit([])
        elif word == "ponderhit":
            if self.pondered is not None and isinstance(search, Thinking):
                search.budget, self.pondered = self.pondered, None
                search.start_clock()
        else:
            return False
        return True

    def begins(self, line: str) -> bool:
        """Return True for ``go``."""
        return line.split()[:1] == ["go"]

    def introduce(self, words: list[str]) -> None:
        """Send the engine's name, and what can be set."""
        self.output.say(f"id name {NAME}", f"id author {AUTHOR}",
                        *(self.option_line(option) for option in self.options.values()),
                        f"{self.hello}ok")

    def option_line(self, option: ClientOption) -> str:
        """Return an option as it is announced."""
        return f"option name {option.name} {option.facts}"

    def ready(self, words: list[str]) -> None:
        """Compile what a search needs, before a clock runs."""
        if self.position is not None and self.position.outcome is None:
            Thinking(self.position, self.settings, MoveBudget(nodes=1)).prepare()
        self.output.say("readyok")

    def set_option(self, words: list[str]) -> None:
        """Read ``name NAME value VALUE``; a name may have several words."""
        if words[:1] != ["name"]:
            raise BadOption("setoption is written 'setoption name NAME value VALUE'.")
        at = words.index("value") if "value" in words else len(words)
        self.change_option(" ".join(words[1:at]), " ".join(words[at + 1 :]))

    def change_option(self, name: str, value: str) -> None:
        """Set an option by its name, in any case."""
        found = self.options.get(name.lower())
        if found is None:
            known = ", ".join(option.name for option in self.options.values())
            raise BadOption(f"there is no option {quoted(name)}; options are {known}.")
        found.take(value)

    def begin_game(self, words: list[str]) -> None:
        """Begin a game: nothing of the last one is used."""
        self.position, self.reason = self.game.start(), ""

    def set_position(self, words: list[str]) -> None:
        """Set up ``startpos`` or ``fen TEXT``, and perhaps ``moves`` with those since."""
        self.position = None
        try:
            self.position = self.read_position(words)
        except Exception as error:
            self.reason = str(error)
            raise

    def read_position(self, words: list[str]) -> Position:
        """Return the position; moves are played one by one, for the client is the referee."""
        at = words.index("moves") if "moves" in words else len(words)
        begin, moves = words[:at], words[at + 1 :]
        if begin == ["startpos"]:
            position = self.game.start()
        elif begin[:1] == ["fen"] and len(begin) > 1:
            position = self.game.parse(" ".join(begin[1:]))
        else:
            raise BadOption(f"position {quoted(' '.join(begin))} is not understood; write startpos "
                            "or fen and a position, and then perhaps moves and the moves.")
        return position.play(*moves)

    def go(self, words: list[str]) -> None:
        """Think, and send the move to play; whatever happens, the client gets an answer."""
        try:
            answer = self.move_for(words)
        except Exception:
            self.no_move()
            raise
        if answer is None:
            self.no_move()
        else:
            self.tell(answer)
            self.tell_move(answer)

    def move_for(self, words: list[str]) -> EngineAnswer | None:
        """Return the answer to ``go``; None where the game is over."""
        if self.position is None:
            raise BadOption(f"there is no position to think about: {self.reason}")
        given, only = self.read_go(words)
        budget = self.budget(given)
        if not budget.given:
            budget = MoveBudget(forever=True)
        self.pondered = None
        if given.get("ponder"):
            self.pondered, budget = budget, MoveBudget(forever=True)
        if self.position.outcome is not None:
            return None
        moves = None if only is None else self._names(only)
        thinking = Thinking(self.position, self.settings, budget, only=moves)
        answer = self.think(thinking, self.tell)
        return with_what_came_before(thinking, answer, lambda more: self.think(more, self.tell))

    def _names(self, given: Collection[str]) -> list[str]:
        """Return moves as the game names them."""
        position = self.position
        assert position is not None
        return [self.game.move_name(position, self.game.parse_move(position, move))
                for move in given]

    def read_go(self, words: list[str]) -> tuple[dict[str, int], list[str] | None]:
        """Return the numbers by name, and the moves of ``searchmoves``."""
        given: dict[str, int] = {}
        only: list[str] | None = None
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word in FLAGS:
                given[word] = 1
            elif word == "searchmoves":
                only = []
                while rest and rest[0] not in (*FLAGS, *NUMBERS, *self.clocks):
                    only.append(rest.pop(0))
            elif word in (*NUMBERS, *self.clocks):
                if not rest:
                    raise BadOption(f"a number must follow {word}.")
                # A clock may be below 0 when a flag has fallen and nobody minds.
                low = -10**9 if word in self.clocks else 1
                given[word] = whole(word, rest.pop(0), low)
            else:
                known = ", ".join((*FLAGS, "searchmoves", *NUMBERS, *self.clocks))
                raise BadOption(f"go {quoted(word)} is not understood; after go come {known}.")
        return given, only

    def budget(self, given: dict[str, int]) -> MoveBudget:
        """Return what the client allows."""
        if given.get("infinite"):
            return MoveBudget(forever=True)
        seconds = self.seconds(given)
        depth = given.get("depth")
        if "mate" in given:
            depth = self.plies_per_mate_move * (given["mate"] - 1) + 1
        if depth is not None and (self.game.rules.evaluate is None or self.settings.plain):
            depth, seconds = None, self.usual.seconds if seconds is None else seconds
            return MoveBudget(seconds, given.get("nodes", self.usual.nodes))  # nothing looks so far
        return MoveBudget(seconds, given.get("nodes"), depth)

    def seconds(self, given: dict[str, int]) -> float | None:
        """Return the time for this move, from ``movetime`` or the clock of the player to move."""
        if "movetime" in given:
            return given["movetime"] / MILLISECONDS
        assert self.position is not None
        mine, increment = self.clocks[self.position.mover], self.clocks[self.position.mover + 2]
        if mine not in given:
            return None
        return share_of_clock(max(given[mine], 1) / MILLISECONDS,
                              given.get(increment, 0) / MILLISECONDS, given.get("movestogo"))

    def tell(self, answer: EngineAnswer) -> None:
        """Send one line of information."""
        parts = ["info"]
        if answer.depth is not None:
            parts.append(f"depth {answer.depth}")
        score = self.score(answer)
        if score is not None:
            parts.append(f"score {score}")
        spent = round(answer.seconds * MILLISECONDS)
        rate = round(answer.nodes / max(answer.seconds, 1e-3))
        parts.append(f"time {spent} nodes {answer.nodes} nps {rate}")
        if answer.line:
            parts.append(f"pv {' '.join(answer.line)}")
        self.output.say(" ".join(parts))

    def score(self, answer: EngineAnswer) -> str | None:
        """Return points, or the distance of the end on the proved line."""
        if answer.value in (Value.WIN, Value.LOSS):
            sign = 1 if answer.value == Value.WIN else -1
            return f"mate {sign * -(-(answer.length or 1) // self.plies_per_mate_move)}"
        if answer.value == Value.DRAW:
            return "cp 0"
        return None if answer.points is None else f"cp {answer.points}"

    def in_words(self, answer: EngineAnswer) -> str:
        """Return what is proved, in words."""
        assert self.position is not None
        players, mover = self.game.players, self.position.mover
        said = {Value.WIN: f"{players[mover]} wins", Value.LOSS: f"{players[1 - mover]} wins"}
        return f"{said.get(answer.value, 'draw')}: proved"

    def tell_move(self, answer: EngineAnswer) -> None:
        """Send the move to play, and perhaps the reply that is expected."""
        if answer.move is None:
            self.no_move()
            return
        if answer.proved:
            self.output.say(f"{self.words} {self.in_words(answer)}")
        reply = f" ponder {answer.line[1]}" if len(answer.line) > 1 else ""
        self.output.say(f"bestmove {answer.move}{reply}")

    def no_move(self) -> None:
        """Send that there is nothing to play."""
        self.output.say(f"bestmove {NO_MOVE}")

    def nothing(self, words: list[str]) -> None:
        """Ignore a command about a search: there is none."""

    def quit(self, words: list[str]) -> None:
        """End; a search at work answers with what it knows."""
        self.over = True
        if self.at_work is not None:
            self.at_work.stop()


class Uci(UciFamily):
    """UCI for Xiangqi."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.commands["fen"] = self.cyclone
        self.commands["debug"] = self.commands["register"] = self.nothing

    def all_options(self) -> list[ClientOption]:
        """Return the options of all, and those for the rules and the notation of Xiangqi."""
        dialects = {"1-10": "uci", "0-9": "ucci"}
        ranks = next((name for name, dialect in dialects.items()
                      if dialect == self.game["dialect"]), "1-10")
        rules = ("draw", "perpetual-check-loses")
        return [
            *super().all_options(),
            ClientOption.flag("Ponder", False, lambda on: None),
            ClientOption.flag("UCI_AnalyseMode", False, lambda on: None),
            ClientOption.choice("UCI_Variant", "xiangqi", ("xiangqi",), lambda name: None),
            ClientOption.choice("Ranks", ranks, tuple(dialects),
                          lambda name: self.change_game(dialect=dialects[name])),
            ClientOption.choice("Repetition", self.game["repetition"], rules,
                          lambda name: self.change_game(repetition=name)),
        ]

    def change_game(self, **parameters: str) -> None:
        """Change the game's parameters and keep the position."""
        self.game = type(self.game)(**{**self.game.values, **parameters})
        self.position = None if self.position is None else self.game.parse(self.position.text)

    def cyclone(self, words: list[str]) -> None:
        """Read ``fen FEN moves ...``, without the word position: then ranks are 0 to 9."""
        if self.game["dialect"] != "ucci":
            self.change_option("Ranks", "0-9")
        self.set_position(["fen", *words])


MATE = 30_000  # a win in n plies is n less
MINE = ("time", "movestogo", "increment")
THEIRS = ("opptime", "oppmovestogo", "oppincrement")


class Ucci(Uci):
    """UCCI for Xiangqi."""

    hello = "ucci"
    words = "info message"
    new_game = "uccinewgame"
    clocks = (*MINE, *THEIRS)

    def __init__(self, *given: Any) -> None:
        self.unit = MILLISECONDS
        self.banned: list[str] = []
        super().__init__(*given)
        self.commands.update(banmoves=self.ban, probe=self.nothing)

    def all_options(self) -> list[ClientOption]:
        """Return the options hash and threads, and those for times and repetitions."""
        known = {"Hash": "hashsize", "Threads": "threads", "Ponder": "ponder",
                 "Repetition": "repetition"}
        found = [ClientOption(known[option.name], option.facts, option.take)
                 for option in super().all_options() if option.name in known]
        return [ClientOption.flag("usemillisec", True, self._set_unit), *found,
                ClientOption("newgame", "type button", self._new_game)]

    def _set_unit(self, milliseconds: bool) -> None:
        self.unit = MILLISECONDS if milliseconds else 1.0

    def _new_game(self, text: str) -> None:
        self.begin_game([])

    def option_line(self, option: ClientOption) -> str:
        """Return an option as it is announced, without the word name."""
        return f"option {option.name} {option.facts}"

    def set_option(self, words: list[str]) -> None:
        """Read ``NAME VALUE``."""
        if not words:
            raise BadOption("setoption is written 'setoption NAME VALUE'.")
        self.change_option(words[0], " ".join(words[1:]))

    def set_position(self, words: list[str]) -> None:
        """Set up a position: what was forbidden in the last one is allowed again."""
        self.banned = []
        super().set_position(words)

    def ban(self, words: list[str]) -> None:
        """Forbid moves in this position."""
        if self.position is None:
            raise BadOption(f"there is no position to forbid moves in: {self.reason}")
        self.banned = self._names(words)

    def read_go(self, words: list[str]) -> tuple[dict[str, int], list[str] | None]:
        """Read what follows ``go``, without an offer of a draw and forbidden moves."""
        words = [word for word in words if word != "draw"]
        if words[:2] == ["depth", "infinite"]:
            words = [FLAGS[0]]
        given, only = super().read_go(words)
        if self.banned and self.position is not None:
            only = [move for move in self.position.moves() if move not in self.banned]
        return given, only

    def seconds(self, given: dict[str, int]) -> float | None:
        """Return the time for this move, from the clock of the player to move."""
        if "movetime" in given:
            return given["movetime"] / self.unit
        if "time" not in given:
            return None
        return share_of_clock(max(given["time"], 1) / self.unit,
                              given.get("increment", 0) / self.unit, given.get("movestogo"))

    def tell(self, answer: EngineAnswer) -> None:
        """Send time and nodes in a line of their own, and a line of information."""
        self.output.say(f"info time {round(answer.seconds * MILLISECONDS)} nodes {answer.nodes}")
        score = self.score(answer)
        if score is not None and answer.line:
            self.output.say(f"info depth {answer.depth or len(answer.line)} score {score} pv "
                            f"{' '.join(answer.line)}")

    def score(self, answer: EngineAnswer) -> str | None:
        """Return points; near 30,000 where the win is proved."""
        if answer.value in (Value.WIN, Value.LOSS):
            sign = 1 if answer.value == Value.WIN else -1
            return str(sign * (MATE - (answer.length or 1)))
        if answer.value == Value.DRAW:
            return "0"
        return None if answer.points is None else str(answer.points)

    def no_move(self) -> None:
        """Send that there is nothing to play, or all of it is forbidden."""
        self.output.say("nobestmove")

    def leave(self) -> None:
        """Send the last word."""
        self.output.say("bye")


RESULTS = {"first": "p1win", "second": "p2win", "draw": "draw", None: "none"}
QUERIES = ("p1turn", "gameover", "result", "fen", "moves", "islegal MOVE")


class Ugi(UciFamily):
    """UGI; ``query fen``, ``moves`` and ``islegal`` are additions that other engines have too."""

    hello = "ugi"
    new_game = "uginewgame"
    clocks = ("p1time", "p2time", "p1inc", "p2inc")
    plies_per_mate_move = 1

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.commands["query"] = self.query

    def query(self, words: list[str]) -> None:
        """Answer a question about the position."""
        position = self.position
        if position is None:
            raise BadOption(f"there is no position to ask about: {self.reason}")
        what, *more = words or [""]
        verdict = Referee(position).verdict()
        outcome = None if verdict is None else verdict[0]
        if what == "p1turn":
            answer = _truth(position.mover == 0)
        elif what == "gameover":
            answer = _truth(outcome is not None)
        elif what == "result":
            answer = RESULTS[outcome]
        elif what == "fen":
            answer = " ".join(position.text.split())
        elif what == "moves":
            answer = " ".join(position.moves())
        elif what == "islegal" and len(more) == 1:
            answer = _truth(_is_legal(position, more[0]))
        else:
            raise BadOption(f"query {quoted(' '.join(words))} is not understood; queries are "
                            f"{', '.join(QUERIES)}.")
        self.output.say(f"response {answer}".rstrip())


def _truth(yes: bool) -> str:
    return "true" if yes else "false"


def _is_legal(position: Position, move: str) -> bool:
    try:
        position.play(move)
    except BadMove:
        return False
    return True
