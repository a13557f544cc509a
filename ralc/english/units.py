"""What of an answer can be as sure as it deserves by itself: the sentences that claim something.

A short answer that is no sentence is one ("Paris"). A sentence that says nothing but how sure the speaker is claims
nothing: it speaks of all the others, or of those that follow (`ralc.english.scopes`) and have no hedge of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ralc.english.cue_tokens import tokenise
from ralc.english.cue_weights import only_hedges
from ralc.english.cues import read_cues
from ralc.english.frames import hedged_sentence
from ralc.english.kinds import Kind, Sentence, sentences
from ralc.english.scopes import scope_of


@dataclass(frozen=True)
class Unit:
    """A sentence, what it says without Markdown, and what says beside it how sure it is.

    ``claims``: whether it claims something. ``comments`` are sentences that speak of all of the answer; ``under`` is
    the place, among all sentences, of the shared hedge whose reading it inherits.
    """

    sentence: Sentence
    words: str
    kind: Kind | str
    claims: bool
    comments: tuple[str, ...] = ()
    under: int | None = None


@lru_cache(maxsize=5_000)
def units(text: str) -> tuple[Unit, ...]:
    """Return the sentences of an answer, in order.

    >>> [(unit.kind, unit.under) for unit in units("It is Bonn. I think that the rest is right. It is old.")]
    [('claim', None), ('hedge', None), ('claim', 1)]
    """
    found = sentences(text)
    said = [_words(one) for one in found]
    hedges = _hedges(found, said)
    short = hedged_sentence(text)
    claims = [
        not hedge and (one.kind == "claim" or one is short) for one, hedge in zip(found, hedges, strict=True)
    ]
    comments, shared = _scopes(said, hedges)
    return tuple(
        Unit(
            one,
            words,
            "hedge" if hedge else one.kind,
            claim,
            comments if claim else (),
            shared.get(at) if claim and not read_cues(words) else None,
        )
        for at, (one, words, hedge, claim) in enumerate(zip(found, said, hedges, claims, strict=True))
    )


def _hedges(found: Sequence[Sentence], said: Sequence[str]) -> list[bool]:
    """Whether each sentence of an answer says nothing but how sure the speaker is; none where all do."""
    hedges = [
        not (one.kind == "talk" and words.endswith("!")) and only_hedges(words)  # "Certainly!" agrees to help
        for one, words in zip(found, said, strict=True)
    ]
    return [hedge and not all(hedges) for hedge in hedges]


def _scopes(said: Sequence[str], hedges: Sequence[bool]) -> tuple[tuple[str, ...], dict[int, int]]:
    """The hedges that speak of all sentences; and by sentence the place of the one that speaks of it and others."""
    comments: list[str] = []
    shared: dict[int, int] = {}
    for at, (words, hedge) in enumerate(zip(said, hedges, strict=True)):
        scope = scope_of([token.text for token in tokenise(words)]) if hedge else None
        if scope:  # one among those that another speaks of goes before it
            shared |= dict.fromkeys(range(at + 1, min(at + 1 + scope.reach, len(said))), at)
        elif hedge:
            comments.append(words)
    return tuple(comments), shared


def claim_units(text: str) -> list[Unit]:
    """Return the sentences of an answer that claim something: one confidence is of each."""
    return [unit for unit in units(text) if unit.claims]


def _words(sentence: Sentence) -> str:
    """What a sentence says, as it is written."""
    return sentence.stretch.words[sentence.words.start_char : sentence.words.end_char]
