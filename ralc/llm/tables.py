"""Requests and responses as tables, for parquet, and how the ones meet the others.

Millions of prompts share long beginnings (instructions, examples), so messages are kept as two columns of text:
``head``, of which a table has few, and ``tail``, the rest; ``head + tail`` is the JSON of the messages. On disk it is
all one to zstd (20,000 prompts of 2.7 kB: 0.7 MB, and 0.8 MB whole), but a table in memory is 10 kB a prompt smaller.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ralc.io import REMEDY
from ralc.io.console import followed
from ralc.llm.requests import Request, Response

REQUEST_COLUMNS = (
    "key",
    "model",
    "head",
    "tail",
    *[f.name for f in fields(Request) if f.name not in ("model", "messages", "first")],
)
RESPONSE_TYPES = pa.schema(
    [
        ("key", pa.large_string()),
        ("sample", pa.int64()),
        ("text", pa.large_string()),
        ("finish_reason", pa.large_string()),
        ("token_logprobs", pa.list_(pa.float64())),
        ("prompt_tokens", pa.int64()),
        ("completion_tokens", pa.int64()),
        ("reasoning_tokens", pa.int64()),
        ("error", pa.large_string()),
        ("attempt", pa.int64()),
        ("valid", pa.bool_()),
        ("alternatives", pa.list_(pa.float64())),
        ("embedding", pa.large_binary()),
        ("token_ends", pa.list_(pa.int64())),
    ]
)
RESPONSE_COLUMNS = tuple(RESPONSE_TYPES.names)
#: What is joined of a response; what was spent on it is counted elsewhere.
ANSWER = (
    "sample",
    "reply",
    "finish_reason",
    "token_logprobs",
    "token_ends",
    "alternatives",
    "embedding",
    "attempt",
    "valid",
)
#: Rows of a file that are in memory at a time.
PART = 10_000
#: The kinds of numbers that numpy's in a row must become.
_KINDS = {
    **dict.fromkeys(("n", "top_k", "max_tokens", "seed", "attempt"), int),
    **dict.fromkeys(("temperature", "top_p", "min_p"), float),
    **dict.fromkeys(("logprobs", "embedding"), bool),
}
_REPEATED = ("model", "head", "stop", "constraint", "alternatives")
#: A shared beginning shorter than this is not worth a column, characters.
_SHORTEST_HEAD = 128


class Wanted(NamedTuple):
    """What is known of a request of which `n` answers are wanted, without making it: it is that of row `row`."""

    key: str
    n: int
    constraint: Mapping[str, Any] | None
    row: int


def to_table(requests: Iterable[Request], **ids: Sequence[Any]) -> pd.DataFrame:
    """A requests table: `ids` (one value a request, e.g. ``question_id=[...]``) and the requests.

    >>> request = Request("m", ({"role": "user", "content": "Hi"},), n=3)
    >>> to_table([request], question_id=["q1"])[["question_id", "n", "seed"]].to_dict("records")
    [{'question_id': 'q1', 'n': 3, 'seed': 0}]
    """
    heads, total = _Heads(), next((len(values) for values in ids.values()), 1)
    rows = [_row(request, heads) for request in followed(requests, "requests", "rendered", total)]
    for name, values in ids.items():
        if len(values) != len(rows):
            raise ValueError(f"to_table: {name} has {len(values)} values for {len(rows)} requests")
    columns = dict(
        zip(REQUEST_COLUMNS, zip(*rows, strict=True) if rows else [()] * len(REQUEST_COLUMNS), strict=True)
    )
    for name in _REPEATED:  # a few texts again and again, never held as a text a row
        codes, known = pd.factorize(np.array(columns[name], dtype=object))
        columns[name] = pd.Categorical.from_codes(codes, pd.Index(known, dtype="str"))
    table = pd.DataFrame({**ids, **columns})
    return table.astype(dict.fromkeys(("logprobs", "embedding"), bool))  # also where there is no request


def from_table(table: pd.DataFrame) -> list[Request]:
    """The requests of a table, row by row."""
    return [_request(row) for row in table[list(REQUEST_COLUMNS)].itertuples(index=False)]


class RequestFile(Sequence[Request]):
    """The requests of a parquet file, a part of them in memory at a time: quick where taken in their order.

    Raises
    ------
    ValueError
        If the file is damaged, or lacks a column.
    """

    def __init__(self, path: str | Path) -> None:
        try:
            self._file = pq.ParquetFile(path, page_checksum_verification=True)
        except FileNotFoundError:
            raise
        except (pa.ArrowException, OSError, ValueError) as error:
            raise ValueError(f"{path}: is damaged or no requests table ({error}): {REMEDY}") from None
        self._path = path
        lacking = [column for column in REQUEST_COLUMNS if column not in self._file.schema_arrow.names]
        if lacking:
            raise ValueError(f"{path}: no requests table: columns {lacking} are missing")
        self._begin()

    def __len__(self) -> int:
        return self._file.metadata.num_rows

    def __getitem__(self, row: int) -> Request:
        if not 0 <= row < len(self):
            raise IndexError(row)
        if row < self._first:
            self._begin()
        while row >= self._first + len(self._part):
            self._first += len(self._part)
            self._part = next(self._parts)
        return _request(self._part[row - self._first])

    def outlines(self) -> Iterator[tuple[str, int, Mapping[str, Any] | None]]:
        """Key, n and constraint of each request."""
        for part in self._read(("key", "n", "constraint")):
            for row in part:
                yield row.key, int(row.n), _constraint(row.constraint)

    def _begin(self) -> None:
        self._first, self._part, self._parts = 0, [], self._read(REQUEST_COLUMNS)

    def _read(self, columns: Sequence[str]) -> Iterator[list[Any]]:
        """The rows of the file, part by part."""
        try:
            for part in self._file.iter_batches(PART, columns=list(columns)):
                yield list(part.to_pandas()[list(columns)].itertuples(index=False))
        except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self._path}: is damaged ({error}): {REMEDY}") from None


def wanted(requests: Sequence[Request]) -> list[Wanted]:
    """What is wanted, equal requests once (with the largest n), in the order of first mention."""
    if isinstance(requests, RequestFile):
        outlines = requests.outlines()
    else:
        outlines = ((request.key, request.n, request.constraint) for request in requests)
    found: dict[str, Wanted] = {}
    for row, (key, n, constraint) in enumerate(outlines):
        known = found.get(key)
        if known is None:
            found[key] = Wanted(key, n, constraint, row)
        elif known.n < n:
            found[key] = known._replace(n=n)
    return list(found.values())


def responses_table(responses: Sequence[Response]) -> pd.DataFrame:
    """A table of responses, one row an answer; see `RESPONSE_TYPES`."""
    return _batch(responses).to_pandas()


def write_responses(responses: Iterable[Response], path: str | Path) -> None:
    """Write `responses_table` to a parquet file, as the responses come."""
    coming = iter(responses)
    with pq.ParquetWriter(path, RESPONSE_TYPES, write_page_checksum=True) as writer:
        while part := list(islice(coming, PART)):
            writer.write_batch(_batch(part))


def join(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return a row for every answer that a requests table wants, in its order, samples ascending.

    Parameters
    ----------
    requests
        A requests table, its prompts left out or not.
    responses
        The responses; one may serve several rows of equal requests, and more than are wanted may be there.

    Returns
    -------
    DataFrame
        Whose request it is (the columns that `to_table` was given), its ``model``, and the responses' `ANSWER`,
        their text as ``reply``; that of an answer that was not to be had is empty, so that it is no number, grade
        or sentence.

    Raises
    ------
    ValueError
        If a request lacks an answer (`complete` writes a row for each); the message names the first.
    """
    own = [column for column in requests if column not in REQUEST_COLUMNS]
    wanted = requests[[*own, "key", "model", "n"]].reset_index(drop=True)
    wanted = wanted.astype({"key": "str", "model": "str", "n": "int64"}).assign(place=wanted.index)
    answers = responses.rename(columns={"text": "reply"})[["key", *ANSWER]]
    rows = wanted.merge(answers, on="key", how="left")
    rows = rows[~(rows["sample"] >= rows["n"])]
    counts = rows.groupby("place")["sample"].count()
    lacking = counts[counts.to_numpy() < wanted.loc[counts.index, "n"].to_numpy()]
    if len(lacking):
        first = wanted.loc[lacking.index[0]]
        raise ValueError(
            f"responses: {lacking.iloc[0]} of {first['n']} answers to {first[own].to_dict()} by {first['model']!r}: "
            "these do not belong to the requests; delete the table, and rule `complete` takes them from the journal"
        )
    rows = rows.sort_values(["place", "sample"], kind="stable", ignore_index=True)
    rows["reply"] = rows["reply"].fillna("").astype("str")
    return rows.astype({"sample": "int64"})[[*own, "model", *ANSWER]]


