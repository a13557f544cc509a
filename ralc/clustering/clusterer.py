"""The clusterer: which direct answers to a question mean the same."""

import json
import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ralc import prompts
from ralc.clustering.majority import direct_answers
from ralc.english import meaning, same_answer, words
from ralc.io.console import progress
from ralc.io.history import transcript
from ralc.registry import LONG
from ralc.steps import ANSWER_TOKENS, Calls, Step, Workload

_TYPES = {"question_id": "str", "sample": "int64", "cluster": "int64", "fallback": "bool"}
#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 300
#: Tokens for the frame of the reply and for each of its ids; a reply that is written freely may break its lines.
_FRAME_TOKENS = 32
_ID_TOKENS = 4
_FREE = 2
#: The object in a reply that has more around it.
_OBJECT = re.compile(r"\{[^{}]*\}")


class Clusterer(Step):
    """Numbers the meanings of the direct answers to each question; long answers are not compared, each is alone."""

    def result(
        self, samples: pd.DataFrame, questions: pd.DataFrame, replies: pd.DataFrame | None = None
    ) -> pd.DataFrame:
        """Return the clusters table of a target's direct answers.

        Parameters
        ----------
        samples, questions
            The samples of a target, and the questions table; of the samples only rows of prompt ``direct`` are looked
            at.
        replies
            What a model replied about this target's answers.

        Returns
        -------
        DataFrame
            ``question_id, sample, cluster, fallback``: whether words decided, since a model's reply was of no use.

        Raises
        ------
        ValueError
            If an answer's question is unknown, or replies are lacking.
        """
        replies = self.replied(replies)
        said = {} if replies is None else dict(zip(replies["question_id"], replies["reply"], strict=True))
        parts = []
        total = samples.loc[samples["prompt"] == "direct", "question_id"].nunique()
        for row, group in progress(direct_answers(samples, questions), "clusters", "questions", total):
            texts = group["text"].tolist()
            if row.format == LONG:
                clusters: list[int] | None = list(range(len(texts)))
            else:
                clusters = self._clusters(texts, row, said.get(row.question_id))
            part = group[["question_id", "sample"]].assign(fallback=clusters is None)
            parts.append(part.assign(cluster=clusters or _by_words(texts, row)))
        table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(_TYPES))
        return table.astype(_TYPES)[list(_TYPES)]

    @abstractmethod
    def _clusters(self, texts: Sequence[str], question: Any, reply: str | None) -> list[int] | None:
        """The cluster of each answer to a question, a row of its table; None where a model's reply does not say."""


class LexicalClusterer(Clusterer):
    """Compares answers by what their words mean."""

    def _clusters(self, texts, question, reply):
        return _by_words(texts, question)


class LLMClusterer(Clusterer):
    """Asks a language model (the paper's). By the paper's `letter` it is shown all answers, not distinct ones alone."""

    def ask(
        self, samples: pd.DataFrame, questions: pd.DataFrame, *, model: Mapping[str, Any]
    ) -> pd.DataFrame:
        """Return the requests about the samples of one target or of several, which a column names.

        There is one a question whose shown answers are several. Beside it stand ``target`` (``none`` where `samples`
        name none) and ``question_id``.

        Parameters
        ----------
        samples, questions
            As for `Clusterer.result`.
        model
            The clusterer's entry in the configuration.
        """
        fields = []
        ids = []
        if "target" not in samples:
            samples = samples.assign(target="none")
        for target, part in samples.groupby("target", sort=False):
            for row, group in direct_answers(part, questions):
                shown, _ = self._shown(group["text"].tolist(), row)
                if len(shown) > 1 and row.format != LONG:
                    fields.append(self._fields(shown, transcript(row.history, row.question)))
                    ids.append((target, row.question_id))
        return self.requests(fields, pd.DataFrame(ids, columns=["target", "question_id"]), model)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls, one a question; as if all of its answers differed."""
        prompt = PROMPT_TOKENS + run.question_tokens + run.samples * ANSWER_TOKENS
        return [Calls(run.questions, run.questions, prompt, 10 + 3 * run.samples)]

    def _clusters(self, texts, question, reply):
        shown, places = self._shown(texts, question)
        ids = [0] if len(shown) == 1 else parse_clusters(reply, len(shown))
        return ids and [ids[place] for place in places]

    def _fields(self, texts: Sequence[str], question: str) -> dict[str, Any]:
        """What asks to cluster some answers to a question."""
        tokens = _FRAME_TOKENS + _ID_TOKENS * len(texts)
        form = {"json": cluster_schema(len(texts))}
        return self.constrained(cluster_messages(texts, question), tokens, form, free=_FREE * tokens)

    def _shown(self, texts: list[str], question: Any) -> tuple[list[str], list[int]]:
        """The answers that the model is shown, and for each answer its place among them."""
        if self.protocol.letter:
            return texts, list(range(len(texts)))
        return distinct_answers(texts, list(question.choices))


#: The methods of clustering, by their names in the configuration.
METHODS: dict[str, type[Clusterer]] = {"lexical": LexicalClusterer, "llm": LLMClusterer}


def lexical_clusters(texts: Sequence[str], question: str, choices: Sequence[str] = ()) -> list[int]:
    """Return the cluster of each answer: one for all answers that claim the same.

    Clusters are numbered by first appearance. A claim joins the first cluster whose barest claim means the same by
    `same_answer`, or whose words hold all of its own.

    Parameters
    ----------
    texts
        Answers to one question.
    question
        What was asked.
    choices
        The question's choices; none for a question without.

    Returns
    -------
    list of int
        Of the length of `texts`, numbered from 0.

    Examples
    --------
    >>> lexical_clusters(["It is Paris.", "Paris, of course.", "Lyon."], "What is the capital of France?")
    [0, 0, 1]
    """
    clusters: dict[str, int] = {}
    claims = []
    for text in dict.fromkeys(texts):
        claim = meaning(text, question, tuple(choices))
        nearest = next((place for place, other in enumerate(claims) if claim.same_as(other)), None)
        clusters[text] = len(claims) if nearest is None else nearest
        if nearest is None:
            claims.append(claim)
        # The barest claim speaks for a cluster: "Lviv, Ukraine" and "Kyiv, Ukraine" meet in "Ukraine".
        elif 0 < len(claim.names) < len(claims[nearest].names):
            claims[nearest] = claim
    return [clusters[text] for text in texts]


def _by_words(texts: Sequence[str], question: Any) -> list[int]:
    """Clusters by `lexical_clusters` of the answers to a question."""
    return lexical_clusters(texts, question.question, list(question.choices))


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
