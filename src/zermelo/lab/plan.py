"""From an experiment to jobs, and the run of them.

A plan has sizes chosen, changes made and every combination written out. A run claims its jobs,
hands them to workers and keeps their rows; then it judges the conclusions.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from zermelo.conspiracy.rscn import Watch
from zermelo.core.position import Position
from zermelo.errors import BadOption, listed, quoted
from zermelo.jobs.job import PROVE, Job, job_for, play_job, watch_job, with_options
from zermelo.jobs.store import Row, Store
from zermelo.jobs.work import DONE
from zermelo.jobs.workers import ProgressCallback, at_work
from zermelo.lab.experiment import (
    LONGEST_WALL,
    WALL_FACTOR,
    WALL_GRACE,
    Arm,
    Experiment,
    Judge,
    sized,
)
from zermelo.playing import LONGEST_GAME
from zermelo.search.base import TRUE, Zones
from zermelo.search.depth_first.weak_df_pn import WeakDFPN
from zermelo.solving.result import Limits


@dataclass(frozen=True)
class Settings:
    """Changes of a run to its experiment; ``only``: these arms, by default all of them."""

    full: bool = False
    changes: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    seed: int = 0

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Settings:
        """Settings from a dictionary made by ``to_dict``."""
        return cls(bool(given.get("full")), tuple(given.get("changes", ())),
                   tuple(given.get("only", ())), int(given.get("seed", 0)))

    def to_dict(self) -> dict[str, Any]:
        """The settings as a dictionary, in which form the store keeps them."""
        return asdict(self)

    def words(self) -> list[str]:
        """The settings as typed after the name of the experiment."""
        return [*["--full"] * self.full,
                *(word for change in self.changes for word in ("--set", change)),
                *(word for arm in self.only for word in ("--only", arm)),
                *([] if self.seed == 0 else ["--seed", str(self.seed)])]

    def __str__(self) -> str:
        return shlex.join(self.words())

    def all_arms(self) -> Settings:
        """These settings with every arm: runs of some arms are parts of one whole."""
        return replace(self, only=())


def settings_to_report(store: Store, experiment: Experiment) -> list[Settings]:
    """One for each size that was run, on the arms that were. A run that was changed is part of one
    of them, or of none."""
    given = _given(store, experiment.name)
    if not given:  # another experiment has made all its results
        given = _given(store, experiment.name, with_rows=False)
    sizes = dict.fromkeys(one.all_arms() for one in given if not one.changes) or [Settings()]
    return [replace(size, only=_arms(experiment, [one.only for one in given
                                                  if one.all_arms() == size])) for size in sizes]


def _arms(experiment: Experiment, given: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The arms of several runs, as ``only`` has them: none where all were run."""
    arms = tuple(dict.fromkeys(arm for only in given for arm in only)) if all(given) else ()
    return () if {arm.name for arm in experiment.arms} <= set(arms) else arms


def settings_of_runs(store: Store, experiment: str) -> list[Settings]:
    """The settings with which ``experiment`` has made results, each once, the oldest first."""
    return list(dict.fromkeys(one.all_arms() for one in _given(store, experiment)))


def _given(store: Store, experiment: str, with_rows: bool = True) -> list[Settings]:
    """The settings of its runs, the oldest first; of those that have made a row, or of all."""
    made = {run for _, run in store.tasks_by_run()} if with_rows else ()
    return [Settings.from_dict(run["settings"]) for run in store.runs()
            if run["experiment"] == experiment and (not with_rows or run["run"] in made)]


OF_ARM = ("nodes", "time", "memory", "wall", "seeds", "trace", "goal", "plain")
OF_JUDGE = ("nodes", "time", "memory", "wall", "all", "proved", "moves", "certificate")


@dataclass(frozen=True)
class Cell:
    """One combination of an experiment, and the job that fills it."""

    set: str
    arm: str
    id: str
    seed: int
    job: Job


