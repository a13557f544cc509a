"""The metrics of one target on one small dataset beside resampling each number by itself, as a user would."""

from collections.abc import Iterator

import numpy as np
from scipy import stats

from ralc import Beta, metrics
from ralc.pipeline.measures import compute
from tests.bench.bench_matrix import QUESTIONS, SETTINGS, TARGETS, items
from tests.bench.harness import Measurement, cpu_seconds

#: Resamples of the loop, which stands for 2,000.
SOME = 10


def run() -> Iterator[Measurement]:
    """All conditions of TruthfulQA's 571 held-out questions, every number with its interval."""
    table = items("truthfulqa", TARGETS[:1], QUESTIONS)
    ours = cpu_seconds(lambda: compute(table, SETTINGS), repeats=1)
    rows = compute(table, SETTINGS)
    # The loop draws the plain numbers of each condition alone: no comparison, no floor, no rate.
    loop = cpu_seconds(lambda: resample_each(table), repeats=1) * SETTINGS.resamples / SOME
    yield Measurement(
        "metrics of one target, 571 questions, 2,000 resamples",
        loop / ours,
        "x a loop over resamples, without comparisons",
        ">=",
        5,
        ours,
        loop,
        f"{len(rows)} rows; the loop measured on {SOME} resamples",
    )


def resample_each(table) -> list[float]:
    """Each number of each condition on some resamples."""
    rng, found = np.random.default_rng(0), []
    for _, rows in table.groupby(
        ["space", "method", "signal", "train", "evaluator", "variant"], observed=True
    ):
        outcome, confidence = rows["outcome"].to_numpy(), Beta.from_table(rows)
        for _ in range(SOME):
            drawn = rng.integers(len(rows), size=len(rows))
            y, s = outcome[drawn], confidence[drawn]
            found += [metrics.faithfulness_divergence(y, s).mean(), metrics.kl_divergence(y, s).mean()]
            found += [metrics.expected_brier_score(y, s).mean(), metrics.expected_log_loss(y, s).mean()]
            found += [metrics.generalised_ece(y, s), metrics.expected_calibration_error(y, s.mean)]
            found += [metrics.brier_score(y, s.mean), metrics.auroc(y, s.mean)]
            found += [stats.spearmanr(s.mean, y).statistic]
    return found
