"""Items: every held-out answer under every condition, with its outcome and its confidence.

One row a question and condition. In signal space `original` is the raw signal and `ralc` the calibrated one. In
linguistic space `original` is the answer as it came, and every other method is its text as an evaluator perceives it.
"""

import numpy as np
import pandas as pd

from ralc.conditions import DEFAULT, NONE, PEOPLE, SURVEYED, UNIT, answer_items, having, rewrite_items
from ralc.registry import PROMPTS, metrics_by
from ralc.rewriting.doors import Reason, skip_reason

_TEXT = ["item", "text", "parent_answer"]
_QUESTION = ["question_id", "dataset", "group", "turn", "subject", "answerable"]
_ANSWER = ["target", "sentence", *_QUESTION, "outcome", "grade", "abstained", *_TEXT]
_KEPT = [*metrics_by("preservation"), "p_entail", "p_neutral", "p_contradict"]


def assemble(
    *,
    questions: pd.DataFrame,
    answers: pd.DataFrame,
    grades: pd.DataFrame,
    signals: pd.DataFrame,
    calibrated: pd.DataFrame,
    plan: pd.DataFrame,
    rewrites: pd.DataFrame,
    rewrite_grades: pd.DataFrame,
    readings: pd.DataFrame,
    preservation: pd.DataFrame,
    protocol: str,
    methods: list[str],
) -> pd.DataFrame:
    """Return the items table (`ralc.schemas.TABLES["items"]`) of the test split.

    Evaluator ``people``, who has the studies' own numbers of the phrases that people were asked about, comes from the
    plan.

    Parameters
    ----------
    questions
        The questions tables of all datasets as one.
    answers, grades, signals, calibrated
        Tables of all targets, in a column ``target``.
    plan
        For each rewritten condition the task whose text is in `rewrites`.
    rewrites
        The text of each task.
    rewrite_grades
        A task here has the outcome of its own text, every other that of the answer that it keeps.
    readings
        Each item by each evaluator.
    preservation
        What each pair (original, rewrite) has in common.
    protocol
        The label of the run's; signal space may have others beside it.
    methods
        Those of the run.
    """
    direct, hedged = _graded_answers(questions, answers, grades)
    texts = [direct.assign(method="original")]
    if "hedged_qa" in methods:
        texts.append(_preserved(hedged.assign(method="hedged_qa"), direct, preservation))
    texts.append(_preserved(_rewritten(plan, rewrites, direct, rewrite_grades), direct, preservation))
    read = pd.concat([readings[["item", "evaluator", "alpha", "beta"]], _surveyed(plan)], ignore_index=True)
    words = pd.concat(texts, ignore_index=True).merge(read, on="item", how="left", validate="one_to_many")
    numbers = _base_rate(direct, questions, grades)
    linguistic = [part.assign(space="linguistic", protocol=protocol) for part in (words, numbers)]
    parts = [_signal_space(direct, signals, calibrated), *linguistic]
    items = _completed(pd.concat(parts, ignore_index=True))
    # In the order of the questions, which is that of the configuration and of every table.
    place = {dataset: place for place, dataset in enumerate(questions["dataset"].unique())}
    return items.sort_values("dataset", key=lambda names: names.map(place), kind="stable", ignore_index=True)


