"""The published experiments, one file each."""
