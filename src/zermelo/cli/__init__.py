"""The command line: thin commands over the library.

Nothing is loaded before ``main`` is called but what Python itself has loaded: from there on Ctrl-C
is a sentence.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A board may begin with "-", which would read as an option.
BOARD = r"(?s:-[-.*XOxo/\s]{3,}[0-9]{0,2}(;.*)?)"
# 1 is the word of a check: refused, or different. A fault of the program is never that.
BAD_INPUT, FAILED, FAULT, INTERRUPTED = 2, 3, 4, 130
# What a disk, a stream or a full system may say, as opposed to a path that is wrong.
FAILURES = ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF", "EPIPE", "ENOMEM", "EMFILE", "ENFILE",
            "ESTALE")
SQLITE_FAILURES = (7, 10, 13, 14)  # no memory, an error of the disk, a full disk, no file
# Objects made before Python looks for garbage: loading modules makes 45,000 to 65,000, and none.
YOUNG = 100_000


def main() -> None:
    """Run the command line and leave with its status."""
    try:
        status = _run_with_streams(sys.argv[1:])
    except (KeyboardInterrupt, Exception) as error:
        if _is_interrupt(error):
            status = _refuse("interrupted.", INTERRUPTED)  # while modules were being loaded
        else:
            sys.excepthook(type(error), error, error.__traceback__)
            status = FAULT
    sys.exit(status)


def _is_interrupt(error: BaseException) -> bool:
    """Return True if it began with Ctrl-C: Python up to 3.11 wraps what ends ``__set_name__`` in an
    error of its own."""
    seen: BaseException | None = error
    while seen is not None and not isinstance(seen, KeyboardInterrupt):
        seen = seen.__cause__ or seen.__context__
    return seen is not None


def _run_with_streams(words: list[str]) -> int:
    import gc

    from zermelo.cli.terminal import prepare_streams
    from zermelo.compiler.compile_stats import listener

    gc.set_threshold(YOUNG)
    prepare_streams()
    listener.say = lambda sentence: print(f"zermelo: {sentence}", file=sys.stderr)
    status = run(words)
    gc.freeze()  # what is left goes with the process: there is nothing to look for
    return status


def run(words: list[str]) -> int:
    """Run the command in ``words`` and return its status; what stops it is one sentence on standard
    error."""
    from zermelo.cli.terminal import OutputLost

    try:
        status, problem = _answer(words), ""
        sys.stdout.flush()
    except OutputLost as lost:  # a reader that leaves is how a pipe is ended
        status, problem = FAILED, "" if isinstance(lost.error, BrokenPipeError) else str(lost)
    except Exception as error:
        if not isinstance(error, OSError | MemoryError) and not _is_failure(error):
            raise
        status, problem = FAILED, _reason(error)
    return _refuse(problem, status) if problem else status


def _answer(words: list[str]) -> int:
    import re

    import typer

    from zermelo.cli.app import app
    from zermelo.errors import CompilerFault, ZermeloError

    usage_error: Any = typer.BadParameter.__base__  # Click's, or Typer's own, by version
    # A space in front keeps a board from being read as an option.
    arguments = [f" {word}" if re.fullmatch(BOARD, word) else word for word in words]
    try:
        status = app(args=arguments or ["--help"], prog_name="zermelo", standalone_mode=False)
    except CompilerFault:
        raise  # with a traceback, like any other fault
    except ZermeloError as error:
        return _refuse(str(error), FAILED if _is_failure(error.__context__) else BAD_INPUT)
    except usage_error as error:
        return _refuse(_usage(error, words), BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    if status == INTERRUPTED:
        return _refuse("interrupted.", INTERRUPTED)
    return int(status or 0)


def _is_failure(cause: BaseException | None) -> bool:
    """Return True if the disk or the system is at fault, not the path or the file's content."""
    import errno

    if isinstance(cause, MemoryError):
        return True
    if isinstance(cause, OSError):
        return cause.errno is None or errno.errorcode.get(cause.errno) in FAILURES
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_FAILURES


def _reason(error: Exception) -> str:
    """Return a sentence about a failure that nothing nearer to it has put into words."""
    from zermelo.errors import file_name, one_line

    if isinstance(error, MemoryError):
        return "there is not enough memory."
    name, why = getattr(error, "filename", None), getattr(error, "strerror", None)
    where = "" if name is None else f"{file_name(name)}: "
    return f"a file can't be used: {where}{one_line(why or error)}."


def _refuse(sentence: str, status: int) -> int:
    print(f"zermelo: {sentence}", file=sys.stderr)
    return status


def _usage(error: Any, words: list[str]) -> str:
    """Return a sentence about what is wrong with the words, and where help is."""
    from zermelo.errors import one_line

    command = error.ctx.command_path if error.ctx else f"zermelo {words[0]}"
    reason = one_line(error.format_message().replace(". Did you mean", "; did you mean"))
    wanted = [parameter.metavar for parameter in error.ctx.command.params] if error.ctx else []
    hint = ("; a position of several words needs quotes"
            if "unexpected extra arg" in reason and "POSITION" in wanted else "")
    return f"{reason}{hint} (see '{command} --help')."
