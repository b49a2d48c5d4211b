"""Slow twins of the games: plain ints, sets and tuples, written from the rules."""
