"""What an evaluator's correlation with people does not say: whose errors it makes, and whether it reads contents.

    python -m studies.checks --data DIR --journal FILE

writes ``ralc/data/evaluator_checks.csv`` of the packaged evaluators (FILE keeps the embeddings that they ask
for):

- On the 1,622 sentences: ``pearson`` and ``spearman_mean`` with people's scores, and
  ``error_correlation``, of an evaluator's errors with those of ``cue_model``, the selection evaluator. Two
  evaluators that err alike are one evaluator twice. (All errors share the people's own noise: GPT-5's correlate 0.43.)
- ``sd_within_hedge`` over `studies.contents.checked`: one hedge, many contents.
- ``hedge_slope`` and ``low_error``: every usable hedge of the lexicon in two short answers, by two evaluators of
  people's figures. The other is ``cue_model_b``, for which it is ``cue_model``. They are the slope of one on the
  other, and the mean error of hedges that mean at most 0.3. Hardly any of these hedges is taught.
- ``reliability`` there: the share of the variance of readings that lies between hedges. Its root bounds any rank
  correlation with the evaluator, so that a noisy evaluator's low one can be told from a true loss.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ralc.beta import Beta
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.english import place_hedge
from ralc.human_benchmark import COLUMNS, benchmark_rows
from ralc.human_benchmark.studies import read_benchmark
from ralc.statistics import Statistic, pearson, spearman
from studies import study_folder
from studies.contents import checked, contents
from studies.packaged import read_packaged
from studies.writing import SEED, write_committed

FloatArray = NDArray[np.float64]
ONE_HEDGE = "one_hedge"
SENTENCES = "tao_benchmark_errors"
EACH_HEDGE = "each_hedge"
#: What hedges are put into, and what counts as low.
ANSWERS = ("It is Lima.", "The answer is 374.")
LOW = 0.3
RESAMPLES = 1000


def compared(read: FloatArray, human: FloatArray, other: FloatArray | None = None) -> dict[str, Statistic]:
    """Return correlations of an evaluator's means with people's, and of its errors with another evaluator's.

    Parameters
    ----------
    read, human, other
        Means in [0, 1] of the same texts: the evaluator's, people's, the other evaluator's.

    Examples
    --------
    >>> human, noise = np.array([0.1, 0.5, 0.9, 0.4]), np.array([0.1, -0.1, 0.0, 0.2])
    >>> round(compared(human + noise, human, human + noise / 2)["error_correlation"].value, 6)
    1.0
    """
    figures = {"pearson": pearson(read, human), "spearman_mean": spearman(read, human)}
    return figures if other is None else figures | {"error_correlation": pearson(read - human, other - human)}


def within_hedges(read: pd.Series, hedges: pd.Series) -> tuple[float, float]:
    """Return the SD of readings within a hedge (root mean variance), and the share of their variance between hedges.

    The variance of the hedges' means is freed of what the contents put into it.

    >>> hedges = pd.Series(["a", "a", "b", "b"])
    >>> within_hedges(pd.Series([0.2, 0.2, 0.8, 0.8]), hedges)
    (0.0, 1.0)
    """
    grouped = read.groupby(hedges.to_numpy())
    within = float(grouped.var().mean())
    between = max(float(grouped.mean().var()) - within / float(grouped.size().mean()), 0.0)
    return float(np.sqrt(within)), between / (between + within) if between + within else float("nan")


def over_hedges(read: FloatArray, meant: FloatArray) -> dict[str, float]:
    """Return the slope of mean readings of hedges on what they mean, and their mean absolute error where that is low.

    >>> over_hedges(np.array([0.3, 0.4, 0.7]), np.array([0.1, 0.3, 0.9]))
    {'hedge_slope': 0.5, 'low_error': 0.15}
    """
    low = meant <= LOW
    slope = float(np.polyfit(meant, read, 1)[0])
    return {"hedge_slope": round(slope, 5), "low_error": round(float(np.abs(read - meant)[low].mean()), 5)}


def hedge_rows(readings: pd.DataFrame, hedged: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `over_hedges` for each evaluator, from its readings of the texts of `plain_hedges`."""
    means = readings.assign(mean=Beta.from_table(readings).mean).drop_duplicates(["text", "evaluator"])
    texts = hedged.merge(means[["text", "evaluator", "mean"]], on="text")
    by_hedge = texts.groupby(["hedge", "evaluator"])["mean"].mean().unstack()  # noqa: PD010
    rows = []
    for evaluator in by_hedge:
        meant = by_hedge["cue_model" if evaluator == "cue_model_b" else "cue_model_b"]
        figures = over_hedges(by_hedge[evaluator].to_numpy(), meant.to_numpy())
        rows += [
            {
                "dataset": EACH_HEDGE,
                "evaluator": evaluator,
                "metric": metric,
                "value": value,
                "n": len(by_hedge),
            }
            for metric, value in figures.items()
        ]
    return pd.DataFrame(rows, columns=COLUMNS)


