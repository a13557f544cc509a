"""Which part of an answer answers: after corrections and admissions, affirmed, and about what was asked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ralc.english.alignment import (
    CONTAINERS,
    added_words,
    has_verb,
    idle_in,
    is_name,
    main_clauses,
    mentions_asked,
    on_topic,
)
from ralc.english.denials import NONE_OTHER, affirmed_and_denied, clauses
from ralc.english.normalisation import IDLE_WORDS, LONGEST, abstains, plain, sentences, tokens, words

# "Lyon. No, wait, Paris": what comes before is withdrawn.
_CORRECTION = re.compile(
    r"\b(?:no,? (?:wait|sorry)\b|actually,? no\b|(?<=[.!?] )(?:actually|sorry|correction)[,:]|i meant?\b"
    r"|i (?:do not|don['’]t) think so\b|(?:on second thoughts?|(?:scratch|strike|make) that|my mistake|or rather)\b"
    r"|but (?:[^,;.]{0,40}?\b)?(?:in fact|really|the (?:right |correct )?answer is)\b)[,:.]?|\?\s+no\b[,:.]?",
    re.IGNORECASE,
)
# What stands beside an answer and is none: relative clauses, comparisons, former names.
_ASIDE = re.compile(
    r",?\s(?:which(?! (?:is|lies)(?: \w+)?(?: \w+)? in\b)|who|whom|where|while|whereas|because|since(?! \d)"
    r"|although|though|like|unlike|(?<!other )than|near|bordering|based on)\b[^,;.!?]*",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r",?\s(?:which|who|where)\b[^,;.!?]*", re.IGNORECASE)
_PARENTHESES = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_ASKS = re.compile(r"(?:is|are|was|were|do|does|did|could|can|would|isn['’]t) ", re.IGNORECASE)
# What makes a guess of what follows an admission.
_GUESS = re.compile(
    r"\b(?:perhaps|maybe|probably|possibly|likely|guess|think|suppose|believe|bet|say|is|are|was)\b"
    r"|\b(?:might|could|may) be\b"
    r"|^\W*(?:\w+\W+){0,3}\w*\W*$",
    re.IGNORECASE,
)
_LIST_MARK, _JOINING = re.compile(r", ?(?:(?:and|&) )?| (?:and|&) "), re.compile(r"\w,? (?:and|&) ")
#: Words of the longest thing in a list.
_LONGEST_ITEM = 3
#: A negation with what it denies: "NOT a bird" denies no bat.
_NEGATED = re.compile(
    r"(?:\bnot|\bnever|n['’]t)\s+((?:(?:an?|the|at|by|for|from|in|of|on|to|with)\s+)*\w+)", re.IGNORECASE
)


@dataclass(frozen=True)
class Claim:
    """What an answer claims.

    Attributes
    ----------
    affirmed, denied
        In the words of the sentence that answers; asides left out.
    on_topic
        Whether that sentence is about what was asked.
    """

    affirmed: str
    denied: str
    on_topic: bool


def claimed(text: str, question: str) -> Claim | None:
    """Return what an answer claims, or None where it is empty or only admits not to know.

    It is the first sentence that does more than admit ignorance, after the last correction; of a sentence that
    admits it and goes on, what goes on.

    >>> claimed("I don't know. Perhaps Lyon, no, sorry, Paris.", "What is the capital of France?").affirmed
    'Paris.'
    """
    denials: list[str] = []
    for spoken, affirmed, denied in statements(text, question):
        denials.append(denied)
        if words(affirmed):
            # A phrase is about nothing but the question.
            phrase = spoken[0].islower() and spoken[-1] not in ".!?"
            main = main_clauses(affirmed, question, lambda clause: False)
            about = phrase or mentions_asked(spoken, question)
            own = set(words(main)) - CONTAINERS - IDLE_WORDS
            about = about or on_topic(main if own else affirmed, question)
            return Claim(affirmed.strip(" ,;"), " ".join(denials), about)
    denied = " ".join(denials).strip()
    return Claim("", denied, on_topic(denied, question)) if denied else None


@lru_cache(maxsize=1000)
def statements(text: str, question: str) -> tuple[tuple[str, str, str], ...]:
    """Return the sentences that do more than admit ignorance, after the last correction: beside what they admit, and
    what of it they affirm and deny.

    >>> [said for _, said, _ in statements("Paris, not Lyon. I am sure.", "What is the capital of France?")]
    ['Paris, .', 'I am sure.']
    """
    found = []
    for sentence in sentences(_without_asked_negations(corrected(text), question)):
        spoken = without_admissions(sentence, question) if abstains(sentence) else sentence
        if not words(spoken):
            continue
        if spoken.endswith("?") and (_ASKS.match(spoken) or set(words(spoken)) <= idle_in(question)):
            continue  # It asks back, or says the question again.
        affirmed, denied = affirmed_and_denied(_without_beside(NONE_OTHER.sub("", spoken), question))
        found.append((spoken, affirmed, denied))
    return tuple(found)


def _without_asked_negations(text: str, question: str) -> str:
    """A text without the negations that are the question's own: who "was not at Yalta" denies nothing."""
    for denied in dict.fromkeys(_NEGATED.findall(question[:LONGEST])):
        what = r"\s+".join(map(re.escape, denied.split()))
        text = re.sub(rf"(?:\s(?:not|never)|n['’]t)(?=\W+{what}\b)", "", text, flags=re.IGNORECASE)
    return text


