"""Questions of the user's own: a file of JSON lines or of delimited cells."""

import json
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from ralc.datasets.questions import questions_table
from ralc.io.rows import Fault, Faults, FaultsError, Row, kept, named, read_filled
from ralc.io.text import list_cell
from ralc.names import LONG

#: What stands between several values in one CSV cell.
SEPARATOR = "|"

_TEXTS = ("question_id", "format", "question", "context", "title", "subject", "group")
_LISTS = ("accepted", "choices", "wrong")
#: The columns, and by which other names they are known, likeliest first.
HEADERS = {
    **dict.fromkeys((*_TEXTS, *_LISTS, "correct_choice", "answerable"), ""),
    "question": "prompt query",
    "accepted": "accepted_answer accepted_answers correct_answer correct_answers gold gold_answer gold_answers "
    "reference_answer reference_answers references ground_truth target targets aliases answer answers",
    "choices": "options",
    "question_id": "id qid",
    "subject": "category topic",
}
_LETTERS = string.ascii_uppercase
_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def load_file(path: str | Path, dataset: str) -> pd.DataFrame:
    """Return the questions of a file of the user's own: a row a question.

    ``.jsonl`` (an object a line), ``.csv`` or ``.tsv`` (a header; cells apart by comma, semicolon or tab), or
    ``.parquet``. Columns may have the names of `HEADERS`, too, in any case. Needed are ``question`` and ``accepted``
    (a list; in a cell values joined by ``|``, or a JSON list); for multiple choice ``choices``, with
    ``correct_choice`` (counted from 0, a letter from A, or the choice's text) or an accepted answer that is one of
    them; and nothing accepted where ``answerable`` is false, or ``format`` is ``long_answer`` (its ``context`` is
    what its sentences are graded by). Optional: ``question_id``, ``format`` (taken from the columns present),
    ``context``, ``title``, ``wrong``, ``subject``, ``group``.

    Raises
    ------
    ValueError
        A `FaultsError` that names file, line and column of every fault.
    """
    faults: Faults = []
    told = read_filled(path, cell_of, names=lambda columns: named(columns, HEADERS), faults=faults)

    def question(row: Row) -> Row:
        checked = checked_question(row.cells, row.where, f"{dataset}-{row.line:05d}", dataset)
        return row._replace(cells=checked)

    rows = list(kept(told, question, faults))
    faults += _repeats(rows)
    if faults:
        raise FaultsError(faults)
    try:
        return questions_table([row.cells for row in rows], dataset)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _listed(cell: str, where: str) -> list[Any]:
    """The values of a cell: a JSON list, or values joined by `SEPARATOR`."""
    if cell.startswith("["):
        return list_cell(cell, where)
    if ";" in cell:
        raise ValueError(
            f"{where}: {cell!r} holds a `;`; several values are joined by `{SEPARATOR}`, and one value with a `;` "
            f"in it is written as a JSON list: {json.dumps([cell], ensure_ascii=False)}"
        )
    return [value.strip() for value in cell.split(SEPARATOR) if value.strip()]


def cell_of(column: str, cell: str, where: str) -> Any:
    """What a cell of CSV stands for: lists are taken apart."""
    return _listed(cell, f"{where}, column {column!r}") if column in _LISTS else cell


def checked_question(row: dict[str, Any], where: str, question_id: str, subject: str) -> dict[str, Any]:
    """Return a question, checked column by column; ValueError names `where` and the first that is wrong.

    `question_id` and `subject` are those of a row without.
    """

    def fault(column: str, message: str) -> ValueError:
        return ValueError(f"{where}, column {column!r}: {message}")

    for column in row:
        if column not in HEADERS:
            raise fault(column, f"unknown; known: {', '.join(sorted(HEADERS))}")
    if "question" not in row:
        raise fault("question", "is missing")
    clean = _texts(row, fault) | _lists(row, fault)
    clean["answerable"] = _truth(row.get("answerable", True), fault)
    if not clean["answerable"] and clean.get("accepted"):
        raise fault(
            "answerable", "is false, and yet an answer is accepted (a wrong one stands under 'wrong')"
        )
    if clean.get("format") == "reading_comprehension" and "context" not in clean:
        raise fault("context", "is missing: reading comprehension is asked of a text")
    if "choices" in clean:
        clean |= _choice(clean, row.get("correct_choice"), fault)
    elif clean["answerable"] and not clean.get("accepted") and clean.get("format") != LONG:
        raise fault("accepted", "is missing (an answerable question needs an accepted answer)")
    return {"question_id": question_id, "subject": subject, "format": _format(clean), **clean}


