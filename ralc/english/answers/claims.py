"""What an answer claims: the sentences and clauses that answer a question, and what they add to it."""

from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ralc.english.answers.names import EXACT_LENGTH, Mention, adjectives, mentions, names_country
from ralc.english.negation import abstains, affirmed_and_denied, clauses
from ralc.english.normalisation import (
    IDLE_WORDS,
    LONGEST,
    NAMING_WORDS,
    SPEAKERS,
    alike,
    in_digits,
    in_full,
    is_name,
    is_number,
    plain,
    sentences,
    spans,
    words,
)
from ralc.english.wordlists import case_of, phrases, word_list

PRONOUNS, VERBS = word_list("pronouns"), word_list("verbs")
#: What holds many places: said beside a place it claims nothing, alone it names none; and what joins it.
CONTAINERS = word_list("containers")
CONTAINING = CONTAINERS | {"of"}
#: Of the words of a sentence of the question a claim must say so many to be no more than it.
_TOLD = 0.8
_IDLE_IN_CLAUSE = NAMING_WORDS | word_list("conjunctions")


class Claim(NamedTuple):
    """What an answer affirms and denies, in the words of the sentence that answers, and whether that is on topic."""

    affirmed: str
    denied: str
    on_topic: bool


class Clause(NamedTuple):
    """A clause that gives answers: `names` are their places among the known ones.

    Its score is all words of the question if it adds nothing to them but its answers. Else it is how many stand before
    its end, less what it adds, and how many stand in it. It is `related` if it speaks of what was asked, or of nothing
    else.
    """

    names: frozenset[int]
    score: tuple[int, int]
    related: bool
    text: str


def corrected(text: str) -> str:
    """Return what follows the last correction of a text."""
    last = phrases("correction").split(text[:LONGEST])[-1]
    return last if words(last) else text


def without_asides(text: str) -> str:
    """Return a text without what stands in parentheses and without relative clauses, if words are left."""
    bare = phrases("bracket_or_relative").sub("", text)
    return bare if words(bare) else text


def claimed(text: str, question: str) -> Claim | None:
    """Return what an answer claims, or None where it is empty or only admits not to know.

    It is the first sentence that does more than admit ignorance, after the last correction. Of a sentence that
    admits it and goes on, it is the rest.

    >>> claimed("I don't know. Perhaps Lyon, no, sorry, Paris.", "What is the capital of France?").affirmed
    'Paris.'
    """
    denials: list[str] = []
    for clause, affirmed, denied in _statements(text, question):
        denials.append(denied)
        if words(affirmed):
            # A phrase is about nothing but the question.
            phrase = clause[0].islower() and clause[-1] not in ".!?"
            about = phrase or mentions_asked(clause, question) or _on_topic(affirmed, question)
            return Claim(affirmed.strip(" ,;"), " ".join(denials), about)
    denied = " ".join(denials).strip()
    return Claim("", denied, _on_topic(denied, question)) if denied else None


@lru_cache(maxsize=1000)
def _statements(text: str, question: str) -> tuple[tuple[str, str, str], ...]:
    """The sentences that do more than admit ignorance or ask back, and what of each is affirmed and denied."""
    claims = []
    text = corrected(text)
    if phrases("negation").search(question[-80:]):  # who "was not at Yalta" denies nothing
        text = phrases("negation").sub("", text)
    idle = idle_in(question)
    for sentence in sentences(text):
        claim = _without_admissions(sentence, idle) if abstains(sentence) else sentence
        if words(claim) and not (claim.endswith("?") and idle.issuperset(words(claim))):
            affirmed = phrases("none_other").sub("", claim)  # "No city other than Paris" is Paris
            bare = phrases("aside").sub("", affirmed)
            claims.append((claim, *affirmed_and_denied(bare if added_words(bare, question) else affirmed)))
    return tuple(claims)


