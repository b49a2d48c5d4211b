"""What runs on a node of a cluster: the same host process that runs jobs on this machine.

A job is sent as plain data, with the files that it needs and the version of who sends it. The host
makes a child for it, with the same limits as anywhere; when the process that this module is in is
killed, or its node is, the host sees its standard input close, and ends with its child.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from zermelo.errors import ZermeloError, one_line
from zermelo.jobs.job import Job
from zermelo.jobs.machine import environment
from zermelo.jobs.orders import Orders, host
from zermelo.jobs.shipping import Unpacked, package_digest
from zermelo.workers.crew import Cancelled, Crew, ask, never
from zermelo.workers.local import LocalCrew


@cache
def this_machine() -> dict[str, Any]:
    """What rows are measured on here."""
    return environment()


class Node:
    """Has a host, which keeps its machine code from job to job, and the files that were sent."""

    def __init__(self) -> None:
        self.crew, self.files = LocalCrew(host(), 1), Unpacked()

    def answer(self, order: bytes, cancelled: Cancelled = never) -> bytes:
        """Run a job, and say on what machine its ``row`` was measured; ``refused``, where this
        machine can't be trusted to do what the sender would."""
        return json.dumps(self._do(**json.loads(order))).encode()

    def _do(self, job: str, files: dict[str, str], sender: str) -> dict[str, Any]:
        here = package_digest()
        if here != sender:
            return {"refused": f"a node of the cluster has other code than this machine: Zermelo "
                               f"{here} there, {sender} here; install the same version everywhere"}
        try:
            row = row_of(self.crew, self.files.localise(Job.from_json(job), files))
        except (ZermeloError, OSError) as error:  # its host can't be started, its disk is full
            return {"refused": f"a node of the cluster can't run jobs: {one_line(error)}"}
        return {"row": row, "machine": this_machine()}


def row_of(crew: Crew, job: Job) -> dict[str, Any] | None:
    """The row, from the host, or about how the host ended."""
    orders = Orders()
    return orders.row(job, ask(crew, orders.order(job), orders.seconds(job)))
