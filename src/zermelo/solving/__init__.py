"""Asking who wins: sessions, answers, analyses, certificates of them."""
