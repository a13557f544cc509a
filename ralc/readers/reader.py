"""What every reader of confidence does: what it asks, and how the answers become readings and scores."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ralc.beta import Beta
from ralc.protocols import Protocol

FloatArray = NDArray[np.float64]
#: Scores that a reader model gives a sentence of the lexicon: as many as the paper's three evaluators in three passes.
VIRTUAL_READERS = 9


class Reader(ABC):
    """Says how sure a text sounds to its readers.

    What is read is a table ``item, text``. A reader that asks language models says what it asks each of them (`ask`);
    its requests and their responses come back to `readings` and `raw_scores`. A reader that asks nobody gets neither.

    Parameters
    ----------
    name
        The reader's name in the configuration and in the results.
    """

    #: How many language models it asks, at least and at most (None: as many as are named).
    models: ClassVar[tuple[int, int | None]] = (0, 0)
    #: Keys of its entry in the configuration besides `method` and `models`.
    options: ClassVar[tuple[str, ...]] = ()

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def reads_first_token(self) -> bool:
        """Whether it takes a model's first token for its answer, so that the model must not reason before."""
        return False

    @classmethod
    @abstractmethod
    def load(cls, *, name: str, **options: Any) -> "Reader":
        """Return the reader; the options are those that `options` names."""

    def ask(
        self, texts: pd.DataFrame, *, model: Mapping[str, Any], seed: int, fresh: bool = False
    ) -> pd.DataFrame:
        """Return the requests to one model: its entry in the configuration is `model`.

        `fresh`: every item is read anew; else equal texts are equal requests and are sent once.

        Raises
        ------
        ValueError
            If this reader asks no model.
        """
        raise ValueError(f"reader {self.name!r} asks no model")

    @abstractmethod
    def readings(
        self,
        texts: pd.DataFrame,
        requests: pd.DataFrame | None = None,
        responses: pd.DataFrame | None = None,
        *,
        protocol: str | Protocol = "ralc",
    ) -> pd.DataFrame:
        """Return one Beta an item: ``item, text, reader, alpha, beta, readings``; null where it is unread."""

    @abstractmethod
    def raw_scores(
        self,
        texts: pd.DataFrame,
        requests: pd.DataFrame | None = None,
        responses: pd.DataFrame | None = None,
        *,
        rng: np.random.Generator,
    ) -> pd.DataFrame:
        """Return the valid single scores, some an item: ``item, reader, score``, scores in [0, 1]."""


class ReaderModel(Reader):
    """A reader that asks nobody: it knows the distribution of readings itself."""

    @abstractmethod
    def read(self, texts: Sequence[str]) -> Beta:
        """Return the perceived confidence of each text, of shape ``(len(texts),)``."""

    def readings(
        self,
        texts: pd.DataFrame,
        requests: pd.DataFrame | None = None,
        responses: pd.DataFrame | None = None,
        *,
        protocol: str | Protocol = "ralc",
    ) -> pd.DataFrame:
        """Return one Beta an item; nothing was asked, so `readings` is 0."""
        confidence = self.read(texts["text"].tolist())
        table = texts[["item", "text"]].assign(reader=self.name, alpha=confidence.alpha, beta=confidence.beta)
        return table.assign(readings=0)

    def raw_scores(
        self,
        texts: pd.DataFrame,
        requests: pd.DataFrame | None = None,
        responses: pd.DataFrame | None = None,
        *,
        rng: np.random.Generator,
    ) -> pd.DataFrame:
        """Return the scores of `VIRTUAL_READERS` virtual readers of each item."""
        values = self.scores(texts["text"].tolist(), VIRTUAL_READERS, rng)
        rows = texts.loc[texts.index.repeat(VIRTUAL_READERS), ["item"]].reset_index(drop=True)
        return rows.assign(reader=self.name, score=values.ravel())

    def scores(self, texts: Sequence[str], n: int, rng: np.random.Generator) -> FloatArray:
        """Return scores of `n` virtual readers of each text, shape ``(len(texts), n)``, in steps of 0.01 in [0, 1].

        They stand where the scores of evaluator models stand, so that the same moments fit follows.

        Raises
        ------
        ValueError
            If `n` is below 1 or an entry is not a string.
        """
        if n < 1:
            raise ValueError(f"n must be at least 1, got {n}")
        return drawn_scores(self.read(texts), n, rng)


def drawn_scores(confidence: Beta, n: int, rng: np.random.Generator) -> FloatArray:
    """Return `n` draws of each distribution, shape ``(len(confidence), n)``, in steps of 0.01 in [0, 1]."""
    drawn = rng.beta(confidence.alpha[:, None], confidence.beta[:, None], size=(len(confidence), n))
    return np.round(drawn, 2)
