"""The parts that several families of searches share."""
