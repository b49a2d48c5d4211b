"""What the server refuses: a sentence and a status."""

from __future__ import annotations


class Refused(Exception):
    """A request that is not granted, and why."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


class NoProcess(Refused):
    """A process that could not be had, has ended, or does not answer."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, 503)
