"""What compiled functions call: bits, rays of a board, random numbers, logarithms."""
