"""Mutation testing of the checker of certificates: ``make mutants``.

Its modules are changed in one place at a time. Each change must make one of the tests fail that
reach its line, or be known to make no difference: ``mutation.txt`` has reasons, and below each the
changes it is for. Tests are collected once; a mutant is judged in a fork of that process, where
the functions of its module are given the changed code.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).parents[1]
PROOF = ROOT / "src" / "zermelo" / "proof"
KNOWN = Path(__file__).with_suffix(".txt")
COMPARED = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,)}
COMBINED = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.FloorDiv: (ast.Mod,),
    ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,), ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,), ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr, ast.BitAnd)}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
TRUE, FALSE = ast.Constant(True), ast.Constant(False)
REMOVED = ast.Expr | ast.Raise | ast.Assign | ast.AugAssign | ast.Continue | ast.Break
CONTEXT = 30  # signs before and after a change that name it
MEMORY = 2 << 30  # bytes that a mutant may take
SECONDS, TIMES = 2, 10  # of processor time for a test, beside as often as it takes otherwise
SURVIVED, KILLED = 0, 1


def variants(node: Any, field: str) -> Iterator[ast.AST]:
    """Yield the expressions and statements that take the place of ``node``."""
    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                for new in COMPARED[type(op)]:
                    yield ast.Compare(node.left, [*ops[:i], new(), *ops[i + 1 :]],
                                      node.comparators)
        case ast.BoolOp(values=values):
            yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), values)
            for i in range(len(values)):
                rest = values[:i] + values[i + 1 :]
                yield ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0]
        case ast.BinOp():
            for new in COMBINED[type(node.op)]:
                yield ast.BinOp(node.left, new(), node.right)
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield from (ast.Constant(node.value + 1), ast.Constant(node.value - 1))
        case ast.Constant(value=str()) if field in ("comparators", "left"):
            yield ast.Constant(node.value[1:])
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            yield ast.Call(ast.Name(CALLED[name], ast.Load()), node.args, node.keywords)
        case ast.IfExp():
            yield from (node.body, node.orelse)
        case ast.Slice():
            yield from (ast.Slice(*ends, node.step) for ends in (
                (None, node.upper), (node.lower, None)))
        case ast.comprehension(ifs=[_, *_]):
            yield ast.comprehension(node.target, node.iter, [], node.is_async)
        case ast.If():
            yield from (ast.If(value, node.body, node.orelse) for value in (TRUE, FALSE))
        case ast.While(test=ast.expr()) if not isinstance(node.test, ast.Constant):
            yield ast.While(FALSE, node.body, node.orelse)
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            yield ast.If(TRUE, [ast.Return(ast.Constant(None)), node], [])
    match node:  # two arguments, or elements, that have changed places
        case ast.Call(args=[one, other, *rest]) if ast.unparse(node.func) not in CALLED:
            yield ast.Call(node.func, [other, one, *rest], node.keywords)
        case ast.Tuple(elts=[one, other, *rest], ctx=ast.Load()) if field not in (
                "comparators", "iter"):
            yield ast.Tuple([other, one, *rest], ast.Load())
        case _ if isinstance(node, REMOVED):
            yield ast.If(FALSE, [node], [])  # names belong to the scopes that they had


@dataclass
class Mutant:
    """A change of a module: ``new`` for ``old`` in a field of ``parent``."""

    path: Path
    function: str  # empty for what happens at import
    statement: ast.stmt
    parent: ast.AST
    field: str
    index: int | None
    old: ast.AST
    new: ast.AST

    def put(self, node: ast.AST) -> None:
        """Put ``node`` into its place."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node

    @property
    def key(self) -> str:
        """The function, and in the head of the statement what is changed."""
        before = head(self.statement)
        self.put(self.new)
        after = head(self.new if self.old is self.statement else self.statement)
        self.put(self.old)
        place = f"{self.path.relative_to(PROOF)} {self.function or 'import'}"
        return f"{place}: {changed(before, after)}".strip()

    @property
    def lines(self) -> range:
        """The lines of the statement, or of its head."""
        begin = self.statement.lineno
        body = getattr(self.statement, "body", None)
        return range(begin, max(begin, body[0].lineno - 1 if body else
                                self.statement.end_lineno or 0) + 1)

    def apply(self, tree: ast.Module) -> None:
        """Change the module with this tree, in this process."""
        self.put(self.new)
        raising = sys.modules["raising"]  # with which the tests load the package
        tree = raising.Notes(str(self.path.relative_to(PROOF.parent))).visit(tree)
        module = next(each for each in list(sys.modules.values())
                      if getattr(each, "__file__", None) == str(self.path))
        names = {"__name__": module.__name__, "__file__": module.__file__}
        exec(compile(ast.fix_missing_locations(tree), str(self.path), "exec",
                     dont_inherit=True), names)
        graft(module, names, module.__name__, not self.function)


