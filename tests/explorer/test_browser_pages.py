"""Compare, proof, record and lab in a real browser."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import PLACE, SMALL, WAIT, asked, ended, loaded, opened, started, violations
from playwright.sync_api import expect

from tools.page_code import code_of

pytestmark = pytest.mark.long

GIVEN_AWAY = "2,3,1,3,3"  # X had won until the third move


def solved(page: Any, explorer: str, place: Any = PLACE) -> str:
    """The id of a solved session of a small game."""
    id = asked(page, explorer, "/sessions", kind="solve", place=place)["id"]
    for _ in range(WAIT // 100):
        state = page.request.get(f"{explorer}/api/v1/sessions/{id}").json()["state"]
        if state == "done":
            return id
        page.wait_for_timeout(100)
    raise AssertionError(f"the small game is not solved: {state}")


def proof_of(page: Any, explorer: str) -> bytes:
    """The certificate of the small game."""
    made = asked(page, explorer, f"/sessions/{solved(page, explorer)}/proof")
    return page.request.get(f"{explorer}{made['file']}").body()


def sent(page: Any, content: bytes) -> Any:
    """Choose a file with this content; where the verdict is."""
    file = {"name": "small.proof", "mimeType": "application/octet-stream", "buffer": content}
    page.locator("#certificate-file").set_input_files(file)
    return page.get_by_label("Verdict")


def test_searches_are_compared_side_by_side(page: Any, explorer: str, tmp_path: Path) -> None:
    page.goto(f"{explorer}/compare?{SMALL}")
    for search in ("pn", "df-pn"):
        page.get_by_role("combobox", name="Search").select_option(search)
        page.get_by_role("button", name="Add this search").click()
        expect(page.get_by_role("button", name=f"Remove {search}", exact=True)).to_be_visible()
    rows = page.locator(".sortable tbody tr")
    for k in range(2):
        expect(rows.nth(k)).to_contain_text("done")
        expect(rows.nth(k).locator(".chip.win")).to_have_count(1)
    ids = re.search(r"sessions=([0-9,]+)", page.url)[1].split(",")
    nodes = {}
    for id in ids:
        state = page.request.get(f"{explorer}/api/v1/sessions/{id}").json()
        nodes[state["search"]] = state["result"]["nodes"]
    page.get_by_role("button", name="nodes", exact=True).click()
    expect(page.get_by_role("columnheader", name="nodes", exact=True)).to_have_attribute(
        "aria-sort", "ascending")
    expect(rows.locator("th")).to_have_text(sorted(nodes, key=nodes.__getitem__))
    page.get_by_role("button", name="nodes", exact=True).click()
    expect(rows.locator("th")).to_have_text(sorted(nodes, key=lambda s: -nodes[s]))
    expect(page.locator(".compare-chart .curve").first).to_be_attached()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "compare.csv")
    table = list(csv.DictReader((tmp_path / "compare.csv").open()))
    assert {row["search"]: int(row["nodes"]) for row in table} == nodes
    page.reload()
    expect(rows).to_have_count(2)
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.get_by_role("button", name="Remove pn").click()
    expect(rows).to_have_count(1)
    assert page.request.get(f"{explorer}/api/v1/sessions/{ids[0]}").status == 404


def test_a_certificate_is_checked_and_walked(page: Any, explorer: str) -> None:
    page.goto(f"{explorer}/proof")
    content = proof_of(page, explorer)
    verdict = sent(page, content)
    expect(verdict).to_contain_text("Verified")
    expect(verdict).to_contain_text("X wins")
    expect(verdict).to_contain_text(content[-32:].hex())
    says = page.locator(".prover-says")
    expect(says).to_contain_text("X plays")
    move = says.locator("b").inner_text()
    page.get_by_role("button", name="Play the prover's move").click()
    expect(says).to_contain_text("answers each of the 5 moves")
    expect(page.locator(".way [aria-current]")).to_have_text(move)
    expect(page.get_by_role("button", name="Play the prover's move")).to_be_disabled()
    page.locator('zm-board [data-move="1"]').first.click()
    expect(says).to_contain_text("X plays")
    expect(page.locator(".way button")).to_have_text(["root", move, "1"])
    page.get_by_role("button", name="Back").click()
    expect(says).to_contain_text("answers each of the 5 moves")
    page.reload()
    expect(page.get_by_label("Verdict")).to_contain_text("Verified")


def test_a_certificate_of_zones_shows_what_it_does_not_depend_on(page: Any, explorer: str) -> None:
    place = {"game": "hex", "parameters": {"size": 3}, "position": "start", "moves": []}
    page.goto(f"{explorer}/proof?session={solved(page, explorer, place)}")
    expect(page.get_by_label("Verdict")).to_contain_text("Verified hex: 3x3: X wins")
    page.locator("[role=treeitem]").nth(1).click()
    expect(page.locator(".prover-says")).to_contain_text("each of the 8 moves; on the 4 grey ones")
    outside = page.locator("[role=treeitem]", has_text="outside the zone").locator(".tree-move")
    expect(outside).to_have_count(4)
    cells = page.locator("zm-board .outside").evaluate_all(
        "all => all.map(one => one.dataset.move)")
    assert sorted(set(cells)) == sorted(outside.all_inner_texts())


def test_a_forged_certificate_is_refused_with_the_reason(page: Any, explorer: str) -> None:
    page.goto(f"{explorer}/proof")
    content = proof_of(page, explorer)
    expect(sent(page, content[:-1])).to_contain_text("damaged or has been changed")
    other = content[:-32].replace(b'"player": "first", "name": "X"',
                                  b'"player": "second", "name": "O"')
    assert other != content[:-32]
    verdict = sent(page, other + hashlib.sha256(other).digest())
    expect(verdict).to_contain_text("Not verified")
    expect(verdict).to_have_class(re.compile("bad"))
    expect(sent(page, b"no certificate")).to_contain_text("certificate")


def test_a_solved_position_leads_to_its_proof(page: Any, explorer: str) -> None:
    page.goto(f"{explorer}/proof?{SMALL}&session={solved(page, explorer)}")
    expect(page.get_by_label("Verdict")).to_contain_text("Verified")


def test_a_game_shows_the_move_that_gave_it_away(page: Any, explorer: str, tmp_path: Path) -> None:
    page.goto(f"{explorer}/record?{SMALL}&moves={GIVEN_AWAY}")
    given = page.locator(".moves-list .gave-away")
    expect(given).to_have_count(1)
    expect(given).to_contain_text("gave away a win: loss now; better: 2 3 4")
    expect(page.locator(".chart .mark").first).to_be_attached()
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    download.value.save_as(tmp_path / "record.json")
    told = json.loads((tmp_path / "record.json").read_text())["annotation"]
    assert given.locator("[data-ply]").get_attribute("data-ply") == str(told["turns"][0]["ply"])
    assert [note["first"] for note in told["positions"][1:]] == page.locator(
        ".moves-list .chip").evaluate_all("chips => chips.map(chip => chip.classList[1])")
    page.locator('[data-ply="2"]').click()
    expect(page.locator('[data-ply="2"]')).to_have_attribute("aria-current", "step")
    expect(page.locator(".beside-status")).to_contain_text("X to move")
    page.keyboard.press("ArrowLeft")
    expect(page.locator('[data-ply="1"]')).to_have_attribute("aria-current", "step")
    page.keyboard.press("End")
    expect(page.locator('[data-ply="5"]')).to_have_attribute("aria-current", "step")
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(page.locator(".moves-list [aria-current]")).to_have_count(0)
    page.get_by_role("tab", name="Evaluation").click()
    expect(page.locator(".chart")).to_contain_text("evaluation for X")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".chart")).to_contain_text("conspirators")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "record.csv")
    rows = list(csv.DictReader((tmp_path / "record.csv").open()))
    assert [row["value"] for row in rows] == [note["value"] for note in told["positions"]]


def test_a_game_is_pasted(page: Any, explorer: str) -> None:
    page.goto(f"{explorer}/record")
    page.get_by_label("A game in any notation").fill("d3 c3 f5")
    page.get_by_role("button", name="Read it").click()
    choice = page.get_by_role("button", name=re.compile("^othello"))
    expect(choice.or_(page.locator(".moves-list")).first).to_be_visible()
    if choice.count():
        choice.first.click()
    expect(page.locator(".moves-list b")).to_have_count(3)
    assert "game=othello" in page.url


@pytest.fixture(scope="module")
def lab(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server whose store has a small run of an experiment."""
    store = str(tmp_path_factory.mktemp("lab") / "results.db")
    subprocess.run(
        [sys.executable, "-m", "zermelo", "lab", "run", "p-games", "--only", "PN", "--set",
         "take=2", "--set", "nodes=2000", "--workers", "1", "--store", store, "-q"],
        check=True, stdout=subprocess.DEVNULL)
    process, url = started("--store", store)
    yield url
    ended(process)


