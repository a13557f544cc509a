"""The headline of some runs as one table for a README: ``python -m ralc.report.markdown results/mine ...``.

For every model and dataset of the runs: the original words, a constant hedge and RALC, by the headline reader, and what
RALC is beside both, paired by question. Everything comes out of the runs' ``metrics.parquet``.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ralc import io
from ralc.names import ASKED, METHODS, OPPONENTS, SIGNALS
from ralc.results.labels import QUANTITIES, in_order, label, number
from ralc.results.select import differences, graded, in_domain, main_signal, one, plain


def markdown(runs: Sequence[pd.DataFrame]) -> str:
    """Return the table of some runs, each given by its metrics, as Markdown."""
    arrows = {"lower": "↓", "higher": "↑"}
    heads = ["model, dataset (graded held-out answers)", "words"]
    heads += [f"{QUANTITIES[metric].title} {arrows[QUANTITIES[metric].better]}" for metric in ASKED]
    rows = [row for metrics in runs for row in _rows(metrics)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, ["---"] * len(heads), *rows])


def _rows(metrics: pd.DataFrame) -> Iterator[list[str]]:
    """The rows of one run: the ways to say the answers of each model and dataset, and RALC's differences."""
    single = metrics[metrics["target"] != "mean"]
    words, changes = in_domain(plain(single, space="linguistic")), in_domain(differences(single))
    for target in in_order(words["target"]):
        for dataset in in_order(words.loc[words["target"] == target, "dataset"]):
            yield from _of_dataset(*(rows[rows["target"] == target] for rows in (words, changes)), dataset)


def _of_dataset(words: pd.DataFrame, changes: pd.DataFrame, dataset: str) -> Iterator[list[str]]:
    ralc = words[(words["dataset"] == dataset) & (words["method"] == "ralc")]
    signal = main_signal(ralc)
    name = f"{ralc['target'].iloc[0]}, {label(dataset)} ({graded(ralc)['n'].max()})"
    for method in (*OPPONENTS, "ralc"):
        at = {"dataset": dataset, "method": method, "signal": signal if method == "ralc" else "none"}
        said = (
            f"**{METHODS[method].title}**, by {SIGNALS[signal].title.lower()}"
            if method == "ralc"
            else METHODS[method].title
        )
        yield [name, said.lower() if method != "ralc" else said, *_cells(words, at)]
        name = ""
    for versus in OPPONENTS:
        at = {"dataset": dataset, "method": "ralc", "signal": signal, "versus": versus}
        yield ["", f"RALC − {METHODS[versus].title.lower()}", *_cells(changes, at, signed=True)]


def _cells(rows: pd.DataFrame, at: dict[str, str], *, signed: bool = False) -> list[str]:
    """Each metric with its interval."""
    return [_cell(one(rows, metric=metric, **at), metric, signed=signed) for metric in ASKED]


def _cell(row: pd.Series | None, metric: str, *, signed: bool) -> str:
    if row is None:
        return "–"
    value = ("+" if signed and row["value"] > 0 else "") + number(row["value"], metric)
    ends = row[["ci_low", "ci_high"]].to_numpy(float)
    return f"{value} [{', '.join(number(end, metric) for end in ends)}]" if np.isfinite(ends).all() else value


if __name__ == "__main__":
    paths = [Path(folder) / "metrics.parquet" for folder in sys.argv[1:]]
    print(markdown([io.read_results({"metrics_table": path})["metrics"] for path in paths]))
