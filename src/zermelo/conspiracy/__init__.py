"""Conspiracy numbers of single values: SCN, RSCN, PCN.

driver       alpha-beta, in which SCN and PCN of each node are computed from its children's
scn          scn(): that search depth by depth, within limits, and its results as rows
rscn         RSCN and Vl of the positions of a game, from their curves
worked_tree  the numbers of a small tree, drawn
"""