def plain_hedges() -> pd.DataFrame:
    """Return every usable hedge of the built-in lexicon in its plainest place in two short answers: ``hedge, text``."""
    lexicon = built_in_lexicon(voice="all").usable().table
    return pd.DataFrame(
        [
            (entry.expression, place_hedge(entry.expression, entry.frame, answer)[0])
            for entry in lexicon.itertuples()
            for answer in ANSWERS
        ],
        columns=["hedge", "text"],
    )


def check_rows(
    readings: Mapping[str, Mapping[str, FloatArray]], items: pd.DataFrame, hedged: pd.DataFrame
) -> pd.DataFrame:
    """Return rows like the human benchmark's.

    Parameters
    ----------
    readings
        By evaluator, the mean readings of the ``items`` and of the ``hedged`` texts; ``cue_model`` among the
        evaluators.
    items, hedged
        As `read_benchmark` and `studies.contents.checked` give them.
    """
    human = items["score"].to_numpy()
    rng = np.random.default_rng(SEED)
    rows = []
    for evaluator, read in readings.items():
        sd, reliability = within_hedges(pd.Series(read["hedged"]), hedged["hedge"])
        rows += [
            {"dataset": ONE_HEDGE, "evaluator": evaluator, "metric": metric, "value": value, "n": len(hedged)}
            for metric, value in (("sd_within_hedge", sd), ("reliability", reliability))
        ]
        in_loop = None if evaluator == "cue_model" else readings["cue_model"]["items"]
        figures = compared(read["items"], human, in_loop)
        rows += benchmark_rows(SENTENCES, evaluator, figures, resamples=RESAMPLES, rng=rng)
    return pd.DataFrame(rows, columns=COLUMNS)


def measure(folder: Path, journal: Path) -> pd.DataFrame:
    """Return the rows of the packaged evaluators."""
    items = read_benchmark(folder)
    hedged = checked(contents(folder, SEED)[1], SEED)
    texts = {"items": items["text"], "hedged": hedged["text"]}
    by_text: dict[str, dict[str, FloatArray]] = {}
    for name, asked in texts.items():
        for evaluator, rows in read_packaged(asked.tolist(), journal).groupby("evaluator", sort=False):
            means = pd.Series(Beta.from_table(rows).mean, index=rows["text"]).groupby(level=0).first()
            by_text.setdefault(str(evaluator), {})[name] = means.reindex(asked).to_numpy()
    plain = plain_hedges()
    each = hedge_rows(read_packaged(plain["text"].tolist(), journal), plain)
    return pd.concat([check_rows(by_text, items, hedged), each], ignore_index=True)


def main() -> None:
    """Write the committed rows."""
    parser = argparse.ArgumentParser(prog="python -m studies.checks", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=study_folder, required=True, help="folder of the studies")
    parser.add_argument("--journal", type=Path, required=True, help="where the embeddings are kept")
    arguments = parser.parse_args()
    lines = [
        "Whose errors the packaged evaluators make, and whether they read contents, by:",
        "python -m studies.checks --data DIR --journal FILE",
    ]
    write_committed("checks", measure(arguments.data, arguments.journal), lines)


if __name__ == "__main__":
    main()
