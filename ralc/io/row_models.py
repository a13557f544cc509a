"""One pydantic model a row of users' tables: questions, sampled answers, scored answers.

A row that is wrong is refused with its file, line and column, and what is right.
"""

import difflib
import hashlib
import json
import math
import re
import string
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ralc.io.console import say
from ralc.io.rows import Faults, FaultsError, Row, filled, format_of, kept, named, read_rows
from ralc.io.text import list_cell
from ralc.registry import CORRECT, INCORRECT, LONG, NOT_ATTEMPTED

#: What stands between several values in one delimited cell.
SEPARATOR = "|"
_LETTERS = string.ascii_uppercase
_MISSING = ("", "nan", "null", "none", "na", "n/a")
_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_GRADES = {"A": CORRECT, "B": INCORRECT, "C": NOT_ATTEMPTED}
_GRADES |= {grade: grade for grade in _GRADES.values()}
_NAMED = re.compile(r"(direct|hedged) answers of record ([0-9a-f]{16})")
#: Rounding lets a log-probability be so much above 0.
_ROUNDING = 1e-3
#: A labelled stretch of an answer: start and end in characters, how many of its facts are right, how many it has.
Stretch = tuple[int, int, int, int]


def is_missing(value: Any) -> bool:
    """Tell whether a value stands for none: null, NaN, or a text that says so."""
    if isinstance(value, str):
        return value.strip().casefold() in _MISSING
    return value is None or (isinstance(value, float) and math.isnan(value))


