"""Walks through certificates, their exports and branches, held against the slow twins; and walks
through certificates that are broken."""

import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import islice, product

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
from zermelo.errors import BadMove, BadOption
from zermelo.proof import CertificateWriter, Claim, verify
from zermelo.proof import write as writing
from zermelo.proof.export import SIZE, grow, role, to_dot, to_json, to_sgf, to_svg
from zermelo.proof.header import Refused
from zermelo.proof.rules.othello import OthelloRules
from zermelo.proof.show import RECORD, SEARCHED, ProofWalk, certificate_branch, with_coordinates

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
    return ProofWalk(made.path, claim, Chase if isinstance(made.position.game, Chase) else None)


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


SVG = "{http://www.w3.org/2000/svg}"


def box_of(part):
    """The extent of a drawn thing, (left, top, right, bottom); a text as wide as in a wide font."""
    def of(*names):
        return [float(part.get(name)) for name in names]

    kind = part.tag.removeprefix(SVG)
    if kind == "circle":
        x, y, r = of("cx", "cy", "r")
        return x - r, y - r, x + r, y + r
    if kind == "rect":
        x, y, width, height = of("x", "y", "width", "height")
        return x, y, x + width, y + height
    if kind == "polygon":
        corners = [corner.split(",") for corner in part.get("points").split()]
        xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
        return min(xs), min(ys), max(xs), max(ys)
    x, y, size = of("x", "y", "font-size")
    each = {"W": 1.0, "m": 1.0, "\u8eca": 1.0, **dict.fromkeys(" .,:;ijl", 0.32),
            **dict.fromkeys("ftr-", 0.4)}
    wide = size * sum(each.get(character, 0.63) for character in part.text)
    if part.get("text-anchor") == "middle":
        x -= wide / 2
    tall = 0.2 if part.text == "..." else 0.75
    return x, y - tall * size, x + wide, y + 0.2 * size


def segments_of(path):
    """The straight pieces of a path of horizontal and vertical ones."""
    x = y = 0.0
    for command, values in re.findall(r"([MVH])([^MVH]*)", path.get("d")):
        begin = x, y
        if command == "M":
            x, y = map(float, values.split(","))
            continue
        x, y = (float(values), y) if command == "H" else (x, float(values))
        yield min(x, begin[0]), min(y, begin[1]), max(x, begin[0]), max(y, begin[1])


def overlap(one, other):
    return (one[0] < other[2] - 0.2 and other[0] < one[2] - 0.2
            and one[1] < other[3] - 0.2 and other[1] < one[3] - 0.2)


def drawn(picture):
    """(nodes, texts outside of nodes, edges) of a picture of a tree, as boxes."""
    nodes, texts, inside = [], [], set()
    for group in picture.iter(f"{SVG}g"):
        shapes = [part for part in group if part.tag in (f"{SVG}circle", f"{SVG}rect",
                                                         f"{SVG}polygon")]
        if shapes:
            nodes.append((box_of(shapes[0]), group))
            inside |= {id(part) for part in group.iter(f"{SVG}text") if part.text != "..."}
    for part in picture.iter(f"{SVG}text"):
        if id(part) not in inside and part.get("font-family") != "monospace":
            texts.append((box_of(part), part.text))
    edges = [segment for path in picture.iter(f"{SVG}path") for segment in segments_of(path)]
    return nodes, texts, edges


def assert_legible(picture):
    """No two boxes or texts overlap, no edge runs through one, and all is on the page."""
    nodes, texts, edges = drawn(picture)
    boxes = [*(box for box, _ in nodes), *(box for box, _ in texts)]
    for i, box in enumerate(boxes):
        assert [other for other in boxes[:i] if overlap(box, other)] == []
        assert [edge for edge in edges if overlap(edge, box)] == []
        assert min(box) >= 0
        assert box[2] <= float(picture.get("width"))
        assert box[3] <= float(picture.get("height"))
    for box, group in nodes:  # what is written on a node fits
        for part in group.iter(f"{SVG}text"):
            if part.text != "...":
                left, _, right, _ = box_of(part)
                assert box[0] <= left + 1
                assert right <= box[2] + 1


