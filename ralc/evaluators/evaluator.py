"""What every evaluator of confidence does: what it asks, and how the answers become readings and scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ralc.beta import Beta
from ralc.english import unread
from ralc.protocols import Protocol

if TYPE_CHECKING:  # who reads by cues does not wait for tables to load
    import pandas as pd

    from ralc.evaluators.sentences import TextRead

#: Texts that are read between two looks at the clock.
PART = 500
#: Wasserstein distance within which two readings are as good as each other.
CLOSE = 0.02
#: What every evaluator says of an item.
READING = ["item", "text", "evaluator", "alpha", "beta", "readings"]


class Evaluator(ABC):
    """Says how sure a text sounds to its evaluators.

    What is read is a table ``item, text``. An evaluator that asks language models says what it asks each of them
    (`ask`); its requests and their responses come back to `readings` and `scored`. An evaluator that asks nobody
    gets neither.

    Parameters
    ----------
    name
        The evaluator's name in the configuration and in the results.
    """

    #: How many language models it asks, at least and at most (None: as many as are named).
    models: ClassVar[tuple[int, int | None]] = (0, 0)
    #: Keys of its entry in the configuration besides `method` and `models`.
    options: ClassVar[tuple[str, ...]] = ()
    #: Whether it asks for embeddings, so that its models must be of an engine that serves them.
    embeds: ClassVar[bool] = False

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def asks(self) -> tuple[int, int]:
        """How many requests a text it has to each of its models, and how many answers a request."""
        return 1, 1

    @classmethod
    @abstractmethod
    def load(cls, *, name: str, **options: Any) -> Evaluator:
        """Return the evaluator; the options are those that `options` names."""

    def ask(
        self, texts: pd.DataFrame, *, model: Mapping[str, Any], seed: int, protocol: str | Protocol = "ralc"
    ) -> pd.DataFrame:
        """Return the requests to one model: its entry in the configuration is `model`.

        By the protocol's `letter` every item is read anew; else equal texts are equal requests and are sent once.

        Raises
        ------
        ValueError
            If this evaluator asks no model.
        """
        raise ValueError(f"evaluator {self.name!r} asks no model")

    @abstractmethod
    def readings(
        self,
        texts: pd.DataFrame,
        requests: pd.DataFrame | None = None,
        responses: pd.DataFrame | None = None,
        *,
        protocol: str | Protocol = "ralc",
    ) -> pd.DataFrame:
        """Return one Beta an item: ``item, text, evaluator, alpha, beta, readings``; null where it is unread."""

    def scored(
        self,
        texts: pd.DataFrame,
        requests: pd.DataFrame | None = None,
        responses: pd.DataFrame | None = None,
    ) -> pd.DataFrame:
        """Return what the lexicon is fitted to: ``item, evaluator, score, variance``.

        A single score has variance 0; of an evaluator that knows the distribution of readings of an item, a row is its
        mean and its variance. What is not valid is left out.
        """
        read = self.readings(texts, requests, responses).dropna(subset=["alpha"])
        confidence = Beta.from_table(read)
        return read[["item", "evaluator"]].assign(score=confidence.mean, variance=confidence.variance)


class EvaluatorModel(Evaluator):
    """An evaluator that asks nobody: it knows the distribution of readings itself."""

    @abstractmethod
    def read(self, texts: Sequence[str]) -> Beta:
        """Return the perceived confidence of each text, of shape ``(len(texts),)``.

        Raises
        ------
        ValueError
            If there is a text that cannot be read (`unread`): a Beta says nothing of it.
        """

    def unread(self, text: str) -> str:
        """Return why a text cannot be read; empty where it can."""
        return unread(text)

    def read_sentences(self, text: str) -> TextRead:
        """Return the sentences of a text, each with its place, its kind and its reading, and the reading of the whole.

        Raises
        ------
        ValueError
            If the text cannot be read.
        """
        from ralc.evaluators.sentences import read_sentences  # waits for the parse

        return read_sentences(self, [text])[0]

    def readings(
        self,
        texts: pd.DataFrame,
        requests: pd.DataFrame | None = None,
        responses: pd.DataFrame | None = None,
        *,
        protocol: str | Protocol = "ralc",
    ) -> pd.DataFrame:
        """Return one Beta an item, null where it is unread; nothing was asked, so `readings` is 0."""
        from ralc.io.console import Progress  # loads tables

        unique = texts["text"].unique()
        progress = Progress(f"readings by {self.name}", len(unique), "texts")
        alpha: dict[str, float] = {}
        beta: dict[str, float] = {}
        for start in range(0, len(unique), PART):
            part = unique[start : start + PART]
            legible = [text for text in part if not self.unread(text)]
            confidence = self.read(legible)
            alpha |= zip(legible, confidence.alpha, strict=True)
            beta |= zip(legible, confidence.beta, strict=True)
            progress.add(len(part))
        table = texts[["item", "text"]].assign(evaluator=self.name, readings=0)
        for name, found in (("alpha", alpha), ("beta", beta)):
            table[name] = texts["text"].map(found).astype(float)
        return table[READING]
