"""Whose doubt a cue is: the speaker's about the claim, or a part of what is spoken of.

"It may be Rome" doubts the claim. "The tablets may be taken with food" permits, "possible side effects" names a kind of
effect, "a pen that could write in space" describes a pen, and "the pharmacist was unsure" says whose doubt it was. The
parse tells: a cue is the speaker's where nothing but clauses of the speaker's own stand between it and the root.
"""

from typing import TYPE_CHECKING

from ralc.english.normalisation import SPEAKERS, set_of
from ralc.english.parse import BE, is_mine

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: Classes of cues that may speak of the matter; all others are a speaker's by their words ("if memory serves").
_AMBIGUOUS = set_of(
    """
    may might could possible probable likely conceivable improbable unlikely impossible alleged disputed maybe unsure
    sure confident doubt clueless hard_to_say abstention chance good_chance slight wrong unverified must clearly
    condition feeling suspect
    """
)
#: What the world, or somebody, does not know or deny: a speaker's where the subject is the speaker or the answer.
_STATES_OF_MIND = set_of("clueless doubt unsure abstention hard_to_say disputed suspect")
#: Adjectives of classes of cues that say of people, as well, how sure they are.
_FEELINGS = set_of("certain sure positive convinced assured confident")
_QUESTIONS = set_of("who what when where how why which")
_LIKELY = set_of("likely likeliest probable unlikely")
_CHANCES = set_of("chance good_chance slight possible")
#: What a word is a part of when it hangs on another by one of these.
_INNER = set_of("relcl amod poss compound nmod pcomp csubj csubjpass nummod quantmod predet acl advcl")
#: Ways for a noun to stand in a clause that says something else than how sure the speaker is.
_NOUN_PLACES = set_of("nsubj nsubjpass dobj pobj dative oprd npadvmod conj")
_MODALS = set_of("may might could")
#: What is so of a thing, where others are done to it: "the temple may be located in Athens".
_NAMED = set_of("located situated based dated called named known titled")
#: Who speaks, what stands for the answer, and what an answer rests on.
_SOURCES = SPEAKERS | set_of(
    "it this that there answer which what assistant ai model document background passage text context question"
    " article source sources"
)
_OWN = SPEAKERS | {"memory"}
#: What stands for the answer, or for who is spoken of.
_STANDINS = set_of("he she it this that i")
#: Verbs that say what is so, and not what is done: "it may belong to Rome" doubts, "you may leave" permits.
_STATES = set_of(
    "appear arise be belong come consist contain date derive exist hold indicate lie live mean"
    " originate refer remain represent seem stand stem suggest"
)


def may_be_content(name: str, expression: str) -> bool:
    """Return whether a cue may speak of the matter, by its class and words; else it is the speaker's.

    >>> may_be_content("may", "may"), may_be_content("recall", "memory serves"), may_be_content("unsure", "i am unsure")
    (True, False, False)
    """
    return name in _AMBIGUOUS and _OWN.isdisjoint(expression.split())


def is_speakers(cue: "Span", name: str, *, numbered: bool = False) -> bool:
    """Return whether a cue of class `name`, as its words stand in the parse, is the speaker's doubt of the claim.

    `numbered`: whether a number says how sure the speaker is ("with a certainty of 0.7").

    >>> from ralc.english.parse import parse
    >>> may, taken = parse("It may be Rome.")[1:2], parse("The tablets may be taken with food.")[2:3]
    >>> is_speakers(may, "may"), is_speakers(taken, "may")
    (True, False)
    """
    around = cue.doc[max(cue.start - 1, 0) : cue.end + 1]
    if cue.start > 0 and (around[0].text, around[-1].text) == ("(", ")"):
        return True  # a remark in brackets: "Rome (unlikely)"
    if (numbered or name in _CHANCES) and _is_of_event(cue):
        return False
    if numbered:
        return True
    word = None if _is_of_matter(cue, name) else _hanging(cue)
    return word is not None and _reaches_root(word)


