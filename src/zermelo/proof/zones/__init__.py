"""Certificates of the kind ``zones``: reading and checking them; ``check`` has the argument."""