def _graded_answers(
    questions: pd.DataFrame, answers: pd.DataFrame, grades: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The direct and the hedged answers to the held-out questions, with their grades."""
    held_out = questions.loc[questions.split == "test", [*_QUESTION, "question"]]
    graded = answers.merge(held_out, on="question_id", validate="many_to_one")
    graded = graded.merge(grades, on=["target", *UNIT, "prompt"], validate="one_to_one")
    direct = having(graded, prompt="direct").set_index(["target", *UNIT])
    abstained = [
        skip_reason(text, question, answers=True) is Reason.ABSTAINS
        for text, question in zip(direct.text, direct.question, strict=True)
    ]
    abstained = pd.Series(abstained, direct.index, name="abstained")
    graded = graded.join(abstained, on=["target", *UNIT]).assign(item=answer_items(graded))
    return tuple(having(graded, prompt=prompt)[_ANSWER] for prompt in PROMPTS)


def _base_rate(direct: pd.DataFrame, questions: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """The share of right train answers said as a number of every answer, as sure as their number lets one be.

    Jeffreys' posterior of the share: its concentration is the number of graded train answers and one.
    """
    train = questions.loc[questions.split == "train", ["question_id", "dataset"]]
    graded = having(grades, prompt="direct").merge(train, on="question_id").dropna(subset=["outcome"])
    counts = graded.groupby(["target", "dataset"]).outcome.agg(right="sum", n="count").astype(float)
    share = pd.DataFrame({"alpha": counts.right + 0.5, "beta": counts.n - counts.right + 0.5})
    answers = direct.drop(columns=_TEXT).join(share, on=["target", "dataset"], how="inner")
    return answers.assign(train=answers.dataset, method="base_rate")


def _signal_space(direct: pd.DataFrame, signals: pd.DataFrame, calibrated: pd.DataFrame) -> pd.DataFrame:
    """The raw and the calibrated signals of the direct answers."""
    keys = ["target", *UNIT]
    answer = direct.drop(columns=_TEXT)
    raw = answer.merge(signals, on=keys, validate="one_to_many").assign(method="original")
    mapped = answer.merge(calibrated.drop(columns="dataset"), on=keys, validate="one_to_many")
    return pd.concat([raw, mapped.assign(method="ralc")], ignore_index=True).assign(space="signal")


def _rewritten(
    plan: pd.DataFrame, rewrites: pd.DataFrame, direct: pd.DataFrame, grades: pd.DataFrame
) -> pd.DataFrame:
    """The planned conditions with their rewritten text and its outcome: its own, or that of the answer it keeps."""
    conditions = plan[["target", *UNIT, "train", "signal", "method", "variant", "hedges", "task"]]
    conditions = conditions.assign(item=rewrite_items(conditions))
    texts = conditions.merge(rewrites, on="task", validate="many_to_one")
    texts = texts.merge(direct.drop(columns=_TEXT), on=["target", *UNIT], validate="many_to_one")
    how = {"how": "left", "validate": "many_to_one", "suffixes": ("", "_own"), "indicator": "graded"}
    texts = texts.merge(grades, on=[*UNIT, "task"], **how)
    for column in ("grade", "outcome"):
        texts[column] = texts[column].mask(texts["graded"] == "both", texts[f"{column}_own"])
    return texts.drop(columns=["grade_own", "outcome_own", "graded"])


def _surveyed(plan: pd.DataFrame) -> pd.DataFrame:
    """What people said of the phrases that they were asked about, as readings; null where an answer is not hedged."""
    rows = having(plan, variant=SURVEYED)
    readings = pd.DataFrame({"item": rewrite_items(rows), "evaluator": PEOPLE})
    for name in ("alpha", "beta"):
        first = pd.Series([values[0] for values in rows[f"hedge_{name}"]], rows.index, dtype=float)
        readings[name] = first.mask(rows["skip_reason"] != "")
    return readings


def _preserved(texts: pd.DataFrame, direct: pd.DataFrame, preservation: pd.DataFrame) -> pd.DataFrame:
    """Texts with what they keep of the original answer."""
    originals = direct[["target", *UNIT, "text"]].rename(columns={"text": "original"})
    texts = texts.merge(originals, on=["target", *UNIT], validate="many_to_one")
    texts["rewrite"] = texts["text"]
    values = preservation[["original", "rewrite", *_KEPT]]
    return texts.merge(values, on=["original", "rewrite"], how="left", validate="many_to_one")


def _completed(items: pd.DataFrame) -> pd.DataFrame:
    """What does not apply is `none` in text and null in numbers."""
    items["variant"] = items["variant"].fillna(DEFAULT)
    for column in ("train", "signal", "evaluator", "origin"):
        items[column] = items[column].fillna(NONE) if column in items else NONE
    items["hedges"] = [list(hedges) if np.ndim(hedges) else [] for hedges in items["hedges"]]
    lacking = {column: float("nan") for column in _KEPT if column not in items}
    return items.assign(**lacking).drop(columns=["item", "task", "original", "rewrite"], errors="ignore")
