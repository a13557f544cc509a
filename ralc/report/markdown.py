"""The headline of some runs as Markdown: ``python -m ralc.report.markdown --show brief results docs/x.parquet``.

For every model and dataset of the runs: the original words, a constant hedge and RALC, by the headline reader, and what
RALC is beside both, paired by question. `brief` has a line for each, by every reader outside the loop; `verdict` what
they agree on, and whether the words are read as meant. Everything comes out of the runs' metrics: of a folder's
``metrics.parquet``, or of what ``--keep`` keeps of it, which has whole families of tests.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ralc import io
from ralc.conditions import ASKED as OF_PEOPLE
from ralc.conditions import DEFAULT, UNSCREENED
from ralc.names import ASKED, METHODS, OPPONENTS, SIGNALS
from ralc.report.tables.verdicts import agreed, conclusion, unscreened
from ralc.results.labels import QUANTITIES, in_order, label, listed, number
from ralc.results.read_as_meant import lines, read_as_meant, unscreened_lines
from ralc.results.select import differences, graded, in_domain, main_signal, one, plain, readers_outside

#: What the brief table shows of whose words; every reader gives a number its base rate alone.
_BRIEF = {
    "auroc": ("original", "constant_hedge", "ralc"),
    "brier_score": ("original", "constant_hedge", "base_rate", "ralc"),
}


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


def brief(runs: Sequence[pd.DataFrame]) -> str:
    """Return a table with a line for each model and dataset: AUROC and Brier score by each reader outside the loop.

    The last column names the metrics in which all of them say, after correction, that RALC's words are better.
    """
    readers = readers_outside(runs[0])
    arrows = {"lower": "↓", "higher": "↑"}
    heads = [f"answers (n), read by {' / '.join(readers)}"]
    for metric, methods in _BRIEF.items():
        first, *others = (METHODS[method].title for method in methods)
        heads += [f"{QUANTITIES[metric].title} {arrows[QUANTITIES[metric].better]}: {first}", *others]
    heads.append("RALC is better, all readers say")
    rows = [row for metrics in runs for row in _brief_rows(metrics)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, ["---"] * len(heads), *rows])


def _brief_rows(metrics: pd.DataFrame) -> Iterator[list[str]]:
    single, signal = metrics[metrics["target"] != "mean"], main_signal(metrics)
    read = [in_domain(plain(single, space="linguistic", reader=one)) for one in readers_outside(metrics)]
    for target in in_order(single["target"]):
        sides = agreed(metrics, signal, target=target)
        for dataset in in_order(single["dataset"]):
            at = {"target": target, "dataset": dataset}
            cells = [
                _by_each(read, at | {"metric": metric, "method": method}, signal)
                for metric, methods in _BRIEF.items()
                for method in methods
            ]
            answers = one(read[0], **at, metric="auroc", method="ralc", signal=signal)["n"]
            yield [f"{target}, {label(dataset)} ({answers})", *cells, _better(sides, dataset)]


def _by_each(read: Sequence[pd.DataFrame], at: dict[str, str], signal: str) -> str:
    """A number by each reader, or once where all give the same."""
    at = at | {"signal": signal if at["method"] == "ralc" else "none"}
    found = [one(rows, **at) for rows in read]
    shown = ["–" if row is None else number(row["value"], at["metric"]) for row in found]
    return " / ".join(dict.fromkeys(shown) if len(set(shown)) == 1 else shown)


def _better(sides: pd.DataFrame, dataset: str) -> str:
    """In what RALC's words are better than each opponent."""
    own = sides[(sides["dataset"] == dataset) & (sides["side"] == "better")]
    parts = [
        f"than the {METHODS[versus].title.lower()} in {listed([QUANTITIES[name].title for name in metrics])}"
        for versus, metrics in own.groupby("versus", sort=False)["metric"]
    ]
    return "; ".join(parts) or "nowhere"


def verdict(runs: Sequence[pd.DataFrame]) -> str:
    """Return what the readers outside the loop agree on, as a list, and how the words are read, as a table."""
    return "\n\n".join(_verdict(metrics) for metrics in runs)


def _verdict(metrics: pd.DataFrame) -> str:
    signal = main_signal(metrics)
    said = [*conclusion(agreed(metrics, signal)), *unscreened(metrics, signal)]
    read = lines(metrics, signal)
    shown = [*read, *unscreened_lines(metrics, signal)]
    datasets = list(dict.fromkeys(dataset for line in shown for dataset in line.rho))
    table = [["ρ of meant and read, by", *map(label, datasets)], ["---"] * (len(datasets) + 1)]
    table += [
        [line.who, *(f"{line.rho[d]:.2f}" if d in line.rho else "–" for d in datasets)] for line in shown
    ]
    rows = [f"| {' | '.join(cells)} |" for cells in table]
    return "\n".join([*(f"- {sentence}" for sentence in [*said, read_as_meant(read)]), "", *rows])


def kept(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that all this is made of: texts of whole datasets by their own maps."""
    own = metrics["variant"].isin([DEFAULT, UNSCREENED, OF_PEOPLE])
    own &= metrics["metric"].isin([*ASKED, "spearman_mean_hedged", "passed_rate"])
    own &= (metrics["space"] == "linguistic") & (metrics["subset"] == "all")
    return in_domain(metrics[own]).reset_index(drop=True)


def _metrics(path: Path) -> pd.DataFrame:
    table = path / "metrics.parquet" if path.is_dir() else path
    return io.read_results({"metrics_table": table})["metrics"]


SHOWN = {"headline": markdown, "brief": brief, "verdict": verdict}


def main(argv: Sequence[str] | None = None) -> str:
    """Return what the command's arguments ask for."""
    parser = argparse.ArgumentParser(
        prog="python -m ralc.report.markdown", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("runs", nargs="+", type=Path, help="folders of results, or what was kept of them")
    parser.add_argument("--show", choices=SHOWN, default="headline", help="what to print of them")
    parser.add_argument("--keep", type=Path, help="keep what all this needs of the (one) run in this file")
    arguments = parser.parse_args(argv)
    runs = [_metrics(path) for path in arguments.runs]
    if arguments.keep:
        (run,) = runs
        io.write_table(kept(run), arguments.keep, "metrics")
    return SHOWN[arguments.show](runs)


if __name__ == "__main__":
    print(main())
