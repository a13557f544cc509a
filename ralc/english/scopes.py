"""What a hedge that stands in a sentence of its own speaks of: all of an answer, or what follows it."""

from collections.abc import Sequence
from typing import NamedTuple

#: Numbers of sentences that are told in words.
_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_REST, _FOLLOWS = ["the", "rest"], ["what", "follows"]
#: What a hedge of an answer is put into, and not of what it says, which is of another thing than was asked.
ANSWERS = "What follows is the answer."
#: How far a hedge of the rest reaches: over whatever there is.
ALL = 1_000_000


class Scope(NamedTuple):
    """Words that say of which sentences a hedge speaks: their places, and how many of the sentences that follow."""

    start: int
    end: int
    reach: int


def claim(reach: int, *, first: bool) -> str:
    """Return what a shared hedge is put into: it says that the sentences that follow are right.

    Parameters
    ----------
    reach
        How many sentences it speaks of; `ALL` for whatever follows.
    first
        Whether nothing stands before it.

    Examples
    --------
    >>> claim(2, first=True), claim(ALL, first=False)
    ('The next two sentences are right.', 'The rest is right.')
    """
    if reach == ALL:
        return "What follows is right." if first else "The rest is right."
    number = _NUMBERS[reach - 2] if reach - 2 < len(_NUMBERS) else str(reach)
    return f"The next {number} sentences are right."


def excepting(hedge: str) -> str:
    """Return a shared hedge that leaves out the sentences that have one of their own.

    >>> excepting("I think that the rest is right."), excepting("What follows is probably right.")[:36]
    ('Except where I say otherwise, I think that the rest is right.', 'Except where I say otherwise, what f')
    """
    small = hedge if hedge.startswith("I ") else hedge[:1].lower() + hedge[1:]
    return f"Except where I say otherwise, {small}"


def scope_of(words: Sequence[str]) -> Scope | None:
    """Return where the words of a sentence, small, say that it speaks of what follows; None where they do not.

    >>> scope_of("i doubt that the next three sentences are right".split())
    Scope(start=3, end=7, reach=3)
    >>> scope_of("i think that all of this is right".split()) is None
    True
    """
    for at in range(len(words) - 1):
        pair = list(words[at : at + 2])
        if pair in (_REST, _FOLLOWS):
            return Scope(at, at + 2, ALL)
        if pair == ["the", "next"] and list(words[at + 3 : at + 4]) == ["sentences"]:
            number = words[at + 2]
            if number in _NUMBERS or number.isdecimal():
                reach = _NUMBERS.index(number) + 2 if number in _NUMBERS else int(number)
                return Scope(at, at + 4, reach)
    return None
