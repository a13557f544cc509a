"""What other tools saved, as the rows of precomputed samples and of questions (``ralc import``)."""

import inspect
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from ralc.datasets.user_dataset import QuestionRow
from ralc.io.files import json_line, write_text
from ralc.io.history import dialogue, messages_of
from ralc.io.rows import Cell, Row, listed, located, parsed, read_named
from ralc.precomputed.harnesses import from_inspect, from_lm_eval
from ralc.precomputed.replies import asked_in, from_openai, from_uqlm, text_in
from ralc.precomputed.samples import SampleRow, without_placeholders
from ralc.registry import CORRECT, INCORRECT

#: Columns with a value for each answer, and others that may differ among the answers to a question.
_OF_ANSWERS = ("answers", "token_logprobs", "tokens", "correct", "facts")
_LOOSE = ("prompt_tokens", "copy", "tools")
#: The columns of a table, and by which other names they are known, likeliest first: what is left of them is accepted.
HEADERS = {
    **{name: name for name in SampleRow.model_fields},
    "answers": "samples sampled_answers responses response model_answers model_answer model_responses model_response "
    "model_outputs model_output actual_output outputs_output outputs_answer attributes_output_value gen_ai_completion "
    "predictions prediction generations generation completions completion outputs output "
    "answers answer",
    "more_answers": "sampled_responses",
    "correct": "correct is_correct grade",
    "token_logprobs": "token_logprobs logprobs",
    "model": "model model_name",
    **QuestionRow.headers,
    "label": "",  # it may be the answer's
    "question_id": "question_id qid",  # an id may be of the row, one for each sample
}


def from_table(path: str | Path) -> list[Row]:
    """Return the rows of a table (``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``), named as in `HEADERS`.

    A row a question, with its answers as a list (in a cell as JSON, or as Python writes it), or a row an answer. A
    message is its text. One model is one file.
    """
    rows = read_named(path, HEADERS)
    # Of the model JSON may be the answer, unless the tool wrote every cell so.
    asked = [_written(row.cells["question"]) for row in rows if "question" in row.cells]
    in_json = bool(asked) and all(_value(cell) is not cell for cell in asked)
    for _, where, cells in rows:
        _take_texts(cells, in_json=in_json)
        with located(where, ""):
            if more := listed(cells.pop("more_answers", [])):  # of uqlm: beside the response
                cells["answers"] = [*listed(cells.get("answers", [])), *more]
    models = list(dict.fromkeys(str(row.cells.pop("model")) for row in rows if "model" in row.cells))
    if len(models) > 1:
        raise ValueError(
            f"{path}: holds answers of {len(models)} models ({', '.join(models[:4])}); keep those of one in a file"
        )
    return rows


def _take_texts(cells: dict[str, Any], *, in_json: bool) -> None:
    """Put the texts of messages in the place of these, and beside a question what was said before it."""
    for name in cells.keys() & {"question", "answers", "accepted"}:
        cell = _written(cells[name]) if in_json else cells[name]
        value = _value(cell, quoted=in_json) if in_json or name != "answers" else cell
        text = text_in(value)
        cells[name] = cell if name == "answers" and isinstance(text, dict) else text
        cells |= asked_in(value) if name == "question" and isinstance(value, list | dict) else {}


def _written(cell: Any) -> Any:
    """Return a value, a text that begins an object as the cell that a tool wrote, also in lines of JSON."""
    return Cell(cell) if type(cell) is str and cell[:1] == "{" else cell


def _value(cell: Any, *, quoted: bool = True) -> Any:
    """Return the object in a cell of a delimited text, or the text that it has `quoted` in JSON; else the cell."""
    value = parsed(cell)
    if quoted and cell == "null":
        return None
    if isinstance(cell, Cell) and quoted and cell[:1] == '"':
        with suppress(ValueError):
            value = from_json(cell)
    objects = value if isinstance(value, list) and value else [value]
    return value if type(value) is str or all(isinstance(one, dict) for one in objects) else cell


#: The formats by name: functions of a file that return rows of what it has of both kinds of columns. A key `copy` has
#: what names an answer, and all that it holds; `tools` how many messages no history holds.
FORMATS: dict[str, Callable[..., list[Row]]] = {
    "table": from_table,
    "openai": from_openai,
    "lm_eval": from_lm_eval,
    "inspect_ai": from_inspect,
    "uqlm": from_uqlm,
}


def convert(form: str, path: str | Path, **options: str | None) -> list[Row]:
    """Return the rows of a file of a format, one a question.

    Parameters
    ----------
    form
        One of `FORMATS`.
    path
        The file.
    options
        What the format takes besides; None counts as left out.

    Raises
    ------
    ValueError
        If there is no such format, or option of it; or the file is not of the format, with the place.
    """
    if form not in FORMATS:
        raise ValueError(f"no format {form!r} here: {', '.join(FORMATS)}; of another tool make a table")
    chosen = {name: value for name, value in options.items() if value is not None}
    for name in chosen.keys() - inspect.signature(FORMATS[form]).parameters.keys():
        raise ValueError(f"{form} takes no --{name.replace('_', '-')}")
    rows = FORMATS[form](path, **chosen)
    if tools := sum(row.cells.get("tools", 0) for row in rows):
        note = f"{tools} messages of tools, or without a text, are left out of histories"
        print(f"{path}: {note}", file=sys.stderr)
    return by_question(rows, path)


