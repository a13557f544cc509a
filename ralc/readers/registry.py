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
    "table": "TableReader",
}
#: Who reads where a reader may ask no model and need no file.
DEFAULT = "cues"


def method(name: str) -> type[Reader]:
    """Return the class of a method, loaded now.

    Raises
    ------
    ValueError
        If there is no such method.

    Examples
    --------
    >>> method("table").options
    ('path', 'table')
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


def load(name: str, audience: dict[str, Any] | None = None) -> ReaderModel:
    """Return a reader model by its method; ``audience`` (``cues`` only) re-estimates it for some readers.

    Raises
    ------
    ValueError
        If there is no such reader model, it asks a model or needs a file, or it has no audiences.

    Examples
    --------
    >>> load("judge").read(["I have no idea."]).mean.shape
    (1,)
    """
    if (why := _unready(name)) is not None:
        ready = [known for known in READERS if _unready(known) is None]
        raise ValueError(f"{why}: choose one of {', '.join(ready)}")
    if audience and "audience" not in method(name).options:
        raise ValueError(f"reader {name!r} has no audiences")
    return build(name, {"method": name, **({"audience": audience} if audience else {})})


def _unready(name: str) -> str | None:
    """Why a reader cannot be had by its name alone; None where it can.

    >>> _unready("probe")
    "reader 'probe' asks a language model, as a run of the workflow can (readers, roles.judges)"
    """
    if name not in READERS:
        return f"no reader {name!r}"
    if not issubclass(method(name), ReaderModel):
        return f"reader {name!r} asks a language model, as a run of the workflow can (readers, roles.judges)"
    if needs := method(name).needs:
        return f"reader {name!r} needs {', '.join(needs)}, as in an entry of readers in the configuration"
    return None