def _texts(row: dict[str, Any], fault: Callable[[str, str], ValueError]) -> dict[str, Any]:
    """The texts of a row, a whole number as an id among them."""
    if type(row.get("question_id")) is int:
        row = row | {"question_id": str(row["question_id"])}
    texts = {column: row[column] for column in _TEXTS if column in row}
    for column, text in texts.items():
        if not isinstance(text, str) or not text.strip():
            raise fault(column, f"{text!r} is not a text")
    return {column: text.strip() for column, text in texts.items()}


def _lists(row: dict[str, Any], fault: Callable[[str, str], ValueError]) -> dict[str, Any]:
    """The lists of texts of a row; a text alone is a list of one."""
    lists = {column: row[column] for column in _LISTS if column in row}
    lists = {column: [one] if isinstance(one, str) else one for column, one in lists.items()}
    for column, values in lists.items():
        texts = isinstance(values, list) and all(isinstance(one, str) and one.strip() for one in values)
        if not texts:
            raise fault(column, f"{row[column]!r} is not a list of texts")
    return lists


def _truth(value: Any, fault: Callable[[str, str], ValueError]) -> bool:
    """A truth value, spelt as JSON or as a word."""
    found = _TRUTHS.get(str(value).strip().lower())
    if found is None:
        raise fault("answerable", f"{value!r} is not true or false")
    return found


def _choice(clean: dict[str, Any], value: Any, fault: Callable[[str, str], ValueError]) -> dict[str, Any]:
    """The right choice, and what follows from it."""
    choices = clean["choices"]
    if not 2 <= len(choices) <= len(_LETTERS):
        raise fault("choices", f"{len(choices)} of them: from 2 to {len(_LETTERS)} can be chosen from")
    places = {_named(name, choices) for name in clean.get("accepted", [])} - {None}
    correct = _right(value, choices, places, fault)
    if {place for place in places if place < len(choices)} - {correct}:
        raise fault(
            "correct_choice", f"is {choices[correct]!r}, and the accepted answers name another of the choices"
        )
    wrong = [choice for place, choice in enumerate(choices) if place != correct]
    if _named(choices[correct], choices) is None:
        raise fault("choices", f"{choices[correct]!r}, which is right, stands twice")
    # A letter is accepted as the choice that it stands for.
    others = [name for name in clean.get("accepted", []) if name not in {choices[correct], *_LETTERS}]
    return {"correct_choice": correct, "accepted": [choices[correct], *others], "wrong": wrong}


def _right(
    value: Any, choices: list[str], accepted: set[int | None], fault: Callable[[str, str], ValueError]
) -> int:
    """The place of the right choice: the one that is given, else the only one of those that are accepted."""
    if value is None:
        if len(accepted) != 1:
            raise fault(
                "correct_choice", f"is missing, and the accepted answers name {len(accepted)} of the choices"
            )
        (correct,) = accepted
    else:
        correct = _numbered(value) if str(value).strip().isdecimal() else _named(value, choices)
    if correct is None or not correct < len(choices):
        raise fault(
            "correct_choice",
            f"{value!r} is not a number from 0 to {len(choices) - 1}, a letter from A or one of the choices",
        )
    return correct


def _numbered(value: Any) -> int | None:
    """A choice's number, counted from 0."""
    text = str(value).strip()
    return None if isinstance(value, bool) or len(text) > 2 else int(text)


def _named(name: Any, choices: list[str]) -> int | None:
    """The place of the choice that a text or a letter names; None where it names none, or several."""
    text = str(name).strip()
    same = [place for place, choice in enumerate(choices) if choice.strip().casefold() == text.casefold()]
    if same:
        return same[0] if len(same) == 1 else None
    place = _LETTERS.find(text) if len(text) == 1 else -1
    return place if place >= 0 else None


def _format(clean: dict[str, Any]) -> str:
    """The format that the columns of a question imply."""
    if "choices" in clean:
        return "multiple_choice"
    return "reading_comprehension" if "context" in clean else "short_answer"


def _repeats(rows: list[Row]) -> Iterator[Fault]:
    """What is wrong with each id that stands twice."""
    seen: set[str] = set()
    for row in rows:
        name = row.cells["question_id"]
        if name in seen:
            yield Fault(row, f"{row.where}, column 'question_id': {name!r} stands twice")
        seen.add(name)
