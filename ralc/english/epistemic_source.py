"""Whose doubt a cue is: the speaker's about the claim, or a part of what is spoken of.

"It may be Rome" doubts the claim. "The tablets may be taken with food" permits. "Possible side effects" names a kind of
effect, "a pen that could write in space" describes a pen. "The pharmacist was unsure" says whose doubt it was. The
parse tells: a cue is the speaker's where only clauses of the speaker's stand between it and the root.
"""

from typing import TYPE_CHECKING

from ralc.english.parse import BE, is_mine, subject_word
from ralc.english.wordlists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


def is_speakers(cue: "Span", name: str, *, numbered: bool = False) -> bool:
    """Return whether a cue of class `name` is the speaker's doubt of the claim; `numbered` where a number says it.

    >>> from ralc.english.parse import parse
    >>> may, taken = parse("It may be Rome.")[1:2], parse("The tablets may be taken with food.")[2:3]
    >>> is_speakers(may, "may"), is_speakers(taken, "may")
    (True, False)
    """
    around = cue.doc[max(cue.start - 1, 0) : cue.end + 1]
    if cue.start > 0 and (around[0].text, around[-1].text) == ("(", ")"):
        return True  # a remark in brackets: "Rome (unlikely)"
    if numbered or name in word_list("chances"):
        after = cue.doc[cue.end : cue.end + 2]
        right = len(after) < 2 or after[1].lower_ in ("being", "it") or after[1].like_num
        if after[:1].text.lower() == "of" and not right:
            return False  # "a 30 % chance of rain", but not "of being right"
    if numbered:
        return True
    if _is_of_matter(cue, name) or _is_name(cue):
        return False
    before = cue.doc[cue.start - 1] if cue.start else cue.root
    if cue.root.lower_ == "likely" and len(cue) > 1 and before.pos_ != "DET":
        return _reaches_root(cue.root.head)  # "he most likely sings"
    return _reaches_root(before if before.lower_ in BE else cue.root)  # "it's certainly Rome"


def _is_of_matter(cue: "Span", name: str) -> bool:
    """Whether the words around a cue tell that it is of the matter, wherever it stands."""
    word = cue.root
    after = cue.doc[cue.end].lower_ if cue.end < len(cue.doc) else ""
    if word.lower_ in ("may", "might", "could") and word.dep_ == "aux":
        return not ("possibly" in cue.text.lower() or _is_doubted(word))
    if name in ("possible", "impossible") and after == "to":
        return True
    if name in ("hard_to_say", "disputed") and word_list("question_words") & {after, cue[-1].lower_}:
        return True  # "it is uncertain how they fly"
    if word.pos_ == "ADV" or not (
        name in word_list("states_of_mind") or word.lower_ in word_list("feelings")
    ):
        return False
    clauses = (word, *word.ancestors)
    subject = next(filter(None, map(subject_word, clauses)), "we")
    return subject not in word_list("sources") | {"we"} and not any(map(is_mine, clauses))


def _is_doubted(modal: "Token") -> bool:
    """Whether a modal verb says that something may be so, and not what may be done."""
    verb = modal.head
    if any(child.dep_ == "aux" and child.lower_ in ("have", "'ve") for child in verb.children):
        return True
    before = {child.dep_: child.lower_ for child in verb.children if child.i < verb.i}
    stands_in = (before.get("nsubj") or before.get("nsubjpass")) in word_list("stand_ins")
    if before.keys().isdisjoint({"auxpass", "nsubjpass"}):
        return stands_in or verb.lower_ in word_list("state_verbs")
    origin = any(child.lower_ in ("from", "of") for child in verb.children)
    return modal.lower_ == "might" or origin or (verb.lower_ in word_list("located") and not stands_in)


def _is_name(cue: "Span") -> bool:
    """Whether a cue is a noun of the matter: not "my guess", "the chances are", "I have no idea"."""
    noun, head = cue.root, cue.root.head
    if noun.dep_ not in word_list("noun_places") or noun.pos_ not in ("NOUN", "PROPN"):
        return False
    return not (is_mine(noun) or subject_word(head) in word_list("sources") or head.lower_ in BE)


def _reaches_root(word: "Token") -> bool:
    """Whether only clauses of the speaker's stand between a word and the root."""
    while subject_word(word) != "i" and word.dep_ != "ROOT":
        head = word.head
        # "the likely author was Ovid" says what something is
        likely = word.lower_ in ("likely", "likeliest", "probable", "unlikely") and head.head.lower_ in BE
        named = likely and word.dep_ == "amod" and head.dep_ in ("nsubj", "attr")
        if word.dep_ in word_list("inner") and not (is_mine(head) or named):
            return False
        claimed = word.dep_ in ("ccomp", "xcomp") and head.pos_ == "VERB"
        if claimed and subject_word(head) not in word_list("sources") | {""}:
            return False  # what somebody says or thinks, and not what the answer rests on
        word = head
    return True
