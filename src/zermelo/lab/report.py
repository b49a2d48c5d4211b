"""A report: Markdown, one self-contained HTML page, and the figures as SVG and PNG; an export of
its rows; and all reports of a store made again, without running a search.

The parts of a report are written once, as blocks, and printed in both forms.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, ZermeloError, counted, quoted, shown
from zermelo.jobs.store import Store
from zermelo.jobs.work import DONE
from zermelo.lab.claims import judged
from zermelo.lab.experiment import Arm, experiment, experiment_names, label_of_arm
from zermelo.lab.figures import Drawn, all_figures
from zermelo.lab.plan import plan_of, settings_to_report
from zermelo.lab.results import Made, Results, all_tables, caveat
from zermelo.search.code import DIGITS
from zermelo.storage.whole_files import write_whole

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
    lines += ["| " + " | ".join(
        cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in table.rows]
    return "\n".join([*lines, *(["", table.note] if table.note else [])])


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


SHOWN_FAILURES = 20


def write_report(results: Results, folder: Path) -> list[Path]:
    """Write the report of ``results`` into ``folder``; the files written."""
    figures = all_figures(results)
    blocks = blocks_of(results, figures)
    folder.mkdir(parents=True, exist_ok=True)
    title = f"{results.plan.experiment.name}: {results.plan.experiment.title}"
    written = {
        folder / "report.md": as_markdown(title, blocks).encode(),
        folder / "report.html": as_html(title, blocks).encode(),
    }
    for figure in figures:
        written[folder / f"{figure.name}.svg"] = figure.svg.encode()
        written[folder / f"{figure.name}.png"] = figure.png
    for path, content in written.items():
        write_whole(path, content)
    return list(written)


def blocks_of(results: Results, figures: Sequence[Drawn]) -> list[Block]:
    """Blocks of a report, in order."""
    experiment = results.plan.experiment
    blocks = [Block("text", text) for text in (experiment.source, experiment.about) if text]
    if results.plan.changes:
        blocks.append(Block("text", "**Changed with --set: " + ", ".join(results.plan.changes)
                            + f".** {caveat(results)}"))
    if not results.complete:
        blocks.append(Block("text", _incomplete(results)))
    if results.contradictions:
        blocks.append(Block("text", "**Proofs in the store contradict each other, which is a "
                            "bug:** " + "; ".join(results.contradictions)))
    blocks.append(Block("heading", "Results"))
    for table in all_tables(results):
        blocks.append(Block("table", table))
    blocks.append(Block("text", _how_judged(results)))
    blocks += [Block("figure", figure) for figure in figures]
    if experiment.claims:
        blocks += [Block("heading", "What was claimed"), Block("table", _claims(results))]
    if experiment.differs:
        blocks += [Block("heading", "What differs, and why"), Block("text", experiment.differs)]
    blocks += [Block("heading", "What was run"), Block("table", _arms(results)),
               Block("table", _sets(results))]
    failures = _failures(results)
    if failures.rows:
        blocks.append(Block("table", failures))
    blocks += [Block("heading", "Made with"), Block("table", _machines(results))]
    blocks.append(Block("text", "To reproduce it:"))
    blocks.append(Block("code", "\n".join(commands(results))))
    return blocks


def _incomplete(results: Results) -> str:
    left = len(results.entries) - results.done
    text = f"**Not complete: {left:,} of {len(results.entries):,} jobs have not been run"
    unjudged = len(results.judged) - len(results.judge_rows)
    if unjudged:
        text += f", and {counted(unjudged, 'position')} not judged yet"
    text += ".**"
    if results.elsewhere is not None:
        text += f" Note: {results.elsewhere}."
    if results.other_versions and left:
        text += (f" {results.other_versions:,} were run by another version of the code; 'lab "
                 "report --older' shows them.")
    return text


def _how_judged(results: Results) -> str:
    if all(arm.against is not None for arm in results.plan.arms):
        return ("From each opening two games are played for each seed, one with each colour. The "
                "score is that of the search named first, over the openings whose games have all "
                "been played; the opening is the unit of the 95 % bounds (Student's t).")
    if not any(arm.proves for arm in results.plan.arms):
        return ("Each position is played on, and every position of that game searched to all "
                "depths. Each number is read at depth 10 from a line fitted over the depths, and "
                "averaged over the positions in which a side is to move.")
    questions = {entry.cell.job.question for entry in results.entries}
    known = len(questions & set(results.known))
    certified = len(questions & results.certified)
    return (
        "*Proved* follows from finished games alone; *concluded* is proved, or within the "
        "precision pr. *False / known*: of the concluded positions whose value is proved, how many "
        "were concluded falsely; the other conclusions are *not judged*. The value is proved for "
        f"{known:,} of {len(questions):,} positions, for {certified:,} of them with a certificate "
        "that was checked."
    )


def _claims(results: Results) -> Made:
    rows = [[one.text, one.source or "-", one.verdict, one.measured or "-", one.rule or "-"]
            for one in (judged(results, claim) for claim in results.plan.experiment.claims)]
    return Made("Claims", ["claim", "source", "verdict", "measured", "test, fixed beforehand"],
                rows, "Intervals are of 95 %. *Undecided*: the interval lies on both sides of the "
                "bound. *Not judged*: not run at this size.")


def _arms(results: Results) -> Made:
    header = ["arm", "search", "nodes", "time (s)", "memory (MB)", "killed after (s)", "seeds",
              "goal", "plain"]
    return Made("Searches and limits for each job", header,
                [_arm(results, arm) for arm in results.plan.arms])


def _arm(results: Results, arm: Arm) -> list[str]:
    cells = results.select(arm.name)
    if not cells:
        return [arm.name, label_of_arm(arm), *["-"] * 7]
    job = cells[0].cell.job
    seeds = sorted({entry.cell.seed for entry in cells})
    return [arm.name, label_of_arm(arm), "-" if job.nodes is None else f"{job.nodes:,}",
            "-" if job.time is None else f"{job.time:g}", f"{job.memory / 1e6:,.0f}",
            f"{job.wall:g}", str(seeds[0]) if len(seeds) == 1 else f"{seeds[0]}-{seeds[-1]}",
            job.goal, "yes" if job.plain else "no"]


def _sets(results: Results) -> Made:
    sizes = Counter(name for name, _ in results.plan.positions)
    return Made("Positions", ["set", "positions", "from"],
                [[one.name, f"{sizes[one.name]:,}", one.note or "-"]
                 for one in results.plan.experiment.sets])


def _failures(results: Results) -> Made:
    """Jobs that ended by a timeout, a crash, lack of memory or an error."""
    failed = [e for e in results.entries if e.row is not None and e.row["status"] != DONE]
    rows = [[e.cell.arm, e.cell.set, e.cell.id, str(e.cell.seed), e.row["status"],
             e.row["message"] or "-"] for e in failed[:SHOWN_FAILURES] if e.row is not None]
    note = f"The first {SHOWN_FAILURES} of {len(failed)}." if len(failed) > SHOWN_FAILURES else ""
    return Made("Jobs without an answer", ["arm", "set", "position", "seed", "status", "message"],
                rows, note)


def _machines(results: Results) -> Made:
    """Each machine and set of versions once, with how many of the jobs it ran."""
    header = ["jobs", "processor", "cores", "workers", "memory (GB)", "system", "versions", "code"]
    counted: Counter[tuple[str, ...]] = Counter()
    codes: dict[tuple[str, ...], set[str]] = {}
    workers = {run["run"]: run["environment"]["workers"] for run in results.runs}
    for row in (*results.rows.values(), *results.judge_rows.values()):
        facts, run = row["machine"], row["run"]
        if facts is None:  # its run is not in this store
            continue
        versions = ", ".join(f"{name} {facts[name]}" for name in ("zermelo", "python", "numpy",
                                                                  "numba"))
        place = (facts["cpu"], str(facts["cores"]), str(workers.get(run, "-")),
                 f"{facts['memory_bytes'] / 1e9:.0f}", facts["system"], versions)
        counted[place] += 1
        codes.setdefault(place, set()).add(row["job_code"])
    rows = [[f"{count:,}", *place, _code(codes[place])] for place, count in counted.items()]
    return Made("Machines", header, rows)


def _code(digests: set[str]) -> str:
    """The digest of the code, which each game and search has of its own; of several, that of all
    together."""
    if len(digests) == 1:
        return min(digests)
    together = hashlib.sha256("".join(sorted(digests)).encode()).hexdigest()
    return f"{together[:DIGITS]} ({len(digests)} digests)"


def commands(results: Results) -> list[str]:
    """The commands that make these results again."""
    given = list(dict.fromkeys(run["command"] for run in results.runs if run["command"]))
    return [*given, shlex.join(results.plan.command("report"))]


def write_export(results: Results, folder: Path, parquet: bool = False) -> list[Path]:
    """Write the rows, the environment and the digests of both into ``folder``."""
    frame = results.frame()
    folder.mkdir(parents=True, exist_ok=True)
    contents = {"jobs.csv": frame.to_csv(index=False, lineterminator="\n").encode(),
                "environment.json": _environment(results).encode()}
    if parquet:
        contents["jobs.parquet"] = frame.to_parquet(index=False)
    contents["SHA256SUMS"] = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n"
                                     for name, content in contents.items()).encode()
    for name, content in contents.items():
        write_whole(folder / name, content)
    return [folder / name for name in contents]


def _environment(results: Results) -> str:
    plan = results.plan
    runs = [{"started": run["started"], "command": run["command"], **run["environment"]}
            for run in results.runs]
    facts = {"experiment": plan.experiment.name, "full": plan.full, "changes": list(plan.changes),
             "jobs": len(plan.cells), "done": results.done, "runs": runs,
             "commands": commands(results)}
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def rebuild(store: Store, folder: Path, names: Sequence[str] = (),
            archived: Sequence[str] = ()) -> tuple[list[Path], list[str]]:
    """Write the report of each experiment, those named or all that are built in and have results;
    the files, and a sentence for each that could not be made as it was. ``archived``: the
    experiments that the store was kept for, where it has some rows of others as well."""
    begun = set(archived) or {run["experiment"] for run in store.runs()}
    wanted = list(names) or [name for name in experiment_names() if name in begun]
    written: list[Path] = []
    notes = [] if names else [f"{shown(name)} is in a file of its own: name the file to rebuild it"
                              for name in sorted(begun - set(wanted))
                              if not name.startswith("tune ")]
    for name in wanted:
        try:
            made, missing = _reports(store, folder, name)
        except ZermeloError as error:  # such as positions of others that are not here
            notes.append(f"{name}: {error}")
            continue
        written += made
        notes += [f"{name}: the set {quoted(one)} is empty here, and the report is without it"
                  for one in missing]
    return written, notes


def _reports(store: Store, folder: Path, name: str) -> tuple[list[Path], list[str]]:
    """The files of the reports, one for each size; and the sets that are empty."""
    found = experiment(name)
    written: list[Path] = []
    empty: dict[str, None] = {}
    for one in settings_to_report(store, found):
        plan = plan_of(found, full=one.full, seed=one.seed, only=one.only)
        results = Results(plan, store, older=True)
        if not results.rows:  # a report of nothing might take the place of one of something
            continue
        words = "".join(word.replace("--", "-") for word in one.all_arms().words())
        written += write_report(results, folder / f"{found.name}{words}")
        empty.update(dict.fromkeys(plan.empty_sets))
    if not written:
        raise BadOption("there are no results of it.")
    return written, list(empty)
