"""The measured rows that the package carries, so that a report without the studies still shows them.

    python -m ralc.people --data DIR

reads the studies in DIR with the packaged readers and writes ``ralc/data/human_benchmark.csv`` and
``human_benchmark_points.csv``, with their provenance in the first lines. Run it after each change of a reader.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from ralc import data
from ralc.io import write_text
from ralc.people.points import benchmark_points
from ralc.people.studies import PROVENANCE
from ralc.people.yardsticks import benchmark_texts, human_benchmark
from ralc.pipeline.reading import read
from ralc.pipeline.texts import list_texts

FILES = {
    "human_benchmark": data.path("human_benchmark.csv"),
    "human_benchmark_points": data.path("human_benchmark_points.csv"),
    "refits": data.path("human_refits.csv"),
    "few_shot": data.path("human_few_shot.csv"),
}
USED = ("tao2025", "capphrase", "wadefagen", "zonination")
SEED = 2026
DIGITS = 5


def load_committed(table: str) -> pd.DataFrame:
    """A committed table, by its name.

    ``human_benchmark`` (as `human_benchmark` gives), ``human_benchmark_points``, ``refits`` and ``few_shot``.

    The last two are rows like the benchmark's, written by `ralc.people.refits` and `ralc.people.few_shot`.

    Raises
    ------
    ValueError
        If another table is asked for.

    >>> load_committed("human_benchmark")["reader"].isin(["cues", "judge"]).any()
    np.True_
    """
    if table not in FILES:
        raise ValueError(f"no committed table {table!r}: choose one of {', '.join(FILES)}")
    return pd.read_csv(FILES[table], comment="#")


def with_committed(rows: pd.DataFrame, measured: str) -> pd.DataFrame:
    """The benchmark's rows, `measured` in this run or beforehand, and below them the committed rows of other scripts.

    These are the refits of the packaged reader, which no run makes anew, and the few-shot reader, unless the run
    measured it itself.
    """
    parts = [load_committed(table).assign(measured="beforehand") for table in ("refits", "few_shot")]
    known = set(rows["reader"])
    parts = [part for part in parts if not ("few_shot" in known and "few_shot" in set(part["reader"]))]
    return pd.concat([rows.assign(measured=measured), *parts], ignore_index=True)


def measure(folder: Path, *, resamples: int = 1000, seed: int = SEED) -> dict[str, pd.DataFrame]:
    """Both tables of the packaged readers, measured on the studies in `folder`."""
    packaged = {name: {"method": name} for name in ("cues", "judge")}
    readings = read(list_texts(benchmark_texts(folder)), packaged)
    rows = human_benchmark(readings, folder, resamples=resamples, rng=np.random.default_rng(seed))
    return {"human_benchmark": rows, "human_benchmark_points": benchmark_points(readings, folder)}


def main() -> None:
    """Measure the packaged readers and write the committed tables."""
    parser = argparse.ArgumentParser(prog="python -m ralc.people", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the studies")
    arguments = parser.parse_args()
    head = ["Readers against human studies, by: python -m ralc.people --data DIR", f"Seed {SEED}."]
    head += [f"{study}: {PROVENANCE[study]}" for study in USED]
    for name, table in measure(arguments.data).items():
        lines = "".join(f"# {line}\n" for line in head)
        write_text(lines + table.round(DIGITS).to_csv(index=False, lineterminator="\n"), FILES[name])
