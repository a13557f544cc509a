"""Which of the known answers to a question an answer gives, in whatever words: a right one, a wrong one, several."""

import re
from collections.abc import Sequence
from typing import Literal

from ralc.english.answers.choices import picked
from ralc.english.answers.claims import (
    VERBS,
    Claim,
    added_words,
    aligned,
    claimed,
    committed,
    corrected,
    is_answer,
    of_another,
    without_asides,
)
from ralc.english.answers.meaning import asks_yes_or_no, lone_verdict, meaning, polarity, same_answer
from ralc.english.answers.names import EXACT_LENGTH, named, other_names
from ralc.english.negation import abstains, affirmed_and_denied, clauses, denies_asked, is_denial
from ralc.english.normalisation import (
    answer_line,
    in_digits,
    in_full,
    in_shares,
    normalise,
    of_twenty_four_hours,
    plain,
    sentences,
    words,
)
from ralc.english.wordlists import phrases, word_list

Match = Literal["right", "wrong", "several", "other", "unsure", "none"]
_Names = Sequence[str]
#: A share of one, which a percentage may say.
_SHARE = re.compile(r"0\.\d+")
#: A time of twenty-four hours that says the half of the day, and one that may be of either.
_HALF, _TIME = re.compile(r"\b(?:0?0|1[3-9]|2[0-3]):\d\d\b"), re.compile(r"(?:1[0-2]|[1-9]):\d\d")
#: How a time says its half.
_OF_DAY = re.compile(r"(?<=\d)\s*[ap]\.?\s?m\b\.?", re.IGNORECASE)
#: A pair of coordinates, an interval: their order and their brackets count.
_TUPLE = re.compile(r"[(\[]\s*[-−]?[\d.]+(?:\s*,\s*[-−]?[\d.]+)+\s*[)\]]")
_SIDES: dict[bool, Match] = {True: "right", False: "wrong"}
#: Words of a short answer, and of a sentence, whatever it is.
_SHORT, _SENTENCE = 2, 7


def match_answer(
    text: str,
    question: str,
    right: Sequence[str] | None,
    wrong: Sequence[str] = (),
    choices: Sequence[str] = (),
    correct_choice: int | None = None,
) -> Match:
    """Return which of the known answers to a question an answer gives.

    Parameters
    ----------
    text
        The answer, of any length.
    question
        What was asked; a background may stand before it, as in a prompt.
    right
        The accepted answers; None where the background leaves the question open, and it is right to say so.
    wrong
        Answers that are known to be wrong.
    choices
        Those of a multiple-choice question, in the order of their letters.
    correct_choice
        The place of the right one among `choices`, from 0.

    Returns
    -------
    str
        A `Match`: a ``right`` one alone, a ``wrong`` one (or a right one is denied), ``several``, some ``other``
        answer, ``none``, or ``unsure``.

    Examples
    --------
    >>> [match_answer(f"It is {name}.", "What is the capital of France?", ["Paris"]) for name in ("Paris", "Lyon")]
    ['right', 'other']
    """
    question = question.rpartition("\nQuestion: ")[2]
    text = _without_kind(answer_line(text), question, [*(right or ()), *wrong, *choices])
    text = text if "I" in {*(right or ()), *wrong} else in_full(text)
    if right is None:
        return _match_open(text, question, wrong)
    if _HALF.search(hours := of_twenty_four_hours(text)) or hours != text:
        either = (f"{name} pm" for name in right if _TIME.fullmatch(name))
        text = hours
        right = [*map(of_twenty_four_hours, (*right, *either))]
        wrong, choices = ([*map(of_twenty_four_hours, names)] for names in (wrong, choices))
    else:
        right = [*right, *(_OF_DAY.sub("", name) for name in right)]
    if chosen := picked(text, question, choices):
        return _SIDES[chosen == {correct_choice}]
    if not choices and (verdicts := {*map(lone_verdict, right)} - {None}):
        query = question if asks_yes_or_no(question) else f"{question} True or false?"
        if len(verdicts) == 1 and (side := polarity(text, query)) is not None:
            return _SIDES[side in verdicts]
        right = [name for name in right if lone_verdict(name) is None]
        if not right:
            return "none"
    if right and all(any(map(str.isdigit, in_digits(name))) for name in right):
        wrong = [name for name in wrong if any(map(str.isdigit, in_digits(name)))]
    if any(map(_SHARE.fullmatch, map(in_digits, right))):
        text = in_shares(text)
    elif in_shares(text) == text:
        right = [*right, *filter(_SHARE.fullmatch, map(in_shares, right))]
    tuples = {*map(_unspaced, right)} if right and all(map(_TUPLE.fullmatch, right)) else set()
    if tuples and (said := {*map(_unspaced, _TUPLE.findall(text))}) and not said & tuples:
        return "wrong"
    rivals = [choice for place, choice in enumerate(choices) if place != correct_choice] or wrong
    right = [*right, *([] if correct_choice is None else [choices[correct_choice]])]
    return _match_names(text, question, right, rivals, bool(choices))


def _without_kind(text: str, question: str, names: _Names) -> str:
    """A text whose names lack the kind of thing that was asked for, unless one known has it: "the Nile River"."""
    asked = word_list("named_kinds") & set(words(question))
    kinds = asked.difference(*(words(name) for name in names))
    if not kinds:
        return text
    return re.sub(rf"\b([A-Z]\w+) (?:{'|'.join(sorted(map(str.capitalize, kinds)))})\b", r"\1", text)


