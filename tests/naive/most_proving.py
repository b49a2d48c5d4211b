"""The most-proving leaf of a problem the slow way: every walk begins at the root."""


def first_leaf(root, order):
    """The first leaf that is not waiting, depth first in the order of the numbers, every node
    entered once; None if there is none."""
    seen = {root.number}

    def below(node):
        if node.kind is None:
            return None if node.waiting else node
        for child in order(node):
            if child.number not in seen:
                seen.add(child.number)
                found = below(child)
                if found is not None:
                    return found
        return None

    return below(root)
