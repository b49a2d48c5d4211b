"""Playing games: a move for a position, and whole games between two searches."""
