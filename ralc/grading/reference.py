"""Grades by comparison with the accepted and the known wrong answers, without a model."""

from collections.abc import Iterable, Sequence

import pandas as pd

from ralc.english.alignment import (
    added_words,
    of_another,
    without_background,
)
from ralc.english.candidates import EXACT_LENGTH, is_negative, lettered, named
from ralc.english.claims import Claim, claimed, corrected
from ralc.english.contractions import in_full
from ralc.english.denials import affirmed_and_denied, clauses
from ralc.english.normalisation import (
    abstains,
    normalise,
    plain,
    sentences,
    words,
)
from ralc.english.numerals import in_digits
from ralc.english.participants import exchanged, misplaced
from ralc.english.polarity import asks_yes_or_no, polarity, said_alone, says_both
from ralc.grading.aliases import in_one_writing, other_names
from ralc.grading.commitment import UNKNOWN, aligned, committed
from ralc.grading.grades import grades_table, questions_of
from ralc.grading.several import named_apart, names_all, several
from ralc.grading.unanswerable import grade_unanswerable, is_answer
from ralc.grading.wording import LONG_ANSWER, adds, in_part, nearest, sentences_alone
from ralc.io.console import followed
from ralc.names import CORRECT, INCORRECT, NOT_ATTEMPTED, UNPARSED


def reference_grade(
    text: str,
    question: str,
    *,
    accepted: Sequence[str],
    wrong: Sequence[str] = (),
    choices: Sequence[str] = (),
    correct_choice: int | None = None,
    answerable: bool = True,
) -> str:
    """Return the grade of an answer by comparison, without a model.

    An answer is CORRECT when the clauses that answer affirm an accepted answer of what was asked and no other (a
    known wrong one, another choice, an alternative of its own); to deny the accepted answer, or to name several, is
    INCORRECT. Where nothing is named it is CORRECT when its words overlap an accepted answer of some length
    enough, and more than any wrong one. What is about something else than was asked, or only admits not to
    know, is NOT_ATTEMPTED. An unanswerable question is answered by saying that the background does not say what
    was asked. Where nothing decides, the grade is ``unparsed``: an accepted answer said of something that the
    question does not name, a part of an accepted name, a denial of mostly what was asked, or other words than
    those of accepted answers that are sentences, without choices.

    >>> reference_grade("I think it might be Paris.", "What is the capital of France?", accepted=["Paris"])
    'CORRECT'
    """
    question = without_background(question)
    text = text if "I" in {*accepted, *wrong} else in_full(text)
    if not answerable:
        return grade_unanswerable(text, question, wrong)
    if not choices and any(said_alone(name) is not None for name in accepted):
        if (graded := _grade_polar(text, question, accepted)) is not None:
            return graded
        accepted = [name for name in accepted if said_alone(name) is None]
        if not accepted:
            return NOT_ATTEMPTED
    others = [choice for place, choice in enumerate(choices) if place != correct_choice]
    others = others or _of_kind(wrong, accepted)
    text, accepted, others = in_one_writing(text, accepted, others)
    return _grade_open(text, question, accepted, others, choices, correct_choice)


def _grade_open(
    text: str,
    question: str,
    accepted: Sequence[str],
    others: Sequence[str],
    choices: Sequence[str],
    correct_choice: int | None,
) -> str:
    """The grade of an answer that is neither yes nor no, by letter, wording or claim."""
    right = [*accepted, *([] if correct_choice is None else [choices[correct_choice]])]
    letter, rest = lettered(corrected(text), len(choices))
    claim = claimed(rest, question)
    said = affirmed_and_denied(corrected(rest))[0]
    if any(exchanged(said, name) or misplaced(name, said, question) for name in accepted):
        return INCORRECT
    if letter is None and _is_verbatim(text, right):
        return CORRECT
    if letter is None and claim is not None:
        letter, _ = lettered(claim.affirmed, len(choices))
    if letter is not None:
        alone = claim is None or not named(claim.affirmed, others)
        return _right(letter == correct_choice and alone)
    return _grade_said(rest, claim, question, right, others, bool(choices))


def _grade_said(
    text: str, claim: Claim | None, question: str, right: list[str], others: Sequence[str], chosen: bool
) -> str:
    """The grade of an answer by what it says; `chosen`: from several choices."""
    if claim is not None and (whole := names_all(in_digits(claim.affirmed), right)) is not None:
        return _right(whole and not named(claim.affirmed, others))
    # An answer in words of its own is none of several choices, but may well be what a sentence accepted says.
    own_words = not chosen and sentences_alone(right)
    right = [*right, *other_names(text, question, right, others)]
    graded = _committed(text, question, right, others)
    if graded is not None or claim is None:
        return graded or NOT_ATTEMPTED
    return _grade_claim(claim, question, right, others, own_words)


def _is_verbatim(text: str, right: Sequence[str]) -> bool:
    """Whether a text is a right answer and nothing else, but for its writing; too short ones are told otherwise."""
    bare = normalise(text) if text.strip()[:1] not in {"-", "−"} else ""
    return len(bare) > EXACT_LENGTH and bare in (normalise(name) for name in right if not is_negative(name))


