"""Fit ``cue_model`` anew without some of the people or phrases, and test it on those.

    python -m studies.refits --data DIR

reads the studies in DIR and writes ``ralc/data/human_refits.csv`` with its provenance. The packaged evaluator
knows all of CAPphrase's respondents and phrases. Here it is estimated as it is packaged but

- from one random half of the respondents. Its readings of the 19 phrases are set beside those of the other half
  (``capphrase_other_half``: new people, the same phrases). They are also set beside the two surveys
  (``wadefagen_half_fit``, ``zonination_half_fit``: other people, other questions, mostly other phrases).
- without one phrase at a time (``capphrase_left_out``): what it reads in the phrase that it was not fitted on.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ralc.evaluators.cue_model import CueModel, GrammarModel
from ralc.human_benchmark import COLUMNS, benchmark_rows, of_means, of_spreads
from ralc.human_benchmark.studies import (
    phrase_figures,
    read_survey,
    read_tao,
)
from ralc.lexicon.expressions import PHRASE_SENTENCES
from studies import study_folder
from studies.estimate import estimate_cues
from studies.sources import read_beliefs, read_tao_filtered
from studies.writing import SEED, write_committed

#: The yardsticks' names in the human benchmark's table; `HALF_FIT` is added to a survey's.
OTHER_HALF = "capphrase_other_half"
HALF_FIT = "_half_fit"
LEFT_OUT = "capphrase_left_out"


def halves(scores: pd.DataFrame, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of a random half of the persons (of an odd number the smaller), and those of the others.

    Raises
    ------
    ValueError
        If there are fewer than four persons: two in each half are needed for a spread.
    """
    persons = scores["person"].unique()
    if len(persons) < 4:
        raise ValueError(f"scores: {len(persons)} persons, at least 4 are needed to make halves")
    first = scores["person"].isin(rng.choice(persons, len(persons) // 2, replace=False))
    return scores[first], scores[~first]


def refit(people: pd.DataFrame, folder: Path) -> GrammarModel:
    """Return ``cue_model`` estimated as usual, but from these figures of CAPphrase's phrases (`phrase_figures`)."""
    figures = estimate_cues(people, read_tao(folder), read_tao_filtered(folder), read_beliefs(folder))
    return CueModel("cue_model", figures)


def read_phrases(evaluator: GrammarModel, people: pd.DataFrame) -> pd.DataFrame:
    """Return what an evaluator reads in each phrase, beside people: ``phrase, read, human, read_sd, human_sd``."""
    read = evaluator.read([PHRASE_SENTENCES[phrase] for phrase in people["phrase"]])
    return pd.DataFrame(
        {
            "phrase": people["phrase"].to_numpy(),
            "read": read.mean,
            "human": people["mean"].to_numpy(),
            "read_sd": np.sqrt(read.variance),
            "human_sd": people["sd_words"].to_numpy(),
        }
    )


def half_fit(folder: Path, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Return `read_phrases` of an evaluator of one half of the people, by yardstick: the other half, the surveys."""
    fitted_on, other = map(phrase_figures, halves(read_survey(folder, "capphrase"), rng))
    evaluator = refit(fitted_on, folder)
    surveys = {
        f"{study}{HALF_FIT}": phrase_figures(read_survey(folder, study))
        for study in ("wadefagen", "zonination")
    }
    return {name: read_phrases(evaluator, people) for name, people in {OTHER_HALF: other, **surveys}.items()}


def left_out(folder: Path, phrases: Sequence[str] | None = None) -> pd.DataFrame:
    """Return `read_phrases` of each phrase by an evaluator fitted without it (of `phrases`, or of all)."""
    people = phrase_figures(read_survey(folder, "capphrase"))
    parts = []
    for phrase in people["phrase"] if phrases is None else phrases:
        same = people["phrase"] == phrase
        parts.append(read_phrases(refit(people[~same], folder), people[same]))
    return pd.concat(parts, ignore_index=True)


def refit_rows(folder: Path) -> pd.DataFrame:
    """Return rows of the benchmark (`human_benchmark`) of the refits, from the studies in `folder`."""
    rng = np.random.default_rng(SEED)
    rows = []
    for dataset, table in {**half_fit(folder, rng), LEFT_OUT: left_out(folder)}.items():
        read, human, read_sd, human_sd = table[["read", "human", "read_sd", "human_sd"]].to_numpy().T
        compared = of_means(read, human) | of_spreads(read_sd, human_sd)
        rows += benchmark_rows(dataset, "cue_model", compared, resamples=1000, rng=rng)
    return pd.DataFrame(rows)[COLUMNS]


def main() -> None:
    """Write the committed rows."""
    parser = argparse.ArgumentParser(prog="python -m studies.refits", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=study_folder, required=True, help="folder of the studies")
    rows = refit_rows(parser.parse_args().data)
    lines = [
        "The cue model fitted anew on half of CAPphrase's respondents, or without one of its phrases, by:",
        "python -m studies.refits --data DIR",
    ]
    write_committed("refits", rows, lines)


if __name__ == "__main__":
    main()
