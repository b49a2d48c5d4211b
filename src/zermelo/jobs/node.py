"""What runs on a node of a cluster: the same host process that runs jobs on this machine.

A job is sent as plain data, with the files that it needs and the version of who sends it. The host
makes a child for it, with the same limits as anywhere; when the process that this module is in is
killed, or its node is, the host sees its standard input close, and ends with its child.
"""

from __future__ import annotations

import select
from functools import cache
from typing import Any

from zermelo.errors import ZermeloError, one_line
from zermelo.jobs.backend import Host
from zermelo.jobs.job import Job
from zermelo.jobs.machine import environment
from zermelo.jobs.shipping import Files, Unpacked, package_digest

LOOK_SECONDS = 1.0

Answer = dict[str, Any]


@cache
def the_host() -> Host:
    """The host of this process, which keeps its machine code from job to job."""
    return Host()


@cache
def the_files() -> Unpacked:
    """Files of jobs that this process has been sent."""
    return Unpacked()


@cache
def this_machine() -> dict[str, Any]:
    """What rows are measured on here."""
    return environment()


def run_order(job: str, files: Files, sender: str) -> Answer:
    """Run a job, and say on what machine its ``row`` was measured; ``refused``, where this machine
    can't be trusted to do what ``sender`` would."""
    here = package_digest()
    if here != sender:
        return {"refused": f"a node of the cluster has other code than this machine: Zermelo "
                           f"{here} there, {sender} here; install the same version everywhere"}
    try:
        row = _run(the_host(), the_files().localise(Job.from_json(job), files))
    except (ZermeloError, OSError) as error:  # its host can't be started, its disk is full
        return {"refused": f"a node of the cluster can't run jobs: {one_line(error)}"}
    return {"row": row, "machine": this_machine()}


def _run(host: Host, job: Job) -> dict[str, Any]:
    """The row, from the host, or about how the host ended."""
    host.submit(job)
    while True:
        assert host.process is not None
        assert host.process.stdout is not None
        ready, _, _ = select.select([host.process.stdout], [], [], LOOK_SECONDS)
        found = host.receive() if ready else host.overdue()
        if found is not None:
            return found[1]
