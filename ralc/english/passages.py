"""The parts of an answer and how much of it each carries: a hedge weighs as much as what it speaks of.

A sentence is a part. The first one that says anything is the answer, and carries at least half; the others share the
rest by their words. A sentence that says nothing but how sure the speaker is ("I could be wrong", "Or perhaps it is
Lyon") speaks of all of them, or of those that follow and have no words of their own for it ("I think that the rest is
right", `ralc.english.scopes`). A question is no answer where anything else is said ("Who built it? Perhaps the
Romans."), unless it guesses before anything is said ("Maybe Paris? It is large.") and is not answered by yes or no,
nor ever one that asks the other person ("Would you like to know more?"). What is said of the conversation is no part of
it.
"""

import itertools
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ralc.english.cues import Cue, find_cues_in
from ralc.english.kinds import REPLIES, sentences
from ralc.english.normalisation import sentence_ends, set_of
from ralc.english.prose import prose
from ralc.english.scopes import scope_of
from ralc.english.tokens import Token, tokenise
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
    """
)
#: A hedge between a comma and one of these speaks of what follows alone: "in 1818, possibly during a journey".
_ADJUNCTS = set_of("about after around as at before by during for from in near on under while with")
#: What opens a question.
_QUESTIONS = set_of("who what when where how why which whether if")
#: What opens another answer instead of the first.
_OTHERWISE = frozenset({"or", "alternatively"})


@dataclass(frozen=True)
class Part:
    """The cues of a part of an answer, and the share of the answer that it carries, in (0, 1]."""

    cues: list[Cue]
    share: float


@dataclass(frozen=True)
class _Piece:
    """A piece of an answer: the words of the whole, small, where the piece begins and ends in them, and its cues."""

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
    def asks_you(self) -> bool:
        """Whether it asks the other person."""
        return self.asks and not {"you", "your"}.isdisjoint(self.words)

    @property
    def guesses(self) -> bool:
        """Whether a hedge opens it, and no word of a question."""
        return bool(self.cues) and _QUESTIONS.isdisjoint(self.whole[self.first : self.cues[0].start])

    @property
    def is_comment(self) -> bool:
        """Whether it says nothing beside its cues, and of which sentences it speaks."""
        covered = {place for cue in self.cues for place in range(cue.start, cue.end)}
        scope = scope_of(self.words)
        # Who speaks of the rest says before it how sure he is, whatever his words.
        begin = self.first + (scope.end if scope else 0)
        return all(
            place in covered or self.whole[place] in _IDLE or self.whole[place] in CLAUSE_MARKS
            for place in range(begin, self.last)
        )


def parts(text: str) -> list[Part]:
    """Return the parts of an answer, one at least; their shares add up to 1.

    >>> [(len(part.cues), part.share) for part in parts("It is Bonn. It may lie by the Rhine. I could be wrong.")]
    [(1, 0.5), (2, 0.5)]
    """
    text = prose(text)
    tokens = tokenise(text)
    cues = find_cues_in(tokens, text)
    pieces = _pieces(text, tokens, cues) if cues else []
    if len(pieces) < 2:
        return [Part(cues, 1.0)]
    answering, shared, comments = _answering(pieces, text, tokens)
    if not answering:
        return [Part(cues, 1.0)]
    heard = [piece.cues or shared.get(at, []) for at, piece in enumerate(answering)]
    shares = _shares([piece.count for piece in answering])
    return [Part([*own, *comments[:COMMENTS]], share) for own, share in zip(heard, shares, strict=True)]


def _answering(
    pieces: list[_Piece], text: str, tokens: Sequence[Token]
) -> tuple[list[_Piece], dict[int, list[Cue]], list[Cue]]:
    """The pieces that answer; what comments say of some of them, by their place; and what they say of all."""
    said: list[_Piece] = []
    asked: list[_Piece] = []
    comments: list[Cue] = []
    shared: dict[int, list[Cue]] = {}
    settled = any(piece.words[0] in REPLIES for piece in pieces)
    for piece in _without_talk(pieces, text, tokens):
        comment = piece.is_comment
        if piece.cues and (comment or (said and piece.words[0] in _OTHERWISE)):
            reach = _reach(piece, len(said), len(pieces))
            shared |= dict.fromkeys(reach or (), piece.cues)
            comments += piece.cues if reach is None else []
        elif not comment:
            guess = piece.guesses and not (said or settled)
            (asked if piece.asks and not guess else said).append(piece)
    return (said, shared, comments) if said else (asked, {}, comments)


def _pieces(text: str, tokens: Sequence[Token], cues: list[Cue]) -> list[_Piece]:
    """The sentences of a text, those with an adjunct of their own cut in two."""
    words, starts = [token.text for token in tokens], [cue.start for cue in cues]
    return [
        _Piece(words, first, last, cues[bisect_left(starts, first) : bisect_left(starts, last)])
        for first, last in _with_adjuncts(_sentences(text, tokens), cues, words)
    ]


def _without_talk(pieces: list[_Piece], text: str, tokens: Sequence[Token]) -> Iterator[_Piece]:
    """The pieces that say something: no question to the other person, and no talk that has no cue."""
    talk = [range(one.start, one.end) for one in sentences(text) if one.kind in ("talk", "request")]
    for piece in pieces:
        talks = not piece.cues and any(tokens[piece.first].start in place for place in talk)
        if not (talks or piece.asks_you):
            yield piece


def _reach(comment: _Piece, said: int, most: int) -> range | None:
    """Of which sentences a comment speaks, behind so many that said something; None of all."""
    scope = scope_of(comment.words)
    if scope is None:
        return None
    return range(said, min(said + scope.reach, most))


def only_hedges(text: str) -> bool:
    """Return whether a text says how sure its speaker is, and nothing else.

    >>> [only_hedges(text) for text in ("I could be wrong", "I may have broken the law", "It is Bonn")]
    [True, False, False]
    """
    tokens = tokenise(text)
    cues = find_cues_in(tokens, text)
    return bool(cues) and _Piece([token.text for token in tokens], 0, len(tokens), cues).is_comment


def _sentences(text: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """The sentences of a text, as positions of its tokens."""
    found, start = [], 0
    for end in [*sentence_ends(text), len(text)]:
        stop = start
        while stop < len(tokens) and tokens[stop].start < end:
            stop += 1
        if stop > start:
            found.append((start, stop))
        start = stop
    return found


def _with_adjuncts(
    sentences: list[tuple[int, int]], cues: list[Cue], words: list[str]
) -> list[tuple[int, int]]:
    """The sentences, those cut in two that end with something that alone is hedged."""
    cuts = [
        cue.start
        for cue in cues
        if cue.start > 1
        and words[cue.start - 1] == ","
        and words[cue.end : cue.end + 1]
        and words[cue.end] in _ADJUNCTS
    ]
    found = []
    for first, last in sentences:
        at = bisect_left(cuts, last)
        edges = [first, *(cut for cut in cuts[max(at - 1, 0) : at] if cut > first), last]
        found += itertools.pairwise(edges)
    return found


def _shares(counts: list[int]) -> list[float]:
    """What each sentence carries: the first at least `ANSWER`, else as their words go."""
    total = sum(counts) or len(counts)
    first = max(counts[0] / total, ANSWER) if len(counts) > 1 else 1.0
    rest = sum(counts[1:])
    return [first, *((1 - first) * count / rest for count in counts[1:])]
