"""What is read, and how every evaluator reads it (paper section 3.1).

What is read is a table ``item, text, secondary``. An item is an answer, a rewritten answer under one condition, a
sentence of the lexicon, or a text of a study. What no primary endpoint compares is `secondary`. That is an answer to a
train question, and a rewrite of an ablation, by another dataset's map, or by another signal than the primary one.
Items of equal text have equal readings, unless they are read anew, by the paper's letter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ralc.conditions import DEFAULT, NONE, SIGNAL_READING, answer_items, having, rewrite_items
from ralc.evaluators import build
from ralc.protocols import Protocol, resolve
from ralc.registry import primary_signal
from ralc.rewriting.notes import opening_of
from ralc.sampling import unanswered
from ralc.steps import Step

Texts = Sequence[str] | pd.Series
#: The entries of evaluators by the names that the configuration gives them.
Evaluators = Mapping[str, Mapping[str, Any]]


def list_answers(
    answers: pd.DataFrame, questions: pd.DataFrame, protocol: str | Protocol = "ralc"
) -> pd.DataFrame:
    """Return the answers of all targets as what is read.

    Parameters
    ----------
    answers
        Of all targets, in a column ``target``.
    questions
        With ``split``: what is no answer to a held-out question is secondary.
    protocol
        By its `letter` the signal has a reading of its own. Each original is read for it, and those to held-out
        questions once more, for linguistic space.
    """
    usable = answers[~unanswered(answers)]
    held_out = usable["question_id"].isin(questions.loc[questions["split"] == "test", "question_id"])
    listed = list_texts(usable["text"], answer_items(usable)).assign(secondary=~held_out)
    if not resolve(protocol).letter:
        return listed
    direct = usable["prompt"] == "direct"
    signals = listed[direct].assign(item=lambda rows: rows["item"] + SIGNAL_READING)
    return pd.concat([signals, listed[held_out | ~direct]], ignore_index=True)


def list_rewrites(plan: pd.DataFrame, rewrites: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return the planned conditions with their rewritten texts as what is read.

    A sentence is read below the note of the whole with which its answer opens.

    Parameters
    ----------
    plan
        The conditions, each with its ``task``.
    rewrites
        ``task, text, parent_answer``.
    questions
        The dataset of each question: a map of another makes a rewrite secondary.
    """
    texts = rewrites[["task", "text", "parent_answer"]]
    rows = plan.drop(columns=["text", "parent_answer"]).merge(texts, on="task", validate="many_to_one")
    openings = [opening_of(parent) if isinstance(parent, str) else "" for parent in rows["parent_answer"]]
    rows["text"] = [f"{note} {text}".lstrip() for note, text in zip(openings, rows["text"], strict=True)]
    dataset = rows["question_id"].map(questions.set_index("question_id")["dataset"])
    primary = rows["train"].eq(dataset) & rows["variant"].eq(DEFAULT)
    primary &= rows["signal"].isin([NONE, primary_signal(rows["signal"].unique())])
    return list_texts(rows["text"], rewrite_items(rows)).assign(secondary=~primary)


def list_sentences(sentences: pd.DataFrame) -> pd.DataFrame:
    """Return the sentences of each expression as what is read."""
    return list_texts(sentences["sentence"], _sentence_items(sentences))


def list_texts(texts: Texts, items: Texts | None = None) -> pd.DataFrame:
    """Return texts as what is read, by their numbers where they have no names."""
    items = [f"text {place}" for place in range(len(texts))] if items is None else items
    return pd.DataFrame({"item": items, "text": texts}).assign(secondary=False)


def _sentence_items(sentences: pd.DataFrame) -> pd.Series:
    """The names of the lexicon's sentences as items; one that was written again has its number behind it."""
    names = sentences["expression"].str.cat(sentences["sentence"], sep="/")
    repeat = names.groupby(names).cumcount()
    return names.where(repeat == 0, names + "/" + repeat.astype("str"))


@dataclass(kw_only=True)
class Reading(Step):
    """Has texts read by evaluators.

    Parameters
    ----------
    evaluators : mapping
        Their entries, by the names that the configuration gives them.
    """

    evaluators: Evaluators

    def ask(self, texts: pd.DataFrame, *, model: Mapping[str, Any]) -> pd.DataFrame:
        """Return what one model is asked, for all evaluators: ``evaluator, item, text``, requests."""
        parts = []
        for name, entry in self.evaluators.items():
            listed = _for(entry, texts)
            part = build(name, entry).ask(listed, model=model, seed=self.seed, protocol=self.protocol)
            part.insert(0, "evaluator", name)
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    def result(self, texts: pd.DataFrame, replies: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return the readings table: ``item, text, evaluator, alpha, beta, readings``, each evaluator's in turn."""
        parts = [
            build(name, entry).readings(_for(entry, texts), _to(name, replies), protocol=self.protocol)
            for name, entry in self.evaluators.items()
        ]
        return pd.concat(parts, ignore_index=True)


#: The one method: evaluators read, some of whom ask models.
METHODS = {"evaluators": Reading}


def score(
    sentences: pd.DataFrame,
    name: str,
    entry: Mapping[str, Any],
    *,
    replies: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return how one evaluator scores the lexicon's sentences: expression, sentence, evaluator, score, variance.

    Scores are those of `Evaluator.scored`. A sentence that was written several times counts as often.

    Parameters
    ----------
    sentences
        ``expression, sentence``.
    name, entry
        The evaluator's name and entry in the configuration.
    replies
        To its requests; None for one that asks no model.
    """
    rows = sentences[["expression", "sentence"]].assign(item=_sentence_items(sentences))
    scores = build(name, entry).scored(list_sentences(sentences), _to(name, replies))
    return rows.merge(scores, on="item").drop(columns="item")


def mean_by_expression(sentences: pd.DataFrame, evaluators: Evaluators) -> dict[str, pd.Series]:
    """Return the mean reading of each expression of the lexicon by each of `evaluators`, which ask no model."""
    means = {}
    items = _sentence_items(sentences)
    for name, entry in evaluators.items():
        readings = Reading(evaluators={name: entry}).result(list_sentences(sentences)).set_index("item")
        mean = readings["alpha"] / (readings["alpha"] + readings["beta"])
        means[name] = items.map(mean).groupby(sentences["expression"]).mean()
    return means


def _for(entry: Mapping[str, Any], texts: pd.DataFrame) -> pd.DataFrame:
    """What an evaluator reads of some texts: all, or the primary ones alone."""
    return texts if entry.get("secondary", True) else texts[~texts["secondary"]]


def _to(evaluator: str, replies: pd.DataFrame | None) -> pd.DataFrame | None:
    """The replies to one evaluator's requests."""
    return None if replies is None else having(replies, evaluator=evaluator).reset_index(drop=True)
