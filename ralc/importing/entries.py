"""What an imported file holds, entry by entry, as rows of samples and of questions; a fault names its place."""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ralc.datasets.userfile import HEADERS, checked_question
from ralc.io import write_text
from ralc.io.rows import Faults, FaultsError, Row, kept, read_listed, read_rows
from ralc.io.text import json_object, placed
from ralc.recorded.file import COLUMNS, checked_row, placeholders

Values = list[dict[str, Any]]
#: What has a value for each answer.
_OF_ANSWERS = ("answers", "token_logprobs", "tokens", "correct", "grade", "facts")
#: What names a question, in both files.
_NAMES = ("question_id", "question")
#: What may differ among the answers to one question.
_LOOSE = "prompt_tokens"


def write(rows: Iterable[dict[str, Any]], path: str | Path) -> None:
    """Write rows as JSON lines."""
    write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), path)


def objects(path: str | Path) -> list[Row]:
    """The objects of a file of JSON lines, or of a list in one of JSON (``.json``)."""
    return read_listed(path) if Path(path).suffix.lower() == ".json" else read_rows(path, "jsonl")


def converted(entries: Iterable[Row], convert: Callable[[Any], dict[str, Any] | None]) -> list[Row]:
    """The rows that entries become, but for those that become none."""
    rows = []
    for entry in entries:
        with placed(entry.where):
            rows.append(entry._replace(cells=convert(entry.cells)))
    return [row for row in rows if row.cells is not None]


def count_left(path: str | Path, left: list[str], why: str) -> None:
    """Say on standard error how many entries are left out, and why; the first by their names."""
    if left:
        print(f"{path}: {len(left)} that {why}, left out ({', '.join(left[:4])})", file=sys.stderr)


def together(rows: Iterable[Row], path: str | Path) -> list[Row]:
    """Rows of one question as one row, with the answers of all of them.

    Raises
    ------
    ValueError
        If there is no row, or two of one question differ in what is asked or accepted.
    """
    of_question: dict[Any, list[Row]] = {}
    for place, row in enumerate(rows):
        name = row.cells.get("question_id") or " ".join(str(row.cells.get("question") or place).split())
        of_question.setdefault(str(name), []).append(row)
    if not of_question:
        raise ValueError(f"{path}: holds no answer")
    return [same[0]._replace(cells=_joined(same)) for same in of_question.values()]


def _joined(same: list[Row]) -> dict[str, Any]:
    """The values of several rows as one's."""
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
        n = len(_listed(row.get("answers"), 1))
        for name, values in several.items():
            values += _listed(row.get(name), n)
    return joined | several


def _listed(value: Any, n: int) -> list[Any]:
    """The values of each of a row's answers."""
    return value if isinstance(value, list) else [value] * n


def samples(rows: Iterable[Row], path: str | Path) -> Values:
    """The rows of samples among what was read, checked as they are when they are read again.

    Raises
    ------
    ValueError
        If a row holds no answer or something else than was expected; every such place is named.
    """

    def sampled(row: Row) -> dict[str, Any]:
        own = {name: value for name, value in row.cells.items() if name in COLUMNS}
        with placed(row.where):
            told = json_object(json.dumps(own), row.where)
            checked_row({name: value for name, value in told.items() if value is not None}, row.where)
        return own

    return _with_tokens(_without_placeholders(_all(rows, sampled), path), path)


def _all(rows: Iterable[Row], make: Callable[[Row], dict[str, Any]]) -> Values:
    """What is made of every row; every place where that is nothing is named."""
    faults: Faults = []
    made = list(kept(rows, make, faults))
    if faults:
        raise FaultsError(faults)
    return made


def _without_placeholders(rows: Values, path: str | Path) -> Values:
    """Rows without log-probabilities that say nothing; standard error says so."""
    known = [values for row in rows for values in row.get("token_logprobs") or [] if values]
    note = placeholders(known)
    if not note:
        return rows
    print(f"{path}: {note}", file=sys.stderr)
    return _without(rows, "token_logprobs", "tokens")


def _with_tokens(rows: Values, path: str | Path) -> Values:
    """Rows whose answers' tokens are known; standard error says of how many that have some they are no part of it."""
    told = [
        tokens
        for row in rows
        for logprobs, tokens in zip(row.get("token_logprobs") or [], row.get("tokens") or [], strict=False)
        if logprobs
    ]
    if lost := told.count(None):
        print(
            f"{path}: the tokens of {lost} of {len(told)} answers do not make up their text: left out, and with them "
            "what a sentence's own tokens say",
            file=sys.stderr,
        )
    return rows if lost < len(told) else _without(rows, "tokens")


def _without(rows: Values, *columns: str) -> Values:
    return [{name: value for name, value in row.items() if name not in columns} for row in rows]


def questions(rows: list[Row], path: str | Path) -> Values:
    """The rows of questions among what was read, checked as they are when they are read again.

    Raises
    ------
    ValueError
        If nothing is accepted anywhere, or a question is none (its place is named).
    """
    if not any(row.cells.keys() & set(HEADERS) - {*_NAMES, "subject"} for row in rows):
        raise ValueError(f"{path}: says of no question what is accepted, so it makes no file of questions")

    def asked(row: Row) -> dict[str, Any]:
        own = {name: value for name, value in row.cells.items() if name in HEADERS}
        checked_question(own, row.where, "", "")
        return own

    return _all(rows, asked)


def last_turn(prompt: Any) -> str:
    """The text of a prompt, or of the last turn of a conversation, of which images and the like are left out.

    >>> last_turn([{"role": "user", "content": [{"type": "input_text", "text": "Who?"}]}])
    'Who?'
    """
    if isinstance(prompt, str):
        return prompt
    turn = prompt[-1]
    said = turn["content"] if isinstance(turn, dict) else turn
    return "".join(part.get("text", "") for part in said) if isinstance(said, list) else str(said)


def list_of(value: Any, column: str) -> list[Any]:
    """A list of a column as it is: a text, too, could be taken apart."""
    if not isinstance(value, list):
        raise TypeError(f"column {column!r}: {value!r:.80} is no list")
    return value


def object_of(value: Any, column: str) -> dict[str, Any]:
    """An object of a column as it is."""
    if not isinstance(value, dict):
        raise TypeError(f"column {column!r}: {value!r:.80} is no object")
    return value
