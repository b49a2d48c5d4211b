"""The arguments and options that several commands share, with their help.

Numbers are taken as texts: what is wrong with one is then said in the library's own words.
"""

from typing import Annotated

import typer

NUMBER, PAIR = "NUMBER", "NAME=VALUE"

GameName = Annotated[str, typer.Argument(
    metavar="GAME", help="A game ('zermelo games') or FILE.py:Class.")]
PositionText = Annotated[str, typer.Argument(
    metavar="POSITION", help="A position in the game's notation, 'start', or - for standard "
    "input.")]
Parameters = Annotated[list[str] | None, typer.Option(
    "-g", metavar=PAIR, help="A parameter of the game; may be repeated.")]
SearchName = Annotated[str | None, typer.Option(
    "--search", "-s", metavar="ID", help="A search ('zermelo searches'), also as "
    "ID:NAME=VALUE,...; weak-df-pn by default, vcdt for lines on large boards.")]
Options = Annotated[list[str] | None, typer.Option(
    "-p", metavar=PAIR, help="An option of the search; may be repeated.")]
Nodes = Annotated[str | None, typer.Option(
    "--nodes", metavar=NUMBER, help="Stop at this many nodes, e.g. 200k or 35e6.")]
Time = Annotated[str | None, typer.Option(
    "--time", metavar=NUMBER, help="Stop after this many seconds, e.g. 90, or 2m.")]
Memory = Annotated[str | None, typer.Option(
    "--memory", metavar=NUMBER, help="Use at most this much memory, e.g. 256MB; half of what is "
    "free by default.")]
Seed = Annotated[str, typer.Option(
    "--seed", metavar=NUMBER, help="Seed of all randomness.")]
Plain = Annotated[bool, typer.Option(
    "--plain", help="Use the rules only, no knowledge of the game.")]
ToMove = Annotated[str | None, typer.Option(
    "--to-move", metavar="SIDE", help="Who moves, added to the position.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")]

Goal = Annotated[str, typer.Option(
    "--goal", metavar="GOAL", help="value; win: does the side to move win?; score: the final "
    "score; shortest: also the length of a shortest win.")]
Threads = Annotated[str, typer.Option(
    "--threads", metavar=NUMBER, help="Threads for one search; more than 1 for the depth-first "
    "ones.")]
Proof = Annotated[str | None, typer.Option(
    "--proof", metavar="FILE", help="Write a certificate of the answer, and check it.")]
Svg = Annotated[str | None, typer.Option(
    "--svg", metavar="FILE", help="Draw the position, and the line where stones can have numbers.")]
Sgf = Annotated[str | None, typer.Option(
    "--sgf", metavar="FILE", help="Write the moves and the line as SGF (k-in-a-row games).")]
Candidates = Annotated[bool, typer.Option(
    "--candidates", help="Let the winner try the game's candidates only, such as checks; running "
    "out of them is unknown.")]
ZoneOptions = Annotated[str | None, typer.Option(
    "--zones", metavar="NAME=VALUE,...", help="Candidates by relevance zones with these options: "
    "width, depth, effort, threats, eager.")]
Trace = Annotated[str | None, typer.Option(
    "--trace", metavar=NUMBER, help="Sample the root once every NUMBER iterations, for JSON.")]
Unique = Annotated[bool, typer.Option(
    "--unique", help="Is the solution unique along the main line?")]
OnePosition = Annotated[str | None, typer.Argument(
    metavar="[POSITION]", help="A position, as for solve; or use --file; the start if there is "
    "neither.")]
Searches = Annotated[list[str] | None, typer.Option(
    "--search", "-s", metavar="ID", help="A search, ID or ID:NAME=VALUE,...; may be repeated; all "
    "that suit the game by default.")]
File = Annotated[str | None, typer.Option(
    "--file", metavar="FILE", help="Positions, one per line; - for standard input.")]
Knowledge = Annotated[bool, typer.Option(
    "--knowledge", help="Let games use their own knowledge; plain by default.")]
Workers = Annotated[str, typer.Option(
    "--workers", metavar=NUMBER, help="Runs side by side; 1 for honest times.")]
Rounds = Annotated[str, typer.Option("--games", metavar=NUMBER, help="Random games to play.")]
OneGame = Annotated[str | None, typer.Argument(
    metavar="[GAME]", help="One game; all by default.")]
OneSearch = Annotated[str | None, typer.Argument(
    metavar="[SEARCH]", help="One search; all by default.")]
