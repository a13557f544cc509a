"""A regression on a language model's own embedding of a text, and on its words (method ``embedding_regression``).

It shares neither the grammar of cues nor a sentence with the selection evaluator. It is a regression on embeddings and
word sequences of sentences that ``cue_model`` never saw. An embedding holds the content of a text, too. So each word
that its own sentences did not use on several questions is replaced by a mark before the text is embedded (`masked`).
What still varies where one hedge stands over many contents weighs little. `studies.fit_embedding_regression` does that,
and writes the figures ``ralc/data/embedding_regression.json`` with their provenance.

Its spread is the surveys' at its mean: texts of one mean have one spread.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from ralc import data
from ralc.beta import Beta
from ralc.beta.validation import Floats
from ralc.evaluators.evaluator import Evaluator, of_spread
from ralc.llm import ModelConfig, request_for, to_table
from ralc.protocols import Protocol
from ralc.steps import HEDGED_TOKENS, Calls

#: The ends of the scale: a Beta has no mean of 0 or 1, and nobody's mean reading of a phrase lies beyond.
ENDS = (0.01, 0.99)
#: Words in a row that count as one feature, at most.
LONGEST_GRAM = 3
#: What stands for content, and how many letters of a word tell whether it is any: its ending does not.
CONTENT = "X"
STEM = 5
_WORD = re.compile(r"[a-z'’]+|\d+|[.,!?;%—]")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*|[^\w\s]")
#: What a number is of that says how sure somebody is.
_SHARES = frozenset({"%", "percent", "per"})


class EmbeddingRegression(Evaluator):
    """The regression, on the embeddings of the model that it was fitted with."""

    models = (1, 1)
    embeds = True

    def ask(
        self, texts: pd.DataFrame, *, model: Mapping[str, Any], seed: int, protocol: str | Protocol = "ralc"
    ) -> pd.DataFrame:
        """Return the requests for embeddings, but of empty texts; nothing is drawn, so equal texts are equal requests.

        ValueError where the figures are of another model: they say nothing of this one's embeddings.

        Parameters
        ----------
        texts, model, seed, protocol
            As for `Evaluator.ask`.
        """
        fitted_model = load_figures()["model"]
        weights = ModelConfig.model_validate(model).model
        if weights != fitted_model:
            raise ValueError(
                f"method embedding_regression: its figures are of {fitted_model!r}, not of {weights!r}; "
                "fit them by studies.fit_embedding_regression"
            )
        texts = texts[texts["text"].str.strip() != ""]
        turns = ([{"role": "user", "content": masked(text, known_stems())}] for text in texts["text"])
        requests = (request_for(model, turn, embedding=True) for turn in turns)
        return to_table(requests, texts[["item", "text"]])

    def calls(self, texts: int) -> list[Calls]:
        """Return the calls: of the text alone, and nothing is written."""
        return [Calls(texts, texts, HEDGED_TOKENS, 0)]

    def readings(
        self, texts: pd.DataFrame, replies: pd.DataFrame, *, protocol: str | Protocol = "ralc"
    ) -> pd.DataFrame:
        """Return one Beta an item, null where there is no embedding; `readings` counts those that there are.

        Parameters
        ----------
        texts, replies, protocol
            As for `Evaluator.readings`.
        """
        rows = texts.merge(replies[["item", "embedding"]], on="item", how="left", validate="one_to_one")
        embedded = rows["embedding"].notna().to_numpy()
        parameters = np.full((len(rows), 2), np.nan)
        if embedded.any():
            read = rows[embedded]
            confidence = perceived(read["text"].tolist(), vectors(read["embedding"]))
            parameters[embedded] = np.column_stack([confidence.alpha, confidence.beta])
        table = rows[["item", "text"]].assign(evaluator=self.name)
        return table.assign(alpha=parameters[:, 0], beta=parameters[:, 1], readings=embedded.astype(int))


def perceived(texts: Sequence[str], embeddings: Floats) -> Beta:
    """Return the distribution of readings of texts, from their embeddings, of shape ``(len(texts), dimensions)``."""
    figures = load_figures()
    words = figures["sequences"]
    evidence = [sum(words.get(sequence, 0.0) for sequence in sequences(text)) for text in texts]
    mean = np.clip(figures["intercept"] + np.array(evidence) + embeddings @ figures["embedding"], *ENDS)
    spread = np.interp(mean, figures["spread"]["mean"], figures["spread"]["sd"])
    return of_spread(mean, spread)


def sequences(text: str) -> list[str]:
    """Return the distinct sequences of up to `LONGEST_GRAM` words, whatever their case; marks and numbers are words.

    >>> sequences("Maybe. Maybe")
    ['maybe', '.', 'maybe .', '. maybe', 'maybe . maybe']
    """
    words = _WORD.findall(text.lower())
    grams = (
        " ".join(words[start : start + length])
        for length in range(1, LONGEST_GRAM + 1)
        for start in range(len(words) - length + 1)
    )
    return list(dict.fromkeys(grams))


def words(text: str) -> list[str]:
    """Return the words of a text, whatever their case.

    >>> words("I’m 90% sure.")
    ["i'm", 'sure']
    """
    return [token.lower().replace("’", "'") for token in _TOKEN.findall(text) if token[0].isalpha()]


def masked(text: str, vocabulary: Collection[str]) -> str:
    """Return a text with one mark for each run of words that are not known, of numbers and of rare signs.

    `known` are the first `STEM` letters of the words that stay. Numbers of percent stay, and adverbs in lower case,
    whatever they are: what an answer is about is seldom one.

    >>> masked("It is evidently the city of Oslo, I'm 90% sure.", {"it", "is", "the", "of", "i'm", "sure"})
    "It is evidently the X of X, I'm 90% sure."
    """
    kept: list[str] = []
    tokens = _TOKEN.findall(text)
    for token, after in zip(tokens, [*tokens, ""][1:], strict=True):
        if token[0].isdecimal():
            stays = after in _SHARES
        elif token[0].isalpha():
            adverb = token.islower() and token.endswith("ly")  # not Italy
            stays = words(token)[0][:STEM] in vocabulary or adverb
        else:
            stays = token in ".,!?;%—"
        if stays or kept[-1:] != [CONTENT]:
            kept.append(token if stays else CONTENT)
    return re.sub(r" ([.,!?;%])", r"\1", " ".join(kept))


@cache
def known_stems() -> frozenset[str]:
    """Return the stems that the figures know."""
    return frozenset(load_figures()["stems"])


def vectors(packed: Sequence[bytes]) -> Floats:
    """Return embeddings as responses carry them (`ralc.llm.requests.packed_embedding`) as rows."""
    return np.array([np.frombuffer(one, "<f2") for one in packed], dtype=float)


@cache
def load_figures() -> dict[str, Any]:
    """Return the committed figures, with their provenance."""
    figures = json.loads(data.path("embedding_regression.json").read_text("utf-8"))
    return {**figures, "embedding": np.array(figures["embedding"])}
