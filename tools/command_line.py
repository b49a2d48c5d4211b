"""Write reference/command-line.md: every command with its options, as its help prints them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from zermelo.cli.app import app

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "command-line.md"
# Where a command is explained at length, below docs/.
FIRST_PROOF, RECORDS, WHICH = (
    "tutorials/first-proof.md", "how-to/game-records.md", "searches/index.md")
GUIDE = {
    "solve": FIRST_PROOF, "analyze": FIRST_PROOF, "play": FIRST_PROOF, "compare": WHICH,
    "searches": WHICH, "annotate": RECORDS, "progress": RECORDS, "scn": "searches/scn.md",
    "explore": "tutorials/explorer.md", "engine": "reference/protocols.md",
    "replay": "how-to/replay.md", "match": "how-to/match.md", "verify": "reference/proofs.md",
    "show": "how-to/show.md", "check-game": "how-to/add-a-game.md", "lab": "how-to/lab.md",
    "lab report": "how-to/lab.md", "lab tune": "how-to/tune.md", "lab estimate": "how-to/tune.md",
}
INTRODUCTION = """\
# The command line

Every command, its arguments and its options, as `zermelo COMMAND --help` prints them. Results go to
standard output, progress and messages to standard error; [how numbers are counted](counting.md)
says what the exit statuses mean. This page is written by `python -m tools.command_line`.
"""


def commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Each command with its full name, those of groups after their group."""
    for name, command in group.commands.items():
        yield before + name, command
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")


def cell(text: object) -> str:
    """A text as part of a table."""
    return " ".join(str(text).split()).replace("|", "\\|")


def argument_name(argument: Any) -> str:
    """An argument in a usage line; in brackets where it may be left out."""
    name = str(argument.metavar or argument.name.upper())
    if "] " in name:  # several arguments in one, such as [GAME] FILE
        return name
    name = name.strip("[]")
    dots = "..." if argument.nargs == -1 else ""
    return f"{name}{dots}" if argument.required else f"[{name}{dots}]"


def row(parameter: Any) -> str:
    """An argument or option, what it means and its default."""
    if parameter.param_type_name == "argument":
        name = f"`{argument_name(parameter)}`"
    else:
        value = f" {parameter.metavar}" if parameter.metavar else ""
        name = ", ".join(f"`{option}{value}`" for option in parameter.opts)
    default = parameter.default
    shown = "" if default in (None, False, (), "") else f" Default: `{default}`."
    return f"| {cell(name)} | {cell((parameter.help or '') + shown)} |\n"


def title_of(path: str) -> str:
    """The heading of a page of docs/."""
    with open(PAGE.parents[1] / path, encoding="utf-8") as file:
        return file.readline().removeprefix("#").strip().rstrip(".?:")


def section(name: str, command: Any) -> str:
    """What the page says about a command."""
    parameters = [each for each in command.params if not getattr(each, "hidden", False)]
    arguments = [each for each in parameters if each.param_type_name == "argument"]
    options = [each for each in parameters if each.param_type_name != "argument"]
    words = ["zermelo", name, *(["COMMAND"] if hasattr(command, "commands") else []),
             *map(argument_name, arguments), *(["[OPTIONS]"] if options else [])]
    text = f"\n## {name}\n\n```sh\n{' '.join(words)}\n```\n\n{inspect.cleandoc(command.help)}\n"
    if name in GUIDE:
        text += f"More about it: [{title_of(GUIDE[name])}](../{GUIDE[name]}).\n"
    if parameters:
        text += "\n| argument or option | meaning |\n|---|---|\n"
        text += "".join(map(row, arguments + options))
    return text


def page() -> str:
    """The whole page."""
    found = list(commands(typer.main.get_command(app)))
    text = INTRODUCTION + "\n| command | what it does |\n|---|---|\n"
    for name, command in found:
        anchor = name.replace(" ", "-")
        text += f"| [`{name}`](#{anchor}) | {cell(command.help.partition(chr(10) * 2)[0])} |\n"
    return text + "".join(section(name, command) for name, command in found)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
