"""The paper's full matrix in size, on made-up signals: maps, retrieval, metrics with intervals.

26,732 questions x 5 targets x 3 signals x 3 train sets, split 30/70, a lexicon of 160 expressions. Each
(target, dataset) is one bootstrap of 2,000 resamples, by article on SQuAD, of every metric of the original
signal and of the three calibrated ones, and of their paired differences.
"""

import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pandas as pd

from ralc import Beta, metrics
from ralc import statistics as rs
from ralc.calibration import from_protocol
from ralc.retrieval import nearest_hedges
from ralc.signals import semantic_uncertainty
from tests.benchmarks.harness import Measurement

QUESTIONS = {"mmlu": 14_042, "squad2": 11_873, "truthfulqa": 817}
SIGNALS = ("linguistic_confidence", "token_probability", "semantic_uncertainty")
TARGETS = 5
ARTICLES = 35


def run() -> Iterator[Measurement]:
    """Time and memory of the whole, on two processes."""
    start = time.perf_counter()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        done = list(pool.map(target_table, range(TARGETS)))
    seconds = time.perf_counter() - start
    rows = sum(rows for rows, _, _ in done)
    # Each process's peak; the two together hold at most twice the larger.
    gigabytes = 2 * max(peak for _, peak, _ in done) / 2**20
    cpu = sum(used for _, _, used in done)
    yield Measurement(
        "full matrix, two processes", seconds, "s", "<", 300, note=f"{rows} figures, {cpu:.0f} CPU s"
    )
    yield Measurement("full matrix, peak memory of both", gigabytes, "GiB", "<", 4)


def target_table(target: int) -> tuple[int, int, float]:
    """All figures of one target: their number, the peak memory in KiB, the CPU seconds."""
    start = time.process_time()
    rng = np.random.default_rng(target)
    lexicon = Beta.from_mean_concentration(np.linspace(0.01, 0.99, 160), 10 ** rng.uniform(0.3, 1.6, 160))
    data = {name: answers(n, rng) for name, n in QUESTIONS.items()}
    maps = {
        (train, signal): from_protocol("platt").fit(signals[signal][:cut], outcome[:cut])
        for train, (outcome, signals) in data.items()
        for cut in [int(np.ceil(0.3 * len(outcome)))]
        for signal in SIGNALS
    }
    tables = [dataset_table(*data[name], maps, lexicon, name, rng) for name in QUESTIONS]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return sum(map(len, tables)), peak, time.process_time() - start


def answers(n: int, rng: np.random.Generator) -> tuple[np.ndarray, dict[str, Beta]]:
    """Outcomes and the three signals of a target that is right about half of the time, too sure, and noisy."""
    ability = rng.normal(0, 1.3, n)
    outcome = (rng.random(n) < 1 / (1 + np.exp(-ability))).astype(int)
    told = 1 / (1 + np.exp(-(0.6 * ability[:, None] + 1.5 + rng.normal(0, 0.7, (n, 20)))))
    support = rng.binomial(20, 1 / (1 + np.exp(-1.4 * ability - 0.5)))
    return outcome, {
        "linguistic_confidence": Beta.fit_moments(np.round(told[:, :9] * 20) / 20),
        "token_probability": Beta.fit_moments(told**0.5),
        "semantic_uncertainty": semantic_uncertainty(support, 20),
    }


def dataset_table(
    outcome: np.ndarray,
    signals: dict[str, Beta],
    maps: dict,
    lexicon: Beta,
    dataset: str,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Every metric of every condition on one dataset's test questions, and the differences."""
    test = slice(int(np.ceil(0.3 * len(outcome))), None)
    y = outcome[test]
    groups = rng.integers(0, ARTICLES, y.size) if dataset == "squad2" else None
    statistics, differences = {}, {}
    for signal in SIGNALS:
        original = signals[signal][test]
        here = conditions(y, original, original, rng)
        statistics |= {f"{signal}/original/{metric}": value for metric, value in here.items()}
        for train in QUESTIONS:
            calibrated = maps[train, signal].transform(original)
            hedges = nearest_hedges(lexicon, calibrated)
            # Stands for the text's reading: the mean confidence of its hedges.
            reread = Beta(lexicon.alpha[hedges].mean(axis=1), lexicon.beta[hedges].mean(axis=1))
            there = conditions(y, original, calibrated, rng)
            there["spearman_mean"] = rs.spearman(calibrated.mean, reread.mean)
            statistics |= {f"{signal}/{train}/{metric}": value for metric, value in there.items()}
            differences |= {
                f"{signal}/{train}-original/{metric}": {
                    f"{signal}/{train}/{metric}": 1,
                    f"{signal}/original/{metric}": -1,
                }
                for metric in here
            }
    drawn = rs.bootstrap(statistics, items=y.size, groups=groups, rng=rng)
    changes = drawn.combine(differences).table(null=0.0)
    changes["p_value"] = rs.holm(changes["p_value"])
    return pd.concat([drawn.table(), changes])


def conditions(
    y: np.ndarray, original: Beta, confidence: Beta, rng: np.random.Generator
) -> dict[str, rs.Statistic]:
    """The statistics of one condition."""
    mean_part, concentration_part = metrics.faithfulness_divergence_parts(y, original, confidence)
    null = metrics.generalised_ece_null(confidence, rng=rng)
    return {
        "faithfulness_divergence": rs.mean(metrics.faithfulness_divergence(y, confidence)),
        "faithfulness_divergence_mean_part": rs.mean(mean_part),
        "faithfulness_divergence_concentration_part": rs.mean(concentration_part),
        "kl_divergence": rs.mean(metrics.kl_divergence(y, confidence)),
        "generalised_ece": rs.generalised_ece(y, confidence),
        "generalised_ece_excess": rs.generalised_ece(y, confidence, null=null),
        "expected_calibration_error": rs.expected_calibration_error(y, confidence.mean),
        "expected_brier_score": rs.mean(metrics.expected_brier_score(y, confidence)),
        "expected_log_loss": rs.mean(metrics.expected_log_loss(y, confidence)),
        "brier_score": rs.brier_score(y, confidence.mean),
        "auroc": rs.auroc(y, confidence.mean),
        "accuracy": rs.mean(y),
        "mean_confidence": rs.mean(confidence.mean),
        "concentration": rs.mean(confidence.concentration),
    }