def _without_admissions(sentence: str, idle: Collection[str]) -> str:
    """The clauses of a sentence that do not admit ignorance, where they name something."""
    parts = clauses(phrases("aside").sub("", sentence))
    rest = "".join(mark + clause for clause, mark in parts if not abstains(clause))
    names = any(is_name(word) and plain(word) not in idle for word in words(rest, written=True)[1:])
    return rest if names else ""


def all_affirmed(text: str, question: str) -> str:
    """Return all that a text affirms, its numbers in digits."""
    return in_digits(" ".join(without_asides(claim) for _, claim, _ in _statements(text, question)))


@lru_cache(maxsize=1000)
def idle_in(question: str) -> frozenset[str]:
    """Return the words that claim nothing in an answer to a question."""
    return IDLE_WORDS.union(words(question), words(in_digits(question)))


def added_words(text: str, question: str) -> list[str]:
    """Return the words of a text that say more than the question, as they are written."""
    idle = idle_in(question)
    return [word for word in words(text, written=True) if plain(word) not in idle]


def claim_words(text: str, question: str) -> list[str]:
    """Return the words of a text beyond the question's; where nothing is left, the question's own are kept."""
    rest = (word for word in words(text, written=True) if plain(word) not in NAMING_WORDS)
    return added_words(text, question) or list(rest)


@lru_cache(maxsize=2_500)
def key_words(question: str) -> frozenset[str]:
    """Return the words of a question for the thing that it asks about: its names, else its last noun phrase."""
    question = phrases("unit_asked").sub("", question[:LONGEST])
    names = {plain(word) for word in words(question, written=True)[1:] if word[0].isupper() and len(word) > 2}
    match = phrases("asked_of").search(question) or phrases("thing_asked").match(question)
    lists = (names, words(match[1]) if match else (), words(question))
    return next((keys for some in lists if (keys := frozenset(some) - IDLE_WORDS)), frozenset())


def mentions_asked(sentence: str, question: str) -> bool:
    """Return whether a sentence names the question's thing, or stands in for it by a pronoun."""
    terms = words(sentence)
    keys = key_words(question)
    named = sum(any(alike(word, key) for word in terms) for key in keys)
    # One word of a name is not the name: Fort Worth is not Fort Collins.
    return not keys or bool(PRONOUNS & set(terms)) or named >= (2 if len(keys) in {2, 3} else 1)


def _on_topic(sentence: str, question: str) -> bool:
    """Whether a sentence names what was asked about, has no verb, or speaks of it on one side of its verb."""
    written = words(sentence, written=True)
    place = next((place for place, word in enumerate(written) if plain(word) in VERBS), None)
    if place is None or mentions_asked(sentence, question):
        return True
    query = frozenset(words(question))
    for side in (written[:place], written[place + 1 :]):
        new = [word for word in side if plain(word) not in query and plain(word) not in IDLE_WORDS]
        related = not new or not (query - IDLE_WORDS).isdisjoint(map(plain, side))
        if related and not any(word[0].isupper() for word in new):
            return True
    return False


def of_another(sentence: str, question: str, names: Sequence[str]) -> bool:
    """Return whether a sentence says some names of something that the question does not name.

    Parameters
    ----------
    sentence
        A sentence that mentions the names.
    question
        What was asked.
    names
        The names: their words tell of nothing else.
    """
    terms = words(phrases("beside_another").sub("", sentence))
    opinion = not SPEAKERS.isdisjoint(terms) or terms[:1] in (["that"], ["there"])
    elliptic = terms[-1:] and terms[-1] in VERBS  # "Fleming did."
    if opinion or elliptic or VERBS.isdisjoint(words(sentence)) or mentions_asked(sentence, question):
        return False
    allowed = NAMING_WORDS.union(words(question), VERBS, *map(words, names))
    query = set(words(question)) - NAMING_WORDS
    new = (word for word in set(terms) - allowed if not is_number(word))
    return any(not any(alike(word, term) for term in query) for word in new)


def relates(sentence: str, question: str) -> bool:
    """Return whether a sentence answers what was asked, however wrongly: a bare phrase, or one in its terms."""
    terms = set(words(sentence))
    trait = phrases("attribute").search(question)
    query = set(words(trait[1] if trait else question)) - NAMING_WORDS
    refers = not terms.isdisjoint(PRONOUNS) or words(sentence)[:1] == ["there"]
    return not terms & VERBS or refers or not query or bool(query & terms)


