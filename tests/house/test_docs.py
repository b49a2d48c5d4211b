"""README.md and every page of docs/ and results/ run as they are printed.

python   the blocks of a page run in order, in one namespace, as a module of their own
text     what the python block before it prints
console  lines that begin with "$ " are commands; what follows is what they print, both streams

In text and console a line "..." stands for any number of lines, and "..." within a line for
anything. Blocks of other kinds are not run. ``ZERMELO_WRITE_DOCS=1`` writes what is printed now
into the pages instead of failing.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import types
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest
from command import call_mixed
from test_architecture import PUBLIC

import zermelo
from tools import claims, command_line, site
from tools.family_tree import MEMBERS, PICTURE, ids_of, picture
from zermelo.lab.experiment import experiment, experiment_names
from zermelo.search import HOMES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")),
         *sorted(ROOT.glob("results/**/*.md"))]
# Beside those of games and searches, the pages whose subjects shorter tests have, too.
LONG_PAGES = """
    how-to/add-a-game how-to/add-a-search how-to/game-records how-to/lab how-to/match
    how-to/plain-python how-to/replay how-to/show how-to/solve-something-hard how-to/tune
    reference/counting reference/protocols
"""
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
WRITE = os.environ.get("ZERMELO_WRITE_DOCS") == "1"
MARK = "--- end of a command ---"


@dataclass
class Block:
    kind: str
    body: str
    at: int  # where the body begins in the page, in characters
    line: int


def name_of(page):
    return str(page.relative_to(ROOT))


def each_page(long=()):
    return [pytest.param(page, id=name_of(page), marks=pytest.mark.long if page in long else ())
            for page in PAGES]


def long_pages():
    """Those that only ``make test-long`` runs."""
    return [*ROOT.glob("docs/games/*.md"), *ROOT.glob("docs/searches/*.md"),
            *(ROOT / f"docs/{name}.md" for name in LONG_PAGES.split())]


def blocks_of(text):
    return [Block(match[1], match[2], match.start(2), text.count("\n", 0, match.start()) + 1)
            for match in FENCE.finditer(text)]


def agree(expected, printed):
    """Whether ``printed`` is what the page shows; spaces at the ends of lines do not count."""
    pattern = ""
    for line in expected.rstrip().split("\n"):
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"\n"
    tidy = "".join(f"{line.rstrip()}\n" for line in printed.rstrip().split("\n"))
    return re.fullmatch(pattern, tidy) is not None


def printed_by(block, module, page):
    """Run a python block in ``module``; what it prints."""
    code = compile("\n" * block.line + block.body, name_of(page), "exec")
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(code, module.__dict__)
    return output.getvalue()


def commands_of(block):
    """(command, block of the expected output) for each "$ " line."""
    return [(match[1], Block("text", match[2], block.at + match.start(2), block.line))
            for match in COMMAND.finditer(block.body)]


def run_commands(commands, page):
    """What each command prints, both streams.

    Those of the README are typed into a shell. On other pages ``zermelo`` is called here, which
    saves it from starting anew each time; ``echo $?`` is understood, and shells do all the rest.
    """
    if page.name == "README.md" or not all(map(is_plain, commands)):
        return run_in_shell(commands)
    printed, status = [], 0
    for command in commands:
        if command == "echo $?":
            printed.append(f"{status}\n")
            continue
        status, output = call_mixed(*shlex.split(command)[1:])
        printed.append(output)
    return printed


def is_plain(command):
    """``echo $?``, or a command of ours without anything that only a shell can do."""
    words = shlex.shlex(command, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    return command == "echo $?" or (
        command.startswith("zermelo ") and "$" not in command and "*" not in command
        and not any(set(word) <= set("();<>|&") for word in words))


def run_in_shell(commands):
    """What each command prints; one shell for all."""
    script = "".join(f"{command}\n__status=$?; echo '{MARK}'; (exit $__status)\n"
                     for command in commands)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["sh", "-c", script], cwd=ROOT, env={**os.environ, "PATH": path},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    return done.stdout.split(f"{MARK}\n")[:-1]


def compare(page, block, printed, corrections):
    """Fail, or note the correction, unless ``printed`` is what ``block`` shows."""
    if agree(block.body, printed):
        return
    if not WRITE:
        pytest.fail(f"{name_of(page)}, line {block.line}: the page shows\n{block.body}\nbut "
                    f"printed is\n{printed}", pytrace=False)
    tidy = "".join(f"{line.rstrip()}\n" for line in printed.rstrip().splitlines())
    corrections.append((block, tidy))


@pytest.mark.parametrize("page", each_page(long_pages()))
def test_page(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    for left in ROOT.glob("*.checkpoint"):  # by an earlier run: `solve` would refuse to replace it
        left.unlink()
    module = types.ModuleType("docs_" + re.sub(r"\W", "_", name_of(page)))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    text, printed, corrections = page.read_text(), None, []
    for block in blocks_of(text):
        if block.kind == "python":
            printed = printed_by(block, module, page)
        elif block.kind == "text":
            assert printed is not None, f"{name_of(page)}, line {block.line}: the output of what?"
            compare(page, block, printed, corrections)
            printed = None
        elif block.kind == "console":
            commands = commands_of(block)
            outputs = run_commands([command for command, _ in commands], page)
            for (_, shown), output in zip(commands, outputs, strict=True):
                compare(page, shown, output, corrections)
    for block, new in reversed(corrections):
        text = text[: block.at] + new + text[block.at + len(block.body) :]
    if corrections:
        page.write_text(text)


def test_long_pages_are_there():
    assert [page for page in long_pages() if not page.exists()] == []


@pytest.mark.parametrize("page", each_page())
def test_links_lead_somewhere(page):
    for target in LINK.findall(re.sub(FENCE, "", page.read_text())):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{name_of(page)} links to {target}"


@pytest.mark.parametrize(("command", "plain"), [
    ("zermelo solve hex '5x5: a1 b2'", True), ("echo $?", True), ("zermelo games | head", False),
    ("zermelo games > file", False), ("zermelo lab list; ls", False), ("ls", False),
    ("zermelo solve hex $POSITION", False), ("zermelo solve othello '(;GM[2])'", True)])
def test_what_needs_no_shell(command, plain):
    assert is_plain(command) == plain


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [("a\nb\n", "a \nb\n\n", True), ("a\n", "b\n", False), ("a\n...\nc\n", "a\nb\nb\nc\n", True),
     ("a\n...\nc\n", "a\nc\n", True), ("x ... y\n", "x 0.3 s y\n", True), ("...\n", "", True),
     ("a ... c\n", "a\nb c\n", False), ("1.0\n", "110\n", False), ("", "", True), ("", "a", False)],
)
def test_wildcards(expected, printed, same):
    assert agree(expected, printed) == same


REPORT = """# a-name: A title

