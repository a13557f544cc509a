"""Requests and responses as tables, for parquet, and how the ones meet the others.

Millions of prompts share long beginnings (instructions, examples), so messages are two columns of text, ``head`` and
``tail``. A table has few heads. ``head + tail`` is the JSON of the messages.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from itertools import islice
from os.path import commonprefix
from pathlib import Path
from typing import Any

import lazy_loader as lazy
import numpy as np
import pandas as pd

from ralc import io, schemas
from ralc.io.console import progress
from ralc.io.rows import located
from ralc.llm.requests import Request, Response

_FIELDS = [f.name for f in fields(Request) if f.name not in ("model", "messages", "first")]
REQUEST_COLUMNS = ("key", "model", "head", "tail", *_FIELDS)
#: What is joined of a response; what was spent on it is counted elsewhere.
REPLY = ["sample", "reply", "finish_reason", "token_logprobs", "token_ends", "alternatives", "embedding"]
REPLY += ["attempt", "valid"]
TOKENS = ("prompt_tokens", "completion_tokens", "reasoning_tokens")
ROWS_IN_MEMORY = 10_000  # rows of a file that are in memory at a time
_REPEATED = ("model", "head", "stop", "constraint", "alternatives")
pa = lazy.load("pyarrow")  # an application has none


@cache
def response_types() -> "pa.Schema":
    """Return the columns of a table of responses, and their types."""
    texts = ("key", "text", "finish_reason", "error")
    numbers = ("sample", "attempt", *TOKENS)
    names = [*texts, *numbers, "token_logprobs", "alternatives", "token_ends", "embedding", "valid"]
    types = [pa.large_string()] * len(texts) + [pa.int64()] * len(numbers) + [pa.list_(pa.float64())] * 2
    return pa.schema(zip(names, [*types, pa.list_(pa.int64()), pa.large_binary(), pa.bool_()], strict=True))


def to_table(requests: Iterable[Request], ids: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return a requests table: `ids` (what names each request, a row each) and the requests.

    >>> request = Request("m", ({"role": "user", "content": "Hi"},), n=3)
    >>> to_table([request], pd.DataFrame({"q": ["q1"]}))[["q", "n", "seed"]].to_dict("records")
    [{'q': 'q1', 'n': 3, 'seed': 0}]
    """
    columns: dict[str, list[Any]] = {name: [] for name in REQUEST_COLUMNS}
    ids = pd.DataFrame() if ids is None else ids
    head = ""
    before = ""
    for request in progress(requests, "requests", "rendered", len(ids)):
        messages = _json([[message["role"], message["content"]] for message in request.messages])
        if not (head and messages.startswith(head)):  # one text for all rows that share it
            head = commonprefix([messages, before]).rpartition(r"\n\n")[0]  # noqa: RUF071
        before = messages
        values = {"head": head, "tail": messages[len(head) :]}
        for name, column in columns.items():
            value = values[name] if name in values else getattr(request, name)
            column.append(_json(value) if isinstance(value, tuple | dict) else value)
    for name in _REPEATED:  # a few texts again and again, never held as a text a row
        codes, kinds = pd.factorize(np.array(columns[name], dtype=object))
        columns[name] = pd.Categorical.from_codes(codes, pd.Index(kinds, dtype="str"))
    table = pd.DataFrame({name: ids[name].tolist() for name in ids} | columns)
    return table.astype(dict.fromkeys(("logprobs", "embedding"), bool))  # also where there is no request


def from_table(table: pd.DataFrame) -> list[Request]:
    """Return the requests of a table, row by row."""
    rows = pa.Table.from_pandas(table[list(REQUEST_COLUMNS)], preserve_index=False)
    return list(map(_request, rows.to_pylist()))


def request_parts(path: str | Path) -> Iterator[tuple[int, list[Request]]]:
    """Yield the number of all requests of a parquet file, and the next `ROWS_IN_MEMORY` of them, until there are none.

    Raises ValueError if the file is damaged or no requests table.
    """
    from pyarrow import parquet

    with located(str(path), f"is damaged or no requests table: {io.REMEDY}"):
        file = parquet.ParquetFile(path, page_checksum_verification=True)
        for part in file.iter_batches(ROWS_IN_MEMORY, columns=list(REQUEST_COLUMNS)):
            yield file.metadata.num_rows, list(map(_request, part.to_pylist()))


