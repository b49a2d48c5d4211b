"""Relevance zones: searches of wins by turns whose other replies lose to threats anyway.

game       the game by turns that a search plays: its graph and its rules
generator  the turns worth trying, found by threats, null moves and zones
kernels    its compiled functions
run        a search of that game, seen as a run of the game stone by stone; walks through a win
"""
