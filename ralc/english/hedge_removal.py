"""An answer without the hedge it came with, so that a rewrite does not hedge twice.

The parse tells what a hedge is in its sentence: a clause that embeds the claim ("I think that ..."), one behind it
("..., I think"), an adverb, or a remark of the speaker's ("..., but I am not sure"). Taking it off is an edit, so that
the rest of the answer stays as it is.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ralc.english.claim_sentences import only_hedges
from ralc.english.cues import Cue, read_cues
from ralc.english.hedge_placement import denies
from ralc.english.normalisation import set_of
from ralc.english.patterns import cue_classes
from ralc.english.sentence_types import Sentence, hedged_sentence, sentences
from ralc.english.truecasing import capitalised

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: So many hedges are taken off at most: "I could be wrong, but I think it is likely that ...".
_MOST = 4
#: Classes of cues that are part of what is claimed: who vouches for it, on what condition, and that it is not said.
_CLAIMED = set_of("question evidence reported majority alleged fact condition abstention firm_abstention")
_ADJECTIVES, _DEGREES = set_of("likely certain sure"), set_of("most very quite highly")
#: Words beside a hedge that say nothing of the world: "I'd say with some certainty that".
_REMARKS = set_of(
    "say some experience recall remember memory correctly far know wrong mistaken though knowledge best"
)
_BE = set_of("is are was were 's 're")
_BRACKETS = re.compile(r"\((?P<said>[^()]{1,60})\)(?=[.!]?$)")
_LONGEST_BRACKETS = 64  # characters
_CLAUSES = set_of("ccomp acl relcl")
#: Classes of cues, beside those of doubt, by which what follows is hardly so, or nobody knows.
_LOWERING = set_of("conceivable wild_guess unverified cautious")


@lru_cache(maxsize=5_000)
def remove_hedge(text: str) -> str | None:
    """Return an answer without the hedges of the sentence that takes one; None where they cannot be taken off.

    What hedges by denying ("I doubt that ...") is never taken off: without it the answer would say the opposite.

    >>> remove_hedge("I think that the capital is probably Paris."), remove_hedge("It may rain.")
    ('The capital is Paris.', None)
    >>> remove_hedge("I doubt that it is Paris.") is None, remove_hedge("Paris (highly likely)")
    (True, 'Paris')
    """
    text = without_brackets(_without_comments(text))
    if _bracketed(text):
        return None
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
    behind = _bracketed(text)
    sentence = hedged_sentence(text)
    hedge = _hedge_of(sentence) if sentence else None
    return (behind is not None and denies(behind["said"])) or (hedge is not None and _turns(*hedge))


def without_brackets(text: str) -> str:
    """Return an answer without brackets behind it that only say how sure all of it is: "Paris (very likely)"."""
    found = _bracketed(text)
    if found is None or denies(found["said"]):
        return text
    return text[: found.start()].rstrip() + text[found.end() :]


def _bracketed(text: str) -> re.Match[str] | None:
    """Brackets behind an answer that only say how sure all of it is."""
    end = len(text.rstrip())
    found = _BRACKETS.search(text, max(0, end - _LONGEST_BRACKETS), end)
    return found if found and only_hedges(found["said"]) else None


def _without_comments(text: str) -> str:
    """An answer without sentences that say how sure all of it is, and nothing else: "Paris. I'm not sure, though."."""
    found = sentences(text)
    for sentence in reversed(found[1:]):
        if only_hedges(text[sentence.start : sentence.end]):
            text = f"{text[: sentence.start].rstrip()}{text[sentence.end :]}"
    return text


def _turns(cue: Cue, hedge: "Span") -> bool:
    """Whether a hedge says that what it speaks of is hardly so, so that without it the answer would be turned round."""
    low = cue.negated or cue.name in _LOWERING or (cue.number is not None and cue.number < 0.5)
    return (low or cue_classes()[cue.name].direction < 0 or denies(hedge.text)) and not _is_remark(hedge)


def _is_remark(hedge: "Span") -> bool:
    """Whether a hedge is a clause of the speaker's beside the claim: "It is Paris, but I am not sure"."""
    verb = hedge.root if hedge.root.pos_ in ("VERB", "AUX") else hedge.root.head
    spoken = _subject(verb) in ("i", "we") and _embedded(hedge) is None
    return spoken and (
        verb.dep_ in ("conj", "advcl", "parataxis") or any(c.dep_ == "conj" for c in verb.children)
    )


