"""Tuning the options of a search."""
