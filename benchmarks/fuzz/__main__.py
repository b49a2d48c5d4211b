"""Fuzz the readers, one after the other, guided by what they run through.

    python -m benchmarks.fuzz --minutes 30 --target certificates
    python -m benchmarks.fuzz --replay tests/data/fuzz/certificates/FILE

It needs Atheris (the extra ``fuzz``, for Linux). The inputs to begin with are in
``tests/data/fuzz``; those that reach something new are added in ``.cache/fuzz``, and what a reader
must not do is kept there too, each finding once, with a text that says what happened.
"""

import argparse
import hashlib
import os
import random
import subprocess
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from benchmarks.soak.case import NO_COMPILER, Stuck, patience

ROOT = Path(__file__).parents[2]
SEEDS, WORK = ROOT / "tests" / "data" / "fuzz", ROOT / ".cache" / "fuzz"
NAMES = ("certificates", "problems", "messages", "journals", "checkpoints",
         "records", "protocols")
SECONDS = 30.0  # of the processor for one input
MEMORY = 1 << 32  # bytes of address space for all that is not collected yet
LONGEST = 16_384  # bytes of an input
BY_BYTES = 0.5  # the part of the changes that know nothing of what an input is
# What these targets run and others watch: searches as plain Python take long enough.
COMPILING = ("zermelo.compiler", "zermelo.kernel")
NOT_WATCHED = {"journals": ("zermelo.search", "zermelo.games", *COMPILING),
               "checkpoints": ("zermelo.games", *COMPILING),
               "records": ("zermelo.search", *COMPILING),
               "protocols": ("zermelo.search", *COMPILING)}
FOUND = 3  # the status of a run with findings


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0, help="for each target")
    parser.add_argument("--target", choices=NAMES, help="this one alone")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other inputs")
    parser.add_argument("--replay", type=Path, metavar="FILE",
                        help="one input again; its directory names the target")
    parser.add_argument("--merge", action="store_true",
                        help="instead of fuzzing, add the smallest new inputs that reach all that "
                        "was reached to tests/data/fuzz")
    return parser.parse_args()


def kept(name: str, data: bytes, error: BaseException) -> None:
    """Keep a finding, unless there is one that ends in the same way."""
    frames = [each for each in traceback.extract_tb(error.__traceback__)
              if "zermelo" in each.filename] or traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    about = type(error).__name__ if place and not str(error).startswith("a ") else str(error)[:40]
    path = WORK / name / "found" / hashlib.sha256(f"{about} {place}".encode()).hexdigest()[:12]
    if path.exists() and path.stat().st_size <= len(data):
        return
    if not path.exists():
        print(f"\nfinding in {name}: {type(error).__name__}: {str(error)[:300]} at {place}: {path}",
              file=sys.stderr, flush=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    text = "".join(traceback.format_exception(error))
    path.with_suffix(".txt").write_text(text, errors="backslashreplace")


def fuzz(name: str, given: argparse.Namespace) -> NoReturn:
    """Fuzz a target in this process, which ends with that."""
    import atheris

    os.environ[NO_COMPILER] = "1"
    # What is imported later is watched too.
    with atheris.instrument_imports(include=["zermelo"], exclude=[*NOT_WATCHED.get(name, [])]):
        _fuzz(atheris, name, given)
    sys.exit()


def _fuzz(atheris: Any, name: str, given: argparse.Namespace) -> None:
    from benchmarks.fuzz.targets import TARGETS, read
    from zermelo.workers.memory_limit import limit_memory

    change = TARGETS[name].change

    def one(data: bytes) -> None:
        try:
            with patience(SECONDS):
                read(name, data)
        except (Exception, Stuck) as error:
            kept(name, data, error)

    def changed(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if rng.random() >= BY_BYTES:
            with suppress(Exception):  # what can't be changed in this way is changed by bytes
                return change(data, rng)[:most]
        return bytes(atheris.Mutate(data, most))

    new = WORK / name / "new"
    new.mkdir(parents=True, exist_ok=True)
    words = [sys.argv[0], f"-max_len={LONGEST}", "-timeout=120", "-rss_limit_mb=6000",
             "-print_final_stats=1", f"-seed={given.seed}", f"-artifact_prefix={WORK / name}/"]
    if given.merge:
        words += ["-merge=1", str(SEEDS / name), str(new)]
    else:
        words += [f"-max_total_time={int(given.minutes * 60)}", str(new), str(SEEDS / name)]
    atheris.Setup(words, one, **({} if given.merge else {"custom_mutator": changed}))
    limit_memory(MEMORY)
    atheris.Fuzz()


def findings(name: str) -> list[Path]:
    """The inputs that were kept."""
    return sorted(path for path in (WORK / name / "found").glob("*") if not path.suffix)


def replay(path: Path) -> int:
    """One input again; 1 if something is wrong with it."""
    from benchmarks.fuzz.targets import read

    name, = set(path.absolute().parts) & set(NAMES)
    with patience(SECONDS):
        read(name, path.read_bytes())
    print("nothing is wrong with it")
    return 0


def main() -> int:
    given = arguments()
    if given.replay:
        return replay(given.replay)
    if given.target:
        fuzz(given.target, given)
    for name in NAMES:
        print(f"--- {name}, {given.minutes:g} minutes", file=sys.stderr, flush=True)
        words: list[Any] = ["--target", name, "--minutes", given.minutes, "--seed", given.seed]
        subprocess.run([sys.executable, "-m", "benchmarks.fuzz", *map(str, words),
                        *["--merge"] * given.merge], cwd=ROOT, check=True)
    found = [path for name in NAMES for path in findings(name)]
    print(f"{len(found)} findings", *found, sep="\n")
    return FOUND if found else 0


if __name__ == "__main__":
    sys.exit(main())
