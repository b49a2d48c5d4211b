"""``zermelo solve --file FILE --jsonl``: a line of JSON for every position as it is solved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from zermelo.cli import show
from zermelo.cli.answering import record_of
from zermelo.cli.signals import terminable
from zermelo.cli.streams import source
from zermelo.core.texts import COMMENT, file_text
from zermelo.engine.lines import Line, Lines, TooLong
from zermelo.errors import BadOption, BadPosition, ZermeloError, file_name

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.solving.result import Limits
    from zermelo.solving.session import Session

BAD_INPUT, UNKNOWN, INTERRUPTED = 2, 10, 130


def check_batch(file: str | None, jsonl: bool, others: dict[str, Any]) -> None:
    """Raise BadOption where --file and --jsonl are not together, or are with what is for one."""
    if file is None or not jsonl:
        raise BadOption("solve needs --file and --jsonl together: positions from a file, answers "
                        "as lines of JSON.")
    for name, value in others.items():
        if value:
            raise BadOption(f"{name} is for one position, not for --file.")


def solve_all(game: Game, file: str, to_move: str | None,
              begin: Callable[[Position], Session], limits: Limits) -> int:
    """Print an answer for each line with a position; ``limits`` are for each. The exit status.

    A line that is no position is answered by an object with an ``error``, and the next one is
    taken. 0: all proved, 10: not all, 2: some were no positions.
    """
    status, found = 0, False
    with terminable():
        for number, line in _lines(file):
            found = True
            answer: dict[str, Any] = {"line_number": number}
            try:
                answer.update(_solved(game, line, to_move, begin, limits))
            except ZermeloError as error:
                answer["error"], status = str(error), BAD_INPUT
            else:
                status = status or (0 if answer["proved"] else UNKNOWN)
            print(show.as_json(answer), flush=True)
            if answer.get("stopped") == "interrupted":
                return INTERRUPTED
    if not found:
        raise BadOption(f"the file {file_name(file)} holds no position; it needs one per line.")
    return status


def _solved(game: Game, line: Line, to_move: str | None, begin: Callable[[Position], Session],
            limits: Limits) -> dict[str, Any]:
    """The answer for one line, as ``solve --json`` gives it."""
    from zermelo.playing import guess

    if not isinstance(line, str):
        raise BadPosition(TooLong.sentence)
    session = begin(game.parse(line, to_move))
    result = session.run(limits)
    guessed = None if result.concluded else guess(session, limits)
    return record_of(result, guessed)


def _lines(file: str) -> Iterator[tuple[int, Line]]:
    """The lines with a position and their numbers; those of standard input as they come."""
    lines: Iterator[Line] = (iter(Lines(source()).next, None) if file == "-"
                             else iter(file_text(file).splitlines()))
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str) or not COMMENT.match(line):
            yield number, line
