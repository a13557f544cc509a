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

from ralc.io.rows import located, read_text
from ralc.lexicon.expressions import PHRASE_SENTENCES

_BENCHMARK = "tao2025/linguistic_confidence_benchmark_1622.csv"
#: The files of each yardstick of the benchmark.
FILES: dict[str, tuple[str, ...]] = {
    "tao_raw": ("tao2025/full_dataset_10000x5_raw.csv", _BENCHMARK),
    "tao_benchmark": (_BENCHMARK,),
    "capphrase": ("capphrase/absolute_judgements.csv", "capphrase/respondent_metadata.csv"),
    "wadefagen": ("wadefagen/survey-results.csv",),
    "zonination": ("zonination/probly.csv",),
}
#: What others scored on the 1,622 items.
PUBLISHED = "tao2025/eval_results_1622_llm_scorers.csv"
#: Share of the scores cut off at either end of a phrase, and the SD of a standard normal that is cut so.
TRIM = 0.05
NORMAL = 0.7896
#: Share of the raw sentences, besides ``tao_benchmark``'s, that no evaluator of a run is fitted on. Share of the
#: questions whose sentences ``cue_model_b`` learns from, and ``cue_model`` does not.
HELD_OUT = 0.2
CUE_MODEL_B_QUESTIONS = 0.25
#: Middle of the band of each level that the writers of the sentences were asked for (Tao et al. 2025).
LEVEL_MIDDLE = {"high": 0.975, "moderate": 0.70, "low": 0.35, "lowest": 0.15, "completely uncertain": 0.02}


def read_table(
    path: Path, *needed: str, reader: Callable[..., pd.DataFrame] = pd.read_csv, **options: Any
) -> pd.DataFrame:
    """Return a table of a study; ValueError names the file, and a column that is missing or holds no numbers.

    Parameters
    ----------
    path
        A text file of the study.
    needed
        Columns that it must have.
    reader
        Reads the text, with `options`.
    """
    with located(str(path), "cannot be read as a table"):
        table = reader(StringIO(read_text(path)), **options)
    for column in needed:
        if column not in table:
            raise ValueError(f"{path}, column {column!r}: is missing")
        if re.search(r"score|probability|mean$|^low$|^high$", column) and not is_numeric_dtype(table[column]):
            raise ValueError(f"{path}, column {column!r}: holds other than numbers")
    return table


def read_survey(folder: Path, study: str) -> pd.DataFrame:
    """Return ``person, phrase, score`` of the phrases of ``capphrase``, ``wadefagen`` or ``zonination``."""
    path = folder / FILES[study][0]
    if study == "capphrase":
        table = read_table(path, "response_id", "term", "probability")
        phrase = table["term"].str.lower()
        score = table["probability"] / 100
        return pd.DataFrame({"person": table["response_id"], "phrase": phrase, "score": score})
    wide = read_table(path)
    wide.columns = [column.strip('" ').lower() for column in wide.columns]
    wide = wide[[column for column in wide.columns if column in PHRASE_SENTENCES]]
    long = wide.rename_axis("person").reset_index().melt("person", var_name="phrase", value_name="score")
    return long.assign(score=long["score"] / 100).dropna(ignore_index=True)


def read_tao(folder: Path) -> pd.DataFrame:
    """Return the raw 10,000 x 5 of Tao et al.: ``text, question, level, score1..score5, part``.

    ``part`` is ``tao_benchmark`` (the sentence is one of the 1,622) or ``held_out`` (no evaluator of a run is fitted
    on it either). The rest is ``cue_model_b`` or ``train`` (the sentences that ``cue_model`` learns from) by
    question. Rows keep the file's order, in which neighbours were scored by the same persons.
    """
    scores = [f"annotater_confidence_score{number}" for number in range(1, 6)]
    path = folder / FILES["tao_raw"][0]
    raw = read_table(path, "uncertainty_expression", "question", "llm_confidence_level", *scores)
    items = set(read_benchmark(folder)["text"])
    columns = {"uncertainty_expression": "text", "llm_confidence_level": "level"}
    table = raw[["uncertainty_expression", "question", "llm_confidence_level"]].rename(columns=columns)
    for place, column in enumerate(scores, start=1):
        table[f"score{place}"] = raw[column] / 100
    parts = [_part(*row, items) for row in zip(table["text"], table["question"], strict=True)]
    return table.assign(part=parts)


