"""Xiangqi, Chinese chess."""
