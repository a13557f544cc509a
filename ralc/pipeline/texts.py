"""What is read: a table ``item, text, crossing`` of answers, rewritten answers, or sentences.

An item is an answer, a rewritten answer under one condition, a sentence of the lexicon, or a text of a study. It is
`crossing` where its words aim at what another dataset's map says.
"""

from collections.abc import Sequence

import pandas as pd

from ralc.conditions import NONE, SIGNAL_READING, answer_items, rewrite_items
from ralc.sampling.missing import unanswered


def list_answers(answers: pd.DataFrame, questions: pd.DataFrame, *, letter: bool = False) -> pd.DataFrame:
    """Return the answers of all targets as what is read.

    By the paper's `letter` the signal has a reading of its own: each original is read for it, and those to held-out
    questions once more, for linguistic space.
    """
    given = answers[~unanswered(answers)]
    listed = _listed(answer_items(given), given["text"])
    if not letter:
        return listed
    held_out = given["question_id"].isin(questions.loc[questions["split"] == "test", "question_id"])
    direct = given["prompt"] == "direct"
    signals = listed[direct].assign(item=lambda rows: rows["item"] + SIGNAL_READING)
    return pd.concat([signals, listed[held_out | ~direct]], ignore_index=True)


def list_rewrites(plan: pd.DataFrame, rewrites: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return the planned conditions with their rewritten texts as what is read."""
    rows = plan.drop(columns="text").merge(rewrites[["task", "text"]], on="task", validate="many_to_one")
    own = rows["question_id"].map(questions.set_index("question_id")["dataset"])
    crossing = (rows["train"] != NONE) & (rows["train"] != own)
    return _listed(rewrite_items(rows), rows["text"], crossing)


def list_sentences(sentences: pd.DataFrame) -> pd.DataFrame:
    """Return the sentences of each expression as what is read."""
    return _listed(sentence_items(sentences), sentences["sentence"])


def list_texts(texts: Sequence[str]) -> pd.DataFrame:
    """Return texts that belong to nothing as what is read."""
    return _listed([f"text {place}" for place in range(len(texts))], list(texts))


def _listed(
    items: Sequence[str] | pd.Series, texts: Sequence[str] | pd.Series, crossing: pd.Series | bool = False
) -> pd.DataFrame:
    return pd.DataFrame({"item": items, "text": texts}).assign(crossing=crossing)


def sentence_items(sentences: pd.DataFrame) -> pd.Series:
    """The names of the lexicon's sentences as items; one that was written again has its number behind it."""
    names = sentences["expression"].str.cat(sentences["sentence"], sep="/")
    again = names.groupby(names).cumcount()
    return names.where(again == 0, names + "/" + again.astype("str"))
