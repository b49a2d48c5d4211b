"""The process of a worker: it reads orders from standard input, and writes answers.

The first message is what the worker is made of; an empty one asks for an end of the order in hand.
When standard input closes, because who gives the orders has ended or was killed, the process ends
at once.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

from zermelo.crews.crew import Answering
from zermelo.crews.frames import CANCEL, READY, read_frame, refusal, send
from zermelo.crews.processes import die_with_parent
from zermelo.errors import ZermeloError
from zermelo.kernel.start import load_numba_alone


def answers_only() -> BinaryIO:
    """Standard output, for answers alone: what a game prints must not get between them."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


class Inbox:
    """Reads orders in a thread, so that one can be cancelled while it is done."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.stop = stream, threading.Event()
        self.waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while (order := read_frame(self.stream)) is not None:
            if order == CANCEL:
                self.stop.set()
            else:
                self.stop.clear()
                self.waiting.put(order)
        os._exit(0)

    def next(self) -> bytes:
        """The next order, as soon as there is one."""
        return self.waiting.get()


def serve(make: Callable[[bytes], Answering]) -> None:
    """Be the worker that ``make`` makes of the first message, until there are no more orders."""
    die_with_parent()
    load_numba_alone()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who gives the orders
    answers, inbox = answers_only(), Inbox(sys.stdin.buffer)
    try:
        worker = make(inbox.next())
    except ZermeloError as error:  # who gives the orders says it to its user
        send(answers, refusal(error))
        os._exit(1)  # the inbox can't be closed while it is listened to
    send(answers, READY)
    while True:
        send(answers, worker.answer(inbox.next(), inbox.stop.is_set))
