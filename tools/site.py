"""Hooks of MkDocs: pages made of files outside docs/, links to them, and names of the library.

The pages are written to be read in the repository, where ``../examples/chomp.py`` and
``docs/reference/proofs.md`` lead somewhere. On the site these files are pages too, with links.
``::: zermelo.NAME`` on a page stands for what the documentation of NAME says.
"""

from __future__ import annotations

import ast
import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DOCS = "docs/"
# A file of the repository -> the page of the site that shows it.
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md",
         "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md",
         "LICENSE": "licence.md"}
PACKAGE = ROOT / "src" / "zermelo"
DIRECTIVE = re.compile(r"^::: zermelo\.(\w+)$", re.MULTILINE)
HOME = "README.md"  # docs/index.md is the site's own front page
RESULTS = "results/"  # reports of experiments, their figures and data
FETCHED, WORKER = "https://unpkg.com/iframe-worker/shim", "assets/worker.js"
LANGUAGES = {".py": "python", ".txt": ""}
# Code comes first, so that what looks like a link in it stays as it is.
CODE_OR_LINK = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`|(?<=\])\((?P<link>[^)\s]+)\)",
                          re.MULTILINE | re.DOTALL)


def examples() -> list[str]:
    """The example files, by their paths in the repository."""
    return sorted(f"examples/{path.name}" for path in (ROOT / "examples").iterdir()
                  if path.suffix in LANGUAGES)


def results(ending: str = "") -> list[str]:
    """The files of results/ that end so, by their paths in the repository."""
    return sorted(path.relative_to(ROOT).as_posix()
                  for path in (ROOT / RESULTS).rglob(f"*{ending}") if path.is_file())


def page_of(path: str) -> str | None:
    """The page or file of the site that shows a file of the repository; None if none does."""
    if path.startswith(DOCS):
        return path.removeprefix(DOCS)
    if path.startswith(RESULTS):
        return path if (ROOT / path).is_file() else None
    if path in examples():
        return f"{path}.md"
    return PAGES.get(path)


def outside_pages() -> dict[str, str]:
    """The files outside docs/ that are pages, each with its page."""
    return {path: str(page_of(path)) for path in [*PAGES, *examples(), *results(".md")]
            if path != HOME}


def page_text(path: str) -> str:
    """The Markdown of a file outside docs/."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".md"):
        return text
    language = LANGUAGES.get(posixpath.splitext(path)[1], "")
    title = "Licence" if path == "LICENSE" else path
    return f"# {title}\n\n```{language}\n{text.rstrip()}\n```\n"


def site_links(text: str, path: str) -> str:
    """``text`` of the file ``path`` with its links as they are on the site."""
    here = posixpath.dirname(path)
    page = str(page_of(path))

    def changed(found: re.Match[str]) -> str:
        link = found["link"]
        if link is None or "://" in link or link.startswith(("#", "mailto:")):
            return found[0]
        target, mark, anchor = link.partition("#")
        target_page = page_of(posixpath.normpath(posixpath.join(here, target)))
        if target_page is None:
            return found[0]  # MkDocs says that it leads nowhere
        return f"({posixpath.relpath(target_page, posixpath.dirname(page) or '.')}{mark}{anchor})"

    return CODE_OR_LINK.sub(changed, text)


def homes() -> dict[str, str]:
    """The public names with the modules that define them."""
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    return {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) for alias in node.names}


def named_by_home(text: str) -> str:
    """``text`` with public names that modules have too, such as ``search``, by their full names."""
    home_of = homes()

    def changed(found: re.Match[str]) -> str:
        name = found[1]
        if not ((PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").exists()):
            return found[0]
        return f'<a id="zermelo.{name}"></a>\n\n::: {home_of[name]}'

    return DIRECTIVE.sub(changed, text)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made of files outside docs/, and the figures and data of results."""
    from mkdocs.structure.files import File

    for path, page in outside_pages().items():
        files.append(File.generated(config, page, content=page_text(path)))
    for path in set(results()) - set(results(".md")):
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Make links lead to the site's pages, and names to what they mean."""
    sources = {page: path for path, page in outside_pages().items()}
    path = sources.get(page.file.src_uri, DOCS + page.file.src_uri)
    return named_by_home(site_links(markdown, path))


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Let the search of a site that is opened as files use our script, not one of the network."""
    here = posixpath.dirname(page.url) or "."
    return output.replace(FETCHED, posixpath.relpath(WORKER, here))


def on_post_template(output_content: str, template_name: str, config: Any) -> str:
    """Do the same on pages that are not made of Markdown, such as 404.html."""
    return output_content.replace(FETCHED, WORKER)
