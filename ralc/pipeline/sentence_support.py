"""How much of each sentence of an answer the other answers to its question say, and how far they contradict it.

It is scored by shared words or by a model. One of entailment has the other answer as the premise (LUQ, Zhang et al.
2024). A language model is asked (SelfCheckGPT, Manakul et al. 2023).
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ralc import prompts
from ralc.beta.validation import Floats
from ralc.conditions import UNIT, having
from ralc.io.history import transcript
from ralc.sampling import answered
from ralc.signals import covered
from ralc.steps import ANSWER_TOKENS, Calls, Step, Workload

#: What a language model may reply: the other answer says it, contradicts it, does not speak of it.
LETTERS = {"A": (1.0, 0.0), "B": (0.0, 1.0), "C": (0.0, 0.0)}
#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 110


class SentenceSupport(NamedTuple):
    """How much of each sentence each other answer says, and how far it contradicts it; (sentences, other answers)."""

    supported: Floats
    contradicted: Floats


class Support(Step):
    """Says how much of each sentence of the original answers the other answers say."""

    @abstractmethod
    def result(
        self,
        answers: pd.DataFrame,
        samples: pd.DataFrame,
        questions: pd.DataFrame,
        replies: pd.DataFrame | None = None,
    ) -> dict[str, SentenceSupport]:
        """Return the support of the sentences of a target's direct answers, by question.

        Parameters
        ----------
        answers
            The target's, a row a sentence; ``members`` say which samples are no other answers.
        samples
            Its samples.
        questions
            The questions table.
        replies
            What a model replied about these sentences; None for a method that asks none.

        Returns
        -------
        dict
            By question arrays of shape (sentences, other answers), in [0, 1].
        """


class OverlapSupport(Support):
    """Counts shared words; who contradicts a sentence they do not tell."""

    def result(self, answers, samples, questions, replies=None):
        """Return the shares of each sentence's content words that the other answers have, by question.

        Parameters
        ----------
        answers, samples, questions
            As for `Support.result`.
        replies
            There are none.
        """
        supports = {}
        for question, asked, rows, other_answers in _answers(answers, samples, questions):
            each = [covered(text, other_answers.tolist(), asked["question"]) for text in rows["text"]]
            shares = np.array(each).reshape(len(rows), len(other_answers))
            supports[question] = SentenceSupport(shares, np.zeros_like(shares))
        return supports


class ModelSupport(Support):
    """Asks a model of each sentence and each other answer once."""

    def ask(
        self,
        answers: pd.DataFrame,
        samples: pd.DataFrame,
        questions: pd.DataFrame,
        *,
        model: Mapping[str, Any],
    ) -> pd.DataFrame:
        """Return the requests about all targets' answers: a sentence and another answer each.

        Beside them stand ``target, question_id, sentence``, and the number of the other answer, ``other``.

        Parameters
        ----------
        answers, samples
            Of all targets, in a column ``target``.
        questions
            The questions table.
        model
            The entry of the model in the configuration.
        """
        rows = [
            (
                target,
                question,
                row.sentence,
                other,
                self._fields(transcript(asked["history"], asked["question"]), text, row.text),
            )
            for target, originals in having(answers, prompt="direct").groupby("target", sort=False)
            for question, asked, sentences, rest in _answers(
                originals, having(samples, target=target), questions
            )
            for other, text in rest.items()
            for row in sentences.itertuples()
        ]
        table = pd.DataFrame(rows, columns=["target", *UNIT, "other", "fields"])
        return self.requests(table.pop("fields"), table, model)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls, one a sentence and other answer, which is shown whole."""
        asked = run.answers * (run.samples - 1)
        prompt = PROMPT_TOKENS + run.question_tokens + (run.sentences + 1) * ANSWER_TOKENS
        return [Calls(asked, asked, prompt, 1)]

    def result(self, answers, samples, questions, replies=None):
        """Return what a model replied about the sentences, by question.

        Another answer for which one of its replies is of no use is left out, and counted where calls are.

        Parameters
        ----------
        answers, samples, questions
            As for `Support.result`; the replies name all that is needed of them.
        replies
            One a sentence and other answer.

        Raises
        ------
        ValueError
            If there are no replies.
        """
        replies = self.replied(replies)
        shares = [
            self._shares(*reply) for reply in zip(replies["reply"], replies["alternatives"], strict=True)
        ]
        found = pd.DataFrame(shares, columns=SentenceSupport._fields, dtype=float)
        supports = {}
        for question, rows in replies.join(found).groupby("question_id", sort=False):
            table = rows.set_index(["sentence", "other"])[[*SentenceSupport._fields]].unstack()  # noqa: PD010
            share, contradicted = (table[name].to_numpy() for name in SentenceSupport._fields)
            usable = ~np.isnan(share).any(axis=0)
            supports[question] = SentenceSupport(share[:, usable], contradicted[:, usable])
        return supports

    @abstractmethod
    def _fields(self, question: str, other: str, sentence: str) -> dict[str, Any]:
        """The fields of the request about a sentence and another answer to a question."""

    @abstractmethod
    def _shares(self, reply: str, alternatives: Any) -> tuple[float, float]:
        """How far a reply supports a sentence, and how far it contradicts it; NaN where it is of no use."""


class EntailmentSupport(ModelSupport):
    """Takes the probabilities of a model of entailment."""

    def _fields(self, question, other, sentence):
        messages = [{"role": "user", "content": text} for text in (other, sentence)]
        return {"messages": messages, "temperature": 0}

    def _shares(self, reply, alternatives):
        if alternatives is None:
            return np.nan, np.nan
        entails, _, contradicts = np.exp(np.asarray(alternatives, dtype=float))
        return min(entails, 1.0), min(contradicts, 1.0)


class LLMSupport(ModelSupport):
    """Asks a language model for a letter."""

    def _fields(self, question, other, sentence):
        messages = prompts.messages("support", question=question, other=other, sentence=sentence)
        constraint = {"choice": list(LETTERS)}
        return {"messages": messages, "temperature": 0, "max_tokens": 4, "constraint": constraint}

    def _shares(self, reply, alternatives):
        return LETTERS.get(reply.strip().rstrip("."), (np.nan, np.nan))


#: The methods of support, by their names in the configuration.
METHODS: dict[str, type[Support]] = {
    "overlap": OverlapSupport,
    "entailment": EntailmentSupport,
    "llm": LLMSupport,
}


def _answers(
    originals: pd.DataFrame, samples: pd.DataFrame, questions: pd.DataFrame
) -> Iterator[tuple[str, pd.Series, pd.DataFrame, pd.Series]]:
    """Each question, its row, the sentences of its original answer, and the other answers by their numbers."""
    direct = answered(having(samples, prompt="direct"))
    texts = {question: group.set_index("sample")["text"] for question, group in direct.groupby("question_id")}
    about = questions.set_index("question_id")
    for question, rows in originals.groupby("question_id", sort=False):
        original = rows["members"].iloc[0][:1]
        further = texts[question].drop(original) if len(original) else pd.Series(dtype=str)
        yield question, about.loc[question], rows, further
