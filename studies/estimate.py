"""Estimate the evaluators' figures from the human studies and write them to ``ralc/data``.

    python -m studies.estimate --data DIR

``cue_model`` learns from CAPphrase (the absolute scale and the spread), the raw scores of Tao et al. (ranking and
composition, persons' tendencies taken out) and their band-filtered scores (where on the scale a careful evaluator puts
a sentence). ``cue_model_b`` learns from the surveys of Fagen-Ulmschneider and zonination (scale and spread), the
official yardsticks, and the level asked of the writers of other sentences. Of the people of Belem et al. each learns
from every other one. The two share no score, no sentence and no person that is known. They share the grammar of cues,
the assumed places that the fits start from, and the ends of the scale, which the paper's prompt defines.

Never fitted on: the 1,622 sentences of ``tao_benchmark`` and a fifth of the other raw sentences. The few settings
(softness of the minimum, weights, ridge penalty) were chosen by hand among a handful, looking at the held-out results.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit

from ralc import data
from ralc.english import read_cues
from ralc.human_benchmark.studies import (
    LEVEL_MIDDLE,
    phrase_figures,
    read_survey,
    read_tao,
    tao_scores,
)
from ralc.lexicon.expressions import PHRASE_SENTENCES
from studies import study_folder
from studies.human_cues import human_cue_table, tao_cue_table
from studies.latent import LatentScale, Observations
from studies.sources import PROVENANCE, read_beliefs, read_tao_filtered, read_yardsticks
from studies.spread import spread_figures
from studies.stretches import block_offsets

SOFTNESS = 1.5
#: Standard deviations that weigh the kinds of observations: a phrase's mean, a sentence's raw score by five
#: persons, a band-filtered mean, a writer's level, a yardstick, what somebody believes. What is cut to a band is
#: trusted less.
PHRASE_SD = 0.01
SENTENCE_SD = 0.085
FILTERED_SD = 0.20
LEVEL_SD = 0.20
YARDSTICK_SD = 0.05
BELIEF_SD = 0.05
DATA = Path(data.__file__).parent


def phrase_observations(phrases: pd.DataFrame, sd: float) -> Observations:
    """Return phrase means as observations on the scale; columns ``phrase, mean``."""
    cues = [read_cues(PHRASE_SENTENCES[phrase]) for phrase in phrases["phrase"]]
    return Observations(cues, phrases["mean"].to_numpy(float), np.full(len(phrases), sd), linked=False)


def sentence_observations(texts: pd.Series, values: np.ndarray, sd: float, *, linked: bool) -> Observations:
    """Return scores of sentences as observations."""
    return Observations([read_cues(text) for text in texts], values, np.full(len(texts), sd), linked=linked)


def statement_observations(phrases: pd.Series, values: np.ndarray, sd: float) -> Observations:
    """Return readings of words of a statement, "It is likely that it happens.", as observations."""
    cues = [read_cues(f"It is {phrase} that it happens.") for phrase in phrases]
    return Observations(cues, values, np.full(len(cues), sd), linked=False)


def belief_observations(beliefs: pd.DataFrame, half: int) -> Observations:
    """Return the means of every other person of Belem et al. as observations; columns ``person, phrase, score``."""
    means = beliefs[beliefs["person"] % 2 == half].groupby("phrase")["score"].mean()
    return statement_observations(pd.Series(means.index), means.to_numpy(float), BELIEF_SD)


def estimate_cues(
    phrases: pd.DataFrame, tao: pd.DataFrame, filtered: pd.DataFrame, beliefs: pd.DataFrame
) -> dict[str, Any]:
    """Return the figures of ``cue_model``.

    Parameters
    ----------
    phrases
        CAPphrase figures, ``phrase, n, mean, sd, sd_words``.
    tao
        As :func:`read_tao` gives it.
    filtered
        As :func:`read_tao_filtered` gives it.
    beliefs
        As :func:`read_beliefs` gives it.
    """
    used = (tao["part"] == "train").to_numpy()
    scores = tao_scores(tao)
    part = dict(zip(tao["text"], tao["part"], strict=True))
    kept = filtered[filtered["text"].map(part) == "train"]
    anchors = phrase_observations(phrases, PHRASE_SD)
    careful = sentence_observations(kept["text"], kept["score"].to_numpy(), FILTERED_SD, linked=False)
    everyone = [read_cues(text) for text in tao["text"]]
    predicted = np.full(len(tao), scores[used].mean())
    for _ in range(2):  # persons' tendencies need the words' effects and the other way round
        values = (scores - block_offsets(scores, predicted, used)).mean(axis=1)[used]
        raw = sentence_observations(tao["text"][used], values, SENTENCE_SD, linked=True)
        scale = LatentScale(SOFTNESS).fit([anchors, raw, careful, belief_observations(beliefs, 0)])
        predicted = scale.floor + scale.width * expit(scale.places(everyone))
    figures = {
        "evaluator": "cue_model",
        "provenance": _provenance("capphrase", "tao2025", "belem2024"),
        **scale.figures(),
    }
    figures["link"] = {"floor": round(scale.floor, 4), "width": round(scale.width, 4)}
    return {**figures, "spread": spread_figures(phrases)}


def estimate_cue_model_b(
    surveys: pd.DataFrame, yardsticks: pd.DataFrame, tao: pd.DataFrame, beliefs: pd.DataFrame
) -> dict[str, Any]:
    """Return the figures of ``cue_model_b``, from other studies and without any score that ``cue_model`` has seen.

    Parameters
    ----------
    surveys
        Figures of the phrase surveys together, ``phrase, n, mean, sd, sd_words``.
    yardsticks
        ``phrase, low, high``.
    tao
        As :func:`read_tao` gives it; its scores are not used.
    beliefs
        As :func:`read_beliefs` gives it.
    """
    part = tao[tao["part"] == "cue_model_b"]
    levels = sentence_observations(
        part["text"], part["level"].map(LEVEL_MIDDLE).to_numpy(), LEVEL_SD, linked=False
    )
    official = yardsticks.assign(mean=(yardsticks["low"] + yardsticks["high"]) / 2)
    places = statement_observations(official["phrase"], official["mean"].to_numpy(), YARDSTICK_SD)
    anchors = phrase_observations(surveys, PHRASE_SD)
    scale = LatentScale(SOFTNESS).fit([anchors, places, levels, belief_observations(beliefs, 1)])
    figures = {
        "evaluator": "cue_model_b",
        "provenance": _provenance("wadefagen", "zonination", "yardsticks", "belem2024"),
    }
    figures["provenance"]["tao2025_levels"] = (
        "the level of confidence that the writers (LLMs) of the sentences of 50 questions were asked for; no "
        f"human score; {PROVENANCE['tao2025']}"
    )
    return {**figures, **scale.figures(), "spread": spread_figures(surveys)}


def survey_figures(folder: Path) -> pd.DataFrame:
    """Return figures of the two phrase surveys, pooled by the number of respondents."""
    parts = pd.concat([phrase_figures(read_survey(folder, study)) for study in ("wadefagen", "zonination")])
    weighted = parts.assign(mean=parts["mean"] * parts["n"], sd_words=parts["sd_words"] * parts["n"])
    pooled = weighted.groupby("phrase")[["n", "mean", "sd_words"]].sum().reset_index()
    return pooled.assign(mean=pooled["mean"] / pooled["n"], sd_words=pooled["sd_words"] / pooled["n"])


def _provenance(*studies: str) -> dict[str, str]:
    return {study: PROVENANCE[study] for study in studies}


def main() -> None:
    """Estimate all figures from the studies under ``--data`` and write them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=study_folder, required=True, help="folder of the studies, one sub-folder each"
    )
    parser.add_argument("--out", type=Path, default=DATA, help="folder to write to (default: the package's)")
    arguments = parser.parse_args()
    folder = arguments.data
    out = arguments.out
    capphrase = read_survey(folder, "capphrase")
    tao = read_tao(folder)
    filtered = read_tao_filtered(folder)
    beliefs = read_beliefs(folder)
    cues = estimate_cues(phrase_figures(capphrase), tao, filtered, beliefs)
    cues_b = estimate_cue_model_b(survey_figures(folder), read_yardsticks(folder), tao, beliefs)
    for name, figures in (("cue_model", cues), ("cue_model_b", cues_b)):
        (out / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    surveys = {study: read_survey(folder, study) for study in ("wadefagen", "zonination")}
    human_cue_table(capphrase, surveys, tao, filtered).to_csv(out / "human_cues.csv", index=False)
    tao_cue_table(tao, filtered).to_csv(out / "human_cues_tao.csv", index=False)


if __name__ == "__main__":
    main()
