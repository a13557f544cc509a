"""The lexicon's sentences: each expression in non-verifiable statements, by grammar or by a model (appendix D.1)."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import numpy as np
import pandas as pd

from ralc.english import place_hedge, words
from ralc.llm.replies import SENTENCE_TOKENS, clean_reply
from ralc.prompts import messages
from ralc.steps import ANSWER_TOKENS, HEDGE_TOKENS, Calls, Step, Workload

#: The paper's twelve non-verifiable statements.
STATEMENTS = (
    "There is a correlation between X and Y.",
    "It rains tomorrow.",
    "The experiment shows a significant effect.",
    "The new policy improves the economy.",
    "The medication is effective in treating the disease.",
    "The new product is successful in the market.",
    "The neighbour is home.",
    "The movie is good.",
    "The restaurant serves delicious food.",
    "The city is the oldest in the country.",
    "The book is informative.",
    "The report is not accurate.",
)
#: ASSUME: tokens of the prompt's own words.
PROMPT_TOKENS = 160


@dataclass(kw_only=True)
class SentenceWriter(Step):
    """Writes so many sentences, at least 1 (paper: 20), with each expression.

    Parameters
    ----------
    sentences : int
        Of each expression.
    """

    sentences: int

    def drawn(self, hedges: pd.DataFrame) -> pd.DataFrame:
        """Return the statements that each of some hedges is written into: ``expression, statement, n`` sentences.

        They are drawn as evenly as they go; by the paper's `letter` each sentence's by itself (appendix D.1). A draw
        does not depend on the other hedges, so adding one to a lexicon leaves the sentences of the others as they are.
        """
        count = len(STATEMENTS)
        every, remainder = divmod(self.sentences, count)
        rows = []
        for expression in hedges["expression"]:
            rng = np.random.default_rng([self.seed, *hashlib.sha256(expression.encode()).digest()[:8]])
            if self.protocol.letter:
                counts = np.bincount(rng.integers(count, size=self.sentences), minlength=count)
            else:
                counts = np.full(count, every)
                counts[rng.permutation(count)[:remainder]] += 1
            rows += [(expression, *drawn) for drawn in zip(STATEMENTS, counts, strict=True) if drawn[1]]
        return pd.DataFrame(rows, columns=["expression", "statement", "n"])


class GrammarWriter(SentenceWriter):
    """Takes the places of an expression in a statement in turn."""

    def result(self, hedges: pd.DataFrame, replies: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return the sentences table: ``expression, sentence, origin`` (``grammar``)."""
        frames = _frames(hedges)
        rows: list[tuple[str, str, str]] = []
        for row in self.drawn(hedges).itertuples():
            places = cycle(place_hedge(row.expression, frames[row.expression], row.statement))
            rows += [(row.expression, text, "grammar") for text in islice(places, row.n)]
        return _table(rows)


class ModelWriter(SentenceWriter):
    """Asks a language model (the paper's)."""

    def ask(self, hedges: pd.DataFrame, *, model: Mapping[str, Any]) -> pd.DataFrame:
        """Return the requests, one a statement of an expression: ``expression, statement``."""
        drawn = self.drawn(hedges).sort_values("statement", kind="stable")
        fields = (
            {
                "messages": messages(
                    "lexicon_sentence", word=row.expression, selected_sentence=row.statement
                ),
                "n": row.n,
                "max_tokens": SENTENCE_TOKENS,
            }
            for row in drawn.itertuples()
        )
        return self.requests(fields, drawn[["expression", "statement"]], model)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls, one a statement of an entry."""
        statements = min(run.hedge_sentences, len(STATEMENTS))
        sentences = run.hedges * run.hedge_sentences
        return [Calls(run.hedges * statements, sentences, PROMPT_TOKENS + HEDGE_TOKENS, ANSWER_TOKENS)]

    def result(self, hedges: pd.DataFrame, replies: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return the sentences table: ``expression, sentence, origin``.

        Origin is ``model``, or ``template`` where the model's sentence lacks the expression; this then has its plainest
        place. By the paper's `letter` such a sentence is ``kept``, and a template stands where the model said nothing.
        ValueError where there are no replies.
        """
        frames = _frames(hedges)
        letter = self.protocol.letter
        rows: list[tuple[str, str, str]] = []
        for row in self.replied(replies).itertuples():
            text = row.reply.strip() if letter else clean_reply(row.reply)
            if text and carries(text, row.expression):
                origin = "model"
            elif text and letter:
                origin = "kept"
            else:
                text = place_hedge(row.expression, frames[row.expression], row.statement)[0]
                origin = "template"
            rows.append((row.expression, text, origin))
        return _table(rows)


#: Who writes the sentences, by the rewriter's method in the configuration.
METHODS: dict[str, type[SentenceWriter]] = {"guided": GrammarWriter, "llm": ModelWriter}


def _frames(hedges: pd.DataFrame) -> dict[str, str]:
    return dict(zip(hedges["expression"], hedges["frame"], strict=True))


def _table(rows: list[tuple[str, str, str]]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["expression", "sentence", "origin"])
    return table.sort_values("expression", kind="stable").reset_index(drop=True)


def carries(sentence: str, expression: str) -> bool:
    """Return whether an expression stands in a sentence, word by word, whatever the case and punctuation.

    >>> carries("Without a doubt, it is good.", "without a doubt"), carries("It is good.", "good chance")
    (True, False)
    """
    wanted, written = (" ".join(["", *words(text), ""]) for text in (expression, sentence))
    return wanted in written
