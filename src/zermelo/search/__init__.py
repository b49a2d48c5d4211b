"""The searches. No file here knows a game."""
