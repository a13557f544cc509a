"""The human studies that the readers' figures are estimated from, as tables.

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

from ralc.english.phrases import PHRASE_SENTENCES
from ralc.io.text import placed, read_text

#: Licence, version and citation of every study, as carried into the figures.
PROVENANCE = {
    "capphrase": "CAPphrase quiz, absolute judgements: 5,174 respondents x 19 phrases, CC BY 4.0, Kucharski 2026, "
    "doi 10.5281/zenodo.18750055",
    "tao2025": "Tao et al. 2025, arXiv 2509.24202: 10,000 hedged answers x 5 human scores; no licence file, only "
    "figures computed from it are kept",
    "wadefagen": "Perception of probability words, W. Fagen-Ulmschneider: 123 respondents x 17 phrases; no licence "
    "file, only figures computed from it are kept",
    "zonination": "Perceptions of probability, zonination: 46 respondents x 17 phrases, MIT",
    "yardsticks": "Yardsticks of IPCC, UK PHIA, US NIC, NATO and EFSA: official ranges, as listed beside CAPphrase",
}

_TAO_SCORES = [f"annotater_confidence_score{number}" for number in range(1, 6)]
HELD_OUT = 0.2  # share of the raw sentences that no reader of a run is fitted on, besides ``tao_benchmark``'s
JUDGE_QUESTIONS = 0.25  # share of the questions whose sentences the judge learns from, and `cues` does not
#: Middle of the band of each level that the writers of the sentences were asked for (Tao et al. 2025).
LEVEL_MIDDLE = {"high": 0.975, "moderate": 0.70, "low": 0.35, "lowest": 0.15, "completely uncertain": 0.02}


def _read(
    path: Path, *needed: str, reader: Callable[..., pd.DataFrame] = pd.read_csv, **options: Any
) -> pd.DataFrame:
    """A table of a study; ValueError names the file, and a column that is missing or holds other than numbers."""
    with placed(str(path), "cannot be read as a table"):
        table = reader(StringIO(read_text(path)), **options)
    for column in needed:
        if column not in table:
            raise ValueError(f"{path}, column {column!r}: is missing")
        if re.search(r"score|probability|mean$|^low$|^high$", column) and not is_numeric_dtype(table[column]):
            raise ValueError(f"{path}, column {column!r}: holds other than numbers")
    return table


def read_capphrase(folder: Path) -> pd.DataFrame:
    """CAPphrase: columns ``person, phrase, score, age_band, english_background, education_level``."""
    scores = _read(folder / "capphrase/absolute_judgements.csv", "response_id", "term", "probability")
    groups = ("age_band", "english_background", "education_level")
    place = folder / "capphrase/respondent_metadata.csv"
    people = _read(place, "response_id", *groups, keep_default_na=False)
    table = scores.merge(people, on="response_id", how="left", validate="many_to_one")
    return pd.DataFrame(
        {
            "person": table["response_id"],
            "phrase": table["term"].str.lower(),
            "score": table["probability"] / 100,
            "age_band": table["age_band"],
            "english_background": table["english_background"],
            "education_level": table["education_level"],
        }
    )


def read_phrase_survey(folder: Path, study: str) -> pd.DataFrame:
    """``wadefagen`` or ``zonination``: columns ``person, phrase, score``.

    Raises
    ------
    ValueError
        Another study is asked for.
    """
    files = {"wadefagen": "wadefagen/survey-results.csv", "zonination": "zonination/probly.csv"}
    if study not in files:
        raise ValueError(f"no phrase survey {study!r}: choose one of {', '.join(files)}")
    wide = _read(folder / files[study])
    wide.columns = [column.strip('" ').lower() for column in wide.columns]
    wide = wide[[column for column in wide.columns if column in PHRASE_SENTENCES]]
    long = wide.rename_axis("person").reset_index().melt("person", var_name="phrase", value_name="score")
    return long.assign(score=long["score"] / 100).dropna(ignore_index=True)


def read_tao(folder: Path) -> pd.DataFrame:
    """The raw 10,000 x 5 of Tao et al.: ``text, question, level, score1..score5, part``.

    ``part`` is ``tao_benchmark`` (the sentence is one of the 1,622), ``held_out`` (no reader of a run is fitted on it
    either), and of the rest ``judge`` or ``train`` (the sentences that ``cues`` learns from) by question. Rows keep the
    file's order, in which neighbours were scored by the same persons.
    """
    place = folder / "tao2025/full_dataset_10000x5_raw.csv"
    raw = _read(place, "uncertainty_expression", "question", "llm_confidence_level", *_TAO_SCORES)
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
        "tao_benchmark"
        if text in items
        else "held_out"
        if _draw(text) < HELD_OUT
        else "judge"
        if _draw(question) < JUDGE_QUESTIONS
        else "train"
        for text, question in zip(table["text"], table["question"], strict=True)
    ]
    return table


def read_tao_filtered(folder: Path) -> pd.DataFrame:
    """Tao et al.'s training set, ``text, score``: means of the raw scores that lie in the intended band."""
    place = folder / "tao2025/linguistic_confidence_human_anno_training_set.jsonl"
    return _read(place, "text", "score", reader=pd.read_json, lines=True)


def read_benchmark(folder: Path) -> pd.DataFrame:
    """The 1,622 items: ``text, level, score`` (mean of the scores that the band filter left)."""
    place = folder / "tao2025/linguistic_confidence_benchmark_1622.csv"
    table = _read(place, "uncertainty_expression", "llm_confidence_level", "annotation_mean")
    return pd.DataFrame(
        {
            "text": table["uncertainty_expression"],
            "level": table["llm_confidence_level"],
            "score": table["annotation_mean"] / 100,
        }
    )


def read_published(folder: Path) -> pd.DataFrame:
    """What others scored on the 1,622 items, in [0, 1], one column a scorer, and the humans' ``score``.

    Their probes on hidden states are no reader of ours, and named so.
    """
    table = _read(folder / "tao2025/eval_results_1622_llm_scorers.csv", "annotation_mean")
    scorers = [column for column in table if column.startswith("confidence_score_")]
    scaled = {
        column.removeprefix("confidence_score_").replace("probe", "hidden_states_probe"): table[column]
        / (1 if table[column].max() <= 1 else 100)
        for column in scorers
    }
    return pd.DataFrame({"score": table["annotation_mean"] / 100, **scaled})


def read_yardsticks(folder: Path) -> pd.DataFrame:
    """The official yardsticks: ``source, phrase, low, high`` in [0, 1]."""
    tables = []
    for path in sorted((folder / "capphrase").glob("yardstick_*.csv")):
        table = _read(path, "term", "low", "high")
        tables.append(
            pd.DataFrame(
                {
                    "source": path.stem.removeprefix("yardstick_"),
                    "phrase": table["term"].str.lower(),
                    "low": table["low"] / 100,
                    "high": table["high"] / 100,
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def tao_scores(table: pd.DataFrame) -> np.ndarray:
    """The five score columns of a Tao table, shape ``(rows, 5)``."""
    return table[[f"score{place}" for place in range(1, 6)]].to_numpy(float)


def _draw(text: str) -> float:
    """A number in [0, 1) that depends on the text alone."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 2**32
