"""The process of a worker: ``python -m zermelo.cluster.process`` answers orders about a position.

The first message that it gets is the setup.
"""

from __future__ import annotations

import json

from zermelo.cluster.setup import Setup
from zermelo.cluster.worker import Worker
from zermelo.crews.serving import serve


def worker_of(first: bytes) -> Worker:
    """The worker of a setup."""
    return Worker(Setup(**json.loads(first)))


if __name__ == "__main__":
    serve(worker_of)
