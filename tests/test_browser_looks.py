"""The looks of the start and board pages: themes, phones, screen readers, size of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser import LARGEST, SMALL, loaded, opened, violations
from playwright.sync_api import expect

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
    sizes = loaded(page)
    ready(page, explorer + path)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    if path != "/":  # what comes with the values; the panel of a search is loaded with it
        expect(page.locator(".notation")).to_be_visible()
        box = page.locator("zm-board").bounding_box()
        assert box["x"] >= 0
        assert box["width"] > 300
    assert 20_000 < sum(sizes.values()) <= LARGEST, sizes
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


def test_the_theme_is_kept(page: Any, explorer: str) -> None:
    page.goto(explorer)
    page.get_by_role("button", name="Dark colours").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_every_colour_is_a_variable() -> None:
    style = Path(__file__).parents[1] / "src/zermelo/web/static/css/style.css"
    assert not re.search(r"#[0-9a-f]{3}|\brgb\(", style.read_text())
