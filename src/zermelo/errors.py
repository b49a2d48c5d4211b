"""What is raised for bad input: one clear sentence that repeats the input and says what is valid."""

SHOWN = 60


class ZermeloError(ValueError):
    """Any bad input."""


class BadPosition(ZermeloError):
    """A text that is no position of the game."""


class BadMove(ZermeloError):
    """A move that is not legal, or no move at all."""


class BadOption(ZermeloError):
    """An option, parameter or limit outside its range."""


class BadGame(ZermeloError):
    """A game whose definition breaks the rules of ``zermelo.Game``."""


class UnknownGame(ZermeloError):
    """A game name that is not registered, or a file that holds no such game."""


class UnknownSearch(ZermeloError):
    """A search name that does not exist."""


def quoted(text: object) -> str:
    """``text`` in quotes, cut in the middle where it is long."""
    whole = str(text)
    if len(whole) > SHOWN:
        whole = f"{whole[: SHOWN // 2]}...{whole[-SHOWN // 4 :]}"
        return f"{whole!r} ({len(str(text)):,} characters)"
    return repr(whole)
