"""The configuration, typed: what may stand in ``config.yaml``, checked before any job starts.

Files are put over each other as Snakemake does. Every error is one line that names the key, the value and what is
allowed.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from ralc.config.sections import EvaluatorEntry, Run
from ralc.config.settings import Config, ConfigError
from ralc.io.rows import read_text

__all__ = ["Config", "ConfigError", "EvaluatorEntry", "Run"]
__all__ += ["check_partitions", "main", "merged", "parse_config", "read_config"]


def parse_config(mapping: Mapping[str, Any], folders: Iterable[str | Path] = ()) -> Config:
    """Return the typed configuration of a parsed ``config.yaml``; what it leaves out has its default.

    Paths in it are from the working directory, or else from the first of `folders` in which they lead somewhere.
    ConfigError has one line for each fault: the key, the value, and what is allowed.
    """
    try:
        return Config.model_validate(dict(mapping), context={"folders": list(folders)})
    except ValidationError as error:
        raise ConfigError("\n".join(_line(fault) for fault in error.errors())) from None


def _line(fault: Mapping[str, Any]) -> str:
    place = fault["loc"]
    message = fault["msg"].removeprefix("Value error, ")
    key = ".".join(map(str, place))
    if fault["type"] == "extra_forbidden":
        return f"config: unknown key {key!r}; allowed here: {', '.join(_allowed_keys(place))}"
    # A value is not shown where a server's key may have been put by mistake.
    hidden = isinstance(fault["input"], Mapping) or {"api_key_env", "base_url", "engine_args"} & {*place}
    value = "" if hidden or fault["type"] == "missing" else f" = {fault['input']!r}"
    lines = [f"{key}{value}: {message}"] if key else message.splitlines()
    return "\n".join(f"config: {line}" for line in lines)


def _allowed_keys(location: tuple[str | int, ...]) -> list[str]:
    model: Any = Config
    for part in location[:-1]:
        fields = getattr(model, "model_fields", {})
        annotation = fields[part].annotation if part in fields else model
        arguments = [getattr(a, "__origin__", a) for a in getattr(annotation, "__args__", ())]
        model = next((a for a in arguments if isinstance(a, type) and issubclass(a, BaseModel)), annotation)
    return list(getattr(model, "model_fields", {}))


def read_config(
    overlays: Sequence[str | Path],
    base: str | Path | None = "config.yaml",
    config: Mapping[str, Any] | None = None,
) -> Config:
    """Return the configuration of `base`, where there is one, with overlays over it: the later one stands.

    ConfigError if it cannot run; ValueError, with line and column, if a file is no YAML of keys, or has a key twice.

    Parameters
    ----------
    overlays
        Files that go over it, in their order.
    base
        The configuration below; None where this is another workflow's module.
    config
        What Snakemake has merged of them, in their place.
    """
    files = []
    if base is not None:
        files = [file for file in (base,) if Path(file).exists()]
        files += overlays
    merged_files = reduce(merged, map(_keys, files), {})
    mapping = merged_files if config is None else config
    return parse_config(mapping, [Path(file).parent for file in reversed(overlays)])


class _Loader(yaml.SafeLoader):
    """Plain YAML, every key once."""

    def compose_mapping_node(self, anchor: str | None) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        seen = set()
        for key, _ in node.value:
            if str(key.value) in seen:
                fault = f"the key {key.value!r} stands twice"
                raise yaml.MarkedYAMLError(problem=fault, problem_mark=key.start_mark)
            seen.add(str(key.value))
        return node


def _keys(file: str | Path) -> dict[str, Any]:
    text = read_text(file)
    try:
        keys = yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        reason = getattr(error, "problem", None) or " ".join(str(error).split())
        raise ValueError(f"{file}{place}: not YAML ({reason})") from None
    if not isinstance(keys, dict):
        raise ValueError(f"{file}: has no keys at its top level (as in `outdir: results`)")
    return keys


def check_partitions(file: str | Path, allowed: Sequence[str]) -> None:
    """Raise ConfigError where a file of SLURM's partitions gives one other keys, a line for each partition.

    ValueError as of `read_config`, if it is no YAML of keys.
    """
    partitions = _keys(file).get("partitions")
    entries = partitions if isinstance(partitions, dict) else {"": partitions}
    lines = []
    for name, limits in entries.items():
        place = f"{file}: partitions.{name}".rstrip(".")
        if not isinstance(limits, dict):
            lines.append(f"{place} = {limits!r}: must be keys and values, as in `max_threads: 64`")
        elif unknown := limits.keys() - {*allowed}:
            told = ", ".join(map(repr, sorted(unknown, key=str)))
            lines.append(f"{place}: unknown key {told}; allowed here: {', '.join(allowed)}")
    if lines:
        raise ConfigError("\n".join(lines))


def merged(base: Mapping[str, Any], overlay: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with the overlay's keys over it; mappings are merged, all else is replaced.

    >>> merged({"a": {"b": 1, "c": [1, 2]}}, {"a": {"c": [3]}})
    {'a': {'b': 1, 'c': [3]}}
    """
    both = {
        key: merged(base[key], value)
        for key, value in overlay.items()
        if isinstance(value, Mapping) and isinstance(base.get(key), Mapping)
    }
    return {**base, **overlay, **both}


def main(overlays: Sequence[str]) -> None:
    """Print where the report of a run will be, or end with what is wrong: Snakemake does not name the file."""
    try:
        print(Path(read_config(overlays).outdir, "report.html"))
    except ValueError as error:
        sys.exit(f"{error}\n(nothing was run)")
