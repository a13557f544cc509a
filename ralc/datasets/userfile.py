"""Questions of the user's own: a JSONL or CSV file."""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from ralc.datasets.table import questions_table

#: What stands between several values in one CSV cell.
SEPARATOR = "|"

_TEXTS = ("question_id", "format", "question", "context", "title", "subject", "group")
_LISTS = ("accepted", "choices", "wrong")
_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def load_file(path: str | Path, dataset: str) -> pd.DataFrame:
    """Return the questions of a JSONL file (one object a line) or a CSV file (one row a question, a header).

    Needed are ``question`` and ``accepted`` (a list; in a CSV cell values joined by ``|``,
    or a JSON list), for multiple choice
    ``choices`` and ``correct_choice`` (counted from 0) in place of ``accepted``, and nothing accepted where
    ``answerable`` is false. Optional: ``question_id``, ``format`` (taken from the columns present),
    ``context``, ``title``, ``wrong``, ``subject``, ``group``.

    Raises
    ------
    ValueError
        Naming file, row (the line in JSONL, the data row in CSV, both from 1) and column of the first fault.
    """
    path = Path(path)
    readers: dict[str, Callable[[Path], Iterator[tuple[int, dict[str, Any]]]]] = {
        ".jsonl": _json_rows,
        ".csv": _csv_rows,
    }
    if path.suffix.lower() not in readers:
        raise ValueError(f"{path}: a file of questions ends in .jsonl or .csv")
    rows = [_question(row, number, path, dataset) for number, row in readers[path.suffix.lower()](path)]
    _refuse_repeats(rows, path)
    try:
        return questions_table(rows, dataset)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of every line that is not blank."""
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(
                    f"{path}, row {number}: not JSON ({error.msg}, character {error.pos})"
                ) from None
            if not isinstance(row, dict):
                raise ValueError(f"{path}, row {number}: not a JSON object")
            yield number, row


def _csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Row number and cells; empty cells are left out, lists taken apart."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        for number, cells in enumerate(csv.DictReader(file), start=1):
            if None in cells or None in cells.values():
                raise ValueError(f"{path}, row {number}: has another number of cells than the header")
            row: dict[str, Any] = {column: cell.strip() for column, cell in cells.items() if cell.strip()}
            for column in set(_LISTS) & set(row):
                row[column] = _listed(row[column], f"{path}, row {number}, column {column!r}")
            yield number, row


def _listed(cell: str, where: str) -> list[Any]:
    """The values of a cell: a JSON list, or values joined by `SEPARATOR`."""
    if cell.startswith("["):
        try:
            values = json.loads(cell)
        except json.JSONDecodeError as error:
            raise ValueError(f"{where}: begins like a JSON list and is none ({error.msg})") from None
        return values
    if ";" in cell:
        raise ValueError(
            f"{where}: {cell!r} holds a `;`; several values are joined by `{SEPARATOR}`, and one value with a `;` "
            f"in it is written as a JSON list: {json.dumps([cell], ensure_ascii=False)}"
        )
    return [value.strip() for value in cell.split(SEPARATOR) if value.strip()]


def _question(row: dict[str, Any], number: int, path: Path, dataset: str) -> dict[str, Any]:
    """One question, checked column by column."""

    def fault(column: str, message: str) -> ValueError:
        return ValueError(f"{path}, row {number}, column {column!r}: {message}")

    known = {*_TEXTS, *_LISTS, "correct_choice", "answerable"}
    for column in row:
        if column not in known:
            raise fault(column, f"unknown; known: {', '.join(sorted(known))}")
    if "question" not in row:
        raise fault("question", "is missing")
    clean: dict[str, Any] = {}
    for column in set(_TEXTS) & set(row):
        if not isinstance(row[column], str) or not row[column].strip():
            raise fault(column, f"{row[column]!r} is not a text")
        clean[column] = row[column].strip()
    for column in set(_LISTS) & set(row):
        values = [row[column]] if isinstance(row[column], str) else row[column]
        if not isinstance(values, list) or not all(
            isinstance(value, str) and value.strip() for value in values
        ):
            raise fault(column, f"{row[column]!r} is not a list of texts")
        clean[column] = values
    clean["answerable"] = _truth(row.get("answerable", True), fault)
    if "choices" in clean:
        clean |= _choice(clean, row.get("correct_choice"), fault)
    elif clean["answerable"] and not clean.get("accepted"):
        raise fault("accepted", "is missing (an answerable question needs an accepted answer)")
    defaults = {"question_id": f"{dataset}-{number:05d}", "subject": dataset, "format": _format(clean)}
    return {**defaults, **clean}


def _truth(value: Any, fault: Callable[[str, str], ValueError]) -> bool:
    """A truth value, spelt as JSON or as a word."""
    found = _TRUTHS.get(str(value).strip().lower())
    if found is None:
        raise fault("answerable", f"{value!r} is not true or false")
    return found


def _choice(clean: dict[str, Any], value: Any, fault: Callable[[str, str], ValueError]) -> dict[str, Any]:
    """The right choice, and what follows from it."""
    choices = clean["choices"]
    if value is None:
        raise fault("correct_choice", "is missing (a question with choices needs it, counted from 0)")
    if isinstance(value, bool) or not str(value).strip().isdecimal() or not int(value) < len(choices):
        raise fault("correct_choice", f"{value!r} is not a number from 0 to {len(choices) - 1}")
    correct = int(value)
    wrong = [choice for place, choice in enumerate(choices) if place != correct]
    return {"correct_choice": correct, "accepted": clean.get("accepted", [choices[correct]]), "wrong": wrong}


def _format(clean: dict[str, Any]) -> str:
    """The format that the columns of a question imply."""
    if "choices" in clean:
        return "multiple_choice"
    return "reading_comprehension" if "context" in clean else "short_answer"


def _refuse_repeats(rows: list[dict[str, Any]], path: Path) -> None:
    """Every id once."""
    seen: set[str] = set()
    for row in rows:
        if row["question_id"] in seen:
            raise ValueError(f"{path}, column 'question_id': {row['question_id']!r} stands twice")
        seen.add(row["question_id"])
