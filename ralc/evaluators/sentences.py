"""A text read sentence by sentence, by an evaluator that asks no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ralc.beta import Beta
from ralc.english import Unit, parse_ahead, units

if TYPE_CHECKING:
    from ralc.evaluators.evaluator import EvaluatorModel


@dataclass(frozen=True)
class SentenceRead:
    """How sure a sentence of a text sounds.

    Parameters
    ----------
    start, end
        Its characters: ``text[start:end]``.
    kind
        ``claim``, or what else it is (`ralc.english.sentence_types`); ``hedge`` where it says nothing but how sure the
        speaker is of the others.
    confidence
        A single `Beta`; None where it claims nothing.
    """

    start: int
    end: int
    kind: str
    confidence: Beta | None


@dataclass(frozen=True)
class TextRead(Sequence[SentenceRead]):
    """The sentences of a text as they are read, and the reading of the whole (None where it holds nothing to read)."""

    text: str
    confidence: Beta | None
    sentences: tuple[SentenceRead, ...]

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, place: int | slice) -> SentenceRead | tuple[SentenceRead, ...]:
        return self.sentences[place]


def read_sentences(evaluator: EvaluatorModel, texts: Sequence[str]) -> list[TextRead]:
    """Return the sentences of some texts as an evaluator reads them; what is read twice is read once.

    A sentence is read as a text by itself, with what speaks of all of the text behind it.

    Raises
    ------
    ValueError
        If a text cannot be read.
    """
    parse_ahead(texts)
    whole = evaluator.read(texts)
    found = [units(text) for text in texts]
    asked = [[_asked(unit) for unit in own] for own in found]
    wanted = list(dict.fromkeys(said for own in asked for said in own if said and not evaluator.unread(said)))
    read = dict(zip(wanted, evaluator.read(wanted), strict=True)) if wanted else {}
    return [
        TextRead(
            text,
            confidence,
            tuple(
                SentenceRead(unit.start, unit.end, unit.kind, read.get(said))
                for unit, said in zip(own, sayings, strict=True)
            ),
        )
        for text, confidence, own, sayings in zip(texts, whole, found, asked, strict=True)
    ]


def _asked(unit: Unit) -> str:
    """What is read of a sentence; empty where it claims nothing."""
    return " ".join([unit.words, *unit.comments]) if unit.claims else ""
