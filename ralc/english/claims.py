"""Which part of an answer answers: after corrections and admissions, affirmed, and about what was asked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ralc.english.abstention import abstains
from ralc.english.negation import NONE_OTHER, affirmed_and_denied, clauses
from ralc.english.normalisation import IDLE_WORDS, LONGEST, plain, sentences, tokens, words
from ralc.english.relevance import (
    added_words,
    idle_in,
    is_name,
    mentions_asked,
    on_topic,
)

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
_NEGATION = re.compile(r"(?:\s(?:not|never)|n['’]t)\b", re.IGNORECASE)
#: A line that says the answer, behind reasoning.
_ANSWER_LINE = re.compile(
    r"(?:^|\n|[.!?]\s)[ \t*#>_]*(?:so,? |thus,? |therefore,? |hence,? )?(?:the |my )?(?:(?:correct|final|best) )?"
    r"(?:answer|option|choice)\W{0,3}(?: is|:)[\s*_:]*(?=\S)([^\n]*)",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\\boxed\{\s*(?:\\(?:text|mathrm|textbf)\{)?([^{}]*)\}")


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
            about = phrase or mentions_asked(spoken, question)
            about = about or on_topic(affirmed, question)
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
    asks_denied = _NEGATION.search(question[-80:])  # who "was not at Yalta" denies nothing
    for sentence in sentences(_NEGATION.sub("", corrected(text)) if asks_denied else corrected(text)):
        spoken = without_admissions(sentence, question) if abstains(sentence) else sentence
        if not words(spoken):
            continue
        if spoken.endswith("?") and (_ASKS.match(spoken) or set(words(spoken)) <= idle_in(question)):
            continue  # It asks back, or says the question again.
        affirmed, denied = affirmed_and_denied(_without_beside(NONE_OTHER.sub("", spoken), question))
        found.append((spoken, affirmed, denied))
    return tuple(found)


def _without_beside(text: str, question: str) -> str:
    """A text without relative clauses, comparisons and the like, unless nothing else in it answers."""
    bare = _ASIDE.sub("", text)
    return bare if added_words(bare, question) else text


def answer_line(text: str) -> str:
    """Return what a text says to be its answer in a line behind others; the whole text where it has no such line.

    >>> answer_line("Both have merits.\\nANSWER: (B)"), answer_line("So $\\\\boxed{42}$."), answer_line("It is 42.")
    ('(B)', '42', 'It is 42.')
    """
    tail = text[-LONGEST:]
    said = [found[1] for found in _BOXED.finditer(tail)] or [
        found[1] for found in _ANSWER_LINE.finditer(tail) if "\n" in text.strip() or len(text) > LONGEST
    ]
    return said[-1] if said and words(said[-1]) else text


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
    """Yield the parts of a text that stand as alternatives, apart by "or".

    >>> list(joined_parts("Paris or Lyon"))
    ['Paris ', ' Lyon']
    """
    yield from re.split(r"\b[Oo]r\b(?! (?:so|more|less|take|thereabouts)\b)", text)
