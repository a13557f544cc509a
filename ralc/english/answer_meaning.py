"""Whether two answers to a question mean the same: what each claims, and how far two claims are one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ralc.english.abstention import abstains
from ralc.english.claims import Claim, claimed, corrected, joined_parts
from ralc.english.commitment import CONTAINING, affirmed_clauses, best_clauses, name_spans
from ralc.english.contractions import spell_out
from ralc.english.names import (
    KINDS,
    NEW_NAME,
    WORD_SYMBOLS,
    adjectives,
    also_called,
    below_zero,
    differ_in_doubling,
    lettered,
    misspelt,
    named,
    without_forms,
)
from ralc.english.normalisation import plain, set_of, spans, tokens, words
from ralc.english.relevance import (
    CONTAINERS,
    VERBS,
    added_words,
    claim_words,
    mentions_asked,
    of_another,
    relates,
    without_background,
)
from ralc.english.truecasing import case_of
from ralc.english.yes_no import polarity

Verdict = Literal["yes", "no", "unsure"]
#: Least F1 overlap of two claims' words that makes them one, where neither holds the other; and that leaves it open.
OVERLAP, UNSURE = 0.7, 0.5
_JOINED = re.compile(r"(?<![\w'’.-])[A-Z][\w'’.-]*+,? (?:and|&) (?:the )?[A-Z]")
_ENDINGS = frozenset({"ern", "n", "an", "s", "a"})
#: Words of a speaker who hesitates or gives alternatives.
_SAYS_NOTHING = set_of("hmm well oh yes okay sorry either both some most")
_Name = tuple[str, ...]


@dataclass(frozen=True)
class Meaning:
    """What an answer claims, as it is compared.

    Attributes
    ----------
    kind
        ``answer``, ``several``, ``elsewhere`` (about something else), ``denied``, ``choice``, ``polar`` (yes or no),
        or ``none``.
    words, names, numbers
        All words beyond the question's; the names among them, each a tuple of words; the numbers among them.
    said
        What is affirmed, whole.
    """

    kind: str
    words: frozenset[str] = frozenset()
    names: frozenset[_Name] = frozenset()
    numbers: frozenset[str] = frozenset()
    said: str = ""


def same_answer(a: str, b: str, question: str, choices: Sequence[str] = ()) -> Verdict:
    """Return whether two answers to a question mean the same: ``yes``, ``no``, or ``unsure``.

    Numbers must have the same value ("eight" and "8"); the names of one claim must all be said by the other, too, in
    full or by their end ("West Bengal, India" and "India"; not "Papua New Guinea" and "Guinea"); other words must
    overlap by at least `OVERLAP` (F1); yes is not no, and who did it is not to whom.
    Several answers in one, denials and sentences about something else are compared among themselves: "It is not Paris"
    leaves open that it is Rome. Abstentions are the same. With
    `choices`, an answer that names one (by letter, text, or the adjective of a country) claims that choice. A question
    may stand behind its background, as in a prompt. Unsure are other words that overlap by `UNSURE`, or of which one
    claim holds the other's.

    >>> [same_answer("It is Paris.", other, "What is the capital of France?") for other in ("Paris", "Lyon")]
    ['yes', 'no']
    """
    question = without_background(question)
    one, other = (meaning(text, question, tuple(choices)) for text in (a, b))
    words_alone = one.kind == other.kind == "answer" and not (one.names and other.names)
    if not same_meaning(one, other):
        close = words_alone and one.numbers == other.numbers and overlap(one, other) >= UNSURE
        return "unsure" if close else "no"
    return (
        "unsure" if words_alone and one.numbers == other.numbers and overlap(one, other) < OVERLAP else "yes"
    )


@lru_cache(maxsize=5_000)
def meaning(text: str, question: str, choices: tuple[str, ...] = ()) -> Meaning:
    """Return what an answer claims, as it is compared with others.

    >>> sorted(meaning("I think it is West Bengal, India.", "Where is Kolkata?").names)
    [('india',), ('west', 'bengal')]
    """
    text = without_forms(text)
    if (yes := polarity(text, question)) is not None and not choices:
        return Meaning("polar", frozenset({str(yes)}))
    letter, rest = lettered(corrected(text), len(choices))
    claim = claimed(rest, question)
    given = {letter} - {None}
    if claim is None:
        return _of_choices(given) if given else Meaning("none")
    said = affirmed_clauses(rest, question)
    best = ", ".join(best_clauses(said, question, choices))
    affirmed = best or said
    if abstains(rest) and not _said(affirmed, question):
        return Meaning("none")
    several = _joins(affirmed, question)
    kind = _kind(claim, affirmed, best, question, several=several)
    picked = _picked(affirmed, question, choices, kind, several)
    if given or len(picked) == 1:
        return _of_choices(given | picked)
    return _meaning(kind, claim.denied if kind == "denied" else affirmed, question)


def _kind(claim: Claim, affirmed: str, best: str, question: str, *, several: bool) -> str:
    """Return of what kind a claim is that is no choice, by its best clauses and all that it affirms."""
    if _is_elsewhere(claim, best, question):
        return "elsewhere"
    if not words(affirmed) or (claim.denied and not _said(affirmed, question)):
        return "denied"
    return "several" if several else "answer"


def _of_choices(places: set[int]) -> Meaning:
    return Meaning("several" if len(places) > 1 else "choice", frozenset(map(str, places)))


def _picked(affirmed: str, question: str, choices: Sequence[str], kind: str, several: bool) -> set[int]:
    """Return the choices that an answer names, gives by letter, or adds to the question word by word."""
    added, *adding = ([plain(word) for word in added_words(text, question)] for text in (affirmed, *choices))
    verbatim = {place for place, choice in enumerate(adding) if added and added == choice}
    if verbatim or kind == "elsewhere" or several:
        return verbatim
    found = {place for place, choice in enumerate(choices) if named(affirmed, [choice, *adjectives(choice)])}
    return found or {lettered(affirmed, len(choices))[0]} - {None}


def _is_elsewhere(claim: Claim, best: str, question: str) -> bool:
    """Return whether an answer speaks of something else than was asked."""
    main = claim.affirmed
    if not words(main) or (best and mentions_asked(best, question)):
        return False
    capitals = [word for word in tokens(main) if word[0].isupper()]
    other = all(of_another(said, question, capitals) for said in (main, best or main))
    refers = words(main)[0] in VERBS | {"that", "there", "i"}
    return other or not (refers or (claim.on_topic and relates(main, question)))


def _joins(affirmed: str, question: str) -> bool:
    """Return whether a text joins different answers by "or", or names by "and"."""
    parts = {frozenset(words(" ".join(claim_words(part, question)))) for part in joined_parts(affirmed)}
    return len(parts - {frozenset()}) > 1 or bool(_JOINED.search(affirmed))


def _meaning(kind: str, text: str, question: str) -> Meaning:
    """Return the words, names and numbers of a text."""
    kept = _said(text, question)
    written = [
        (f"{'-' * below_zero(text, start)}{word}" if word[0].isdigit() else word, start, end)
        for word, start, end in spans(text)
        if word in kept
    ]
    named_all = _names(written, text)
    # Of names those count that hold no others: "New York, United States".
    names = {name for name in named_all if not set(name) <= CONTAINING} or _containers(text, question)
    spoken = {_key(word) for word, _, _ in written}
    held = {word for name in named_all - names for word in name}
    numbers = frozenset(word for word in spoken if word.lstrip("-")[:1].isdigit())
    return Meaning(kind, frozenset((spoken - held).union(*names)), frozenset(names), numbers, text)


def _key(word: str) -> str:
    """Return a word as a key: symbols as they are written, numbers with their sign, others plain."""
    return word.replace(",", "") if word[0] == "-" or len(word) <= 2 else plain(word)


def _said(text: str, question: str) -> set[str]:
    """Return the words of a text beyond the question's; symbols that are written like function words ("As"), too."""
    said, written = set(claim_words(text, question)), tokens(text)
    said = {word for word in said if len(spell_out(word.lower())) == 1 and plain(word) not in _SAYS_NOTHING}
    if "symbol" not in words(question):
        return said
    symbols = written[1:] if len(written) > 1 else written
    return said.union(
        word for word in symbols if word in WORD_SYMBOLS and (word != "I" or written[-1] == "I")
    )


