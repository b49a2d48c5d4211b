"""The commands by name, each loaded when it is called, with their values as they were typed.

Our options and arguments are texts, lists of texts and flags, and the library itself says what is
wrong with one. Typer hands every value to pydantic all the same, which takes a tenth of a second to
load. Attributes of our own commands' parameters are set, none of Typer's: a version of Typer that
does not look for one does as it usually does.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import partial
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.main
from typer.core import TyperGroup

from zermelo.version import __version__

PLAIN: dict[str, Any] = {
    "add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
# Where a command is, and its line in the help.
COMMANDS = {
    "solve": ("solve:solve", "Prove who wins a position, and show the line."),
    "resume": ("solve:resume",
        "Go on with a search that was kept by 'solve --checkpoint' or 'solve --journal'; limits "
        "are totals."),
    "analyze": ("analyze:analyze",
        "Find the value of every move; limits are totals, divided among the moves."),
    "compare": ("analyze:compare",
        "Run several searches on a position, or on a file of positions, and compare them."),
    "annotate": ("records:annotate",
        "Find the value of every position of a game record, and where the game turned."),
    "progress": ("records:progress",
        "Show who stood better in a game, and who was nearer to winning, as a chart or a table."),
    "scn": ("records:scn",
        "Show the value and single conspiracy numbers of a position, depth by depth."),
    "replay": ("analyze:replay",
        "Show a search step by step: what it selects, expands and changes."),
    "play": ("play:play", "Play a game against the machine, which tells you what it has proved."),
    "match": ("play:match", "Let two searches play each other; limits are per move."),
    "verify": ("certificates:verify",
        "Check a certificate without trusting the program that made it."),
    "show": ("certificates:show_certificate",
        "Walk through a certificate: the prover's moves and all replies."),
    "explore": ("explore:explore",
        "Look at games, values, searches and proofs in a browser, on this machine."),
    "problem": ("problem:problem",
        "Solve an AND/OR problem of a file of yours, and print its cheapest routes."),
    "engine": ("play:engine",
        "Answer another program, by a protocol, on standard input and output."),
    "games": ("about:games", "List the built-in games and their parameters."),
    "searches": ("about:searches", "List the searches and their options."),
    "check-game": ("about:check_game", "Look for mistakes in the definition of a game."),
    "warmup": ("about:warmup",
        "Compile games and searches now, so that later commands start fast."),
    "lab": ("lab:lab", "Run experiments, and report, export and compare what they found."),
}


UNCHANGED = (str, bool, list[str])


class AsItIs:
    """Typer's conversion of a value: none, but for a list."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of a parameter."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        return list(value) if isinstance(value, tuple) else value


def take_plainly(command: Any) -> Any:
    """Let ``command`` pass on strings, lists of strings and flags without converting them, and have
    ``GAME [POSITION]`` in its usage line, where Typer has ``{GAME}``, and ``GAME`` in the list of
    arguments, where it has ``GAME <str>``."""
    for inner in getattr(command, "commands", {}).values():
        take_plainly(inner)
    usual = command.get_params
    command.get_params = lambda ctx: params(usual(ctx))
    return command


def params(parameters: Any) -> Any:
    """Return the parameters of a command, made plain where they are not."""
    for parameter in parameters:
        about = getattr(parameter, "type_descriptor", None)
        if about is not None and about.annotation in UNCHANGED and about.file_annotation is None:
            parameter.get_runtime_param = AsItIs
        if parameter.param_type_name == "argument" and "display_type_rich" not in vars(parameter):
            parameter.get_usage_pieces = partial(_usage, parameter.get_usage_pieces)
            parameter.display_type_rich = lambda ctx: None
    return parameters


def _usage(usual: Any, ctx: Any) -> list[str]:
    pieces = []
    for piece in usual(ctx):
        several = "] " in piece  # several in one, such as [GAME] FILE
        plain = piece.removesuffix("...") if several else piece
        pieces.append(plain.replace("{", "").replace("}", ""))
    return pieces


def load(name: str) -> Any:
    """Return the command with this name."""
    module, _, attribute = COMMANDS[name][0].partition(":")
    found = getattr(import_module(f"zermelo.cli.{module}"), attribute)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(**PLAIN)
        alone.command(name)(found)
        found = alone
    command = take_plainly(typer.main.get_command(found))
    command.name = name
    return command


class Commands(MutableMapping[str, Any]):
    """All commands by name, each loaded when it is asked for."""

    def __init__(self) -> None:
        self.loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.loaded:
            self.loaded[name] = load(name)  # a KeyError where there is none
        return self.loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self.loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self.loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**COMMANDS, **self.loaded})

    def __len__(self) -> int:
        return len({**COMMANDS, **self.loaded})


class Group(TyperGroup):
    """The commands of ``zermelo``: one is loaded when it is called, and none for the help."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = Commands()

    def get_params(self, ctx: Any) -> Any:
        """Return the options of ``zermelo`` itself."""
        return params(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return all names, in the order of the help."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, a line each."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


app = typer.Typer(help="Zermelo proves who wins positions of two-player games.", cls=Group,
                  no_args_is_help=True, **PLAIN)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"zermelo {__version__}")
        raise typer.Exit


@app.callback()
def options(version: Annotated[bool, typer.Option(
    "--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Zermelo proves who wins positions of two-player games."""
