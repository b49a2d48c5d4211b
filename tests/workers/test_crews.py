"""Crews, whoever they work for: workers that do not begin, end, hang, or have no place."""

import io
import signal
import sys
from types import SimpleNamespace

import pytest
from small_ray import RayError, RayTaskError, SmallRay

from zermelo.errors import BadOption
from zermelo.workers import crew as local
from zermelo.workers import ray_crew
from zermelo.workers.crew import TOO_LONG, Finished, InlineCrew, LocalCrew, Program, ask
from zermelo.workers.messages import (
    READY,
    BadMessage,
    Frames,
    frame,
    is_ready,
    parsed,
    read_frame,
    refusal,
)
from zermelo.workers.ray_crew import RayActors, RayCluster, RayTasks, load_ray, the_worker, told

ECHO = """
import os
from zermelo.workers.messages import serve

class Echo:
    def __init__(self, first):
        self.first, self.orders = first, 0

    def answer(self, order, cancelled):
        print("said to nobody", flush=True)
        while order == b"wait" and not cancelled():
            pass
        if order == b"end":
            os._exit(3)
        self.orders += 1
        return b"%s %s %d" % (self.first, order, self.orders)

serve(Echo)
"""


class Echo:
    """The same in this process."""

    orders = 0

    def answer(self, order, cancelled=None):
        self.orders += 1
        return b"first %s %d" % (order, self.orders)


def python(program, **options):
    return Program((sys.executable, "-c", program), **{"first": b"first", **options})


def saying(*messages):
    sent = b"".join(map(frame, messages))
    return (f"import sys, time; sys.stdout.buffer.write({sent!r}); sys.stdout.flush(); "
            "time.sleep(9)")


def wait_for(crew, looks=400):
    for _ in range(looks):
        if done := crew.finished(0.1):
            return done
    raise AssertionError("nothing has come")


def keep_asking(crew, looks=100):
    """Whoever is free gets an order, and nobody answers."""
    for _ in range(looks):
        for worker in crew.capacity():
            crew.submit(worker, b"x", 60.0)
        crew.finished(0.2)


def ready(crew, workers=1):
    for _ in range(400):
        if len(crew.capacity()) == workers:
            return crew.capacity()
        crew.finished(0.1)
    raise AssertionError("nobody is ready")


def test_messages_come_in_parts():
    sent = frame(b"a") + frame(b"") + frame(b"bcd")
    frames, found = Frames(), []
    for at in range(len(sent)):
        found += frames.add(sent[at : at + 1])
    assert found == Frames().add(sent) == [b"a", b"", b"bcd"]
    whole = io.BytesIO(sent)
    stream = SimpleNamespace(read=lambda size: whole.read(min(size, 2)))
    assert [read_frame(stream) for _ in range(4)] == [b"a", b"", b"bcd", None]
    assert read_frame(io.BytesIO(sent[:-1][-10:])) is None  # cut off
    assert is_ready(READY)
    assert not any(map(is_ready, (b"hello", b"3", b"{}", b"\xff")))
    with pytest.raises(BadOption, match=r"^a worker can't begin: no game\.$"):
        is_ready(refusal(BadOption("no game")))


HUGE = (1 << 62).to_bytes(8, "big")  # a length, as messages begin with


def test_messages_have_a_largest_length():
    with pytest.raises(BadMessage, match="a message of 4,611,686,018,427,387,904 bytes; "):
        Frames().add(HUGE + b"x")
    assert read_frame(io.BytesIO(HUGE + b"x")) is None
    for data, sentence in ((b"[" * 100_000, "that can't be read"), (b"1", "not an object"),
                           (b"\xff", "that can't be read")):
        with pytest.raises(BadMessage, match=sentence):
            parsed(data)
        assert not is_ready(data)