@dataclass(frozen=True)
class ExperimentPlan:
    """All cells of an experiment at one size, with the changes asked for."""

    experiment: Experiment
    settings: Settings
    arms: tuple[Arm, ...]
    judge: Judge | None
    cells: tuple[Cell, ...]
    positions: dict[tuple[str, str], Position] = field(repr=False)

    @property
    def full(self) -> bool:
        """Return True for the published sizes."""
        return self.settings.full

    @property
    def changes(self) -> tuple[str, ...]:
        """Changes made with ``--set``."""
        return self.settings.changes

    def command(self, what: str) -> list[str]:
        """The words of ``zermelo lab`` that do ``what`` with this plan; of a file its name only."""
        return ["zermelo", "lab", what, self.experiment.file or self.experiment.name,
                *self.settings.words()]

    @cached_property
    def jobs(self) -> dict[str, Job]:
        """The jobs by digest; cells may share them."""
        return {cell.job.digest: cell.job for cell in self.cells}

    @property
    def empty_sets(self) -> list[str]:
        """The sets without a position: those that may be, since their file is not everywhere."""
        filled = {name for name, _ in self.positions}
        return [one.name for one in self.experiment.sets if one.name not in filled]

    @property
    def in_turn(self) -> dict[str, Job]:
        """The jobs in the order to run them: all arms on the first position of every set, then on
        the second ones, so that a run that was stopped has some of each set."""
        place: dict[tuple[str, str], int] = {}
        count: dict[str, int] = {}
        for group, id in self.positions:
            place[group, id] = count[group] = count.get(group, -1) + 1
        cells = sorted(self.cells, key=lambda cell: place[cell.set, cell.id])
        return {cell.job.digest: cell.job for cell in cells}

    def judging(self, cell: Cell) -> Job:
        """The job that proves the value of the position in ``cell``."""
        judge = self.judge
        assert judge is not None
        return job_for(
            self.positions[cell.set, cell.id], WeakDFPN(), seed=0, goal=cell.job.goal, plain=False,
            trace=None, kind=PROVE, moves=judge.moves, certificate=judge.certificate,
            candidates=cell.job.zones, **_limits(judge),
        )


def plan_of(experiment: Experiment, *, full: bool = False, changes: Sequence[str] = (),
            only: Sequence[str] = (), seed: int = 0) -> ExperimentPlan:
    """The plan of ``experiment``: ``changes`` such as ``nodes=1e6`` or ``PN.nodes=1e6``; ``only``
    these arms; ``seed``: the first one where an arm says how many."""
    arms = [at_size(arm, full) for arm in _chosen(experiment, only)]
    judge = None if experiment.judge is None else at_size(experiment.judge, full)
    take = None
    for change in changes:
        owner, name, value = _parts(change, arms)
        if name == "take" and not owner:
            take = _whole(change, value)
        elif owner == "judge":
            judge = _change_judge(judge, change, name, value)
        else:
            arms = _change_arms(arms, change, owner, name, value)
    sets = [one if take is None else replace(one, take=take) for one in experiment.sets]
    positions = {(one.name, id): position for one in sets for id, position in one.positions(full)}
    narrow = {one.name: one.candidates for one in experiment.sets if one.candidates}
    cells = tuple(_cells(positions, arms, seed, narrow))
    return ExperimentPlan(experiment, Settings(full, tuple(changes), tuple(only), seed),
                          tuple(arms), judge, cells, positions)


def _chosen(experiment: Experiment, only: Sequence[str]) -> list[Arm]:
    names = [arm.name for arm in experiment.arms]
    for name in only:
        if name not in names:
            raise BadOption(f"--only {quoted(name)}: the experiment has no such arm; arms: "
                            f"{listed(names)}.")
    return [arm for arm in experiment.arms if not only or arm.name in only]


def at_size(record: Any, full: bool) -> Any:
    """``record`` with the numbers of this size."""
    values = {item.name: sized(getattr(record, item.name), full) for item in fields(record)}
    return replace(record, **values)


def _cells(positions: dict[tuple[str, str], Position], arms: Iterable[Arm],
           first_seed: int, narrow: Mapping[str, bool | Zones]) -> Iterable[Cell]:
    """Position by position; on a set with candidates, searches that can't be kept to them are left
    out."""
    ready = [(arm, _seeds(arm, first_seed), _limits(arm)) for arm in arms]
    for (group, id), position in positions.items():
        for arm, seeds, limits in ready:
            if (arm.on and group not in arm.on) or (group in narrow and not arm.narrows):
                continue
            arm = replace(arm, candidates=narrow[group]) if group in narrow else arm
            for seed in seeds:
                for job in _jobs(position, arm, seed, limits):
                    yield Cell(group, arm.name, id, seed, job)


