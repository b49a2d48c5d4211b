"""A search at work, in a real browser: watched, stopped, continued; its proof."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser import SMALL, loaded, opened
from playwright.sync_api import expect

from tools.page_code import code_of

pytestmark = pytest.mark.long

LONG = "game=connect-four"  # no end in sight


def start(page: Any, explorer: str, query: str, search: str, nodes: str) -> None:
    """Choose a search and its limit, and start it."""
    page.goto(f"{explorer}/live?{query}")
    page.get_by_role("combobox", name="Search").select_option(search)
    page.get_by_role("textbox", name="Nodes").fill(nodes)
    page.locator(".search-form").get_by_role("button", name="Solve").click()


def results(page: Any, explorer: str) -> list[Any]:
    """What the searches of the server have found."""
    sessions = page.request.get(f"{explorer}/api/v1/sessions").json()
    states = [page.request.get(f"{explorer}/api/v1/sessions/{one['id']}").json()
              for one in sessions if one["kind"] == "solve"]
    return [state["result"] for state in states]


def test_stop_and_continue_lose_nothing(page: Any, explorer: str) -> None:
    start(page, explorer, f"{SMALL}&moves=1", "pn", "200")
    expect(page.locator(".state")).to_contain_text("limit of nodes")
    expect(page.locator(".bar").first).to_contain_text("of 200 nodes")
    expect(page.locator(".state")).to_contain_text("Nothing is lost")
    page.get_by_role("button", name=re.compile("^10 ")).click()
    expect(page.locator(".bar").first).to_contain_text(re.compile(r"of (2,\d\d\d|2 k) nodes"))
    expect(page.locator(".state")).to_contain_text("proved")
    start(page, explorer, f"{SMALL}&moves=1", "pn", "3k")  # in one go: the same nodes
    expect(page.locator(".bar").first).to_contain_text("of 3")
    expect(page.locator(".state")).to_contain_text("proved")
    first, second = (session["nodes"] for session in results(page, explorer))
    assert first == second > 200


def test_a_running_search_is_watched_by_two_and_stopped(page: Any, explorer: str,
                                                        browser: Any) -> None:
    start(page, explorer, LONG, "weak-df-pn", "500M")
    expect(page.locator(".numbers")).to_contain_text("nodes/s")
    expect(page.locator(".bar").first).to_contain_text("of 500 M nodes")
    other = opened(browser)
    other.goto(page.url)
    expect(other.locator(".numbers")).to_contain_text("weak-df-pn")
    expect(other.locator(".state")).to_contain_text(re.compile("Searching: does [XO] win"))
    other.get_by_role("button", name="Stop", exact=True).last.click()
    for each in (page, other):
        expect(each.locator(".state")).to_contain_text("you stopped it")
    other.context.close()


def test_the_same_on_the_command_line(page: Any, explorer: str) -> None:
    start(page, explorer, f"{SMALL}&moves=3,1,3,1", "pn", "9k")
    expect(page.locator(".state")).to_contain_text("X wins")
    page.get_by_text("Search, goal, limits").click()
    command = page.locator(".chooser .copy-box code").inner_text()
    assert command.startswith("zermelo solve connect-four")
    for words in ("-g columns=5", "-g line=3", "pn", "--nodes 9k"):
        assert words in command


def test_a_proof_is_written_checked_and_downloaded(page: Any, explorer: str) -> None:
    start(page, explorer, f"{SMALL}&moves=3,1,3,1", "df-pn", "1M")
    expect(page.locator(".state")).to_contain_text("X wins")
    page.get_by_role("button", name="Write a proof").click()
    expect(page.locator(".proof-badge")).to_contain_text("Checked")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the certificate").click()
    with open(download.value.path(), "rb") as file:
        assert len(file.read()) > 50
    page.get_by_role("link", name="Walk the proof").click()
    expect(page.get_by_label("Verdict")).to_contain_text("Verified")
    expect(page.locator(".prover-says")).to_contain_text("X plays")


def test_the_moves_of_a_solved_position_have_their_values(page: Any, explorer: str) -> None:
    """Not those of its last question, which asks about the opponent."""
    start(page, explorer, "game=tic-tac-toe&moves=b2", "pn", "1M")
    expect(page.locator(".state")).to_contain_text("A draw")
    page.get_by_text("Numbers of every move").click()
    result = results(page, explorer)[-1]
    wanted = [[row["move"], {"draw": "draw", "loss": "loss", "not-win": "no win"}[row["value"]]]
              for row in result["moves"]]
    cells = "rows => rows.map(row => [...row.cells].slice(0, 2).map(cell => cell.textContent))"
    assert page.locator(".live tbody tr").evaluate_all(cells) == wanted


def test_a_reload_finds_the_search_again(page: Any, explorer: str) -> None:
    start(page, explorer, f"{SMALL}&moves=3,1,3,1", "pn", "9k")
    expect(page.locator(".state")).to_contain_text("X wins")
    page.reload()
    expect(page.locator(".state")).to_contain_text("X wins")
    expect(page.locator("select[name=search]")).to_have_value("pn")  # not the default one
    expect(page.locator("input[name=nodes]")).to_have_value("9k")


def test_an_answer_that_comes_late_hides_nothing(page: Any, explorer: str) -> None:
    """The state of a search, asked for while it waits, arrives when its events have said more."""
    held = []

    def late(route: Any) -> None:
        answer = route.fetch()
        told = answer.json()
        if told.get("kind") == "solve" and not held:
            held.append(told["id"])
            expect(page.locator(".state")).to_contain_text("X wins")
            told.update(state="waiting", progress=None, result=None, event=1)
        route.fulfill(response=answer, json=told)

    page.route(re.compile("/sessions/[0-9]+$"), late)
    start(page, explorer, f"{SMALL}&moves=3,1,3,1", "pn", "9k")
    expect(page.locator(".state")).to_contain_text("X wins")
    page.wait_for_function("() => document.querySelector('.numbers dd') !== null")
    page.get_by_text("Search, goal, limits").click()
    assert held
    expect(page.locator(".state")).to_contain_text("X wins")


def test_all_that_a_search_loads_is_known(page: Any, explorer: str) -> None:
    files = loaded(page)
    start(page, explorer, LONG, "pn", "500M")
    expect(page.locator(".chart svg[role=img]")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".state")).to_contain_text("you stopped it")
    assert "js/chart.js" in files
    assert files <= code_of("live").keys()


def test_a_board_leads_to_its_search_and_knows_the_answer(page: Any, explorer: str) -> None:
    page.goto(f"{explorer}/board?{SMALL}&moves=1")
    expect(page.locator(".look")).to_contain_text("moves settled")
    page.keyboard.press("s")
    expect(page).to_have_url(re.compile("/live.*session=[0-9]+$"))
    expect(page.locator(".state")).to_contain_text("proved")
    page.locator(".beside a.button").click()
    expect(page.locator(".answer .words")).to_contain_text("O ")
    page.go_back()
    expect(page.locator(".state")).to_contain_text("proved")
    page.locator('zm-board [data-move="2"]').first.click()  # the board is walked, the search stays
    expect(page.locator(".live")).to_contain_text("For another position")
    page.get_by_role("button", name="Go there").click()
    expect(page.get_by_role("button", name="Go there")).to_be_hidden()
    page.locator(".line .step").nth(1).hover()
    expect(page.locator("zm-board.previewing")).to_have_count(1)


def test_a_refused_search_says_why(page: Any, explorer: str) -> None:
    start(page, explorer, SMALL, "pn", "many")
    expect(page.locator(".toast.refusal")).to_contain_text("many")
