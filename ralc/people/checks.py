"""What a reader's correlation with people does not say: whose errors it makes, and whether it reads contents.

    python -m ralc.people.checks --data DIR --journal FILE

writes ``ralc/data/reader_checks.csv`` of the packaged readers (FILE keeps the embeddings that the probe asks for):

- On `SENTENCES` of the 1,622, drawn by the seed: ``pearson`` and ``spearman_mean`` with people's scores, and
  ``error_correlation``, of a reader's errors with those of ``cues``, the reader in the loop. Two readers that err alike
  are one reader twice. (All errors share the people's own noise: GPT-5's correlate .43.)
- ``sd_within_hedge`` over `ralc.people.contents.checked`: one hedge, many contents.
- ``reliability`` there: the share of the variance of readings that lies between hedges. Its root bounds any rank
  correlation with the reader, so that a noisy reader's low one can be told from a true loss.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from ralc.beta import Beta
from ralc.people.committed import SEED
from ralc.people.contents import checked, contents
from ralc.people.packaged import read_packaged
from ralc.people.studies import read_benchmark
from ralc.people.writing import write_committed
from ralc.people.yardsticks import COLUMNS

FloatArray = NDArray[np.float64]
ONE_HEDGE, PART = "one_hedge", "tao_benchmark_part"
#: Of the 1,622, in the order of a random draw; bootstrap resamples.
SENTENCES, RESAMPLES = 800, 1000


def compared(read: FloatArray, other: FloatArray, human: FloatArray) -> dict[str, float]:
    """Correlations of a reader's means with people's, and of its errors with another reader's.

    Parameters
    ----------
    read, other, human
        Means in [0, 1] of the same texts.

    >>> human, noise = np.array([0.1, 0.5, 0.9, 0.4]), np.array([0.1, -0.1, 0.0, 0.2])
    >>> round(compared(human + noise, human + noise / 2, human)["error_correlation"], 6)
    1.0
    """
    return {
        "pearson": float(stats.pearsonr(read, human)[0]),
        "spearman_mean": float(stats.spearmanr(read, human)[0]),
        "error_correlation": float(np.corrcoef(read - human, other - human)[0, 1]),
    }


def within_hedges(read: pd.Series, hedges: pd.Series) -> tuple[float, float]:
    """SD of readings within a hedge (root mean variance), and the share of their variance between hedges.

    The variance of the hedges' means is freed of what the contents put into it.

    >>> hedges = pd.Series(["a", "a", "b", "b"])
    >>> within_hedges(pd.Series([0.2, 0.2, 0.8, 0.8]), hedges)
    (0.0, 1.0)
    """
    grouped = read.groupby(hedges.to_numpy())
    within = float(grouped.var().mean())
    between = max(float(grouped.mean().var()) - within / float(grouped.size().mean()), 0.0)
    return float(np.sqrt(within)), between / (between + within) if between + within else float("nan")


def check_rows(
    readings: Mapping[str, Mapping[str, FloatArray]], benchmark: pd.DataFrame, hedged: pd.DataFrame
) -> pd.DataFrame:
    """Rows like the human benchmark's.

    Parameters
    ----------
    readings
        By reader, the mean readings of the ``benchmark`` and of the ``hedged`` texts; ``cues`` among the readers.
    benchmark, hedged
        As `read_benchmark` and `ralc.people.contents.checked` give them.
    """
    human, n = benchmark["score"].to_numpy(), len(benchmark)
    drawn = np.random.default_rng(SEED).integers(n, size=(RESAMPLES, n))
    rows = []
    for reader, read in readings.items():
        sd, reliability = within_hedges(pd.Series(read["hedged"]), hedged["hedge"])
        rows += [
            {"dataset": ONE_HEDGE, "reader": reader, "metric": metric, "value": value, "n": len(hedged)}
            for metric, value in (("sd_within_hedge", sd), ("reliability", reliability))
        ]
        columns = np.stack([read["benchmark"], readings["cues"]["benchmark"], human])
        resampled = pd.DataFrame([compared(*columns[:, chosen]) for chosen in drawn])
        ends = resampled.quantile([0.025, 0.975]).to_numpy().T
        for (metric, value), (low, high) in zip(compared(*columns).items(), ends, strict=True):
            if reader != "cues" or metric != "error_correlation":
                about = {"dataset": PART, "reader": reader, "metric": metric, "value": value}
                rows.append({**about, "ci_low": low, "ci_high": high, "n": n})
    return pd.DataFrame(rows, columns=COLUMNS)


def measure(folder: Path, journal: Path) -> pd.DataFrame:
    """The rows of the packaged readers."""
    benchmark = read_benchmark(folder).sample(SENTENCES, random_state=SEED)
    hedged = checked(contents(folder, SEED)[1], SEED)
    texts = {"benchmark": benchmark["text"], "hedged": hedged["text"]}
    found: dict[str, dict[str, FloatArray]] = {}
    for name, asked in texts.items():
        for reader, rows in read_packaged(asked.tolist(), journal).groupby("reader", sort=False):
            means = pd.Series(Beta.from_table(rows).mean, index=rows["text"]).groupby(level=0).first()
            found.setdefault(str(reader), {})[name] = means.reindex(asked).to_numpy()
    return check_rows(found, benchmark, hedged)


def main() -> None:
    """Write the committed rows."""
    parser = argparse.ArgumentParser(prog="python -m ralc.people.checks", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the studies")
    parser.add_argument("--journal", type=Path, required=True, help="where the probe's embeddings are kept")
    arguments = parser.parse_args()
    told = [
        "Whose errors the packaged readers make, and whether they read contents, by:",
        "python -m ralc.people.checks --data DIR --journal FILE",
    ]
    write_committed("checks", measure(arguments.data, arguments.journal), told)


if __name__ == "__main__":
    main()
