"""AND/OR problems: nodes of your own, a function that expands them, and what solves the root."""