def head(statement: ast.AST) -> str:
    """Return the first line of a statement, and what follows where it is always or never done."""
    lines = ast.unparse(ast.fix_missing_locations(copy.deepcopy(statement))).split("\n")
    return " ".join(map(str.strip, lines[: 1 + (lines[0] in ("if True:", "if False:"))]))


def common(one: str, other: str) -> int:
    """Return how many signs are the same at the beginning of two texts."""
    shorter = min(len(one), len(other))
    return next((i for i in range(shorter) if one[i] != other[i]), shorter)


def changed(before: str, after: str) -> str:
    """Return where two texts differ, as ``before {old => new} after``."""
    same = common(before, after)
    end = common(before[same:][::-1], after[same:][::-1])
    old, new = (text[same : len(text) - end] for text in (before, after))
    return f"{before[max(0, same - CONTEXT) : same]}{{{old} => {new}}}" \
           f"{before[len(before) - end :][:CONTEXT]}"


def mutants_of(path: Path, parent: ast.AST, function: str = "", statement: Any = None,
               inside: bool = False) -> Iterator[Mutant]:
    """Yield the mutants of a module, or of a part of it."""
    for field, value in ast.iter_fields(parent):
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or of_words(parent, field, node):
                continue
            name, within = function, inside
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                name = f"{function}.{node.name}".lstrip(".")
                within = isinstance(node, ast.FunctionDef)
            here = node if isinstance(node, ast.stmt) else statement
            if within or not isinstance(node, ast.Assign):
                yield from (Mutant(path, name if inside else "", here, parent, field, index, node,
                                   ast.copy_location(new, node)) for new in variants(node, field)
                            if ast.unparse(new) != ast.unparse(node))
            yield from mutants_of(path, node, name, here, within)


