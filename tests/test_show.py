"""Walks through certificates and their exports, held against the slow twins."""

import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import pairwise

import pytest
from certificates import (
    FOUR,
    Chase,
    NaiveGraph,
    holds_at_end,
    taken_apart,
    value_claims,
    winner,
    write,
)

import zermelo
from zermelo.errors import BadMove
from zermelo.proof import Claim, verify
from zermelo.proof import write as writing
from zermelo.proof.export import grow, role, to_dot, to_json, to_sgf
from zermelo.proof.names import with_coordinates
from zermelo.proof.picture import SIZE, to_svg
from zermelo.proof.rules.othello import OthelloRules
from zermelo.proof.show import Walk

CASES = {
    "four": ("connect-four", FOUR, ".........OX..XOX O"),
    "draw": ("connect-four", FOUR, ".....OX.OXX.OXO. X"),
    "hex": ("hex", {"size": 3}, "3x3: a1"),
    "tic-tac-toe": ("tic-tac-toe", {}, "a1 a3"),
    "two stones": ("k-in-a-row", {"columns": 4, "rows": 3, "stones": 2}, "b2 a1 c3"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Certificates: of the cases, with every third position left to a search, and of chases."""
    directory, found = tmp_path_factory.mktemp("show"), {}
    for name, (game, parameters, text) in CASES.items():
        position = zermelo.game(game, **parameters).parse(text)
        found[name] = write(directory / f"{name}.proof", position, value_claims(position))
    found["searched"] = write(directory / "searched.proof", found["tic-tac-toe"].position,
                              [Claim(0)], searches=lambda state: len(repr(state)) % 3 == 0)
    found["all searched"] = write(directory / "all.proof", found["tic-tac-toe"].position,
                                  [Claim(0)], searches=lambda state: True)
    for name, parameters, claims in (("chase", {}, [Claim(0)]), ("steps", {"steps": 2}, [Claim(0)]),
                                     ("ring", {"ring": 1}, [Claim(0, False), Claim(1, False)])):
        found[name] = write(directory / f"{name}.proof", Chase(**parameters).start(), claims)
    found["chase searched"] = write(directory / "chased.proof", Chase().start(), [Claim(0)],
                                    searches=lambda state: state[0] > 0)
    return found


def walk_of(made, claim=1):
    return Walk(made.path, claim, Chase if isinstance(made.position.game, Chase) else None)


def each_claim(made):
    for number, claim in enumerate(made.claims, 1):
        yield claim, walk_of(made, number)


NAMES = [*CASES, "searched", "all searched", "chase", "steps", "ring", "chase searched"]


def replay(made, claim, tree):
    """Follow nested (move, [children], facts) through the twin and the library's own game."""
    twin, todo = made.twin, [(tree, made.position, made.twin.from_position(made.position), [])]
    ends = 0
    while todo:
        (_, after, facts), position, state, line = todo.pop()
        if "position" in facts:
            assert position.game.parse(facts["position"]) == position
        over, who = winner(twin, state)
        if over:
            assert not after
            assert holds_at_end(claim, who), (line, who)
            ends += 1
            continue
        if not after:  # only because it was cut, or the position comes again
            assert facts["cut"] or state in line
            continue
        names = [child[0] for child in after]
        if twin.mover(state) == claim.prover:
            assert len(names) == 1
            assert names[0] in twin.moves(state)
        else:
            assert sorted(names) == sorted(twin.moves(state))
        todo += [(child, position.play(child[0]), twin.play(state, child[0]), [*line, state])
                 for child in after]
    return ends


def from_json(record):
    return record["move"], [from_json(after) for after in record["next"]], record


@pytest.mark.parametrize("name", NAMES)
def test_json_follows_the_rules(name, made):
    made = made[name]
    for claim, walk in each_claim(made):
        for plies, most in ((200, 3_000), (4, 3_000), (200, 40), (0, 1)):
            tree = grow(walk.root, plies, most)
            found = json.loads(to_json(tree))
            ends = replay(made, claim, from_json(found["tree"]))
            assert found["nodes"] == sum(1 for _ in tree.root.all()) <= most
            assert found["cuts"] == sum(branch.cut for branch in tree.root.all())
            assert found["verified"] is False
            assert (found["claim"], found["prover"]) == (
                claim.words(walk.players), walk.players[claim.prover])
            assert ("cut: at" in tree.size) == bool(found["cuts"])
        assert found["cuts"] == 1  # the root alone
    if name not in ("ring", "two stones"):
        whole = grow(walk.root, 200, 3_000)
        assert not whole.cuts
        assert ends == 0 < replay(made, claim, from_json(json.loads(to_json(whole))["tree"]))


def from_sgf(text):
    """(move, children, facts) of SGF-like text, by a small reader of its own."""
    tokens = re.findall(r"\s*([();]|[A-Z]+(?=\[)|\[(?:[^\\\]]|\\.)*\])", text, re.DOTALL)
    root, stack, at, name = None, [], None, ""
    for token in tokens:
        if token == "(":
            stack.append(at)
        elif token == ")":
            at = stack.pop()
        elif token == ";":
            node = [None, [], {"cut": False}]
            if at is None:
                root = node
            else:
                at[1].append(node)
            at = node
        elif token[0] != "[":
            name = token
        else:
            value = re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)
            at[2][name] = value
            at[2]["cut"] |= name == "C" and "the proof goes on here" in value
            if name in "BW":
                at[0] = value
    assert not stack
    return root


@pytest.mark.parametrize("name", NAMES)
def test_sgf_follows_the_rules(name, made):
    made = made[name]
    for claim, walk in each_claim(made):
        for most in (3_000, 30):
            tree = grow(walk.root, 200, most)
            found = from_sgf(to_sgf(tree))
            replay(made, claim, found)
            assert found[2]["GM"] == made.position.game.name
            assert "not verified" in found[2]["C"]
            assert tree.size in found[2]["C"]


@pytest.mark.parametrize("name", ["draw", "searched", "ring"])
def test_dot_has_the_same_tree(name, made):
    tree = grow(walk_of(made[name]).root, 6, 60)
    text = to_dot(tree)
    nodes = dict(re.findall(r"^  n(\d+) \[label=.*shape=(\w+)", text, re.MULTILINE))
    edges = re.findall(r'^  n(\d+) -> n(\d+) \[label="(.*)"\];$', text, re.MULTILINE)
    assert len(nodes) == tree.nodes == len(edges) + 1
    assert len({child for _, child, _ in edges}) == len(edges)  # one parent each
    shapes = {"prover": "box", "defender": "ellipse", "end": "doublecircle",
              "repetition": "diamond"}
    branches = list(tree.root.all())
    assert [nodes[str(i)] for i in range(len(nodes))] == [shapes[role(b.node)] for b in branches]
    assert Counter(move for _, _, move in edges) == Counter(b.move for b in branches[1:])
    assert text.count('\\n..." tooltip') == tree.cuts
    assert text.startswith("// ")
    assert text.endswith("}\n")


@pytest.mark.parametrize("name", ["four", "hex", "ring", "searched", "steps"])
def test_the_picture_is_a_tidy_tree(name, made):
    """Nodes of a level keep apart, parents stand above the middle of their children."""
    tree = grow(walk_of(made[name]).root, 200, 100)
    picture = ElementTree.fromstring(to_svg(tree))
    svg = "{http://www.w3.org/2000/svg}"
    places, inside = [], (float(picture.get("width")), float(picture.get("height")))
    for group in picture.iter(f"{svg}g"):
        assert group.find(f"{svg}title").text
        if (disc := group.find(f"{svg}circle")) is not None:
            x, y = float(disc.get("cx")), float(disc.get("cy"))
        elif (square := group.find(f"{svg}rect")) is not None:
            x, y = float(square.get("x")) + SIZE, float(square.get("y")) + SIZE
        else:
            corners = [tuple(map(float, corner.split(",")))
                       for corner in group.find(f"{svg}polygon").get("points").split()]
            x, y = corners[0][0], corners[1][1]
        places.append((round(y), x))
        assert SIZE <= x <= inside[0] - SIZE
        assert SIZE <= y <= inside[1] - SIZE
    assert len(places) == tree.nodes
    places.sort()
    for (y, x), (below, right) in pairwise(places):
        assert below > y + 2 * SIZE or right >= x + 2 * SIZE
    edges = [tuple(float(line.get(end)) for end in ("x1", "y1", "x2", "y2"))
             for line in picture.iter(f"{svg}line")]
    assert len(edges) == tree.nodes - 1
    for parent in {edge[:2] for edge in edges}:
        below = [edge[2] for edge in edges if edge[:2] == parent]
        assert abs((min(below) + max(below)) / 2 - parent[0]) < 0.2
    texts = Counter(text.text for text in picture.iter(f"{svg}text"))
    moves = Counter(branch.move for branch in tree.root.all() if branch.move)
    assert all(texts[move] >= count for move, count in moves.items())
    assert any("not verified" in text for text in texts)
    assert texts["..."] == (tree.cuts + 1 if tree.cuts else 0)  # and one in the legend


def test_a_small_picture_as_a_whole(tmp_path):
    """One move to win: what is drawn, and nothing else."""
    position, path = zermelo.game("connect-four", **FOUR).parse("121312"), tmp_path / "a.proof"
    write(path, position, [Claim(0)])
    picture = ElementTree.fromstring(to_svg(grow(Walk(path).root, 200, 100)))
    tags = Counter(part.tag.partition("}")[2] for part in picture.iter())
    # The page, two squares with the legend's, one edge with a label; an end is two circles.
    assert tags["circle"] == 2 * 2
    assert tags["rect"] == 1 + 2 + 1
    assert tags["line"] == 1
    texts = [part.text for part in picture.iter() if part.tag.endswith("text")]
    assert texts[:2] == ["connect-four columns=4 rows=4: X wins",
                         "shown, not verified; 2 positions, to the end of every line"]
    assert texts[-3:] == ["X", "1", "X"]
    assert "X has won" in texts


AWKWARD = {'say "hi"\\': ("or", ["a]b\\", "<&>"]), "a]b\\": ("and", ["w [1]"]), "<&>": "loss",
           "w [1]": "win"}


def test_awkward_names_are_escaped(tmp_path):
    """Names of a user's game come back from every format as they were."""
    position, path = zermelo.graph(AWKWARD).start(), tmp_path / "a.proof"
    write(path, position, [Claim(0)], twin=NaiveGraph(AWKWARD))
    tree = grow(Walk(path, game=position.game).root, 200, 100)
    names = ["a]b\\", "w [1]"]
    branch, found = from_sgf(to_sgf(tree)), []
    while branch[1]:
        branch = branch[1][0]
        found.append(branch[0])
    assert found == names
    assert json.loads(to_json(tree))["tree"]["next"][0]["move"] == names[0]
    labels = re.findall(r'-> n\d+ \[label="((?:[^"\\]|\\.)*)"\]', to_dot(tree))
    assert [re.sub(r"\\(.)", r"\1", label) for label in labels] == names
    texts = [part.text for part in ElementTree.fromstring(to_svg(tree)).iter()]
    assert set(names) <= set(texts)


# --- walking ---


def test_answers_name_their_source_and_rank(made):
    root = walk_of(made["chase"]).root
    assert (root.answer.source, root.answer.rank) == ("record", 7)
    sources = {branch.node.answer.source
               for branch in grow(walk_of(made["searched"]).root, 200, 3_000).root.all()
               if branch.node.by_prover}
    assert sources == {"record", "search"}
    ranks = [branch.node.answer for branch in
             grow(walk_of(made["chase searched"]).root, 200, 3_000).root.all()
             if branch.node.by_prover]
    assert {(answer.source, answer.rank is None) for answer in ranks} == {
        ("record", False), ("search", False), ("search", True)}


def test_folded_records_are_found_from_every_image(tmp_path):
    """The same records prove the mirror image of their root, with mirrored moves."""
    path, lines = tmp_path / "a.proof", []
    position = zermelo.game("connect-four", **FOUR).parse("X..OXX.OOO.XXO.O X")
    write(path, position, value_claims(position))
    for text in (position.text, "O..XO.XXX.OOO.OX X"):
        parts = taken_apart(path.read_bytes())
        parts.header["position"] = text
        path.write_bytes(parts.joined())
        assert verify(path).verified
        tree = grow(Walk(path).root, 200, 3_000)
        lines.append(sorted(" ".join(branch.node.played) for branch in tree.root.all()))
    assert len(lines[0]) > 10
    mirrored = sorted(line.translate(str.maketrans("1234", "4321")) for line in lines[0])
    assert mirrored == lines[1] != lines[0]


def test_records_in_many_blocks(made, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "BLOCK_BYTES", 40)
    four, path = made["four"], tmp_path / "a.proof"
    write(path, four.position, four.claims)
    assert taken_apart(path.read_bytes()).header["block"] < 10
    assert (to_json(grow(Walk(path).root, 200, 3_000))
            == to_json(grow(walk_of(four).root, 200, 3_000)))


def test_diagrams_have_the_coordinates_of_the_games(made):
    """As the games draw them, but for Othello's hints."""
    for name in CASES:
        assert walk_of(made[name]).root.diagram == made[name].position.diagram
        assert walk_of(made[name]).root.text == made[name].position.text


def test_othello_has_its_coordinates():
    rules = OthelloRules({"size": 4, "no_move": "pass"}, True)
    diagram = rules.diagram(rules.read("OOOOOOOOOOOOXOO- O"))
    assert with_coordinates(rules, diagram) == (
        "  a b c d\n1 O O O O\n2 O O O O\n3 O O O O\n4 X O O -")


def test_a_p_game(tmp_path):
    position = zermelo.game("p-game", depth=3, seed=3, range=3).start()
    write(tmp_path / "a.proof", position, value_claims(position))
    tree = grow(Walk(tmp_path / "a.proof").root, 200, 1_000)
    assert tree.root.node.diagram == "depth 0 of 3, sum +0, at the root"
    assert not tree.cuts
    for branch in tree.root.all():
        reached = position.play(*branch.node.played)
        assert position.game.parse(branch.node.text) == reached
        assert (branch.node.end is None) == (reached.outcome is None)


def test_replies_by_name_and_number(made):
    walk = walk_of(made["hex"])
    node = walk.settled(walk.root)
    first = node.moves[0]
    assert walk.reply(node, "1 c3") == (first, "c3")
    assert walk.reply(node, f" {node.name(first).upper()}  c3") == (first, "c3")
    four = walk_of(made["four"])
    node = four.settled(four.root)
    assert node.name(four.reply(node, "4")[0]) == "4"  # columns, not places in a list
    with pytest.raises(BadMove, match="'5' is no reply here; replies: 1, 2, 3, 4"):
        four.reply(node, "5 1")
    with pytest.raises(BadMove, match="'' is no reply"):
        four.reply(node, "")