def _batch(responses: Sequence[Response]) -> pa.RecordBatch:
    columns = {name: [getattr(response, name) for response in responses] for name in RESPONSE_COLUMNS}
    return pa.RecordBatch.from_pydict(columns, schema=RESPONSE_TYPES)


def _row(request: Request, heads: "_Heads") -> tuple[Any, ...]:
    messages = [[message["role"], message["content"]] for message in request.messages]
    values = {name: getattr(request, name) for name in REQUEST_COLUMNS if name not in ("head", "tail")}
    values["head"], values["tail"] = heads.split(_json(messages))
    for name in ("stop", "alternatives", "constraint"):
        values[name] = None if values[name] is None else _json(values[name])
    return tuple(values[name] for name in REQUEST_COLUMNS)


def _request(row: Any) -> Request:
    """The request of a row; ValueError if the row was changed after its key was made."""
    own = {name: getattr(row, name) for name in REQUEST_COLUMNS if name not in ("key", "head", "tail")}
    own |= {name: kind(own[name]) for name, kind in _KINDS.items()}
    own |= {name: tuple(json.loads(own[name])) for name in ("stop", "alternatives")}
    own["constraint"] = _constraint(own["constraint"])
    messages = [{"role": role, "content": content} for role, content in json.loads(row.head + row.tail)]
    request = Request(messages=tuple(messages), **own)
    if request.key != row.key:
        raise ValueError(f"requests table: the row of key {row.key} was changed after it was rendered")
    return request


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _constraint(text: Any) -> dict[str, Any] | None:
    return _loaded(text) if isinstance(text, str) else None


@cache
def _loaded(text: str) -> dict[str, Any]:
    return json.loads(text)


class _Heads:
    """Finds beginnings that texts share, one text after the other."""

    def __init__(self) -> None:
        self._heads: deque[str] = deque(maxlen=32)
        self._recent: deque[str] = deque(maxlen=4)

    def split(self, text: str) -> tuple[str, str]:
        """`text` as a shared beginning and the rest."""
        head = next((head for head in self._heads if text.startswith(head)), None)
        if head is None:
            shared = (
                next((i for i, (a, b) in enumerate(zip(text, one, strict=False)) if a != b), 0)
                for one in self._recent
            )
            head = text[: max(shared, default=0)]
            if len(head) < _SHORTEST_HEAD:
                head = ""
            else:
                self._heads.appendleft(head)
        self._recent.append(text)
        return head, text[len(head) :]
