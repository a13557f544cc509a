"""Perceived confidence: how people read the certainty of a text (paper section 3.1, evaluator g).

Two readers without a language model, ``cues`` (in the loop) and ``judge`` (independent), and the render/parse
pair of the paper's LLM ensemble in :mod:`ralc.readers.ensemble`.
"""

from typing import Any

from ralc.readers.reader import CueReader, JudgeReader, Reader

__all__ = ["READERS", "CueReader", "JudgeReader", "Reader", "load"]

READERS = ("cues", "judge")


def load(name: str, audience: dict[str, Any] | None = None) -> Reader:
    """A reader by name, ``cues`` or ``judge``; ``audience`` (``cues`` only) re-estimates it for some readers.

    Raises:
        ValueError: no such reader, or an audience asked of ``judge``.

    >>> load("judge").read(["I have no idea."]).mean.shape
    (1,)
    """
    if name == "cues":
        return CueReader.load(audience)
    if name == "judge":
        if audience:
            raise ValueError("the judge has no audiences: it must stay independent of the reader in the loop")
        return JudgeReader.load()
    raise ValueError(f"no reader {name!r}: choose one of {', '.join(READERS)}")
