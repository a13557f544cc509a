"""Answers that speak beside their question: what they say is of the thing asked about, but nothing that was asked.

Known from question and text alone, by their parses: "Cobalt is a chemical element" does not say its symbol, whatever
that is. Such a reply is no guess at the answer, so a doubt of the answer is no doubt of what it says.
"""

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from ralc.english.claims import claimed
from ralc.english.countries import also_called, without_forms
from ralc.english.kinds import claims, sentences
from ralc.english.normalisation import plain, set_of, words
from ralc.english.parse import named_subject, parse

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_TOLD = set_of("NOUN PROPN NUM ADJ VERB")
#: What places a thing without saying where.
_PLACING = set_of("located situated found lie sit")
#: Questions that a kind of thing answers: "What is the nationality of ...?" - "She is a Dane."
_OF_KIND = set_of(
    "kind type sort class category group family species genre nationality occupation profession job role religion"
    " colour color shape state form status rank title term word name thing"
)
#: What is named behind its kind: "the state of Indiana" is Indiana.
_APPOSED = set_of("country state city town province")
#: What holds places of the kind that is asked for, and is none.
_CONTAINED = _APPOSED | {"capital"}
#: What has a name of its own: who names nothing does not say it.
_NAMES = _CONTAINED | {"continent", "symbol"}
_REGIONS = set_of(
    "africa asia europe oceania antarctica america caribbean continent ocean sea peninsula east"
)
_NAMING = set_of("ADJ NOUN PROPN")
_BE = set_of("is are was were 's ’s")

#: What is written on order claims nothing: a story, a letter, the same in other words.
_ORDERED = re.compile(
    r"\s*(?:please |(?:can|could|would|will) you (?:please )?(?:help me (?:to )?)?)?"
    r"(?:(?:(?:write|compose|draft|structure|invent|make up|start|begin|continue|finish)\b[^.?!\n]{0,60}?\b"
    r"|an? (?:[\w-]+ ){0,3})"
    r"(?:story|tale|poem|haiku|limerick|verse|song|lyrics|letter|e-?mail|message|note|dialogue|scene|joke|riddle"
    r"|toast|speech|soliloquy|(?:movie|film|concert|book|product) review|podcast script"
    r"|script for an? [\w ]*(?:video|film))\b"
    r"|(?:translate|rephrase|paraphrase|proofread)\b"
    # What a conversation was about is said of the conversation.
    r"|(?:summari[sz]e|sum up|recap) (?:our|this|the) (?:whole )?(?:chat|conversation|discussion)\b"
    # So is what somebody else would say.
    r"|(?:pretend|picture yourself)\b|(?:imagine (?:that )?you(?: a|['’])re|if you were) an?\b"
    r"|(?:text|e-?mail|message) (?:my|our|the|her|him|them)\b|(?:continue|finish)(?: the text| this)?:)",
    re.IGNORECASE,
)


def orders_writing(question: str) -> bool:
    """Return whether a question asks for a piece of writing, which claims nothing: a poem, a letter, a translation.

    >>> orders_writing("Write a poem."), orders_writing("a two line poem on autumn"), orders_writing("Who wrote it?")
    (True, True, False)
    """
    return bool(_ORDERED.match(question))


def speaks_of_another(text: str, question: str) -> bool:
    """Return whether the only claim of an answer is of another thing than the question asks about.

    It names nothing where a name is asked for, or says what is asked of something else by its name.

    >>> asked = "What is the capital of Togo?"
    >>> speaks_of_another("A spider has eight legs.", asked), speaks_of_another("Lomé is the chief city.", asked)
    (True, False)
    >>> speaks_of_another("The capital of Canada is Ottawa.", asked)
    True
    """
    found, wanted = claims(text), _wanted(question)
    if len(found) != 1 or len(sentences(text)) != 1 or wanted is None:
        return False
    claim = claimed(text, question)
    if claim is None or claim.on_topic:
        return False
    said = found[0].words
    nameless = wanted in _NAMES and not any(token.pos_ == "PROPN" for token in said)
    attributes = [token for token in said if token.lower_ == wanted and wanted not in _APPOSED]
    return nameless or any(_is_of_other(noun, question) for noun in attributes)


