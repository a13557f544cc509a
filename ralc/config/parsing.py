"""From a parsed ``config.yaml`` to the typed configuration, every fault in a line of its own."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from ralc.config.settings import Config
from ralc.config.types import ConfigError


def parse_config(mapping: Mapping[str, Any], folders: Iterable[str | Path] = ()) -> Config:
    """Return the typed configuration of a parsed ``config.yaml``; what it leaves out has its default.

    Paths in it are from the working directory, or else from the first of `folders` in which they lead somewhere:
    those of the files of the configuration.

    Raises
    ------
    ConfigError
        With one line for each fault: the key, the value, and what is allowed.
    """
    try:
        return Config.model_validate(dict(mapping), context={"folders": list(folders)})
    except ValidationError as error:
        raise ConfigError("\n".join(_line(fault) for fault in error.errors())) from None


def _line(fault: Mapping[str, Any]) -> str:
    """One fault as one line."""
    key = ".".join(str(part) for part in fault["loc"])
    message = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        return f"config: unknown key {key!r}; allowed here: {', '.join(_keys_beside(fault['loc']))}"
    # Where a key may have been put by mistake.
    secret = {"api_key_env", "base_url", "engine_args"} & set(fault["loc"])
    if secret or isinstance(fault["input"], Mapping) or fault["type"] == "missing":
        return f"config: {key + ': ' if key else ''}{message}"
    return f"config: {key} = {fault['input']!r}: {message}"


def _keys_beside(location: tuple[str | int, ...]) -> list[str]:
    """The keys allowed where an unknown key stands."""
    model: Any = Config
    for part in location[:-1]:
        fields = getattr(model, "model_fields", {})
        annotation = fields[part].annotation if part in fields else model
        arguments = [getattr(a, "__origin__", a) for a in getattr(annotation, "__args__", ())]
        model = next((a for a in arguments if isinstance(a, type) and issubclass(a, BaseModel)), annotation)
    return list(getattr(model, "model_fields", {}))
