"""Crews: workers that answer orders, in this process, in others of this machine, on a cluster."""
