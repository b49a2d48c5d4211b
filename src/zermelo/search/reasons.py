"""Why a search loop came back, in both wings that run in slices."""

SOLVED, PRECISION, NODES, MEMORY, SLICE, DEEPER, TOO_MANY, GO, GROW, CANDIDATES = range(10)
NEVER = 1 << 62
