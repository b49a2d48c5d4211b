"""One position, many workers: a master with a tree, workers with depth-first searches."""
