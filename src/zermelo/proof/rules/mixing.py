"""A bijection of 64-bit numbers that scatters them (the finaliser of SplitMix64)."""

WORD = 1 << 64


def mix(x: int) -> int:
    """Steele, Lea & Flood (2014), with the constants of Stafford's variant 13."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31
