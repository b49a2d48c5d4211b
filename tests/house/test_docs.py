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
from pathlib import Path

import pytest
from command import call_mixed

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")),
         *sorted(ROOT.glob("results/**/*.md"))]
# Pages whose subjects shorter tests touch, too; `make test-long` runs them.
LONG_PAGES = """
    games/k-in-a-row games/lines-of-action games/xiangqi how-to/add-a-game how-to/add-a-search
    how-to/game-records how-to/lab how-to/match how-to/plain-python how-to/replay how-to/show
    how-to/solve-something-hard how-to/tune reference/counting reference/protocols
    searches/alpha-beta searches/cns searches/deep-df-pn searches/ews searches/gpn-mcts
    searches/index searches/mopns searches/pds-pn searches/pn-mcts searches/rps searches/scn
    searches/shared-df-pn searches/tca-df-pn searches/vcdt searches/weak-df-pn
    searches/widening-df-pn searches/zones searches/zones-of-proofs
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


@pytest.mark.parametrize(
    "page", each_page(long=[ROOT / f"docs/{name}.md" for name in LONG_PAGES.split()]))
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
    assert [name for name in LONG_PAGES.split() if not (ROOT / f"docs/{name}.md").exists()] == []


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
