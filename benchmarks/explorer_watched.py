"""What being watched costs a search, for ``benchmarks.explorer``."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.explorer_server import LONG, Server, Watchers, cpu, descendants, tell

ALONE = """
import sys, time, zermelo
session = zermelo.start(zermelo.game("connect-four").start(), "weak-df-pn")
session.run(zermelo.Limits(nodes=int(sys.argv[1]) // 20, memory="256MB"))
began = time.process_time()
session.run(zermelo.Limits(nodes=int(sys.argv[1]), memory="256MB"))
print(time.process_time() - began)
"""
TELLING = """
import socket, sys, threading, time, zermelo
from zermelo.workers.fork_server import Channel
from zermelo.explorer.position_ref import Games
from zermelo.explorer.session_kinds import SolveSession, Talk

ours, theirs = socket.socketpair()
def listen():
    while ours.recv(1 << 16):
        pass
threading.Thread(target=listen, daemon=True).start()
talk = Talk(Channel(theirs))
work = SolveSession(Games(None), {"place": {"game": "connect-four"}, "search": "weak-df-pn"})
spent = 0.0
def timed(call):
    def timing(*given):
        global spent
        began = time.thread_time()
        try:
            return call(*given)
        finally:
            spent += time.thread_time() - began
    return timing
talk.event, talk.between = timed(talk.event), timed(talk.between)
work.session.progress = timed(work.session.progress)
work.run(talk, zermelo.Limits(nodes=int(sys.argv[1]) // 20, memory="256MB"))
spent, began = 0.0, time.thread_time()
work.run(talk, zermelo.Limits(nodes=int(sys.argv[1]), memory="256MB"))
print(spent / (time.thread_time() - began))
"""


def watched(server: Server, nodes: int) -> bool:
    """What a search of so many nodes costs with a watcher, against one that nobody asks. Both run
    to a twentieth of the nodes before the clock of the processor is read; of several runs the
    cheapest counts, since other work on the machine makes a run dearer, but none cheaper."""
    alone, beside = [], []
    for _ in range(4):
        done = subprocess.run([sys.executable, "-c", ALONE, str(nodes)], capture_output=True,
                              text=True, check=True)
        alone.append(float(done.stdout))
        before = set(descendants(server.process.pid))
        id = server.start(**{**LONG, "limits": {"nodes": nodes // 20, "memory": "256MB"}})
        server.wait(id, "stopped")
        (child,) = set(descendants(server.process.pid)) - before
        watchers, began = Watchers(server, id, 1), cpu(child)
        server.post(f"/sessions/{id}/continue", {"limits": {"nodes": nodes, "memory": "256MB"}})
        server.wait(id, "stopped")
        beside.append(cpu(child) - began)
        watchers.close()
        server.end(id)
    return tell("processor time of a watched search", 100 * min(beside) / min(alone) - 100,
                "% more", 5, f"{nodes:,} nodes; alone " + ", ".join(f"{one:.2f}" for one in alone)
                + "; watched " + ", ".join(f"{one:.2f}" for one in beside) + " s")


def telling(nodes: int) -> bool:
    """Which part of its processor time a watched search spends on saying how far it is. Both are
    counted in one run: other work on the machine can only make the part look larger, since more
    is told while the search gets less of the machine."""
    done = subprocess.run([sys.executable, "-c", TELLING, str(nodes)], capture_output=True,
                          text=True, check=True)
    return tell("what a watched search spends on telling", 100 * float(done.stdout), "%", 5,
                f"of its processor time; {nodes:,} nodes")