def test_an_experiment_with_its_tables_and_jobs(page: Any, lab: str) -> None:
    page.goto(f"{lab}/lab")
    expect(page.locator("tbody tr").first).to_contain_text("p-games")
    expect(page.locator("tbody tr").first).to_contain_text(re.compile("[0-9]+ of [0-9]+ jobs"))
    page.get_by_label("Filter experiments").fill("deep-pn-hex")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_label("Filter experiments").fill("")
    page.get_by_role("link", name="p-games").click()
    expect(page.locator("h1")).to_contain_text("random trees")
    facts = page.request.get(f"{lab}/api/v1/lab/p-games").json()
    full = [row for row in facts["tables"][0]["rows"] if row[1] == "PN"]
    expect(page.locator("table").first.locator("tbody tr")).to_have_count(len(full))
    expect(page.locator("table").first.locator("tbody tr").first).to_contain_text(full[0][0])
    page.get_by_role("tab", name="Claims").click()
    expect(page.locator("tbody tr")).to_have_count(len(facts["claims"]))
    page.get_by_role("tab", name="Jobs").click()
    page.get_by_label("Filter jobs").fill("done")
    expect(page.locator(".jobs tbody tr")).to_have_count(4)
    page.get_by_role("button", name="seconds", exact=True).click()
    page.locator(".jobs tbody button").first.click()
    detail = page.locator(".job-detail")
    expect(detail).to_contain_text("zermelo solve p-game")
    expect(detail).to_contain_text("iterations")


PAGES = [f"/tree?{SMALL}&moves=1", f"/live?{SMALL}&session=new", f"/tree?{SMALL}",
         f"/replay?{SMALL}", f"/compare?{SMALL}", "/proof",
         f"/record?{SMALL}&moves={GIVEN_AWAY}", "/lab", "/lab?name=p-games"]
READY = ("main a.primary, .state.win, [role=treeitem], .compare-chart, .sheet .node, .drop, "
         ".moves-list .chip, .lab-bar, table tbody a")


@pytest.mark.parametrize("path", PAGES)
def test_a_dark_phone_and_a_light_window(browser: Any, lab: str, path: str) -> None:
    page = opened(browser, viewport={"width": 360, "height": 740}, has_touch=True,
                  color_scheme="dark", reduced_motion="reduce")
    files = loaded(page)
    page.goto(lab + path)
    expect(page.locator(READY).first).to_be_attached()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 900})
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert violations(page) == []
    page.context.close()
    assert page.wrong == []
    assert files <= code_of(re.match(r"/(\w+)", path)[1]).keys()
