"""The few calls of Ray that jobs need, in this process: a cluster of nodes that can be lost.

Jobs run in real host processes, as on a real node, one after the other. ``lab/test_lab_ray.py`` has
the same with Ray itself.
"""

from types import SimpleNamespace

from zermelo.jobs import hire


class RayError(Exception):
    """Something of the cluster was lost."""


class RayTaskError(RayError):
    """What was called has raised an error."""

    def __init__(self, cause):
        super().__init__("Traceback:\n  a long one")
        self.cause = cause


class SmallRay:
    """``nodes``: processors by name of node. ``lost``: the numbers of the calls that are lost with
    their node; a number that is not there is done."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, nodes=("first", "second"), memory=8 << 30, lost=(), monkeypatch=None):
        self.names, self.memory, self.lost = list(nodes), memory, set(lost)
        self.monkeypatch, self.calls, self.cancelled, self.up = monkeypatch, [], [], False
        self.error, self.actors = None, []

    def is_initialized(self):
        return self.up

    def init(self, **options):
        self.options, self.up = options, True

    def shutdown(self):
        self.up = False

    def nodes(self):
        return [{"Alive": True, "Resources": {"CPU": 1.0, "memory": float(self.memory)}}
                for _ in self.names] + [{"Alive": False, "Resources": {}}]

    def remote(self, **options):
        self.reserved = options
        return lambda function: SimpleNamespace(
            remote=lambda *arguments: (self._actor if isinstance(function, type) else self._begin)(
                function, arguments))

    def _begin(self, function, arguments):
        self.calls.append((function, arguments))
        return len(self.calls) - 1

    def _actor(self, kind, arguments):
        """It gets the place of a node, if there is one."""
        made = SmallActor(self, kind, arguments)
        self.actors.append(made)
        return made

    def kill(self, actor, no_restart):
        self.actors.remove(actor)

    def lose_node(self):
        """The last node goes, with the actor that is there."""
        self.names.pop()
        self.actors[len(self.names)].gone = True

    def _there(self, reference):
        actor = getattr(self.calls[reference][0], "actor", None)
        return actor is None or actor.gone or actor in self.actors[:len(self.names)]

    def wait(self, references, num_returns, timeout):
        """Of jobs one is ready at a time, so that others are still under way."""
        ready = [one for one in references if self._there(one)]
        ready = ready[:num_returns if self.actors else 1]
        return ready, [one for one in references if one not in ready]

    def get(self, reference):
        """Do it now, on one node after the other."""
        if self.error is not None:
            raise self.error
        function, arguments = self.calls[reference]
        actor = getattr(function, "actor", None)
        if reference in self.lost or (actor is not None and actor.gone):
            raise RayError("the node died.\nmore about it")
        name = self.names[reference % len(self.names)]
        if self.monkeypatch is not None:
            self.monkeypatch.setattr(hire, "environment", lambda: {**MACHINE, "cpu": name})
        return function(*arguments)

    def cancel(self, reference, force):
        self.cancelled.append(reference)


class SmallActor:
    """An object that is made when it is first called, and whose methods are called by way of
    Ray."""

    def __init__(self, ray, kind, arguments):
        self.ray, self.kind, self.arguments = ray, kind, arguments
        self.gone, self.made = False, None

    def __getattr__(self, name):
        def method(*arguments):
            if self.made is None:
                self.made = self.kind(*self.arguments)
            return getattr(self.made, name)(*arguments)

        method.actor = self
        return SimpleNamespace(remote=lambda *arguments: self.ray._begin(method, arguments))


MACHINE = hire.environment()
