"""A plain table whose rows have a question, what is accepted and what a model answered: questions and samples."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ralc.datasets import userfile
from ralc.io.rows import Faults, FaultsError, Row, cell_of, named, read_filled
from ralc.recorded.file import COLUMNS

#: The columns, and by which other names they are known, likeliest first: what is left of them is accepted.
HEADERS = {
    **dict.fromkeys(COLUMNS, ""),
    "answers": "samples sampled_answers responses response model_answers model_answer model_responses model_response "
    "model_outputs model_output predictions prediction generations generation completions completion outputs output "
    "answers answer",
    "correct": "is_correct",
    "token_logprobs": "logprobs",
    "model": "model_name",
    **userfile.HEADERS,
}


def from_table(path: str | Path) -> list[Row]:
    """Return the rows of a table (``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``), named as in `HEADERS`.

    A row a question, with its answers as a list (in a cell as JSON, or as Python writes it), or a row an answer. How
    the columns were taken is said on standard error, and which were not. One model is one file.
    """
    faults: Faults = []
    called: dict[str, str] = {}
    left: dict[str, None] = {}

    def names(columns: Iterable[str]) -> dict[str, str]:
        found = named(columns, HEADERS)
        called.update(found)
        left.update(dict.fromkeys(column for column in columns if column not in found))
        return found

    rows = list(read_filled(path, _cell, names=names, faults=faults))
    if faults:
        raise FaultsError(faults)
    models = list(dict.fromkeys(str(row.cells["model"]) for row in rows if "model" in row.cells))
    if len(models) > 1:
        raise ValueError(
            f"{path}: holds answers of {len(models)} models ({', '.join(models[:4])}); keep those of one in a file"
        )
    print(f"{path}: {_told(called, list(left))}", file=sys.stderr)
    kept = HEADERS.keys() - {"model"}
    return [
        row._replace(cells={name: value for name, value in row.cells.items() if name in kept}) for row in rows
    ]


def _cell(column: str, cell: str, where: str) -> Any:
    """What a cell stands for: an answer may hold what separates several accepted ones."""
    return (userfile.cell_of if column in userfile.HEADERS else cell_of)(column, cell, where)


def _told(called: dict[str, str], left: list[str]) -> str:
    """How the columns of a file were taken."""
    taken = ", ".join(f"{here} is {there!r}" if here != there else here for there, here in called.items())
    known = {"accepted", "correct", "correct_choice"} & {*called.values()}
    hint = (
        ""
        if known
        else " (a column named response has the model's answers, and then Answer what is accepted)"
    )
    return f"columns: {taken}" + (f"; left out: {', '.join(map(repr, left))}{hint}" if left else "")
