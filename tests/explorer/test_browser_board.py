"""The start and board pages in a real browser: positions, moves, values, undo, edit, keys."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser import SMALL, ended, opened, started, token_of
from playwright.sync_api import expect

from zermelo.cli.explore import _redirecting

pytestmark = pytest.mark.slow

WON = f"{SMALL}&moves=3,1,3,1"  # X completes a line in column 3


def board(page: Any, explorer: str, query: str = SMALL) -> None:
    """Open the board page and wait for its picture."""
    page.goto(f"{explorer}/board?{query}")
    expect(page.locator("zm-board svg")).to_be_visible()


def played(page: Any) -> list[str]:
    """The moves in the URL."""
    found = re.search(r"moves=([^&]*)", page.url)
    return found[1].split(",") if found else []


def settled(page: Any, n: int) -> None:
    """Wait until all ``n`` moves wear a value."""
    expect(page.locator(".look")).to_contain_text(f"{n} of {n} moves settled")
    expect(page.locator("zm-board .zm-badge .zm-letter")).to_have_count(n)


def test_values_appear_on_every_move_and_the_answer_in_words(page: Any, explorer: str) -> None:
    board(page, explorer, WON)
    settled(page, 5)
    expect(page.locator(".answer .words")).to_contain_text("X wins")
    expect(page.locator(".answer .words")).to_contain_text("column 3")
    expect(page.locator("zm-board .zm-badge.win")).not_to_have_count(0)
    label = page.locator('zm-board [data-move="3"][role="button"]').get_attribute("aria-label")
    assert re.match("column 3, win", label)


@pytest.mark.long
def test_lengths_that_took_too_long_are_looked_for_again(page: Any, explorer: str) -> None:
    def briefly(route: Any) -> None:
        order = json.loads(route.request.post_data or "{}")
        if order.get("goal") == "shortest":
            route.continue_(post_data=json.dumps({**order, "limits": {"nodes": 1}}))
        else:
            route.fallback()

    page.route("**/api/v1/sessions", briefly)
    board(page, explorer, f"{SMALL}&moves=3,1")
    settled(page, 5)
    page.get_by_role("button", name="Look longer").click()
    numbered = page.locator("zm-board .zm-letter", has_text=re.compile("^[WL][0-9]+$"))
    expect(numbered).to_have_count(5)
    expect(page.get_by_role("button", name="Look longer")).to_have_count(0)


@pytest.mark.long
def test_a_lost_move_among_open_ones_says_nothing(page: Any, explorer: str) -> None:
    board(page, explorer)
    words = page.evaluate("""async () => {
      const { answerOf } = await import("/static/js/worth.js");
      const here = {to_move: "X", moves: [{move: "1"}, {move: "2"}], place: {game: "hex"}};
      const one = (value) => answerOf(here, [{move: "1", value, proved: true, settled: true},
        {move: "2", value: "unknown", numbers: {pn: 1, dn: 1}, settled: false}]).words;
      return ["loss", "draw", "win"].map(one);
    }""")
    assert words == ["Not known yet.", "X has at least a draw: 1", "X wins: 1"]


@pytest.mark.long
def test_scores_are_shown_where_the_link_asks_for_them(page: Any, explorer: str) -> None:
    board(page, explorer, "game=othello&size=4&goal=score")
    expect(page.get_by_label("What the values say")).to_have_value("score")
    expect(page.locator(".answer .words")).to_contain_text("X loses with \N{MINUS SIGN}10")
    expect(page.locator(".status .stone circle")).to_have_attribute("fill", "#20242c")
    assert page.locator("zm-board .zm-letter").all_text_contents() == ["\N{MINUS SIGN}10"] * 4


def test_clicks_move_and_back_is_undo(page: Any, explorer: str) -> None:
    board(page, explorer)
    page.locator('zm-board [data-move="3"]').first.click()
    expect(page.locator(".status")).to_contain_text("O to move")
    page.locator('zm-board [data-move="2"]').first.click()
    expect(page.locator(".strip .step")).to_have_count(2)
    assert played(page) == ["3", "2"]
    page.go_back()
    expect(page.locator(".status")).to_contain_text("O to move")
    assert played(page) == ["3"]
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".status")).to_contain_text("X to move")
    page.get_by_role("button", name="First").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.get_by_role("button", name="Last").click()
    expect(page.locator(".strip [aria-current]")).to_have_text("2")
    page.reload()
    expect(page.locator(".strip .step")).to_have_count(2)


def test_keys_alone_are_enough(page: Any, explorer: str) -> None:
    board(page, explorer, WON)
    settled(page, 5)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".status")).to_contain_text("O to move")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".status")).to_contain_text("X to move")
    page.keyboard.press("h")
    expect(page.locator("zm-board .zm-badge")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator("zm-board .zm-badge")).to_have_count(5)
    page.keyboard.press("f")
    flip = page.get_by_role("button", name="Flip the board")
    expect(flip).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("play the best move")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("Space")
    expect(page.locator(".status")).to_contain_text("X wins")
    assert played(page)[-1] == "3"
    page.keyboard.press("Home")
    expect(page.locator(".strip [aria-current]")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(".status")).to_contain_text("X wins")


@pytest.mark.long
def test_tab_and_arrows_reach_the_moves(page: Any, explorer: str) -> None:
    board(page, explorer)
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.move !== undefined"):
            break
    first = page.evaluate("document.activeElement.dataset.move")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.dataset.move")
    assert int(second) == int(first) + 1
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_contain_text("O to move")
    assert played(page) == [second]
    assert page.evaluate("document.activeElement.dataset.move") == second  # to play on from there


@pytest.mark.long
def test_the_line_is_previewed_and_walked(page: Any, explorer: str) -> None:
    board(page, explorer, f"{SMALL}&moves=3,1")
    settled(page, 5)
    steps = page.locator("section[aria-label=Answer] .line .step")
    expect(steps).not_to_have_count(0)
    before = page.locator("zm-board svg").inner_html()
    steps.nth(1).hover()
    expect(page.locator("zm-board.previewing")).to_have_count(1)
    assert page.locator("zm-board svg").inner_html() != before
    page.locator(".status").hover()
    expect(page.locator("zm-board.previewing")).to_have_count(0)
    steps.nth(1).click()
    expect(page.locator(".strip .step:not(.ahead)")).to_have_count(4)


@pytest.mark.long
def test_the_machine_plays_a_proved_move_and_says_so(page: Any, explorer: str) -> None:
    board(page, explorer, f"{SMALL}&moves=3,1,3")
    page.get_by_label("X is").select_option("machine")
    page.locator('zm-board [data-move="1"]').first.click()
    expect(page.locator(".status")).to_contain_text("X plays column 3: win")
    expect(page.locator(".status")).to_contain_text("proved")
    expect(page.locator("zm-board .zm-badge")).to_have_count(0)  # hidden while one plays


@pytest.mark.long_cases("game=tic-tac-toe-b2-O")
@pytest.mark.parametrize(("query", "square", "mark"), [
    (SMALL, None, "X"), ("game=tic-tac-toe", "b2", "O")])
def test_a_position_is_edited(page: Any, explorer: str, query: str, square: str | None,
                              mark: str) -> None:
    board(page, explorer, query)
    page.keyboard.press("e")
    page.locator(".editor .mark-choice", has_text=mark).click()
    squares = page.locator("zm-board [data-square]")
    (squares.last if square is None else page.locator(f'zm-board [data-square="{square}"]')).click()
    expect(page).to_have_url(re.compile("position="))
    page.get_by_role("button", name="Done").click()
    expect(page.locator("zm-board [data-move]").first).to_be_attached()


@pytest.mark.long
def test_pieces_are_picked_up_and_put_down(page: Any, explorer: str) -> None:
    board(page, explorer, "game=lines-of-action&size=4")
    start = page.locator("zm-board .zm-hit[data-square]").first
    start.click()
    expect(page.locator("zm-board .zm-hand")).to_have_count(1)
    page.locator("zm-board .zm-target").first.click()
    expect(page.locator(".strip .step")).to_have_count(1)


@pytest.mark.long
def test_positions_and_pictures_are_taken_away(page: Any, explorer: str) -> None:
    board(page, explorer, f"{SMALL}&moves=3")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the position").click()
    expect(page.locator(".toast")).to_contain_text("copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "3"
    for name, ending in (("SVG", b"</svg>"), ("PNG", b"IEND\xaeB`\x82")):
        with page.expect_download() as download:
            page.locator(".saves").get_by_role("button", name=name).click()
        with open(download.value.path(), "rb") as file:
            assert file.read().strip().endswith(ending)


def test_a_bad_position_gets_a_sentence(page: Any, explorer: str) -> None:
    page.goto(f"{explorer}/board?{SMALL}&moves=9")
    expect(page.locator("main .refusal")).to_contain_text("9")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


@pytest.mark.long
def test_a_game_of_ones_own_has_its_diagram_and_a_list_of_moves(browser: Any) -> None:
    process, url = started(str(Path(__file__).parents[2] / "examples" / "chomp.py") + ":Chomp")
    page = opened(browser)
    page.goto(url)
    expect(page.locator(".answer .words")).to_contain_text("first wins")
    page.get_by_role("button", name="Play c2").click()
    expect(page.locator(".strip .step")).to_have_count(1)
    expect(page.locator(".answer .words")).to_contain_text("second loses")
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("button", name="Write a proof").click()
    expect(page.locator(".proof-badge")).to_contain_text(re.compile(r"^Checked: \d+ positions, \d"))
    assert page.wrong == []
    page.context.close()
    ended(process)


DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const options = {dataTransfer: data, bubbles: true, cancelable: true};
  document.dispatchEvent(new DragEvent("drop", options));
}"""