@pytest.mark.parametrize("name", ["four", "hex", "ring", "searched", "steps", "two stones"])
def test_the_picture_is_a_tidy_tree(name, made):
    """Everything is legible, and parents stand above the middle of their children."""
    tree = grow(walk_of(made[name]).root, 200, 100)
    picture = ElementTree.fromstring(to_svg(tree))
    assert_legible(picture)
    nodes, texts, _ = drawn(picture)
    assert len(nodes) == tree.nodes
    assert all(group.find(f"{SVG}title").text for _, group in nodes)
    centres = {(round(y + SIZE, 1), round((x + right) / 2, 1)) for (x, y, right, _), _ in nodes}
    paths = list(picture.iter(f"{SVG}path"))
    assert len(paths) == sum(bool(branch.after) for branch in tree.root.all())
    reached = 0
    for path in paths:
        first, *rest = segments_of(path)
        assert (round(first[1] - SIZE, 1), first[0]) in centres
        below = [piece[0] for piece in rest if piece[0] == piece[2]] or [first[0]]
        assert abs((min(below) + max(below)) / 2 - first[0]) < 0.2
        reached += len(below)
    assert reached == tree.nodes - 1
    found = Counter(text for _, text in texts)
    moves = Counter(branch.move for branch in tree.root.all() if branch.move)
    assert all(found[move] >= count for move, count in moves.items())
    assert any("not verified" in text for text in found)
    assert found["..."] == (tree.cuts + 1 if tree.cuts else 0)  # and one in the legend


LONG = {"start": ("or", ["a move whose name is a whole sentence, and then another one"]),
        "a move whose name is a whole sentence, and then another one":
            ("and", ["WWWWWWWWWWWWWW", "mmmmmmmmmmmmmmmmmmmm", "\u8eca" * 14, "take the bishop",
                     "x"]),
        **{name: ("or", [f"win {i}"]) for i, name in enumerate(
            ["WWWWWWWWWWWWWW", "mmmmmmmmmmmmmmmmmmmm", "\u8eca" * 14, "take the bishop", "x"])},
        **{f"win {i}": "win" for i in range(5)}}


def test_long_and_broad_names_are_legible(tmp_path):
    """They stand on two lines; where that is not enough, all of it is a tip."""
    position, path = zermelo.graph(LONG).start(), tmp_path / "a.proof"
    write(path, position, [Claim(0)], twin=NaiveGraph(LONG))
    root = ProofWalk(path, game=position.game).root
    picture = ElementTree.fromstring(to_svg(grow(root, 200, 100)))
    assert_legible(picture)
    texts = [text for _, text in drawn(picture)[1]]
    for lines in (("take the", "bishop"), ("m" * 14, "m" * 6),
                  ("a move whose", "name is a\u2026")):
        assert texts[texts.index(lines[0]) + 1] == lines[1]
    assert "a move whose name is a whole sentence, and then another one" in [
        part.text for part in picture.iter(f"{SVG}title")]


@pytest.mark.parametrize(("letters", "replies"), [(4, 3), (4, 12), (2, 30)])
def test_names_of_many_replies_are_legible(letters, replies, tmp_path):
    """Fans as wide as those of Hex, and names as long as those of Xiangqi, several levels deep."""
    names = map("".join, product("abcdefghi0123456789", repeat=letters))
    tree = {"root": ("and", first := list(islice(names, replies)))}
    for i, name in enumerate(first):
        tree[name] = "or", [then := next(names)]
        tree[then] = "win"
        if i % 7 == 0:
            tree[then] = "and", list(islice(names, replies))
            tree.update(dict.fromkeys(tree[then][1], "win"))
    position, path = zermelo.graph(tree, "root").start(), tmp_path / "a.proof"
    write(path, position, [Claim(0)], twin=NaiveGraph(tree))
    for most in (replies + 4, 1_000):
        shown = grow(ProofWalk(path, game=position.game).root, 200, most)
        assert bool(shown.cuts) == (most < 1_000)
        assert_legible(ElementTree.fromstring(to_svg(shown)))


AWKWARD = {'say "hi"\\': ("or", ["a]b\\", "<&>"]), "a]b\\": ("and", ["w [1]"]), "<&>": "loss",
           "w [1]": "win"}


