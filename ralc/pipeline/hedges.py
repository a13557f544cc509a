"""Which hedges guide each rewrite: retrieval for RALC, one entry for the constant hedge, none for Direct Beta."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.lexicon import Lexicon
from ralc.retrieval import nearest_hedges

_COLUMNS = ["question_id", "train", "signal", "method", "alpha", "beta", "hedges"]


def retrieve(
    questions: pd.DataFrame,
    calibrated: pd.DataFrame,
    grades: pd.DataFrame,
    lexicon: pd.DataFrame,
    *,
    methods: Sequence[str],
    k: int,
    shortlist: int,
    samples: int | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Return, for every held-out answer, train dataset, signal and rewriting method, the hedges to use.

    Flagged entries of the lexicon are never used. `samples` estimates the Wasserstein distance from so many
    draws (protocols ``paper`` and ``authors``); None computes it exactly.
    ``ralc``: the `k` nearest to the calibrated signal. ``direct_beta``: none, in-domain only; the rewriter
    sees the calibrated Beta itself. ``constant_hedge``: the one entry whose mean is nearest to the accuracy
    on the train questions (its signal is ``none``).
    """
    lexicon = Lexicon(lexicon).usable().table
    rows = {
        "ralc": lambda: _ralc(calibrated, lexicon, k, shortlist, samples, seed),
        "direct_beta": lambda: _direct_beta(calibrated),
        "constant_hedge": lambda: _constant_hedge(questions, grades, lexicon),
    }
    parts = [rows[method]().assign(method=method) for method in rows if method in methods]
    return pd.concat(parts, ignore_index=True)[_COLUMNS] if parts else pd.DataFrame(columns=_COLUMNS)


def _ralc(
    calibrated: pd.DataFrame, lexicon: pd.DataFrame, k: int, shortlist: int, samples: int | None, seed: int
) -> pd.DataFrame:
    confidence = Beta(calibrated.alpha.to_numpy(), calibrated.beta.to_numpy())
    nearest = nearest_hedges(
        Beta(lexicon.alpha.to_numpy(), lexicon.beta.to_numpy()),
        confidence,
        k=min(k, len(lexicon)),
        shortlist=min(shortlist, len(lexicon)),
        samples=samples,
        rng=np.random.default_rng(seed),
    )
    return calibrated.assign(hedges=lexicon.expression.to_numpy(dtype=object)[nearest].tolist())


def _direct_beta(calibrated: pd.DataFrame) -> pd.DataFrame:
    in_domain = calibrated[calibrated.train == calibrated.dataset]
    return in_domain.assign(hedges=[[] for _ in range(len(in_domain))])


def _constant_hedge(questions: pd.DataFrame, grades: pd.DataFrame, lexicon: pd.DataFrame) -> pd.DataFrame:
    direct = grades.loc[grades.prompt == "direct", ["question_id", "outcome"]]
    accuracy = (
        questions[questions.split == "train"]
        .merge(direct, on="question_id")
        .groupby("dataset")
        .outcome.mean()
    )
    mean = (lexicon.alpha / (lexicon.alpha + lexicon.beta)).to_numpy()
    held_out = questions.loc[questions.split == "test", ["question_id"]]
    parts = []
    for train, share in accuracy.items():
        entry = lexicon.iloc[int(np.argmin(np.abs(mean - share)))]
        hedges = [[entry.expression] for _ in range(len(held_out))]
        parts.append(
            held_out.assign(train=train, signal="none", alpha=entry.alpha, beta=entry.beta, hedges=hedges)
        )
    return pd.concat(parts, ignore_index=True)
