"""Grades by comparison with the accepted and the known wrong answers, without a model."""

import re
from collections import Counter
from collections.abc import Sequence

import pandas as pd

from ralc.english.abstentions import denies_asked
from ralc.english.candidates import EXACT_LENGTH, RELATED_TO, is_negative, lettered, mentions, named
from ralc.english.claims import (
    CONTAINERS,
    Claim,
    added_words,
    claim_words,
    claimed,
    has_verb,
    joined_parts,
    key_words,
    main_clauses,
    of_another,
    relates,
    settled,
    without_admissions,
    without_asides,
)
from ralc.english.denials import clauses
from ralc.english.normalisation import (
    IDLE_WORDS,
    NAMING_WORDS,
    denies_background,
    normalise,
    plain,
    sentences,
    set_of,
    tokens,
    words,
)
from ralc.english.numerals import in_digits
from ralc.grading.names import about_someone, in_one_writing, other_names
from ralc.grading.table import grades_table, questions_of
from ralc.names import CORRECT, INCORRECT, NOT_ATTEMPTED, UNPARSED
from ralc.progress import followed

#: An accepted answer of so many words may be met by an overlap of so much (F1).
_LONG_ANSWER = 3
_LEAST_OVERLAP = 0.5
#: So many words are a sentence, whatever they are.
_SENTENCE = 7
#: Longer answers are compared by the overlap of their words.
_FEW_STEMS = 3
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|d|e)$")
# What is told of a thing besides.
_ALSO = re.compile(
    r"(?:,|\band)\s+(?:it|this|which) (?:is (?:in|located|also|a|an|the)|has|lies)\b[^,;.]*", re.IGNORECASE
)
_AGAIN = re.compile(r"\W*(?:[Ii]t|[Tt]his) (?:is|was|could be|might be|may be)(?: perhaps| maybe)? [A-Z]")
#: Words that name no one place, person or thing.
_SAYS_NOTHING = IDLE_WORDS | CONTAINERS | set_of("true false incorrect wrong possible question yes")
_NAME = r"(?:the )?[A-Z][\w'’.-]*+(?: [A-Z][\w'’.-]*+)*+"
# Beside the only other thing that a bare answer names: "the euro and the Swiss franc".
_ONE_BEFORE = re.compile(r"\W*((?:\w+ ){0,2}\w+),? (?:and|&) (?:the )?")
_ONE_AFTER = re.compile(r",? (?:and|&) ((?:\w+ ){0,2}\w+)\W*")
_AND_BEFORE = re.compile(r",? (?:and|&) (?:the )?$")
_NAMES_BEFORE = re.compile(rf"({_NAME})(?:, {_NAME})*+$")
_NAMES_AFTER = re.compile(rf"(?:, {_NAME})*+,? (?:and|&) ({_NAME})")
#: So many characters of a list of names are read before one of them.
_LONGEST_LIST = 200


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

    An answer is CORRECT when the sentence that answers affirms an accepted answer and no other (a known wrong
    one, another choice, an alternative of its own); to deny the accepted answer, or to name several, is
    INCORRECT. Where nothing is named it is CORRECT when its words overlap an accepted answer of some length
    enough, and more than any wrong one. What is about something else than was asked, or only admits not to
    know, is NOT_ATTEMPTED. An unanswerable question is answered by saying that the background does not say what
    was asked. Where nothing decides, the grade is ``unparsed``: an accepted answer said of something that the
    question does not name, a part of an accepted name, a denial of mostly what was asked, or other words than
    those of accepted answers that are sentences, without choices.

    >>> reference_grade("I think it might be Paris.", "What is the capital of France?", accepted=["Paris"])
    'CORRECT'
    """
    if not answerable:
        return _grade_unanswerable(text, question)
    text, accepted = in_one_writing(text, question, accepted)
    letter, rest = lettered(settled(text), len(choices))
    claim = claimed(rest, question)
    right = [*accepted, *([] if correct_choice is None else [choices[correct_choice]])]
    others = (
        [choice for place, choice in enumerate(choices) if place != correct_choice]
        if choices
        else list(wrong)
    )
    bare = normalise(text) if text.strip()[:1] not in {"-", "−"} else ""
    whole = (normalise(name) for name in right if not is_negative(name))
    if letter is None and len(bare) > EXACT_LENGTH and bare in whole:
        return CORRECT
    if letter is None and claim is not None:
        letter, _ = lettered(claim.affirmed, len(choices))
    if letter is not None:
        named_others = claim is not None and named(claim.affirmed, others)
        return CORRECT if letter == correct_choice and not named_others else INCORRECT
    if claim is None:
        return NOT_ATTEMPTED
    # An answer in words of its own is none of several choices, but may well be what a sentence accepted says.
    own_words = not choices and _sentences_alone(right)
    right += other_names(text, question, right, others)
    return _grade_claim(claim, question, right, others, own_words)


def _grade_unanswerable(text: str, question: str) -> str:
    """The grade of an answer to a question that the background leaves open."""
    sentence = next((sentence for sentence in sentences(text) if words(sentence)), "")
    if denies_background(sentence):
        asked = denies_asked(sentence, question)
        if not asked:
            return UNPARSED if asked is None else NOT_ATTEMPTED
        return INCORRECT if without_admissions(sentence, question) else CORRECT
    claim = claimed(text, question)
    answers = (
        claim is not None
        and claim.on_topic
        and relates(claim.affirmed, question)
        and not _vague(claim.affirmed, question)
    )
    return INCORRECT if answers else NOT_ATTEMPTED


def _grade_claim(
    claim: Claim, question: str, right: Sequence[str], wrong: Sequence[str], own_words: bool
) -> str:
    """The grade of what an answer claims; `own_words`: a right one may be said in other words altogether."""
    affirmed = in_digits(claim.affirmed)
    found, others = _named(affirmed, right, wrong)
    if found:
        # A choice of some length is not said by chance, whatever the sentence is about.
        short = all(len(words(right[place])) < _LONG_ANSWER for place in found)
        if short and not claim.on_topic:
            return NOT_ATTEMPTED
        if _several(affirmed, question, right, wrong):
            return INCORRECT
        return UNPARSED if short and of_another(affirmed, question, right) else CORRECT
    if others and claim.on_topic:
        return INCORRECT
    added = [plain(word) for word in added_words(affirmed, question)]
    meant = [name for name in (right, wrong) if added and _adds(added, affirmed, question, name)]
    if len(meant) == 1:
        return CORRECT if meant[0] is right else INCORRECT
    if _stems_of_one(affirmed, right, wrong):
        return CORRECT
    if not claim.on_topic:
        return NOT_ATTEMPTED
    if named(claim.denied, right):
        return INCORRECT
    nearest = _nearest(affirmed, question, right, wrong)
    if nearest is not None:
        return CORRECT if nearest else INCORRECT
    if own_words or _in_part(added, right):
        return UNPARSED
    answers = affirmed and relates(affirmed, question) and not _vague(affirmed, question, right)
    return INCORRECT if answers else NOT_ATTEMPTED


def _adds(added: Sequence[str], affirmed: str, question: str, names: Sequence[str]) -> bool:
    """Whether an answer adds to a question what one of some names does ("Xingu", of which tribe, is the Xingu tribe).

    A name that stands there in full was looked for already, and refused: "New York City" is not New York.
    """
    asked = {*words(question), *NAMING_WORDS}
    return any(
        added == [plain(word) for word in tokens(name) if word not in asked]
        for name in names
        if normalise(name) not in normalise(affirmed)
    )


def _in_part(added: Sequence[str], right: Sequence[str]) -> bool:
    """Whether all that an answer adds is a part of a right answer ("Korea" for South Korea)."""
    return bool(added) and any(added != words(name) and set(added) <= set(words(name)) for name in right)


def _named(text: str, right: Sequence[str], wrong: Sequence[str]) -> tuple[set[int], set[int]]:
    """Which right and which wrong answers a text names; one within another that stands there is not named."""
    both = named(text, [*right, *wrong])
    return {place for place in both if place < len(right)}, {place for place in both if place >= len(right)}


def _stems_of_one(affirmed: str, right: Sequence[str], wrong: Sequence[str]) -> bool:
    """Whether a text has the word stems of a right answer of several words, and of no wrong one ("is doubled")."""
    said = _stems(affirmed)
    whole = [
        name
        for name in right
        if len(words(name)) > 1 and not _names(name) and 0 < len(_stems(name)) <= _FEW_STEMS
    ]
    return any(_stems(name) <= said for name in whole) and not any(_stems(name) <= said for name in wrong)


def _stems(text: str) -> set[str]:
    """The words of a text that say something, without their endings."""
    return {_ENDING.sub("", word) for word in words(text) if word not in IDLE_WORDS}


def _vague(affirmed: str, question: str, right: Sequence[str] = ()) -> bool:
    """Whether a sentence names nothing where names are asked for, or only what holds many ("in West Africa").

    A thing said to be itself ("the capital of Chad is Chad") is an answer.
    """
    said, asked = words(affirmed), {*_SAYS_NOTHING, *words(question)}
    symbols = any(len(name) <= EXACT_LENGTH for name in right)
    added = [word for word in tokens(affirmed) if plain(word) not in asked]
    if symbols and tokens(affirmed)[-1:] == ["I"]:
        return False
    if not added:
        itself = 1 if {"it", "its"} & set(said) else 2
        return not any(said.count(key) >= itself for key in key_words(question))
    names = right and all(name[:1].isupper() and len(name) > EXACT_LENGTH for name in right)
    return (
        bool(names)
        and has_verb(affirmed)
        and not any(word[0].isupper() or word[0].isdigit() for word in added)
    )


def _several(affirmed: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> bool:
    """Whether a text that names a right answer names another beside it."""
    bare = without_asides(affirmed)
    if not _named(bare, right, wrong)[0]:
        bare = affirmed  # its brackets are no aside: "(3^(1/2))mc"
    text = main_clauses(_ALSO.sub("", bare), question, lambda clause: named(clause, right))
    if _named(text, right, wrong)[1]:
        return True
    parts = list(joined_parts(text))
    if any(named(part, right) for part in parts) and any(
        not named(part, right) and added_words(part, question) for part in parts
    ):
        return True
    if _said_again(text, question, right):
        return True
    return any(
        _coordinated(text, mention.start, mention.end, question, right) for mention in mentions(text, right)
    )


def _said_again(text: str, question: str, right: Sequence[str]) -> bool:
    """Whether a later clause says of "it" that it is something else ("It could be Paris, it could be Nice")."""
    return any(
        _AGAIN.match(clause) and not named(clause, right) and added_words(clause, question)
        for clause, mark in clauses(text)
        if mark
    )


def _coordinated(text: str, start: int, end: int, question: str, right: Sequence[str]) -> bool:
    """Whether the name from `start` to `end` is one of several names joined by "and"."""
    beside = _ONE_BEFORE.fullmatch(text[:start]) or _ONE_AFTER.fullmatch(text[end:])
    if beside and not has_verb(text) and not named(beside[1], right):
        return bool(added_words(beside[1], question))
    joined = _AND_BEFORE.search(text, max(start - len(", and the "), 0), start)
    before = joined and _NAMES_BEFORE.search(text, max(start - _LONGEST_LIST, 0), joined.start())
    after = _NAMES_AFTER.match(text, end)
    asked = set(words(question))
    return any(
        found and not set(words(found[1])) <= asked and not named(found[1], right)
        for found in (before, after)
    )


def _nearest(affirmed: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> bool | None:
    """Whether an answer in words of its own is nearest to a right one, or to a wrong one; None where to neither."""
    best, worst = (
        max((_overlap(affirmed, name, question) for name in names), default=0.0) for names in (right, wrong)
    )
    if max(best, worst) < _LEAST_OVERLAP or best == worst:
        return None
    return best > worst


def _overlap(text: str, reference: str, question: str) -> float:
    """F1 of the words shared with a reference of some length (SQuAD's measure), 1 where they add the same."""
    if len(words(reference)) < _LONG_ANSWER or (about_someone(question) and RELATED_TO.search(text)):
        return 0.0
    added, known = (sorted(map(plain, claim_words(part, question))) for part in (text, reference))
    if added == known and not set(added) <= set(words(question)):
        return 1.0
    spoken, meant = words(text), words(in_digits(reference))
    asked = set(words(question))
    if len(meant) < _LONG_ANSWER or not (
        _names(reference) <= set(spoken) and _names(text) <= {*meant, *asked}
    ):
        return 0.0
    return 2 * (Counter(spoken) & Counter(meant)).total() / (len(spoken) + len(meant))


def _names(text: str) -> set[str]:
    """The names and numbers in a text, which no overlap makes up for."""
    return {plain(word) for word in tokens(text)[1:] if word[0].isupper() or word[0].isdigit()}


def _sentences_alone(right: Sequence[str]) -> bool:
    """Whether the accepted answers are sentences, so that one in other words cannot be told from a wrong one."""
    whole = [
        len(words(name)) >= _SENTENCE or (len(words(name)) > _LONG_ANSWER and has_verb(name))
        for name in right
    ]
    return 2 * sum(whole) > len(whole)


def grade_reference(answers: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Return the grades of answers by `reference_grade`.

    Parameters
    ----------
    answers
        Columns ``question_id``, ``prompt``, ``text``; others are not looked at.
    questions
        The questions table.

    Returns
    -------
    DataFrame
        A row an answer, in their order: ``question_id, prompt, grade, outcome``.

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