def _id(value: Any) -> str:
    return _text(str(value) if type(value) is int else value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{value!r:.80} is not a text")
    return value.strip()


def _list(value: Any) -> Any:
    """Return the list of a cell, which may be JSON or as Python writes it; a text alone is a list of one."""
    if not isinstance(value, str):
        return value
    return list_cell(value.strip(), "cell") if value.lstrip().startswith("[") else [value]


def _texts(value: Any) -> tuple[str, ...]:
    """Return a list of texts; values joined by `SEPARATOR` in one text are taken apart."""
    listed = value
    if isinstance(value, str):
        listed = _list(value) if value.lstrip().startswith("[") else value.split(SEPARATOR)
        listed = [one for one in listed if not isinstance(one, str) or one.strip()]
    if not isinstance(listed, list | tuple) or not all(
        isinstance(one, str) and one.strip() for one in listed
    ):
        raise ValueError(f"{value!r:.80} is not a list of texts")
    return tuple(one.strip() for one in listed)


def _answers(value: Any) -> tuple[str, ...]:
    listed = _list(value)
    if not isinstance(listed, list | tuple) or not listed:
        raise ValueError(
            "is missing: a list of texts" if value is None else f"{value!r:.80} is no list of texts"
        )
    for place, answer in enumerate(listed, 1):
        if not isinstance(answer, str):
            raise ValueError(f"answer {place}, {answer!r:.80}, is not a text")
    return tuple(listed)


def _outcome(value: Any) -> str | None:
    """Return the grade of a 0 or 1, true or false, CORRECT or INCORRECT, A, B or C; None where there is none."""
    if is_missing(value):
        return None
    said = str(value).strip()
    truth = _TRUTHS.get(said.casefold().removesuffix(".0"))
    grade = _GRADES.get(said) if truth is None else CORRECT if truth else INCORRECT
    if grade is None:
        raise ValueError(f"{value!r:.80} is not one of 0, 1, {', '.join(_GRADES)} or null")
    return grade


def _outcomes(value: Any) -> tuple[str | None, ...]:
    listed = _list(value)
    return tuple(map(_outcome, listed if isinstance(listed, list | tuple) else [listed]))


def _logprobs(value: Any) -> tuple[tuple[float, ...] | None, ...]:
    """Return a list of log-probabilities (nats) for each answer; None for one of which some are missing."""
    listed = _list(value)
    if not isinstance(listed, list | tuple):
        raise ValueError(f"{value!r:.80} is no list with a list of numbers, or null, for each answer")
    return tuple(_nats(numbers, place) for place, numbers in enumerate(listed, 1))


def _nats(numbers: Any, place: int) -> tuple[float, ...] | None:
    if is_missing(numbers):
        return None
    if not isinstance(numbers, list | tuple):
        raise ValueError(f"that of answer {place}, {numbers!r:.80}, is no list of numbers")
    if not numbers or any(map(is_missing, numbers)):
        return None
    for number in numbers:
        right = isinstance(number, int | float) and not isinstance(number, bool)
        if not right or not -math.inf < number <= _ROUNDING:
            raise ValueError(
                f"answer {place} has {number!r}: a log-probability in nats is a number not above 0"
            )
    return tuple(min(float(number), 0.0) for number in numbers)


def _each(what: str, check: Callable[[Any], Any]) -> BeforeValidator:
    """Return the validator of a list with a list, or null, for each answer."""

    def checked(value: Any) -> Any:
        listed = _list(value)
        if not isinstance(listed, list | tuple):
            raise ValueError(f"{value!r:.80} is no list with {what}, or null, for each answer")
        return tuple(None if is_missing(one) else check(one) for one in listed)

    return BeforeValidator(checked)


def _pieces(tokens: Any) -> tuple[str, ...]:
    if not isinstance(tokens, list | tuple) or not all(isinstance(one, str) for one in tokens):
        raise ValueError(f"{tokens!r:.80} is no list of texts")
    return tuple(tokens)


def _stretches(numbers: Any) -> tuple[Stretch, ...]:
    for one in numbers:
        if not isinstance(one, list | tuple) or [type(each) for each in one] != [int] * 4:
            raise ValueError(f"{one!r:.80} is not start, end, facts that are right, facts")
        start, end, right, every = one
        if not (0 <= start < end and 0 <= right <= every > 0):
            raise ValueError(f"{one!r:.80} is not start, end, facts that are right, facts (at least one)")
    return tuple(tuple(one) for one in numbers)


def _count(value: Any) -> int:
    number = float(value) if str(value).replace(".", "", 1).isdecimal() else -1.0
    if not 0 <= number < 2**31 or number % 1:
        raise ValueError(f"{value!r:.80} is no count")
    return int(number)


def _truth(value: Any) -> bool:
    found = _TRUTHS.get(str(value).strip().casefold())
    if found is None:
        raise ValueError(f"{value!r} is not true or false")
    return found


Text = Annotated[str, BeforeValidator(_text)]
Id = Annotated[str, BeforeValidator(_id)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]
Answers = Annotated[tuple[str, ...], BeforeValidator(_answers)]
Outcomes = Annotated[tuple[str | None, ...], BeforeValidator(_outcomes)]
LogProbs = Annotated[tuple[tuple[float, ...] | None, ...], BeforeValidator(_logprobs)]
Pieces = Annotated[tuple[tuple[str, ...] | None, ...], _each("a list of texts", _pieces)]
Facts = Annotated[tuple[tuple[Stretch, ...] | None, ...], _each("a list of stretches", _stretches)]


class RowModel(BaseModel):
    """A row whose columns may have the `headers` as other names, likeliest first, in any case."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    headers: ClassVar[dict[str, str]] = {}

    @classmethod
    def of(cls, row: Row) -> Self:
        """Return a checked row; ValueError names its place and the first column that is wrong."""
        try:
            return cls.model_validate(row.cells)
        except ValidationError as error:
            raise ValueError(f"{row.where}, {cls._fault(error)}") from None

    @classmethod
    def _fault(cls, error: ValidationError) -> str:
        first = error.errors(include_url=False)[0]
        reason = first["msg"].removeprefix("Value error, ").removeprefix("cell: ")
        if not first["loc"]:
            return reason
        reason = {
            "missing": "is missing",
            "extra_forbidden": f"unknown; known: {', '.join(cls.model_fields)}",
        }.get(first["type"], reason)
        return f"column {str(first['loc'][0])!r}: {reason}"


def read_models(path: str | Path, model: type[RowModel]) -> list[tuple[Row, Any]]:
    """Return the rows of a file, each with its model; columns that the model does not have are named and left out.

    Raises
    ------
    FaultsError
        With the place of every row that is wrong.
    ValueError
        If a column has nearly the name of a known one.
    """
    faults: Faults = []
    rows = read_rows(path, faults=faults)
    called = columns_of(path, rows, model)
    delimited = format_of(path) in ("csv", "tsv")

    def checked(row: Row) -> tuple[Row, Any]:
        row = filled(row, called, delimited=delimited)
        return row, model.of(row)

    found = list(kept(rows, checked, faults))
    if faults:
        raise FaultsError(faults)
    return found


def columns_of(path: str | Path, rows: Iterable[Row], model: type[RowModel]) -> dict[str, str]:
    """Return what a file's columns are called in a model; those that it does not have are named on the console."""
    columns = dict.fromkeys(name for row in rows for name in row.cells if name)
    fields = model.model_fields
    called = {name: name for name in columns if name in fields} | named(columns, model.headers)
    left = [name for name in columns if name not in called]
    for name in left:
        if near := difflib.get_close_matches(name.casefold(), fields, 1, 0.8):
            raise ValueError(
                f"{path}, column {name!r}: unknown; is it {near[0]!r}? Known are {', '.join(fields)}"
            )
    if left:
        say(f"{path}: columns left out: {', '.join(left)}")
    return called


class QuestionRow(RowModel):
    """A question: what is asked, what is accepted, and what is known to be wrong."""

    headers: ClassVar[dict[str, str]] = {
        "question_id": "question_id id qid",
        "format": "format",
        "question": "question prompt query problem",
        "context": "context",
        "title": "title",
        "choices": "choices options",
        "correct_choice": "correct_choice answerkey answer_index answer_idx",
        "best_answer": "best_answer",
        "wrong": "wrong incorrect_answers",
        "answerable": "answerable",
        "subject": "subject category topic",
        "group": "group",
        "accepted": "accepted accepted_answer accepted_answers correct_answer correct_answers gold gold_answer "
        "gold_answers reference_answer reference_answers references ground_truth target targets aliases answer answers",
    }

    question: Text
    question_id: Id | None = None
    format: Text | None = None
    context: Text | None = None
    title: Text | None = None
    subject: Text | None = None
    group: Text | None = None
    accepted: Texts = ()
    wrong: Texts = ()
    choices: Texts = ()
    correct_choice: int | None = None
    answerable: Annotated[bool, BeforeValidator(_truth)] = True

    @model_validator(mode="before")
    @classmethod
    def _of_the_field(cls, cells: dict[str, Any]) -> dict[str, Any]:
        """Bring the structures of the hub's datasets into these columns."""
        cells = dict(cells)
        accepted, choices = cells.get("accepted"), cells.get("choices")
        if isinstance(accepted, dict) and "value" in accepted:  # TriviaQA
            cells["accepted"] = list(dict.fromkeys([accepted["value"], *(accepted.get("aliases") or [])]))
        elif isinstance(accepted, dict) and "answer_start" in accepted:  # SQuAD
            cells["accepted"] = list(dict.fromkeys(accepted["text"]))
            cells.setdefault("answerable", bool(accepted["text"]))
            cells.setdefault("group", cells.get("title"))
        if isinstance(choices, dict) and "label" in choices:  # ARC
            cells["choices"], labels = choices["text"], [str(one) for one in choices["label"]]
            if str(cells.get("correct_choice")) in labels:
                cells["correct_choice"] = labels.index(str(cells["correct_choice"]))
        if best := cells.pop("best_answer", None):  # TruthfulQA
            cells["accepted"] = list(dict.fromkeys([best, *_texts(cells.get("accepted") or [])]))
        if cells.get("choices"):
            cells |= _keyed(_texts(cells["choices"]), cells.get("accepted"), cells.get("correct_choice"))
        return cells

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not self.answerable and self.accepted:
            raise ValueError(
                "column 'answerable': is false, and yet an answer is accepted (a wrong one is 'wrong')"
            )
        if self.format == "reading_comprehension" and self.context is None:
            raise ValueError("column 'context': is missing: reading comprehension is asked of a text")
        if self.answerable and not self.accepted and self.format != LONG:
            raise ValueError(
                "column 'accepted': is missing (an answerable question needs an accepted answer)"
            )
        return self


def _keyed(choices: tuple[str, ...], accepted: Any, key: Any) -> dict[str, Any]:
    """Return the columns of multiple choice: the right one's number, and what is accepted and wrong."""
    if not 2 <= len(choices) <= len(_LETTERS):
        raise ValueError(
            f"column 'choices': {len(choices)} of them: from 2 to {len(_LETTERS)} can be chosen from"
        )
    aliases = [accepted] if type(accepted) is int else list(_texts(accepted if accepted is not None else []))
    named = {place_of(one, choices) for one in aliases} - {None}
    if key is None and len(named) != 1:
        raise ValueError(
            f"column 'correct_choice': is missing, and the accepted answers name {len(named)} of the choices"
        )
    correct = next(iter(named)) if key is None else place_of(key, choices)
    if (
        isinstance(key, str)
        and key.strip().isdecimal()
        and correct not in (None, int(key))
        and int(key) < len(choices)
    ):
        raise ValueError(
            f"column 'correct_choice': {key!r} is one choice and the number of another: give a letter"
        )
    if correct is None:
        raise ValueError(
            f"column 'correct_choice': {key!r} is not a number from 0 to {len(choices) - 1}, a letter from A or one "
            "of the choices"
        )
    if named - {correct}:
        raise ValueError(
            f"column 'correct_choice': is {choices[correct]!r}, and the accepted answers name another of the choices"
        )
    if [one.casefold() for one in choices].count(choices[correct].casefold()) > 1:
        raise ValueError(f"column 'choices': {choices[correct]!r}, which is right, stands twice")
    # A letter or number is accepted as the choice that it stands for.
    others = [one for one in aliases if isinstance(one, str) and len(one) > 1 and one != choices[correct]]
    wrong = [choice for place, choice in enumerate(choices) if place != correct]
    return {"correct_choice": correct, "accepted": [choices[correct], *others], "wrong": wrong}


def place_of(key: Any, choices: tuple[str, ...]) -> int | None:
    """Return the place of the choice that a text, a letter from A (any case) or a number from 0 names; else None.

    >>> [place_of(key, ("Mars", "Venus")) for key in ("venus", "b", "(B)", 1, "1", "Pluto")]
    [1, 1, 1, 1, 1, None]
    """
    text = str(key).strip()
    same = [place for place, choice in enumerate(choices) if choice.casefold() == text.casefold()]
    if same and type(key) is not int:
        return same[0]
    bare = text.strip("().: ").upper()
    place = int(bare) if re.fullmatch("[0-9]{1,2}", bare) else _LETTERS.find(bare) if len(bare) == 1 else -1
    return place if 0 <= place < len(choices) else None


#: The default of a column with a value for each answer.
_NONE_EACH: Any = Field(default_factory=lambda row: (None,) * len(row["answers"]))


class SampleRow(RowModel):
    """What was sampled of a question: its answers, and of each what is known."""

    question: Text = ""
    question_id: Id = ""
    answers: Answers
    raw_answers: Annotated[tuple[str | None, ...], _each("a text", str)] = _NONE_EACH
    token_logprobs: LogProbs = _NONE_EACH
    tokens: Pieces = _NONE_EACH
    correct: Outcomes = _NONE_EACH
    grade: Outcomes = _NONE_EACH
    facts: Facts = _NONE_EACH
    hedged_answer: str | None = None
    hedged_correct: Annotated[str | None, BeforeValidator(_outcome)] = None
    prompt_tokens: Annotated[int, BeforeValidator(_count)] = 0

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not self.question and not self.question_id:
            raise ValueError("column 'question': is missing, and so is question_id")
        if {"correct", "grade"} <= self.model_fields_set:
            raise ValueError("column 'grade': stands beside 'correct': keep one")
        n = len(self.answers)
        for column in (
            "raw_answers",
            "token_logprobs",
            "tokens",
            "correct",
            "grade",
            "facts",
        ):
            if len(values := getattr(self, column)) != n:
                raise ValueError(f"column {column!r}: {len(values)} values for {n} answers")
        for place, (own, values) in enumerate(zip(self.tokens, self.token_logprobs, strict=True), 1):
            if own is not None and len(own) != len(values or ()):
                raise ValueError(
                    f"column 'tokens': answer {place} has {len(own)} tokens and {len(values or ())} log-probabilities"
                )
        for place, (own, answer) in enumerate(zip(self.facts, self.answers, strict=True), 1):
            if any(end > len(answer) for _, end, *_ in own or ()):
                raise ValueError(f"column 'facts': answer {place} has {len(answer)} characters")
        return self

    @property
    def grades(self) -> tuple[str | None, ...]:
        """The grade of each answer; None for one without."""
        return self.grade if "grade" in self.model_fields_set else self.correct

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits that name what the row answers, whatever file it stands in."""
        told = [self.question_id, self.question, self.answers, self.token_logprobs, self.hedged_answer]
        told += [self.prompt_tokens, *([self.tokens] if any(self.tokens) else [])]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]

    def named(self, prompt: str) -> str:
        """Return the text of a request for the answers to a prompt; `row_named` reads it."""
        return f"{prompt} answers of record {self.digest}"


def row_named(text: str) -> tuple[str, str] | None:
    """Return the prompt and the row's digest that a request names (`SampleRow.named`); None for any other request."""
    match = _NAMED.fullmatch(text)
    return (match[1], match[2]) if match else None
