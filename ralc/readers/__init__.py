"""Perceived confidence: how people read the certainty of a text (paper section 3.1, evaluator g).

A method is a class (`ralc.readers.reader.Reader`), listed in `READERS`; a reader is a method under a name of its own,
as an entry of ``readers`` in the configuration describes it. So one method may serve several readers.
"""

from collections.abc import Mapping
from typing import Any

from ralc.readers.ensemble import Ensemble
from ralc.readers.few_shot import FewShotReader
from ralc.readers.grammar import CueReader, GrammarReader, JudgeReader
from ralc.readers.phrase_table import TableReader
from ralc.readers.reader import Reader, ReaderModel

__all__ = [
    "READERS",
    "CueReader",
    "GrammarReader",
    "JudgeReader",
    "Reader",
    "ReaderModel",
    "TableReader",
    "build",
    "load",
]

#: The methods of reading, by their name in the configuration.
READERS: dict[str, type[Reader]] = {
    "cues": CueReader,
    "judge": JudgeReader,
    "llm": Ensemble,
    "few_shot": FewShotReader,
    "table": TableReader,
}


def build(name: str, entry: Mapping[str, Any]) -> Reader:
    """Return the reader `name` of an entry of ``readers`` in the configuration.

    Raises
    ------
    ValueError
        If there is no such method.

    >>> build("second", {"method": "cues"}).name
    'second'
    """
    method = READERS.get(entry["method"])
    if method is None:
        raise ValueError(f"reader {name!r}: method {entry['method']!r} is not one of {', '.join(READERS)}")
    return method.load(name=name, **{key: entry[key] for key in method.options if key in entry})


def load(name: str, audience: dict[str, Any] | None = None) -> ReaderModel:
    """Return a reader model by its method; ``audience`` (``cues`` only) re-estimates it for some readers.

    Raises
    ------
    ValueError
        If there is no such reader model, or it has no audiences.

    >>> load("judge").read(["I have no idea."]).mean.shape
    (1,)
    """
    method = READERS.get(name)
    if method is None or not issubclass(method, ReaderModel):
        models = [known for known, method in READERS.items() if issubclass(method, ReaderModel)]
        raise ValueError(f"no reader {name!r}: choose one of {', '.join(models)}")
    if audience and "audience" not in method.options:
        raise ValueError(f"reader {name!r} has no audiences")
    return build(name, {"method": name, **({"audience": audience} if audience else {})})