def is_answer(affirmed: str, question: str, right: Sequence[str] = ()) -> bool:
    """Return whether a claim is an answer to a question, however wrong: "in West Africa" names nothing.

    Parameters
    ----------
    affirmed
        What the answer affirms (`Claim.affirmed`).
    question
        What was asked.
    right
        The accepted answers, where they are known. If all are names, a claim with a verb must name
        one, too.
    """
    query = set(words(question))
    most = phrases("superlative").search
    if most(question) and phrases("of_a_class").search(affirmed) and not most(affirmed):
        return False  # "Pakistan is a large country": the largest one was asked for
    symbols = (word for word in words(affirmed, written=True)[1:] if len(word) <= 2 and word[0].isupper())
    if ("symbol" in query and any(symbols)) or ("country" in query and names_country(affirmed, question)):
        return True
    if not affirmed or not relates(affirmed, question):
        return False
    if phrases("number_asked").search(question) and not phrases("amount").search(in_digits(affirmed)):
        return False
    terms = words(affirmed)
    empty = IDLE_WORDS.union(word_list("says_nothing"), query)
    empty = empty if query & {"continent", "ocean", "sea", "zone"} else empty | CONTAINERS
    added = [word for word in words(affirmed, written=True) if plain(word) not in empty]
    if not added and "or" in query:
        return not IDLE_WORDS.issuperset(query.intersection(terms))
    if not added:  # "The capital of Chad is Chad"
        itself = 1 if {"it", "its"} & set(terms) else 2
        return any(terms.count(key) >= itself for key in key_words(question))
    if right:
        names = all(name[:1].isupper() and len(name) > EXACT_LENGTH for name in right)
    else:
        names = not query.isdisjoint({"capital", "country", "state"})
    return not names or VERBS.isdisjoint(terms) or any(map(is_name, added))


def aligned(text: str, question: str, names: Sequence[str]) -> list[Clause]:
    """Return the clauses of a text that mention some names, with how well each aligns with a question.

    Parameters
    ----------
    text
        What an answer affirms, its numbers in digits.
    question
        What was asked.
    names
        The known names, right or wrong.

    Returns
    -------
    list of Clause
        In the order of the text; `Clause.names` are places among `names`, from 0.
    """
    places = list(mentions(text, names))
    query = set(words(question)) - NAMING_WORDS
    named_asked = mentions_asked(text, question)
    numeric = any(map(is_number, (*query, *(text[place.start : place.end] for place in places))))
    shares: set[str] = set()
    parts = []
    for clause, ids, rest in _named_clauses(text, places):
        rest = [word for word in rest if numeric or not is_number(word)]
        shared = {key for key in query if any(alike(word, key) for word in rest)}
        added = sum(not any(alike(word, key) for key in query) for word in rest)
        shares |= shared
        if ids:
            score = (len(shares) - added, len(shared)) if added else (len(query), 0)
            parts.append(Clause(ids, score, not rest or named_asked or score[0] >= 0, clause.strip()))
    return parts


def _named_clauses(text: str, places: Sequence[Mention]) -> list[tuple[str, frozenset[int], list[str]]]:
    """The clauses of a text, the names that each mentions, and its other words; lists of names are not cut."""
    whole = [(place.start, place.end) for place in places]
    listed = phrases("between_names").fullmatch
    whole += [(a.end, b.start) for a, b in pairwise(places) if listed(text, a.end, b.start)]
    whole.sort()
    bounds = []
    start = 0
    # What "or" joins is one clause: an alternative has no role of its own.
    for cut in phrases("cut").finditer(text):
        before = bisect(whole, (cut.start(), len(text)))
        if not before or whole[before - 1][1] <= cut.start():
            bounds.append((start, cut.start()))
            start = cut.end()
    bounds.append((start, len(text)))
    ends = [end for _, end in bounds]
    ids = [set[int]() for _ in bounds]
    rest = [list[str]() for _ in bounds]
    for place in places:
        ids[bisect(ends, place.start)] |= place.names
    starts = [place.start for place in places]
    for word, first, _ in spans(text):
        before = bisect(starts, first)
        if plain(word) not in _IDLE_IN_CLAUSE and not (before and places[before - 1].end > first):
            rest[bisect(ends, first)].append(plain(word))
    return [(text[a:b], frozenset(some), more) for (a, b), some, more in zip(bounds, ids, rest, strict=True)]


