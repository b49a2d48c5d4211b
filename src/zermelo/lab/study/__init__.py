"""Studies of results and records: comparing, estimating, telling kinds apart."""
