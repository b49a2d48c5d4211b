"""The start page in a real browser: games, famous positions, whatever is pasted or dropped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser import ended, opened, started, token_of
from playwright.sync_api import expect

from zermelo.cli.explore import _redirecting

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