def test_awkward_names_are_escaped(tmp_path):
    """Names of a user's game come back from every format as they were."""
    position, path = zermelo.graph(AWKWARD).start(), tmp_path / "a.proof"
    write(path, position, [Claim(0)], twin=NaiveGraph(AWKWARD))
    tree = grow(ProofWalk(path, game=position.game).root, 200, 100)
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
        tree = grow(ProofWalk(path).root, 200, 3_000)
        lines.append(sorted(" ".join(branch.node.played) for branch in tree.root.all()))
    assert len(lines[0]) > 10
    mirrored = sorted(line.translate(str.maketrans("1234", "4321")) for line in lines[0])
    assert mirrored == lines[1] != lines[0]


def test_records_in_many_blocks(made, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "BLOCK_BYTES", 40)
    four, path = made["four"], tmp_path / "a.proof"
    write(path, four.position, four.claims)
    assert taken_apart(path.read_bytes()).header["block"] < 10
    assert (to_json(grow(ProofWalk(path).root, 200, 3_000))
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
    tree = grow(ProofWalk(tmp_path / "a.proof").root, 200, 1_000)
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
    with pytest.raises(BadMove, match="'5' is not a reply here; replies: 1, 2, 3, 4"):
        four.reply(node, "5 1")
    with pytest.raises(BadMove, match="'' is not a reply"):
        four.reply(node, "")


# --- branches ---


def opened(walk, most=400):
    """Branches from the root on, up to ``most``."""
    todo, found = [[]], []
    while todo and len(found) < most:
        found.append(certificate_branch(walk, todo.pop(0)))
        json.dumps(found[-1], allow_nan=False)
        todo += [child["path"] for child in found[-1]["children"] if child["children"]]
    return found


@pytest.mark.parametrize("name", [*CASES, "searched"])
def test_branches_have_an_answer_for_every_reply(made, name):
    naive, sources = made[name].twin, set()
    for claim, walk in each_claim(made[name]):
        for found in opened(walk):
            state = naive.from_position(made[name].position)
            for move in found["path"]:
                state = naive.play(state, move)
            mover, moves = naive.mover(state), naive.moves(state)
            assert found["node"]["kind"] == ("or" if mover == claim.player else "and")
            assert found["node"]["status"] == ("won" if claim.wins else "lost")
            shown = [child["move"] for child in found["children"]]
            if mover == claim.prover:
                assert shown == [found["answer"]["move"]]
                assert shown[0] in moves
                assert found["children"][0]["best"]
                sources.add(found["answer"]["source"])
            else:
                assert (sorted(shown), found["answer"]) == (sorted(moves), None)
                assert not any(child["best"] for child in found["children"])
            for child in found["children"]:
                after = naive.play(state, child["move"])
                assert child["outcome"] == naive.outcome(after)
                if child["kind"] == "end":
                    assert child["children"] == 0
                    assert (child["outcome"] == ("first", "second")[claim.player]) == claim.wins
    assert sources <= {RECORD, SEARCHED}
    assert (SEARCHED in sources) == (name == "searched")


def test_branches_a_few_at_a_time(made):
    walk = walk_of(made["hex"])
    root = certificate_branch(walk)
    path = root["children"][0]["path"] if root["answer"] else []
    whole = certificate_branch(walk, path)
    parts = [certificate_branch(walk, path, offset=at, count=2)
             for at in range(0, whole["node"]["children"], 2)]
    assert [child for part in parts for child in part["children"]] == whole["children"]
    assert [part["more"] for part in parts] == [
        max(0, len(whole["children"]) - at - 2) for at in range(0, len(whole["children"]), 2)]


def test_branches_of_own_games_and_repetitions(made):
    """Where play goes round for ever the line ends, and says so."""
    repeated = 0
    for name in ("chase", "ring"):
        for number in range(1, 2 if name == "chase" else 3):
            for found in opened(walk_of(made[name], number)):
                for child in found["children"]:
                    repeated += child.get("repeats", False)
                    if child.get("repeats"):
                        assert (child["children"], name) == (0, "ring")
                        around = certificate_branch(walk_of(made[name], number),
                                                    child["path"])
                        assert (around["children"], around["answer"]) == ([], None)
    assert repeated > 0
    chased = certificate_branch(walk_of(made["chase"]))
    assert isinstance(chased["answer"]["rank"], int)


def test_paths_that_are_refused(made):
    walk = walk_of(made["four"])
    answer = certificate_branch(walk)["answer"]
    other = next(move for move in made["four"].position.moves() if move != answer["move"])
    for path, what in (
            ("12", "a path is a list of moves, not '12'"),
            ([other], f"'{other}' is not a move of the proof here; the certificate has "
             f"{answer['move']}"),
            ([answer["move"], "9"], "'9' is not a move of the proof here; replies: "),
            ([answer["move"], 3], "'3' is not a move of the proof here; replies: ")):
        with pytest.raises(zermelo.BadMove, match=what):
            certificate_branch(walk, path)
    end = next(child for found in opened(walk) for child in found["children"]
               if child["kind"] == "end")
    with pytest.raises(zermelo.BadMove, match="'1': the line ends before it"):
        certificate_branch(walk, [*end["path"], "1"])
    with pytest.raises(zermelo.BadOption, match="count='500' is not a whole number from 0 to 200"):
        certificate_branch(walk, count=500)


# --- certificates that are broken ---


def changed(made, tmp_path, change):
    parts = taken_apart(made.path.read_bytes())
    change(parts)
    path = tmp_path / "changed.proof"
    path.write_bytes(parts.joined())
    return path


def all_of(path, **options):
    return grow(ProofWalk(path, **options).root, 200, 3_000)


def test_a_missing_record(made, tmp_path):
    def drop(parts):
        del parts.records[0][40]

    with pytest.raises(Refused, match=r"O wins: after .*, there is no record for the position"):
        all_of(changed(made["four"], tmp_path, drop))

    def drop_all(parts):
        parts.records[0].clear()

    with pytest.raises(Refused, match="at the root, there is no record"):
        all_of(changed(made["four"], tmp_path, drop_all))


def with_moves(move):
    def change(parts):
        parts.records[0] = [row[:-8] + move.to_bytes(4, "little") + row[-4:]
                            for row in parts.records[0]]

    return change


def test_moves_that_are_not_legal_or_lead_nowhere(made, tmp_path):
    with pytest.raises(Refused, match="at the root, the move of the record is not legal"):
        all_of(changed(made["chase"], tmp_path, with_moves(7)), game=Chase)
    with pytest.raises(Refused, match="after 0 0, the position has come up before"):
        all_of(changed(made["chase"], tmp_path, with_moves(0)), game=Chase)


def test_a_win_without_ranks(made, tmp_path):
    def change(parts):
        parts.header["claims"][0]["ranked"] = False
        parts.records[0] = [row[:-4] for row in parts.records[0]]

    with pytest.raises(Refused, match="needs ranks"):
        all_of(changed(made["chase"], tmp_path, change), game=Chase)


@pytest.mark.parametrize(("text", "claim", "message"), [
    ("1213141", Claim(1), "with a win for X"), ("OXOXOXOXXOXOXOXO X", Claim(0), "in a draw")])
def test_an_end_that_was_not_claimed(text, claim, message, tmp_path):
    over = zermelo.game("connect-four", **FOUR).parse(text)
    assert over.outcome in ("first", "draw")
    with CertificateWriter(tmp_path / "a.proof", over, [claim]):
        pass
    with pytest.raises(Refused, match=f"at the root, the game ends {message}"):
        ProofWalk(tmp_path / "a.proof")


def test_a_search_that_finds_nothing(made, tmp_path):
    four = made["four"]
    write(tmp_path / "a.proof", four.position, four.claims, search=10, searches=lambda state: True)
    with pytest.raises(Refused, match="a search of up to 10 positions finds no move"):
        all_of(tmp_path / "a.proof")


def test_a_state_that_is_no_image(made):
    walk = ProofWalk(made["four"].path)
    with pytest.raises(Refused, match="has no image there"):
        walk._image(walk.root, (0, 0, 1), 0)


class Speechless(Chase):
    def move_name(self, position, move):
        raise KeyError("no words")


def test_a_game_that_can_t_name_its_moves(made):
    with pytest.raises(Refused, match=r"chase can't show the position \(KeyError: 'no words'\)"):
        to_json(grow(ProofWalk(made["chase"].path, game=Speechless).root, 2, 10))


@pytest.mark.parametrize(("plies", "most"), [(-1, 10), (201, 10), (1, 0), (1, 1_000_001)])
def test_limits_out_of_range(plies, most, made):
    with pytest.raises(BadOption, match="out of range"):
        grow(ProofWalk(made["four"].path).root, plies, most)


@pytest.mark.parametrize("claim", [0, 2, -1])
def test_claims_out_of_range(claim, made):
    with pytest.raises(BadOption, match="the certificate has 1, counted from 1"):
        ProofWalk(made["four"].path, claim)
