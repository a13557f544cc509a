"""What a text affirms ("It is not Lyon, but Paris": Paris), denies, and says to be unknown or not told."""

from collections.abc import Iterator
from functools import lru_cache

from ralc.english.normalisation import LONGEST, NAMING_WORDS, alike, words
from ralc.english.wordlists import phrases, word_list


def clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses of a text, each with the mark or conjunction before it; the comma of "8,849" ends none."""
    text = text[:LONGEST]
    start = 0
    mark = ""
    for match in phrases("clause_mark").finditer(text):
        yield text[start : match.start()], mark
        start = match.end()
        mark = match.group()
    yield text[start:], mark


@lru_cache(maxsize=2_500)
def affirmed_and_denied(text: str) -> tuple[str, str]:
    """Return what a text affirms and what it denies, each in the words of the text.

    A verb denied ("is not", "don't think") denies its clause, as do "it is false that" and "I doubt". "Not" or "rather
    than" alone denies what follows. What only admits doubt ("I am not sure", "not only") denies nothing. What others
    think, what was thought at first and what is only asked ("whether it is") is neither.
    """
    affirmed: list[str] = []
    denied: list[str] = []
    for clause, mark in clauses(phrases("none_other").sub("", text)):
        alone = phrases("not_alone").search(clause)
        if mark == "(" and denied and phrases("not_alone").fullmatch(denied[-1].strip()):
            denied.append(clause)
        elif phrases("set_aside").search(clause):
            affirmed.append(mark)
        elif phrases("verb_not").search(clause):
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
    ungiven = phrases("background").search(text) and phrases("ungiven").search(text)
    return bool(ungiven or phrases("untold").search(text))


@lru_cache(maxsize=2_500)
def abstains(text: str) -> bool:
    """Return whether a text is empty or says that the answer is not known."""
    text = text[:LONGEST]
    return not words(text) or denies_background(text) or phrases("not_known").search(text) is not None


def is_denial(clause: str) -> bool:
    """Return whether a clause says that something is missing: "but not its population"."""
    return any(phrases(kind).search(clause) for kind in ("untold", "ungiven", "not_beside"))


def denies_asked(clause: str, question: str) -> bool:
    """Return whether what a denying clause says is missing is what was asked, or nothing in particular."""
    query = set(words(question))
    synonyms = (word_list(f"asked_of_{kind}") for kind in ("people", "places", "times", "sizes"))
    topic = query.union(*(group for group in synonyms if group & query))
    rest = {word for word in words(clause) if not word.endswith("ly")} - word_list("denial_words")
    missing = rest - (NAMING_WORDS - {"where", "when", "why", "who"})
    return all(any(alike(word, key) for key in topic) for word in missing)
