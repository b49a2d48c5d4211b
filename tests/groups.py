"""Which tests run together, one after the other in one process, when several share the work.

A worker that has a kernel in memory need not load it, fixtures of a module are made once, and two
workers that want the same kernel would wait for each other while it is compiled.

The groups are those of ``pytest.mark.xdist_group``, else files. pytest-xdist (3.8) hands them over
in the names of tests, which pytest 9.2 does not let it change: every test would be a group of its
own, and nothing would say so. So a worker writes its groups to a file that the scheduler reads.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

FOLDER = "folder_of_groups"

# Groups that take longest, so that the two workers of ``make test`` end at about the same time.
# ``--kernels`` shows what has become long. While one of them compiles for the signature, the other
# does what needs few kernels.
LONGEST = [
    "signature", "browser", "jit off", "lab kill", "lab trouble", "test_kernels", "test_cache",
    "connect-four 5x4 line 3", "test_driver", "test_certify", "test_conformance", "hex 3x3",
    "othello 4x4", "test_user_games", "connect(4,3,3,2,1)", "p-game",
    "depth-first connect(4,3,3,2,1)", "depth-first connect-four 5x4 line 3",
    "depth-first hex 3x3", "depth-first othello 4x4", "depth-first p-game",
    "test_depth_first_cycles", "test_check_game", "lines of action", "candidates",
    "test_promises", "README.md", "docs/tune.md", "docs/searches/vcdt.md",
    "test_k_in_a_row", "test_knowledge", "test_cli", "test_cli_process",
    "test_depth_first_slices", "test_depth_first_order", "random trees", "scn", "progress",
    "test_cluster", "test_checkpoints", "test_checkpoint_cli", "test_checkpoint_files",
    "test_zones", "test_zones_attacked", "test_certify_refusals", "test_bulk", "test_connect_four",
    "test_problems", "test_trees", "test_replay", "test_xiangqi", "test_xiangqi_evaluation",
    "test_papers", "test_lab_figures", "test_engine_clients", "test_web_processes",
    "test_worth", "test_cluster_faults", "test_lab", "test_match", "proof mutations",
    "test_minimax_values", "test_engine_jsonl", "test_engine_process", "test_lab_contest",
    "test_bad_input", "test_proof_rules", "test_goals", "test_zones_of_proofs", "test_proof",
    "test_vcdt_certificates", "test_hex", "test_othello", "test_soak", "test_lab_tune",
    "test_lab_cluster", "test_lab_settings", "test_web_random", "test_web_events",
    "test_zones_forged", "test_xiangqi_oracles", "test_web_api", "test_web_work",
]


class Groups(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out groups of tests in their order."""

    def __init__(self, config: Any, log: Any) -> None:
        super().__init__(config, log)
        self.groups: dict[str, str] = {}

    def schedule(self) -> None:
        """When all workers have found the same tests."""
        if not self.groups:
            self.groups = json.loads((Path(getattr(self.config, FOLDER)) / "gw0").read_text())
        super().schedule()

    def _split_scope(self, nodeid: str) -> str:
        return self.groups[nodeid]


def group_of(item: Any) -> str:
    """The tests that it stays with."""
    marker = item.get_closest_marker("xdist_group")
    if marker is not None:
        return str(marker.args[0])
    return "browser" if "browser" in item.fixturenames else str(item.path.stem)


def place_of(item: Any) -> int:
    """When its group comes."""
    group = group_of(item)
    return LONGEST.index(group) if group in LONGEST else len(LONGEST)


def pytest_configure(config: Any) -> None:
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False  # the order is that of LONGEST


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> Any:
    return Groups(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """A worker is told where it leaves its groups."""
    if not hasattr(node.config, FOLDER):
        setattr(node.config, FOLDER, tempfile.mkdtemp())
    node.workerinput[FOLDER] = getattr(node.config, FOLDER)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """What takes longest comes first."""
    if getattr(config.option, "loadgroup", False):
        items.sort(key=place_of)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: Any) -> None:
    """Before the scheduler is told of the tests."""
    told = getattr(session.config, "workerinput", {})
    if FOLDER in told:
        groups = {item.nodeid: group_of(item) for item in session.items}
        (Path(told[FOLDER]) / told["workerid"]).write_text(json.dumps(groups))


def pytest_unconfigure(config: Any) -> None:
    if hasattr(config, FOLDER):
        shutil.rmtree(getattr(config, FOLDER), ignore_errors=True)
