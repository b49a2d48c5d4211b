"""Depth-first searches: thresholds and a transposition table."""
