"""Clusters without a model: what the answers claim, by its names, its numbers and the overlap of its words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ralc.english.alignment import (
    CONTAINERS,
    VERBS,
    added_words,
    claim_words,
    main_clauses,
    of_another,
    relates,
)
from ralc.english.candidates import NEW_NAME, below_zero, chosen, lettered, named
from ralc.english.claims import Claim, claimed, joined_parts, without_asides
from ralc.english.demonyms import adjectives
from ralc.english.normalisation import IDLE_WORDS, plain, spans, tokens, words
from ralc.english.numerals import in_digits
from ralc.english.spelling import WORD_SYMBOLS, differ_in_doubling
from ralc.english.units import Unit, agree, quantities, spelt_out

#: Least F1 overlap of two claims' words that makes them one, where neither holds the other.
OVERLAP = 0.7
_NOUN = re.compile(r" [a-z]")
_JOINED = re.compile(r"(?<![\w'’.-])[A-Z][\w'’.-]*+,? (?:and|&) (?:the )?[A-Z]")


@dataclass(frozen=True)
class Signature:
    """What an answer claims, as it is compared.

    Attributes
    ----------
    kind
        ``answer``, ``several``, ``elsewhere`` (about something else), ``denied``, ``choice``, or ``none``.
    words
        All words beyond the question's.
    names
        The names among them, each a tuple of words.
    numbers
        The numbers among them.
    measured
        What has a unit among the numbers, see :func:`ralc.english.units.quantities`.
    """

    kind: str
    words: frozenset[str]
    names: frozenset[tuple[str, ...]] = frozenset()
    numbers: frozenset[str] = frozenset()
    measured: frozenset[tuple[Unit, float]] = frozenset()


def lexical_clusters(texts: Sequence[str], question: str, choices: Sequence[str] = ()) -> list[int]:
    """Return the cluster of each answer: one for all answers that claim the same.

    Clusters are numbered by first appearance; a claim joins the first cluster whose barest claim it
    resembles.
    Names and numbers must be the same ones ("8.849 km" and "8,849 metres" are, "5 g/ml" and "5 g/l" are not), or
    those of one claim all be said by the other, too, in their full length ("West Bengal, India" and "India", not
    "Papua New Guinea" and "Guinea"); other words must overlap by at least `OVERLAP` (F1), or one claim hold the
    other. Several answers in one, denials and sentences about
    something else are compared among themselves. Denials of different answers are different claims, because the
    meaning is what is uncertain, and "It is not Paris" leaves open that it is Rome. Abstentions are one cluster,
    whatever they say that the background leaves open: as an answer each says that there is none. With `choices`,
    an answer that names one choice (by letter or text) claims that choice.

    >>> lexical_clusters(["It is Paris.", "Paris, of course.", "Lyon."], "What is the capital of France?")
    [0, 0, 1]
    """
    clusters: dict[str, int] = {}
    claims: list[Signature] = []
    for text in dict.fromkeys(texts):
        made = signature(text, question, choices)
        nearest = next((place for place, claim in enumerate(claims) if same(made, claim)), None)
        if nearest is None:
            clusters[text] = len(claims)
            claims.append(made)
            continue
        clusters[text] = nearest
        # The barest claim speaks for a cluster: "Lviv, Ukraine" and "Kyiv, Ukraine" meet in "Ukraine".
        if 0 < len(made.names) < len(claims[nearest].names):
            claims[nearest] = made
    return [clusters[text] for text in texts]


def signature(text: str, question: str, choices: Sequence[str] = ()) -> Signature:
    """Return what an answer claims, as it is compared with others."""
    claim = claimed(text, question)
    choice = chosen(text, choices, question) if len(choices) else None
    if claim is None:
        return Signature("none", frozenset()) if choice is None else _choice(choice)
    affirmed = spelt_out(in_digits(without_asides(claim.affirmed)))
    main = main_clauses(affirmed, question, lambda clause: False)
    affirmed = main if words(main) else affirmed
    kind = _kind(claim, affirmed, question)
    if choice is None:
        choice = _meant(affirmed, question, choices)
    if choice is not None and (
        kind in {"answer", "denied"} or (kind == "several" and not _joins(affirmed, question))
    ):
        return _choice(choice)
    return _signature(kind, claim.denied if kind == "denied" else affirmed, question)


def _meant(affirmed: str, question: str, choices: Sequence[str]) -> int | None:
    """The one choice that an answer names, gives by its letter, or adds to the question word by word."""
    found = named(affirmed, choices) or {lettered(affirmed, len(choices))[0]}
    added = [plain(word) for word in added_words(affirmed, question)]
    found |= {place for place, choice in enumerate(choices) if added == words(choice)}
    (choice, *more) = found - {None} or {None}
    return None if more else choice


def _choice(place: int) -> Signature:
    """The claim that a choice is the answer."""
    return Signature("choice", frozenset({str(place)}))


def _kind(claim: Claim, affirmed: str, question: str) -> str:
    """What kind of claim it is."""
    if not words(affirmed) or (claim.denied and not _said(affirmed, question)):
        return "denied"
    names = [word for word in tokens(affirmed) if word[0].isupper()]
    if not claim.on_topic or not relates(affirmed, question) or of_another(affirmed, question, names):
        return "elsewhere"
    several = _joins(affirmed, question) or _names_on_both_sides(affirmed, question)
    return "several" if several else "answer"


def _joins(affirmed: str, question: str) -> bool:
    """Whether a text joins different answers by "or", or names by "and"."""
    parts = {frozenset(words(" ".join(claim_words(part, question)))) for part in joined_parts(affirmed)}
    return len(parts - {frozenset()}) > 1 or bool(_JOINED.search(affirmed))


def _names_on_both_sides(affirmed: str, question: str) -> bool:
    """Whether a sentence has names beyond the question's before and after its verb: "In Ohio it is Texas"."""
    spoken = spans(affirmed)
    verb = next((start for word, start, _ in spoken if plain(word) in VERBS), len(affirmed))
    idle = IDLE_WORDS.union(words(question))
    new = [(word, start, end) for word, start, end in spoken if plain(word) not in idle]
    sides = (
        _without_containers(_names([item for item in new if (item[1] < verb) == before], affirmed))
        for before in (True, False)
    )
    before, after = (
        {word for name in side for word in name if not set(name) <= CONTAINERS} for side in sides
    )
    return bool(before - after and after - before)