def _names(written: Sequence[tuple[str, int, int]], text: str) -> set[_Name]:
    """Return the names among some words of a text, each as its words; a letter or two are a symbol, as written."""
    spoken = (
        [word for word in tokens(text[first:last]) if not word[0].isdigit()]
        for first, last in name_spans(written, text)
    )
    return {tuple(word if len(word) <= 2 else plain(word) for word in name) for name in spoken if name}


def _containers(text: str, question: str) -> set[_Name]:
    """Return what a text names that holds many places, in one writing ("the west of Africa"), as one name; of a part of
    the United States the part."""
    said = CONTAINERS.intersection(words(text)) - set(words(question))
    found = {
        next((bare for bare in said | CONTAINERS if word.removeprefix(bare) in _ENDINGS), word)
        for word in said
    }
    if "states" in found or found == {"america"}:
        found = found - {"united", "states", "america"} | {"us"}
    found = found - {"us"} or found
    return {tuple(sorted("US" if word == "us" else word for word in found))} if found else set()


def same_meaning(a: Meaning, b: Meaning) -> bool:
    """Return whether two claims are one."""
    if a.kind != b.kind or (a.numbers and b.numbers and a.numbers != b.numbers):
        return False
    if a.kind in {"choice", "polar", "none"} or a.words == b.words:
        return a.words == b.words
    if a.kind == "several":
        return _held(a.names, b.names) and _held(b.names, a.names) and bool(a.names)
    if a.kind in {"elsewhere", "denied"}:
        return overlap(a, b) >= OVERLAP and a.names == b.names
    few, many = sorted((a, b), key=lambda claim: len(claim.names))
    if few.numbers and many.numbers and few.names == many.names:
        return True
    if few.names and many.names:
        return _held(few.names, many.names)
    within = few.words <= many.words or many.words <= few.words
    return not few.words.isdisjoint(many.words) and (within or overlap(few, many) >= OVERLAP)


