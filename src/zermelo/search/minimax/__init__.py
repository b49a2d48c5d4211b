"""Depth-limited minimax: one loop, and a short file a search."""
