"""The looks of the start and board pages: themes, phones, screen readers, size of the code."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser import SMALL, loaded, opened, violations
from playwright.sync_api import expect

from tools.page_code import LARGEST, STATIC, code_of, pages

pytestmark = pytest.mark.long

PAGES = ["/", f"/board?{SMALL}&moves=3,1,3,1", "/board?game=lines-of-action"]


def ready(page: Any, url: str) -> None:
    page.goto(url)
    expect(page.locator(".games a, zm-board svg").first).to_be_visible()
    if "connect-four" in url:
        expect(page.locator("zm-board .zm-letter")).to_have_count(5)


@pytest.mark.parametrize("path", PAGES)
def test_a_dark_phone_and_a_light_window(browser: Any, explorer: str, path: str) -> None:
    page = opened(browser, viewport={"width": 360, "height": 740}, has_touch=True,
                  color_scheme="dark", reduced_motion="reduce")
    files = loaded(page)
    ready(page, explorer + path)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    if path != "/":
        expect(page.locator(".notation")).to_be_visible()
        box = page.locator("zm-board").bounding_box()
        assert box["x"] >= 0
        assert box["width"] > 300
    assert violations(page) == []
    page.keyboard.press("?")
    assert violations(page) == []
    page.keyboard.press("t")  # not heard behind the dialog
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert violations(page) == []
    page.keyboard.press("?")
    assert violations(page) == []
    page.keyboard.press("Escape")
    if path != "/":
        page.locator("zm-board .zm-hit").first.tap()
    page.context.close()
    assert page.wrong == []
    assert len(files) > 10
    assert files <= code_of("start" if path == "/" else "board").keys()


@pytest.mark.parametrize("page", pages())
def test_a_page_never_loads_more_than_100_kb(page: str) -> None:
    """With all that comes later: a search that is started, help, an editor, files to save."""
    sizes = code_of(page)
    assert 40_000 < sum(sizes.values()) <= LARGEST, sizes


def test_the_theme_is_kept(page: Any, explorer: str) -> None:
    page.goto(explorer)
    page.get_by_role("button", name="Dark colours").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_every_colour_is_a_variable() -> None:
    for sheet in (STATIC / "css").glob("*.css"):
        if sheet.stem != "variables":
            assert not re.search(r"#[0-9a-f]{3}|\brgb\(", sheet.read_text()), sheet
