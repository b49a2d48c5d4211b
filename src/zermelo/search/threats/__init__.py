"""Searches that follow threats, for games that declare their lines.

vcdt           the search, and a run of it
driver         the loop and its table
turns          the attacker's turns that make enough threats
line_counts    stones on each line, threats, and the ways to stop them
threat_search  the arrays, aimed at one position after the other; walks through a win
extract        records of certificates
"""
