"""What other tools saved, as the rows of precomputed samples and of questions (``ralc import``)."""

import inspect
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ralc.datasets.user_dataset import QuestionRow
from ralc.io.files import json_line, write_text
from ralc.io.rows import Row, kept, placed, read_named
from ralc.precomputed.harnesses import from_inspect, from_lm_eval
from ralc.precomputed.replies import from_openai, from_uqlm, from_vllm
from ralc.precomputed.samples import SampleRow, without_placeholders
from ralc.registry import CORRECT, INCORRECT

_SAMPLE, _QUESTION = frozenset(SampleRow.model_fields), frozenset(QuestionRow.headers)
#: Columns with a value for each answer, those that name a question, and one that may differ among its answers.
_OF_ANSWERS = ("answers", "token_logprobs", "tokens", "correct", "facts")
_NAMES, _LOOSE = {"question_id", "question"}, "prompt_tokens"
#: The columns of a table, and by which other names they are known, likeliest first: what is left of them is accepted.
HEADERS = {
    **{name: name for name in SampleRow.model_fields},
    "answers": "samples sampled_answers responses response model_answers model_answer model_responses model_response "
    "model_outputs model_output predictions prediction generations generation completions completion outputs output "
    "answers answer",
    "correct": "correct is_correct grade",
    "token_logprobs": "token_logprobs logprobs",
    "model": "model model_name",
    **QuestionRow.headers,
}


def from_table(path: str | Path) -> list[Row]:
    """Return the rows of a table (``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``), named as in `HEADERS`.

    A row a question, with its answers as a list (in a cell as JSON, or as Python writes it), or a row an answer. How
    the columns were taken is said on standard error, and which were not. One model is one file.
    """
    taken, called, unknown = read_named(path, HEADERS)
    models = list(dict.fromkeys(str(row.cells.pop("model")) for row in taken if "model" in row.cells))
    if len(models) > 1:
        raise ValueError(
            f"{path}: holds answers of {len(models)} models ({', '.join(models[:4])}); keep those of one in a file"
        )
    note = ", ".join(f"{here} is {there!r}" if here != there else here for there, here in called.items())
    if unknown:
        note += f"; left out: {', '.join(map(repr, unknown))}"
        if not {"accepted", "correct", "correct_choice"} & {*called.values()}:
            note += " (a column named response has the model's answers, and then Answer what is accepted)"
    print(f"{path}: columns: {note}", file=sys.stderr)
    return taken


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


def convert(form: str, path: str | Path, **options: str | None) -> list[Row]:
    """Return the rows of a file of a format, one a question; options that are None are not given.

    Raises ValueError if there is no such format, or option of it; or the file is not of the format, with the place.
    """
    if form not in FORMATS:
        raise ValueError(f"no format {form!r} here: {', '.join(FORMATS)}; of another tool make a table")
    options_given = {name: value for name, value in options.items() if value is not None}
    for name in options_given:
        if name not in inspect.signature(FORMATS[form]).parameters:
            takes = [one for one, reader in FORMATS.items() if name in inspect.signature(reader).parameters]
            raise ValueError(f"--{name.replace('_', '-')} is for {', '.join(takes)}, not for {form}")
    return together(FORMATS[form](path, **options_given), path)


def together(rows: Iterable[Row], path: str | Path) -> list[Row]:
    """Return rows of one question as one row, with the answers of all of them, each copy once.

    Raises ValueError if there is no row, two of one question differ in what is asked or accepted, or two copies differ.
    """
    of_question: dict[Any, list[Row]] = {}
    for place, row in enumerate(rows):
        name = row.cells.get("question_id") or " ".join(str(row.cells.get("question") or place).split())
        of_question.setdefault(str(name), []).append(row)
    if not of_question:
        raise ValueError(f"{path}: holds no answer")
    single = [_without_copies(same) for same in of_question.values()]
    if copies := sum(map(len, of_question.values())) - sum(map(len, single)):
        print(f"{path}: {copies} answers stand there twice, and count once", file=sys.stderr)
    return [same[0]._replace(cells=_joined(same)) for same in single]