def _unspaced(text: str) -> str:
    """A text without its spaces."""
    return "".join(text.replace("−", "-").split())


def _match_names(text: str, question: str, right: _Names, wrong: _Names, chosen: bool) -> Match:
    """Match the known answers by name, and by meaning."""
    if len(normalise(text)) > EXACT_LENGTH and normalise(text) in map(normalise, right):
        return "right"
    rest = corrected(text)
    claim = claimed(rest, question)
    # An answer in words of its own is none of several choices, but may well be what a sentence accepted says.
    lengths = [(len(words(name)), not VERBS.isdisjoint(words(name))) for name in right]
    whole = sum(length >= _SENTENCE or (length > _SHORT + 1 and verb) for length, verb in lengths)
    own_words = not chosen and 2 * whole > len(right)
    right = [*right, *other_names(rest, question, right, wrong)]
    match = _match_committed(rest, question, right, wrong)
    if match is not None or claim is None:
        return match or "none"
    return _match_claim(claim, question, right, wrong, own_words)


def _match_committed(text: str, question: str, right: _Names, wrong: _Names) -> Match | None:
    """Match the known answers in the clauses that align best; None where they do not decide."""
    claims = "".join(mark + part for part, mark in clauses(text) if not (words(part) and abstains(part)))
    affirmed = in_digits(affirmed_and_denied(claims)[0])
    parts = aligned(affirmed, question, [*right, *wrong])
    hits = {place < len(right) for place in committed(parts)}
    mentioned = {place < len(right) for clause in parts for place in clause.names}
    if mentioned == {True}:
        naming = (sentence for sentence in sentences(affirmed) if named(sentence, right))
        of_asked = any(not of_another(sentence, question, right) for sentence in naming)
        return "right" if hits and of_asked and not _names_several(affirmed, question, right, wrong) else None
    return _SIDES[True in hits] if len(mentioned) == 2 and len(hits) == 1 else None


def _match_claim(claim: Claim, question: str, right: _Names, wrong: _Names, own_words: bool) -> Match:
    """Match what an answer claims; `own_words`: a right one may be said in other words altogether."""
    affirmed = in_digits(claim.affirmed)
    places = named(affirmed, [*right, *wrong])
    ids = [place for place in places if place < len(right)]
    # A choice of some length is not said by chance, whatever the sentence is about.
    short = all(len(words(right[place])) <= _SHORT for place in ids)
    if not claim.on_topic and short:
        return "none"
    if ids:
        if _names_several(affirmed, question, right, wrong):
            return "several"
        return "unsure" if short and of_another(affirmed, question, right) else "right"
    if places or named(claim.denied, right):
        return "wrong"
    if (match := _match_meaning(affirmed, question, right, wrong)) is not None:
        return match
    if own_words:
        return "unsure"
    return "other" if is_answer(affirmed, question, right) else "none"


def _names_several(affirmed: str, question: str, right: _Names, wrong: _Names) -> bool:
    """Whether a text that names a right answer names another beside it, or gives it as an alternative."""
    bare = without_asides(affirmed)
    if not named(bare, right):
        bare = affirmed  # its brackets are no aside: "(3^(1/2))mc"
    parts = phrases("alternative").split(bare)
    naming = [bool(named(part, right)) for part in parts]
    other = any(added_words(part, question) for part, names in zip(parts, naming, strict=True) if not names)
    # One within another that stands there is not named.
    rival = any(place >= len(right) for place in named(bare, [*right, *wrong]))
    return rival or other


def _match_meaning(affirmed: str, question: str, right: _Names, wrong: _Names) -> Match | None:
    """Match an answer in words of its own by what means the same; None where nothing does.

    Names must be the same; one that stands there in full was looked for, and refused: "New York City" is not New York.
    """
    form = meaning(affirmed, question)
    bare = normalise(affirmed)
    if form.kind == "polar":
        return "unsure" if any(meaning(name, question).kind == "polar" for name in right) else None
    if form.kind != "answer":
        added, *rest = ([plain(word) for word in added_words(name, question)] for name in (affirmed, *right))
        return "right" if added and added in rest else None
    means_right, means_wrong = (
        {
            same_answer(affirmed, name, question)
            for name in names
            if meaning(name, question).names == form.names and normalise(name) not in bare
        }
        for names in (right, wrong)
    )
    if ("yes" in means_right) != ("yes" in means_wrong):
        return _SIDES["yes" in means_right]
    return "unsure" if {"yes", "unsure"} & means_right else None


def _match_open(text: str, question: str, wrong: Sequence[str]) -> Match:
    """Match an answer to a question that the background leaves open."""
    statements = [part for part in sentences(corrected(text)) if words(part) and not part.endswith("?")]
    parts = [[part for part, _ in clauses(sentence)] for sentence in statements]
    denied = [list(filter(is_denial, row)) for row in parts]
    if any(denies_asked(part, question) for row in denied for part in row):
        rest = set().union(*parts).difference(*denied)
        guessed = any(named(part, wrong) or phrases("guess_beside").search(part) for part in rest)
        return "several" if guessed else "right"
    claim = None if denied and denied[0] else claimed(text, question)
    answered = claim is not None and claim.on_topic and is_answer(claim.affirmed, question)
    return "other" if answered else "none"
