"""Quantified Boolean formulas as AND/OR problems, read from QDIMACS.

A node is what is left of the formula: the clauses that are neither satisfied nor empty, with the
variables that are still to be set, outermost first. An existential variable is an ``any`` node, a
universal one an ``all`` node. Two ways to the same rest lead to the same node.

    python examples/qbf.py FILE             true or false
"""

import sys
from pathlib import Path

import zermelo


def read_qdimacs(text):
    """The prefix, as (variable, is universal) from the outside in, and the clauses."""
    prefix, clauses, header = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p":
            if len(words) != 4 or words[1] != "cnf":
                raise ValueError(f"line {number}: {line!r} is not 'p cnf VARIABLES CLAUSES'.")
            header = int(words[2]), int(words[3])
            continue
        numbers = [int(word) for word in words if word not in ("a", "e")]
        if header is None or numbers[-1:] != [0] or 0 in numbers[:-1]:
            raise ValueError(f"line {number}: {line!r} stands before 'p cnf' or has no 0 at its "
                             "end only.")
        if any(abs(literal) > header[0] for literal in numbers):
            raise ValueError(f"line {number}: {line!r} has a variable above {header[0]}.")
        if words[0] in ("a", "e"):
            prefix += [(variable, words[0] == "a") for variable in numbers[:-1]]
        else:
            clauses.append(frozenset(numbers[:-1]))
    if header is None or len(clauses) != header[1]:
        raise ValueError(f"{len(clauses)} clauses are not what the header says: {header}.")
    bound = {variable for variable, _ in prefix}
    free = sorted({abs(literal) for clause in clauses for literal in clause} - bound)
    return [(variable, False) for variable in free] + prefix, clauses


def formula(prefix, clauses):
    """The formula as a problem: it is true if the root can be solved."""
    place = {variable: i for i, (variable, _) in enumerate(prefix)}
    universal = {variable for variable, is_universal in prefix if is_universal}

    def reduced(clause):
        """Without the universal literals that are inside all existential ones: whoever sets these
        may make them false."""
        last = max((place[abs(one)] for one in clause if abs(one) not in universal), default=-1)
        return frozenset(one for one in clause if place[abs(one)] < last or
                         abs(one) not in universal)

    def tidy(rest):
        return frozenset(reduced(clause) for clause in rest
                         if not any(-literal in clause for literal in clause))

    def expand(rest):
        if not rest:
            return "solved"
        if frozenset() in rest:
            return "dead"
        variable = min((abs(one) for clause in rest for one in clause), key=place.__getitem__)
        children = [tidy(clause - {-literal} for clause in rest if literal not in clause)
                    for literal in (variable, -variable)]
        return "all" if variable in universal else "any", children

    def estimate(rest):
        """Short clauses are soon empty."""
        shortest = min(map(len, rest), default=0)
        return len(rest), shortest

    return zermelo.problem(tidy(clauses), expand, estimate=estimate)


def main(path):
    """Print whether the formula in a file is true."""
    result = formula(*read_qdimacs(Path(path).read_text())).solve("df-pn")
    print({"solved": "true", "dead": "false"}[result.status], f"{result.nodes} nodes")


if __name__ == "__main__":
    main(sys.argv[1])