def responses_table(responses: Sequence[Response]) -> pd.DataFrame:
    """Return a table of responses, one row an answer; see `response_types`."""
    return _batch(responses).to_pandas()


def write_responses(responses: Iterator[Response], path: str | Path) -> None:
    """Write `responses_table` to a parquet file, as the responses come."""
    from pyarrow import parquet

    with parquet.ParquetWriter(path, response_types(), write_page_checksum=True) as writer:
        while part := list(islice(responses, ROWS_IN_MEMORY)):
            writer.write_batch(_batch(part))


def join(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return a row for every answer that a requests table (with prompts or without) wants, samples ascending.

    A response may serve several rows of equal requests, and more than are wanted may be there.

    Returns
    -------
    DataFrame
        In the order of the requests: the columns of `to_table`, ``model``, and the responses' `REPLY`, their text as
        ``reply``. It is empty where there was no answer, so that it is no number, grade or sentence.

    Raises
    ------
    ValueError
        If a request lacks an answer (`complete` writes a row for each); the message names the first.
    """
    extra = [column for column in requests if column not in REQUEST_COLUMNS]
    wanted = requests[[*extra, "key", "model", "n"]].reset_index(drop=True)
    wanted = wanted.astype({"key": "str", "model": "str", "n": "int64"}).assign(place=wanted.index)
    answers = responses.rename(columns={"text": "reply"})[["key", *REPLY]]
    rows = wanted.merge(answers, on="key", how="left")
    rows = rows[~(rows["sample"] >= rows["n"])]
    counts = rows.groupby("place")["sample"].count()
    lacking = counts[counts.to_numpy() < wanted.loc[counts.index, "n"].to_numpy()]
    if len(lacking):
        first = wanted.loc[lacking.index[0]]
        raise ValueError(
            f"responses: {lacking.iloc[0]} of {first['n']} answers to {first[extra].to_dict()} by {first['model']!r}: "
            "these do not belong to the requests; delete the table, and rule `complete` takes them from the journal"
        )
    rows = rows.sort_values(["place", "sample"], kind="stable", ignore_index=True)
    rows["reply"] = rows["reply"].fillna("").astype("str")
    return rows.astype({"sample": "int64"})[[*extra, "model", *REPLY]]


def read_replies(requests: Sequence[str], responses: Sequence[str], **where: str) -> pd.DataFrame | None:
    """Read what models replied (`join`) from the files of a stage; None where no model is asked.

    Parameters
    ----------
    requests, responses
        Paths of the stage's tables.
    where
        Chooses rows of the requests, as in ``target="llama"``.
    """
    asked = io.read_requests(requests, **where)
    return None if asked is None else join(asked, io.read_tables(responses, "responses"))


def read_inputs(inputs: Any, **where: str) -> dict[str, Any]:
    """Read the inputs of a step's rule that are named for a table, by their names; other files come as their paths.

    Several tables of questions or of readings are one; several files of another table are of a target each
    (`ralc.io.read_per_target`). Of requests and responses come the ``replies`` (`read_replies`, with `where`).
    """
    tables: dict[str, Any] = {}
    for name, files in inputs.items():
        if name in ("responses", "code"):
            continue
        if name == "requests":
            tables["replies"] = read_replies(inputs.requests, inputs.responses, **where)
        elif name not in schemas.TABLES:
            tables[name] = files
        elif isinstance(files, str):
            tables[name] = io.read_table(files, name)
        else:
            read = io.read_tables if name in ("questions", "readings") else io.read_per_target
            tables[name] = read(files, name)
    return tables


def _batch(responses: Sequence[Response]) -> "pa.RecordBatch":
    columns = {name: [getattr(response, name) for response in responses] for name in response_types().names}
    return pa.RecordBatch.from_pydict(columns, schema=response_types())


def _request(row: dict[str, Any]) -> Request:
    """The request of a row; ValueError if the row was changed after its key was made."""
    cells = {name: row[name] for name in ("model", *_FIELDS)}
    cells |= {name: json.loads(cells[name] or "null") for name in ("stop", "alternatives", "constraint")}
    turns = json.loads(row["head"] + row["tail"])
    request = Request(messages=[{"role": role, "content": text} for role, text in turns], **cells)
    if request.key != row["key"]:
        raise ValueError(f"requests table: the row of key {row['key']} was changed after it was rendered")
    return request


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