def _hedge_of(sentence: Sentence) -> "tuple[Cue, Span] | None":
    """The first hedge of a sentence, as a cue and its words; None where it has none. What others vouch for is none."""
    words = sentence.words.text
    for cue in read_cues(words):
        span = sentence.words.char_span(*cue.span, alignment_mode="expand")
        if span is not None and cue.name not in _CLAIMED:
            return cue, span
    return None


def _without(hedge: "Span", sentence: Sentence, text: str) -> str | None:
    """An answer without one of its hedges; None where it belongs to what is said."""
    cut = _cut(hedge, sentence.words)
    if cut is None:
        return None
    taken = [token for token in hedge.doc[slice(*cut)] if token not in hedge]
    if any(one.pos_ in ("NOUN", "PROPN", "VERB") and one.lower_ not in _REMARKS for one in taken):
        return None  # it would take a part of the claim along
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
    root, doc = hedge.root, hedge.doc
    before = doc[hedge.start - 1].lower_ if hedge.start > words.start else ""
    after = doc[hedge.end] if hedge.end < words.end else None
    if before in ("not", "n't"):
        return None  # "it couldn't possibly be Rome" denies
    if before == "," and after is not None and after.text == ",":
        return hedge.start, hedge.end
    embedded = _embedded(hedge)
    if embedded is not None:
        return _around(*embedded, words)
    behind = hedge.doc[hedge.end : hedge.end + 2]
    to_be = behind.text == "to be" and behind[1].dep_ == "xcomp"
    if before in _BE and root.lower_ in _ADJECTIVES and to_be:
        return hedge.start, hedge.end + 2  # "it is likely to be Rome"
    verb = root if root.pos_ in ("VERB", "AUX") else root.head
    if _subject(verb) in ("i", "we"):
        return _of_speaker(verb, hedge, words)
    return (hedge.start, hedge.end) if _is_adverbial(hedge, words, after) else None


def _of_speaker(verb: "Token", hedge: "Span", words: "Span") -> tuple[int, int] | None:
    """A clause of the speaker's that embeds no claim: up to the one that it is joined to, or beside it."""
    claim = next((child for child in verb.children if child.dep_ == "conj" and child.i > hedge.end), None)
    if claim is not None and verb.dep_ == "ROOT":
        return words.start, claim.left_edge.i
    return _subtree(verb, words) if verb.dep_ in ("conj", "advcl", "parataxis") else None


def _is_adverbial(hedge: "Span", words: "Span", after: "Token | None") -> bool:
    """Whether a hedge is an adverb of the whole sentence, by itself: "probably", "in all likelihood", "most likely"."""
    root = hedge.root
    if any(token.i >= hedge.end and not token.is_punct for token in root.subtree):
        return False  # "for certain crimes"
    if root.lower_ == "likely" and hedge[0].lower_ in _DEGREES:
        return after is not None and not after.is_punct  # "it is most likely Rome"
    manner = root.lower_.endswith("clearly") and after is not None and after.pos_ in ("ADJ", "VERB")
    of_all = root.head == words.root or (
        root.head.head == words.root and root.head.dep_ in ("attr", "acomp", "aux")
    )
    adverb = root.pos_ == "ADV" or root.dep_ in ("advmod", "npadvmod", "prep", "advcl")
    return adverb and of_all and not manner and words.root.i not in range(hedge.start, hedge.end)


def _embedded(hedge: "Span") -> "tuple[Token, Token] | None":
    """The verb of a hedge and the clause that it embeds; None where it embeds none."""
    for verb in (hedge.root, *hedge, *hedge.root.ancestors):
        clause = next((child for child in verb.children if _is_claim(child, hedge)), None)
        if clause is not None:
            return verb, clause
    return None


def _is_claim(clause: "Token", hedge: "Span") -> bool:
    """Whether a clause is what a hedge embeds: "I think that it is Paris", "it is Paris, I think"."""
    that = any(child.lower_ in ("that", "whether", "if") for child in clause.children if child.dep_ == "mark")
    apart = clause.i > hedge.root.i or clause.right_edge.i < hedge.start
    embedded = clause.dep_ == "ccomp" or (clause.dep_ in _CLAUSES and that)
    said = _subject(clause.head) in ("i", "we", "guess", "bet", "answer")
    counted = any(child.dep_ == "nummod" for child in clause.children)
    named = (
        clause.dep_ in ("dobj", "attr", "npadvmod") and said and (counted or clause.pos_ in ("PROPN", "NUM"))
    )
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
