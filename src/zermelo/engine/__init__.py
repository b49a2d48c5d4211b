"""Engines: the protocols by which other programs ask, a line at a time."""
