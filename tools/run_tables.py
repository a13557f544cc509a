"""Print tables of some runs as Markdown: ``python -m tools.run_tables --show brief results docs/x.parquet``.

`brief` has a line for each model and dataset, `full` one by every evaluator apart from the loop. `baselines` has
what a model wrote itself beside what RALC wrote. `lost` has the Brier score of RALC's words less that of its number.
`transfer` has maps of MMLU on SQuAD's answers and the other way round, `verdict` the primary endpoints by every
evaluator. All come out of a folder's ``metrics.parquet``, or of what ``--keep`` keeps of it.
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
    one_evaluator,
)
from ralc.results.holm_families import endpoints, side
from ralc.results.labels import QUANTITIES, in_order, label, number

#: Whose words a table shows, by which metric.
_Shown = dict[str, tuple[str, ...]]
_FULL: _Shown = {
    "auroc": ("original", "constant_hedge", "ralc"),
    "brier_score": ("original", "constant_hedge", "base_rate", "ralc"),
}
_BASELINES: _Shown = dict.fromkeys(_FULL, ("hedged_qa", "direct_beta", "ralc"))
#: RALC beside the base rate as a number, in Brier score of means.
_SIDES = {"better": "better", "worse": "worse", "not shown": "not better"}
#: Whose questions fitted a map, and whose answers it is used on, as in the paper's second table.
_TRANSFERS = (("squad2", "mmlu"), ("mmlu", "squad2"))


def _difference(row: pd.Series, metric: str) -> str:
    value = ("+" if row["value"] > 0 else "") + number(row["value"], metric)
    ends = row[["ci_low", "ci_high"]].to_numpy(float)
    return f"{value} [{', '.join(number(end, metric) for end in ends)}]" if np.isfinite(ends).all() else value


def brief(runs: Sequence[pd.DataFrame]) -> str:
    """Return a line for each model and dataset: AUROC, Brier score, and whether RALC's is below the base rate's."""
    heads = ["answers (n)", "AUROC of means ↑: Original answer", "RALC", "Brier of means ↓: Original answer"]
    heads += ["Constant hedge", "Base rate as a number", "RALC", "than the base rate"]
    for evaluator in _apart(runs[0])[1:]:
        heads += [f"RALC, by the {label(evaluator)}", "than the base rate"]
    return _table(heads, [row for metrics in runs for row in _brief(metrics)])


def _brief(metrics: pd.DataFrame) -> Iterator[list[str]]:
    signal = main_signal(metrics)
    for target, dataset, readings in _readings(metrics):
        headline, *others = readings.values()
        cells = [_cell(headline, "auroc", method, signal) for method in ("original", "ralc")]
        cells += [_cell(headline, "brier_score", method, signal) for method in _FULL["brier_score"]]
        cells += [_side(headline, signal)]
        for other in others:
            cells += [_cell(other, "brier_score", "ralc", signal), _side(other, signal)]
        yield [f"{target}, {label(dataset)} ({_count(headline, signal)})", *cells]


def _side(read: pd.DataFrame, signal: str) -> str:
    """On which side of the base rate RALC is by its interval, which is not corrected for several tests."""
    row = one(read, metric="brier_score", method="ralc", signal=signal, versus="base_rate")
    return _SIDES[side(row["ci_low"], row["ci_high"], 0.0, "lower")]


def full(runs: Sequence[pd.DataFrame], shown: _Shown = _FULL) -> str:
    """Return a line for each model, dataset and evaluator apart from the loop: AUROC and Brier score."""
    arrows = {"lower": "↓", "higher": "↑"}
    heads = ["answers (n)", "read by"]
    for metric, methods in shown.items():
        first, *rest = (METHODS[method].title for method in methods)
        heads += [f"{QUANTITIES[metric].title} {arrows[QUANTITIES[metric].better]}: {first}", *rest]
    return _table(heads, [row for metrics in runs for row in _full(metrics, shown)])


def baselines(runs: Sequence[pd.DataFrame]) -> str:
    """Return the lines of `full` of what a model wrote itself: Hedged QA and Direct Beta, beside RALC."""
    return full(runs, _BASELINES)


def lost(runs: Sequence[pd.DataFrame]) -> str:
    """Return what words lose against the number that they say, a line for each model and evaluator."""
    cells = pd.DataFrame([cell for metrics in runs for cell in _lost(metrics)])
    table = cells.pivot_table("lost", ["model", "read by"], "dataset", aggfunc="first", sort=False)
    rows = [[*names, *row] for names, row in zip(table.index, table.fillna("–").to_numpy(), strict=True)]
    return _table(["model", "read by", *table.columns], rows)


def _lost(metrics: pd.DataFrame) -> Iterator[dict[str, str]]:
    signal = main_signal(metrics)
    for target, dataset, readings in _readings(metrics):
        for evaluator, read in readings.items():
            row = one(read, metric="brier_score", method="ralc", signal=signal, versus="signal")
            names = {"model": target, "read by": label(evaluator), "dataset": label(dataset)}
            yield names | {"lost": _difference(row, "brier_score")}


def transfer(runs: Sequence[pd.DataFrame]) -> str:
    """Return what RALC's words gain with the map of another dataset: beside the original's, and their own map's."""
    metrics = ("faithfulness_divergence", "generalised_ece", "brier_score")
    heads = ["map of; answers (n)"]
    for metric in metrics:
        heads += [f"{QUANTITIES[metric].title}: less the original's", "less its own map's"]
    return _table(heads, [row for run in runs for row in _transfer(run, metrics)])


