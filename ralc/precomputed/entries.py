"""Entries of the files that tools save: their values by form, the turns of a conversation, the tokens of an answer."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from ralc.io.rows import Row, is_missing, json_value, placed, read_rows, read_text
from ralc.llm import chat

#: A token as it is spelt, in UTF-8 where it may be part of a character, and its log-probability.
Token = tuple[str | bytes, Any]


def objects(path: str | Path, key: str = "") -> list[Row]:
    """Return the objects of a file of JSON lines, or of a list in one of JSON (``.json``), there under a key."""
    if Path(path).suffix.lower() != ".json":
        return read_rows(path, "jsonl")
    with placed(str(path)):
        found = json_value(read_text(path), str(path))
        entries = list_of(found[key] if key else found, key or "entries")
    return [Row(at, f"{path}, {key or 'entry'} {at}", entry) for at, entry in enumerate(entries, 1)]


def converted(entries: Iterable[Row], convert: Callable[[Any], dict[str, Any] | None]) -> list[Row]:
    """Return the rows that entries become, but for those that become none."""
    rows = []
    for entry in entries:
        with placed(entry.where):
            rows.append(entry._replace(cells=convert(entry.cells)))
    return [row for row in rows if row.cells is not None]


def count_left(path: str | Path, left: list[str], why: str) -> None:
    """Say on standard error how many entries are left out, and why; the first by their names."""
    if left:
        print(f"{path}: {len(left)} that {why}, left out ({', '.join(left[:4])})", file=sys.stderr)


def last_turn(prompt: Any) -> str:
    """Return the text of a prompt, or of the last turn of a conversation, of which images and the like are left out.

    >>> last_turn([{"role": "user", "content": [{"type": "input_text", "text": "Who?"}]}])
    'Who?'
    """
    if isinstance(prompt, str):
        return prompt
    turn = prompt[-1]
    content = turn["content"] if isinstance(turn, dict) else turn
    return "".join(part.get("text", "") for part in content) if isinstance(content, list) else str(content)


def list_of(value: Any, column: str) -> list[Any]:
    """Return a list of a column as it is: a text, too, could be taken apart."""
    if not isinstance(value, list):
        raise TypeError(f"column {column!r}: {value!r:.80} is no list")
    return value


def object_of(value: Any, column: str) -> dict[str, Any]:
    """Return an object of a column as it is."""
    if not isinstance(value, dict):
        raise TypeError(f"column {column!r}: {value!r:.80} is no object")
    return value


def columns_of(answers: Sequence[str], tokens: Iterable[Sequence[Token]]) -> dict[str, list[Any]]:
    """Return ``token_logprobs`` and ``tokens`` of answers; None where one has no tokens, or lacks a log-probability.

    >>> columns_of(["Oslo."], [[(" Os", -0.1), ("lo.", -0.2), ("</s>", -0.3)]])
    {'token_logprobs': [[-0.1, -0.2, -0.3]], 'tokens': [['Os', 'lo.', '']]}
    """
    known = [[] if any(is_missing(logprob) for _, logprob in own) else own for own in tokens]
    return {
        "token_logprobs": [[logprob for _, logprob in own] or None for own in known],
        "tokens": [_pieces(answer, own) for answer, own in zip(answers, known, strict=True)],
    }


def _pieces(answer: str, tokens: Sequence[Token]) -> list[str] | None:
    """Return the texts of an answer's tokens; a character in parts is its last token's."""
    spelt = [token if isinstance(token, bytes) else token.encode() for token, _ in tokens]
    ends = chat.token_ends(spelt, answer) if spelt else None
    return None if ends is None else [answer[start:end] for start, end in pairwise((0, *ends))]


def listed(tokens: Any) -> list[Token]:
    """Return the tokens of a list in the chat schema."""
    return [(_spelt(token), token["logprob"]) for token in list_of(tokens or [], "logprobs")]


def _spelt(token: Mapping[str, Any]) -> str | bytes:
    raw = token.get("bytes")
    return bytes(raw) if isinstance(raw, list) else token.get("token") or ""
