"""The arguments and options that several commands share, with their help.

Numbers are taken as strings, so that the library itself says what is wrong with one.
"""

from typing import Annotated

import typer

NUMBER, PAIR = "NUMBER", "NAME=VALUE"

GameName = Annotated[str, typer.Argument(
    metavar="GAME", help="A game (see 'zermelo games'), or FILE.py:Class for your own, or "
         "open-spiel:NAME(...) for one of OpenSpiel's.")]
PositionText = Annotated[str, typer.Argument(
    metavar="POSITION", help="A position in the game's notation, 'start', or - for standard "
    "input.")]
Parameters = Annotated[list[str] | None, typer.Option(
    "-g", metavar=PAIR, help="A parameter of the game; may be repeated.")]
A_SEARCH = ("A search (see 'zermelo searches'), also as ID:NAME=VALUE,...; weak-df-pn by default, "
            "or vcdt for k-in-a-row games on large boards")
SearchName = Annotated[str | None, typer.Option(
    "--search", "-s", metavar="ID", help=f"{A_SEARCH}.")]
SolveSearch = Annotated[str | None, typer.Option(
    "--search", "-s", metavar="ID",
    help=f"{A_SEARCH}; auto: picked by looking at the position.")]
Options = Annotated[list[str] | None, typer.Option(
    "-p", metavar=PAIR, help="An option of the search; may be repeated.")]
Nodes = Annotated[str | None, typer.Option(
    "--nodes", metavar=NUMBER, help="Stop at this many nodes, e.g. 200k or 35e6.")]
Time = Annotated[str | None, typer.Option(
    "--time", metavar=NUMBER, help="Stop after this many seconds, e.g. 90, or 2m.")]
Memory = Annotated[str | None, typer.Option(
    "--memory", metavar=NUMBER, help="Use at most this much memory, e.g. 256MB; half of the free "
    "memory by default.")]
Seed = Annotated[str, typer.Option(
    "--seed", metavar=NUMBER, help="Random seed.")]
# Where nothing is drawn by chance: taken, as by all commands, and without effect.
NoSeed = Annotated[str, typer.Option("--seed", metavar=NUMBER, hidden=True)]
Plain = Annotated[bool, typer.Option(
    "--plain", help="Use only the rules, no knowledge of the game.")]
ToMove = Annotated[str | None, typer.Option(
    "--to-move", metavar="SIDE", help="Side to move, if the position text omits it.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress on standard error.")]

Goal = Annotated[str, typer.Option(
    "--goal", metavar="GOAL", help="What to find out. value: win, draw or loss; win: only whether "
    "the side to move wins; score: the final score; shortest: also the length of a shortest win.")]
WorthGoal = Annotated[str, typer.Option(
    "--goal", metavar="GOAL", help="What to find out. value: win, draw or loss; score: also the "
    "final score; shortest: also the length of each win or loss.")]
Threads = Annotated[str, typer.Option(
    "--threads", metavar=NUMBER, help="Threads for one search; only depth-first searches can use "
    "more than 1.")]
Proof = Annotated[str | None, typer.Option(
    "--proof", metavar="FILE", help="Write a certificate of the answer, and check it.")]
Checkpoint = Annotated[str | None, typer.Option(
    "--checkpoint", metavar="FILE", help="Keep the search in a file as it goes on; 'zermelo resume "
    "FILE' goes on from there.")]
Every = Annotated[str | None, typer.Option(
    "--every", metavar=NUMBER, help="Write the checkpoint this often, e.g. 30s or 5m; by default "
    "every 60 s, or less often where writing would take more than 2 % of the time.")]
Svg = Annotated[str | None, typer.Option(
    "--svg", metavar="FILE", help="Draw the position, with the line where stones can be numbered.")]
Sgf = Annotated[str | None, typer.Option(
    "--sgf", metavar="FILE", help="Write the moves and the line as SGF (k-in-a-row games).")]
Candidates = Annotated[bool, typer.Option(
    "--candidates", help="Let the attacker try only the game's candidate moves, such as checks; if "
    "they run out, the answer is unknown.")]
ZoneOptions = Annotated[str | None, typer.Option(
    "--zones", metavar="NAME=VALUE,...", help="Use candidates with relevance zones, and set these "
    "options: width, depth, effort, threats, eager.")]
Trace = Annotated[str | None, typer.Option(
    "--trace", metavar=NUMBER, help="Sample the root every NUMBER iterations, for --json.")]
Unique = Annotated[bool, typer.Option(
    "--unique", help="Also ask whether the solution is unique along the main line.")]
OnePosition = Annotated[str | None, typer.Argument(
    metavar="POSITION", help="A position, as for solve, or use --file; by default the start of "
    "the game.")]
Searches = Annotated[list[str] | None, typer.Option(
    "--search", "-s", metavar="ID", help="A search: ID or ID:NAME=VALUE,...; may be repeated; by "
    "default all that suit the game.")]
File = Annotated[str | None, typer.Option(
    "--file", metavar="FILE", help="Positions, one per line; - for standard input.")]
SolvePosition = Annotated[str | None, typer.Argument(
    metavar="POSITION", help="A position in the game's notation, 'start', or - for standard "
    "input; by default the start of the game.")]
BatchFile = Annotated[str | None, typer.Option(
    "--file", metavar="FILE", help="Solve the positions of a file, one per line; - for standard "
    "input. Needs --jsonl.")]
JsonLines = Annotated[bool, typer.Option(
    "--jsonl", help="Print a line of JSON for every position of --file, as soon as it is known.")]
Knowledge = Annotated[bool, typer.Option(
    "--knowledge", help="Use what is known about the game; by default only the rules are used.")]
Workers = Annotated[str, typer.Option(
    "--workers", metavar=NUMBER, help="Runs at the same time; use 1 for accurate timings.")]
Rounds = Annotated[str, typer.Option("--games", metavar=NUMBER, help="Random games to play.")]
OneGame = Annotated[str | None, typer.Argument(
    metavar="GAME", help="One game; all by default.")]
OneSearch = Annotated[str | None, typer.Argument(
    metavar="SEARCH", help="One search; all by default.")]
CrewSize = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="Let this many workers, processes of their own, search one "
    "position together: for several machines; on one, --threads does less work twice.")]
JournalFile = Annotated[str | None, typer.Option(
    "--journal", metavar="FILE", help="With --workers: keep every result in this file; the same "
    "command goes on from there.")]
ClusterAddress = Annotated[str | None, typer.Option(
    "--cluster", metavar="ADDRESS", help="With --workers: let them run on the Ray cluster at this "
    "address; 'local' begins one on this machine.")]
Deterministic = Annotated[bool, typer.Option(
    "--deterministic", help="With --workers: work in rounds, so that the same work is done every "
    "time.")]
