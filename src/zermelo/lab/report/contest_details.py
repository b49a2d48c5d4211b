"""Further tables of a contest: what stopped a search, who is fastest where, each search against
what it descends from, and how many answers have a certificate."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from zermelo.jobs.work import DONE
from zermelo.lab.report.contest import duel_row
from zermelo.lab.report.tables import Made
from zermelo.lab.results import Results
from zermelo.lab.study.contest import LEAST, MUCH, NODES, SECONDS, Contest, contest_of, duel_of

REASONS = ("nodes", "time", "memory", "candidates")
# Each search and the one whose idea it changes, as docs/family-tree.md has them; then two that are
# the same search here, as a measure of what is noise.
RELATIVES = (
    ("weak-df-pn", "df-pn"), ("widening-df-pn", "df-pn"), ("deep-df-pn", "df-pn"),
    ("tca-df-pn", "df-pn"), ("shared-df-pn", "df-pn"), ("df-pn", "pn"), ("pds-pn", "pn2"),
    ("pn2", "pn"), ("deep-pn", "pn"), ("mcpn", "pn"), ("ews", "pn"), ("ppn", "mcpn"),
    ("ppn", "pp"), ("df-ppn", "ppn"), ("df-ppn", "df-pn"), ("mcts", "uct"), ("pn-mcts", "uct"),
    ("pn-mcts", "mcts"), ("gpn-mcts", "pn-mcts"), ("pvs", "alpha-beta"), ("rps", "pvs"),
    ("erps", "rps"), ("mopns", "pn"),
)


def stopped_by(results: Results) -> Made:
    """Where an arm concluded nothing: which of its limits stopped it."""
    rows = []
    for arm in results.plan.arms:
        done = [entry.row for entry in results.select(arm.name) if entry.row is not None]
        ended = Counter(_reason(row) for row in done)
        if done:
            rows.append([arm.name, str(len(done)), str(ended["concluded"]),
                         *(str(ended[reason]) for reason in (*REASONS, "failed"))])
    return Made("What stopped a search that concluded nothing",
                ["search", "jobs", "concluded", *REASONS, "failed"], rows,
                "*Nodes* depend on nothing but the search; *time* is the processor's, and another "
                "processor would stop elsewhere. *Candidates*: it has tried all that it may.")


def _reason(row: Any) -> str:
    if row["status"] != DONE:
        return "failed"
    return "concluded" if row["concluded"] else str(row["stopped"])


def fastest(results: Results) -> Made:
    """On how many positions each arm is the fastest, where a clock can tell, and on how many it
    needs the fewest nodes."""
    times, nodes = contest_of(results, SECONDS), contest_of(results, NODES)
    least = times.least()
    slow = times.only(np.isfinite(least) & (least > LEAST[SECONDS]))
    known = nodes.only(np.isfinite(nodes.least()))
    rows = [[arm, str(best), str(_alone(slow, arm)), str(fewest), str(_alone(known, arm))]
            for arm in times.arms
            for best, fewest in [(_first(slow, arm), _first(known, arm))]]
    title = "Who is fastest, and who needs the fewest nodes"
    return Made(title, ["search", f"fastest, of {len(slow.places)}", "... by much",
                        f"fewest nodes, of {len(known.places)}", "... by much"], rows,
                f"*Fastest*: of the positions that take every search more than "
                f"{1000 * LEAST[SECONDS]:g} ms; *fewest nodes*: of all that some search concludes, "
                f"ties count for each. *By much*: every other search takes {MUCH:g} times as much "
                "or concludes nothing. Nodes are what each search counts.")


def _first(contest: Contest, arm: str) -> int:
    return int((contest.of(arm) <= contest.least()).sum()) if contest.places else 0


def _alone(contest: Contest, arm: str) -> int:
    """On how many positions ``arm`` is ahead of each of the others."""
    others = [name for name in contest.arms if name != arm]
    if not contest.places or not others:
        return 0
    best = np.min([contest.of(name) for name in others], axis=0)
    mine = contest.of(arm)
    return int((np.isfinite(mine) & (MUCH * mine <= best)).sum())


def relatives(results: Results) -> Made:
    """Each search against the one whose idea it changes."""
    contest = contest_of(results, SECONDS)
    rows = [[one, other, *duel_row(duel_of(contest, one, other))] for one, other in RELATIVES
            if one in contest.arms and other in contest.arms]
    return Made("Each search against one that it descends from, by processor time",
                ["search", "against", "ahead", "behind", "alike", "neither", "ahead, % of decided",
                 "p"], rows,
                "On the positions that both can be asked about. Asked for a win alone, mopns is "
                "pn: that row shows what is noise.")


def certified_by_set(results: Results) -> Made:
    """How many positions of each set are answered, and with a certificate."""
    rows = []
    for one in results.plan.experiment.sets:
        entries = [entry for entry in results.select(set=one.name) if entry.row is not None]
        answered = [entry for entry in entries if entry.row and entry.row["concluded"]]
        questions = {entry.cell.job.question for entry in answered}
        without = [e for e in answered if e.cell.job.question not in results.certified]
        if entries:
            rows.append([one.name, str(len({entry.cell.id for entry in entries})),
                         str(len(questions)), str(len(questions & results.certified)),
                         str(len(answered)), str(len(without))])
    return Made("Answers and certificates, by set",
                ["set", "positions", "answered", "with a certificate", "answers",
                 "answers without"], rows,
                "*Answers*: one for each search that concludes a position. *Without*: the judge "
                "had no certificate within its limits, and the searches merely agree.")
