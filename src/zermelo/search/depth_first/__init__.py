"""Depth-first searches: df-pn and its variants, each in the module of its name.

df_pn      numbers and thresholds (1 + epsilon), from which the variants beside it begin
driver     the loop: make the children of a node, put their numbers together, leave it; proof
           status; quick searches near the end
zones      replies that are left out, since the proof does not depend on them
table      entries of the transposition table, and a side table for notes
plan       the functions that a search plugs into the driver, and the driver's arrays
proofs     certificates out of the table; a tree's proof into it
run        a search in progress, seen from Python
inspector  nodes, recordings and walks of a run
"""
