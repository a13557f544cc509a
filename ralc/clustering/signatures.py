"""What an answer claims, as it is compared with what others claim."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ralc.clustering.clauses import CONTAINING, affirmed_clauses, best_clauses, name_spans, names_of
from ralc.english.abstentions import denies_asked, denying_clauses
from ralc.english.alignment import (
    CONTAINERS,
    VERBS,
    added_words,
    claim_words,
    has_verb,
    main_clauses,
    mentions_asked,
    of_another,
    relates,
)
from ralc.english.candidates import below_zero, lettered, named
from ralc.english.claims import Claim, claimed, corrected, joined_parts, listed
from ralc.english.contractions import spell_out
from ralc.english.countries import without_forms
from ralc.english.denials import clauses
from ralc.english.normalisation import (
    IDLE_WORDS,
    abstains,
    denies_background,
    normalise,
    plain,
    sentences,
    set_of,
    spans,
    tokens,
    words,
)
from ralc.english.polarity import polarity
from ralc.english.spelling import WORD_SYMBOLS
from ralc.english.truecasing import case_of

_JOINED_BEFORE = re.compile(r"[A-Z]\w*-\Z")
_NAME_BEFORE = re.compile(r"([A-Z]\w+) $")
_JOINED = re.compile(r"(?<![\w'’.-])[A-Z][\w'’.-]*+,? (?:and|&) (?:the )?[A-Z]")
_ENDINGS = frozenset({"ern", "n", "an", "s", "a"})
#: Words of a speaker who hesitates or gives alternatives.
_SAYS_NOTHING = set_of("hmm well oh yes okay sorry either both some most")
_REPORT_DENIED = re.compile(
    r"\b(?:background|passage|text|context|paragraph|article)\b(?! (?:do|does|did)\b)", re.IGNORECASE
)
_REPORTS = set_of("background passage text context article paragraph")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")


@dataclass(frozen=True)
class Signature:
    """What an answer claims, as it is compared.

    Attributes
    ----------
    kind
        ``answer``, ``several``, ``elsewhere`` (about something else), ``denied``, ``choice``, ``polar`` (yes or no),
        or ``none``.
    words
        All words beyond the question's.
    names
        The names among them, each a tuple of words.
    numbers
        The numbers among them.
    said
        What is affirmed, whole.
    """

    kind: str
    words: frozenset[str] = frozenset()
    names: frozenset[tuple[str, ...]] = frozenset()
    numbers: frozenset[str] = frozenset()
    said: str = ""


def signature(text: str, question: str, choices: Sequence[str] = ()) -> Signature:
    """Return what an answer claims, as it is compared with others."""
    text = without_forms(text)
    if (yes := polarity(text, question)) is not None and not choices:
        return Signature("polar", frozenset({str(yes)}))
    letter, rest = lettered(corrected(text), len(choices))
    claim = claimed(rest, question)
    given = {letter} - {None}
    if claim is None or _leaves_open(rest, claim, question):
        return _of_choices(given) if given else Signature("none")
    said = affirmed_clauses(rest, question)
    if not choices and (things := listed(said)):
        return Signature("several", frozenset(map(normalise, things)))
    stated = best_clauses(said, question, choices)
    best = ", ".join(stated)
    affirmed = best or said
    if abstains(rest) and not _said(affirmed, question):
        return Signature("none")
    several = _joins(affirmed, question) or _states_several(stated, question)
    kind = _kind(claim, affirmed, best, question, several=several)
    picked = _picked(affirmed, question, choices, kind, several)
    if given or len(picked) == 1:
        return _of_choices(given | picked)
    return _signature(kind, claim.denied if kind == "denied" else affirmed, question)


def _kind(claim: Claim, affirmed: str, best: str, question: str, *, several: bool) -> str:
    """Of what kind a claim is that is no choice, by its best clauses and all that it affirms."""
    if _of_another(claim, best, question):
        return "elsewhere"
    if not words(affirmed) or (claim.denied and not _said(affirmed, question)):
        return "denied"
    return "several" if several else "answer"


def _of_choices(places: set[int]) -> Signature:
    """The claim that choices are the answer."""
    return Signature("several" if len(places) > 1 else "choice", frozenset(map(str, places)))


def _picked(affirmed: str, question: str, choices: Sequence[str], kind: str, several: bool) -> set[int]:
    """The choices that an answer names, gives by letter, or adds to the question word by word."""
    added = _added(affirmed, question)
    verbatim = {place for place, choice in enumerate(choices) if added and added == _added(choice, question)}
    if verbatim or kind == "elsewhere" or several:
        return verbatim
    found = {place for place, choice in enumerate(choices) if named(affirmed, names_of(choice))}
    return found or {lettered(affirmed, len(choices))[0]} - {None}


def _added(text: str, question: str) -> list[str]:
    """The words that a text adds to a question."""
    return list(map(plain, added_words(text, question)))


def _leaves_open(text: str, claim: Claim, question: str) -> bool:
    """Whether a text says that the background does not answer, and does not answer beside."""
    if not words(claim.affirmed):
        return bool(_REPORT_DENIED.search(claim.denied))
    last = [*sentences(corrected(text))][-1]
    denied = set(denying_clauses(last))
    beside = " ".join(part for part, _ in clauses(last) if part not in denied)
    reports = not _REPORTS.isdisjoint(words(beside))
    if denies_background(last):
        return reports or not added_words(beside, question)
    return bool(denied) and reports and bool(denies_asked(last, question))


def _of_another(claim: Claim, best: str, question: str) -> bool:
    """Whether an answer speaks of something else than was asked."""
    main = main_clauses(claim.affirmed, question, lambda clause: False)
    main = main if words(main) else claim.affirmed
    if not words(main) or (best and mentions_asked(best, question)):
        return False
    names = [word for word in tokens(main) if word[0].isupper()]
    other = all(of_another(said, question, names) for said in (main, best or main))
    refers = words(main)[0] in VERBS | {"that", "there", "i"}
    return other or not (refers or (claim.on_topic and relates(main, question)))


def _states_several(stated: Sequence[str], question: str) -> bool:
    """Whether clauses with verbs give different answers: "The capital is Ulm and the capital is Bonn"."""
    told = [{plain(word) for word in added_words(clause, question)} for clause in stated if has_verb(clause)]
    return any(not a & b for a, b in pairwise(told) if a and b)


def _joins(affirmed: str, question: str) -> bool:
    """Whether a text joins different answers by "or", or names by "and"."""
    parts = {frozenset(words(" ".join(claim_words(part, question)))) for part in joined_parts(affirmed)}
    return len(parts - {frozenset()}) > 1 or bool(_JOINED.search(affirmed))


def _signature(kind: str, text: str, question: str) -> Signature:
    """The words, names and numbers of a text."""
    kept = _said(text, question)
    written = [
        (f"{'-' * below_zero(text, start)}{word}" if word[0].isdigit() else word, start, end)
        for word, start, end in spans(text)
        if word in kept or _ends_name(word, start, text, question)
    ]
    named_all = _names(written, text)
    names = _without_containers(named_all) or _containers(text, question)
    spoken = {_key(word) for word, _, _ in written}
    numbers = {word for word in spoken if word.lstrip("-")[:1].isdigit()}
    held = {word for name in named_all - names for word in name}
    shown = (spoken - held).union(*names)
    return Signature(
        kind,
        frozenset(shown),
        frozenset(names),
        frozenset(numbers),
        text,
    )


def _ends_name(word: str, start: int, text: str, question: str) -> bool:
    """Whether a word makes another name of the one before that was not asked for: "Guinea-Bissau", "New York City"."""
    joined = _JOINED_BEFORE.search(text, max(start - 40, 0), start)
    if joined and word[0].isupper():
        return f"{joined[0]}{word}" not in question
    before = _NAME_BEFORE.search(text, max(start - 40, 0), start)
    kinds = {"state", "province", *words(question)}
    return (
        bool(before)
        and word[0].isupper()
        and plain(word) in IDLE_WORDS - kinds
        and plain(before[1]) not in kinds
    )


def _key(word: str) -> str:
    """A word as a key: symbols as they are written, numbers with their sign, others plain, nouns in the singular."""
    if word[0] == "-" or len(word) <= 2:
        return word.replace(",", "")
    key = _ORDINAL.sub("", plain(word))
    small = word.islower() or case_of(word) == "small"
    if small and len(key) > 3 and key.endswith("s") and key[-2] not in "sui":
        key = key[:-1]
    return key


def _said(text: str, question: str) -> set[str]:
    """The words of a text beyond the question's; symbols that are written like function words ("As") are none."""
    said, written = set(claim_words(text, question)), tokens(text)
    said = {word for word in said if len(spell_out(word.lower())) == 1 and plain(word) not in _SAYS_NOTHING}
    if "symbol" not in words(question):
        return said
    named = written[1:] if len(written) > 1 else written
    last = written[-1:]
    return said.union(word for word in named if word in WORD_SYMBOLS and (word != "I" or last == ["I"]))


def _names(written: Sequence[tuple[str, int, int]], text: str) -> set[tuple[str, ...]]:
    """The names among some words of a text, each as its words; a letter or two are a symbol, as it is written."""
    spoken = (
        [word for word in tokens(text[first:last]) if not word[0].isdigit()]
        for first, last in name_spans(written, text)
    )
    return {tuple(word if len(word) <= 2 else plain(word) for word in name) for name in spoken if name}


def _without_containers(names: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The names without those that hold others ("New York, United States")."""
    return {name for name in names if not set(name) <= CONTAINING}


def _containers(text: str, question: str) -> set[tuple[str, ...]]:
    """What a text names that holds many places, in one writing ("the west of Africa"), as one name; of a part of the
    United States the part."""
    said = CONTAINERS.intersection(words(text)) - set(words(question))
    found = {
        next((bare for bare in said | CONTAINERS if word.removeprefix(bare) in _ENDINGS), word)
        for word in said
    }
    if "states" in found or found == {"america"}:
        found = found - {"united", "states", "america"} | {"us"}
    found = found - {"us"} or found
    return {tuple(sorted("US" if word == "us" else word for word in found))} if found else set()
