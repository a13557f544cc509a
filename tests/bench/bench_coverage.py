"""How often 95 % intervals cover and p-values reject: every cell, and the worst, which must pass.

A cell is a world (nothing to find, a small difference, a large one), a number of questions, a concentration, and
independent questions or SQuAD's 35 articles; 2,000 sets of questions each. All cells are in results/bench/coverage.csv,
with how it goes where there are fewer articles. The primary endpoints are pooled over three datasets, the third with
articles or without; `python -m tests.bench.bench_coverage` measures them alone.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path

from tests.bench.harness import Measurement, line, write
from tests.coverage import POOLED, WORLDS, Row, simulate, simulate_pooled

QUESTIONS, CONCENTRATIONS, ARTICLES = (60, 200, 600), (3.0, 20.0, 100.0), (None, 35)
FEWER_ARTICLES = (5, 10, 15, 20, 25)
POOLED_QUESTIONS, POOLED_ARTICLES = (30, 100, 300), (None, 20)
REPEATS = 2000
COVERED, REJECTED = 0.93, 0.065

Cell = tuple[str, int, float, int | None]


def run() -> Iterator[Measurement]:
    """Every cell of the paired differences, then the worst of each metric."""
    cells = list(product(WORLDS, QUESTIONS, CONCENTRATIONS, ARTICLES))
    fewer = list(product(WORLDS, (600,), (20.0,), FEWER_ARTICLES))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        done = dict(zip(cells + fewer, pool.map(rows_of, cells + fewer), strict=True))
    for cell, rows in done.items():
        for row in rows:
            name = f"{row.metric}, {row.kind}: {cell[0]}, n {cell[1]}, k {cell[2]:g}, articles {cell[3] or 'none'}"
            yield Measurement(
                name, row.covered, "covered", note=f"rejects {row.rejected:.3f}, width {row.width:.4f}"
            )
    asked = [(cell, row) for cell in cells for row in done[cell]]
    yield from worst(asked)
    yield from pooled()


def pooled() -> Iterator[Measurement]:
    """Every cell of the primary endpoints; each must pass."""
    for name, questions, number in product(POOLED, POOLED_QUESTIONS, POOLED_ARTICLES):
        for row in simulate_pooled(name, questions, number=number, repeats=REPEATS):
            where = f"{row.metric}, {row.kind}: {name}, n {questions}, articles {number or 'none'}"
            note = f"rejects {row.rejected:.3f}, width {row.width:.4f}"
            if row.kind != "family":
                yield Measurement(f"pooled {where}", row.covered, "covered", ">=", COVERED, note=note)
            if name.startswith("null"):
                yield Measurement(f"pooled {where}", row.rejected, "of p < .05", "<", REJECTED + 1e-9)


def rows_of(cell: Cell) -> list[Row]:
    """The rows of a cell."""
    name, questions, concentration, number = cell
    return simulate(name, questions, concentration, number=number, repeats=REPEATS)


def worst(rows: list[tuple[Cell, Row]]) -> Iterator[Measurement]:
    """The least coverage and the most rejections of nothing, of each metric."""
    for metric, kind in dict.fromkeys((row.metric, row.kind) for _, row in rows):
        own = [(cell, row) for cell, row in rows if (row.metric, row.kind) == (metric, kind)]
        paired = kind == "difference"
        cell, row = min(own, key=lambda pair: pair[1].covered)
        yield Measurement(
            f"least coverage, {metric}, {kind}",
            row.covered,
            "covered",
            ">=" if paired else None,
            COVERED if paired else None,
            note=str(cell),
        )
        if paired:
            cell, row = max((p for p in own if p[0][0].startswith("null")), key=lambda pair: pair[1].rejected)
            yield Measurement(
                f"most rejections, {metric}", row.rejected, "of p < .05", "<", REJECTED + 1e-9, note=str(cell)
            )


if __name__ == "__main__":
    measured = []
    for measurement in pooled():
        measured.append(measurement)
        print(line(measurement), flush=True)
    write(measured, Path("results/bench/coverage_pooled.csv"))
