"""Lines of Action."""
