"""What a sentence says of what: its statements, each with subject, predicate and whether it is denied, on the parse."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ralc.english.normalisation import NAMING_WORDS, SPEAKERS, plain, set_of
from ralc.english.parse import BE, SUBJECTS, lemma, parse

if TYPE_CHECKING:
    from spacy.tokens import Token

_AUXILIARIES = frozenset({"aux", "auxpass"})
#: Where a statement of the speaker's stands: not behind "because", "which" or "if".
_STATED = frozenset({"ROOT", "ccomp", "conj", "parataxis"})
#: What is no part of a statement's own predicate.
_BESIDE = SUBJECTS | {"conj", "cc", "ccomp", "advcl", "parataxis", "relcl", "mark", "intj", "punct"}
_COMPLEMENTS = ("attr", "acomp", "amod", "prep", "npadvmod", "appos", "advmod", "dobj")
_NAMES = frozenset({"NOUN", "PROPN", "NUM"})
_MODIFIERS = frozenset({"amod", "compound", "nummod"})
_NEVER = set_of("no never hardly scarcely neither nothing nobody none")
_DOUBTED = set_of("doubt deny unlikely improbable doubtful impossible false untrue incorrect wrong")
#: What stands for what was said.
_STANDINS = set_of("it so them him her that one ones this these those")


@dataclass(frozen=True)
class Statement:
    """A statement.

    Attributes
    ----------
    subject
        The words of its subject that say something; none of a pronoun.
    predicate
        The words of its predicate that say something; none where it is left out ("It is").
    head
        The word of its predicate that says what: verb, noun, adjective; empty where it is left out.
    kind
        The words that say which, of a noun: "a *natural* language".
    sort
        How the head completes "be" (``attr``, ``acomp``, a preposition), or ``verb``.
    more
        Whether the head compares: "bigger".
    denied
        Whether it is denied.
    """

    subject: frozenset[str]
    predicate: frozenset[str]
    head: str
    kind: frozenset[str]
    sort: str
    more: bool
    denied: bool


@lru_cache(maxsize=1000)
def statements(sentence: str) -> tuple[Statement, ...]:
    """Return the statements of a sentence or a question, in their order.

    >>> [(sorted(one.subject), one.head, one.denied) for one in statements("I think Lyon is not its capital.")]
    [(['lyon'], 'capital', True)]
    """
    return tuple(
        _read(verb, subject)
        for subject in parse(sentence)
        if subject.dep_ in SUBJECTS and (verb := _finite(subject.head)).dep_ in _STATED and not _opens(verb)
    )


def _finite(verb: "Token") -> "Token":
    """The verb that an auxiliary stands with."""
    while verb.dep_ in _AUXILIARIES:
        verb = verb.head
    return verb


@lru_cache(maxsize=1000)
def asked(question: str) -> Statement | None:
    """Return the statement that a question for yes or no asks about; None where it is not understood.

    >>> sorted(asked("Is Lisbon the capital of Portugal?").subject)
    ['lisbon']
    """
    found = (one for text in (question, _told(question)) for one in statements(text) if one.predicate)
    return next(found, None)


def _told(question: str) -> str:
    """A question as a statement: its verb behind its subject, which ends where another kind of word begins."""
    spoken = [token for token in parse(question) if token.dep_ != "punct" and token.lower_ != "not"]
    first = next((place for place, token in enumerate(spoken) if place and _says(token)), 0)
    than = next((place for place, token in enumerate(spoken) if token.lower_ == "than"), 0)
    others = (place for place, token in enumerate(spoken) if token.pos_ not in _NAMES or place == than - 1)
    end = next((place for place in others if place > first), first + 1)
    return " ".join(token.text for token in (*spoken[1:end], *spoken[:1], *spoken[end:]))


def _opens(verb: "Token") -> bool:
    """Whether a verb only says who thinks, or that something is so or not: its clause follows."""
    follows = any(child.dep_ == "ccomp" and child.i > verb.i for child in verb.children)
    return follows and any(child.lower_ in {"i", "we", "it"} for child in verb.children)


def _read(verb: "Token", subject: "Token") -> Statement:
    """The statement of a verb with its subject."""
    own = [child for child in verb.children if child.dep_ not in _BESIDE]
    hanging = (token for child in own if not _is_denied_alone(child) for token in _below(child))
    said = list(filter(_says, (verb, *hanging)))
    head, sort = _head(verb, own)
    return Statement(
        _words(token for token in subject.subtree if _says(token) or token.lower_ in SPEAKERS | {"we"}),
        _words(said),
        plain(lemma(head)) if head in said else "",
        _words(child for child in head.children if child.dep_ in _MODIFIERS and _says(child)),
        sort,
        _compares(head),
        _is_denied(verb) != any(token.lower_ in _NEVER for token in subject.subtree),
    )


def _head(verb: "Token", own: "list[Token]") -> "tuple[Token, str]":
    """The word that says what is said, and how it completes its verb."""
    if verb.lower_ in BE:
        fit = [
            child for child in own if child.dep_ in _COMPLEMENTS and (_says(child) or child.dep_ == "prep")
        ]
        head = min(fit, key=lambda one: (not _compares(one), _COMPLEMENTS.index(one.dep_)), default=verb)
        return (next(head.children, head), head.lower_) if head.dep_ == "prep" else (head, head.dep_)
    if not _says(verb):
        return next((child for child in own if child.dep_ in {"dobj", "attr"}), verb), "verb"
    return verb, "verb"


def _compares(token: "Token") -> bool:
    """Whether a word compares; the model takes some for adverbs: "farther"."""
    longer = token.lower_.endswith("er") and lemma(token) != token.lower_ and token.pos_ in {"ADJ", "ADV"}
    return longer or any(child.lower_ in {"more", "less"} for child in token.children)


def _words(some: "Iterable[Token]") -> frozenset[str]:
    return frozenset(plain(lemma(token)) for token in some)


def _below(token: "Token") -> "Iterator[Token]":
    """A word and those that hang on it, without clauses within and what is set aside ("not a planet")."""
    yield token
    aside = min((child.i for child in token.children if child.dep_ == "neg"), default=len(token.doc))
    for child in token.children:
        compared = any(one.lower_ == "than" for one in child.children)
        if child.i < aside and not _is_denied_alone(child) and (compared or child.dep_ not in _BESIDE):
            yield from _below(child)


def _is_denied_alone(token: "Token") -> bool:
    return any(child.dep_ == "neg" and child.i < token.i for child in token.children)


def _says(token: "Token") -> bool:
    word = plain(token.text)
    idle = token.dep_ in _AUXILIARIES or token.pos_ in {"ADP", "DET", "PART"}
    return bool(word) and not idle and word not in NAMING_WORDS | _STANDINS | _NEVER


def _is_denied(verb: "Token") -> bool:
    """Whether a verb is denied: by "not", by "no" of its object, or by what the clause depends on."""
    denied = any(
        child.dep_ == "neg" or child.lower_ in _NEVER or any(of.lower_ in _NEVER for of in child.children)
        for child in verb.children
        if child.dep_ not in _BESIDE
    )
    if verb.dep_ == "ccomp" and _opens(verb.head):
        above = verb.head
        doubted = any(one.lower_ in _DOUBTED for one in (above, *above.children))
        denied = (denied != doubted) != _is_denied(above)
    return denied
