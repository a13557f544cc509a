"""The cells of a row of recorded samples, each checked; a fault says what is wrong with it."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from ralc.names import CORRECT, INCORRECT, NOT_ATTEMPTED

#: How grades are spelt, beside their own names.
_GRADES = {"A": CORRECT, "B": INCORRECT, "C": NOT_ATTEMPTED, CORRECT: CORRECT, INCORRECT: INCORRECT}
_GRADES[NOT_ATTEMPTED] = NOT_ATTEMPTED
_OUTCOMES = dict.fromkeys(("1", "1.0", "true"), CORRECT) | dict.fromkeys(("0", "0.0", "false"), INCORRECT)
#: Rounding lets a log-probability be so much above 0.
_ROUNDING = 1e-3
#: A labelled stretch of an answer: start and end in characters, how many of its facts are right, how many it has.
Stretch = tuple[int, int, int, int]
#: Makes the error of a column of the row at hand.
Fault = Callable[[str, str], ValueError]


def answers_in(value: Any, fault: Fault) -> tuple[str, ...]:
    """The answers: texts, at least one; one text alone is a list of one."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not listed:
        raise fault(
            "answers",
            "is missing: a list of texts" if value is None else f"{value!r:.80} is no list of texts",
        )
    for place, answer in enumerate(listed):
        if not isinstance(answer, str):
            raise fault("answers", f"answer {place + 1}, {answer!r:.80}, is not a text")
    return tuple(listed)


def logprobs_in(
    cells: dict[str, Any], column: str, n: int, fault: Fault
) -> tuple[tuple[float, ...] | None, ...]:
    """The log-probabilities of each answer in a column; None for an answer of which one is missing."""
    value = cells.get(column)
    if value is None:
        return (None,) * n
    if not isinstance(value, list) or len(value) != n:
        size = len(value) if isinstance(value, list) else "no"
        raise fault(column, f"{size} lists for {n} answers: a list of numbers for each, or null")
    return tuple(_logprobs_of(numbers, column, place + 1, fault) for place, numbers in enumerate(value))


def _logprobs_of(numbers: Any, column: str, place: int, fault: Fault) -> tuple[float, ...] | None:
    if missing(numbers) or (isinstance(numbers, list) and (not numbers or any(map(missing, numbers)))):
        return None
    if not isinstance(numbers, list):
        raise fault(column, f"that of answer {place}, {numbers!r:.80}, is no list of numbers")
    for number in numbers:
        if not _is_number(number) or not -math.inf < number <= _ROUNDING:
            raise fault(
                column,
                f"answer {place} has {number!r}: a log-probability in nats is a number not above 0",
            )
    return tuple(min(float(number), 0.0) for number in numbers)


def tokens_in(
    value: Any, logprobs: Sequence[tuple[float, ...] | None], fault: Fault
) -> tuple[tuple[str, ...] | None, ...]:
    """The tokens of each answer as they are written, one for each of its log-probabilities; None where none came."""
    if value is None:
        return (None,) * len(logprobs)
    if not isinstance(value, list) or len(value) != len(logprobs):
        raise fault(
            "tokens", f"no list for each of {len(logprobs)} answers: a list of texts for each, or null"
        )
    for place, (own, values) in enumerate(zip(value, logprobs, strict=True), start=1):
        if missing(own):
            continue
        if not isinstance(own, list) or not all(isinstance(token, str) for token in own):
            raise fault("tokens", f"those of answer {place}, {own!r:.80}, are no list of texts")
        if len(own) != len(values or ()):
            raise fault(
                "tokens", f"answer {place} has {len(own)} tokens and {len(values or ())} log-probabilities"
            )
    return tuple(None if missing(own) else tuple(own) for own in value)


def grades_in(cells: dict[str, Any], n: int, fault: Fault) -> tuple[str | None, ...]:
    """The grade of each answer, from `correct` or `grade`."""
    given = [column for column in ("correct", "grade") if column in cells]
    if len(given) == 2:
        raise fault("grade", "stands beside 'correct': keep one")
    if not given:
        return (None,) * n
    (column,) = given
    values = cells[column] if isinstance(cells[column], list) else [cells[column]]
    if len(values) != n:
        raise fault(column, f"{len(values)} values for {n} answers")
    return grades_of(values, column, outcome_in if column == "correct" else _grade, fault)


def grades_of(
    values: list[Any], column: str, parsed: Callable[[Any], str | None], fault: Fault
) -> tuple[str | None, ...]:
    """The grades that values stand for; None for a missing one."""
    found = [None if missing(value) else parsed(value) for value in values]
    for value, grade in zip(values, found, strict=True):
        if grade is None and not missing(value):
            allowed = ", ".join(_GRADES) if column == "grade" else "0, 1 or null"
            raise fault(column, f"{value!r:.80} is not one of {allowed}")
    return tuple(found)


def facts_in(value: Any, answers: tuple[str, ...], fault: Fault) -> tuple[tuple[Stretch, ...] | None, ...]:
    """The labelled stretches of each answer; None for an answer without."""
    if value is None:
        return (None,) * len(answers)
    if not isinstance(value, list) or len(value) != len(answers):
        raise fault("facts", f"no list of {len(answers)}: a list of stretches for each answer, or null")
    return tuple(
        None if missing(one) else tuple(_stretch(numbers, answer, place, fault) for numbers in one)
        for place, (one, answer) in enumerate(zip(value, answers, strict=True), 1)
    )


def _stretch(numbers: Any, answer: str, place: int, fault: Fault) -> Stretch:
    whole = isinstance(numbers, list) and len(numbers) == 4 and all(type(one) is int for one in numbers)
    if whole:
        start, end, right, every = numbers
        whole = 0 <= start < end <= len(answer) and 0 <= right <= every > 0
    if not whole:
        raise fault(
            "facts",
            f"answer {place} has {numbers!r:.80}: start and end in its {len(answer)} characters, facts that are "
            "right, and facts, at least one",
        )
    return tuple(numbers)


def share_right(facts: Sequence[Stretch], start: int, end: int) -> float | None:
    """Return the share of a sentence's facts that is right, of those that its answer has; None where it has none.

    A labelled stretch and a sentence are one where they share half of the shorter.
    """
    own = [
        one
        for one in facts
        if 2 * (min(one[1], end) - max(one[0], start)) >= min(one[1] - one[0], end - start)
    ]
    right, found = (sum(one[place] for one in own) for place in (2, 3))
    return right / found if found else None


def outcome_in(value: Any) -> str | None:
    """The grade that a 0 or 1 (or a truth value) stands for; None for anything else."""
    return _OUTCOMES.get(str(value).lower())


def _grade(value: Any) -> str | None:
    return _GRADES.get(value.strip()) if isinstance(value, str) else None


def hedged_in(value: Any, fault: Fault) -> str | None:
    """The hedged answer, where there is one."""
    if not isinstance(value, str | None):
        raise fault("hedged_answer", f"{value!r:.80} is not a text")
    return value


def count_in(value: Any, fault: Fault) -> int:
    """A number of tokens."""
    number = float(value) if str(value).replace(".", "", 1).isdecimal() else -1.0
    if not 0 <= number < 2**31 or number % 1:
        raise fault("prompt_tokens", f"{value!r:.80} is no count")
    return int(number)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def missing(value: Any) -> bool:
    """Whether a value stands for none."""
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))
