"""What is done to 200 chat replies, data/chat_replies.jsonl: their claims hedged at five targets, the rest left.

They were written, and the sentences that claim something about the world marked (offsets of characters), before any
rule of `ralc.english` was read: code, tables, letters, verse, orders, refusals and other languages claim nothing.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ralc import WordCalibrator
from ralc.rewriting import Rewrite

TARGETS = (0.1, 0.3, 0.5, 0.7, 0.9)


def replies() -> list[dict[str, Any]]:
    """Each with ``kind, question, reply, claims``."""
    path = Path(__file__).parent / "data" / "chat_replies.jsonl"
    return list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))


@cache
def as_it_comes() -> WordCalibrator:
    """A calibrator that leaves confidences as they are."""
    return WordCalibrator(map="identity").fit(np.linspace(0.05, 0.95, 40), np.arange(40) >= 20)


def rewritten(asked: Sequence[dict[str, Any]], target: float) -> list[Rewrite]:
    """Replies in words that say a confidence."""
    texts, questions = ([one[name] for one in asked] for name in ("reply", "question"))
    return as_it_comes().rewrite(texts, [target] * len(texts), questions=questions)


def outside(original: str, changed: str, claims: Sequence[Sequence[int]]) -> int:
    """How many bytes differ that are of no claim, or of another than the one that is worded anew.

    A sentence may be added behind a claim, or a note before or behind all of them.

    >>> outside("Sure! It is Rome.", "Sure! It may be Rome.", [[6, 17]])
    0
    >>> outside("Sure! It is Rome.", "Perhaps it is Rome.", [[6, 17]])
    6
    """
    if changed == original or (claims and original.rstrip() in changed):
        return 0
    head = _alike(original, changed)
    tail = _alike(original[::-1], changed[::-1])
    if not claims:
        return max(len(text[head : len(text) - tail].encode()) for text in (original, changed))
    return min(
        len(original[head : _start(original, start)].encode())
        + len(original[end : len(original) - tail].encode())
        for start, end in (*claims, (len(original), len(original)))
    )


def _start(text: str, start: int) -> int:
    """Where a claim begins, with the mark of its item: a note may stand before it."""
    line = text.rfind("\n", 0, start) + 1
    return start if any(map(str.isalpha, text[line:start])) else line


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
