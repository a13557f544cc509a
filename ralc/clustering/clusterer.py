"""The clusterer: which direct answers to a question mean the same."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ralc.clustering.lexical_clusterer import lexical_clusters
from ralc.clustering.llm_clusterer import PROMPT_TOKENS, cluster_fields, distinct_answers, parse_clusters
from ralc.clustering.majority import direct_answers
from ralc.io.console import progress
from ralc.io.history import transcript
from ralc.registry import LONG
from ralc.steps import ANSWER_TOKENS, Calls, Step, Workload

_TYPES = {"question_id": "str", "sample": "int64", "cluster": "int64", "fallback": "bool"}


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
                    fields.append(cluster_fields(shown, transcript(row.history, row.question), self.protocol))
                    ids.append((target, row.question_id))
        return self.requests(fields, pd.DataFrame(ids, columns=["target", "question_id"]), model)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls, one a question; as if all of its answers differed."""
        prompt = PROMPT_TOKENS + run.question_tokens + run.samples * ANSWER_TOKENS
        return [Calls(run.questions, run.questions, prompt, 10 + 3 * run.samples)]

    def result(self, samples, questions, replies=None):
        """Return the clusters table; see `Clusterer.result`.

        Parameters
        ----------
        samples, questions, replies
            As for `Clusterer.result`; here the replies are needed.

        Raises
        ------
        ValueError
            If there are none.
        """
        if replies is None:
            raise ValueError("clusterer llm: there are no replies")
        return super().result(samples, questions, replies)

    def _clusters(self, texts, question, reply):
        shown, places = self._shown(texts, question)
        ids = [0] if len(shown) == 1 else parse_clusters(reply, len(shown))
        return ids and [ids[place] for place in places]

    def _shown(self, texts: list[str], question: Any) -> tuple[list[str], list[int]]:
        """The answers that the model is shown, and for each answer its place among them."""
        if self.protocol.letter:
            return texts, list(range(len(texts)))
        return distinct_answers(texts, list(question.choices))


#: The methods of clustering, by their names in the configuration.
METHODS: dict[str, type[Clusterer]] = {"lexical": LexicalClusterer, "llm": LLMClusterer}


def _by_words(texts: Sequence[str], question: Any) -> list[int]:
    """Clusters by `lexical_clusters` of the answers to a question."""
    return lexical_clusters(texts, question.question, list(question.choices))
