"""What the tests cost, and what a worker keeps in memory.

``--kernels`` prints, for each file of tests, the kernels it compiled and loaded, how many of them
no other file uses (alone), and its processor seconds, with those of processes that it started.
Compiling is most of the time of a run with an empty cache, so a new test is best put on a game, a
size and a search that others compile anyway. ``--kernels-to FILE`` writes it by test, as JSON.

A run of all tests but the long ones fails if it has not reached every ``raise`` of the package.
"""

import gc
import json
import resource
import signal
import time
from collections import defaultdict
from fnmatch import fnmatchcase
from typing import Any

import pytest
import raising

raising.install()  # before anything of the package is imported

from zermelo.compiler.cache import KernelDirectory  # noqa: E402
from zermelo.compiler.compile_stats import stats  # noqa: E402
from zermelo.compiler.jit import jit_enabled  # noqa: E402

pytest_plugins = ["browser"]  # the fixtures page and explorer

QUICK = "not full and not long"  # what ``make test`` runs
ROWS, NOTED = "kernel_rows", "noted_raises"
COLUMNS = f"{'file':36} {'compiled':>8} {'alone':>6} {'loaded':>6} {'compile s':>9} {'cpu s':>6} MB"


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--kernels", action="store_true", help="what each file of tests compiled")
    parser.addoption("--kernels-to", metavar="FILE.json", help="the same by test, into a new file")


def pytest_configure(config: Any) -> None:
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.pluginmanager.register(Raises(config), "note-raises")
    if config.getoption("--kernels") or config.getoption("--kernels-to"):
        config.pluginmanager.register(Count(config), "count-kernels")


def pytest_unconfigure(config: Any) -> None:
    """The names of what failed are the last lines: of a long output, often only the end is kept."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(config, "workerinput"):
        for report in (*reporter.stats.get("failed", ()), *reporter.stats.get("error", ())):
            reporter.write_line(f"failed: {report.nodeid}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Mark long cases, and put files that take longest first, for workers to end together."""
    used = set()
    for item in items:
        case = item.callspec.id if hasattr(item, "callspec") else ""
        for marker in item.iter_markers():
            if marker.name in ("long_cases", "quick_cases"):
                named = {pattern for pattern in marker.args if fnmatchcase(case, pattern)}
                used |= {(item.function, pattern) for pattern in named}
                if bool(named) == (marker.name == "long_cases"):
                    item.add_marker(pytest.mark.long)
    if of_all(config):
        check_all_are_used(items, used)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def of_all(config: Any) -> bool:
    """Return True if pytest collects all files."""
    return list(config.args) == list(config.getini("testpaths"))


def check_all_are_used(items: list[Any], used: set[tuple[Any, str]]) -> None:
    """Refuse patterns of cases that stand for none."""
    for item in items:
        for marker in (*item.iter_markers("long_cases"), *item.iter_markers("quick_cases")):
            for pattern in marker.args:
                if (item.function, pattern) not in used:
                    raise pytest.UsageError(f"{item.nodeid}: no case is {pattern!r}")


@pytest.fixture(autouse=True, scope="module")
def give_memory_back():
    """Trees, tables and sessions of a module are no use to the next.

    What is left is the compiler's; nobody need look through it for garbage from now on.
    """
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture
def without_jit(monkeypatch: Any) -> None:
    """Run searches as plain Python."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


class Raises:
    """After a run of all tests: which ``raise`` statements were not reached?"""

    def __init__(self, config: Any) -> None:
        self.output = getattr(config, "workeroutput", None)
        chosen = config.option
        self.of_all = (chosen.markexpr in (QUICK, "not full", "") and not chosen.keyword
                       and not chosen.collectonly and not getattr(chosen, "lf", False)
                       and of_all(config))
        self.left: list[raising.Statement] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        found = json.loads(getattr(node, "workeroutput", {}).get(NOTED, "[]"))
        raising.noted.update((path, line) for path, line in found)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: Any, exitstatus: int) -> None:
        if self.output is not None:
            self.output[NOTED] = json.dumps(sorted(raising.noted))
        elif self.of_all and exitstatus in (0, 1) and jit_enabled():
            self.left = raising.missed(raising.noted)
            session.exitstatus = 1 if self.left else exitstatus

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.left:
            terminalreporter.section("raises that no test reaches")
            for statement in self.left:
                terminalreporter.write_line(str(statement))


class Count:
    """Counts kernels and seconds of every test; the controller adds up what its workers say."""

    def __init__(self, config: Any) -> None:
        self.rows: list[dict[str, Any]] = []
        self.names: set[str] = set()
        self.output = getattr(config, "workeroutput", None)
        self.file = config.getoption("--kernels-to")
        self.watch("read")
        self.watch("write")

    def watch(self, what: str) -> None:
        """Note the names of kernels that are read from the cache or written to it."""
        original = getattr(KernelDirectory, what)

        def noting(place: KernelDirectory, name: str, *rest: Any) -> Any:
            self.names.add(name)
            return original(place, name, *rest)

        setattr(KernelDirectory, what, noting)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Any:
        before = figures()
        self.names.clear()
        yield
        row = {key: value - before[key] for key, value in figures().items()}
        row["MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        self.rows.append({"test": item.nodeid, **row, "names": sorted(self.names)})

    def pytest_sessionfinish(self) -> None:
        if self.output is not None:
            self.output[ROWS] = json.dumps(self.rows)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.rows += json.loads(getattr(node, "workeroutput", {}).get(ROWS, "[]"))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.output is not None:
            return
        if self.file:
            with open(self.file, "x") as file:  # never over something that is there
                json.dump(self.rows, file)
        terminalreporter.section("kernels")
        terminalreporter.write_line(COLUMNS)
        for line in table(self.rows):
            terminalreporter.write_line(line)


def figures() -> dict[str, float]:
    """What this process has spent so far."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "compiled": stats.compiled, "loaded": stats.loaded, "compile s": stats.seconds,
        "cpu s": time.process_time() + children.ru_utime + children.ru_stime,
    }


def table(rows: list[dict[str, Any]]) -> list[str]:
    """A line for each file of tests, the dearest first, and one for all of them."""
    files: dict[str, list[dict[str, Any]]] = defaultdict(list)
    users: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        name = row["test"].split("::")[0].rpartition("/")[2]
        files[name].append(row)
        for kernel in row["names"]:
            users[kernel].add(name)
    alone = {name: sum(kernel == {name} for kernel in users.values()) for name in files}
    lines = [(total(some, "cpu s"), line(name, some, alone[name])) for name, some in files.items()]
    return [*(text for _, text in sorted(lines, reverse=True)),
            line("all", rows, sum(alone.values()))]


def total(rows: list[dict[str, Any]], key: str) -> float:
    return sum(row[key] for row in rows)


def line(name: str, rows: list[dict[str, Any]], alone: int) -> str:
    compiled, loaded = total(rows, "compiled"), total(rows, "loaded")
    return (f"{name:36} {compiled:8.0f} {alone:6} {loaded:6.0f} {total(rows, 'compile s'):9.1f} "
            f"{total(rows, 'cpu s'):6.1f} {max(row['MB'] for row in rows)}")
