"""How much code each page of the explorer can load: ``python -m tools.page_code``."""

from __future__ import annotations

import os
import re
from pathlib import Path

import zermelo

STATIC = Path(zermelo.__file__).parent / "explorer" / "static"
LARGEST = 100_000  # bytes of a page's own code, with all that comes later
COMMON = ("css/variables.css", "css/style.css", "js/theme.js", "js/app.js", "index.html")
SHEETS = {"start": ["start"], "board": ["board", "values"], "live": ["pages", "values"]}


def pages() -> list[str]:
    """The names of all pages."""
    return sorted(file.stem for file in (STATIC / "js" / "pages").glob("*.js"))


def code_of(page: str) -> dict[str, int]:
    """All that a page can ever load, with what comes later, and how many bytes each file has."""
    sheets = [f"css/{name}.css" for name in SHEETS.get(page, ["pages"])]
    left = [*COMMON, f"js/pages/{page}.js", *sheets]
    found: dict[str, int] = {}
    while left:
        file = left.pop()
        if file in found:
            continue
        text = (STATIC / file).read_text("utf-8")
        found[file] = len(text.encode())
        if file.endswith(".js"):
            left += _named_in(text, Path(file).parent)
            if file != "js/app.js":  # it names those above, page by page
                left += [f"css/{name}.css" for name in re.findall(r'styles\("(\w+)"\)', text)]
    return found


def _named_in(text: str, folder: Path) -> list[str]:
    """The modules and workers that a module names."""
    modules = re.findall(r"""(?:from|import)\(? ?"([^"]+[.]js)\"""", text)
    return [*(os.path.normpath(folder / name) for name in modules),
            *re.findall(r'SharedWorker\("/static/([^"]+)"', text)]


def main() -> None:
    """Print a line for each."""
    for page in pages():
        print(f"{page}: {sum(code_of(page).values()):,} bytes")


if __name__ == "__main__":
    main()
