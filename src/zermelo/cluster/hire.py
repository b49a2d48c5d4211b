"""Where the workers of a search run: processes of this machine, this process, or a cluster."""

from __future__ import annotations

import json
import sys
from functools import partial

from zermelo.cluster.setup import Setup
from zermelo.cluster.worker import Worker
from zermelo.crews.inline import InlineCrew
from zermelo.crews.local import LocalCrew, Program
from zermelo.crews.ray_actors import RayActors
from zermelo.crews.ray_cluster import RayCluster
from zermelo.errors import BadOption, counted

BACKENDS = ("local", "ray", "inline")


def inline_crew(setup: Setup, workers: int) -> InlineCrew:
    """In this process."""
    return InlineCrew(partial(Worker, setup), workers)


def local_crew(setup: Setup, workers: int) -> LocalCrew:
    """As processes, which begin at once."""
    return LocalCrew(program(setup), workers)


def program(setup: Setup) -> Program:
    """What such a process runs."""
    return Program((sys.executable, "-m", "zermelo.cluster.process"),
                   json.dumps(setup.to_dict()).encode())


def ray_crew(setup: Setup, workers: int, address: str | None = None,
             together: bool = False) -> RayActors:
    """As actors on the cluster at ``address``, with a processor for each thread. ``together``:
    refuse a cluster that has not a place for each."""
    cluster = RayCluster(address, workers * setup.threads)
    try:
        if together and (there := cluster.places()) < workers:
            raise BadOption(f"{workers} workers with --deterministic (rounds=True) have to begin "
                            f"together, and the cluster has {counted(there, 'processor')}.")
        return RayActors(cluster, partial(Worker, setup), workers, setup.threads)
    except BaseException:
        cluster.leave()
        raise
