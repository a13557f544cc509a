"""An answer without the hedge it came with, and whether a rewrite still claims what the answer claimed.

The parse tells what a hedge is in its sentence. It may be a clause before the claim ("I think that ...") or behind it
("..., I think"). It may be an adverb, or a remark ("..., but I am not sure"). Taking it off is an edit, so that the
rest of the answer stays as it is.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ralc.english.choice_letters import without_choosing
from ralc.english.hedges.cues import Cue, read_cues
from ralc.english.hedges.parse import BE, named_subject, subject_word
from ralc.english.hedges.placement import capitalised, denies, keeps_marks
from ralc.english.hedges.sentence_types import (
    Sentence,
    claiming_sentences,
    is_extent,
    names_claim,
    only_hedges,
    sentences,
)
from ralc.english.negation import abstains, affirmed_and_denied
from ralc.english.normalisation import IDLE_WORDS, SPEAKERS, is_name, plain, words
from ralc.english.wordlists import phrases, word_list

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: So many hedges are taken off at most: "I could be wrong, but I think it is likely that ...".
_MOST = 4
#: New words that are no name and no number before something counts as added: a rewrite needs some of its own.
NEW_WORDS = 3
#: Least share of the answer's own words that a rewrite keeps.
KEPT = 0.7
#: Words of a sentence that is whole without a mark at its end.
_SHORTEST = 3
_VERBAL = ("VERB", "AUX")
#: A remark behind an answer: "Paris (very likely)", "It is Paris, but I could be wrong".
_REMARK = re.compile(
    r"(?<=\S)(?:\s*\((?P<inside>[^()]{1,40})\)|, (?:but|(?:al)?though) (?P<behind>[^,.!?()]{4,40}))(?=[.!\s]*$)"
)
#: The same on the first line, or in brackets: "[High confidence]", "(confidence: 0.9)".
_STATED_BESIDE = re.compile(
    r"\A\W{0,20}confidence\W{1,6}(?:very )?(?:high|medium|moderate|low|\d[\d.]{0,4} ?%?)\W{0,20}\n+"
    r"|\A[\[(](?:very )?(?:high|medium|moderate|low) confidence[\])]:? +"
    r"| ?[\[(](?:(?:very )?(?:high|medium|moderate|low) confidence|confidence: ?[\w. %]{1,12})[\])]",
    re.IGNORECASE,
)
_REVERSING = re.compile(r"(?<!\bthan )(?<!\bas )\bnot$")

#: The mark of an item that is left empty.
_ITEM = re.compile(r"\n[ \t]*(?:[-*+]|\d{1,3}[.)])\s*\Z")
#: Marks of emphasis behind a word, and the space there.
_EMPHASIS = re.compile(r"(?<=\w)[*_]+(?=[\s,:])|$")


class Unhedged(NamedTuple):
    """An answer without its hedges, or why it keeps them."""

    text: str | None
    reason: str = ""


@lru_cache(maxsize=2_500)
def remove_hedge(text: str) -> Unhedged:
    """Return an answer without the hedges of the sentence that takes one; no text where they cannot be taken off.

    What hedges by denying ("I doubt that ...") is never taken off: without it the answer would say the opposite.

    >>> remove_hedge("I think that the capital is probably Paris.").text, remove_hedge("Paris (highly likely)").text
    ('The capital is Paris.', 'Paris')
    >>> [remove_hedge(text).reason for text in ("It may rain.", "I doubt that it is Paris.")]
    ['a hedge may belong to what it says', 'it doubts what it names']
    """
    text = without_choosing(text)
    came = text = _STATED_BESIDE.sub("", text)
    remark = _REMARK.search(text)
    said = remark[remark.lastgroup] if remark else ""
    if only_hedges(said) and not denies(said) and not phrases("refusal").match(said):  # what denies stays
        text = _REMARK.sub("", text)
    for at, sentence in [*enumerate(sentences(text))][::-1]:
        # "Paris. I'm not sure, though.", "I'm not sure. It is Paris.", but not "Not quite. It is Paris."
        if sentence.kind == "hedge" and not _is_cut(sentence) and (at or sentence.words[0].lower_ == "i"):
            start, end = _with_marks(text, sentence.start, sentence.end)
            text = f"{_ITEM.sub('', text[:start]).rstrip()}{text[end:]}"
    text = text.lstrip() if came.lstrip() == came else text
    for _ in range(_MOST):
        sentence, hedge = _hedge_of(text)
        if hedge is None and keeps_marks(came, text):
            return Unhedged(text)
        if hedge is None:
            break
        if _turns(*hedge):
            return Unhedged(None, "it doubts what it names")
        text = _without(hedge[1], sentence, text)
        if text is None or not any(map(str.isalnum, text)):
            break
    return Unhedged(None, "a hedge may belong to what it says")


def _is_cut(sentence: Sentence) -> bool:
    """Whether a sentence is the beginning of another one: "This clearly"."""
    said = sentence.text.rstrip()
    return said[-1:].isalpha() and ":" not in said and len(said.split()) < _SHORTEST


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch with the marks of emphasis around it."""
    while text[start - 1 : start] in ("*", "_"):
        start -= 1
    while text[end : end + 1] in ("*", "_"):
        end += 1
    return start, end