def _grade_polar(text: str, question: str, accepted: Sequence[str]) -> str | None:
    """The grade of an answer to a question whose right answer is yes, or no; None where it says neither."""
    right = {said_alone(name) for name in accepted} - {None}
    if len(right) > 1:
        return None
    said = polarity(text, question if asks_yes_or_no(question) else f"{question} True or false?")
    if said is None:
        return INCORRECT if says_both(text) else None
    return _right(said in right)


def _of_kind(wrong: Sequence[str], accepted: Sequence[str]) -> list[str]:
    """The wrong answers that can stand in a right one's place: none without a number where all right ones have one.

    >>> _of_kind(["Africa/Lagos", "2.1 million"], ["1.6 million"])
    ['2.1 million']
    """
    numeric = bool(accepted) and all(any(map(str.isdigit, in_digits(name))) for name in accepted)
    return [name for name in wrong if not numeric or any(map(str.isdigit, in_digits(name)))]


def _committed(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> str | None:
    """The grade of a text by the known answers in its best aligned clauses; None where they do not decide."""
    told = "".join(mark + part for part, mark in clauses(text) if not (words(part) and abstains(part)))
    affirmed = in_digits(affirmed_and_denied(told)[0])
    found = list(aligned(affirmed, question, right, wrong))
    kept = committed(found)
    sides = _sides(kept, right)
    mentioned = _sides(frozenset[int]().union(*(clause.names for clause in found)), right)
    if mentioned == {True}:
        alone = _answers_question(affirmed, question, right) and not several(affirmed, question, right, wrong)
        return CORRECT if sides and alone else None
    if len(mentioned) < 2 or not sides:
        return None
    if len(sides) > 1:
        return INCORRECT if UNKNOWN in kept else None
    return _right(True in sides)


def _answers_question(affirmed: str, question: str, right: Sequence[str]) -> bool:
    """Whether a sentence with a right answer says it of what was asked."""
    return any(
        not of_another(sentence, question, right)
        for sentence in sentences(affirmed)
        if named(sentence, right)
    )


def _sides(places: Iterable[int], right: Sequence[str]) -> set[bool]:
    """Whether some answers, by their place, are right ones."""
    return {0 <= place < len(right) for place in places}


def _grade_claim(
    claim: Claim, question: str, right: Sequence[str], wrong: Sequence[str], own_words: bool
) -> str:
    """The grade of what an answer claims; `own_words`: a right one may be said in other words altogether."""
    affirmed = in_digits(claim.affirmed)
    found, others = named_apart(affirmed, right, wrong)
    if found:
        return _grade_named(claim, affirmed, found, question, right, wrong)
    if others and claim.on_topic:
        return INCORRECT
    added = [plain(word) for word in added_words(affirmed, question)]
    meant = [name for name in (right, wrong) if added and adds(added, affirmed, question, name)]
    if len(meant) == 1:
        return _right(meant[0] is right)
    if not claim.on_topic:
        return NOT_ATTEMPTED
    if named(claim.denied, right):
        return INCORRECT
    is_right = nearest(affirmed, question, right, wrong)
    if is_right is not None:
        return _right(is_right)
    if own_words or in_part(added, right):
        return UNPARSED
    return INCORRECT if is_answer(affirmed, question, right) else NOT_ATTEMPTED


def _right(right: bool) -> str:
    """The grade of an answer that is right, or not."""
    return CORRECT if right else INCORRECT


def _grade_named(
    claim: Claim,
    affirmed: str,
    found: Iterable[int],
    question: str,
    right: Sequence[str],
    wrong: Sequence[str],
) -> str:
    """The grade of a claim that names right answers, those at the places `found`."""
    # A choice of some length is not said by chance, whatever the sentence is about.
    short = all(len(words(right[place])) < LONG_ANSWER for place in found)
    if short and not claim.on_topic:
        return NOT_ATTEMPTED
    if several(affirmed, question, right, wrong):
        return INCORRECT
    return UNPARSED if short and of_another(affirmed, question, right) else CORRECT


def grade_reference(answers: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return the grades of answers by `reference_grade`.

    Parameters
    ----------
    answers
        Columns ``question_id, sentence, prompt, text``; others are not looked at.
    questions
        The questions table.

    Returns
    -------
    DataFrame
        A row an answer, in their order: ``question_id, sentence, prompt, grade, outcome``.

    Raises
    ------
    ValueError
        If an answer's question is unknown.
    """
    known = questions_of(answers, questions)
    graded = followed(answers.itertuples(index=False), "grades", "answers", len(answers))
    grades = [
        reference_grade(
            answer.text,
            row.question,
            accepted=list(row.accepted),
            wrong=list(row.wrong),
            choices=list(row.choices),
            correct_choice=None if pd.isna(row.correct_choice) else int(row.correct_choice),
            answerable=row.answerable,
        )
        for answer, row in ((answer, known[answer.question_id]) for answer in graded)
    ]
    return grades_table(answers, grades)
