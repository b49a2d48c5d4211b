"""A counter-based random generator: draw i is a function of (seed, key, i) and of nothing else.

The playouts of a position are keyed by the search's seed and the position's key, so a leaf has one
value however often, in whichever order and on whichever thread it is evaluated.

``rng`` is an array of one uint64, the counter. A game's own playout may keep the counter in a local
variable (``x = rng[0]; x = next_counter(x); r = mix(x)``) and must store it back at the end.

``ln`` and ``exp`` are made of +, x and / alone, which IEEE 754 rounds alike on every machine; the C
library's versions differ in the last bit between systems, and a search that compares such numbers
would expand other nodes there. The errors here are below 1e-14, relative.
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


LN2 = 0.6931471805599453


def ln(n):
    """The natural logarithm of a number of at least 1."""
    x, k = float(n), 0
    while x > 1.5:
        x *= 0.5
        k += 1
    z = (x - 1.0) / (x + 1.0)  # ln x = 2 atanh z, |z| <= 1/5
    square, power, total = z * z, z, 0.0
    for i in range(11):
        total += power / (2 * i + 1)
        power *= square
    return k * LN2 + 2.0 * total


def exp(x):
    """e to the power of x, for |x| <= 700; beyond that the value at the border."""
    x = min(max(float(x), -700.0), 700.0)
    k = int(x / LN2)
    r = x - k * LN2
    total, term = 1.0, 1.0
    for i in range(1, 24):
        term *= r / i
        total += term
    for _ in range(abs(k)):
        total = total * 2.0 if k > 0 else total * 0.5
    return total