def _hedge_of(text: str) -> "tuple[Sentence | None, tuple[Cue, Span] | None]":
    """The sentence that takes a hedge, and its first one, as a cue and its words. What others vouch for is none."""
    sentence = next(iter(claiming_sentences(text)), None)
    for cue in read_cues(sentence.text) if sentence else ():
        span = sentence.words.char_span(*cue.span, alignment_mode="expand")
        others = cue.name == "presume" and any(
            one.dep_ == "nsubj" and one.pos_ == "NOUN" for one in span or ()
        )
        if not (span is None or others or is_extent(cue) or cue.name in word_list("claimed")):
            return sentence, (cue, span)
    return sentence, None


def _turns(cue: Cue, hedge: "Span") -> bool:
    """Whether a hedge says that what it speaks of is hardly so, so that without it the answer would be turned round."""
    low = cue.negated or cue.name in word_list("lowering") or (cue.number is not None and cue.number < 0.5)
    if not (low or cue.family.direction < 0):
        return False
    verb = hedge.root if hedge.root.pos_ in _VERBAL else hedge.root.head
    # "It is Paris, but I am not sure" says it beside the claim
    beside = any(one.dep_ == "conj" for one in verb.children)
    return not (beside and _embedded(hedge) is None)


def _without(hedge: "Span", sentence: Sentence, text: str) -> str | None:
    """An answer without one of its hedges; None where it belongs to what is said."""
    cut = _cut(hedge, sentence.words)
    if cut is None:
        return None
    inner = [token for token in hedge.doc[slice(*cut)] if token not in hedge]
    if any(one.pos_ in ("NOUN", "PROPN", "VERB") and one.lower_ not in word_list("remarks") for one in inner):
        return None  # it would take a part of the claim along
    first, last = cut
    whole = sentence.words
    if first == whole.start:
        while last < whole.end - 1 and whole.doc[last].text in (",", ":", "—", "–", "-"):
            last += 1
        last += last < whole.end - 1 and whole.doc[last].lower_ in word_list(
            "coordinators"
        )  # "Indeed, and it"
        start, end = sentence.place(whole.doc[first]), sentence.place(whole.doc[last])
        marks = _EMPHASIS.search(text[start:end])[0]  # behind the hedge: "*I think* it is **Rome**"
        end = start + len(text[start:end].rstrip("*_"))
        if marks and text[:start].endswith(marks):
            start -= len(marks)
        bare = text[end:].lstrip("*_")
        goes_on = text[:start].rstrip().endswith(",")  # "Hi, I think it is old."
        return text[:start] + text[end : len(text) - len(bare)] + (bare if goes_on else capitalised(bare))
    goes_on = last < whole.end and not whole.doc[last].is_punct  # "In 1989, it fell."
    replied = first - whole.start == 2 and whole[0].lower_ in word_list("replies")  # "Yes, probably, it is."
    if whole.doc[first - 1].text in ",(–—" and not goes_on:
        first -= 0 if replied else 1
        last += last < whole.end and whole.doc[last].text in ",)"
    before, behind = (sentence.place(whole.doc[one - 1], end=True) for one in (first, last))
    return text[:before] + text[behind:]


