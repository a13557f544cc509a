"""What each module of rules buys: what labelled answers and human studies lose where it is switched off.

Each module is switched off in a process of its own (``--without``), so that nothing has been read before.
"""

import importlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.bench.bench_labels import pooled
from tests.bench.harness import Measurement
from tests.bench.without import NEUTRAL, switch_off


def run() -> Iterator[Measurement]:
    """The pooled accuracies and correlations with all modules, then what real answers lose without each, in points."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as apart:
        whole, *others = apart.map(measured, [None, *NEUTRAL])
        for what, value in whole.items():
            yield Measurement(f"all modules: {what}", value, "")
        for module, without in zip(NEUTRAL, others, strict=True):
            lost = {what: round(100 * (value - without[what]), 2) for what, value in whole.items()}
            answers = {what: lost.pop(f"pooled, {what}") for what in ("real", "adversarial", "pairs")}
            others_lose = ", ".join(f"{what} {points}" for what, points in [*answers.items()][1:])
            people = max(lost.values(), key=abs)
            yield Measurement(
                f"{module}: real",
                answers["real"],
                "points",
                note=f"{others_lose}; human studies {people} at most; {_lines(module)} lines",
            )


def measured(without: str | None) -> dict[str, float]:
    """The pooled accuracies and the correlations with people, without a module of rules."""
    if without:
        switch_off(without)
    from tests.bench import bench_readers

    return {one.measured: one.value for one in (*pooled(), *bench_readers.run())}


def _lines(module: str) -> int:
    home = importlib.import_module(f"ralc.{module}")
    return len(Path(str(home.__file__)).read_text(encoding="utf-8").splitlines())
