"""Clusters by a language model (paper appendix C.4)."""

import json
import re
from collections.abc import Sequence
from typing import Any

from ralc import prompts
from ralc.english import same_answer, words
from ralc.protocols import Protocol

#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 300
#: Tokens for the frame of the reply and for each of its ids; a reply that is written freely may break its lines.
_FRAME_TOKENS = 32
_ID_TOKENS = 4
_FREE = 2
#: The object in a reply that has more around it.
_OBJECT = re.compile(r"\{[^{}]*\}")


def distinct_answers(texts: Sequence[str], choices: Sequence[str] = ()) -> tuple[list[str], list[int]]:
    """Return the answers that differ, and for each answer its place among them.

    They differ after normalisation, of several choices in the choice that they mean. Where all are alike no call is
    needed, which decides multiple choice by letters for free.

    >>> distinct_answers(["Paris.", "paris", "Lyon"])
    (['Paris.', 'Lyon'], [0, 0, 1])
    """
    keys = [_chosen(text, choices) or " ".join(words(text)) or text.strip().casefold() for text in texts]
    firsts = dict(zip(reversed(keys), reversed(texts), strict=True))
    order = list(dict.fromkeys(keys))
    return [firsts[key] for key in order], [order.index(key) for key in keys]


def _chosen(text: str, choices: Sequence[str]) -> tuple[int] | None:
    """Return the place of the one choice that an answer means, by its letter or in words."""
    same = [place for place, choice in enumerate(choices) if same_answer(text, choice, "", choices) == "yes"]
    return (same[0],) if len(same) == 1 else None


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


def cluster_fields(texts: Sequence[str], question: str, protocol: Protocol) -> dict[str, Any]:
    """Return what asks to cluster some answers to a question, at temperature 0.

    Parameters
    ----------
    texts
        The answers that are shown.
    question
        What was asked.
    protocol
        By its `letter` the reply is not constrained.

    Returns
    -------
    dict
        ``messages, temperature, max_tokens`` and ``constraint`` of a request.
    """
    tokens = _FRAME_TOKENS + _ID_TOKENS * len(texts)
    fields = {"messages": cluster_messages(texts, question), "temperature": 0.0}
    if protocol.letter:
        return fields | {"max_tokens": _FREE * tokens}
    return fields | {"max_tokens": tokens, "constraint": {"json": cluster_schema(len(texts))}}


def parse_clusters(reply: str | None, count: int) -> list[int] | None:
    """Return the cluster of each of `count` answers, by first appearance, or None if the reply does not say.

    >>> parse_clusters('Here: {"semantic_ids": [3, 3, 1]}', 3), parse_clusters("[0, 1]", 3)
    ([0, 0, 1], None)
    """
    match = _OBJECT.search((reply or "")[: 1000 + 30 * count])
    try:
        ids = json.loads(match[0] if match else "")["semantic_ids"]
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None
    if not isinstance(ids, list) or len(ids) != count or not all(type(i) is int for i in ids):
        return None
    numbers: dict[int, int] = {}
    return [numbers.setdefault(i, len(numbers)) for i in ids]
