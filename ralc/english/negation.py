"""What a text denies, apart from what it affirms: "It is not Lyon, but Paris" affirms Paris alone. And whether it says
that the answer is not known, or that the background does not contain it."""

from collections.abc import Iterator

from ralc.english.normalisation import LONGEST, words
from ralc.english.wordlists import phrases

# A denial reaches no further than its clause; the comma of "8,849" and of "August 15, 1971" ends none.
_CLAUSE_MARK = phrases("clause_mark")
# "is not", "doesn't": all of its clause is denied; a "not" alone denies what follows.
_VERB_NOT, _NOT_ALONE = phrases("verb_not"), phrases("not_alone")
#: "No city other than Paris", or larger than it, is Paris.
NONE_OTHER = phrases("none_other")
#: What is not told; what is not given, or cannot be found: of a background the same.
UNTOLD, UNGIVEN = phrases("untold"), phrases("ungiven")


def clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses of a text, each with the mark or conjunction before it."""
    text = text[:LONGEST]
    start, mark = 0, ""
    for match in _CLAUSE_MARK.finditer(text):
        yield text[start : match.start()], mark
        start, mark = match.end(), match.group()
    yield text[start:], mark


def affirmed_and_denied(text: str) -> tuple[str, str]:
    """Return what a text affirms and what it denies, each in the words of the text.

    A verb denied ("is not", "don't think") denies its clause, as do "it is false that" and "I doubt". "Not" or "rather
    than" alone denies what follows. What only admits doubt ("I am not sure", "not only") denies nothing. What others
    think, what was thought at first and what is only asked ("whether it is") is neither.

    >>> affirmed_and_denied("The capital is not Lyon, but Paris.")
    (', but Paris.', 'The capital is not Lyon')
    """
    affirmed: list[str] = []
    denied: list[str] = []
    for clause, mark in clauses(NONE_OTHER.sub("", text)):
        alone = _NOT_ALONE.search(clause)
        if mark == "(" and denied and _NOT_ALONE.fullmatch(denied[-1].strip()):
            denied.append(clause)
        elif phrases("set_aside").search(clause):
            affirmed.append(mark)
        elif _VERB_NOT.search(clause):
            affirmed.append(mark)
            denied.append(clause)
        elif alone:
            affirmed += [mark, clause[: alone.start()]]
            denied.append(clause[alone.start() :])
        else:
            affirmed += [mark, clause]
    return "".join(affirmed), " ".join(denied)


def denies_background(text: str) -> bool:
    """Return whether a text says that something is not told, as that the background does not contain the answer."""
    text = text[:LONGEST]
    return bool(UNTOLD.search(text) or (phrases("background").search(text) and UNGIVEN.search(text)))


def abstains(text: str) -> bool:
    """Return whether a text is empty or says that the answer is not known."""
    text = text[:LONGEST]
    return not words(text) or denies_background(text) or phrases("not_known").search(text) is not None