def _cut(hedge: "Span", whole: "Span") -> tuple[int, int] | None:
    """From which token of a sentence to which its hedge goes; None where it cannot go."""
    root = hedge.root
    doc = hedge.doc
    before = doc[hedge.start - 1].lower_ if hedge.start > whole.start else ""
    after = doc[hedge.end] if hedge.end < whole.end else None
    if before in ("not", "n't"):
        return None  # "it couldn't possibly be Rome" denies
    if doc[hedge.end : whole.end].text.rstrip(".!") == "not":
        return None  # "Absolutely not."
    if after is not None and (before, after.text) in ((",", ","), ("(", ")")):
        return hedge.start, hedge.end
    if embedded := _embedded(hedge):
        return _around(*embedded, whole)
    to_be = doc[hedge.end : hedge.end + 2].text == "to be" and doc[hedge.end + 1].dep_ == "xcomp"
    if before in BE and root.lower_ in ("likely", "certain", "sure") and to_be:
        return hedge.start, hedge.end + 2  # "it is likely to be Rome"
    verb = root if root.pos_ in _VERBAL else root.head
    if subject_word(verb) not in ("i", "we"):
        return (hedge.start, hedge.end) if _is_adverbial(hedge, whole, after) else None
    claim = next((child for child in verb.children if child.dep_ == "conj"), None)
    if claim is not None:
        return whole.start, claim.left_edge.i  # "I am not sure, but it is Rome"
    return None


def _is_adverbial(hedge: "Span", whole: "Span", after: "Token | None") -> bool:
    """Whether a hedge is an adverb of the whole sentence, by itself: "probably", "most likely"."""
    root = hedge.root
    if any(token.i >= hedge.end and not token.is_punct for token in root.subtree):
        return False  # "for certain crimes"
    if root.lower_ == "likely" and hedge[0].lower_ in ("most", "very", "quite", "highly"):
        return root.dep_ != "amod" and after is not None and not after.is_punct  # "it is most likely Rome"
    return root.pos_ == "ADV" and root.head == whole.root != root


def _embedded(hedge: "Span") -> "tuple[Token, Token] | None":
    """The verb of a hedge and the clause that it embeds: "I think that it is Paris", "it is Paris, I think"."""
    for verb in (hedge.root, *hedge, *hedge.root.ancestors):
        for clause in verb.children:
            apart = clause.i > hedge.root.i or clause.right_edge.i < hedge.start
            marks = {child.lower_ for child in clause.children if child.dep_ == "mark"}
            that = clause.dep_ in ("acl", "relcl") and marks & {"that", "whether", "if"}
            named = names_claim(clause) and subject_word(verb) in ("i", "we", "guess", "bet", "answer")
            if apart and (that or named or clause.dep_ == "ccomp"):
                return verb, clause
    return None


def _around(verb: "Token", clause: "Token", whole: "Span") -> tuple[int, int] | None:
    """What stands around a clause that a hedge embeds: before it, with its *that*, or behind it."""
    while verb.pos_ not in _VERBAL and verb.dep_ != "ROOT":
        verb = verb.head  # "there is a good chance", "I am sure"
    if verb.dep_ not in ("ROOT", "conj"):
        return None
    edge = clause.left_edge
    if clause.i < verb.i:
        return clause.right_edge.i + 1, max(token.i for token in verb.subtree if not token.is_punct) + 1
    marked = edge.dep_ == "mark"
    subject = named_subject(verb)
    first = whole.start if subject is None else subject.left_edge.i
    fronted = whole.doc[first - 1].text == "," and whole[0].lower_ not in word_list("replies")
    start = first if first > whole.start and fronted else whole.start
    return (start, edge.i + marked) if not marked or edge.lower_ == "that" else None


def changed_meaning(answer: str, rewrite: str) -> str:
    """Return what a rewrite does to an answer beside hedging it: ``reversed``, ``added``, ``lost``, or nothing.

    Doubt is no reversal ("I doubt that it is Paris"), and a hedge adds no claim.

    >>> changed_meaning("It is Rome.", "I doubt that it is Rome."), changed_meaning("It is Rome.", "It is not Rome.")
    ('', 'reversed')
    """
    before, after = _unhedged(answer), _unhedged(rewrite)
    old, new = (set(words(text)) - IDLE_WORDS for text in (before, after))
    if len(old & new) < KEPT * len(old):
        return "lost"
    denied = [bool(old.intersection(words(affirmed_and_denied(text)[1]))) for text in (before, after)]
    if denied[0] != denied[1] or (abstains(answer) and not abstains(rewrite)):
        return "reversed"
    familiar = {*words(answer), *IDLE_WORDS, *SPEAKERS, "im", "ive", "id", "ill"}
    named = any(is_name(word) and plain(word) not in familiar for word in words(after, written=True)[1:])
    if named or len(new - old) > NEW_WORDS:
        return "added"
    return ""


def _unhedged(text: str) -> str:
    """A text without its cues, but for those that turn it round ("probably not")."""
    cues = [cue for cue in read_cues(text) if not _REVERSING.search(cue.expression)]
    bounds = [0, *(place for cue in cues for place in cue.span), len(text)]
    return "".join(text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True))
