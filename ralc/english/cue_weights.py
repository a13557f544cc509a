"""Weights of cues: a hedge weighs as much as the sentence that it speaks of.

The first sentence that says anything is the answer, and carries at least half; the others share the rest by their
words. A sentence that says nothing but how sure the speaker is ("I could be wrong"), or offers another answer ("Or
perhaps it is Lyon"), speaks of all of them. A question is no answer where anything else is said. It is one if it
guesses before anything is said ("Maybe Paris? It is large.") and nobody answers it by yes or no. Talk about the
conversation is no part of an answer.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from ralc.english.cue_tokens import Token, tokenise
from ralc.english.cues import Cue, read_cues_in
from ralc.english.markdown_text import prose
from ralc.english.normalisation import sentence_ends, set_of
from ralc.english.sentence_types import REPLIES, sentences
from ralc.english.word_sets import CLAUSE_MARKS

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
#: A hedge between a comma and one of these speaks of what follows alone: "in 1818, possibly during a journey".
_ADJUNCTS = set_of("about after around as at before by during for from in near on under while with")
#: What opens a question.
_QUESTIONS = set_of("who what when where how why which whether if")
#: What opens another answer instead of the first.
_OTHERWISE = frozenset({"or", "alternatively"})


@dataclass(frozen=True)
class WeightedSentence:
    """The cues that speak of a sentence of an answer, and the share of the answer that it carries, in (0, 1]."""

    cues: list[Cue]
    share: float


@dataclass(frozen=True)
class _Sentence:
    """A sentence of an answer: the words of the whole, small, where it begins and ends in them, and its cues."""

    whole: list[str]
    first: int
    last: int
    cues: list[Cue]

    @property
    def words(self) -> list[str]:
        """Its own words."""
        return self.whole[self.first : self.last]

    @property
    def count(self) -> int:
        """How many of them are words, and no marks."""
        return sum(word not in CLAUSE_MARKS for word in self.words)

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return "?" in self.whole[self.last - 2 : self.last]

    @property
    def guesses(self) -> bool:
        """Whether a hedge opens it, and no word of a question."""
        return bool(self.cues) and _QUESTIONS.isdisjoint(self.whole[self.first : self.cues[0].start])

    @property
    def is_comment(self) -> bool:
        """Whether it says nothing beside its cues."""
        covered = {place for cue in self.cues for place in range(cue.start, cue.end)}
        return all(
            place in covered or self.whole[place] in _IDLE or self.whole[place] in CLAUSE_MARKS
            for place in range(self.first, self.last)
        )


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
    answering, comments = _answering(found, text, tokens) if len(found) > 1 else ([], [])
    if not answering:
        return [WeightedSentence(cues, 1.0)]
    shares = _shares([one.count for one in answering])
    return [
        WeightedSentence([*one.cues, *comments[:COMMENTS]], share)
        for one, share in zip(answering, shares, strict=True)
    ]


def only_hedges(text: str) -> bool:
    """Return whether a text says how sure its speaker is, and nothing else.

    >>> [only_hedges(text) for text in ("I could be wrong", "I may have broken the law", "It is Bonn")]
    [True, False, False]
    """
    tokens = tokenise(text)
    cues = read_cues_in(tokens, text)
    return bool(cues) and _Sentence([token.text for token in tokens], 0, len(tokens), cues).is_comment


def _answering(
    found: list[_Sentence], text: str, tokens: Sequence[Token]
) -> tuple[list[_Sentence], list[Cue]]:
    """The sentences that answer, and the cues that speak of all of them."""
    said: list[_Sentence] = []
    asked: list[_Sentence] = []
    comments: list[Cue] = []
    settled = any(one.words[0] in REPLIES for one in found)
    talk = [range(one.start, one.end) for one in sentences(text) if one.kind in ("talk", "request")]
    for one in found:
        talks = not one.cues and any(tokens[one.first].start in place for place in talk)
        if talks or (one.asks and not {"you", "your"}.isdisjoint(one.words)):
            continue
        if one.cues and (one.is_comment or (said and one.words[0] in _OTHERWISE)):
            comments += one.cues
        elif not one.is_comment:
            (asked if one.asks and (said or settled or not one.guesses) else said).append(one)
    return (said, comments) if said else (asked, [])


def _sentences(text: str, tokens: Sequence[Token], cues: list[Cue]) -> list[_Sentence]:
    """The sentences of a text, with their cues; a hedged adjunct is one of its own."""
    words, starts = [token.text for token in tokens], [cue.start for cue in cues]
    places = [token.start for token in tokens]
    ends = [bisect_left(places, end) for end in [*sentence_ends(text), len(text)]]
    hedged = (cue for cue in cues if cue.start > 1 and words[cue.start - 1] == ",")
    ends = sorted({*ends, *(cue.start for cue in hedged if _ADJUNCTS & {*words[cue.end : cue.end + 1]})})
    found = []
    for first, last in zip([0, *ends], ends, strict=False):
        if last > first:
            own = cues[bisect_left(starts, first) : bisect_left(starts, last)]
            found.append(_Sentence(words, first, last, own))
    return found


def _shares(counts: list[int]) -> list[float]:
    """What each sentence carries: the first at least `ANSWER`, else as their words go."""
    total = sum(counts) or len(counts)
    first = max(counts[0] / total, ANSWER) if len(counts) > 1 else 1.0
    rest = sum(counts[1:])
    return [first, *((1 - first) * count / rest for count in counts[1:])]
