"""What a process decides before it compiles. Apart from the rest: saying so loads nothing."""

numba_without_scipy = False


def skip_the_search_for_blas() -> None:
    """Let Numba start without SciPy, for a process that runs our kernels and nothing else.

    When it first compiles or loads, Numba imports SciPy, where there is one, to look for matrix
    routines. That takes longer than many a search, and no kernel multiplies matrices.
    """
    global numba_without_scipy
    numba_without_scipy = True