def test_a_worker_that_sends_too_much_is_lost(local_crew):
    crew = local_crew(saying(READY).replace(
        "time.sleep(9)", f"sys.stdin.buffer.read({len(frame(b'first')) + 1}); "
        f"sys.stdout.buffer.write({HUGE!r}); "
        "sys.stdout.flush(); time.sleep(9)"))
    worker, = ready(crew)
    crew.submit(worker, b"x", 60.0)
    (lost,) = wait_for(crew)
    assert (lost.worker, lost.answer) == (worker, None)
    assert lost.why.startswith("it sent a message of 4,611,686,018,427,387,904 bytes")
    assert worker not in crew.workers


@pytest.fixture
def local_crew():
    """Makes crews of one process each, which are closed at the end."""
    made = []

    def make(program, **options):
        made.append(LocalCrew(python(program, **options), 1))
        return made[-1]

    yield make
    for crew in made:
        crew.close()


@pytest.fixture(params=["inline", "at once", "when needed"])
def crew(request):
    made = (InlineCrew(Echo, 2) if request.param == "inline" else
            LocalCrew(python(ECHO, at_once=request.param == "at once"), 2))
    yield made
    made.close()


def test_orders_and_answers(crew):
    one, two = ready(crew, 2)
    crew.submit(one, b"one", 60.0)
    crew.submit(two, b"two", 60.0)
    assert crew.capacity() == []
    done = []
    while len(done) < 2:
        done += wait_for(crew)
    assert sorted(done) == [Finished(one, b"first one 1"), Finished(two, b"first two 1")]
    assert ready(crew, 2) == [one, two]
    assert ask(crew, b"three", 60.0) == Finished(one, b"first three 2")  # it has not begun anew
    crew.expel(one)
    assert one not in crew.capacity()
    new = next(number for number in ready(crew, 2) if number != two)
    crew.submit(new, b"four", 60.0)
    assert wait_for(crew) == [Finished(new, b"first four 1")]


def test_a_worker_is_told_to_come_to_an_end(local_crew):
    crew = local_crew(ECHO)
    worker, = ready(crew)
    crew.submit(worker, b"wait", 60.0)
    crew.cancel(worker)
    assert wait_for(crew) == [Finished(worker, b"first wait 1")]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_worker_that_ends_is_replaced(at_once, local_crew):
    crew = local_crew(ECHO, at_once=at_once)
    worker, = ready(crew)
    crew.submit(worker, b"end", 60.0)
    assert wait_for(crew) == [Finished(worker, None, "it ended with status 3")]
    other, = ready(crew)
    assert other != worker
    assert ask(crew, b"on", 60.0) == Finished(other, b"first on 1")


@pytest.mark.parametrize("options", [{}, {"at_once": False}, {"own_work": False},
                                     {"still": 0.1, "wait": True}])
def test_an_order_that_takes_too_long_costs_its_worker(options, monkeypatch, local_crew):
    monkeypatch.setattr(local, "LOOK_SECONDS", 0.1)
    idle = options.pop("wait", False)
    busy = "import time; time.sleep(9)" if idle else "while True: pass"
    crew = local_crew(saying(READY).replace("time.sleep(9)", f"\n{busy}"), **options)
    worker, = ready(crew)
    crew.submit(worker, b"x", 0.2)
    why = "it does nothing any more" if idle else TOO_LONG
    assert wait_for(crew) == [Finished(worker, None, why)]
    assert worker not in crew.workers
    crew.cancel(worker + 1)


def test_who_only_waits_for_others_does_not_hang(monkeypatch, local_crew):
    """Its own processor does nothing, and the wall clock is the limit."""
    monkeypatch.setattr(local, "LOOK_SECONDS", 0.0)
    crew = local_crew(saying(READY), own_work=False, still=0.1)
    crew.submit(*ready(crew), b"x", 60.0)
    for _ in range(5):
        assert crew.finished(0.1) == []


def test_an_answer_may_come_with_the_first_word(local_crew):
    crew = local_crew(saying(READY, b"answer"), at_once=False)
    assert ask(crew, b"x", 60.0) == Finished(0, b"answer")