def of_words(parent: ast.AST, field: str, node: ast.AST) -> bool:
    """Return True for documentation, types, decorators, imports, and messages of errors."""
    return (field in ("annotation", "returns", "decorator_list", "format_spec")
            or isinstance(node, ast.Import | ast.ImportFrom) or isinstance(parent, ast.Raise)
            or (isinstance(parent, ast.ExceptHandler) and field == "type")
            or (isinstance(node, ast.keyword) and node.arg == "strict")
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"))


def graft(old: Any, new: dict[str, Any], module: str, values: bool) -> None:
    """Give functions the code of new ones; with ``values``, change the constants, too."""
    for name, value in new.items():
        there = vars(old).get(name)
        mine, theirs = function_of(there), function_of(value)
        if isinstance(value, type) and value.__module__ == module:
            graft(there, dict(vars(value)), module, values)
        elif mine is not None and theirs is not None:
            if mine.__module__ == module:
                mine.__code__, mine.__defaults__ = theirs.__code__, theirs.__defaults__
                mine.__kwdefaults__ = theirs.__kwdefaults__
        elif values and not name.startswith("_"):
            if isinstance(old, type):
                setattr(old, name, value)
                continue
            for each in list(sys.modules.values()):  # wherever it was imported
                if isinstance(each, ModuleType) and vars(each).get(name, new) is there:
                    setattr(each, name, value)


def function_of(value: Any) -> Any:
    """Return the function in a method, a property or a cache; None for anything else."""
    for name in ("fget", "func", "__func__", "__wrapped__"):
        value = getattr(value, name, value)
    return value if isinstance(value, FunctionType) else None


class Judge:
    """A plugin of pytest: runs all tests once, then for each mutant those that reach it.

    ``seconds``: how long the tests of a mutant may take together; the quickest are taken.
    """

    def __init__(self, paths: list[Path], seconds: float) -> None:
        self.paths, self.seconds = paths, seconds
        self.reached: dict[tuple[str, int], set[int]] = defaultdict(set)  # by tests, as numbers
        self.cost: dict[int, float] = {}
        self.killers: dict[str, Counter[int]] = defaultdict(Counter)
        self.output = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
        self.known = Counter(line.strip() for line in KNOWN.read_text().splitlines()
                             if line.startswith("  "))
        self.new = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge all mutants."""
        self.watch(session.items)
        for path in self.paths:
            tree = ast.parse(path.read_text())
            mutants = [(mutant, mutant.key) for mutant in mutants_of(path, tree)]
            same = Counter(key for _, key in mutants) & self.known
            total, killed = len(mutants), 0
            for mutant, key in mutants:
                if self.judge(mutant, tree, session.items) == KILLED:
                    killed += 1
                elif self.known[key]:
                    self.known[key] -= 1
                else:
                    self.new += 1
                    self.note(f"survives: {key}")
            self.note(f"{path.name}: {total} mutants, {killed} killed, {sum(same.values())} known")
        return True

    def note(self, line: str) -> None:
        """Print a line, whatever pytest captures."""
        print(line, file=self.output)

    def watch(self, items: list[pytest.Item]) -> None:
        """Run all tests; note the lines that they reach, then what they cost without that."""
        files = {str(path) for path in self.paths}

        def tracer(frame: Any, event: str, _: Any) -> Any:
            file = frame.f_code.co_filename
            if file not in files:
                return None
            self.reached[file, frame.f_lineno].add(number)
            return tracer

        following = [*items[1:], None]
        for number, item in enumerate(items):
            sys.settrace(tracer)
            run(item, following[number])
            sys.settrace(None)
        for number, item in enumerate(items):
            begin = time.process_time()
            if run(item, following[number]):
                self.cost[number] = time.process_time() - begin
            else:
                self.note(f"fails without a change: {item.nodeid}")

    def tests(self, mutant: Mutant) -> list[int]:
        """Return the tests that reach a mutant, the likely and quick ones first."""
        file, killers = str(mutant.path), self.killers[mutant.function]
        found = {number for (where, line), numbers in self.reached.items() if where == file
                 and (not mutant.function or line in mutant.lines) for number in numbers}
        order, left = [], self.seconds
        for number in sorted(found & self.cost.keys(),
                             key=lambda n: self.cost[n] / (1 + killers[n])):
            left -= self.cost[number]
            if left >= 0:
                order.append(number)
        return order

    def judge(self, mutant: Mutant, tree: ast.Module, items: list[Any]) -> int:
        """Run tests on a mutant, in another process."""
        numbers = self.tests(mutant)
        receive, send = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            try:
                limit_memory()
                mutant.apply(tree)
                for number, then in zip(numbers, [*numbers[1:], None], strict=True):
                    os.write(send, number.to_bytes(4, "big"))
                    signal.setitimer(signal.ITIMER_PROF, SECONDS + TIMES * self.cost[number])
                    if not run(items[number], None if then is None else items[then]):
                        break
                else:
                    os._exit(SURVIVED)
            finally:
                os._exit(KILLED)
        os.close(send)
        deadline = time.monotonic() + 60 + TIMES * sum(self.cost[number] for number in numbers)
        while not (done := os.waitpid(child, os.WNOHANG))[0]:
            time.sleep(0.002)
            if time.monotonic() > deadline:
                os.killpg(child, signal.SIGKILL)
        with os.fdopen(receive, "rb") as pipe:
            last = pipe.read()[-4:]
        if done[1] and last:
            self.killers[mutant.function][int.from_bytes(last, "big")] += 1
        return KILLED if done[1] else SURVIVED


def limit_memory() -> None:
    """Let this process take ``MEMORY`` bytes more than it has."""
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, taken + MEMORY))


def run(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Run a test; return False if it fails."""
    reports = runtestprotocol(item, nextitem=following, log=False)
    return not any(report.failed for report in reports)


def main() -> int:
    """Judge the mutants of some files; return 1 if one survives that is not known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="modules below src/zermelo/proof; "
                        "if none, check.py and all of rules/")
    parser.add_argument("--seconds", type=float, default=10, help="of the tests of one mutant")
    given = parser.parse_args()
    files = given.files or [PROOF / "check.py", *sorted((PROOF / "rules").glob("*.py"))]
    judge = Judge([path.resolve() for path in files], given.seconds)
    pytest.main(["tests/proof", "tests/core/test_plain_games.py", "-p", "no:cacheprovider",
                 "-m", "not full and not long"], plugins=[judge])
    return int(judge.new > 0)


if __name__ == "__main__":
    sys.exit(main())
