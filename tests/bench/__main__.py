"""Measure, and write one table each: ``python -m tests.bench [name ...]``; without a name, all but coverage.

``bench_<name>.py`` in this folder has ``run() -> iterable of Measurement``; its table is
``results/bench/<name>.csv``. The exit status says whether every target was met.
"""

import argparse
import importlib
import sys
from pathlib import Path

from tests.bench.harness import Measurement, line, write


def main(arguments: list[str]) -> int:
    """Take the named measurements; return 1 if a target was missed."""
    here = Path(__file__).parent
    known = sorted(path.stem.removeprefix("bench_") for path in here.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(known)}")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - set(known):
        parser.error(f"{min(unknown)!r} is not one of {', '.join(known)}")
    missed = 0
    for name in asked.names or sorted({*known} - {"coverage"}):
        print(f"-- {name}", flush=True)
        measured: list[Measurement] = []
        for measurement in importlib.import_module(f"tests.bench.bench_{name}").run():
            measured.append(measurement)
            print(line(measurement), flush=True)
        write(measured, here.parents[1] / "results" / "bench" / f"{name}.csv")
        missed += sum(measurement.met is False for measurement in measured)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
