"""Matches: one search plays another, from many openings, and what the score is worth."""
