"""The claims of an answer: the sentences that claim something, each of which can be as sure as it deserves.

A short answer that is no sentence is one ("Paris"). A sentence that says nothing but how sure the speaker is claims
nothing: it speaks of all the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ralc.english.cue_weights import only_hedges
from ralc.english.hedge_placement import hedged_sentence
from ralc.english.sentence_types import Kind, Sentence, sentences


@dataclass(frozen=True)
class Unit:
    """A sentence, and what it says without Markdown.

    ``claims``: whether it claims something. ``comments`` are sentences that speak of all of the answer.
    """

    sentence: Sentence
    words: str
    kind: Kind | str
    claims: bool
    comments: tuple[str, ...] = ()


@lru_cache(maxsize=5_000)
def units(text: str) -> tuple[Unit, ...]:
    """Return the sentences of an answer, in order.

    >>> [(unit.kind, unit.comments) for unit in units("It is Bonn. I could be wrong.")]
    [('claim', ('I could be wrong.',)), ('hedge', ())]
    """
    found = sentences(text)
    said = [_words(one) for one in found]
    hedges = _hedges(found, said)
    short = hedged_sentence(text)
    claims = [
        not hedge and (one.kind == "claim" or one is short) for one, hedge in zip(found, hedges, strict=True)
    ]
    comments = tuple(words for words, hedge in zip(said, hedges, strict=True) if hedge)
    return tuple(
        Unit(one, words, "hedge" if hedge else one.kind, claim, comments if claim else ())
        for one, words, hedge, claim in zip(found, said, hedges, claims, strict=True)
    )


def _hedges(found: Sequence[Sentence], said: Sequence[str]) -> list[bool]:
    """Whether each sentence of an answer says nothing but how sure the speaker is; none where all do."""
    hedges = [
        not (one.kind == "talk" and words.endswith("!")) and only_hedges(words)  # "Certainly!" agrees to help
        for one, words in zip(found, said, strict=True)
    ]
    return [hedge and not all(hedges) for hedge in hedges]


def claim_units(text: str) -> list[Unit]:
    """Return the sentences of an answer that claim something: one confidence is of each."""
    return [unit for unit in units(text) if unit.claims]


def _words(sentence: Sentence) -> str:
    """What a sentence says, as it is written."""
    return sentence.stretch.words[sentence.words.start_char : sentence.words.end_char]
