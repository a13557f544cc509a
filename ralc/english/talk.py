"""What is said of the conversation, of the answer or of the speaker, and claims nothing about the world."""

from typing import TYPE_CHECKING

from ralc.english.normalisation import set_of
from ralc.english.parse import is_mine, subject_of

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: Verbs by which the speaker says how sure he is of what follows; what he otherwise does is talk.
_HOLDS = set_of(
    "think thought believe guess suppose assume reckon suspect know expect imagine bet doubt figure presume find"
    " understand recall remember feel estimate tend inclined tempted"
)
_SURE = set_of(
    "sure certain confident positive convinced unsure uncertain guessing wrong mistaken confidence doubt"
    " impression inclined tempted"
)
#: What one says, and talks, about in a conversation.
_TALK = set_of(
    """
    question answer point idea help summary breakdown list table example examples overview version draft code guide
    outline explanation chat conversation message request response reply suggestion option apology apologies pleasure
    thanks problem worries rundown snippet steps tips script information advice news
    """
)
_PRAISE = set_of(
    "great good excellent wonderful fantastic interesting lovely glad happy sorry welcome right correct fair"
)
_MEANT = set_of("thinking asking referring looking mean")
_COMPLEMENTS = set_of("dobj ccomp xcomp")
_DEICTIC = set_of("here below above")
_THIS = set_of("this that it these those")
#: Exclamations: what follows tells how it strikes the speaker.
_STRUCK = set_of("wow ha haha ah aha ooh yay hooray phew")
_FOUND = set_of("result results")  # of a search: what an assistant says of its own
_ANSWERING = set_of(
    "guess answer bet impression understanding estimate recollection belief memory opinion view"
)


def is_talk(words: "Span", root: "Token") -> bool:
    """Whether a sentence speaks of the conversation, the answer or the speaker, and not of the world."""
    if words.text.rstrip().endswith(":") or words[0].lower_ in _DEICTIC | _STRUCK:
        return True
    subject = subject_of(root)
    return subject is not None and _is_of_talk(subject, root, words)


def _is_of_talk(subject: "Token", root: "Token", words: "Span") -> bool:
    """Whether a sentence speaks of the conversation by its subject: the speaker, the other, or what was just said."""
    if subject.lower_ in ("i", "we") or is_mine(subject):
        return not (_holds(root) or (is_mine(subject) and subject.lower_ in _ANSWERING))
    if subject.lower_ == "you":
        return root.lower_ in _MEANT or not _PRAISE.isdisjoint(_said_of(root))
    if subject.lower_ in _FOUND and any(child.lower_ == "search" for child in subject.children):
        return True
    if subject.lower_ in _THIS:
        return words.text.rstrip().endswith("!") or _is_of_answer(subject, root)
    return subject.lower_ in _TALK and any(token.lower_ in _DEICTIC | {"following"} for token in words)


def _is_of_answer(subject: "Token", root: "Token") -> bool:
    """Whether what is said of *this* is of the answer: "that helps", "this gives an overview", not "it helps them"."""
    if root.lower_ in ("helps", "help", "makes"):
        return all(child.lower_ in ("sense", "lot") for child in root.children if child.dep_ in _COMPLEMENTS)
    # "It returns a list" tells of a thing.
    done = subject.lower_ == "it" and any(child.dep_ == "dobj" for child in root.children)
    return not done and not (_TALK | _PRAISE).isdisjoint(_said_of(root))


def _said_of(root: "Token") -> set[str]:
    """What a verb says of its subject, small."""
    return {child.lower_ for child in root.children if child.dep_ in ("attr", "acomp", "dobj")}


def _holds(verb: "Token") -> bool:
    """Whether a speaker's verb says how sure he is of what follows: "I think that", "I am sure", "I would say"."""
    if verb.lower_ in _HOLDS | {"say"} and any(map(_is_name, verb.children)):
        return True
    if verb.lower_ == "guessing":
        return True
    if verb.lower_ == "say":
        return any(child.lower_ in ("would", "'d") for child in verb.children)
    if verb.lower_ in ("am", "'m", "be", "are", "'re", "have"):
        return any(child.lower_ in _SURE for child in verb.subtree)
    return verb.lower_ in _HOLDS and any(child.dep_ in ("ccomp", "xcomp", "advcl") for child in verb.children)


def _is_name(word: "Token") -> bool:
    """Whether a word is what a speaker names: "I think Paris", "I'd say about 40 km"."""
    counted = any(child.dep_ == "nummod" for child in word.children)
    return word.dep_ in ("dobj", "npadvmod") and (counted or word.pos_ in ("PROPN", "NUM"))


def is_talk_phrase(words: "Span") -> bool:
    """Whether what has no verb is a part of the conversation: "Great question!", "Sure thing!"."""
    return (
        words.text.rstrip().endswith(("!", ":"))
        or words[0].tag_ == "UH"
        or (
            not _TALK.isdisjoint(token.lower_ for token in words)
            and not _PRAISE.isdisjoint(t.lower_ for t in words)
        )
    )