def paste(page: Any, text: str) -> None:
    """Into the box of the start page, and open it."""
    page.get_by_role("textbox", name="A position or a game in any notation").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()


@pytest.mark.long
def test_games_and_famous_positions_lead_to_boards(page: Any, explorer: str) -> None:
    page.goto(explorer)
    expect(page.locator(".games a")).not_to_have_count(0)
    titles = page.locator(".games b").all_inner_texts()
    assert {"Connect Four", "Othello", "Hex", "Xiangqi", "Lines of Action"} <= set(titles)
    expect(page.locator(".famous a")).not_to_have_count(0)
    page.locator(".games a", has_text="Tic-tac-toe").click()
    expect(page.locator("zm-board [data-move]")).to_have_count(9)
    page.go_back()
    expect(page.get_by_role("heading", name="See who wins, and why.")).to_be_visible()


def test_a_pasted_position_is_recognised_and_said(page: Any, explorer: str) -> None:
    page.goto(explorer)
    paste(page, "****************O*****XX*****OXO**O*XXOX*O X")
    expect(page).to_have_url(re.compile("/board.*game=connect-four"))
    expect(page.locator(".status")).to_contain_text("X to move")
    expect(page.locator(".toast")).to_contain_text("Read as")


@pytest.mark.long
def test_two_readings_are_offered(page: Any, explorer: str) -> None:
    page.goto(explorer)
    paste(page, "a1 b2")
    dialog = page.get_by_role("dialog", name="This can be read in more than one way")
    expect(dialog).to_be_visible()
    assert dialog.locator(".tile").count() > 1
    dialog.locator(".tile").first.click()
    expect(page).to_have_url(re.compile("/board.*moves="))


