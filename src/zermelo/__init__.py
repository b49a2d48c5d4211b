"""Zermelo proves who wins."""