def _transfer(run: pd.DataFrame, metrics: Sequence[str]) -> Iterator[list[str]]:
    crossed = _crossed(run)
    own = run[crossed & (run["signal"] == main_signal(run)) & (run["method"] == "ralc")]
    for target, (train, dataset) in product(in_order(own["target"]), _TRANSFERS):
        read = having(own, target=target, train=train, dataset=dataset, evaluator=main_evaluator(run))
        rows = [
            one(read, metric=metric, versus=versus)
            for metric in metrics
            for versus in ("original", "in_domain")
        ]
        about = f"{target}: {label(train)}; {label(dataset)} ({rows[0]['n']})"
        yield [about, *map(_difference, rows, np.repeat(metrics, 2))]


def _crossed(metrics: pd.DataFrame) -> pd.Series:
    """Which rows are of a transfer, of single models."""
    places = pd.MultiIndex.from_frame(metrics[["train", "dataset"]]).isin(_TRANSFERS)
    return _whole(metrics) & places & (metrics["target"] != "mean")


def _whole(metrics: pd.DataFrame) -> pd.Series:
    """Which rows are of the words of whole datasets, by the default variant."""
    words = (metrics["variant"] == DEFAULT) & (metrics["space"] == "linguistic")
    return words & (metrics["subset"] == "all")


def _apart(metrics: pd.DataFrame) -> list[str]:
    """The evaluators apart from the loop; the headline's own where there is none."""
    return evaluators_of(metrics)[1:] or [main_evaluator(metrics)]


def _readings(metrics: pd.DataFrame) -> Iterator[tuple[str, str, dict[str, pd.DataFrame]]]:
    """Each model and dataset, with what every evaluator apart from the loop read, the headline's first."""
    single = in_domain(metrics[_whole(metrics) & (metrics["target"] != "mean") & ~averaged(metrics)])
    for target, dataset in product(in_order(single["target"]), in_order(single["dataset"])):
        own = having(single, target=target, dataset=dataset)
        if len(own):
            yield target, dataset, {name: one_evaluator(own, name) for name in _apart(metrics)}


def _full(metrics: pd.DataFrame, shown: _Shown) -> Iterator[list[str]]:
    signal = main_signal(metrics)
    for target, dataset, readings in _readings(metrics):
        for evaluator, read in readings.items():
            cells = [
                _cell(read, metric, method, signal) for metric, methods in shown.items() for method in methods
            ]
            yield [f"{target}, {label(dataset)} ({_count(read, signal)})", label(evaluator), *cells]


def _count(read: pd.DataFrame, signal: str) -> int:
    return one(read, metric="auroc", method="ralc", signal=signal, versus="none")["n"]


def _cell(read: pd.DataFrame, metric: str, method: str, signal: str) -> str:
    own = signal if METHODS[method].guided else "none"
    row = one(read, metric=metric, method=method, signal=own, versus="none")
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
    """Return the rows that all this is made of: texts by their own maps, the endpoints and the transfers."""
    own = _whole(metrics) & metrics["metric"].isin([*ASKED, "spearman_mean"])
    pooled = metrics["dataset"] == POOLED
    own = in_domain(metrics[own & (pooled | ~averaged(metrics))])
    crossed = metrics[_crossed(metrics) & metrics["metric"].isin(ASKED)]
    return pd.concat([own, crossed], ignore_index=True)


def _metrics(path: Path) -> pd.DataFrame:
    table = path / "metrics.parquet" if path.is_dir() else path
    return io.read_table(table, "metrics")


SHOWN = {show.__name__: show for show in (brief, full, baselines, lost, transfer, verdict)}


def main(argv: Sequence[str] | None = None) -> str:
    """Return what the command's arguments ask for."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.run_tables", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("runs", nargs="+", type=Path, help="folders of results, or what was kept of them")
    parser.add_argument("--show", choices=SHOWN, default="brief", help="what to print of them")
    parser.add_argument("--keep", type=Path, help="keep what all this needs of the runs in this file")
    arguments = parser.parse_args(argv)
    runs = [_metrics(path) for path in arguments.runs]
    if arguments.keep:
        io.write_table(pd.concat(map(kept, runs), ignore_index=True), arguments.keep, "metrics")
    return SHOWN[arguments.show](runs)


if __name__ == "__main__":
    print(main())
