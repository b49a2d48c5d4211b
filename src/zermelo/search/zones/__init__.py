"""Relevance zones: which of the defender's turns a win by threats does not answer anyway."""
