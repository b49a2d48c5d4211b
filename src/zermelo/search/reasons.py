"""Why a search loop came back, in both wings that run in slices."""

SOLVED, PRECISION, NODES, MEMORY, SLICE, DEEPER, TOO_MANY, GO, GROW, CANDIDATES = range(10)
NEVER = 1 << 62

# What stopped a search, in words.
STOPPED = {"nodes": "the node limit", "time": "the time limit", "memory": "the memory limit",
           "interrupted": "an interrupt", "candidates": "the end of the candidates",
           "precision": "the precision asked for"}
