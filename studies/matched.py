"""Print how many wrong answers people would accept for as many right ones as plain advice, and the other way round.

    python -m studies.matched RUN

reads ``items.parquet`` of a run's folder. Original words are accepted at one half. Other ways of speaking have the
threshold at which as many right answers are accepted, or a fifth fewer wrong ones. Each row has the relative change of
the other share, with an interval over questions (`docs/reliance.md`, along the curve).
"""

import argparse

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ralc import io
from ralc.beta import Beta
from ralc.conditions import UNIT
from ralc.reliance import Situation, confidence_masses, measures
from ralc.results import in_domain, main_evaluator, main_protocol, one_evaluator
from studies import run_folder
from studies.writing import SEED

COSTS = np.linspace(0.01, 0.99, 99)
RESAMPLES = 1000
FEWER = 0.2
Floats = NDArray[np.float64]


def accepted(rows: pd.DataFrame) -> Floats:
    """Return the share of readers who accept each answer at each cost, shape (answers, costs)."""
    masses = confidence_masses(Beta.from_table(rows))
    outcome = rows["outcome"].to_numpy(float)
    parts = []
    for cost in COSTS:
        values = measures(outcome, masses, Situation(threshold=float(cost)))
        parts.append(np.where(outcome == 1, values["accepted_right"][0], values["accepted_wrong"][0]))
    return np.stack(parts, axis=1)


def matched(outcome: Floats, words: Floats, plain: Floats, weights: Floats) -> tuple[float, float]:
    """Return relative changes of wrong answers accepted at equal right ones, of right ones at a fifth fewer wrong.

    >>> outcome, same = np.array([0.0, 1.0]), np.tile(np.linspace(0.99, 0.01, 99), (2, 1))
    >>> matched(outcome, same, same, np.ones(2))
    (0.0, -0.2)
    """
    sides = [weights * (1 - outcome), weights * outcome]
    wrong, right = (side @ words / side.sum() for side in sides)
    half = np.abs(COSTS - 0.5).argmin()
    wrong_plain, right_plain = (side @ plain[:, half] / side.sum() for side in sides)
    # Both fall as the cost rises; interpolation wants them to rise.
    wrong_then = np.interp(right_plain, right[::-1], wrong[::-1])
    right_then = np.interp((1 - FEWER) * wrong_plain, wrong[::-1], right[::-1])
    return round(float(wrong_then / wrong_plain - 1), 9), round(float(right_then / right_plain - 1), 9)


def main() -> None:
    """Print a row a target, dataset, signal and variant."""
    parser = argparse.ArgumentParser(prog="python -m studies.matched", description=__doc__.splitlines()[0])
    parser.add_argument("run", type=run_folder, help="folder of a run")
    items = io.read_table(parser.parse_args().run / "items.parquet", "items")
    rows = items[(items["space"] == "linguistic") & (items["protocol"] == main_protocol(items))]
    rows = in_domain(one_evaluator(rows, main_evaluator(items))).dropna(subset=["outcome", "alpha"])
    tables = []
    for (target, dataset), part in rows.groupby(["target", "dataset"], sort=False, observed=True):
        plain = part[part["method"] == "original"].set_index(UNIT)
        for key, words in part[part["method"] != "original"].groupby(
            ["method", "signal", "variant"], observed=True
        ):
            words = words.set_index(UNIT)
            both = words.index.intersection(plain.index).sort_values()
            tables.append((target, dataset, *key, len(both), *_intervals(words.loc[both], plain.loc[both])))
    columns = [
        "target",
        "dataset",
        "method",
        "signal",
        "variant",
        "n",
        "wrong at equal right",
        "right at fewer wrong",
    ]
    print(pd.DataFrame(tables, columns=columns).to_string(index=False))


def _intervals(words: pd.DataFrame, plain: pd.DataFrame) -> list[str]:
    """Both changes in per cent, each with its interval."""
    outcome = words["outcome"].to_numpy(float)
    shares = (accepted(words), accepted(plain))
    n = len(outcome)
    rng = np.random.default_rng(SEED)
    value = matched(outcome, *shares, np.ones(n))
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES).astype(float)
    drawn = drawn[((drawn @ outcome) > 0) & ((drawn @ (1 - outcome)) > 0)]
    draws = np.array([matched(outcome, *shares, weights) for weights in drawn])
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    return [
        f"{100 * v:+.0f} % [{100 * lo:.0f}, {100 * hi:.0f}]"
        for v, lo, hi in zip(value, low, high, strict=True)
    ]


if __name__ == "__main__":
    main()