def _is_of_other(noun: "Token", question: str) -> bool:
    """Whether a noun is that of something by a name, which a question does not have: "the capital of Canada"."""
    asked = frozenset(words(without_forms(question)))
    of = (child for child in noun.children if child.lower_ in ("of", "for"))
    named = [token for child in of for token in child.children if token.pos_ == "PROPN"]
    return bool(named) and not any(_is_known(token, asked) for token in named)


def speaks_beside(text: str, question: str) -> bool:
    """Return whether an answer says something of what the question is about, but nothing of what it asks.

    Its only claim says no more than the question does, what kind of thing it is ("a chemical element"), or in which
    part of the world the country, state or city lies that is asked for.

    >>> asked = "What is the capital of Algeria?"
    >>> speaks_beside("Algeria is a country in North Africa.", asked), speaks_beside("It is Oran.", asked)
    (True, False)
    >>> speaks_beside("Algeria is a country.", "What is Algeria?")
    False
    """
    found, wanted = claims(text), _wanted(question)
    if len(found) != 1 or len(sentences(text)) != 1 or wanted is None:
        return False
    said, asked = found[0].words, frozenset(words(without_forms(question)))
    told = [token for token in said if token.pos_ in _TOLD and token.lower_ not in _PLACING]
    new = [token for token in told if not _is_known(token, asked)]
    if not _is_of_asked(said.root, new) or wanted in (token.lower_ for token in told):
        return False
    return _is_beside(said, new, wanted)


def _is_beside(said: "Span", new: "list[Token]", wanted: str) -> bool:
    """Whether what is new of a thing is what kind of thing it is, or in which part of the world it lies."""
    kind = _kind(said) if wanted not in _OF_KIND else frozenset()
    return all(token in kind or (wanted in _CONTAINED and _is_region(token)) for token in new)


def _is_of_asked(verb: "Token", new: "list[Token]") -> bool:
    """Whether a verb says of what the question names, and not who or what that is by a name."""
    subject = named_subject(verb)
    chosen = any(child.dep_ == "attr" and child.pos_ == "PROPN" for child in verb.children)
    return subject is not None and subject not in new and subject.pos_ != "PRON" and not chosen


def _wanted(question: str) -> str | None:
    """The noun that a question asks for: "state" of "In which US state is it?"; None where it asks for none."""
    asked = next((token for token in parse(question) if token.lower_ in ("what", "which")), None)
    if asked is None or len(asked.doc) < asked.i + 2:
        return None
    beside = takewhile(lambda token: token.pos_ in _NAMING, asked.doc[asked.i + 1 :])
    noun = max(beside, key=lambda token: token.i, default=None) or named_subject(asked.head)
    return noun.lower_ if noun is not None and noun.pos_ == "NOUN" else None


def _is_known(token: "Token", asked: frozenset[str]) -> bool:
    """Whether a question has a word, or it is of another name of a country that the question has."""
    if plain(token.text) in asked:
        return True
    names = {plain(word) for known in asked for name in also_called(known) for word in name.split()}
    return plain(token.text) in names


def _kind(said: "Span") -> frozenset["Token"]:
    """The words by which a sentence says what kind of thing its subject is: "a chemical element"; names are none."""
    kinds = (child for child in said.root.children if child.dep_ == "attr" and said.root.lower_ in _BE)
    return frozenset(
        token
        for noun in kinds
        if any(child.lower_ in ("a", "an") for child in noun.children)
        for token in (noun, *noun.children)
        if token == noun or (token.dep_ in ("amod", "compound") and not token.text[0].isupper())
    )


def _is_region(token: "Token") -> bool:
    """Whether a word is of the name of a part of the world: "North Africa", "the Middle East", not "South Africa"."""
    name = token.head if token.dep_ in ("amod", "compound") else token
    country = name.lower_ == "africa" and any(child.lower_ == "south" for child in name.children)
    return name.lower_ in _REGIONS and not country
