"""Commands that play: a person against the machine, a search against another, and a program that
speaks a protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import options as opt
from zermelo.cli import show
from zermelo.cli.options import NUMBER
from zermelo.cli.solve import best_guess
from zermelo.cli.terminal import check_file, private_output, source, terminable, write_file
from zermelo.engine import (
    ENGINES,
    JSONL,
    NAMES,
    InputLines,
    OutputLines,
    check_protocol,
    engine_class,
    game_of,
)
from zermelo.errors import BadOption, ZermeloError, check_whole, counted, file_name, quoted
from zermelo.solving.result import Limits

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.matches import Match
    from zermelo.search.base import Search

Side = Annotated[str | None, typer.Option(
    "--side", metavar="SIDE", help="The side you play, or both; the side to move by default.")]
PerMove = Annotated[str, typer.Option(
    "--time", metavar=NUMBER, help="Think for at most this many seconds per move.")]
HELP = "a move, or one of the words moves, hint, undo, quit"


def play(
    game: opt.GameName, position: opt.PositionText = "start", side: Side = None,
    search: opt.SearchName = None, p: opt.Options = None, g: opt.Parameters = None,
    time: PerMove = "5", nodes: opt.Nodes = None, memory: opt.Memory = None, seed: opt.Seed = "0",
    quiet: opt.Quiet = False,
) -> None:
    """Play a game against the machine, which tells you what it has proved."""
    rules = opt.read_game(game, g)
    chosen = opt.read_search(search, p, rules)
    limits = Limits(nodes, time, memory)
    start = opt.read_position(rules, position)
    yours = read_side(rules, start, side)
    GameTable(start, yours, chosen, limits, opt.read_whole("--seed", seed), quiet).play()


def read_side(game: Game, start: Position, text: str | None) -> tuple[int, ...]:
    """Return the players that the user plays."""
    if text is None:
        return (start.mover,)
    if text.strip().lower() == "both":
        return (0, 1)
    player = game.player_called(text)
    if player is None:
        raise BadOption(f"--side {quoted(text)} is not a side; valid are {game.players[0]}, "
                        f"{game.players[1]} and both.")
    return (player,)


@dataclass
class GameTable:
    """A game in progress: what the user types, and what the machine replies."""

    at: Position
    yours: tuple[int, ...]
    search: Search
    limits: Limits
    seed: int
    quiet: bool
    before: list[tuple[Position, str]] = field(default_factory=list)  # positions, moves from them

    def play(self) -> None:
        """Play until the game is over, or the user has had enough."""
        going = True
        while going:
            print("\n".join(show.board(self.at, self.at.diagram)), flush=True)
            if self.at.outcome is not None:
                from zermelo.core.svg import status

                print(status(self.at))
                break
            going = self.users_turn() if self.at.mover in self.yours else self.machines_turn()
        if self.before:
            print(f"moves {' '.join(move for _, move in self.before)}", flush=True)

    def users_turn(self) -> bool:
        """Ask until there is a legal move, or something else was done; return False to stop."""
        while True:
            try:
                typed = input(f"{self.at.to_move}: ").strip()
            except (EOFError, KeyboardInterrupt):
                print()
                return False
            if typed.lower() in ("quit", "exit"):
                return False
            if typed.lower() == "undo":
                return self.take_back()
            if typed.lower() == "moves":
                print(" ".join(self.at.moves()))
            elif typed.lower() == "hint":
                print(self.think()[1])
            elif typed in ("", "help", "?"):
                print(f"type {HELP}")
            else:
                try:
                    self.make(typed)
                    return True
                except ZermeloError as error:
                    print(f"{error} Type {HELP}.")

    def machines_turn(self) -> bool:
        """The best move that is known."""
        move, words, interrupted = self.think()
        if not interrupted:
            print(f"{self.at.to_move} plays {words}", flush=True)
            self.make(move)
        return not interrupted

    def make(self, move: str) -> None:
        """Play a move."""
        after = self.at.play(move)
        self.before.append((self.at, move))
        self.at = after

    def take_back(self) -> bool:
        """Go back to the user's last move."""
        while self.before:
            self.at, _ = self.before.pop()
            if self.at.mover in self.yours:
                break
        return True

    def think(self) -> tuple[str, str, bool]:
        """Return a move, what is known about it, and True if Ctrl-C came first."""
        from zermelo.solving.session import Session

        session = Session(self.at, self.search, seed=self.seed)
        live = show.Live(self.quiet, f"{self.search.id} for {self.at.game.name}")
        try:
            result = session.run(self.limits, live)
            guessed = None if result.concluded else best_guess(session, self.limits, live)
        finally:
            live.close()
        interrupted = result.stopped == "interrupted"
        if guessed is not None:
            return guessed.move, str(guessed), interrupted
        move = result.move if result.move is not None else self.at.moves()[0]
        return move, f"{move} ({show.verdict(result)})", interrupted


