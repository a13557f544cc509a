"""Whether a text that names a right answer names another beside it."""

import re
from collections.abc import Sequence

from ralc.english.alignment import added_words, main_clauses
from ralc.english.candidates import mentions, named
from ralc.english.claims import joined_parts, listed, without_asides
from ralc.english.normalisation import words

# What is told of a thing besides.
_ALSO = re.compile(
    r"(?:,|\band)\s+(?:it|this|which) (?:is (?:in|located|also|a|an|the)|has|lies)\b[^,;.]*", re.IGNORECASE
)
_NAME = r"(?:the )?(?!I\b)[A-Z][\w'’.-]*+(?: [A-Z][\w'’.-]*+)*+"
_AND_BEFORE = re.compile(r",? (?:and|&) (?:the )?$")
_NAMES_BEFORE = re.compile(rf"({_NAME})(?:, {_NAME})*+$")
_NAMES_AFTER = re.compile(rf"(?:, {_NAME})*+,? (?:and|&) ({_NAME})")
#: So many characters of a list of names are read before one of them.
_LONGEST_LIST = 200


def named_apart(text: str, right: Sequence[str], wrong: Sequence[str]) -> tuple[set[int], set[int]]:
    """Which right and which wrong answers a text names; one within another that stands there is not named."""
    both = named(text, [*right, *wrong])
    return {place for place in both if place < len(right)}, {place for place in both if place >= len(right)}


def names_all(text: str, right: Sequence[str]) -> bool | None:
    """Return whether a text names all things of a right answer that lists some, in any order; None where none does.

    >>> [names_all(text, ["hydrogen and oxygen"]) for text in ("Oxygen and hydrogen.", "Hydrogen.", "Iron.")]
    [True, False, None]
    """
    found = [[bool(named(text, [part])) for part in parts] for parts in map(listed, right) if parts]
    if len(found) < len(right) or not any(map(any, found)):
        return None
    return any(map(all, found)) and len(listed(text.strip(" ."))) <= max(map(len, found))


def several(affirmed: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> bool:
    """Whether a text that names a right answer names another beside it."""
    bare = without_asides(affirmed)
    if not named_apart(bare, right, wrong)[0]:
        bare = affirmed  # its brackets are no aside: "(3^(1/2))mc"
    text = main_clauses(_ALSO.sub("", bare), question, lambda clause: named(clause, right))
    if named_apart(text, right, wrong)[1]:
        return True
    parts = list(joined_parts(text))
    if any(named(part, right) for part in parts) and any(
        not named(part, right) and added_words(part, question) for part in parts
    ):
        return True
    return any(
        _coordinated(text, mention.start, mention.end, question, right) for mention in mentions(text, right)
    )


def _coordinated(text: str, start: int, end: int, question: str, right: Sequence[str]) -> bool:
    """Whether the name from `start` to `end` is one of several names joined by "and"."""
    joined = _AND_BEFORE.search(text, max(start - len(", and the "), 0), start)
    before = joined and _NAMES_BEFORE.search(text, max(start - _LONGEST_LIST, 0), joined.start())
    after = _NAMES_AFTER.match(text, end)
    asked = set(words(question))
    return any(
        found and not set(words(found[1])) <= asked and not named(found[1], right)
        for found in (before, after)
    )