| arm | jobs |
|---|--:|
| PN | 3 |

**Claims**

| claim | source | verdict of that time | by today's test | measured |
|---|---|---|---|---|
| one | section 1 | holds | undecided: no interval | 3 |
| two | ours | not judged | not judged | - |

Text.

| claim | source | verdict | measured | test, fixed beforehand |
|---|---|---|---|---|
| three | section 1 | does not hold | 3 | a count |
"""


def test_the_page_is_up_to_date():
    """``python -m tools.claims --write`` writes it."""
    assert claims.page() == claims.PAGE.read_text("utf-8")


def test_every_claim_has_a_row_of_its_own():
    """The claim is the key by which its verdict is found."""
    for name in experiment_names():
        texts = [claim.text for claim in experiment(name).claims]
        assert len(set(texts)) == len(texts), name
        assert not [text for text in texts if "|" in text], name


def test_verdicts_are_read_from_reports(tmp_path, monkeypatch):
    monkeypatch.setattr(claims, "ROOT", tmp_path)
    for folder, text in (("a", REPORT), ("b", REPORT.replace("not judged | - ", "holds | - "))):
        (tmp_path / "results" / folder).mkdir(parents=True)
        (tmp_path / "results" / folder / "report.md").write_text(text)
    newer = REPORT.partition("Text.")[2].replace("three", "one").replace("does not hold", "holds")
    (tmp_path / "results" / "c").mkdir()
    (tmp_path / "results" / "c" / "report.md").write_text(f"# a-name: A title\n{newer}")
    assert claims.told_by_reports() == {
        ("a-name", "one"): ("holds", "c"), ("a-name", "two"): ("holds", "b"),
        ("a-name", "three"): ("does not hold", "a")}


def test_a_word_that_is_no_verdict_is_refused():
    with pytest.raises(StopIteration):
        claims.verdict_of({"verdict": "perhaps"})


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


def test_the_search_of_a_site_of_files_needs_no_network():
    script = f'<script src="{site.FETCHED}"></script>'
    page = types.SimpleNamespace(url="how-to/lab.html")
    assert site.on_post_page(script, page, None) == '<script src="../assets/worker.js"></script>'
    assert site.on_post_template(script, "404.html", None) == (
        '<script src="assets/worker.js"></script>')
    assert "://" not in (DOCS / site.WORKER).read_text()


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


PAGE = Path(__file__).parents[2] / "docs" / "searches" / "family-tree.md"
NOT_HERE = {"PN*", "PDS", "1 + epsilon"}


def uncoloured(text):
    """A box is filled once its search is here; the drawing may be a little older."""
    return re.sub(r'<rect class="\w+"', "<rect", text)


def test_every_search_has_a_place():
    assert {id for member in MEMBERS for id in ids_of(member)} == set(HOMES)
    page = PAGE.read_text()
    assert not [id for id in HOMES if f"`{id}`" not in page]


def test_the_drawing_is_up_to_date():
    """``python -m tools.family_tree --write`` writes it."""
    assert uncoloured(PICTURE.read_text()) == uncoloured(picture())


def test_whoever_descends_comes_later_and_to_the_right():
    by_name = {member.name: member for member in MEMBERS}
    assert len({(member.column, member.row) for member in MEMBERS}) == len(MEMBERS)
    for member in MEMBERS:
        for parent in member.parents:
            assert by_name[parent].column < member.column
    assert set(by_name) >= NOT_HERE
    assert not any(ids_of(by_name[name]) for name in NOT_HERE)
