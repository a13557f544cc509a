"""Who did what to whom: whether two statements of the same words exchange what stands on either side of a verb."""

import re
from collections.abc import Sequence

from ralc.english.alignment import alike
from ralc.english.normalisation import NAMING_WORDS, plain, set_of, tokens, words

#: What holds in both directions: "Spain borders Portugal".
_BE = set_of("is are was were")
_MUTUAL = set_of(
    "border borders equal equals marry married meet met match matches resemble resembles touch touches drew tied"
)
_AUXILIARIES = "is|are|was|were|did|do|does|will|would|can|could|has|had|have"
#: A question for who does something, or is more than another, and one for whom somebody does it to; with the verb.
_SUBJECT = re.compile(
    rf"^\W*(?:who|(?:which|what)(?: (?!(?:{_AUXILIARIES})\b)\w+)?)\s+(?:(?:is|are|was|were)\s+(?=\w+er\b)|"
    rf"(?!(?:{_AUXILIARIES})\b))([a-z]+)\b(?!\s+(?:{_AUXILIARIES})\b)",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"^\W*(?:whom?|which(?: \w+)?|what)\s+(?:did|does|do)\s+[^?]*?([a-z]+)\W*$", re.IGNORECASE
)
_WINS = set_of("win wins won beat beats defeat defeats defeated")
#: Words that say something, of the longest statement that is compared.
_LONGEST = 9


def exchanged(one: str, other: str) -> bool:
    """Return whether two statements put the same two things on opposite sides of the same verb or comparison.

    >>> exchanged("Germany beat Argentina.", "Argentina beat Germany.")
    True
    >>> exchanged("Germany beat Argentina.", "Argentina was beaten by Germany.")
    False
    """
    said, compared = _content(one), _content(other)
    if max(len(said), len(compared)) > _LONGEST or any(map(_equates, (one, other))):
        return False
    for place, (pivot, named) in enumerate(said):
        at = next((at for at, (word, _) in enumerate(compared) if alike(word, pivot)), None)
        if (
            at is None
            or named
            or pivot in _MUTUAL
            or _is_item(pivot, one)
            or _is_item(compared[at][0], other)
        ):
            continue
        left, right = compared[:at], compared[at + 1 :]
        if _passive(one, pivot) != _passive(other, compared[at][0]):
            left, right = right, left
        if _crosses(said[:place], right, left) and _crosses(said[place + 1 :], left, right):
            return True
    return False


def _equates(text: str) -> bool:
    """Whether a text says what something is, which holds in both directions: "Lisbon is Portugal's capital"."""
    spoken = set(words(text))
    return not _BE.isdisjoint(spoken) and spoken.isdisjoint({"by", "than"})


def misplaced(name: str, text: str, question: str) -> bool:
    """Return whether a text has a name on the wrong side of the verb of a question for who did it, or to whom.

    >>> [misplaced("Germany", text, "Who beat Spain?") for text in ("Spain beat Germany.", "Germany beat Spain.")]
    [True, False]
    """
    subject = _SUBJECT.match(question)
    asked = subject or _OBJECT.match(question)
    said, own = _content(text), set(words(name))
    if not asked or not own or len(said) > _LONGEST:
        return False
    verb = plain(asked[1])
    at = next((at for at, (word, _) in enumerate(said) if alike(word, verb) or {word, verb} <= _WINS), None)
    if at is None or re.search(rf"\b(?:the|an?|its|his|her|their) {said[at][0]}\b", text, re.IGNORECASE):
        return False  # "the founder" is a noun
    before, after = ({word for word, _ in part} for part in (said[:at], said[at + 1 :]))
    right, wrong = (before, after) if bool(subject) != _passive(text, said[at][0]) else (after, before)
    return own <= wrong and bool(right) and own.isdisjoint(right)


def _content(text: str) -> list[tuple[str, bool]]:
    """The words of a text that say something, each once, and whether it is written as a name."""
    spoken = tokens(text)
    written = [(plain(word), place > 0 and word[0].isupper()) for place, word in enumerate(spoken)]
    return list(dict(one for one in written if one[0] not in NAMING_WORDS).items())


def _crosses(
    some: Sequence[tuple[str, bool]], there: Sequence[tuple[str, bool]], here: Sequence[tuple[str, bool]]
) -> bool:
    """Whether one of some words is on the other side, and not on the same one."""
    return any(_has(there, word) and not _has(here, word) for word, _ in some)


def _has(words: Sequence[tuple[str, bool]], wanted: str) -> bool:
    return any(alike(word, wanted) for word, _ in words)


def _is_item(word: str, text: str) -> bool:
    """Whether a word is one of a list: behind a comma or "and", or before one."""
    return (
        re.search(rf"(?:,|\b(?:and|or)|&)\s+{word}\b|\b{word}(?:,|\s+(?:and|or)\b)", text, re.IGNORECASE)
        is not None
    )


def _passive(text: str, verb: str) -> bool:
    """Whether "by" says who did what a verb says."""
    spoken = [plain(word) for word in tokens(text)]
    place = spoken.index(verb)
    return "by" in spoken[place + 1 : place + 3]
