"""What tools for the uncertainty of language models save, as rows."""

import ast
from pathlib import Path
from typing import Any

from ralc.importing.entries import converted, last_turn, list_of, object_of
from ralc.importing.token_ends import columns_of, listed
from ralc.io.rows import Row, read_rows
from ralc.io.text import json_value, placed, read_text

#: What of a result of uqlm is a list in each row.
_LISTS = ("sampled_responses", "logprob", "sampled_logprob")


def from_uqlm(path: str | Path) -> list[Row]:
    """Return the rows of a result of uqlm: ``UQResult.to_dict()`` as ``.json``, or ``UQResult.to_df()`` as ``.csv``.

    The response and the sampled responses are the answers; where all of them have log-probabilities (a result of
    ``WhiteBoxUQ``), they are taken. The prompt is the question: give `question_id` or shorten the prompt yourself
    where the run's questions are worded otherwise.
    """
    return converted(_uqlm_entries(Path(path)), _of_uqlm)


def _uqlm_entries(path: Path) -> list[Row]:
    """The rows of a result, by the names that its table has."""
    if path.suffix == ".csv":
        return read_rows(path)
    with placed(str(path)):
        data = object_of(json_value(read_text(path), str(path)), "data").get("data", {})
        columns = {
            {"prompts": "prompt", "responses": "response"}.get(name, name): data[name] for name in data
        }
        lacking = [name for name in ("prompt", "response") if name not in columns]
        if lacking:
            raise ValueError(f"{path}: no result of uqlm: {', '.join(lacking)} is missing")
        told = {
            name: list_of(columns[name], name)
            for name in ("prompt", "response", *_LISTS)
            if columns.get(name) is not None
        }
        sizes = {name: len(values) for name, values in told.items()}
        if len({*sizes.values()}) > 1:
            counts = ", ".join(f"{name} {size}" for name, size in sizes.items())
            raise ValueError(f"{path}: no result of uqlm: its lists differ in length ({counts})")
        rows = [dict(zip(told, row, strict=True)) for row in zip(*told.values(), strict=True)]
    return [Row(number, f"{path}, entry {number}", row) for number, row in enumerate(rows, 1)]


def _of_uqlm(entry: dict[str, Any]) -> dict[str, Any]:
    sampled, own, others = (_uqlm_list(entry.get(name), name) for name in _LISTS)
    row = {"question": last_turn(entry["prompt"]), "answers": [entry["response"], *sampled]}
    tokens = [own, *others]
    if own and len(tokens) == len(row["answers"]):
        row |= columns_of(row["answers"], map(listed, tokens))
    return row


def _uqlm_list(value: Any, column: str) -> list[Any]:
    """A list, which in a cell is written as Python does; what is missing is empty."""
    try:
        written = ast.literal_eval(value) if isinstance(value, str) and value else value
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise ValueError(f"column {column!r}: {value!r:.80} is no list as Python writes it") from None
    return list_of(written or [], column)