def committed(parts: Sequence[Clause]) -> frozenset[int]:
    """Return the answers in the clauses that align best with a question."""
    best = max((clause.score for clause in parts if clause.related), default=None)
    named = (clause.names for clause in parts if clause.related and clause.score == best)
    chosen = frozenset[int]().union(*named)
    return chosen.union(*(clause.names for clause in parts if clause.names & chosen))


def best_clauses(text: str, question: str, choices: Sequence[str]) -> str:
    """Return the clauses of what is affirmed that align best with the question, of those that give an answer.

    Which may be answers is told by how they are written: names and numbers, and choices.

    Parameters
    ----------
    text
        What an answer affirms, its numbers in digits.
    question
        What was asked.
    choices
        Those of a multiple-choice question; none of any other.

    Returns
    -------
    str
        The clauses, joined by commas; empty where none gives an answer.
    """
    names = [name for choice in choices for name in (choice, *adjectives(choice))]
    added = [item for item in spans(text) if plain(item[0]) not in idle_in(question)]
    written = (text[start:end] for start, end in name_spans(added, text))
    names += (name for name in written if not CONTAINING.issuperset(words(name)))
    parts = aligned(text, question, list(dict.fromkeys(names)))
    places = committed(parts) or committed([clause._replace(related=True) for clause in parts])
    return ", ".join(clause.text for clause in parts if clause.names & places)


def name_spans(items: Iterable[tuple[str, int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Yield where names and numbers among some words stand: capitals side by side, one of them no common word."""
    first = 0
    last = -1
    named = False
    for word, start, end in (*items, ("A", len(text) + 2, 0)):
        degrees = text[start - 1 : start] == "°"
        opener = len(word) > 2 and word.lower() in word_list("statement_openers")
        capital = word[0].isupper() and not degrees and not opener
        if last >= 0 and not (capital and text[last:start] in {" ", "-", " of ", " of the "}):
            if named:
                yield first, last
            last = -1
            named = False
        if capital or is_number(word):
            first = start if last < 0 else first
            last = end
            # Two capitals side by side are a name even of common words: "United Kingdom".
            rare = word[0].isupper() and (len(word) <= 2 or case_of(word) != "small")
            named = named or first < start or is_number(word) or rare


def is_given(text: str, question: str) -> bool:
    """Return whether a claim only says what the question tells.

    What a user asks about, thinks, or has from others is not told.

    >>> question = "Ann has three sons. Tom says that Bo is ten. How many children has Ann?"
    >>> [is_given(text, question) for text in ("Ann has three sons.", "Bo is ten.", "Ann has three children.")]
    [True, False, False]
    """
    said = _matter(text)
    told = _told(question)
    return bool(said) and any(said <= matter and len(said) >= _TOLD * len(matter) for matter in told)


@lru_cache(maxsize=8)
def _told(question: str) -> tuple[frozenset[str], ...]:
    """What is told by each sentence of a question that is neither asked nor the speaker's."""
    if not word_list("truth").isdisjoint(words(question)):  # "Bo is ten. Is that right?"
        return ()
    parts = (part for part in sentences(question) if not part.rstrip().endswith("?"))
    # "Prove that it is old."
    told = (part for part in parts if word_list("speakers").isdisjoint(words(part)))
    return tuple(_matter(part) - {"prove", "show"} for part in told)


def _matter(text: str) -> frozenset[str]:
    return frozenset(words(in_full(text))) - NAMING_WORDS
