"""Trees and replays in a real browser: opened, walked by keys, followed by the board."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser import PLACE, SMALL, asked
from playwright.sync_api import expect

pytestmark = pytest.mark.long

GROWING = {"place": {"game": "connect-four"}, "search": "pn", "plain": True}  # no end in sight


def searched(page: Any, explorer: str, search: str = "pn") -> str:
    """The id of a search of the small game that has ended."""
    order = asked(page, explorer, "/sessions", kind="solve", place=PLACE, search=search)
    page.goto(f"{explorer}/tree?{SMALL}&session={order['id']}")
    expect(page.locator(".state")).to_contain_text(f"{search}: done")
    expect(page.locator("[role=treeitem]").first).to_contain_text("root")
    return order["id"]


def row(page: Any, move: str, level: int) -> Any:
    """The rows with a move at a level; the root has level 1."""
    return page.locator(f'[role=treeitem][aria-level="{level}"]').filter(
        has=page.locator(".tree-move", has_text=re.compile(f"^{move}$")))


def board_is_at(page: Any, *moves: str) -> None:
    """Wait until the board beside the tree is where these moves lead, as its link has it."""
    way = ",".join(moves)
    expect(page.locator(".beside a.button")).to_have_attribute("href", re.compile(f"moves={way}$"))


def test_nodes_open_and_the_board_goes_there(page: Any, explorer: str) -> None:
    id = searched(page, explorer)
    whole = asked(page, explorer, f"/sessions/{id}/tree", path=[])
    rows = page.locator("[role=treeitem]")
    expect(rows).to_have_count(1 + len(whole["children"]))
    for child in whole["children"]:
        shown = row(page, child["move"], 2)
        for name, number in child["numbers"].items():
            text = "∞" if number == "inf" else f"{number:,}"
            expect(shown.locator(".tree-numbers")).to_contain_text(f"{name} {text}")
        assert child["kind"] == "and"
        expect(shown.locator(".glyph.and")).to_have_count(1)
    row(page, "2", 2).click()
    expect(row(page, "2", 2)).to_have_attribute("aria-expanded", "true")
    below = asked(page, explorer, f"/sessions/{id}/tree", path=["2"])
    expect(page.locator('[role=treeitem][aria-level="3"]')).to_have_count(len(below["children"]))
    expect(page.locator(".beside-status")).to_contain_text("O to move")
    board_is_at(page, "2")
    page.locator('zm-board [data-move="4"]').first.click()
    expect(page.locator(".beside-status")).to_contain_text("X to move")
    board_is_at(page, "2", "4")


def test_the_most_proving_path_is_lit_to_its_end(page: Any, explorer: str) -> None:
    id = searched(page, explorer)
    path: list[str] = []
    while True:
        children = asked(page, explorer, f"/sessions/{id}/tree", path=path)["children"]
        best = [child["move"] for child in children if child["best"]]
        if not best:
            break
        path.append(best[0])
    assert path
    page.get_by_role("button", name="Most-proving path").click()
    expect(page.locator(".way [aria-current]")).to_have_text(path[-1])
    board_is_at(page, *path)
    page.locator(".tree-view").evaluate("view => { view.scrollTop = 0; }")
    expect(row(page, path[0], 2)).to_have_class(re.compile("best"))
    status = asked(page, explorer, f"/sessions/{id}/tree", path=path)["node"]["status"]
    assert status in ("won", "lost")


def test_a_tree_is_walked_by_keys(page: Any, explorer: str) -> None:
    searched(page, explorer)
    tree = page.get_by_role("tree")
    selected = page.locator('[role=treeitem][aria-selected="true"]')
    tree.focus()
    page.keyboard.press("ArrowDown")
    expect(selected).to_have_attribute("aria-level", "2")
    first = selected.locator(".tree-move").inner_text()
    page.keyboard.press("ArrowRight")
    expect(selected).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowRight")
    expect(selected).to_have_attribute("aria-level", "3")
    assert tree.get_attribute("aria-activedescendant") == selected.get_attribute("id")
    second = selected.locator(".tree-move").inner_text()
    expect(page.locator(".way [aria-current]")).to_have_text(second)
    board_is_at(page, first, second)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(selected).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowLeft")
    expect(selected).to_have_attribute("aria-level", "1")
    page.keyboard.press("End")
    expect(selected).to_have_attribute("aria-posinset", "5")
    page.keyboard.press("*")
    expect(page.locator('[role=treeitem][aria-expanded="true"]').nth(5)).to_be_visible()


def test_a_running_search_shows_its_tree_as_it_grows(page: Any, explorer: str) -> None:
    order = asked(page, explorer, "/sessions", kind="solve", **GROWING, limits={"memory": "1GB"})
    page.goto(f"{explorer}/tree?game=connect-four&session={order['id']}")
    numbers = page.locator("[role=treeitem] .tree-numbers")
    expect(numbers).to_have_count(8)
    before = numbers.all_inner_texts()
    page.wait_for_function(
        "before => [...document.querySelectorAll('[role=treeitem] .tree-numbers')]"
        ".some((one, k) => one.textContent !== before[k])", arg=before)
    page.get_by_role("button", name="Most-proving path").click()
    deeper = page.locator('[role=treeitem]:not([aria-level="1"], [aria-level="2"])')
    expect(deeper.first).to_be_visible()  # of a long path the end is in sight
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".state")).to_contain_text("stopped")
    expect(page.get_by_role("checkbox", name="live")).not_to_be_checked()
    page.request.delete(f"{explorer}/api/v1/sessions/{order['id']}")


def test_what_a_table_has_lost_is_said_to_be_lost(page: Any, explorer: str) -> None:
    id = searched(page, explorer, "df-pn")
    for first in asked(page, explorer, f"/sessions/{id}/tree", path=[])["children"]:
        move = first["move"]
        children = asked(page, explorer, f"/sessions/{id}/tree", path=[move])["children"]
        if any(not child["held"] for child in children):
            break
    else:
        raise AssertionError("df-pn has looked at every answer to every move")
    row(page, move, 2).click()
    for child in children:
        shown = row(page, child["move"], 3).get_by_text("lost from the table")
        expect(shown).to_have_count(0 if child["held"] else 1)


def test_an_open_tree_is_saved_as_a_picture(page: Any, explorer: str, tmp_path: Path) -> None:
    searched(page, explorer)
    for form, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            page.get_by_role("button", name=form, exact=True).click()
        download.value.save_as(tmp_path / form)
        assert (tmp_path / form).read_bytes().startswith(begins)
    assert (tmp_path / "SVG").read_text().count('data-path="') == 6


def test_another_search_of_the_same_position(page: Any, explorer: str) -> None:
    searched(page, explorer)
    page.get_by_label("Searches of this server").select_option("")
    expect(page).to_have_url(re.compile(f"/live.*{SMALL}$"))
    page.get_by_role("combobox", name="Search", exact=True).select_option("df-pn")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_role("link", name="Tree", exact=True).last.click()
    expect(page.locator(".state")).to_contain_text("df-pn: done")


def test_thousands_of_rows_are_drawn_only_where_they_are_seen(page: Any, explorer: str) -> None:
    """A node with 3,000 children, as the API would send them: 200 at a time."""
    def many(route: Any) -> None:
        asked = json.loads(route.request.post_data)
        node = {"kind": "or", "to_move": "X", "status": "unknown", "outcome": None, "held": True,
                "numbers": {"pn": 1, "dn": 1}, "children": 3000, "best": False}
        first = asked.get("offset") or 0
        moves = [f"m{k}" for k in range(first, min(3000, first + 200))] if not asked["path"] else []
        children = [{**node, "kind": "and", "move": move, "path": [move], "children": 1}
                    for move in moves]
        more = 3000 - first - len(moves)
        route.fulfill(json={"path": asked["path"], "node": {**node, "move": None, "path": []},
                            "children": children, "more": more, "question": 1})

    page.route("**/api/v1/sessions/*/tree", many)
    searched(page, explorer)
    page.locator("zm-growing-tree").evaluate("tree => tree.reveal(['m2999'])")
    expect(page.locator('[role=treeitem][aria-selected="true"] .tree-move')).to_have_text("m2999")
    assert page.locator("zm-growing-tree").evaluate("tree => tree.rows.length") == 3001
    assert page.locator("[role=treeitem]").count() < 60
    page.get_by_role("tree").focus()
    page.keyboard.press("Home")
    expect(page.locator('[role=treeitem][aria-selected="true"] .tree-move')).to_have_text("root")


def drawn(page: Any) -> dict[str, str]:
    """The labels of the drawn tree, by the moves that lead to a node."""
    found = page.locator(".sheet .node").evaluate_all(
        "nodes => nodes.map(node => [node.dataset.path, node.querySelector('.label').textContent])")
    return dict(found)


def said(node: dict[str, Any]) -> str:
    """The numbers of a node as they are drawn."""
    return "".join(f"{name}{'∞' if one == 'inf' else one}" for name, one in node["numbers"].items())


def test_a_replay_steps_forward_and_back_with_the_numbers_of_the_api(
        page: Any, explorer: str) -> None:
    frames = asked(page, explorer, "/replay", place=PLACE, search="pn", goal="win",
                   plain=True, steps=60)["frames"]
    page.goto(f"{explorer}/replay?{SMALL}&search=pn")
    sentence = page.locator(".sentence")
    expect(sentence).to_have_text(frames[0]["words"])
    page.get_by_label("phase by phase").uncheck()
    page.get_by_label("whole tree").check()
    known: dict[str, str] = {}
    films = []
    for k, frame in enumerate(frames[:6]):
        if k:
            page.get_by_role("button", name="A step forward").click()
            expect(sentence).to_have_text(frame["words"])
        for node in frame["created"]:
            known[" ".join(node["path"])] = (node["move"] or "root") + said(node)
        for change in frame["changed"]:
            path = " ".join(change["path"])
            known[path] = (change["path"] or ["root"])[-1] + said({"numbers": change["after"]})
        shown = drawn(page)
        assert shown.keys() == known.keys()
        for path, label in shown.items():  # 1→ before a number: what it was
            assert re.sub(r"[^a-z]+→", "", label) == known[path], (k, path)
        films.append({path: re.sub(r"[^a-z]+→", "", label) for path, label in shown.items()})
    assert any("→" in label for label in drawn(page).values())
    for k in range(4, -1, -1):
        page.keyboard.press("ArrowLeft")
        expect(sentence).to_have_text(frames[k]["words"])
        assert {path: re.sub(r"[^a-z]+→", "", label)
                for path, label in drawn(page).items()} == films[k]


def test_a_step_has_phases_and_plays_by_itself(page: Any, explorer: str) -> None:
    page.goto(f"{explorer}/replay?{SMALL}&search=df-pn")
    expect(page.locator("summary").first).to_contain_text("df-pn: depth-first proof-number search")
    expect(page.locator(".replay-stage")).to_contain_text("pn: what it takes at least to prove")
    phase = page.locator(".phases [aria-current]")
    expect(page.locator(".facts")).to_contain_text("Step 0")
    seen = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        seen.append(phase.inner_text())
        if seen[-1] == "expand":
            assert page.locator(".sheet .node.fresh").count() == 5
    assert seen == ["select", "expand", "evaluate", "back up"]
    expect(page.locator(".sheet .limit").first).to_contain_text("<")  # df-pn has thresholds
    page.get_by_label("Speed").select_option("10")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text(re.compile("Step ([4-9]|[1-9][0-9]) "))
    page.keyboard.press("Space")
    page.keyboard.press("End")
    expect(page.locator(".facts")).to_contain_text(re.compile("The (search is done|replay ends)"))


def test_many_numbers_stand_in_two_lines_and_two_thresholds_beside_p(
        page: Any, explorer: str) -> None:
    page.goto(explorer)
    labels = page.evaluate("""async () => {
      const { drawTree } = await import("/static/js/drawing.js");
      const label = (numbers, limits) => drawTree([{ path: [], kind: "or", numbers, limits }], "")
        .querySelector(".label");
      const lines = (text) => 1 + text.querySelectorAll("tspan[x]").length;
      const short = label({ pn: 1, dn: 2 }, { pn: 5, dn: "inf" });
      const long = label({ visits: 3, rate: 0.5, pn: 1, dn: 2 });
      const p = label({ p: 0.5, q: 0.5 }, { lo: 0.25, hi: 2 });
      return [short, long, p].map((text) => [text.textContent, lines(text)]);
    }""")
    assert labels == [["rootpn1< 5dn2< ∞", 1], ["rootvisits3rate0.5pn1dn2", 2],
                      ["rootp0.5> 0.25q0.5", 1]]