@pytest.mark.long
def test_what_no_game_reads_is_refused_in_a_sentence(page: Any, explorer: str) -> None:
    page.goto(explorer)
    paste(page, "no game at all!")
    expect(page.locator(".toast.refusal")).to_be_visible()
    assert page.locator(".toast.refusal").inner_text().strip().endswith(".")
    expect(page).to_have_url(f"{explorer}/")


def test_a_file_is_dropped_anywhere(page: Any, explorer: str) -> None:
    page.goto(explorer)
    expect(page.locator(".games a")).not_to_have_count(0)
    page.evaluate(DROP, ["game.txt", "****************O*****XX*****OXO**O*XXOX*O X"])
    expect(page).to_have_url(re.compile("/board.*game=connect-four"))
    expect(page.locator("zm-board svg")).to_be_visible()
    page.evaluate(DROP, ["game.txt", "d3 c3 f5"])  # on the board as well
    page.get_by_role("button", name=re.compile("^Othello")).click()
    expect(page.locator(".strip .step")).to_have_count(3)
    page.get_by_role("button", name="Where did it turn?").click()
    expect(page.locator(".moves-list b")).to_have_count(3)


@pytest.mark.long
def test_a_certificate_dropped_anywhere_is_checked(page: Any, explorer: str) -> None:
    page.goto(explorer)
    expect(page.locator(".games a")).not_to_have_count(0)
    page.evaluate(DROP, ["some.proof", "no certificate"])
    expect(page).to_have_url(f"{explorer}/proof")
    expect(page.get_by_label("Verdict")).to_contain_text("Not verified")


@pytest.mark.long
def test_a_link_of_another_explorer_is_a_position(page: Any, explorer: str) -> None:
    page.goto(explorer)
    paste(page, "http://localhost:1/board?game=tic-tac-toe&moves=b2")
    expect(page.locator(".strip .step")).to_have_count(1)


def test_the_file_that_the_browser_is_given_leads_to_the_page(
        browser: Any, explorer: str, tmp_path: Path) -> None:
    """Two explorers and other programs of the host have their cookies beside each other."""
    process, url = started("hex", "-g", "size=3")
    url = url.partition("?")[0].removesuffix("/board")
    page = opened(browser, known=False)
    page.context.add_cookies([{"name": "a", "value": '{"x":1, "y":2}', "url": url}])
    try:
        for base in (url, explorer, url):
            address = f"{base}/board?game=hex&size=3"
            if page.url != "about:blank" and base == url:
                page.goto(address)  # it is known there
            else:
                page.goto(_redirecting(f"{address}&token={token_of(base)}", tmp_path).as_uri())
            expect(page.locator("zm-board")).to_be_visible()
            assert page.url == address
            page.reload()
            expect(page.locator("zm-board")).to_be_visible()
        assert page.wrong == []
    finally:
        page.context.close()
        ended(process)