def _jobs(position: Position, arm: Arm, seed: int, limits: dict[str, Any]) -> list[Job]:
    """One search, the two games of a match, or a game to watch."""
    if isinstance(arm.search, Watch):
        return [watch_job(position, arm.search, seed=seed, plain=arm.plain, **limits)]
    if arm.against is None:
        return [job_for(position, arm.search, seed=seed, goal=arm.goal, plain=arm.plain,
                        trace=arm.trace, candidates=arm.candidates, **limits)]
    return [play_job(position, arm.search, arm.against, player, seed=seed, plain=arm.plain,
                     longest=arm.longest, **limits) for player in (0, 1)]


def _seeds(arm: Arm, first: int) -> list[int]:
    many = range(first, first + arm.seeds) if isinstance(arm.seeds, int) else arm.seeds
    seeds = list(many)
    if not seeds:
        raise BadOption(f"arm {quoted(arm.name)}: seeds={quoted(arm.seeds)} leaves no job.")
    return seeds


def _limits(arm: Arm | Judge) -> dict[str, Any]:
    """Limits as numbers, and how long a job may take before it is killed."""
    limits = Limits(nodes=arm.nodes, time=arm.time, memory=arm.memory)
    if limits.memory is None:
        raise BadOption("every job of an experiment has a memory limit, such as memory='1GB'.")
    plays = getattr(arm, "against", None) is not None
    wall = LONGEST_GAME if plays else LONGEST_WALL
    if arm.wall is not None:
        wall = Limits(time=arm.wall).time or wall
    elif limits.time is not None and not plays:
        wall = limits.time * WALL_FACTOR + WALL_GRACE
    return {"nodes": limits.nodes, "time": limits.time, "memory": limits.memory, "wall": wall}


def _parts(change: str, arms: Sequence[Arm]) -> tuple[str, str, str]:
    """Owner (an arm, a search or ``judge``; may be empty), name and value of a change."""
    owners = {"judge", *(arm.name for arm in arms), *(arm.search.id for arm in arms),
              *(arm.against.id for arm in arms if arm.against is not None)}
    for owner in sorted(owners, key=len, reverse=True):
        if change.startswith(f"{owner}."):
            return owner, *_pair(change, change[len(owner) + 1:])
    return "", *_pair(change, change)


def _pair(change: str, text: str) -> tuple[str, str]:
    name, sign, value = (part.strip() for part in text.partition("="))
    if not sign or not name:
        raise BadOption(f"--set {quoted(change)} is not of the form NAME=VALUE or ARM.NAME=VALUE.")
    return name, value


def _change_arms(arms: list[Arm], change: str, owner: str, name: str, value: str) -> list[Arm]:
    changed, found = [], False
    for arm in arms:
        sides = {"search": arm.search, "against": arm.against}
        mine = {side: one for side, one in sides.items()
                if one is not None and (not owner or owner in (arm.name, one.id))}
        with_it = {side: one for side, one in mine.items() if name in one.all_options}
        if mine and name in OF_ARM:
            arm, found = replace(arm, **{name: _value(change, name, value)}), True
        elif with_it:
            other = {side: with_options(one, {name: value}) for side, one in with_it.items()}
            arm, found = replace(arm, **other), True  # type: ignore[arg-type]
        changed.append(arm)
    if not found:
        valid = [*OF_ARM, "take", *sorted({f.name for a in arms for f in fields(a.search)})]
        raise BadOption(f"--set {quoted(change)} fits no arm; names: {listed(valid)}; arms: "
                        f"{listed(arm.name for arm in arms)}, judge.")
    return changed


def _change_judge(judge: Judge | None, change: str, name: str, value: str) -> Judge:
    if judge is None or name not in OF_JUDGE:
        raise BadOption(f"--set {quoted(change)}: the judge of this experiment has "
                        f"{listed(OF_JUDGE) if judge else 'no such thing: there is none'}.")
    return replace(judge, **{name: _value(change, name, value)})


