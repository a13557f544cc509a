"""The human studies that the evaluators' figures are estimated from, as tables.

The data are not part of the package; ``folder`` is where they lie (one sub-folder a study). Scores are
brought to [0, 1].
"""

import hashlib
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from ralc.english import PHRASE_SENTENCES
from ralc.io.rows import placed, read_text

#: Share of the scores cut off at either end of a phrase, and the SD of a standard normal that is cut so.
TRIM = 0.05
NORMAL = 0.7896
_TAO_SCORES = [f"annotater_confidence_score{number}" for number in range(1, 6)]
HELD_OUT = (
    0.2  # share of the raw sentences that no evaluator of a run is fitted on, besides ``tao_benchmark``'s
)
JUDGE_QUESTIONS = (
    0.25  # share of the questions whose sentences the judge learns from, and `cue_model` does not
)
#: Middle of the band of each level that the writers of the sentences were asked for (Tao et al. 2025).
LEVEL_MIDDLE = {"high": 0.975, "moderate": 0.70, "low": 0.35, "lowest": 0.15, "completely uncertain": 0.02}


def read_table(
    path: Path, *needed: str, evaluator: Callable[..., pd.DataFrame] = pd.read_csv, **options: Any
) -> pd.DataFrame:
    """A table of a study; ValueError names the file, and a column that is missing or holds other than numbers."""
    with placed(str(path), "cannot be read as a table"):
        table = evaluator(StringIO(read_text(path)), **options)
    for column in needed:
        if column not in table:
            raise ValueError(f"{path}, column {column!r}: is missing")
        if re.search(r"score|probability|mean$|^low$|^high$", column) and not is_numeric_dtype(table[column]):
            raise ValueError(f"{path}, column {column!r}: holds other than numbers")
    return table


def read_capphrase(folder: Path) -> pd.DataFrame:
    """CAPphrase: columns ``person, phrase, score``."""
    table = read_table(folder / "capphrase/absolute_judgements.csv", "response_id", "term", "probability")
    phrase, score = table["term"].str.lower(), table["probability"] / 100
    return pd.DataFrame({"person": table["response_id"], "phrase": phrase, "score": score})


def read_phrase_survey(folder: Path, study: str) -> pd.DataFrame:
    """Return ``person, phrase, score`` of the survey ``wadefagen`` or ``zonination``."""
    files = {"wadefagen": "wadefagen/survey-results.csv", "zonination": "zonination/probly.csv"}
    wide = read_table(folder / files[study])
    wide.columns = [column.strip('" ').lower() for column in wide.columns]
    wide = wide[[column for column in wide.columns if column in PHRASE_SENTENCES]]
    long = wide.rename_axis("person").reset_index().melt("person", var_name="phrase", value_name="score")
    return long.assign(score=long["score"] / 100).dropna(ignore_index=True)


def read_tao(folder: Path) -> pd.DataFrame:
    """The raw 10,000 x 5 of Tao et al.: ``text, question, level, score1..score5, part``.

    ``part`` is ``tao_benchmark`` (the sentence is one of the 1,622), ``held_out`` (no evaluator of a run is fitted
    on it either), and of the rest ``cue_model_b`` or ``train`` (the sentences that ``cue_model`` learns from) by
    question. Rows keep the file's order, in which neighbours were scored by the same persons.
    """
    place = folder / "tao2025/full_dataset_10000x5_raw.csv"
    raw = read_table(place, "uncertainty_expression", "question", "llm_confidence_level", *_TAO_SCORES)
    items = set(read_benchmark(folder)["text"])
    table = pd.DataFrame(
        {
            "text": raw["uncertainty_expression"],
            "question": raw["question"],
            "level": raw["llm_confidence_level"],
            **{f"score{place}": raw[column] / 100 for place, column in enumerate(_TAO_SCORES, start=1)},
        }
    )
    table["part"] = [
        _part(text, question, items) for text, question in zip(table["text"], table["question"], strict=True)
    ]
    return table


def read_benchmark(folder: Path) -> pd.DataFrame:
    """The 1,622 items: ``text, level, score`` (mean of the scores that the band filter left)."""
    place = folder / "tao2025/linguistic_confidence_benchmark_1622.csv"
    table = read_table(place, "uncertainty_expression", "llm_confidence_level", "annotation_mean")
    return pd.DataFrame(
        {
            "text": table["uncertainty_expression"],
            "level": table["llm_confidence_level"],
            "score": table["annotation_mean"] / 100,
        }
    )


