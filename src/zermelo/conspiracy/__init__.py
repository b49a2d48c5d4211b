"""Conspiracy numbers of single values: SCN, RSCN, PCN."""
