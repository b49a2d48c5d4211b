"""What compilation has cost."""

import logging
import threading

log = logging.getLogger("zermelo.kernel")


class Tally(threading.local):
    """What compilation has cost this thread: kernels compiled, kernels loaded, seconds."""

    compiled = 0
    loaded = 0
    seconds = 0.0


tally = Tally()
