"""Clusters by a language model (paper appendix C.4)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from ralc import prompts
from ralc.clustering.direct import cluster_by, direct_answers
from ralc.clustering.lexical import lexical_clusters
from ralc.english import same_answer
from ralc.english.normalisation import normalise
from ralc.llm.requests import Request, request_for
from ralc.llm.tables import join, to_table
from ralc.registry import LONG

#: Tokens for the frame of the reply and for each of its ids; a reply that is written freely may break its lines.
_FRAME_TOKENS, _ID_TOKENS = 32, 4
_FREE = 2
#: The object in a reply that has more around it.
_OBJECT = re.compile(r"\{[^{}]*\}")


def distinct_answers(texts: Sequence[str], choices: Sequence[str] = ()) -> tuple[list[str], list[int]]:
    """Return the answers that differ after normalisation, and for each answer its place among them.

    A model is asked about these alone: where all answers are alike no call is
    needed, which decides multiple choice by letters for free.

    >>> distinct_answers(["Paris.", "paris", "Lyon"])
    (['Paris.', 'Lyon'], [0, 0, 1])
    """
    places: dict[Any, int] = {}
    firsts: list[str] = []
    assigned = []
    for text in texts:
        key: Any = chosen(text, choices) if len(choices) else None
        if key is None:
            key = normalise(text) or text.strip().casefold()
        if key not in places:
            places[key] = len(firsts)
            firsts.append(text)
        assigned.append(places[key])
    return firsts, assigned


def chosen(text: str, choices: Sequence[str]) -> int | None:
    """Return the index of the one choice that an answer means, by its letter or in words, or None.

    >>> chosen("B. Paris", ["London", "Paris"]), chosen("It is London.", ["London", "Paris"])
    (1, 0)
    """
    same = [place for place, choice in enumerate(choices) if same_answer(text, choice, "", choices) == "yes"]
    return same[0] if len(same) == 1 else None


def cluster_messages(texts: Sequence[str], question: str) -> prompts.Messages:
    """Return the clusterer prompt for some answers to a question: ``0: 'text'``, one a line."""
    # An answer is one line here, so that no answer can pose as another.
    lines = (f"{place}: '{' '.join(text.split())}'" for place, text in enumerate(texts))
    return prompts.messages("clusterer", question=question, responses="\n".join(lines))


def cluster_schema(count: int) -> dict[str, Any]:
    """Return the JSON schema of a clusterer's reply: exactly `count` ids."""
    ids = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": count, "maxItems": count}
    return {
        "type": "object",
        "properties": {"semantic_ids": ids},
        "required": ["semantic_ids"],
        "additionalProperties": False,
    }


def render(
    samples: pd.DataFrame,
    questions: pd.DataFrame,
    model: Mapping[str, Any],
    *,
    letter: bool = False,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the requests to the clusterer, at temperature 0: one a question whose shown answers are several.

    Parameters
    ----------
    samples
        The samples table of a target, or of several with a column ``target``.
    questions
        The questions table.
    model
        The clusterer's entry of the configuration.
    letter
        The paper's letter: all answers are shown, not distinct ones alone, and the reply is not constrained.
    seed
        Of the run.

    Returns
    -------
    DataFrame
        A requests table with ``target`` (``none`` where `samples` name none) and ``question_id``.
    """
    rows = list(_requests(samples, questions, model, letter, seed))
    return to_table(
        [request for _, _, request in rows],
        target=[target for target, _, _ in rows],
        question_id=[question_id for _, question_id, _ in rows],
    )


def _requests(
    samples: pd.DataFrame,
    questions: pd.DataFrame,
    model: Mapping[str, Any],
    letter: bool,
    seed: int,
) -> Iterator[tuple[str, str, Request]]:
    """Target, question and request of all that is asked."""
    targets = samples["target"] if "target" in samples else pd.Series("none", index=samples.index)
    for target, part in samples.groupby(targets, sort=False):
        for row, group in direct_answers(part, questions):
            texts, _ = _shown(row, group["text"].tolist(), letter)
            if len(texts) > 1 and row.format != LONG:
                tokens = _FRAME_TOKENS + _ID_TOKENS * len(texts)
                request = request_for(
                    model,
                    cluster_messages(texts, row.question),
                    temperature=0.0,
                    max_tokens=_FREE * tokens if letter else tokens,
                    constraint=None if letter else {"json": cluster_schema(len(texts))},
                )
                yield target, row.question_id, request.with_content_seed(seed)


def _shown(row: Any, texts: list[str], letter: bool) -> tuple[list[str], list[int]]:
    """The answers to a question that the clusterer is shown, and for each answer its place among them."""
    if letter:
        return texts, list(range(len(texts)))
    return distinct_answers(texts, list(row.choices))


def parse_clusters(reply: str | None, count: int) -> list[int] | None:
    """Return the cluster of each of `count` answers, by first appearance, or None if the reply does not say.

    >>> parse_clusters('Here: {"semantic_ids": [3, 3, 1]}', 3), parse_clusters("[0, 1]", 3)
    ([0, 0, 1], None)
    """
    found = _OBJECT.search((reply or "")[: 1000 + 30 * count])
    try:
        ids = json.loads(found[0] if found else "")["semantic_ids"]
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None
    if not isinstance(ids, list) or len(ids) != count or not all(type(i) is int for i in ids):
        return None
    numbers: dict[int, int] = {}
    return [numbers.setdefault(i, len(numbers)) for i in ids]


def cluster_llm(
    samples: pd.DataFrame,
    questions: pd.DataFrame,
    requests: pd.DataFrame,
    responses: pd.DataFrame,
    *,
    letter: bool = False,
) -> pd.DataFrame:
    """Return the clusters of all direct answers of one target by the replies to `render`'s requests for it.

    A reply that is no list of the right length (after its second attempt) leaves that question to
    `lexical_clusters`, which `fallback` counts.

    Raises
    ------
    ValueError
        If an answer's question is unknown, or a request has no response.
    """
    replies = dict(join(requests, responses)[["question_id", "reply"]].itertuples(index=False))

    def method(row: Any, texts: list[str]) -> tuple[list[int], bool]:
        firsts, places = _shown(row, texts, letter)
        found = [0] if len(firsts) == 1 else parse_clusters(replies.get(row.question_id), len(firsts))
        if found is None:
            return lexical_clusters(texts, row.question, list(row.choices)), True
        return [found[place] for place in places], False

    return cluster_by(method, samples, questions)
