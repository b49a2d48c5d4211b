"""The upper part of a proof as a tree, and the tree as SGF-like text, DOT and JSON."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import BadOption, quoted
from zermelo.proof.claim import DRAWN
from zermelo.proof.show import Node, Walk

MOST_PLIES, MOST_NODES = 200, 1_000_000  # deeper texts would overflow readers of JSON and SGF


@dataclass
class Branch:
    """A position of a tree, and those after it: all that are to be considered, or none if it is
    ``cut`` or the line ends there."""

    node: Node
    after: list[Branch] = field(default_factory=list)
    cut: bool = False

    def all(self) -> Iterator[Branch]:
        """This one and all below, parents first."""
        todo = [self]
        while todo:
            branch = todo.pop()
            yield branch
            todo += reversed(branch.after)

    @property
    def move(self) -> str:
        """The move that led here."""
        node = self.node
        return node.parent.name(node.path[-1]) if node.parent is not None else ""


@dataclass
class Tree:
    """The proof below ``root`` with at most ``most`` nodes and ``plies`` moves on a line.

    cuts  at how many positions the proof goes on beyond the tree
    """

    root: Branch
    plies: int
    most: int
    nodes: int = 1
    cuts: int = 0

    @property
    def walk(self) -> Walk:
        """The walk that it is part of."""
        return self.root.node.walk

    @property
    def size(self) -> str:
        """How large it is, and whether it was cut."""
        nodes = "1 position" if self.nodes == 1 else f"{self.nodes:,} positions"
        if not self.cuts:
            return f"{nodes}, to the end of every line"
        return (f"{nodes}, cut: at {self.cuts:,} of them the proof goes on (--plies {self.plies}, "
                f"--most {self.most})")


def grow(node: Node, plies: int, most: int) -> Tree:
    """The tree below ``node``, level by level; no position has only some of its replies."""
    for name, value, low, high in (("plies", plies, 0, MOST_PLIES), ("most", most, 1, MOST_NODES)):
        if not low <= value <= high:
            raise BadOption(f"{name} {quoted(value)} is out of range; valid is {low} to {high:,}.")
    tree = Tree(Branch(node), plies, most)
    todo = deque([tree.root])
    while todo:
        branch = todo.popleft()
        at = branch.node
        if at.end is not None or at.repeated:
            continue
        choices = [] if len(at.path) - len(node.path) >= plies else at.choices
        if not choices or tree.nodes + len(choices) > most:
            branch.cut = True
            tree.cuts += 1
            continue
        branch.after = [Branch(at.after(move)) for move in choices]
        tree.nodes += len(choices)
        todo += branch.after
    return tree


def role(node: Node) -> str:
    """``prover``, ``defender``, or how the line ends: ``end`` or ``repetition``."""
    if node.end is not None:
        return "end"
    if node.repeated:
        return "repetition"
    return "prover" if node.by_prover else "defender"


def note(branch: Branch) -> str:
    """What there is to say about a position, in words."""
    node, said = branch.node, []
    if node.end is not None:
        said.append(node.result)
    elif node.repeated:
        said.append("the position repeats: play can go on for ever")
    elif node.by_prover and not branch.cut:
        said.append(f"{node.walk.prover} moves by {node.answer.source}")
        if node.answer.rank is not None:
            said.append(f"rank {node.answer.rank}")
    if branch.cut:
        said.append("cut: the proof goes on here")
    return ", ".join(said)


def title(walk: Walk) -> str:
    """The claim of a walk, and what it is about."""
    return f"{walk.header.title}: {walk.claim.words(walk.players)}"


NOT_VERIFIED = "shown, not verified"


def to_json(tree: Tree) -> str:
    """Nested objects; ``next`` holds the prover's one move, or all replies."""
    walk = tree.walk
    whole = {
        "game": walk.header.game, "parameters": walk.header.parameters,
        "players": list(walk.players), "claim": walk.claim.words(walk.players),
        "prover": walk.prover, "verified": False, "root": walk.header.position,
        "line": tree.root.node.played, "nodes": tree.nodes, "cuts": tree.cuts,
        "tree": _record(tree.root),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _record(branch: Branch) -> dict[str, Any]:
    node = branch.node
    found: dict[str, Any] = {"move": branch.move or None, "position": node.text,
                             "role": role(node), "to_move": None, "end": None}
    if node.end is not None:
        found["end"] = "draw" if node.end == DRAWN else f"{node.walk.players[node.end]} wins"
    else:
        found["to_move"] = node.walk.players[node.mover]
    if role(node) == "prover" and not branch.cut:
        found["source"], found["rank"] = node.answer.source, node.answer.rank
    return {**found, "cut": branch.cut, "next": [_record(after) for after in branch.after]}


def to_sgf(tree: Tree) -> str:
    """One node a move, B for the first player and W for the second, variations in brackets."""
    walk = tree.walk
    said = [title(walk), NOT_VERIFIED, f"position: {tree.root.node.text}", tree.size,
            note(tree.root)]
    head = (f"GM[{_sgf(walk.header.game)}]CA[UTF-8]AP[zermelo]PB[{_sgf(walk.players[0])}]"
            f"PW[{_sgf(walk.players[1])}]C[{_sgf(chr(10).join(filter(None, said)))}]")
    return f"(;{head}{_variations(tree.root)})\n"


def _variations(branch: Branch) -> str:
    """What comes after a position."""
    texts = []
    for after in branch.after:
        said = note(after)
        comment = f"C[{_sgf(said)}]" if said else ""
        side = "BW"[branch.node.mover]
        texts.append(f";{side}[{_sgf(after.move)}]{comment}{_variations(after)}")
    return texts[0] if len(texts) == 1 else "".join(f"\n({text})" for text in texts)


def _sgf(text: str) -> str:
    """A text within brackets."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


SHAPES = {"prover": 'shape=box style=filled fillcolor="#3b6ea8" fontcolor=white',
          "defender": "shape=ellipse", "end": 'shape=doublecircle style=filled fillcolor="#cfe8cf"',
          "repetition": "shape=diamond"}


def to_dot(tree: Tree) -> str:
    """A graph for Graphviz; the position of a node is its tooltip."""
    walk, numbers = tree.walk, {}
    lines = [f"// {_line(title(walk))}; {NOT_VERIFIED}", f"// {tree.size}", "digraph proof {",
             f"  label={_dot(f'{title(walk)} ({NOT_VERIFIED}; {tree.size})')};"]
    for number, branch in enumerate(tree.root.all()):
        numbers[id(branch)] = number
        node = branch.node
        label = node.result or ("again" if node.repeated else walk.players[node.mover])
        if branch.cut:
            label += "\n..."
        dashed = " peripheries=2 color=gray" if branch.cut else ""
        lines.append(f"  n{number} [label={_dot(label)} tooltip={_dot(node.text)} "
                     f"{SHAPES[role(node)]}{dashed}];")
    for branch in tree.root.all():
        lines += [f"  n{numbers[id(branch)]} -> n{numbers[id(after)]} [label={_dot(after.move)}];"
                  for after in branch.after]
    return "\n".join([*lines, "}", ""])


def _dot(text: str) -> str:
    """A quoted text."""
    quoted_text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{quoted_text}"'


def _line(text: str) -> str:
    """A text without line ends, for a comment."""
    return " ".join(text.split())
