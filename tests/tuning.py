"""Stand-ins for tests of tuning: objectives that are known, jobs that cost what we say, Optuna."""

import math
import zlib

from zermelo.lab.tune import Axis

TREES = ["--game", "p-game", "-g", "branching=2", "--each", "seed=0..11"]
GRID = ["--vary", "E=1..5", "--vary", "D=1..6"]
SMALL = ["deep-df-pn", *GRID, *TREES, "--nodes", "200", "--memory", "20MB"]


class Objective:
    """A known function, which gives up above the limit as the real one does; what it was asked."""

    def __init__(self, function):
        self.function, self.asked, self.limits = function, [], []

    def __call__(self, points, limit):
        values = [self.function(*point) for point in points]
        self.asked += points
        self.limits.append(limit)
        return [value if value <= limit else math.inf for value in values]

    @property
    def best(self):
        return min(self.asked, key=lambda point: self.function(*point))


def line(*values):
    """A function of one number, by its values at 0, 1, 2 and so on."""
    return Axis("x", tuple(range(len(values)))), Objective(lambda x: values[x])


def pretend(job):
    """A row as if the search had run: harder and easier positions, one best point, some noise."""
    hard = zlib.crc32(job.position.encode()) % 150
    noise = zlib.crc32(f"{job.position}{job.options}".encode()) % 9
    need = 50 + hard + noise + 12 * abs(job.options["E"] - 4) + 7 * abs(job.options["D"] - 4)
    done = need <= job.nodes
    return {"status": "done", "value": "win" if done else "unknown", "proved": done,
            "stopped": "solved" if done else "nodes",
            "concluded": done, "nodes": min(need, job.nodes)}
