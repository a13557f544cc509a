"""The file of recorded samples: a row a question, checked cell by cell."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from ralc.names import CORRECT, INCORRECT, NOT_ATTEMPTED
from ralc.textfiles import read_delimited, read_json_lines

COLUMNS = (
    "question_id",
    "question",
    "answers",
    "token_logprobs",
    "correct",
    "grade",
    "hedged_answer",
    "hedged_correct",
    "prompt_tokens",
)
#: How grades are spelt, beside their own names.
_GRADES = {"A": CORRECT, "B": INCORRECT, "C": NOT_ATTEMPTED, CORRECT: CORRECT, INCORRECT: INCORRECT}
_GRADES[NOT_ATTEMPTED] = NOT_ATTEMPTED
_OUTCOMES = {1: CORRECT, 0: INCORRECT}
#: Rounding lets a log-probability be so much above 0.
_ROUNDING = 1e-3
#: Where more of the answers than this have log-probabilities of exactly 0, they are placeholders: a model that is
#: certain of every token of so many answers needs no calibration.
MOST_CERTAIN = 0.5


@dataclass(frozen=True)
class Row:
    """What was recorded of a question.

    Parameters
    ----------
    where
        Where it stands: file and line (or row, counted from 1).
    question_id, question
        What names the question; one of them may be empty.
    answers
        The sampled answers, at least one.
    token_logprobs
        Log-probabilities of the tokens of each answer, nats; None for an answer without them.
    grades
        The grade of each answer; None for one without.
    hedged_answer, hedged_grade
        The answer that says its own certainty, and its grade.
    prompt_tokens
        Tokens of the prompt, 0 where that is not known.
    """

    where: str
    question_id: str
    question: str
    answers: tuple[str, ...]
    token_logprobs: tuple[tuple[float, ...] | None, ...]
    grades: tuple[str | None, ...]
    hedged_answer: str | None
    hedged_grade: str | None
    prompt_tokens: int

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits that name what the row answers, whatever file it stands in."""
        said = [self.question_id, self.question, self.answers, self.token_logprobs, self.hedged_answer]
        return hashlib.sha256(json.dumps([*said, self.prompt_tokens]).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Recorded:
    """The rows of a file, and what was found missing in them.

    Parameters
    ----------
    rows
        A row a question.
    notes
        One line for each thing that is left out, with its count.
    """

    rows: tuple[Row, ...]
    notes: tuple[str, ...]

    @cached_property
    def by_digest(self) -> dict[str, Row]:
        """The rows by what they answer."""
        return {row.digest: row for row in self.rows}

    def of(self, question_id: str, question: str) -> Row | None:
        """The row of a question: by its id, else by its text."""
        return self._by_name.get(("id", question_id)) or self._by_name.get(("text", _plain(question)))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Row]:
        texts = {("text", _plain(row.question)): row for row in self.rows if row.question}
        return texts | {("id", row.question_id): row for row in self.rows if row.question_id}


def read_first(paths: Sequence[str | Path]) -> Recorded | None:
    """Return the recorded samples of the one file named; None where none is (a target that is asked)."""
    return read(paths[0]) if paths else None


def read(path: str | Path) -> Recorded:
    """Return the recorded samples of a file: ``.jsonl``, ``.csv``, ``.tsv`` or ``.parquet``, a row a question.

    Columns: ``question`` or ``question_id``; ``answers``, a list of texts (one text is a list of one). Optional:
    ``token_logprobs`` (a list for each answer, nats), ``correct`` (0, 1 or null for each answer) or ``grade``
    (CORRECT, INCORRECT, NOT_ATTEMPTED, or A, B, C), ``hedged_answer`` and ``hedged_correct``,
    ``prompt_tokens``. In a cell of CSV a list is JSON.

    Log-probabilities that are placeholders (see `MOST_CERTAIN`) are left out.

    Raises
    ------
    ValueError
        Naming file, row and column of the first fault.
    """
    path = Path(path)
    if path.suffix.lower() not in _READERS:
        raise ValueError(f"{path}: a file of recorded samples ends in {', '.join(_READERS)}")
    rows = [_row(cells, where) for where, cells in _READERS[path.suffix.lower()](path)]
    if not rows:
        raise ValueError(f"{path}: holds no row")
    _refuse_repeats(rows)
    return _noted(rows)


def _json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for line, row in read_json_lines(path):
        yield f"{path}, line {line}", {name: value for name, value in row.items() if value is not None}


