"""What every evaluator of confidence does: what it asks, and how texts and answers become readings and scores.

The methods of reading have names in the configuration. A class is loaded when it is first asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ralc.beta import Beta
from ralc.english import Sentence, parse_ahead, read_cues, sentences, unread
from ralc.protocols import Protocol
from ralc.registry import require_functions

if TYPE_CHECKING:  # who reads by cues does not wait for tables to load
    import pandas as pd

    from ralc.steps import Calls

#: The methods of reading: their name in the configuration, and their class, by its module.
EVALUATORS: dict[str, str] = {
    "cue_model": "cue_model.CueModel",
    "cue_model_b": "cue_model.CueModelB",
    "llm": "ensemble.Ensemble",
    "embedding_regression": "embedding_regression.EmbeddingRegression",
}
_MODULES = [path.stem for path in Path(__file__).parent.glob("[!_]*.py")]
require_functions(
    "EVALUATORS",
    [where.partition(".")[0] for where in EVALUATORS.values()],
    _MODULES,
    "write its class in a module of ralc/evaluators/",
)
#: The evaluator of whoever names none.
DEFAULT = "cue_model"
#: Texts that are read between two looks at the clock.
TEXTS_AT_ONCE = 500
#: Wasserstein distance within which two readings are as good as each other.
CLOSE = 0.02
#: Of a distribution of readings, least and most.
CONCENTRATION_LIMITS = (0.5, 200.0)


class Evaluator(ABC):
    """Says how sure a text sounds; `name` is its name in the configuration and in the results.

    What is read is a table ``item, text``. An evaluator that asks language models says what it asks each of them
    (`ask`). The replies come back to `readings` and `scored`, joined with their requests (`ralc.llm.tables.join`).
    """

    #: How many language models it asks, at least and at most (None: as many as are named).
    models: ClassVar[tuple[int, int | None]] = (0, 0)
    #: Keys of its entry in the configuration besides `method` and `models`.
    options: ClassVar[tuple[str, ...]] = ()
    #: Whether it asks for embeddings, so that its models must be of an engine that serves them.
    embeds: ClassVar[bool] = False

    def __init__(self, name: str) -> None:
        self.name = name

    def ask(
        self, texts: pd.DataFrame, *, model: Mapping[str, Any], seed: int, protocol: str | Protocol = "ralc"
    ) -> pd.DataFrame:
        """Return the requests to one model: ``item, text`` and the requests' columns.

        Equal texts are equal requests, and are sent once, unless the protocol has every item read anew.
        ValueError where this evaluator asks no model.

        Parameters
        ----------
        texts
            A row an item: ``item, text``.
        model
            The model's entry in the configuration.
        seed
            Of what is drawn.
        protocol
            A protocol or its name; by its `letter` every item is read anew.
        """
        raise ValueError(f"evaluator {self.name!r} asks no model")

    def calls(self, texts: int) -> list[Calls]:
        """Return what each of its models is asked for so many texts; nothing where it asks nobody."""
        return []

    @abstractmethod
    def readings(
        self, texts: pd.DataFrame, replies: pd.DataFrame | None = None, *, protocol: str | Protocol = "ralc"
    ) -> pd.DataFrame:
        """Return one Beta an item: ``item, text, evaluator, alpha, beta, readings``; null where it is unread.

        Parameters
        ----------
        texts
            A row an item: ``item, text``.
        replies
            What the models replied to `ask` (`ralc.llm.tables.join`); None where none was asked.
        protocol
            A protocol or its name: how a Beta is fitted to scores.
        """

    def scored(self, texts: pd.DataFrame, replies: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return what the lexicon is fitted to: ``item, evaluator, score, variance``; what is not valid is left out.

        A single score has variance 0. Of an evaluator that knows the distribution of readings of an item, a row is its
        mean and its variance.
        """
        read = self.readings(texts, replies).dropna(subset=["alpha"])
        confidence = Beta.from_table(read)
        return read[["item", "evaluator"]].assign(score=confidence.mean, variance=confidence.variance)


@dataclass(frozen=True)
class SentenceRead:
    """How sure a sentence ``text[start:end]`` sounds: a single `Beta`, None where it claims nothing.

    `kind` is ``claim``, or what else it is (`ralc.english.sentences`); ``hedge`` where it says nothing but how
    sure the speaker is of the others.
    """

    start: int
    end: int
    kind: str
    confidence: Beta | None


@dataclass(frozen=True)
class TextRead(Sequence[SentenceRead]):
    """The sentences of a text as they are read, and the reading of the whole."""

    text: str
    confidence: Beta
    sentences: tuple[SentenceRead, ...]

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, place: int | slice) -> SentenceRead | tuple[SentenceRead, ...]:
        return self.sentences[place]


