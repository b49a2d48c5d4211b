"""How Python becomes machine code: the only package that touches Numba."""
