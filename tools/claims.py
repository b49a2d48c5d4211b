"""Write the page of claims: every claim of the experiments, with the verdict of its newest report.

    python -m tools.claims            is the page up to date?
    python -m tools.claims --write    write it

Claims are those of the code, verdicts those that the reports in results/ print. A claim that no
report has under the same words has not been judged since it was written.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from zermelo.lab.claims import FAILS, HOLDS, OPEN
from zermelo.lab.experiment import experiment, experiment_names
from zermelo.lab.statistics import UNDECIDED

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "explanation" / "claims.md"
VERDICTS = (HOLDS, FAILS, UNDECIDED, OPEN)
NEW, OLD = "verdict", "by today's test"
INTRODUCTION = """\
# Every claim

What the experiments of the [lab](../how-to/lab.md) test, claim by claim, with the verdict of the
report that judges it. What the verdicts mean and what stands behind them:
[reproduce the papers](reproduce.md).
The words and the tests are those of the code today; a claim that no report has in these words is
*not judged*. Written by `python -m tools.claims --write`.

"""


class Told(NamedTuple):
    """What a report says about a claim: the verdict, and the folder of the report."""

    verdict: str
    folder: str


def cells(line: str) -> list[str]:
    """The cells of a row of a Markdown table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows(text: str) -> Iterator[dict[str, str]]:
    """The rows of the table of claims in a report."""
    header: list[str] = []
    for line in text.splitlines():
        if line.startswith("| claim |"):
            header = cells(line)
        elif not line.startswith("|"):
            header = []
        elif header and not line.startswith("|---"):
            yield dict(zip(header, cells(line), strict=True))


def positions_in(text: str) -> int:
    """On how many positions a report is, all sets together."""
    table = text.partition("**Positions**")[2].partition("\n## ")[0]
    return sum(int(cells(line)[1].replace(",", "")) for line in table.splitlines()
               if line.startswith("| ") and cells(line)[1].replace(",", "").isdigit())


def verdict_of(row: dict[str, str]) -> str:
    """The verdict by the test of today, without its reason."""
    found = row.get(OLD) or row[NEW]
    return next(word for word in VERDICTS if found.startswith(word))


def told_by_reports() -> dict[tuple[str, str], Told]:
    """The verdict for each (experiment, claim): of a report that judges it before one that does
    not, of one made with the test of today before one that was read by it afterwards, and of one on
    more positions before one on fewer."""
    found: dict[tuple[str, str], tuple[tuple[bool, bool, int], Told]] = {}
    for path in sorted(ROOT.glob("results/*/report.md")):
        text = path.read_text("utf-8")
        name, many = text.partition(":")[0].removeprefix("# "), positions_in(text)
        for row in rows(text):
            told = Told(verdict_of(row), path.parent.name)
            rank, key = (told.verdict == OPEN, OLD in row, -many), (name, row["claim"])
            if key not in found or rank < found[key][0]:
                found[key] = rank, told
    return {key: told for key, (_, told) in found.items()}


def page() -> str:
    """The whole page."""
    told = told_by_reports()
    count: Counter[str] = Counter()
    papers, parts = 0, []
    for name in experiment_names():
        one = experiment(name)
        part = (f"## {name}\n\n{one.title}. {one.source}\n\n"
                "| claim | source | verdict |\n|---|---|---|\n")
        for claim in one.claims:
            found = told.get((name, claim.text))
            verdict = OPEN if found is None else \
                f"{found.verdict} ([report](../../results/{found.folder}/report.md))"
            count[OPEN if found is None else found.verdict] += 1
            papers += "ours" not in claim.source
            part += f"| {claim.text} | {claim.source} | {verdict} |\n"
        parts.append(part)
    numbers = ", ".join(f"{count[word]} *{word}*" for word in VERDICTS)
    summary = (f"{count.total()} claims, of which {papers} are of papers and the others are "
               f"questions of our own: {numbers}. A statement that is tried under two rules, with "
               "two formulas or on several games counts once for each.\n\n")
    return INTRODUCTION + summary + "\n".join(parts)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the page")
    if parser.parse_args().write:
        PAGE.write_text(page(), "utf-8")
    elif page() != PAGE.read_text("utf-8"):
        print("docs/explanation/claims.md is not up to date: python -m tools.claims --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
