"""Lines and files of each package: ``make sizes``; --write puts them on the architecture's page."""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
BEGIN, END = "<!-- sizes -->\n", "<!-- end of sizes -->\n"
NEAR = 150  # lines; the page need not change with every commit
Sizes = dict[str, tuple[int, int]]


def sizes() -> Sizes:
    """Lines and files of what git knows, by package."""
    found: dict[str, list[int]] = {}
    done = subprocess.run(["git", "ls-files", "-z", "src", "tests"], cwd=ROOT, check=True,
                          capture_output=True, text=True)
    for name in done.stdout.split("\0"):
        path = ROOT / name
        if not name or not path.exists() or path.suffix not in (".py", ".js", ".css"):
            continue
        lines = len(path.read_bytes().splitlines())
        for package in packages_of(name):
            found.setdefault(package, []).append(lines)
    return {package: (sum(lines), len(lines)) for package, lines in sorted(found.items())}


def packages_of(name: str) -> list[str]:
    """What a file counts for."""
    first, *rest = Path(name).parts
    if first == "tests":
        return ["tests"] if name.endswith(".py") else []
    if not name.endswith(".py"):
        return ["JavaScript and CSS"]
    return ["src", "/".join(rest[:2]) if len(rest) > 2 else rest[0]]


def table(found: Sizes) -> str:
    """The sizes as a table of Markdown."""
    rows = [f"| {package} | {lines:,} | {files} |" for package, (lines, files) in found.items()]
    return "\n".join(["| package | lines | files |", "|---|--:|--:|", *rows]) + "\n"


def on_page(text: str) -> Sizes:
    """The sizes that a page has."""
    part = text[text.index(BEGIN) + len(BEGIN) : text.index(END)]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in part.splitlines()[2:]]
    return {package: (int(lines.replace(",", "")), int(files)) for package, lines, files in rows}


def differing(found: Sizes, shown: Sizes) -> list[str]:
    """The packages of which a page says something else."""
    wrong = [package for package in found.keys() & shown.keys()
             if abs(found[package][0] - shown[package][0]) > max(NEAR, found[package][0] // 50)]
    return sorted({*wrong, *(found.keys() ^ shown.keys())})


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the page, too")
    text = table(sizes())
    if parser.parse_args().write:
        page = PAGE.read_text()
        begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
        PAGE.write_text(page[:begin] + text + page[end:])
    print(text, end="")


if __name__ == "__main__":
    main()
