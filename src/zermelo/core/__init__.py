"""What every room builds on: games, rules, positions, boards."""
