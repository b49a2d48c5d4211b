"""How Python becomes machine code, and how that is kept on disk and called.

jit            what games and searches ask for: ``kernel(f)``
factory        kernels of plain functions, and the cache key of each
fingerprint    the digest of a function and of all values it refers to, the main part of the key
pipeline       compiling with Numba
entry          kernels as they are called, without Numba
cache          kernels on disk: which files are trusted, how they are written and read
callback       kernels that call Python
compile_stats  the cost of compiling
"""
