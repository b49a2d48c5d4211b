"""Logarithm and exponential from +, x and / alone, which IEEE 754 rounds alike on every machine.

The C library's versions differ in the last bit between systems; a search that compares such
numbers would expand other nodes there. The errors here are below 1e-14, relative.
"""

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