def _is_of_matter(cue: "Span", name: str) -> bool:
    """Whether the words around a cue tell that it is of the matter, wherever it stands."""
    word = cue.root
    after = cue.doc[cue.end].lower_ if cue.end < len(cue.doc) else ""
    doubted = "possibly" in cue.text.lower()  # "it could possibly be located there"
    if word.lower_ in _MODALS and word.dep_ == "aux" and not (doubted or _is_doubted(word)):
        return True
    if name in ("possible", "impossible") and after == "to":
        return True
    if name in ("hard_to_say", "disputed") and _QUESTIONS & {after, cue[-1].lower_}:
        return True  # "it is uncertain how they fly"
    of_mind = name in _STATES_OF_MIND or word.lower_ in _FEELINGS
    return of_mind and word.pos_ != "ADV" and not _is_own(word)


def _hanging(cue: "Span") -> "Token | None":
    """The word by which a cue hangs in its sentence; None where it is a noun that is not how sure the speaker is."""
    word = cue.root
    before = cue.doc[cue.start - 1] if cue.start else None
    if before is not None and before.lower_ in BE:
        return before  # "it's most likely Rome": an adjective of the name, to the parser
    if word.lower_ == "likely" and len(cue) > 1 and (before is None or before.pos_ != "DET"):
        return word.head  # "he most likely sings"
    noun = word.dep_ in _NOUN_PLACES and word.pos_ in ("NOUN", "PROPN")
    return None if noun and not _is_named(word) else word


def _is_doubted(modal: "Token") -> bool:
    """Whether a modal verb says that something may be so, and not what may be done."""
    verb = modal.head
    if any(child.dep_ == "aux" and child.lower_ in ("have", "'ve") for child in verb.children):
        return True
    before = {child.dep_: child.lower_ for child in verb.children if child.i < verb.i}
    stands_in = (before.get("nsubj") or before.get("nsubjpass")) in _STANDINS
    if before.keys().isdisjoint({"auxpass", "nsubjpass"}):
        return stands_in or verb.lower_ in _STATES
    origin = any(child.lower_ in ("from", "of") for child in verb.children)
    return modal.lower_ == "might" or origin or (verb.lower_ in _NAMED and not stands_in)


def _is_of_event(chance: "Span") -> bool:
    """Whether a chance is one of what happens: "a 30 % chance of rain", but not "of being right"."""
    after = chance.doc[chance.end : chance.end + 2]
    return (
        len(after) == 2
        and after[0].lower_ == "of"
        and after[1].lower_ not in ("being", "it")
        and not after[1].like_num
    )


def _is_own(word: "Token") -> bool:
    """Whether the subject of a state of mind is the speaker, the answer or what that rests on."""
    clauses = (word, *word.ancestors)
    subject = next(filter(None, map(_subject, clauses)), "")
    return subject in _SOURCES | {"we", ""} or any(map(is_mine, clauses))


def _is_named(noun: "Token") -> bool:
    """Whether a noun is how sure the speaker is: "my guess", "the chances are", "I have no idea"."""
    return is_mine(noun) or _subject(noun.head) in _SOURCES or noun.head.lower_ in BE


def _reaches_root(word: "Token") -> bool:
    """Whether only clauses of the speaker's stand between a word and the root."""
    while True:
        if _subject(word) == "i" or word.dep_ == "ROOT":
            return True
        dep, head = word.dep_, word.head
        if dep in _INNER and not (is_mine(head) or _says_what_is(word)):
            return False
        if dep in ("ccomp", "xcomp") and _is_others(head):
            return False
        word = head


def _says_what_is(adjective: "Token") -> bool:
    """Whether an adjective belongs to what a sentence says something is: "the likely author was Ovid"."""
    noun = adjective.head
    likely = adjective.lower_ in _LIKELY and adjective.dep_ == "amod"
    return likely and noun.dep_ in ("nsubj", "attr") and noun.head.lower_ in BE


def _is_others(verb: "Token") -> bool:
    """Whether a verb says what somebody says or thinks, and not what the answer rests on ("the article says")."""
    subject = _subject(verb)
    return verb.pos_ == "VERB" and subject != "" and subject not in _SOURCES


def _subject(verb: "Token") -> str:
    """The word that is the (first) subject of a verb, small; empty where it has none.

    Found in one pass over a text, for a verb may have hundreds of children and be asked for by each of them.
    """
    subjects = verb.doc.user_data.get("subjects")
    if subjects is None:
        found = [token for token in verb.doc if token.dep_ in ("nsubj", "nsubjpass", "expl")]
        subjects = {token.head.i: token.lower_ for token in reversed(found)}
        verb.doc.user_data["subjects"] = subjects
    return subjects.get(verb.i, "")
