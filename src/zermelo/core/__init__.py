"""What every package builds on: games, rules, positions, boards; a user's game files."""
