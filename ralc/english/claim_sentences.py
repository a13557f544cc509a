"""The sentences of an answer that claim something, and how much its hedges weigh.

A hedge weighs as much as the sentence that it speaks of. The first sentence that says anything is the answer, and
carries at least half; the others share the rest by their words. A sentence that says nothing but how sure the speaker
is ("I could be wrong"), or offers another answer ("Or perhaps it is Lyon"), speaks of all of them. Questions and talk
about the conversation are no part of an answer that says anything else.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ralc.english.cue_tokens import Token, tokenise
from ralc.english.cues import Cue, read_cues_in
from ralc.english.markdown_text import prose
from ralc.english.normalisation import sentence_ends, set_of
from ralc.english.sentence_types import Kind, hedged_sentence, sentences
from ralc.english.wordlists import CLAUSE_MARKS

#: Least share of the sentence that answers.
ANSWER = 0.5
#: So many cues of comments are heard in each sentence, so that a text of comments alone takes linear time.
COMMENTS = 50
#: Words beside a cue that claim nothing.
_IDLE = set_of(
    """
    a about all and answer any as at be but correct do entirely for here however i in is it just me mean my of on only
    own quite really right so still that the there this though to true very we what with you your am are was not
    get good great helps hmm hope least let ok okay one put question said say see sure think tough well would wow yes
    follows rest
    """
)


@dataclass(frozen=True)
class WeightedSentence:
    """The cues that speak of a sentence of an answer, and the share of the answer that it carries, in (0, 1]."""

    cues: list[Cue]
    share: float


@dataclass(frozen=True)
class Unit:
    """A sentence of an answer: where it stands, and what it says without Markdown.

    ``kind`` is ``hedge`` where it says nothing but how sure the speaker is. ``claims``: whether it claims something.
    ``comments`` are sentences that speak of all of the answer.
    """

    start: int
    end: int
    words: str
    kind: Kind | str
    claims: bool
    comments: tuple[str, ...] = ()


@lru_cache(maxsize=5_000)
def units(text: str) -> tuple[Unit, ...]:
    """Return the sentences of an answer, in order; a short answer that is no sentence is one ("Paris").

    >>> [(unit.kind, unit.comments) for unit in units("It is Bonn. I could be wrong.")]
    [('claim', ('I could be wrong.',)), ('hedge', ())]
    """
    found = sentences(text)
    short = hedged_sentence(text)
    # "Certainly!" agrees to help.
    hedges = [not (one.kind == "talk" and one.text.endswith("!")) and only_hedges(one.text) for one in found]
    hedges = [hedge and not all(hedges) for hedge in hedges]
    comments = tuple(one.text for one, hedge in zip(found, hedges, strict=True) if hedge)
    made = []
    for one, hedge in zip(found, hedges, strict=True):
        claims = not hedge and (one.kind == "claim" or one is short)
        kind = "hedge" if hedge else one.kind
        made.append(Unit(one.start, one.end, one.text, kind, claims, comments if claims else ()))
    return tuple(made)


def claim_units(text: str) -> list[Unit]:
    """Return the sentences of an answer that claim something: one confidence is of each."""
    return [unit for unit in units(text) if unit.claims]


def weighted_sentences(text: str) -> list[WeightedSentence]:
    """Return the sentences of an answer that say something, one at least; their shares add up to 1.

    >>> found = weighted_sentences("It is Bonn. It may lie by the Rhine. I could be wrong.")
    >>> [(len(one.cues), one.share) for one in found]
    [(1, 0.5), (2, 0.5)]
    """
    text = prose(text)
    tokens = tokenise(text)
    cues = read_cues_in(tokens, text)
    found = _sentences(text, tokens, cues) if cues else []
    said, comments = _answering(found, text, tokens) if len(found) > 1 else ([], [])
    if not said:
        return [WeightedSentence(cues, 1.0)]
    counts = [sum(word not in CLAUSE_MARKS for word in one.words) for one in said]
    rest = sum(counts[1:])
    first = max(counts[0] / (sum(counts) or 1), ANSWER) if rest else 1.0
    shares = [first, *((1 - first) * count / max(rest, 1) for count in counts[1:])]
    return [
        WeightedSentence([*one.cues, *comments[:COMMENTS]], share)
        for one, share in zip(said, shares, strict=True)
    ]


def only_hedges(text: str) -> bool:
    """Return whether a text says how sure its speaker is, and nothing else.

    >>> [only_hedges(text) for text in ("I could be wrong", "I may have broken the law", "It is Bonn")]
    [True, False, False]
    """
    tokens = tokenise(text)
    cues = read_cues_in(tokens, text)
    return bool(cues) and _Sentence([token.text for token in tokens], 0, cues).is_comment


@dataclass(frozen=True)
class _Sentence:
    """A sentence of an answer: its words, small, which of the text's words is its first, and its cues."""

    words: list[str]
    first: int
    cues: list[Cue]

    @property
    def asks(self) -> bool:
        return "?" in self.words[-2:]

    @property
    def is_comment(self) -> bool:
        """Whether it says nothing beside its cues."""
        covered = {place for cue in self.cues for place in range(cue.start, cue.end)}
        return all(
            place in covered or word in _IDLE or word in CLAUSE_MARKS
            for place, word in enumerate(self.words, self.first)
        )


def _sentences(text: str, tokens: Sequence[Token], cues: list[Cue]) -> list[_Sentence]:
    """The sentences of a text, with their cues."""
    words, starts = [token.text for token in tokens], [cue.start for cue in cues]
    places = [token.start for token in tokens]
    ends = [bisect_left(places, end) for end in [*sentence_ends(text), len(text)]]
    return [
        _Sentence(words[first:last], first, cues[bisect_left(starts, first) : bisect_left(starts, last)])
        for first, last in zip([0, *ends], ends, strict=False)
        if last > first
    ]


def _answering(
    found: list[_Sentence], text: str, tokens: Sequence[Token]
) -> tuple[list[_Sentence], list[Cue]]:
    """The sentences that answer, and the cues that speak of all of them."""
    said: list[_Sentence] = []
    asked: list[_Sentence] = []
    comments: list[Cue] = []
    talk = [range(one.start, one.end) for one in sentences(text) if one.kind in ("talk", "request")]
    for one in found:
        talks = not one.cues and any(tokens[one.first].start in place for place in talk)
        if talks or (one.asks and not {"you", "your"}.isdisjoint(one.words)):
            continue
        if one.is_comment or (said and one.cues and one.words[0] in ("or", "alternatively")):
            comments += one.cues
        else:
            (asked if one.asks and (said or not one.cues) else said).append(one)
    return (said, comments) if said else (asked, [])