def _signature(kind: str, text: str, question: str) -> Signature:
    """The words, names and numbers of a text."""
    kept = _said(text, question)
    countries = {adjective for name in tokens(question) for adjective in adjectives(name)}
    written = [
        (_written(word, start, end, text, countries), start, end)
        for word, start, end in spans(text)
        if word in kept
    ]
    names = _without_containers(_names(written, text))
    spoken = {_key(word) for word, _, _ in written}
    numbers = {word for word in spoken if word.lstrip("-")[:1].isdigit()}
    held = {word for name in _names(written, text) - names for word in name}
    return Signature(kind, frozenset(spoken - held), frozenset(names), frozenset(numbers), quantities(text))


def _written(word: str, start: int, end: int, text: str, countries: set[str]) -> str:
    """A word as it is compared: a number with its sign; "the Omani rial" of Oman names no more than "the rial"."""
    if word[0].isdigit() and below_zero(text, start):
        return f"-{word}"
    return word.lower() if word in countries and _NOUN.match(text, end) else word


def _key(word: str) -> str:
    """A word as a key: symbols as they are written, numbers with their sign, others plain, nouns in the singular."""
    if word[0] == "-" or len(word) <= 2:
        return word.replace(",", "")
    key = plain(word)
    return key[:-1] if word.islower() and len(key) > 3 and key.endswith("s") and key[-2] not in "sui" else key


def _said(text: str, question: str) -> set[str]:
    """The words of a text beyond the question's; symbols that are written like function words ("As") are none."""
    said, written = set(claim_words(text, question)), tokens(text)
    if "symbol" not in words(question):
        return said
    named = written[1:] if len(written) > 1 else written
    last = written[-1:]
    return said.union(word for word in named if word in WORD_SYMBOLS and (word != "I" or last == ["I"]))


def _names(written: Iterable[tuple[str, int, int]], text: str) -> set[tuple[str, ...]]:
    """The runs of words that begin with a capital and stand side by side."""
    names: list[list[str]] = []
    last = -2
    for word, start, end in written:
        if word[0].isupper():
            # A letter or two is a symbol, in which case matters.
            shown = word if len(word) <= 2 else plain(word)
            if names and text[last:start] in {" ", "-"}:
                names[-1].append(shown)
            else:
                names.append([shown])
            last = end
    return {tuple(name) for name in names}


def _without_containers(names: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The names without those that hold the others ("New York, United States")."""
    within = {name for name in names if not set(name) <= CONTAINERS}
    return within or names


def same(a: Signature, b: Signature) -> bool:
    """Return whether two claims are one."""
    if a.kind != b.kind:
        return False
    if a.measured and b.measured and not agree(a.measured, b.measured):
        return False
    if a.words == b.words:
        return True
    same_numbers = a.numbers == b.numbers or _converted(a, b)
    if a.kind in {"several", "choice", "none"} or (a.numbers and b.numbers and not same_numbers):
        return False
    shared = len(a.words & b.words)
    overlaps = 2 * shared >= OVERLAP * (len(a.words) + len(b.words))
    if a.kind in {"elsewhere", "denied"}:
        return overlaps and a.names == b.names
    if a.numbers and same_numbers and a.names == b.names:
        return True
    if a.names and b.names:
        return _held(a.names, b.names) or _held(b.names, a.names)
    return bool(shared) and (overlaps or a.words <= b.words or b.words <= a.words)


def _converted(a: Signature, b: Signature) -> bool:
    """Whether both have quantities, in different units."""
    units = [{unit for unit, _ in claim.measured} for claim in (a, b)]
    return all(units) and units[0] != units[1]


def _held(few: frozenset[tuple[str, ...]], many: frozenset[tuple[str, ...]]) -> bool:
    """Whether all of a few names are among many, in full, or by a last name ("Einstein")."""
    return all(
        any(
            _one(name, other) or (_one(name, other[-len(name) :]) and not NEW_NAME & set(other))
            for other in many
        )
        for name in few
    )


def _one(name: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names are one, but for doubled letters ("Sana", "Sana'a"), or one is the other's adjective."""
    if len(name) != len(other):
        return False
    return all(
        a == b or differ_in_doubling(a, b) or _adjective(a.capitalize(), b.capitalize())
        for a, b in zip(name, other, strict=True)
    )


def _adjective(a: str, b: str) -> bool:
    """Whether one of two names is the other's adjective."""
    return a in adjectives(b) or b in adjectives(a)


def largest_cluster(clusters: Iterable[int]) -> int:
    """The largest cluster of a question, of equals the one that appears first.

    >>> largest_cluster([2, 0, 0, 2])
    2
    """
    # A Counter keeps the order of first appearance, also among equals.
    return Counter(clusters).most_common(1)[0][0]
