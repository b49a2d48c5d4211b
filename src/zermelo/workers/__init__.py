"""Processes beside the main one: start, limits, messages, signals, end; here and on a cluster."""
