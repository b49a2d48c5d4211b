"""The process of a worker: ``python -m zermelo.cluster.process`` reads orders and writes answers.

Each is a number of eight bytes, its length, and then as many bytes. The first is the setup; an
empty one asks the search in hand to come to an end. When standard input closes, because the master
has ended or was killed, the process ends at once.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from typing import BinaryIO

from zermelo.cluster.messages import encode
from zermelo.cluster.setup import Setup
from zermelo.cluster.worker import Worker
from zermelo.errors import ZermeloError, one_line
from zermelo.jobs.parent import die_with_parent
from zermelo.kernel.start import load_numba_alone

LENGTH = 8


def frame(data: bytes) -> bytes:
    """``data`` as it is sent."""
    return len(data).to_bytes(LENGTH, "big") + data


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next message; None when the stream has closed."""
    head = stream.read(LENGTH)
    size = int.from_bytes(head, "big")
    data = stream.read(size) if size else b""
    return data if len(head) == LENGTH and len(data) == size else None


class Orders:
    """Reads orders in a thread, so that a search can be cancelled while it runs."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.stop = stream, threading.Event()
        self.waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while (order := read_frame(self.stream)) is not None:
            if order:
                self.stop.clear()
                self.waiting.put(order)
            else:
                self.stop.set()
        os._exit(0)

    def next(self) -> bytes:
        """The next order, as soon as there is one."""
        return self.waiting.get()


def serve(orders: Orders, answers: BinaryIO, make: type[Worker] = Worker) -> None:
    """Be a worker until there are no more orders."""
    def send(data: bytes) -> None:
        answers.write(frame(data))
        answers.flush()

    try:
        worker = make(Setup(**json.loads(orders.next())))
    except ZermeloError as error:  # the master says it to its user
        send(encode({"refused": one_line(error)}))
        return
    send(encode({"ready": os.getpid()}))
    while True:
        send(worker.answer(orders.next(), orders.stop.is_set))


def main(make: type[Worker] = Worker) -> None:
    """Take the standard streams, and serve."""
    die_with_parent()
    load_numba_alone()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the master
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints must not get between the answers
    serve(Orders(sys.stdin.buffer), answers, make)


if __name__ == "__main__":
    main()