def by_question(rows: list[Row], path: str | Path) -> list[Row]:
    """Return rows of one question as one row, with the answers of all of them, each copy once.

    A copy has its name and all that it holds in common with another row (`copy`). Names of which one comes back with
    another answer, or for all rows, name nothing, and each row is a sample: reply ids of three digits, epochs of two
    runs, documents of several seeds.

    Raises ValueError if there is no row, two of one question differ in what is asked or accepted, or one answer has two
    grades.
    """
    named = {}
    first = {}
    for row in rows:
        named.setdefault(_copy(row)[0], row)
    others = [row for row in rows if _answer(row) != _answer(named[_copy(row)[0]])]
    if len(named) == 1 and len(rows) > 2:  # one for all
        others = rows[1:]
    if others:
        note = f"has the name of {named[_copy(others[0])[0]].where}: names are none, and each row is a sample"
        print(f"{others[0].where}: {note}", file=sys.stderr)
    of_question: dict[str, list[Row]] = {}
    for row in rows:
        same = first.setdefault(row.where if others else _copy(row), row)
        if row.cells.get("correct") != same.cells.get("correct"):
            remedy = "keep one (older lm-evaluation-harness: log with a newer one), or leave --correct out"
            raise ValueError(
                f"{row.where}, column 'correct': one answer has another in {same.where}; {remedy}"
            )
        if row is same:
            of_question.setdefault(str(_answer(row)[0]), []).append(row)
    if not rows:
        raise ValueError(f"{path}: holds no answer")
    if len(first) < len(rows):
        print(f"{path}: {len(rows) - len(first)} answers stand there twice, and count once", file=sys.stderr)
    return [_as_one(same) for same in of_question.values()]


def _copy(row: Row) -> tuple[Any, str]:
    """Return what names the answer of a row, by default its place, and all that it holds."""
    return row.cells.get("copy", (row.where, ""))


def _answer(row: Row) -> tuple[Any, Any]:
    """Return which question a row answers, by its id or its text in its conversation, and how."""
    cells = row.cells
    with located(f"{row.where}, column 'history'", ""):
        said = dialogue(messages_of(cells.get("history", ())), str(cells.get("question") or row.where))
    return cells.get("question_id") or said, cells.get("answers")


def _as_one(rows: list[Row]) -> Row:
    """Return the rows of a question as one."""
    first, *later = rows
    for _, where, cells in later:
        for name in first.cells | cells:
            value = cells.get(name)
            other = first.cells.get(name)
            if value != other and name not in (*_OF_ANSWERS, *_LOOSE):
                raise ValueError(
                    f"{where}, column {name!r}: {value!r:.80} differs from {other!r:.80} in {first.where}, an answer "
                    "to the same question; name other questions otherwise (question_id)"
                )
    several: dict[str, list[Any]] = {}
    for *_, cells in rows if later else ():
        n = len(cells["answers"]) if isinstance(cells.get("answers"), list) else 1
        for name in _OF_ANSWERS:
            value = cells.get(name)
            several.setdefault(name, []).extend(value if isinstance(value, list) else [value] * n)
    return first._replace(cells=first.cells | several)


def samples_of(rows: list[Row], path: str | Path) -> list[dict[str, Any]]:
    """Return the rows of samples among what was read, without reasoning; ValueError names every faulty one."""
    parsed, note = without_placeholders([row.without_reasoning() for row in _of(rows, SampleRow, path)])
    if note:
        print(f"{path}: {note}", file=sys.stderr)
    lines = []
    numbers = {CORRECT: 1, INCORRECT: 0}
    for row in parsed:
        cells = {name: value for name, value in row.model_dump().items() if _holds(value)}
        grades = {"correct": [numbers.get(grade, grade) for grade in row.correct]}
        lines.append(cells | (grades if "correct" in cells else {}))
    return lines


def _holds(value: Any) -> bool:
    return any(part is not None for part in value) if isinstance(value, tuple) else bool(value)


def questions_of(rows: list[Row], path: str | Path) -> list[dict[str, Any]]:
    """Return the rows of questions among what was read; ValueError names every faulty one, or where there is none."""
    key_columns = QuestionRow.model_fields.keys() - {"question_id", "question", "subject", "group", "history"}
    if not any(row.cells.keys() & key_columns for row in rows):
        lack = "no row has an accepted answer (a column answer is one, beside one named response)"
        raise ValueError(f"{path}: {lack}, so it makes no file of questions")
    return [row.model_dump(exclude_unset=True) for row in _of(rows, QuestionRow, path)]


def _of(rows: list[Row], model: type[SampleRow] | type[QuestionRow], path: str | Path) -> list[Any]:
    """Return the model of every row, of the columns that are its own; every place where that is none is named."""
    columns = model.model_fields.keys() | model.headers.keys()
    cells = [{name: row.cells[name] for name in row.cells.keys() & columns} for row in rows]
    filled = [{name: cell for name, cell in row_cells.items() if cell is not None} for row_cells in cells]
    with located(str(path)):
        return model.of([row._replace(cells=one) for row, one in zip(rows, filled, strict=True)])


def write(rows: Iterable[dict[str, Any]], path: str | Path) -> None:
    """Write rows as JSON lines."""
    write_text("".join(json_line(row) + "\n" for row in rows), path)
