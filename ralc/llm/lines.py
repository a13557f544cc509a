"""The lines of a journal: a record as JSON, with a checksum of what stands before it."""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

from ralc.llm.requests import FINISH_REASONS, Response

_FIELDS = (
    "text",
    "finish_reason",
    "token_logprobs",
    "prompt_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "error",
    "alternatives",
    "token_ends",
)
#: How a line ends: the CRC-32 of what stands before it, in hexadecimal digits.
_END, _END_LENGTH = b',"crc":"%08x"}\n', 19
#: What taking a line apart raises where it is no record.
UNREADABLE = (TypeError, KeyError, ValueError, OverflowError, RecursionError)


def packed(key: str, samples: Sequence[Response], first: int) -> bytes:
    """Return the line of the answers `first`, `first` + 1, ... to a request, its checksum at the end."""
    record = {"key": key, "first": first, "samples": [_packed(sample) for sample in samples]}
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    return text + _END % zlib.crc32(text)


def unpacked(line: bytes) -> list[Response]:
    """The responses of a line; one of `UNREADABLE` if it is not a record as it was written."""
    text = line[:-_END_LENGTH]
    if line[-_END_LENGTH:] != _END % zlib.crc32(text):
        raise ValueError("not what was written")
    record = json.loads(text + b"}")
    key, first = str(record["key"]), int(record["first"])
    if not record["samples"] or first < 0:
        raise ValueError("a record without answers")
    return [_response(key, first + i, sample) for i, sample in enumerate(record["samples"])]


def _packed(response: Response) -> dict[str, Any]:
    """A response as journalled: what is empty is left out, log-probabilities to float32's precision."""
    kept = {name: getattr(response, name) for name in _FIELDS if getattr(response, name) not in (None, 0)}
    for name in ("token_logprobs", "alternatives"):
        if name in kept:
            kept[name] = [None if value is None else float(f"{value:.7g}") for value in kept[name]]
    if response.embedding is not None:
        kept["embedding"] = base64.b64encode(response.embedding).decode()
    return kept


def _response(key: str, sample: int, found: dict[str, Any]) -> Response:
    if not isinstance(found, dict):
        raise TypeError("not a response")
    logprobs, alternatives = found.get("token_logprobs"), found.get("alternatives")
    embedding, ends = found.get("embedding"), found.get("token_ends")
    if found["finish_reason"] not in FINISH_REASONS or not isinstance(found["text"], str):
        raise ValueError("not a response")
    return Response(
        key,
        found["text"],
        found["finish_reason"],
        None if logprobs is None else tuple(map(float, logprobs)),
        int(found.get("prompt_tokens", 0)),
        int(found.get("completion_tokens", 0)),
        found.get("error"),
        sample,
        int(found.get("reasoning_tokens", 0)),
        alternatives=None
        if alternatives is None
        else tuple(None if value is None else float(value) for value in alternatives),
        embedding=None if embedding is None else base64.b64decode(embedding, validate=True),
        token_ends=None if ends is None else tuple(map(int, ends)),
    )
