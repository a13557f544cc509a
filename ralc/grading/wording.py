"""Right answers in other words: by what they add, by the overlap of their words."""

from collections import Counter
from collections.abc import Sequence

from ralc.english.alignment import claim_words, has_verb, is_name
from ralc.english.normalisation import NAMING_WORDS, normalise, plain, tokens, words
from ralc.english.numerals import in_digits

#: An accepted answer of so many words may be met by an overlap of so much (F1).
LONG_ANSWER = 3
_LEAST_OVERLAP = 0.5
#: So many words are a sentence, whatever they are.
_SENTENCE = 7


def adds(added: Sequence[str], affirmed: str, question: str, names: Sequence[str]) -> bool:
    """Whether an answer adds to a question what one of some names does ("Xingu", of which tribe, is the Xingu tribe).

    A name that stands there in full was looked for already, and refused: "New York City" is not New York.
    """
    asked = {*words(question), *NAMING_WORDS}
    return any(
        added == [plain(word) for word in tokens(name) if word not in asked]
        for name in names
        if normalise(name) not in normalise(affirmed)
    )


def in_part(added: Sequence[str], right: Sequence[str]) -> bool:
    """Whether all that an answer adds is a part of a right answer ("Korea" for South Korea)."""
    return bool(added) and any(added != words(name) and set(added) <= set(words(name)) for name in right)


def nearest(affirmed: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> bool | None:
    """Whether an answer in words of its own is nearest to a right one, or to a wrong one; None where to neither."""
    best, worst = (
        max((_overlap(affirmed, name, question) for name in names), default=0.0) for names in (right, wrong)
    )
    if max(best, worst) < _LEAST_OVERLAP or best == worst:
        return None
    return best > worst


def _overlap(text: str, reference: str, question: str) -> float:
    """F1 of the words shared with a reference of some length (SQuAD's measure), 1 where they add the same."""
    if len(words(reference)) < LONG_ANSWER:
        return 0.0
    added, known = (sorted(map(plain, claim_words(part, question))) for part in (text, reference))
    if added == known and not set(added) <= set(words(question)):
        return 1.0
    spoken, meant = words(text), words(in_digits(reference))
    asked = set(words(question))
    if len(meant) < LONG_ANSWER or not (
        _names(reference) <= set(spoken) and _names(text) <= {*meant, *asked}
    ):
        return 0.0
    return 2 * (Counter(spoken) & Counter(meant)).total() / (len(spoken) + len(meant))


def _names(text: str) -> set[str]:
    """The names and numbers in a text, which no overlap makes up for."""
    return {plain(word) for word in tokens(text)[1:] if is_name(word)}


def sentences_alone(right: Sequence[str]) -> bool:
    """Whether the accepted answers are sentences, so that one in other words cannot be told from a wrong one."""
    whole = [
        len(words(name)) >= _SENTENCE or (len(words(name)) > LONG_ANSWER and has_verb(name)) for name in right
    ]
    return 2 * sum(whole) > len(whole)
