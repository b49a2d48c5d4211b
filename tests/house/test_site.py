"""The documentation's site, as far as it can be tested without building it; make docs does that."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from test_architecture import PUBLIC

import zermelo
from tools import command_line, site

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NAV = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]


def pages_in_the_navigation():
    return re.findall(r"^ *- (?:.*: )?(\S+\.md)$", NAV, re.MULTILINE)


def test_the_page_of_commands_is_that_of_the_commands():
    stale = "docs/reference/command-line.md is stale; `python -m tools.command_line` writes it anew"
    assert command_line.PAGE.read_text() == command_line.page(), stale


def test_every_command_has_its_section():
    text = command_line.page()
    assert "zermelo resume [GAME] FILE [OPTIONS]" in text
    for name in ("solve", "verify", "lab run"):
        assert f"\n## {name}\n" in text
    assert "| `--search ID`, `-s ID` |" in text
    assert "zermelo solve GAME [POSITION] [OPTIONS]" in text


def test_guides_are_about_commands_that_exist():
    headings = re.findall(r"^## (.+)$", command_line.page(), re.MULTILINE)
    assert set(command_line.GUIDE) <= set(headings)


def test_the_navigation_has_every_page_once():
    inside = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")}
    listed = pages_in_the_navigation()
    assert len(listed) == len(set(listed))
    assert set(listed) == inside | set(site.outside_pages().values())


def test_the_reference_has_every_public_name_once():
    text = "".join(path.read_text() for path in sorted((DOCS / "reference" / "api").glob("*.md")))
    shown = re.findall(r"^(?:::: |\| `|`)(zermelo\.[\w.]+)(?:$|` \||` is )", text, re.MULTILINE)
    public = [f"{name}.{one}" for name in PUBLIC for one in import_module(name).__all__]
    assert sorted(shown) == sorted(public)


def test_the_index_of_the_library_has_every_public_name():
    text = (DOCS / "reference" / "api" / "index.md").read_text()
    assert set(re.findall(r"`(\w+)`", text)) - {"zermelo"} == set(zermelo.__all__)


@pytest.mark.parametrize(
    ("path", "link", "on_the_site"),
    [("docs/how-to/add-a-game.md", "../../examples/chomp.py", "../examples/chomp.py.md"),
     ("docs/searches/pn.md", "../../examples/chomp.py", "../examples/chomp.py.md"),
     ("docs/searches/pn.md", "mcpn.md#rule", "mcpn.md#rule"),
     ("docs/searches/pn.md", "../index.md", "../index.md"),
     ("docs/tutorials/first-proof.md", "../../README.md", "../index.md"),
     ("docs/index.md", "../CHANGELOG.md", "changelog.md"),
     ("CONTRIBUTING.md", "docs/searches/pn.md#rule", "searches/pn.md#rule"),
     ("CONTRIBUTING.md", "LICENSE", "licence.md"),
     ("docs/how-to/tune.md", "https://example.org/a.md", "https://example.org/a.md"),
     ("docs/how-to/tune.md", "#words", "#words"),
     ("docs/how-to/tune.md", "../../src/zermelo/errors.py", "../../src/zermelo/errors.py"),
     ("docs/explanation/comparison.md", "../../results/none.svg", "../../results/none.svg"),
     ("docs/searches/pn.md", "../../results/README.md", "../results/README.md"),
     ("results/seesaw/report.md", "../../docs/how-to/lab.md#words", "../../how-to/lab.md#words")],
)
def test_links_on_the_site(path, link, on_the_site):
    assert site.site_links(f"see [a page]({link}).", path) == f"see [a page]({on_the_site})."


def test_links_in_code_stay():
    text = "`[a](../README.md)`\n\n```python\nx[0](../README.md)\n```\n"
    assert site.site_links(text, "docs/how-to/tune.md") == text


def test_pages_of_files_outside_docs():
    assert site.outside_pages()["examples/chomp.py"] == "examples/chomp.py.md"
    assert site.outside_pages()["results/README.md"] == "results/README.md"
    text = site.page_text("examples/chomp.py")
    assert text.startswith("# examples/chomp.py\n\n```python\n")
    assert (ROOT / "examples/chomp.py").read_text().rstrip() in text
    assert site.page_text("CHANGELOG.md") == (ROOT / "CHANGELOG.md").read_text()


def test_a_name_that_a_package_has_too():
    """``zermelo.search`` is a package; the page shows the function of that name."""
    assert site.named_by_home("::: zermelo.search\n    options:\n").endswith(
        f"::: {site.homes()['search']}\n    options:\n")
    assert site.named_by_home("::: zermelo.PN") == "::: zermelo.PN"


def test_nothing_is_fetched_from_elsewhere():
    configuration = (ROOT / "mkdocs.yml").read_text()
    assert "\n  font: false\n" in configuration
    assert "://" not in configuration
    assert "://" not in (DOCS / "assets" / "site.css").read_text()


@pytest.mark.parametrize("name", ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_of_pages_outside_docs_lead_somewhere(name):
    links = re.findall(r"\]\(([^)#\s]+)", (ROOT / name).read_text())
    assert links
    for link in links:
        assert "://" in link or (ROOT / link).exists(), f"{name} links to {link}"
