"""Lists of words (``ralc/data/wordlists.csv``), and the phrases that people were asked about, each in a sentence."""

import csv
from functools import cache

from ralc import data

with data.path("wordlists.csv").open(encoding="utf-8", newline="") as _file:
    _LISTS = {row["list"]: row["words"].split() for row in csv.DictReader(_file)}
with data.path("asked_phrases.csv").open(encoding="utf-8", newline="") as _file:
    _ROWS = list(csv.DictReader(_file))


@cache
def word_list(*names: str) -> frozenset[str]:
    """Return the words of some lists; those of a phrase are joined by ``_``.

    >>> sorted(word_list("speakers"))
    ['i', 'me', 'mine', 'my']
    """
    return frozenset(word for name in names for word in _LISTS[name])


#: The phrases that can stand before or inside any answer: as a hedge, with its grammatical frame.
ASKED = {row["phrase"]: (row["hedge"], row["frame"]) for row in _ROWS if row["hedge"]}
#: A sentence for every phrase of the human studies.
PHRASE_SENTENCES = {row["phrase"]: row["sentence"] for row in _ROWS}
#: Degree words and phrases, as words, and the group of each.
DEGREES = {
    tuple(phrase.split("_")): group
    for group in ("max", "high", "mid", "low", "faint", "at_all")
    for phrase in _LISTS[f"degree_{group}"]
}
NEGATIONS = word_list("negations")
NEGATING_PHRASES = tuple(tuple(phrase.split("_")) for phrase in _LISTS["negating_phrases"])
#: Words that may stand between a negation and the state of mind that it negates.
TRANSPARENT = word_list("transparent")
CLAUSE_MARKS = frozenset('.,;:!?…—()[]{}"“”«»\n')
SENTENCE_ENDS = frozenset(".!?:;…—([{\n")
#: Classes of cues that take degree words, and that take a negation standing before them.
GRADABLE, NEGATABLE = word_list("gradable"), word_list("negatable")
STATE_CLASSES = word_list("state_classes")
#: Classes of adverbs that speak of all that follows where they open a text.
OPENING = word_list("opening")
#: Cues beside which a number is the speaker's certainty; those that say nothing of their own before one.
NUMBERED, RULED_BY_NUMBERS = word_list("numbered"), word_list("ruled_by_numbers")
#: Classes of cues that reject an answer; those by which others speak.
REJECTING, OTHERS = word_list("rejecting"), word_list("others")
#: Words that round a number.
ROUGHLY = word_list("roughly")
