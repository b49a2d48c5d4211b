"""A counter-based random generator: draw i is a function of (seed, key, i) and of nothing else.

The playouts of a position are keyed by the search's seed and the position's key, so a leaf has one
value however often, in whichever order and on whichever thread it is evaluated.

``rng`` is an array of one uint64, the counter. A game's own playout may keep the counter in a local
variable (``x = rng[0]; x = next_counter(x); r = mix(x)``) and must store it back at the end.
"""

from typing import Any

import numpy as np

from zermelo.kernel.bits import ALL, mix, native, word

GAMMA = np.uint64(0x9E3779B97F4A7C15)


def start_counter(seed, key):
    """The counter of the stream of ``key`` under ``seed``."""
    return mix(word(key) ^ mix(word(seed) ^ GAMMA))


def _native_next() -> Any:
    def next_counter(x):
        return x + GAMMA

    return next_counter


@native(_native_next)
def next_counter(x: Any) -> Any:
    """The counter after ``x``; ``mix`` of a counter is 64 random bits."""
    return np.uint64((int(x) + int(GAMMA)) & ALL)


def below(rng, n):
    """A number in 0..n-1, all equally likely up to 2**-32; n < 2**32."""
    x = next_counter(rng[0])
    rng[0] = x
    return np.int64(((mix(x) >> word(32)) * word(n)) >> word(32))
