"""What a word stands under: the clause and the sentence around it, and conditions."""

from collections.abc import Sequence

from ralc.english.normalisation import set_of
from ralc.english.vocabulary import CLAUSE_MARKS, SENTENCE_ENDS

REACH = 40  # tokens to either side; keeps the work linear in texts without punctuation
ARTICLES = set_of("a an any every each some")
CONJUNCTIONS = set_of("and but or so then because while")
SELVES = set_of("i we it this that")
QUESTIONS = set_of("who what when where how why which whether if")
#: What opens a condition of the speaker's, after its conjunction.
_OF_SPEAKER = set_of("i we memory my not so possible")


def of_matter(place: int, words: Sequence[str]) -> bool:
    """Return whether the condition at a place is one of the matter; "if I recall correctly" is one of the speaker."""
    return place + 1 < len(words) and words[place + 1] not in _OF_SPEAKER


def rest(at: int, words: Sequence[str]) -> range:
    """Return the positions after one, to the end of its sentence."""
    stop = min(len(words), at + REACH)
    return range(at + 1, next((place for place in range(at, stop) if words[place] in SENTENCE_ENDS), stop))


def clause_start(words: Sequence[str], at: int, marks: frozenset[str] = CLAUSE_MARKS) -> int:
    """Return where the clause of a position begins."""
    start = at
    while start > max(0, at - REACH) and words[start - 1] not in marks:
        start -= 1
    return start
