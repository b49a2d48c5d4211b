"""Whole games: every position that can come up, then values from the ends backwards."""
