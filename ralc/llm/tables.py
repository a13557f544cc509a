"""Requests and responses as tables, for parquet.

Millions of prompts share long beginnings (instructions, examples), so messages are kept as two
columns of text: ``head``, of which a table has few (dictionary-encoded), and ``tail``, the rest;
``head + tail`` is the JSON of the messages.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, partial
from typing import Any

import pandas as pd

from ralc.llm.requests import Request, Response

REQUEST_COLUMNS = (
    "key",
    "model",
    "head",
    "tail",
    *[f.name for f in fields(Request) if f.name not in ("model", "messages")],
)
RESPONSE_COLUMNS = (
    "key",
    "sample",
    "text",
    "finish_reason",
    "token_logprobs",
    "prompt_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "error",
    "attempt",
    "valid",
    "alternatives",
)
_REPEATED = ("model", "head", "stop", "constraint", "alternatives")
#: A shared beginning shorter than this is not worth a column, characters.
_SHORTEST_HEAD = 128


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request whose `n` answers are wanted; it is made only when it has to be sent."""

    key: str
    n: int
    constraint: Mapping[str, Any] | None
    make: Callable[[], Request]

    def second(self, sample: int) -> Request:
        """What is asked in place of an answer that did not meet the constraint."""
        return self.make().second_attempt(sample)


def to_table(requests: Iterable[Request], **ids: Sequence[Any]) -> pd.DataFrame:
    """A requests table: `ids` (one value a request, e.g. ``question_id=[...]``) and the requests.

    >>> request = Request("m", ({"role": "user", "content": "Hi"},), n=3)
    >>> to_table([request], question_id=["q1"])[["question_id", "n", "seed"]].to_dict("records")
    [{'question_id': 'q1', 'n': 3, 'seed': 0}]
    """
    heads = _Heads()
    rows = [_row(request, heads) for request in requests]
    for name, values in ids.items():
        if len(values) != len(rows):
            raise ValueError(f"to_table: {name} has {len(values)} values for {len(rows)} requests")
    table = pd.DataFrame(
        {**ids, **dict(zip(REQUEST_COLUMNS, zip(*rows, strict=True), strict=True))} if rows else {**ids}
    )
    table = table.reindex(columns=[*ids, *REQUEST_COLUMNS])
    return table.astype(dict.fromkeys(_REPEATED, "category"))


def from_table(table: pd.DataFrame) -> list[Request]:
    """The requests of a table, row by row."""
    return [_request(row) for row in table[list(REQUEST_COLUMNS)].itertuples(index=False)]


def responses_table(responses: Sequence[Response]) -> pd.DataFrame:
    """A table of responses, one row an answer; see `RESPONSE_COLUMNS`."""
    columns = {name: [getattr(response, name) for response in responses] for name in RESPONSE_COLUMNS}
    for name in ("token_logprobs", "alternatives"):
        columns[name] = [None if values is None else list(values) for values in columns[name]]
    frame = pd.DataFrame(columns)
    return frame.astype({"key": "str", "text": "str", "finish_reason": "str", "error": "str"})


def wanted(requests: Sequence[Request] | pd.DataFrame) -> list[Wanted]:
    """What is wanted, equal requests once (with the largest n), in the order of first mention."""
    found: dict[str, Wanted] = {}
    for want in _from_frame(requests) if isinstance(requests, pd.DataFrame) else _from_list(requests):
        known = found.get(want.key)
        if known is None or known.n < want.n:
            found[want.key] = want
    return list(found.values())


def _from_list(requests: Sequence[Request]) -> Iterator[Wanted]:
    for request in requests:
        yield Wanted(request.key, request.n, request.constraint, partial(_same, request))


def _from_frame(table: pd.DataFrame) -> Iterator[Wanted]:
    lacking = [column for column in REQUEST_COLUMNS if column not in table]
    if lacking:
        raise ValueError(f"requests table: columns {lacking} are missing")
    for row in table[list(REQUEST_COLUMNS)].itertuples(index=False):
        yield Wanted(row.key, int(row.n), _constraint(row.constraint), partial(_request, row))


def _same(request: Request) -> Request:
    return request


def _row(request: Request, heads: "_Heads") -> tuple[Any, ...]:
    messages = [[message["role"], message["content"]] for message in request.messages]
    head, tail = heads.split(json.dumps(messages, ensure_ascii=False))
    values = {name: getattr(request, name) for name in REQUEST_COLUMNS if name not in ("head", "tail")}
    values |= {"head": head, "tail": tail, "stop": json.dumps(request.stop, ensure_ascii=False)}
    values["alternatives"] = json.dumps(request.alternatives, ensure_ascii=False)
    if request.constraint is not None:
        values["constraint"] = json.dumps(request.constraint, ensure_ascii=False)
    return tuple(values[name] for name in REQUEST_COLUMNS)


def _request(row: Any) -> Request:
    """The request of a row; ValueError if the row was changed after its key was made."""
    messages = [{"role": role, "content": content} for role, content in json.loads(row.head + row.tail)]
    request = Request(
        model=row.model,
        messages=tuple(messages),
        n=int(row.n),
        temperature=float(row.temperature),
        top_p=float(row.top_p),
        top_k=int(row.top_k),
        min_p=float(row.min_p),
        max_tokens=int(row.max_tokens),
        stop=tuple(json.loads(row.stop)),
        seed=int(row.seed),
        logprobs=bool(row.logprobs),
        constraint=_constraint(row.constraint),
        attempt=int(row.attempt),
        alternatives=tuple(json.loads(row.alternatives)),
    )
    if request.key != row.key:
        raise ValueError(f"requests table: the row of key {row.key} was changed after it was rendered")
    return request


def _constraint(text: Any) -> dict[str, Any] | None:
    return _loaded(text) if isinstance(text, str) else None


@cache
def _loaded(text: str) -> dict[str, Any]:
    return json.loads(text)


class _Heads:
    """Finds beginnings that texts share, one text after the other."""

    def __init__(self) -> None:
        self._heads: deque[str] = deque(maxlen=32)
        self._recent: deque[str] = deque(maxlen=8)

    def split(self, text: str) -> tuple[str, str]:
        """`text` as a shared beginning and the rest."""
        head = next((head for head in self._heads if text.startswith(head)), None) or self._new(text)
        self._recent.append(text)
        return head, text[len(head) :]

    def _new(self, text: str) -> str:
        """The longest beginning that `text` shares with known beginnings and recent texts."""
        shared = (text[: _shared(text, other)] for other in (*self._heads, *self._recent))
        head = max(shared, key=len, default="")
        if len(head) < _SHORTEST_HEAD:
            return ""
        self._heads.appendleft(head)
        return head


def _shared(one: str, other: str) -> int:
    """Number of characters that two texts share at their beginning, by bisection."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[:middle]):
            low = middle
        else:
            high = middle - 1
    return low
