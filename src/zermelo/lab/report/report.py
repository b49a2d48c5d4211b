"""A report: Markdown, one self-contained HTML page, and the figures as SVG and PNG.

The parts of a report are written once, as blocks, and printed in both forms.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.jobs.work import DONE
from zermelo.lab.form import Arm, label_of_arm
from zermelo.lab.report.claims import judged
from zermelo.lab.report.figures import Drawn, all_figures, available
from zermelo.lab.report.pages import as_html, as_markdown
from zermelo.lab.report.tables import Made, all_tables
from zermelo.lab.view import View

SHOWN_FAILURES = 20


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, a table or a figure."""

    kind: str
    content: Any


def write_report(view: View, folder: Path) -> list[Path]:
    """Write the report of ``view`` into ``folder``; the files written."""
    figures = all_figures(view)
    blocks = blocks_of(view, figures)
    folder.mkdir(parents=True, exist_ok=True)
    title = f"{view.plan.experiment.name}: {view.plan.experiment.title}"
    written = {
        folder / "report.md": as_markdown(title, blocks).encode(),
        folder / "report.html": as_html(title, blocks).encode(),
    }
    for figure in figures:
        written[folder / f"{figure.name}.svg"] = figure.svg.encode()
        written[folder / f"{figure.name}.png"] = figure.png
    for path, content in written.items():
        path.write_bytes(content)
    return list(written)


def blocks_of(view: View, figures: Sequence[Drawn]) -> list[Block]:
    """What a report says, in order."""
    experiment = view.plan.experiment
    blocks = [Block("text", text) for text in (experiment.source, experiment.about) if text]
    if view.plan.changes:
        blocks.append(Block("text", "**Changed with --set: " + ", ".join(view.plan.changes)
                            + ".** Published numbers are for the experiment as it was."))
    if not view.complete:
        blocks.append(Block("text", _incomplete(view)))
    if view.contradictions:
        blocks.append(Block("text", "**Proofs in the store contradict each other, which is a "
                            "bug:** " + "; ".join(view.contradictions)))
    blocks.append(Block("heading", "Results"))
    for table in all_tables(view):
        blocks.append(Block("table", table))
    blocks.append(Block("text", _how_judged(view)))
    blocks += [Block("figure", figure) for figure in figures]
    if experiment.figures and not available():
        blocks.append(Block("text", "No figures: they need Matplotlib, pip install zermelo[plot]."))
    if experiment.claims:
        blocks += [Block("heading", "What was claimed"), Block("table", _claims(view))]
    if experiment.differs:
        blocks += [Block("heading", "What differs, and why"), Block("text", experiment.differs)]
    blocks += [Block("heading", "What was run"), Block("table", _arms(view)),
               Block("table", _sets(view))]
    failures = _failures(view)
    if failures.rows:
        blocks.append(Block("table", failures))
    blocks += [Block("heading", "Made with"), Block("table", _machines(view))]
    blocks.append(Block("text", "To do it again:"))
    blocks.append(Block("code", "\n".join(commands(view))))
    return blocks


def _incomplete(view: View) -> str:
    left = len(view.entries) - view.done
    text = f"**Not complete: {left:,} of {len(view.entries):,} jobs have not been run"
    unjudged = len(view.judged) - len(view.judge_rows)
    if unjudged:
        text += f", and {unjudged:,} positions wait to be judged"
    text += ".**"
    if view.other_versions and left:
        text += (f" {view.other_versions:,} were run by another version of the code; 'lab report "
                 "--older' shows them.")
    return text


def _how_judged(view: View) -> str:
    if all(arm.against is not None for arm in view.plan.arms):
        return ("From each opening two games are played for each seed, one with each colour. The "
                "score is that of the search named first, over the openings whose games have all "
                "been played; the opening is the unit of the 95 % bounds (Student's t).")
    if not any(arm.proves for arm in view.plan.arms):
        return ("Each position is played on, and every position of that game searched to all "
                "depths. Each number is read at depth 10 from a line fitted over the depths, and "
                "averaged over the positions in which a side is to move.")
    questions = {entry.cell.job.question for entry in view.entries}
    known = len(questions & set(view.known))
    certified = len(questions & view.certified)
    return (
        "*Proved* follows from finished games alone; *concluded* is proved, or within the "
        "precision pr. *False / known*: of the concluded positions whose value is proved, how many "
        "were concluded falsely; the other conclusions are *not judged*. The value is proved for "
        f"{known:,} of {len(questions):,} positions, for {certified:,} of them with a certificate "
        "that was checked."
    )


