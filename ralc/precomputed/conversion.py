"""What other tools saved, as the rows of precomputed samples and of questions (``ralc import``)."""

import inspect
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ralc.datasets.user_dataset import QuestionRow
from ralc.io.files import json_line, write_text
from ralc.io.rows import Faults, FaultsError, Row, kept, placed
from ralc.precomputed.harnesses import from_inspect, from_lm_eval
from ralc.precomputed.replies import from_openai, from_vllm
from ralc.precomputed.samples import SampleRow, placeholders, without_reasoning
from ralc.precomputed.tables import from_table, from_uqlm
from ralc.registry import CORRECT, INCORRECT

#: The formats by name: functions of a file that return rows of what it has of both kinds of columns. A key `copy`
#: names an answer, so that one that stands twice is one.
FORMATS: dict[str, Callable[..., list[Row]]] = {
    "table": from_table,
    "openai": from_openai,
    "vllm": from_vllm,
    "lm_eval": from_lm_eval,
    "inspect_ai": from_inspect,
    "uqlm": from_uqlm,
}
_SAMPLE, _QUESTION = frozenset(SampleRow.model_fields), frozenset(QuestionRow.headers)
#: Columns with a value for each answer, those that name a question, and one that may differ among its answers.
_OF_ANSWERS = ("answers", "token_logprobs", "tokens", "correct", "facts")
_NAMES, _LOOSE = {"question_id", "question"}, "prompt_tokens"


def convert(form: str, path: str | Path, **options: str | None) -> list[Row]:
    """Return the rows of a file of a format, one a question; options that are None are not given.

    Raises
    ------
    ValueError
        If there is no such format, or option of it; or the file is not of the format, whose place is named.
    """
    if form not in FORMATS:
        raise ValueError(f"no format {form!r} here: {', '.join(FORMATS)}; of another tool make a table")
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in inspect.signature(FORMATS[form]).parameters:
            takes = [one for one, known in FORMATS.items() if name in inspect.signature(known).parameters]
            raise ValueError(f"--{name.replace('_', '-')} is for {', '.join(takes)}, not for {form}")
    return together(FORMATS[form](path, **given), path)


def together(rows: Iterable[Row], path: str | Path) -> list[Row]:
    """Return rows of one question as one row, with the answers of all of them, each copy once.

    Raises
    ------
    ValueError
        If there is no row, two of one question differ in what is asked or accepted, or two copies of one answer differ.
    """
    of_question: dict[Any, list[Row]] = {}
    for place, row in enumerate(rows):
        name = row.cells.get("question_id") or " ".join(str(row.cells.get("question") or place).split())
        of_question.setdefault(str(name), []).append(row)
    if not of_question:
        raise ValueError(f"{path}: holds no answer")
    single = {name: _without_copies(same) for name, same in of_question.items()}
    copies = sum(len(of_question[name]) - len(same) for name, same in single.items())
    if copies:
        print(f"{path}: {copies} answers stand there twice, and count once", file=sys.stderr)
    return [same[0]._replace(cells=_joined(same)) for same in single.values()]


def _without_copies(same: list[Row]) -> list[Row]:
    """Return the rows of a question without copies, which name the same `copy`."""
    first: dict[Any, Row] = {}
    for at, row in enumerate(same):
        cells = dict(row.cells)
        known = first.setdefault(cells.pop("copy", None) or at, row._replace(cells=cells))
        for column in ("answers", "correct"):
            if known.cells.get(column) != cells.get(column):
                raise ValueError(
                    f"{row.where}, column {column!r}: {cells.get(column)!r:.80}, and {known.cells.get(column)!r:.80} "
                    f"in {known.where}, of one answer; keep one of the two (of an old lm-evaluation-harness: log with "
                    "a newer one, which names its filters, or leave --correct out)"
                )
    return list(first.values())


def _joined(same: list[Row]) -> dict[str, Any]:
    """Return the values of several rows as one's."""
    (_, first, joined), *others = same
    for _, where, row in others:
        for name in (joined.keys() | row.keys()) - {*_OF_ANSWERS, _LOOSE}:
            if row.get(name) != joined.get(name):
                raise ValueError(
                    f"{where}, column {name!r}: {row.get(name)!r:.80} differs from {joined.get(name)!r:.80} in "
                    f"{first}, an answer to the same question; name other questions otherwise (question_id)"
                )
    if not others:
        return joined
    several: dict[str, list[Any]] = {name: [] for name in _OF_ANSWERS if any(name in row for *_, row in same)}
    for *_, row in same:
        n = len(row["answers"]) if isinstance(row.get("answers"), list) else 1
        for name, values in several.items():
            value = row.get(name)
            values += value if isinstance(value, list) else [value] * n
    return joined | several


def samples_of(rows: Iterable[Row], path: str | Path) -> list[dict[str, Any]]:
    """Return the rows of samples among what was read, without reasoning, checked as they are when they are read again.

    Raises
    ------
    ValueError
        If a row holds no answer or something else than was expected; every such place is named.
    """
    made = [without_reasoning(row) for row in _all(rows, SampleRow)]
    logprobs = [values for row in made for values in row.token_logprobs if values]
    if note := placeholders(logprobs):
        print(f"{path}: {note}", file=sys.stderr)
        made = [row.model_copy(update=dict.fromkeys(("token_logprobs", "tokens"), ())) for row in made]
    known = sum(tokens is not None for row in made for tokens in row.tokens)
    if not note and 0 < known < len(logprobs):
        print(
            f"{path}: the tokens of {len(logprobs) - known} of {len(logprobs)} answers do not make up their text, and "
            "are left out",
            file=sys.stderr,
        )
    return [_written(row) for row in made]


def _written(row: SampleRow) -> dict[str, Any]:
    """Return a row as a file has it: what it holds, right and wrong as 1 and 0."""
    cells = {
        name: value
        for name, value in row.model_dump().items()
        if (any(one is not None for one in value) if isinstance(value, tuple) else value)
    }
    if "correct" in cells:
        numbers = {CORRECT: 1, INCORRECT: 0}
        cells["correct"] = [numbers.get(grade, grade) for grade in cells["correct"]]
    return cells


def questions_of(rows: list[Row], path: str | Path) -> list[dict[str, Any]]:
    """Return the rows of questions among what was read, checked as they are when they are read again.

    Raises
    ------
    ValueError
        If nothing is accepted anywhere, or a question is none (its place is named).
    """
    if not any(row.cells.keys() & _QUESTION - _NAMES - {"subject"} for row in rows):
        raise ValueError(f"{path}: says of no question what is accepted, so it makes no file of questions")
    return [row.model_dump(exclude_unset=True) for row in _all(rows, QuestionRow)]


def _all(rows: Iterable[Row], model: type[SampleRow] | type[QuestionRow]) -> list[Any]:
    """Return the model of every row, of the columns that are its own; every place where that is none is named."""
    columns, faults = _SAMPLE if model is SampleRow else _QUESTION, Faults()

    def checked(row: Row) -> Any:
        own = {name: cell for name, cell in row.cells.items() if name in columns and cell is not None}
        with placed(row.where):
            return model.of(row._replace(cells=own))

    made = list(kept(rows, checked, faults))
    if faults:
        raise FaultsError(faults)
    return made


def write(rows: Iterable[dict[str, Any]], path: str | Path) -> None:
    """Write rows as JSON lines."""
    write_text("".join(json_line(row) + "\n" for row in rows), path)