def _part(text: str, question: str, benchmark: set[str]) -> str:
    """The part of a raw sentence; it depends on its text and question alone."""
    by_text, by_question = (
        int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) / 2**32 for key in (text, question)
    )
    if text in benchmark:
        return "tao_benchmark"
    if by_text < HELD_OUT:
        return "held_out"
    return "cue_model_b" if by_question < CUE_MODEL_B_QUESTIONS else "train"


def tao_scores(table: pd.DataFrame) -> np.ndarray:
    """Return the five score columns of a Tao table, shape ``(rows, 5)``."""
    return table[[f"score{place}" for place in range(1, 6)]].to_numpy(float)


def read_benchmark(folder: Path) -> pd.DataFrame:
    """Return the 1,622 items: ``text, level, score`` (mean of the scores that the band filter left)."""
    columns = ("uncertainty_expression", "llm_confidence_level", "annotation_mean")
    table = read_table(folder / _BENCHMARK, *columns)[[*columns]].set_axis(["text", "level", "score"], axis=1)
    return table.assign(score=table["score"] / 100)


def read_published(folder: Path) -> pd.DataFrame:
    """Return what others scored on the 1,622 items, in [0, 1], one column a scorer, and the humans' ``score``.

    Their probes on hidden states are no evaluator of ours, and named so.
    """
    table = read_table(folder / PUBLISHED, "annotation_mean")
    scored = {"score": table["annotation_mean"] / 100}
    for column in (name for name in table if name.startswith("confidence_score_")):
        name = column.removeprefix("confidence_score_").replace("probe", "hidden_states_probe")
        scored[name] = table[column] / (1 if table[column].max() <= 1 else 100)
    return pd.DataFrame(scored)


def phrase_figures(scores: pd.DataFrame) -> pd.DataFrame:
    """Return mean and spread of each phrase, with the persons' general tendency taken out.

    A person's tendency is their mean deviation on all other phrases. What a linear regression on it explains of
    the scores of a phrase is not disagreement about the phrase. `scores` has ``person, phrase, score``. Columns are
    ``phrase, n, mean, sd, sd_words``, sorted by phrase. ``sd`` is the plain SD over persons, ``sd_words`` the robust
    one (`trimmed_sd`) of the remainder.

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
    robust = wide.apply(trimmed_sd) * np.sqrt(1 - explained)
    figures = {"n": wide.count(), "mean": wide.mean(), "sd": wide.std(), "sd_words": robust}
    return pd.DataFrame(figures).rename_axis("phrase").reset_index()


def trimmed_sd(scores: pd.Series) -> float:
    """Return the SD of what lies between the 5th and the 95th percentile, scaled so that a normal sample keeps its SD.

    Between three surveys the trimmed SDs of phrases rank as good as alike (0.92 to 0.97), the plain ones do not
    (0.27 to 0.60). NaN are left out.

    >>> round(trimmed_sd(pd.Series([0.5] * 38 + [0.4, 0.6])), 3), trimmed_sd(pd.Series([0.5] * 99 + [0.0]))
    (0.0, 0.0)
    """
    ordered = np.sort(scores.dropna().to_numpy(float))
    low = np.quantile(ordered, TRIM, method="lower")
    high = np.quantile(ordered, 1 - TRIM, method="higher")
    middle = ordered[(ordered >= low) & (ordered <= high)]
    return float(middle.std(ddof=1) / (NORMAL if len(middle) < len(ordered) else 1.0))