A = Annotated[str, typer.Option("--a", metavar="ID", help="A search: ID or ID:NAME=VALUE,...")]
B = Annotated[str | None, typer.Option(
    "--b", metavar="ID", help="The other search; without it A plays itself, once from each "
    "opening.")]
Games = Annotated[str, typer.Option(
    "-n", metavar=NUMBER, help="Number of games: two from each opening, one with each colour.")]
MoveMemory = Annotated[str, typer.Option(
    "--memory", metavar=NUMBER, help="Memory limit of each search.")]
Openings = Annotated[str | None, typer.Option(
    "--openings", metavar="FILE", help="Openings, one position or move list per line; random ones "
    "by default.")]
Plies = Annotated[str | None, typer.Option(
    "--plies", metavar=NUMBER, help="Number of random moves in each opening; 4 by default.")]
Balance = Annotated[str | None, typer.Option(
    "--balance", metavar=NUMBER, help="Generate this many times as many openings and keep the most "
    "even ones; 4 by default, 1 if A plays itself.")]
Noise = Annotated[str | None, typer.Option(
    "--noise", metavar=NUMBER, help="Set the option noise of both searches.")]
Longest = Annotated[str | None, typer.Option(
    "--longest", metavar=NUMBER, help="Declare a draw after this many moves; by default the game's "
    "own limit.")]
AllWorkers = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="Games played at the same time; one per core by default.")]
MatchStore = Annotated[str | None, typer.Option(
    "--store", metavar="FILE", help="Where finished games are kept; by default ZERMELO_LAB, or the "
    "user's data directory.")]
Out = Annotated[str | None, typer.Option(
    "--out", metavar="FILE", help="Write the games to this file: SGF if the game supports it, "
    "otherwise one line of moves per game.")]


def match(
    game: opt.GameName, a: A = "pvs", b: B = None, n: Games = "100", nodes: opt.Nodes = None,
    time: opt.Time = None, memory: MoveMemory = "256MB", noise: Noise = None,
    openings: Openings = None, plies: Plies = None, balance: Balance = None,
    longest: Longest = None, g: opt.Parameters = None, plain: opt.Plain = False,
    workers: AllWorkers = None, store: MatchStore = None, out: Out = None, seed: opt.Seed = "0",
    json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Let two searches play each other; limits are per move. Ctrl-C keeps finished games."""
    from zermelo.lab.experiment import store_path
    from zermelo.matches import PLIES
    from zermelo.matches import match as play_match

    limits = Limits(nodes, time, memory)
    rules = opt.read_game(game, g)
    first, second = opt.read_search(a), None if b is None else opt.read_search(b)
    given = None if openings is None else opt.read_file(rules, openings, None)
    if given is not None and (plies is not None or balance is not None):
        raise BadOption("--plies and --balance are for random openings, not for --openings.")
    check_file(out)  # a match may take hours
    live = show.JobLive(quiet or json)
    with terminable():
        played = play_match(
            rules, first, second, games=opt.read_whole("-n", n), nodes=limits.nodes,
            time=limits.time, memory=limits.memory, noise=noise,
            seed=opt.read_whole("--seed", seed), openings=given,
            plies=opt.read_whole("--plies", plies or str(PLIES)),
            balance=opt.maybe_whole("--balance", balance),
            longest=opt.maybe_whole("--longest", longest), plain=plain,
            workers=opt.maybe_whole("--workers", workers), store=store_path(store), progress=live)
    live.close()
    try:
        print(show.as_json(played.to_dict()) if json else match_text(played), flush=True)
    finally:
        if out is not None:
            write_file(out, games_text(played),
                       "; the games are kept in the store, and the same command writes them")
    if out is not None and not json:
        print(f"wrote {file_name(out)}")
    raise typer.Exit(0 if played.complete else 10)


def games_text(played: Match) -> str:
    """Return the games in the game's notation, as ``zermelo.records`` reads them."""
    from zermelo.game_records.record import ToWrite, written

    a, b = show.name_of(played.a), show.name_of(played.b or played.a)
    return written(ToWrite(
        one.start.play(*one.moves), _name(one.turn), (a, b) if one.turn[2] == 0 else (b, a),
        one.outcome) for one in played.games)


def _name(turn: tuple[int, int, int]) -> str:
    """Return a name such as ``12.0a``: opening 12, round 0, A is the first player."""
    number, round, player = turn
    return f"{number}.{round}{'ab'[player]}"


def match_text(played: Match) -> str:
    """Return a match for people."""
    budget = [f"{counted(played.limits.nodes, 'node')}"] if played.limits.nodes is not None else []
    budget += [f"{played.limits.time:g} s"] if played.limits.time is not None else []
    other = "itself" if played.b is None else show.name_of(played.b)
    ends = played.outcomes()
    names = played.game.players
    lines = [f"{show.name_of(played.a)} against {other}: {played.game.name}, "
             f"{' and '.join(budget)} per move", *score_lines(played),
             f"{names[0]} won {ends['first']}, {names[1]} {ends['second']}; drawn {ends['draw']}, "
             f"{played.ended('repetition')} of them by repetition, {played.ended('length')} by "
             "length"]
    lines += [f"note: {note}" for note in played.notes]
    lines += [f"not played: {why}" for why in dict.fromkeys(played.failed)]
    lines.append(f"{len(played.games):,} of {counted(len(played.turns), 'game')} played, "
                 f"{played.ran:,} of them now, in {show.clock(played.seconds)}")
    if played.interrupted:
        lines.append("interrupted: run the same command again to continue")
    return "\n".join(lines)


def score_lines(played: Match) -> list[str]:
    """Return points, share and Elo with 95 % bounds, where there is a score."""
    score = played.score
    if score is None or played.b is None:
        return []
    elo, low, high = score.elo
    return [f"won {score.won}, drawn {score.drawn}, lost {score.lost} of "
            f"{counted(score.games, 'game')} from {counted(score.units, 'opening')}",
            f"score {score.points:g}-{score.games - score.points:g}, {100 * score.share:.1f} % "
            f"(95 %: {100 * score.low:.1f} to {100 * score.high:.1f})",
            f"Elo {elo:+.0f} (95 %: {low:+.0f} to {high:+.0f})"]


MaybeGame = Annotated[str | None, typer.Argument(
    metavar="GAME", help="A game (see 'zermelo games'), or FILE.py:Class for your own; most "
    "protocols are for one game alone.")]
ProtocolName = Annotated[str, typer.Option(
    "--protocol", metavar="NAME", help=f"What the client speaks: {', '.join(NAMES)}.")]
PerAnswer = Annotated[str | None, typer.Option(
    "--time", metavar=NUMBER, help="Think for at most this many seconds, where the client does not "
    "say; 5 by default, an hour for jsonl.")]
AtOnce = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="Searches at the same time, for jsonl; one per core by "
    "default.")]