def _value(change: str, name: str, value: str) -> Any:
    if name in ("seeds", "trace"):
        return _whole(change, value)
    if name in ("plain", "all", "proved", "moves", "certificate"):
        if value.lower() not in TRUE:
            raise BadOption(f"--set {quoted(change)}: {name} must be true or false.")
        return TRUE[value.lower()]
    return None if value.lower() == "none" else value


def _whole(change: str, value: str) -> int:
    if not value.isascii() or not value.isdigit() or not 0 < int(value[:19]) < 10**12:
        raise BadOption(f"--set {quoted(change)}: the value must be a whole number of at least 1.")
    return int(value)


@dataclass
class Outcome:
    """Result of a run: jobs by status, and its cost. ``failure``: the reason of the first job
    without an answer."""

    total: int
    done: int
    ran: int
    statuses: dict[str, int]
    seconds: float
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)
    failure: str = ""


def largest_memory(plan: ExperimentPlan) -> int:
    """Largest memory limit of the jobs."""
    largest = max(cell.job.memory for cell in plan.cells)
    if plan.judge is not None:
        largest = max(largest, plan.judging(plan.cells[0]).memory)
    return largest


def run(plan: ExperimentPlan, store: Store, *, command: str = "", workers: int | None = None,
        backend: str = "processes", cluster: str | None = None, retry: bool = False,
        progress: ProgressCallback | None = None) -> Outcome:
    """Run what is not done yet, on this machine or on the Ray ``cluster`` at this address. Ctrl-C
    ends it and keeps every row that is complete."""
    with at_work(store, plan.experiment.name, largest_memory(plan), workers=workers,
                 backend=backend, cluster=cluster, command=command,
                 settings=plan.settings.to_dict(), progress=progress) as pool:
        if retry:
            pool.forget_failed(plan.jobs)
        pool.run("jobs", plan.in_turn)
        if plan.judge is not None:
            pool.run("judged", judging_jobs(plan, store))
    jobs = {**plan.jobs, **({} if plan.judge is None else judging_jobs(plan, store))}
    found = store.rows(jobs)
    ended = [found[digest] for digest in jobs if digest in found]
    failures = [row["message"] or row["status"] for row in ended if row["status"] != DONE]
    return Outcome(len(jobs), len(ended), pool.ran, dict(Counter(row["status"] for row in ended)),
                   pool.seconds, pool.interrupted, pool.hired.notes, "".join(failures[:1]))


def judging_jobs(plan: ExperimentPlan, store: Store,
                 known: dict[str, Row] | None = None) -> dict[str, Job]:
    """The proofs still needed to judge what was concluded, and those already made for that;
    ``known``: the rows of the plan, where they are not those that the store has by digest."""
    judge = plan.judge
    assert judge is not None
    rows = store.rows(plan.jobs) if known is None else known
    proved = {cell.job.question for cell in plan.cells
              if rows.get(cell.job.digest, {}).get("proved")}
    wanted: dict[str, Job] = {}
    for cell in plan.cells:
        if judge.on and cell.set not in judge.on:
            continue
        concluded = rows.get(cell.job.digest, {}).get("concluded")
        open_question = concluded and (judge.proved or cell.job.question not in proved)
        if cell.job.question not in wanted and (judge.all or judge.moves or open_question):
            wanted[cell.job.question] = plan.judging(cell)
    elsewhere = set() if judge.moves else _proved_elsewhere(wanted, store, judge.certificate)
    return {job.digest: job for question, job in wanted.items() if question not in elsewhere}


def _proved_elsewhere(wanted: dict[str, Job], store: Store, certificate: bool) -> set[str]:
    """The questions that the judge of another experiment has answered, as well as ours would."""
    own = {job.digest for job in wanted.values()}
    proofs = [row for row in store.proofs(wanted)
              if row["job_kind"] == PROVE and row["certified"] >= certificate]
    mine = {row["question"] for row in proofs if row["digest"] in own}
    return {row["question"] for row in proofs} - mine