@pytest.mark.parametrize(("program", "tries", "sentence"), [
    ("raise SystemExit(3)", 3, r"the workers can't be started: '.*' ends with status 3\.$"),
    ("raise SystemExit(3)", 1, r"the workers can't be started: '.*' ends with status 3\.$"),
    (saying(refusal("no game")), 3, "can't begin: no game"),
    (saying(b"hello"), 3, "was tried 3 times, and each time it did not begin as workers do"),
])
@pytest.mark.parametrize("at_once", [True, False])
def test_workers_that_dont_begin(program, tries, sentence, at_once):
    crew = LocalCrew(Program((sys.executable, "-S", "-c", program), tries=tries, at_once=at_once),
                     1)
    with pytest.raises(BadOption, match=sentence):
        keep_asking(crew)
    assert crew.failures == (0 if "refused" in program else tries)
    crew.close()


def test_where_the_system_does_not_tell_what_a_process_uses(monkeypatch):
    """Then it is not taken to do nothing; the wall clock is the only limit."""
    now, used = [1000.0], [None]
    monkeypatch.setattr(local.time, "monotonic", lambda: now[0])
    worker = object.__new__(local.Process)
    worker.process = SimpleNamespace(pid=0)  # of which /proc has nothing
    worker.program = Program(())
    assert worker.clock() is None
    monkeypatch.setattr(worker, "clock", lambda: used[0], raising=False)
    worker.until(100.0)
    for now[0], sentence in ((1001.0, ""), (1399.0, ""), (1401.0, TOO_LONG)):
        assert worker.overdue() == sentence
    worker.until(100.0)
    used[0] = 5.0  # it tells again
    assert worker.overdue() == ""
    now[0] += 31.0
    assert worker.overdue() == "it does nothing any more"
    used[0] = 101.0
    assert worker.overdue() == TOO_LONG


POLITE = """
import sys
sys.stdout.buffer.write({ready!r})
sys.stdout.flush()
sys.stdin.read()
open({file!r}, "w").write("put away")
"""


@pytest.mark.parametrize("patience", [0.0, 60.0])
def test_who_has_something_to_put_away_is_given_time(tmp_path, patience):
    file = tmp_path / "last"
    crew = LocalCrew(python(POLITE.format(ready=frame(READY), file=str(file)), goodbye=patience), 1)
    worker = crew.workers[ready(crew)[0]]
    crew.close()
    assert file.exists() == bool(patience)
    assert worker.process.returncode == (0 if patience else -signal.SIGKILL)


class Unreachable:
    """Ray, where there is no cluster, or where actors are lost."""

    def is_initialized(self):
        return False

    def init(self, **options):
        raise ConnectionError("nobody is there")


@pytest.fixture
def ray(monkeypatch):
    made = SmallRay()
    monkeypatch.setattr("zermelo.workers.ray_crew.load_ray", lambda: made)
    the_worker.cache_clear()
    return made


def test_ray_is_missing_or_not_to_be_reached(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadOption, match=r"not installed; install it with pip install 'zermelo\["):
        load_ray()
    monkeypatch.setattr("zermelo.workers.ray_crew.load_ray", Unreachable)
    with pytest.raises(BadOption, match="the Ray cluster at 'far:1' can't be reached: nobody is"):
        RayCluster("far:1", 1)


def test_a_cluster_that_was_there_stays(ray):
    with_ours = RayCluster("far:1", 1)
    RayCluster("far:1", 1).leave()
    assert ray.up
    with_ours.leave()
    assert not ray.up


def test_actors_that_are_never_ready(ray, monkeypatch):
    crew = RayActors(RayCluster("far:1", 2), Echo, 2)
    monkeypatch.setattr(ray, "error", RayError("no room"))
    with pytest.raises(BadOption, match="the workers on the cluster can't go on: no room"):
        keep_asking(crew, ray_crew.GIVE_UP)
    crew.close()
    assert not ray.actors
    assert not ray.up