def _without_beside(text: str, question: str) -> str:
    """A text without relative clauses, comparisons and the like, unless nothing else in it answers."""
    bare = _ASIDE.sub("", text)
    return bare if added_words(bare, question) else text


def corrected(text: str) -> str:
    """Return what follows the last correction of a text.

    >>> corrected("Lyon. No, wait, Paris.").strip()
    'Paris.'
    """
    last = _CORRECTION.split(text[:LONGEST])[-1]
    return last if words(last) else text


def without_admissions(sentence: str, question: str) -> str:
    """Return the clauses of a sentence that do not admit ignorance; nothing where they claim nothing."""
    rest = "".join(
        mark + clause for clause, mark in clauses(_ASIDE.sub("", sentence)) if not abstains(clause)
    )
    idle = idle_in(question)
    own = set(words(rest)) - IDLE_WORDS
    new = (word for word in tokens(rest)[1:] if plain(word) not in idle)
    guesses = _GUESS.search(rest) or any(map(is_name, new))
    return rest if own and guesses else ""


def without_asides(text: str) -> str:
    """Return a text without what stands in parentheses and without relative clauses, if words are left.

    >>> without_asides("It is Jakarta (once Batavia), which is in Java.")
    'It is Jakarta .'
    """
    bare = _RELATIVE.sub("", _PARENTHESES.sub("", text))
    return bare if words(bare) else text


def joined_parts(text: str) -> Iterator[str]:
    """Yield the parts of a text that stand as alternatives: apart by "or" or a slash.

    >>> list(joined_parts("Paris or Lyon/Nice"))
    ['Paris ', ' Lyon', 'Nice']
    """
    yield from re.split(r"\b[Oo]r\b(?! (?:so|more|less|take|thereabouts)\b)|/(?!\d)", text)


def listed(text: str) -> list[str]:
    """Return the things of a text that is nothing but a list of short names; else none.

    >>> listed("red, white and blue"), listed("It is red and blue.")
    (['red', 'white', 'blue'], [])
    """
    text = " ".join(text[:LONGEST].split()).strip(" .,;!")
    found = [part.removeprefix("only ") for part in _LIST_MARK.split(text) if part]
    listing = len(set(map(str.lower, found))) > 1 and _JOINING.search(text) and not has_verb(text)
    return found if listing and all(0 < len(words(part)) <= _LONGEST_ITEM for part in found) else []
