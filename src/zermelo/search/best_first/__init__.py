"""Best-first searches: one driver (select, expand, evaluate, back up) and a short file a search."""
