"""What a process decides before it compiles. Apart from the rest: saying so loads nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

numba_alone = False


def load_numba_alone() -> None:
    """Let Numba start without SciPy and coverage, for a process that runs our kernels only.

    Numba imports SciPy, where there is one, to look for matrix routines, and coverage to tell it of
    compiled lines. That takes longer than many a search, and no kernel has a use for either.
    """
    global numba_alone
    numba_alone = True


class Listener:
    """Who is told when a kernel begins to be compiled (True), and when it ends (False); and who
    hears what there is to ``say`` about the cache of kernels, if that is not to be a warning."""

    tell: Callable[[bool], None] | None = None
    say: Callable[[str], None] | None = None

    @contextmanager
    def told(self) -> Iterator[None]:
        """Tell of what is done meanwhile."""
        tell = self.tell
        if tell is None:
            yield
            return
        tell(True)
        try:
            yield
        finally:
            tell(False)


listener = Listener()
