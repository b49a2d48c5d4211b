"""Files: whole or not at all, and searches that are kept."""
