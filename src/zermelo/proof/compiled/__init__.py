"""The checker compiled: the same few lines as machine code. What it does not see to be right is
left to the plain checker, which stays the judge."""
