"""Which of several choices an answer picks: by its letter, which decides, or by a sentence that is one of them."""

import re
from collections.abc import Sequence

from ralc.english.answers.claims import added_words, claimed, corrected, without_asides
from ralc.english.answers.names import EXACT_LENGTH, named
from ralc.english.negation import affirmed_and_denied, clauses
from ralc.english.normalisation import (
    LONGEST,
    NAMING_WORDS,
    answer_line,
    in_full,
    normalise,
    plain,
    sentences,
    spans,
    words,
)
from ralc.english.wordlists import phrases, word_list

#: A letter by itself; "I" before a word is who speaks.
_LETTER = re.compile(r"(?<!\w)(?<!\w[.'’-])[A-Za-z](?!\w|['’-]\w|\.[A-Za-z]\b)(?!(?<=I) \w)")
#: What ends a letter that is an answer: the end of the text or of its line, marks and a space, or a dash.
_LETTER_END = re.compile(r"\W*$|\W*\n|[^\w\s,;(]+\s|\s*[—–]|\s-\s")
_SENTENCE = re.compile(r"[^.!?;\n]*")
_SENTENCE_END = re.compile(r"\W*$|\s*[.!?]\s|[ \t]*\n")
_JOINED = re.compile(r"^\W*(?:(?:and|or)\b\W*)?")
#: What may stand before a letter, and around one: "I would go with".
_IDLE = NAMING_WORDS | word_list("choosing")


def picked(text: str, question: str, choices: Sequence[str]) -> frozenset[int]:
    """Return the places of the choices that an answer picks; none where it does so neither by letter nor in full.

    A letter decides, whatever the words of its choice say. The answer picks several where it then names another choice.

    Parameters
    ----------
    text
        The answer, of any length.
    question
        What was asked.
    choices
        The choices in the order of their letters; none where the question has none.

    Returns
    -------
    frozenset of int
        Places among `choices`, from 0.

    Examples
    --------
    >>> [sorted(picked(text, "", ["Wrong", "Not wrong"])) for text in ("B. Not wrong", "[B]", "B. Wrong", "Wrong.")]
    [[1], [1], [0, 1], [0]]
    """
    if len(choices) == 0:
        return frozenset()
    text = in_full(answer_line(text)[:LONGEST])
    choices = [in_full(choice) for choice in choices]
    place, rest, in_words = _opening(text, choices)
    # A correction behind the words of a choice counts, one within them is none.
    later = corrected(rest)
    if place is not None and later != rest and (instead := picked(later, question, choices)):
        return instead
    if place is None:
        parts = {letter: part for part in sentences(later) for letter in _letters(part, len(choices))}
        if len(parts) != 1:
            return frozenset()
        place, rest = parts.popitem()
    if in_words:
        beside = _SENTENCE.match(rest)[0]
        others, _ = _beginning(_JOINED.sub("", beside, count=1), choices)
    else:
        claim = claimed(rest, question)
        beside = without_asides(claim.affirmed) if claim else ""
        begun, end = _beginning(rest, choices)
        added = added_choices(beside, question, choices)
        others = (begun if _SENTENCE_END.match(rest, end) else set()) | (set() if place in added else added)
        # Lines below that of the letter explain it.
        others |= named(beside, choices) if words(rest.partition("\n")[0]) else set()
    same = {other for other in others if normalise(choices[other]) == normalise(choices[place])}
    return frozenset({place, *(others - same), *_letters(beside, len(choices))})


def added_choices(text: str, question: str, choices: Sequence[str]) -> set[int]:
    """Return the places of the choices that add the same words to a question as a text does.

    Parameters
    ----------
    text
        A text, such as what an answer affirms.
    question
        What was asked.
    choices
        The choices in the order of their letters.

    Returns
    -------
    set of int
        Places among `choices`, from 0; none where the text adds nothing.
    """
    added, *adding = ([plain(word) for word in added_words(one, question)] for one in (text, *choices))
    return {place for place, choice in enumerate(adding) if added and added == choice}


def _opening(text: str, choices: Sequence[str]) -> tuple[int | None, str, bool]:
    """The choice that opens a text, what stands behind it, and whether it is given in its own words."""
    bare = phrases("answer_label").sub("", text)
    places, end = _beginning(bare, choices)
    if len(places) > 1:  # "x + 1" and "x - 1" are the same words
        places = {place for place in places if choices[place].strip(" .") == bare.strip(" .")}
    if len(places) == 1 and end > EXACT_LENGTH and _SENTENCE_END.match(bare, end):
        return places.pop(), bare[end:], True
    for letter in _LETTER.finditer(text):
        place = ord(letter[0].upper()) - ord("A")
        small = letter[0].islower()
        if place >= len(choices):
            continue
        before, behind = text[: letter.start()], text[letter.end() :]
        if not _IDLE.issuperset(words(before)) or affirmed_and_denied(before)[1]:
            break
        article = place == 0 and behind[:1] == " " and behind[1:2].isalnum()
        places, end = _beginning(behind, choices)
        if place in places and not article:
            return place, behind[end:], True
        # "It is a": a small letter that is no word of its own.
        if _LETTER_END.match(behind) and not (small and (words(behind) or words(before))):
            return place, behind, False
        if not small:
            break
    return None, text, False


def _beginning(text: str, choices: Sequence[str]) -> tuple[set[int], int]:
    """The choices with all of whose words a text begins, the longest, and where these end in it."""
    terms = words(text)
    keys = [words(choice) for choice in choices]
    longest = max((len(key) for key in keys if terms[: len(key)] == key), default=0)
    places = {place for place, key in enumerate(keys) if longest and terms[:longest] == key}
    return places, spans(text)[longest - 1][2] if places else 0


def _letters(text: str, count: int) -> set[int]:
    """The choices whose letters a text affirms, each in a clause that says nothing else."""
    found = set[int]()
    for part, mark in clauses(affirmed_and_denied(text)[0]):
        clause = part.upper() if mark.endswith("(") else part
        letters = {ord(letter) - ord("A") for letter in _LETTER.findall(clause)} & set(range(count))
        if len(letters) == 1 and _IDLE.issuperset(words(_LETTER.sub("", clause))):
            found |= letters
    return found
