"""Searches that follow threats, for games that declare their lines."""