def _claims(view: View) -> Made:
    rows = [[one.text, one.source or "-", one.verdict, one.measured or "-"]
            for one in (judged(view, claim) for claim in view.plan.experiment.claims)]
    return Made("Claims", ["claim", "source", "verdict", "measured"], rows)


def _arms(view: View) -> Made:
    header = ["arm", "search", "nodes", "time (s)", "memory (MB)", "killed after (s)", "seeds",
              "goal", "plain"]
    return Made("Searches and limits for each job", header,
                [_arm(view, arm) for arm in view.plan.arms])


def _arm(view: View, arm: Arm) -> list[str]:
    cells = view.select(arm.name)
    if not cells:
        return [arm.name, label_of_arm(arm), *["-"] * 7]
    job = cells[0].cell.job
    seeds = sorted({entry.cell.seed for entry in cells})
    return [arm.name, label_of_arm(arm), "-" if job.nodes is None else f"{job.nodes:,}",
            "-" if job.time is None else f"{job.time:g}", f"{job.memory / 1e6:,.0f}",
            f"{job.wall:g}", str(seeds[0]) if len(seeds) == 1 else f"{seeds[0]}-{seeds[-1]}",
            job.goal, "yes" if job.plain else "no"]


def _sets(view: View) -> Made:
    sizes = Counter(name for name, _ in view.plan.positions)
    return Made("Positions", ["set", "positions", "from"],
                [[one.name, f"{sizes[one.name]:,}", one.note or "-"]
                 for one in view.plan.experiment.sets])


def _failures(view: View) -> Made:
    """Jobs that ended by a timeout, a crash, for want of memory or with an error."""
    failed = [e for e in view.entries if e.row is not None and e.row["status"] != DONE]
    rows = [[e.cell.arm, e.cell.set, e.cell.id, str(e.cell.seed), e.row["status"],
             e.row["message"] or "-"] for e in failed[:SHOWN_FAILURES] if e.row is not None]
    note = f"The first {SHOWN_FAILURES} of {len(failed)}." if len(failed) > SHOWN_FAILURES else ""
    return Made("Jobs without an answer", ["arm", "set", "position", "seed", "status", "message"],
                rows, note)


def _machines(view: View) -> Made:
    """Each machine and set of versions once, with how many of the jobs it ran."""
    jobs = Counter(row["run"] for row in (*view.rows.values(), *view.judge_rows.values()))
    header = ["jobs", "processor", "cores", "workers", "memory (GB)", "system", "versions", "code"]
    counted: Counter[tuple[str, ...]] = Counter()
    codes = {row["run"]: row["job_code"] for row in view.rows.values()}
    for run in view.runs:
        facts = run["environment"]
        versions = ", ".join(f"{name} {facts[name]}" for name in ("zermelo", "python", "numpy",
                                                                  "numba"))
        counted[facts["cpu"], str(facts["cores"]), str(facts["workers"]),
                f"{facts['memory_bytes'] / 1e9:.0f}", facts["system"], versions,
                codes.get(run["run"], "-")] += jobs[run["run"]]
    rows = [[f"{count:,}", *facts] for facts, count in counted.items()]
    return Made("Machines", header, rows)


def commands(view: View) -> list[str]:
    """The commands that make these results again."""
    given = list(dict.fromkeys(run["command"] for run in view.runs if run["command"]))
    words = ["zermelo", "lab", "report", view.plan.file or view.plan.experiment.name]
    words += ["--full"] * view.plan.full
    words += [word for change in view.plan.changes for word in ("--set", change)]
    words += [word for arm in view.plan.only for word in ("--only", arm)]
    return [*given, shlex.join(words)]