def read_published(folder: Path) -> pd.DataFrame:
    """What others scored on the 1,622 items, in [0, 1], one column a scorer, and the humans' ``score``.

    Their probes on hidden states are no evaluator of ours, and named so.
    """
    table = read_table(folder / "tao2025/eval_results_1622_llm_scorers.csv", "annotation_mean")
    scorers = [column for column in table if column.startswith("confidence_score_")]
    scaled = {
        column.removeprefix("confidence_score_").replace("probe", "hidden_states_probe"): table[column]
        / (1 if table[column].max() <= 1 else 100)
        for column in scorers
    }
    return pd.DataFrame({"score": table["annotation_mean"] / 100, **scaled})


def tao_scores(table: pd.DataFrame) -> np.ndarray:
    """The five score columns of a Tao table, shape ``(rows, 5)``."""
    return table[[f"score{place}" for place in range(1, 6)]].to_numpy(float)


def _part(text: str, question: str, benchmark: set[str]) -> str:
    """Return the part of a raw sentence; it depends on its text and question alone."""
    if text in benchmark:
        return "tao_benchmark"
    if _draw(text) < HELD_OUT:
        return "held_out"
    return "cue_model_b" if _draw(question) < JUDGE_QUESTIONS else "train"


def _draw(text: str) -> float:
    """A number in [0, 1) that depends on the text alone."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 2**32


def phrase_figures(scores: pd.DataFrame) -> pd.DataFrame:
    """Return mean and spread of each phrase, with the persons' general tendency taken out.

    A person's tendency is their mean deviation on all other phrases; what a linear regression on it explains of
    the scores of a phrase is not disagreement about the phrase. `scores` has ``person, phrase, score``. Columns are
    ``phrase, n, mean, sd, sd_words``, sorted by phrase: ``sd`` is the plain SD over persons, ``sd_words`` the robust
    one (`trimmed_sd`) of what is left.

    Examples
    --------
    >>> table = pd.DataFrame({"person": [1, 1, 2, 2, 3, 3], "phrase": ["a", "b"] * 3})
    >>> figures = phrase_figures(table.assign(score=[0.1, 0.7, 0.2, 0.8, 0.3, 0.9]))
    >>> figures[["sd", "sd_words"]].round(3).to_numpy().tolist()
    [[0.1, 0.0], [0.1, 0.0]]
    """
    wide = scores.pivot_table(index="person", columns="phrase", values="score", aggfunc="mean")
    centred = wide - wide.mean()
    rest = centred.sum(axis=1).to_numpy()[:, None] - centred.fillna(0).to_numpy()
    count = centred.notna().sum(axis=1).to_numpy()[:, None] - centred.notna().to_numpy()
    tendency = pd.DataFrame(rest / np.maximum(count, 1), index=wide.index, columns=wide.columns)
    explained = centred.corrwith(tendency.where(centred.notna())).fillna(0.0).clip(lower=0) ** 2
    robust = wide.apply(trimmed_sd)
    return pd.DataFrame(
        {
            "phrase": wide.columns,
            "n": wide.count().to_numpy(),
            "mean": wide.mean().to_numpy(),
            "sd": wide.std().to_numpy(),
            "sd_words": (robust * np.sqrt(1 - explained)).to_numpy(),
        }
    )


def trimmed_sd(scores: pd.Series) -> float:
    """SD of what lies between the 5th and the 95th percentile, scaled so that a normal sample keeps its SD.

    Between three surveys the trimmed SDs of phrases rank as good as alike (.92 to .97), the plain ones do not
    (.27 to .60). NaN are left out.

    >>> round(trimmed_sd(pd.Series([0.5] * 38 + [0.4, 0.6])), 3), trimmed_sd(pd.Series([0.5] * 99 + [0.0]))
    (0.0, 0.0)
    """
    given_scores = np.sort(scores.dropna().to_numpy(float))
    low = np.quantile(given_scores, TRIM, method="lower")
    high = np.quantile(given_scores, 1 - TRIM, method="higher")
    kept = given_scores[(given_scores >= low) & (given_scores <= high)]
    return float(kept.std(ddof=1) / (NORMAL if len(kept) < len(given_scores) else 1.0))
