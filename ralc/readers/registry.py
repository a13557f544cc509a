"""The methods of reading by name, and readers made of them."""

from collections.abc import Mapping
from typing import Any

from ralc import readers
from ralc.readers.reader import Reader, ReaderModel

#: The methods of reading: their name in the configuration, and their class among those of `ralc.readers`.
READERS: dict[str, str] = {
    "cues": "CueReader",
    "judge": "JudgeReader",
    "llm": "Ensemble",
    "probe": "ProbeReader",
}
#: The reader of whoever names none.
DEFAULT = "cues"


def method(name: str) -> type[Reader]:
    """Return the class of a method, loaded now.

    Raises
    ------
    ValueError
        If there is no such method.

    Examples
    --------
    >>> method("llm").options
    ('passes',)
    """
    if name not in READERS:
        raise ValueError(f"method {name!r} is not one of {', '.join(READERS)}")
    return getattr(readers, READERS[name])


def build(name: str, entry: Mapping[str, Any]) -> Reader:
    """Return the reader `name` of an entry of ``readers`` in the configuration.

    Raises
    ------
    ValueError
        If there is no such method.

    Examples
    --------
    >>> build("second", {"method": "cues"}).name
    'second'
    """
    try:
        how = method(entry["method"])
    except ValueError as error:
        raise ValueError(f"reader {name!r}: {error}") from None
    return how.load(name=name, **{key: entry[key] for key in how.options if key in entry})


def load(name: str) -> ReaderModel:
    """Return a reader model by its method.

    Raises
    ------
    ValueError
        If there is no such reader model, or it asks a language model.

    Examples
    --------
    >>> load("judge").read(["I have no idea."]).mean.shape
    (1,)
    """
    if name in READERS and issubclass(method(name), ReaderModel):
        return build(name, {"method": name})
    asks = "asks a language model, as a run of the workflow can (readers, roles.judges)"
    why = f"reader {name!r} {asks}" if name in READERS else f"no reader {name!r}"
    ready = ", ".join(known for known in READERS if issubclass(method(known), ReaderModel))
    raise ValueError(f"{why}: choose one of {ready}")
