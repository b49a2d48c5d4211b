"""The published experiments, one file each; the lab finds them by name (``zermelo lab list``)."""
