"""Blocks of a report as Markdown and as one HTML page that needs no other file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from zermelo.lab.report.figures import Drawn
from zermelo.lab.report.tables import Made

NUMBER = re.compile(r"[-+]?[0-9][0-9,.e+-]*%?|-|[0-9]+ / [0-9]+")
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1d21; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: .4rem 0 1.2rem; font-size: .88rem; display: block;
  overflow-x: auto; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #d9dce1; text-align: left;
  vertical-align: top; }
th { border-bottom: 2px solid #1a1d21; } td.number { text-align: right; white-space: nowrap; }
th.number { text-align: right; } .published { color: #5a6270; }
figure { margin: 1.4rem 0; } figure svg { max-width: 100%; height: auto; }
figcaption { font-size: .88rem; color: #444b55; }
pre { background: #f3f4f6; padding: .7rem; overflow-x: auto; font-size: .85rem; }
"""


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, a table, a figure or commands."""

    kind: str
    content: Any


def as_markdown(title: str, blocks: Sequence[Block]) -> str:
    """The report as Markdown; figures are files beside it."""
    parts = [f"# {title}"]
    for block in blocks:
        if block.kind == "table":
            parts.append(markdown_table(block.content))
        elif block.kind == "figure":
            parts.append(f"![{block.content.title}]({block.content.name}.svg)")
        elif block.kind == "code":
            parts.append(f"```sh\n{block.content}\n```")
        else:
            parts.append(f"## {block.content}" if block.kind == "heading" else block.content)
    return "\n\n".join(parts) + "\n"


def markdown_table(table: Made) -> str:
    """A table with its title above it."""
    right = _numeric(table)
    lines = [f"**{table.title}**", "", "| " + " | ".join(table.header) + " |",
             "|" + "|".join("--:" if r else "---" for r in right) + "|"]
    lines += ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in table.rows]
    return "\n".join([*lines, *(["", table.note] if table.note else [])])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _numeric(table: Made) -> list[bool]:
    return [bool(table.rows) and all(NUMBER.fullmatch(row[i]) for row in table.rows)
            for i in range(len(table.header))]


def as_html(title: str, blocks: Sequence[Block]) -> str:
    """The report as a page with everything in it."""
    kinds: dict[str, Any] = {
        "table": _html_table, "figure": _html_figure, "heading": lambda t: f"<h2>{escape(t)}</h2>",
        "code": lambda t: f"<pre>{escape(t)}</pre>", "text": _html_text,
    }
    body = "\n".join(kinds[block.kind](block.content) for block in blocks)
    return (f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">\n'
            f"<meta name=\"viewport\" content=\"width=device-width\">\n<title>{escape(title)}"
            f"</title>\n<style>{STYLE}</style></head>\n<body>\n<h1>{escape(title)}</h1>\n{body}\n"
            "</body>\n</html>\n")


def _html_text(text: str) -> str:
    """Paragraphs, with **strong** and *emphasised* words."""
    marked = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text), flags=re.DOTALL)
    marked = re.sub(r"\*([^*\s][^*]*?)\*", r"<em>\1</em>", marked)
    return "\n".join(f"<p>{part}</p>" for part in marked.split("\n\n"))


def _html_table(table: Made) -> str:
    right = _numeric(table)

    def cell(tag: str, text: str, i: int) -> str:
        kind = " ".join(name for name, yes in (
            ("number", right[i]), ("published", table.header[i].endswith(", published"))) if yes)
        return f'<{tag}{f" class={kind!r}" if kind else ""}>{escape(text)}</{tag}>'

    head = "".join(cell("th", text, i) for i, text in enumerate(table.header))
    rows = "\n".join("<tr>" + "".join(cell("td", text, i) for i, text in enumerate(row)) + "</tr>"
                     for row in table.rows)
    note = _html_text(table.note) if table.note else ""
    return (f"<table><caption>{escape(table.title)}</caption>\n<thead><tr>{head}</tr></thead>\n"
            f"<tbody>{rows}</tbody></table>{note}")


def _html_figure(figure: Drawn) -> str:
    # Ids are unique within a figure only; on one page a figure would take marks of another.
    drawing = re.sub(r'(id="|href="#|url\(#)', rf"\1{figure.name}-", figure.svg)
    drawing = drawing[drawing.index("<svg"):]
    return f"<figure>{drawing}<figcaption>{escape(figure.title)}</figcaption></figure>"
