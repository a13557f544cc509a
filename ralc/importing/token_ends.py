"""The tokens of imported answers: their log-probabilities, and what of an answer's text each of them is."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ralc.importing.entries import list_of
from ralc.llm import chat
from ralc.recorded.row_cells import missing

#: A token as it is spelt, in UTF-8 where it may be part of a character, and its log-probability.
Token = tuple[str | bytes, Any]


def columns_of(answers: Sequence[str], tokens: Iterable[Sequence[Token]]) -> dict[str, list[Any]]:
    """Return ``token_logprobs`` and ``tokens`` of answers; None where one has no tokens, or lacks a log-probability.

    >>> columns_of(["Oslo."], [[(" Os", -0.1), ("lo.", -0.2), ("</s>", -0.3)]])
    {'token_logprobs': [[-0.1, -0.2, -0.3]], 'tokens': [['Os', 'lo.', '']]}
    """
    known = [[] if any(missing(logprob) for _, logprob in own) else own for own in tokens]
    ends = [
        chat.token_ends([_encoded(token) for token, _ in own], answer) if own else None
        for answer, own in zip(answers, known, strict=True)
    ]
    return {
        "token_logprobs": [[logprob for _, logprob in own] or None for own in known],
        "tokens": list(map(pieces, answers, ends)),
    }


def pieces(answer: str, ends: Iterable[int] | None) -> list[str] | None:
    """Return the texts of an answer's tokens by where they end in it; a character in parts is its last token's.

    >>> pieces("Oslo.", (2, 4, 5))
    ['Os', 'lo', '.']
    """
    return None if ends is None else [answer[start:end] for start, end in pairwise((0, *ends))]


def listed(tokens: Any) -> list[Token]:
    """Return the tokens of a list in the chat schema."""
    return [(_spelt(token), token["logprob"]) for token in list_of(tokens or [], "logprobs")]


def _spelt(token: Mapping[str, Any]) -> str | bytes:
    raw = token.get("bytes")
    return bytes(raw) if isinstance(raw, list) else token.get("token") or ""


def _encoded(token: str | bytes) -> bytes:
    return token if isinstance(token, bytes) else token.encode()