def _without_copies(same: list[Row]) -> list[Row]:
    """Return the rows of a question without copies, which name the same `copy`."""
    first: dict[Any, Row] = {}
    for at, row in enumerate(same):
        cells = dict(row.cells)
        twin = first.setdefault(cells.pop("copy", None) or at, row._replace(cells=cells))
        for column in ("answers", "correct"):
            one, other = cells.get(column), twin.cells.get(column)
            if one != other:
                raise ValueError(
                    f"{row.where}, column {column!r}: {one!r:.80}, and {other!r:.80} in {twin.where}, of one answer; "
                    "keep one (of an old lm-evaluation-harness: log with a newer one, or leave --correct out)"
                )
    return list(first.values())


def _joined(same: list[Row]) -> dict[str, Any]:
    """Return the values of several rows as one's."""
    (_, first, joined), *later = same
    for _, where, row in later:
        for name in (joined.keys() | row.keys()) - {*_OF_ANSWERS, _LOOSE}:
            if row.get(name) != joined.get(name):
                raise ValueError(
                    f"{where}, column {name!r}: {row.get(name)!r:.80} differs from {joined.get(name)!r:.80} in "
                    f"{first}, an answer to the same question; name other questions otherwise (question_id)"
                )
    several: dict[str, list[Any]] = {}
    for *_, row in same if later else ():
        n = len(row["answers"]) if isinstance(row.get("answers"), list) else 1
        for name in (name for name in _OF_ANSWERS if any(name in one for *_, one in same)):
            value = row.get(name)
            several.setdefault(name, []).extend(value if isinstance(value, list) else [value] * n)
    return joined | several


def samples_of(rows: Iterable[Row], path: str | Path) -> list[dict[str, Any]]:
    """Return the rows of samples among what was read, without reasoning, as a file has them (right is 1).

    Raises ValueError if a row holds no answer or something else than was expected; every such place is named.
    """
    parsed, note = without_placeholders([row.without_reasoning() for row in _all(rows, SampleRow)])
    logprobs = sum(values is not None for row in parsed for values in row.token_logprobs)
    whole = sum(tokens is not None for row in parsed for tokens in row.tokens)
    if not note and 0 < whole < logprobs:
        note = f"the tokens of {logprobs - whole} of {logprobs} answers do not make up their text, and are left out"
    if note:
        print(f"{path}: {note}", file=sys.stderr)
    lines, numbers = [], {CORRECT: 1, INCORRECT: 0}
    for row in parsed:
        left = {name for name in SampleRow.model_fields if not _holds(getattr(row, name))}
        cells = row.model_dump(exclude=left | (set() if logprobs else {"tokens"}))
        graded = (
            {"correct": [numbers.get(grade, grade) for grade in row.correct]} if "correct" in cells else {}
        )
        lines.append(cells | graded)
    return lines


def _holds(value: Any) -> bool:
    return any(one is not None for one in value) if isinstance(value, tuple) else bool(value)


def questions_of(rows: list[Row], path: str | Path) -> list[dict[str, Any]]:
    """Return the rows of questions among what was read, checked as they are when they are read again.

    Raises ValueError if nothing is accepted anywhere, or a question is none (its place is named).
    """
    if not any(row.cells.keys() & _QUESTION - _NAMES - {"subject"} for row in rows):
        raise ValueError(f"{path}: no row has an accepted answer, so it makes no file of questions")
    return [row.model_dump(exclude_unset=True) for row in _all(rows, QuestionRow)]


def _all(rows: Iterable[Row], model: type[SampleRow] | type[QuestionRow]) -> list[Any]:
    """Return the model of every row, of the columns that are its own; every place where that is none is named."""
    columns = _SAMPLE if model is SampleRow else _QUESTION

    def checked(row: Row) -> Any:
        cells = {name: cell for name, cell in row.cells.items() if name in columns and cell is not None}
        with placed(row.where):
            return model.of(row._replace(cells=cells))

    return list(kept(rows, checked))


def write(rows: Iterable[dict[str, Any]], path: str | Path) -> None:
    """Write rows as JSON lines."""
    write_text("".join(json_line(row) + "\n" for row in rows), path)
