"""What is raised for bad input: one clear sentence that repeats it and says what is valid."""

import math
from collections.abc import Iterable
from itertools import islice

SHOWN = 60
LONGEST_SHOWN = 100
LONGEST_LIST = 120
LONGEST_MESSAGE = 200
LONGEST_PATH = 150
LONGEST_OF_OTHERS = 400  # a board of 19x19 is shown whole


class ZermeloError(ValueError):
    """Any bad input."""


class BadPosition(ZermeloError):
    """A text that is not a position of the game."""


class BadMove(ZermeloError):
    """A move that is not legal, or no move at all."""


class BadOption(ZermeloError):
    """An option, parameter or limit outside its range."""


class BadGame(ZermeloError):
    """A game whose definition breaks the rules of ``zermelo.Game``."""


class CompilerFault(ZermeloError):
    """Numba, or the way it is used, failed; the message names the versions. The rules are not to
    blame."""


class BadProblem(ZermeloError):
    """A problem whose functions return what they must not."""


class BadRule(BadGame):
    """A function of a game in plain Python raised ``error``; the message has its traceback."""

    def __init__(self, message: str, error: BaseException | None = None) -> None:
        super().__init__(message)
        self.error = error


class BadCertificate(ZermeloError):
    """A file that is not a certificate, or something that no certificate can hold."""


class BadCheckpoint(ZermeloError):
    """A file that is not a checkpoint, is damaged, or is about something else; or can't be
    written."""


class UnknownGame(ZermeloError):
    """A game name that is not registered, or a file that holds no such game."""


class UnknownSearch(ZermeloError):
    """A search name that does not exist."""


class ProofFailure(RuntimeError):
    """A proof that failed verification: a bug, and never a result."""


def quoted(text: object) -> str:
    """Return ``text`` in quotes, cut in the middle where it is long."""
    try:
        whole = str(text)
    except Exception:  # a number of thousands of digits, or an object that can't be shown
        whole = f"an object of type {type(text).__name__} that can't be shown"
    if len(whole) <= SHOWN:
        return _short(repr(whole))
    cut = f"{whole[: SHOWN // 2]}...{whole[-SHOWN // 4 :]}"
    return f"{_short(repr(cut))} ({len(whole):,} characters)"


def _short(shown: str) -> str:
    """Cut a short text that escapes have made long."""
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}...'"


def shown(text: object, most: int = LONGEST_OF_OTHERS) -> str:
    """Return a text of a file on one line that can't be taken for the program's own: what is not
    printable is escaped, and a text of more than ``most`` characters is cut."""
    whole = str(text)
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in whole[:most])
    return line if len(whole) <= most else f"{line}... ({len(whole):,} characters)"


def file_name(path: object) -> str:
    """Return a path in quotes, whole if it can be read at all."""
    whole = str(path)
    return repr(whole) if len(whole) <= LONGEST_PATH and whole.isprintable() else quoted(whole)


def listed(names: Iterable[object]) -> str:
    """Return ``names`` one after the other; of many or long ones, the first."""
    text = ", ".join(str(name) for name in islice(names, LONGEST_LIST))
    if len(text) > LONGEST_LIST:
        text = f"{text[:LONGEST_LIST].rpartition(',')[0] or text[:LONGEST_LIST]} and more"
    return text or "none"


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: ``1 job``, ``1,200 jobs``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def did_you_mean(wanted: object, known: Iterable[str]) -> str:
    """Return a hint at the name that was probably meant, or nothing."""
    if not isinstance(wanted, str) or len(wanted) > SHOWN:
        return ""
    from difflib import get_close_matches

    close = get_close_matches(wanted, list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""


def one_line(text: object) -> str:
    """Return a message from elsewhere as part of a sentence: on one line, without its full stop;
    what is not printable is escaped."""
    words = " ".join(str(text).split()).rstrip(".")
    cut = words if len(words) <= LONGEST_MESSAGE else f"{words[:LONGEST_MESSAGE]}..."
    return shown(cut)


def check_whole(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return ``value`` if it is a whole number from ``low`` to ``high``; raise BadOption if not."""
    above = math.inf if high is None else high
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= above:
        valid = f"of at least {low}" if high is None else f"from {low} to {_end(high)}"
        raise BadOption(f"{name}={quoted(value)} is not a whole number {valid}.")
    return value


def _end(number: int) -> str:
    """Return the end of a range, as people write it."""
    return "2**64 - 1" if number == 2**64 - 1 else f"{number:,}"