class EvaluatorModel(Evaluator):
    """An evaluator that asks nobody: it knows the distribution of readings itself."""

    #: Whether it reads cues alone: a note then sounds the same beside whatever has none.
    cues_alone: ClassVar[bool] = False

    @abstractmethod
    def read(self, texts: Sequence[str]) -> Beta:
        """Return the perceived confidence of each text, of shape ``(len(texts),)``.

        ValueError where a text cannot be read (`unread`): a Beta says nothing of it.
        """

    def unread(self, text: str) -> str:
        """Return why a text cannot be read; empty where it can."""
        return unread(text)

    def read_sentences(self, text: str) -> TextRead:
        """Return a text by its sentences, each with place, kind and reading; ValueError where it cannot be read."""
        return self.read_texts([text])[0]

    def read_texts(self, texts: Sequence[str]) -> list[TextRead]:
        """Return texts by their sentences; each is read as a text by itself, with what speaks of it behind it."""
        parse_ahead(texts)
        whole = self.read(texts)
        split = [sentences(text) for text in texts]
        wordings = [self._wordings(row) for row in split]
        legible = dict.fromkeys(part for row in wordings for part in row if part and not self.unread(part))
        read = dict(zip(legible, self.read([*legible]), strict=True)) if legible else {}
        units = (
            [
                SentenceRead(one.start, one.end, one.kind, read.get(part))
                for one, part in zip(*pair, strict=True)
            ]
            for pair in zip(split, wordings, strict=True)
        )
        return [
            TextRead(text, confidence, tuple(row))
            for text, confidence, row in zip(texts, whole, units, strict=True)
        ]

    def _wordings(self, row: Sequence[Sentence]) -> list[str]:
        """How each sentence of a text is read: a claim with what speaks of it behind it, any other not at all."""
        comments = [unit.text for unit in row if unit.kind == "hedge" and not unit.of_whole]
        levels = [unit.text for unit in row if unit.of_whole]
        wordings = [_wording(unit, comments, levels) if unit.claims else "" for unit in row]
        if self.cues_alone:  # what has no cue of its own sounds as what speaks of it does
            silent = [at for at, unit in enumerate(row) if unit.claims and not read_cues(unit.text)]
            for at in silent:
                wordings[at] = wordings[silent[0]]
        return wordings

    def readings(
        self, texts: pd.DataFrame, replies: pd.DataFrame | None = None, *, protocol: str | Protocol = "ralc"
    ) -> pd.DataFrame:
        """Return one Beta an item, null where it is unread; nothing was asked, so `readings` is 0.

        Parameters
        ----------
        texts, replies, protocol
            As for `Evaluator.readings`; nothing was asked, so `replies` is None.
        """
        from ralc.io.console import progress

        unique = texts["text"].unique()
        done = progress(None, f"readings by {self.name}", "texts", len(unique))
        read: dict[str, Beta] = {}
        for start in range(0, len(unique), TEXTS_AT_ONCE):
            part = unique[start : start + TEXTS_AT_ONCE]
            legible = [text for text in part if not self.unread(text)]
            read |= zip(legible, self.read(legible), strict=True)
            done.update(len(part))
        table = texts[["item", "text"]].assign(evaluator=self.name)
        for name in ("alpha", "beta"):
            table[name] = (
                texts["text"].map({text: getattr(one, name) for text, one in read.items()}).astype(float)
            )
        return table.assign(readings=0)


def _wording(claim: Sentence, comments: Sequence[str], levels: Sequence[str]) -> str:
    """A claim with what speaks of it behind it: a note of the whole does where the claim has no cue of its own."""
    words = claim.text
    return " ".join([words, *comments, *([] if read_cues(words) else levels)])


def of_spread(mean: np.ndarray, spread: np.ndarray) -> Beta:
    """Return the distributions of readings of these means and standard deviations, within `CONCENTRATION_LIMITS`."""
    return Beta.from_mean_concentration(
        mean, np.clip(mean * (1 - mean) / spread**2 - 1, *CONCENTRATION_LIMITS)
    )


def method(name: str) -> type[Evaluator]:
    """Return the class of a method in `EVALUATORS`, loaded now.

    >>> method("llm").options
    ('passes',)
    """
    module, _, where = EVALUATORS[name].partition(".")
    return getattr(import_module(f"ralc.evaluators.{module}"), where)


def build(name: str, entry: Mapping[str, Any]) -> Evaluator:
    """Return the evaluator `name` of an entry of ``evaluators`` in the configuration.

    >>> build("second", {"method": "cue_model"}).name
    'second'
    """
    how = method(entry["method"])
    return how(name, **{key: entry[key] for key in how.options if key in entry})


def load(name: str) -> EvaluatorModel:
    """Return an evaluator model by its method.

    Raises
    ------
    ValueError
        If there is no such evaluator model, or it asks a language model.

    Examples
    --------
    >>> load("cue_model_b").read(["I have no idea."]).mean.shape
    (1,)
    """
    if name in EVALUATORS and method(name).models == (0, 0):
        return build(name, {"method": name})
    ready = [model for model in EVALUATORS if method(model).models == (0, 0)]
    asks = "asks a language model, as a run of the workflow can (evaluators, roles.test_evaluators)"
    why = f"evaluator {name!r} {asks}" if name in EVALUATORS else f"no evaluator {name!r}"
    raise ValueError(f"{why}: choose one of {', '.join(ready)}")
