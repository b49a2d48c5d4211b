"""A report: Markdown, one self-contained HTML page, and the figures as SVG and PNG.

The parts of a report are written once, as blocks, and printed in both forms.
"""

from __future__ import annotations

import hashlib
import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from zermelo.errors import counted
from zermelo.jobs.work import DONE
from zermelo.lab.claims import judged
from zermelo.lab.experiment import Arm, label_of_arm
from zermelo.lab.report.figures import Drawn, all_figures
from zermelo.lab.report.pages import Block, as_html, as_markdown
from zermelo.lab.report.sizes import caveat
from zermelo.lab.report.tables import Made, all_tables
from zermelo.lab.results import Results
from zermelo.search.code import DIGITS
from zermelo.whole_files import write_whole

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
    """What a report says, in order."""
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
