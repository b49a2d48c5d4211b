"""P-games: random trees."""
