"""A plain table whose rows have a question, what is accepted and what a model answered: questions and samples."""

import sys
from pathlib import Path

from ralc.io.row_models import QuestionRow, SampleRow
from ralc.io.rows import Faults, FaultsError, Row, filled, format_of, named, read_rows

#: The columns, and by which other names they are known, likeliest first: what is left of them is accepted.
HEADERS = {
    **{name: name for name in SampleRow.model_fields},
    "answers": "samples sampled_answers responses response model_answers model_answer model_responses model_response "
    "model_outputs model_output predictions prediction generations generation completions completion outputs output "
    "answers answer",
    "correct": "correct is_correct",
    "token_logprobs": "token_logprobs logprobs",
    "model": "model model_name",
    **QuestionRow.headers,
}


def from_table(path: str | Path) -> list[Row]:
    """Return the rows of a table (``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``), named as in `HEADERS`.

    A row a question, with its answers as a list (in a cell as JSON, or as Python writes it), or a row an answer. How
    the columns were taken is said on standard error, and which were not. One model is one file.
    """
    faults: Faults = []
    rows = read_rows(path, faults=faults)
    if faults:
        raise FaultsError(faults)
    columns = dict.fromkeys(name for row in rows for name in row.cells if name)
    called = named(columns, HEADERS)
    delimited = format_of(path) in ("csv", "tsv")
    taken = [filled(row, called, delimited=delimited) for row in rows]
    models = list(dict.fromkeys(str(row.cells.pop("model")) for row in taken if "model" in row.cells))
    if len(models) > 1:
        raise ValueError(
            f"{path}: holds answers of {len(models)} models ({', '.join(models[:4])}); keep those of one in a file"
        )
    print(f"{path}: {_described(called, [name for name in columns if name not in called])}", file=sys.stderr)
    return taken


def _described(called: dict[str, str], left: list[str]) -> str:
    """Return how the columns of a file were taken."""
    taken = ", ".join(f"{here} is {there!r}" if here != there else here for there, here in called.items())
    known = {"accepted", "correct", "correct_choice"} & {*called.values()}
    hint = (
        ""
        if known
        else " (a column named response has the model's answers, and then Answer what is accepted)"
    )
    return f"columns: {taken}" + (f"; left out: {', '.join(map(repr, left))}{hint}" if left else "")