Certificates = Annotated[str | None, typer.Option(
    "--certificates", metavar="DIRECTORY", help="For jsonl: requests may write and check "
    "certificates below this directory; without it no request names a file.")]
USUAL_SECONDS, USUAL_MEMORY = 5.0, 256_000_000


def engine(
    game: MaybeGame = None, protocol: ProtocolName = JSONL, g: opt.Parameters = None,
    search: opt.SearchName = None, p: opt.Options = None, nodes: opt.Nodes = None,
    time: PerAnswer = None, memory: opt.Memory = None, workers: AtOnce = None,
    certificates: Certificates = None, seed: opt.Seed = "0", plain: opt.Plain = False,
) -> None:
    """Answer another program, by a protocol, on standard input and output."""
    check_protocol(protocol)
    limits = Limits(nodes, time, memory)
    if protocol == JSONL:
        for flag, given in (("-g", g), ("-s", search), ("-p", p), ("--nodes", nodes)):
            if given:
                raise BadOption(f"{flag} is not for jsonl: every request says it for itself.")
        from zermelo.engine.jsonl import serve

        count = None if workers is None else check_whole(
            "--workers", opt.read_whole("--workers", workers), 1, 256)
        folder = None if certificates is None else Path(certificates)
        if folder is not None and not folder.is_dir():
            raise BadOption(f"--certificates {quoted(certificates)} is not a directory.")
        with terminable():
            serve(source(), private_output(), game, limits, count, folder)
        return
    if certificates is not None:
        raise BadOption("--certificates is for jsonl: no other protocol has certificates.")
    name, output = game_of(protocol, game), OutputLines(private_output())
    from zermelo.engine.thinking import EngineSettings, MoveBudget
    from zermelo.games.registry import game as game_by_name

    rules = game_by_name(name, **{**ENGINES[protocol][2], **opt.pairs(g or (), "-g")})
    chosen = None if search is None else opt.read_search(search, p, rules)
    settings = EngineSettings(chosen, limits.memory or USUAL_MEMORY, opt.read_whole("--seed", seed),
                        plain)
    usual = MoveBudget(limits.time or (USUAL_SECONDS if nodes is None else None), limits.nodes)
    with terminable():
        engine_class(protocol)(rules, settings, usual, output).serve(InputLines(source()))
