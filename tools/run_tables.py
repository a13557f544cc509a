"""Print tables of some runs as Markdown: ``python -m tools.run_tables --show brief results docs/x.parquet``.

`brief` has a line for each model and dataset by the headline's evaluator, `full` one by every evaluator apart from
the loop. `baselines` has what a model wrote itself beside what RALC wrote. `verdict` has the primary endpoints, by
every evaluator. All come out of a folder's ``metrics.parquet``, or of what ``--keep`` keeps of it.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from ralc import io
from ralc.conditions import DEFAULT, POOLED, averaged, having
from ralc.registry import ASKED, METHODS
from ralc.results import (
    evaluators_of,
    in_domain,
    main_evaluator,
    main_signal,
    one,
    plain,
)
from ralc.results.holm_families import endpoints
from ralc.results.labels import QUANTITIES, in_order, label, number

#: Whose words a table shows, by which metric.
_Shown = dict[str, tuple[str, ...]]
_BRIEF: _Shown = {
    "auroc": ("original", "constant_hedge", "ralc"),
    "brier_score": ("original", "constant_hedge", "base_rate", "ralc"),
}
_BASELINES: _Shown = dict.fromkeys(_BRIEF, ("hedged_qa", "direct_beta", "ralc"))


def _difference(row: pd.Series, metric: str) -> str:
    value = ("+" if row["value"] > 0 else "") + number(row["value"], metric)
    ends = row[["ci_low", "ci_high"]].to_numpy(float)
    return f"{value} [{', '.join(number(end, metric) for end in ends)}]" if np.isfinite(ends).all() else value


def brief(runs: Sequence[pd.DataFrame], evaluators: int | None = 1, shown: _Shown = _BRIEF) -> str:
    """Return a line for each model, dataset and evaluator apart from the loop: AUROC and Brier score."""
    arrows = {"lower": "↓", "higher": "↑"}
    heads = ["answers (n)", "read by"]
    for metric, methods in shown.items():
        first, *rest = (METHODS[method].title for method in methods)
        heads += [f"{QUANTITIES[metric].title} {arrows[QUANTITIES[metric].better]}: {first}", *rest]
    return _table(heads, [row for metrics in runs for row in _rows(metrics, evaluators, shown)])


def full(runs: Sequence[pd.DataFrame]) -> str:
    """Return the lines of `brief` by every evaluator apart from the loop."""
    return brief(runs, None)


def baselines(runs: Sequence[pd.DataFrame]) -> str:
    """Return the lines of `full` of what a model wrote itself: Hedged QA and Direct Beta, beside RALC."""
    return brief(runs, None, _BASELINES)


def _apart(metrics: pd.DataFrame) -> list[str]:
    """The evaluators apart from the loop; the headline's own where there is none."""
    return evaluators_of(metrics)[1:] or [main_evaluator(metrics)]


def _rows(metrics: pd.DataFrame, evaluators: int | None, shown: _Shown) -> Iterator[list[str]]:
    single = metrics[(metrics["target"] != "mean") & ~averaged(metrics)]
    signal = main_signal(metrics)
    for target, dataset in product(in_order(single["target"]), in_order(single["dataset"])):
        for evaluator in _apart(metrics)[:evaluators]:
            read = in_domain(plain(single, space="linguistic", evaluator=evaluator))
            read = having(read, target=target, dataset=dataset)
            cells = [
                _cell(read, metric, method, signal) for metric, methods in shown.items() for method in methods
            ]
            answers = one(read, metric="auroc", method="ralc", signal=signal)["n"]
            yield [f"{target}, {label(dataset)} ({answers})", label(evaluator), *cells]


def _cell(read: pd.DataFrame, metric: str, method: str, signal: str) -> str:
    row = one(read, metric=metric, method=method, signal=signal if METHODS[method].guided else "none")
    return "–" if row is None else number(row["value"], metric)


def verdict(runs: Sequence[pd.DataFrame]) -> str:
    """Return the primary endpoints of each run, by every evaluator.

    Raises
    ------
    ValueError
        If a run has none: it was kept before they were computed.
    """
    heads = ["models (n)", "read by", "RALC against", "metric", "difference", "p", "RALC is"]
    return _table(heads, [row for metrics in runs for row in _verdict(metrics)])


def _verdict(metrics: pd.DataFrame) -> Iterator[list[str]]:
    if not (metrics["dataset"] == POOLED).any():
        raise ValueError(
            "metrics: no pooled rows, so there is no verdict: compute the metrics of the run again"
        )
    for evaluator in evaluators_of(metrics):
        for row in endpoints(metrics, evaluator).itertuples():
            p = "< 0.001" if row.p_value < 0.001 else f"{row.p_value:.3f}"
            difference = _difference(pd.Series(row._asdict()), row.metric)
            about = [f"{row.target} ({row.n})", label(evaluator), METHODS[row.versus].title.lower()]
            yield [*about, QUANTITIES[row.metric].title, difference, p, row.side]


def _table(heads: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, ["---"] * len(heads), *rows])


def kept(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that all this is made of: texts of whole datasets by their own maps, and the endpoints."""
    own = (metrics["variant"] == DEFAULT) & metrics["metric"].isin([*ASKED, "spearman_mean"])
    own &= (metrics["space"] == "linguistic") & (metrics["subset"] == "all")
    pooled = metrics["dataset"] == POOLED
    return in_domain(metrics[own & (pooled | ~averaged(metrics))]).reset_index(drop=True)


def _metrics(path: Path) -> pd.DataFrame:
    table = path / "metrics.parquet" if path.is_dir() else path
    return io.read_table(table, "metrics")


SHOWN = {"brief": brief, "full": full, "baselines": baselines, "verdict": verdict}


def main(argv: Sequence[str] | None = None) -> str:
    """Return what the command's arguments ask for."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.run_tables", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("runs", nargs="+", type=Path, help="folders of results, or what was kept of them")
    parser.add_argument("--show", choices=SHOWN, default="brief", help="what to print of them")
    parser.add_argument("--keep", type=Path, help="keep what all this needs of the (one) run in this file")
    arguments = parser.parse_args(argv)
    runs = [_metrics(path) for path in arguments.runs]
    if arguments.keep:
        (run,) = runs
        io.write_table(kept(run), arguments.keep, "metrics")
    return SHOWN[arguments.show](runs)


if __name__ == "__main__":
    print(main())