def _delimited(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for line, cells in read_delimited(path):
        where = f"{path}, line {line}"
        yield where, {name: _cell(cell, f"{where}, column {name!r}") for name, cell in cells.items() if cell}


def _cell(cell: str, where: str) -> Any:
    """A cell that begins like a list is JSON."""
    if not cell.startswith("["):
        return cell
    try:
        return json.loads(cell)
    except ValueError as error:
        raise ValueError(f"{where}: begins like a JSON list and is none ({error})") from None


def _parquet(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        records = pd.read_parquet(path).to_dict("records")
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{path}: cannot be read as parquet ({' '.join(str(error).split())[:200]})"
        ) from None
    for number, record in enumerate(records, 1):
        plain = {name: _listed(value) for name, value in record.items()}
        yield f"{path}, row {number}", {name: value for name, value in plain.items() if not _missing(value)}


def _listed(value: Any) -> Any:
    """A value with its arrays as lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [_listed(item) for item in value] if isinstance(value, list | tuple) else value


_READERS: dict[str, Callable[[Path], Iterator[tuple[str, dict[str, Any]]]]] = {
    ".jsonl": _json_lines,
    ".csv": _delimited,
    ".tsv": _delimited,
    ".parquet": _parquet,
}


def _row(cells: dict[str, Any], where: str) -> Row:
    """A row, checked column by column."""
    for column in cells:
        if column not in COLUMNS:
            raise ValueError(f"{where}, column {column!r}: unknown; known: {', '.join(COLUMNS)}")

    def fault(column: str, message: str) -> ValueError:
        return ValueError(f"{where}, column {column!r}: {message}")

    if not {"question", "question_id"} & set(cells):
        raise fault("question", "is missing, and so is question_id")
    names = {column: cells.get(column, "") for column in ("question_id", "question")}
    for column, value in names.items():
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise fault(column, f"{value!r} is not a text")
    answers = _answers(cells.get("answers"), fault)
    return Row(
        where,
        str(names["question_id"]).strip(),
        str(names["question"]).strip(),
        answers,
        _logprobs(cells.get("token_logprobs"), len(answers), fault),
        _grades(cells, len(answers), fault),
        _hedged(cells.get("hedged_answer"), fault),
        _grades_of([cells.get("hedged_correct")], "hedged_correct", _outcome, fault)[0],
        _count(cells.get("prompt_tokens", 0), fault),
    )


_Fault = Callable[[str, str], ValueError]


def _answers(value: Any, fault: _Fault) -> tuple[str, ...]:
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


def _logprobs(value: Any, n: int, fault: _Fault) -> tuple[tuple[float, ...] | None, ...]:
    """The log-probabilities of each answer; None for an answer of which one is missing."""
    if value is None:
        return (None,) * n
    if not isinstance(value, list) or len(value) != n:
        size = len(value) if isinstance(value, list) else "no"
        raise fault("token_logprobs", f"{size} lists for {n} answers: a list of numbers for each, or null")
    return tuple(_logprobs_of(numbers, place + 1, fault) for place, numbers in enumerate(value))


def _logprobs_of(numbers: Any, place: int, fault: _Fault) -> tuple[float, ...] | None:
    if _missing(numbers) or (isinstance(numbers, list) and (not numbers or any(map(_missing, numbers)))):
        return None
    if not isinstance(numbers, list):
        raise fault("token_logprobs", f"that of answer {place}, {numbers!r:.80}, is no list of numbers")
    for number in numbers:
        if not _is_number(number) or not -math.inf < number <= _ROUNDING:
            raise fault(
                "token_logprobs",
                f"answer {place} has {number!r}: a log-probability in nats is a number not above 0",
            )
    return tuple(min(float(number), 0.0) for number in numbers)


def _grades(cells: dict[str, Any], n: int, fault: _Fault) -> tuple[str | None, ...]:
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
    return _grades_of(values, column, _outcome if column == "correct" else _grade, fault)


def _grades_of(
    values: list[Any], column: str, parsed: Callable[[Any], str | None], fault: _Fault
) -> tuple[str | None, ...]:
    found = [None if _missing(value) else parsed(value) for value in values]
    for value, grade in zip(values, found, strict=True):
        if grade is None and not _missing(value):
            allowed = ", ".join(_GRADES) if column == "grade" else "0, 1 or null"
            raise fault(column, f"{value!r:.80} is not one of {allowed}")
    return tuple(found)


def _outcome(value: Any) -> str | None:
    return _OUTCOMES.get(int(value)) if str(value) in ("0", "1", "0.0", "1.0", "True", "False") else None


def _grade(value: Any) -> str | None:
    return _GRADES.get(value.strip()) if isinstance(value, str) else None


def _hedged(value: Any, fault: _Fault) -> str | None:
    if not isinstance(value, str | None):
        raise fault("hedged_answer", f"{value!r:.80} is not a text")
    return value


def _count(value: Any, fault: _Fault) -> int:
    number = float(value) if str(value).replace(".", "", 1).isdecimal() else -1.0
    if number < 0 or number != int(number):
        raise fault("prompt_tokens", f"{value!r:.80} is no count")
    return int(number)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _refuse_repeats(rows: list[Row]) -> None:
    """Every question once."""
    names = [
        ("question_id", row.question_id) if row.question_id else ("question", row.question) for row in rows
    ]
    for (column, value), count in Counter(names).items():
        if count > 1:
            places = [row.where for row, name in zip(rows, names, strict=True) if name == (column, value)]
            raise ValueError(
                f"{places[1]}, column {column!r}: {value!r:.80} stands in {places[0]}, too; keep one"
            )


def _noted(rows: list[Row]) -> Recorded:
    """The rows without placeholders, and what is missing in them."""
    notes = []
    known = [values for row in rows for values in row.token_logprobs if values is not None]
    answers = sum(len(row.answers) for row in rows)
    certain = sum(not any(values) for values in known)
    if known and certain > MOST_CERTAIN * len(known):
        notes.append(
            f"token_logprobs of {certain} of {len(known)} answers are exactly 0: placeholders, all left out, and "
            "with them the signal token_probability"
        )
        rows = [_without_logprobs(row) for row in rows]
    elif not known:
        notes.append("no token_logprobs: no signal token_probability")
    elif len(known) < answers:
        notes.append(f"{answers - len(known)} of {answers} answers lack token_logprobs")
    if all(len(row.answers) == 1 for row in rows):
        notes.append("one answer a question: no signal semantic_uncertainty")
    lacking = sum(row.hedged_answer is None for row in rows)
    if lacking:
        notes.append(f"{lacking} of {len(rows)} rows lack hedged_answer: no hedged_qa for them")
    return Recorded(tuple(rows), tuple(notes))


def _without_logprobs(row: Row) -> Row:
    fields = {name: getattr(row, name) for name in Row.__dataclass_fields__}
    return Row(**fields | {"token_logprobs": (None,) * len(row.answers)})
