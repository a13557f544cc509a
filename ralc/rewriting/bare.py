"""An answer without the hedge it came with, so that a rewrite does not hedge twice.

The parse tells what a hedge is in its sentence: a clause that embeds the claim ("I think that ..."), one behind it
("..., I think"), an adverb, or a remark of the speaker's ("..., but I am not sure"). Taking it off is an edit, so that
the rest of the answer stays as it is.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from ralc.english.casing import capitalised
from ralc.english.cues import Cue, find_cues_in
from ralc.english.frames import hedged_sentence
from ralc.english.kinds import Sentence
from ralc.english.normalisation import set_of
from ralc.english.tokens import tokenise

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: So many hedges are taken off at most: "I could be wrong, but I think it is likely that ...".
_MOST = 4
_CLAUSES = set_of("ccomp acl relcl")
_LOWERING = set_of(
    "doubt unlikely improbable almost_none slight remote conceivable impossible probably_not clueless"
)


@lru_cache(maxsize=5_000)
def bare(text: str) -> str | None:
    """Return an answer without the hedges of the sentence that takes one; None where they cannot be taken off.

    What hedges by denying ("I doubt that ...") is never taken off: without it the answer would say the opposite.

    >>> bare("I think that the capital is probably Paris."), bare("It is Paris, I believe."), bare("It may rain.")
    ('The capital is Paris.', 'It is Paris.', None)
    >>> bare("I doubt that it is Paris.") is None
    True
    """
    for _ in range(_MOST):
        sentence = hedged_sentence(text)
        hedge = _hedge_of(sentence) if sentence else None
        if sentence is None or hedge is None:
            return text
        without = None if _turns(*hedge) else _without(hedge[1], sentence, text)
        if without is None or not any(map(str.isalnum, without)):
            return None
        text = without
    return None


def doubts(text: str) -> bool:
    """Return whether an answer doubts what it names.

    >>> doubts("I doubt that it is Paris."), doubts("I think that it is Paris.")
    (True, False)
    """
    sentence = hedged_sentence(text)
    hedge = _hedge_of(sentence) if sentence else None
    return hedge is not None and _turns(*hedge)


def _turns(cue: Cue, hedge: "Span") -> bool:
    """Whether a hedge says that what it speaks of is hardly so, so that without it the answer would be turned round."""
    low = cue.number is not None and cue.number < 0.5
    return (cue.negated or low or cue.name in _LOWERING) and (
        hedge.root.pos_ == "ADV" or _embedded(hedge) is not None
    )


def _hedge_of(sentence: Sentence) -> "tuple[Cue, Span] | None":
    """The first cue of a sentence and its words; None where it has none."""
    words = sentence.words.text
    tokens = tokenise(words)
    for cue in find_cues_in(tokens, words):
        first, last = tokens[cue.start].start, tokens[cue.end - 1].end
        span = sentence.words.char_span(first, last, alignment_mode="expand")
        if span is not None and cue.name != "question":
            return cue, span
    return None


def _without(hedge: "Span", sentence: Sentence, text: str) -> str | None:
    """An answer without one of its hedges; None where it belongs to what is said."""
    cut = _cut(hedge, sentence.words)
    if cut is None:
        return None
    first, last = cut
    words, places = sentence.words, sentence.stretch.at
    if first == words.start:
        while last < words.end - 1 and words.doc[last].text in ",:":
            last += 1
        start, end = _place(places, words.doc[first]), _place(places, words.doc[last])
        return text[:start] + capitalised(text[end:])
    before, behind = words.doc[first - 1], words.doc[last] if last < words.end else None
    if before.text in ",(–—":
        first -= 1
        last += behind is not None and behind.text in ",)"
    return (
        text[: _place(places, words.doc[first - 1], end=True)]
        + text[_place(places, words.doc[last - 1], end=True) :]
    )


def _place(places: tuple[int, ...], token: "Token", *, end: bool = False) -> int:
    return places[token.idx + len(token) - 1] + 1 if end else places[token.idx]


def _cut(hedge: "Span", words: "Span") -> tuple[int, int] | None:
    """From which token of a sentence to which its hedge goes; None where it cannot go."""
    root, embedded = hedge.root, _embedded(hedge)
    if embedded is not None:
        return _around(*embedded, words)
    verb = root if root.pos_ in ("VERB", "AUX") else root.head
    if _subject(verb) == "i":
        claim = next(
            (child for child in verb.children if child.dep_ == "conj" and _subject(child) != "i"), None
        )
        if claim is not None and verb.dep_ == "ROOT":
            return words.start, claim.left_edge.i
        return _subtree(verb, words) if verb.dep_ in ("conj", "advcl", "parataxis") else None
    if root.pos_ == "ADV" or root.dep_ in ("advmod", "npadvmod", "prep", "advcl"):
        first, last = (hedge.start, hedge.end) if root.pos_ == "ADV" else _subtree(root, words)
        return (
            (min(first, hedge.start), max(last, hedge.end))
            if words.root.i not in range(first, last)
            else None
        )
    return None


def _embedded(hedge: "Span") -> "tuple[Token, Token] | None":
    """The verb of a hedge and the clause that it embeds; None where it embeds none."""
    for verb in (hedge.root, *hedge.root.ancestors):
        clause = next((child for child in verb.children if _is_claim(child, hedge)), None)
        if clause is not None:
            return verb, clause
    return None


def _is_claim(clause: "Token", hedge: "Span") -> bool:
    """Whether a clause is what a hedge embeds: "I think that it is Paris", "it is Paris, I think"."""
    that = any(child.lower_ in ("that", "whether", "if") for child in clause.children if child.dep_ == "mark")
    apart = clause.i > hedge.root.i or clause.right_edge.i < hedge.start
    embedded = clause.dep_ == "ccomp" or (clause.dep_ in _CLAUSES and that)
    said = _subject(clause.head) in ("i", "guess", "bet", "answer")
    named = clause.dep_ in ("dobj", "attr", "npadvmod") and said and clause.pos_ in ("PROPN", "NUM")
    return apart and (embedded or named)


def _around(verb: "Token", clause: "Token", words: "Span") -> tuple[int, int] | None:
    """What stands around a clause that a hedge embeds: before it, with its *that*, or behind it."""
    while verb.pos_ not in ("VERB", "AUX") and verb.dep_ != "ROOT":
        verb = verb.head  # "there is a good chance", "I am sure"
    if verb.dep_ not in ("ROOT", "conj", "ccomp") or (verb.dep_ == "ccomp" and verb.head.i > verb.i):
        return None
    edge = clause.left_edge
    if clause.i < verb.i:
        return clause.right_edge.i + 1, max(token.i for token in verb.subtree if not token.is_punct) + 1
    marked = edge.dep_ == "mark" and edge.head == clause
    return (words.start, edge.i + marked) if not (marked and edge.lower_ != "that") else None


def _subtree(clause: "Token", words: "Span") -> tuple[int, int] | None:
    """A clause with the conjunction before it."""
    first = clause.left_edge.i
    while first > words.start and words.doc[first - 1].dep_ == "cc":
        first -= 1
    last = clause.right_edge.i + 1
    return first, last - 1 if words.doc[last - 1].is_punct and last == words.end else last


def _subject(verb: "Token") -> str:
    return next((child.lower_ for child in verb.children if child.dep_ in ("nsubj", "expl")), "")
