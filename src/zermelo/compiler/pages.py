"""Pages: whole numbers that Python writes and kernels read, as many as there will be.

They stand on pages that never move, so a kernel may read while Python makes more of them; it finds
a page by its address in a ``directory``, an array that never moves either. Pages come from the
system itself, which hands them out empty: a kernel in another thread sees 0 or what was written,
whatever order it sees the writing in. So 0 must mean that nothing is known yet.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

import numpy as np

from zermelo.kernel.bits import native

PAGE_BITS = 16
PAGE = 1 << PAGE_BITS  # numbers on one page
PLACE = PAGE - 1  # which part of a number's place is its place on the page
MOST_PAGES = 1 << 20
Array = np.ndarray[Any, Any]


class Pages:
    """Numbers from 0 to 2**63 - 1, by their places from 0 on."""

    def __init__(self) -> None:
        self.directory: Array = np.zeros(MOST_PAGES, np.int64)  # only what is used takes memory
        self.pages: list[memoryview] = []

    def add(self) -> None:
        """One page more."""
        private = {} if sys.platform == "win32" else {
            "flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
        page = mmap.mmap(-1, 8 * PAGE, **private)
        self.directory[len(self.pages)] = ctypes.addressof(ctypes.c_char.from_buffer(page))
        self.pages.append(memoryview(page).cast("q"))


def _native_number_at() -> Any:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def number_at(typingctx, address, place):
        def generate(context, builder, signature, arguments):
            start, index = (context.cast(builder, value, kind, types.int64)
                            for value, kind in zip(arguments, signature.args, strict=True))
            page = builder.inttoptr(start, ir.IntType(64).as_pointer())
            return builder.load(builder.gep(page, [index]))

        return types.int64(address, place), generate

    return number_at


@native(_native_number_at)
def number_at(address: Any, place: Any) -> Any:
    """The number at this place of the page with this address."""
    return ctypes.c_int64.from_address(int(address) + 8 * int(place)).value