def test_no_place_for_an_actor(ray, monkeypatch):
    ray.names.clear()
    crew = RayActors(RayCluster("far:1", 1), Echo, 1)
    assert crew.finished(0) == crew.capacity() == []
    monkeypatch.setattr(ray_crew, "NOBODY_SECONDS", -1.0)
    with pytest.raises(BadOption, match=r"no place for a worker for 0 s; what was found is kept"):
        crew.finished(0)


def test_actors_keep_what_they_know(ray):
    crew = RayActors(RayCluster("far:1", 2), Echo, 3)
    crew.finished(0)
    assert crew.capacity() == [0, 1]  # for the third there is no place
    for count in (1, 2):
        crew.submit(1, b"x", 60.0)
        crew.cancel(1)
        assert crew.finished(0) == [Finished(1, b"first x %d" % count)]
    crew.submit(1, b"x", -100.0)
    ray.names.clear()  # it does not answer any more
    assert crew.finished(0) == [Finished(1, None, TOO_LONG)]
    assert 1 not in crew.actors


def test_an_actor_that_cant_be_made_says_why():
    text = ("The actor died because of an error raised in its creation task, ray::Actor.__init__()"
            "\n           ^^^^^^^\nModuleNotFoundError: No module named 'zermelo'")
    crew = object.__new__(RayActors)
    assert crew._why(RuntimeError(text)) == "ModuleNotFoundError: No module named 'zermelo'"
    assert crew._why(RuntimeError("The node died.\nMore.")) == "The node died. More"
    assert told(RayTaskError(KeyError("x"))) == "KeyError: 'x'"


def tasks(workers=None):
    return RayTasks(RayCluster("far:1", 2), Echo, workers, 1 << 30, "what is done is kept")


def test_nodes_may_come_and_go(ray, monkeypatch):
    monkeypatch.setattr(ray_crew, "LOOK_SECONDS", -1.0)
    crew = tasks()
    assert len(crew.capacity()) == 2
    ray.names.append("third")
    assert crew.finished(0) == []
    assert len(crew.capacity()) == 3
    ray.names.clear()
    crew.finished(0)
    assert crew.capacity() == []
    monkeypatch.setattr(ray_crew, "NOBODY_SECONDS", -1.0)
    with pytest.raises(BadOption, match=r"has had no place for a job for 0 s; what is done is kep"):
        crew.finished(0)
    ray.names[:] = ["first", "second"]
    assert tasks(5).count == 2
    assert len(tasks(1).capacity()) == 1


def test_tasks_end_with_their_order(ray):
    crew = tasks()
    assert (ray.reserved["num_cpus"], ray.reserved["memory"]) == (1, 1 << 30)
    one, two = crew.capacity()
    crew.submit(one, b"x", 60.0)
    assert crew.capacity() == [two]
    assert crew.finished(0) == [Finished(one, b"first x 1")]
    crew.submit(one, b"x", 60.0)
    crew.cancel(one)
    assert ray.cancelled == [1]
    ray.lost = {1}
    assert crew.finished(0) == [Finished(one, None, "the node died")]
    three, = set(crew.capacity()) - {two}
    assert three not in (one, two)
    crew.submit(three, b"x", 60.0)
    crew.expel(three)
    assert ray.cancelled == [1, 2]
    crew.submit(two, b"x", 60.0)
    crew.close()
    assert ray.cancelled == [1, 2, 3]
    assert not ray.up


def test_who_is_gone_is_not_expelled_again(crew):
    crew.expel(0)
    crew.expel(0)
    assert ready(crew, 2) == [1, 2]


@pytest.mark.parametrize("make", [
    lambda: RayActors(RayCluster("far:1", 2), Echo, 2), lambda: tasks(2)])
def test_nor_on_a_cluster(ray, make):
    crew = make()
    crew.expel(0)
    crew.expel(0)
    crew.finished(0)
    assert crew.capacity() == [1, 2]
