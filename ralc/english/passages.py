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
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ralc.english.cues import Cue, find_cues_in
from ralc.english.kinds import sentences
from ralc.english.normalisation import set_of
from ralc.english.prose import prose
from ralc.english.scopes import ALL, scope_of
from ralc.english.tokens import Token, tokenise
from ralc.english.vocabulary import CLAUSE_MARKS

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
#: What opens the speaker's own reply to what they asked.
_REPLIES = frozenset({"yes", "no"})

_ABBREVIATED = re.compile(
    r"(?:^|\s)(?:\w|(?:[A-Za-z]\.)+[A-Za-z]|[A-Z]\w?|Mt|St|Dr|Mr|Mrs|No|vs|etc|approx)\.$"
)
# A run of marks or of space is tried from its start alone: from everywhere in it, 40,000 dots took 21 seconds.
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)]*+(?=\s+[\"'“(]?[A-Z0-9])|(?<!\s)\s*\n")


@dataclass(frozen=True)
class Part:
    """The cues of a part of an answer, and the share of the answer that it carries, in (0, 1]."""

    cues: list[Cue]
    share: float


def parts(text: str) -> list[Part]:
    """Return the parts of an answer, one at least; their shares add up to 1.

    >>> [(len(part.cues), part.share) for part in parts("It is Bonn. It may lie by the Rhine. I could be wrong.")]
    [(1, 0.5), (2, 0.5)]
    """
    text = prose(text)
    tokens = tokenise(text)
    words = [token.text for token in tokens]
    cues = find_cues_in(tokens, text)
    pieces = _with_adjuncts(_sentences(text, tokens), cues, words) if cues else []
    if len(pieces) < 2:
        return [Part(cues, 1.0)]
    said: list[tuple[list[Cue], int]] = []
    asked: list[tuple[list[Cue], int]] = []
    comments: list[Cue] = []
    shared: dict[int, list[Cue]] = {}
    starts = [cue.start for cue in cues]
    settled = any(words[first] in _REPLIES for first, _ in pieces)
    talk = [range(one.start, one.end) for one in sentences(text) if one.kind in ("talk", "request")]
    for first, last in pieces:
        own = cues[bisect_left(starts, first) : bisect_left(starts, last)]
        asks = "?" in words[last - 2 : last]
        guesses = own and not said and not settled and _QUESTIONS.isdisjoint(words[first : own[0].start])
        if asks and not {"you", "your"}.isdisjoint(words[first:last]):
            continue
        if not own and any(tokens[first].start in place for place in talk):
            continue
        if own and (_is_comment(words, own, first, last) or (said and words[first] in _OTHERWISE)):
            scope = scope_of(words[first:last])
            if scope is None:
                comments += own
            else:
                end = len(said) + scope.reach if scope.reach < ALL else len(pieces)
                shared |= dict.fromkeys(range(len(said), min(end, len(pieces))), own)
        elif own or not _is_comment(words, own, first, last):
            (asked if asks and not guesses else said).append(
                (own, sum(word not in CLAUSE_MARKS for word in words[first:last]))
            )
    said = [(own or shared.get(at, []), count) for at, (own, count) in enumerate(said)] or asked
    if not said:
        return [Part(cues, 1.0)]
    shares = _shares([count for _, count in said])
    return [Part([*own, *comments[:COMMENTS]], share) for (own, _), share in zip(said, shares, strict=True)]


def only_hedges(text: str) -> bool:
    """Return whether a text says how sure its speaker is, and nothing else.

    >>> [only_hedges(text) for text in ("I could be wrong", "I may have broken the law", "It is Bonn")]
    [True, False, False]
    """
    tokens = tokenise(text)
    cues = find_cues_in(tokens, text)
    return bool(cues) and _is_comment([token.text for token in tokens], cues, 0, len(tokens))


def sentence_ends(text: str) -> Iterator[int]:
    """Yield where the sentences of a text end, but for its last one; abbreviations end none.

    >>> list(sentence_ends("It is St. Louis. It is large."))
    [16]
    """
    for end in _SENTENCE_END.finditer(text):
        if not _ABBREVIATED.search(text[max(0, end.end() - 12) : end.end()].rstrip()):
            yield end.end()


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


def _is_comment(words: list[str], cues: list[Cue], first: int, last: int) -> bool:
    """Whether a sentence says nothing beside its cues, and of which sentences it speaks."""
    covered = {place for cue in cues for place in range(cue.start, cue.end)}
    scope = scope_of(words[first:last])
    first += (
        scope.end if scope else 0
    )  # who speaks of the rest says before it how sure he is, whatever his words
    return all(
        place in covered or words[place] in _IDLE or words[place] in CLAUSE_MARKS
        for place in range(first, last)
    )


def _shares(counts: list[int]) -> list[float]:
    """What each sentence carries: the first at least `ANSWER`, else as their words go."""
    total = sum(counts) or len(counts)
    first = max(counts[0] / total, ANSWER) if len(counts) > 1 else 1.0
    rest = sum(counts[1:])
    return [first, *((1 - first) * count / rest for count in counts[1:])]