def overlap(a: Meaning, b: Meaning) -> float:
    """Return the F1 of the words that two claims share; 0 where neither has any."""
    return 2 * len(a.words & b.words) / max(len(a.words) + len(b.words), 1)


def _held(few: frozenset[_Name], many: frozenset[_Name]) -> bool:
    """Return whether all of a few names are among many, in full, or without what only says their kind."""
    return all(
        any(_one(name, other) or _ends(name, other) or _ends(other, name) for other in many) for name in few
    )


def _ends(name: _Name, other: _Name) -> bool:
    """Return whether a name is the end of another: the last name of a person, or what stands behind its kind."""
    rest = other[: -len(name)]
    if not rest or not _one(name, other[-len(name) :]):
        return False
    if rest[-1] == "of":
        return KINDS.issuperset(rest[:-1])
    common = [word for word in (*rest, *name) if case_of(word) == "small"]
    return not (common or {"of", *NEW_NAME} & set(rest))


def _one(name: _Name, other: _Name) -> bool:
    """Return whether two names are one but for doubled letters ("Sana", "Sana'a") or a slip of a long word, of one
    country, or one is the other's adjective."""
    if " ".join(other).lower() in map(str.lower, also_called(" ".join(name))):
        return True
    return len(name) == len(other) and all(
        a == b
        or differ_in_doubling(a, b)
        or (min(len(a), len(b)) >= 8 and a.isalpha() and any(misspelt(a, [b])))
        or a.capitalize().removesuffix("s") in adjectives(b.capitalize())
        or b.capitalize().removesuffix("s") in adjectives(a.capitalize())
        for a, b in zip(name, other, strict=True)
    )
