"""The normalised table of questions, the same columns for every dataset, and its split into train and test."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from ralc.io.history import conversations, dialogue, turn_of
from ralc.registry import LONG, SUBSETS
from ralc.schemas import TABLES

#: The columns of a dataset before it is split.
COLUMNS = [name for name in TABLES["questions"] if name != "split"]
SPLIT_METHODS = ("stratified", "first")


def questions_table(rows: Iterable[dict[str, Any]], dataset: str) -> pd.DataFrame:
    """Return the questions table of rows with at least ``question_id, format, question, subject``.

    Lists default to empty, ``answerable`` to True. ``turn`` is counted in the ``history``. ``group`` (the unit of
    clustered resampling) defaults to that of the question with which the conversation began, if it is one of the rows,
    else to the question's id.

    Raises
    ------
    ValueError
        If there is no question, or a question is inconsistent; the message names the first offending id.
    """
    default = {
        "choices": [],
        "accepted": [],
        "wrong": [],
        "answerable": True,
        "dataset": dataset,
        "history": [],
    }
    filled = [default | row for row in rows]
    dialogues = [dialogue(row["history"], row["question"]) for row in filled]
    groups = conversations(dialogues, [row.get("group") for row in filled])
    for row, group in zip(filled, groups, strict=True):
        row["turn"] = turn_of(row["history"])
        row["group"] = filled[group]["question_id"] if isinstance(group, int) else group
    if not filled:
        raise ValueError(f"dataset {dataset!r} has no questions")
    table = pd.DataFrame(filled, columns=COLUMNS)
    table["correct_choice"] = table["correct_choice"].astype("Int64")
    table["answerable"] = table["answerable"].astype(bool)
    multiple = table["format"] == "multiple_choice"
    of_long = table["format"] == LONG
    right = table["correct_choice"].between(0, table["choices"].map(len) - 1).fillna(False)
    reserved = f"the subject is a word of the results tables ({', '.join(SUBSETS[:3])})"
    faults = {
        "the id is not unique": table["question_id"].duplicated(),
        reserved: table["subject"].isin(SUBSETS),
        "the question is empty": table["question"].str.strip() == "",
        "nothing is accepted though it is answerable": table["answerable"]
        & ~table["accepted"].map(bool)
        & ~of_long,
        "the correct choice is not one of the choices": multiple & ~right,
    }
    for fault, where in faults.items():
        if where.any():
            first = table["question_id"][where].iloc[0]
            raise ValueError(f"dataset {dataset!r}, question {first!r}: {fault}")
    return table


def distinct(texts: Iterable[str]) -> list[str]:
    """Return the texts without padding, empty ones and repeats, in their order."""
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))


def split(
    questions: pd.DataFrame, fraction: float, method: str = "stratified", seed: int = 0
) -> pd.DataFrame:
    """Return the questions of one dataset with a column ``split``: ``train`` or ``test``.

    Parameters
    ----------
    questions
        A questions table.
    fraction
        Share of train questions, in (0, 1); ``ceil(fraction * n)`` questions are train. The questions of one group (a
        conversation, an article) are on one side, so that of groups there may be more or fewer. Those of a single
        article are on both.
    method
        ``stratified`` (default): seeded, every subject, and of it answerable and unanswerable questions, in
        proportion. ``first``: the first in file order (paper section 5.2.1), where an article may be on both sides.
    seed
        Of the random order within strata; the same questions and seed give the same split in any row order.

    Raises
    ------
    ValueError
        If the method is unknown, or one side would be empty.
    """
    if method not in SPLIT_METHODS:
        raise ValueError(f"split method {method!r} is not one of {', '.join(SPLIT_METHODS)}")
    count = train_count(len(questions), fraction)
    if not 0 < count < len(questions):
        raise ValueError(f"{len(questions)} questions cannot be split by {fraction}: one side would be empty")
    rank = np.arange(len(questions)) if method == "first" else _stratified_rank(questions, seed)
    groups = questions["group"]
    if method == "first" or groups.eq(groups.iloc[0]).all():  # of one article alone both sides have some
        conversations = questions["turn"].groupby(groups).transform("max") > 1
        groups = groups.where(conversations, questions["question_id"])
    order = questions.sort_values(["turn", "question_id"]).index
    first = pd.Series(rank, questions.index)[order].groupby(groups[order]).transform("first")
    before = first.rank(method="min") - 1  # questions of the groups whose first one comes before
    middle = before + before.groupby(before).transform("size") / 2
    train = (before == 0) | ((middle <= count) & (before < before.max()))
    if train.nunique() < 2:
        raise ValueError(f"all {len(questions)} questions are of one conversation: one side would be empty")
    return questions.assign(split=np.where(train[questions.index], "train", "test"))


def train_count(questions: int, fraction: float) -> int:
    """Return how many of some questions are train; the epsilon keeps 0.3 * 10 = 3.0000000000000004 from becoming 4."""
    return math.ceil(fraction * questions - 1e-9)


def _stratified_rank(questions: pd.DataFrame, seed: int) -> np.ndarray:
    """The place of each question in an order in which every leading part holds the strata in proportion."""
    ids = questions["question_id"].to_numpy(dtype=str)
    shuffled = np.empty(len(ids))
    shuffled[np.argsort(ids)] = np.random.default_rng(seed).permutation(len(ids))
    strata = questions.groupby(["subject", "answerable"], sort=True).ngroup().to_numpy()
    within = pd.Series(shuffled).groupby(strata).rank(method="first").to_numpy()
    size = pd.Series(shuffled).groupby(strata).transform("size").to_numpy()
    # The middle of each question's slot in its stratum: strata of any size fill at the same rate.
    return np.argsort(np.argsort((within - 0.5) / size + 1e-9 * shuffled / len(ids)))
