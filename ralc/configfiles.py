"""Files of the configuration, put over each other as Snakemake does."""

import re
import sys
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import yaml

from ralc.config import Config, ConfigError, parse_config
from ralc.io.text import read_text


def read_config(overlays: Sequence[str | Path], base: str | Path = "config.yaml") -> Config:
    """Return the configuration of `base`, where there is one, with overlays over it: the later one stands.

    Raises
    ------
    ConfigError
        If what they say together cannot run.
    ValueError
        If a file cannot be read or is no YAML of keys; with its line and column.
    """
    files = [*([base] if Path(base).exists() else []), *overlays]
    said = {str(file): _keys(file) for file in files}
    return _parsed(reduce(merged, said.values(), {}), said, files[len(files) - len(overlays) :])


def read_merged(
    config: Mapping[str, Any], overlays: Sequence[str | Path], base: str | Path | None = None
) -> Config:
    """Return a configuration that Snakemake has merged, with what the command line says over it.

    Parameters
    ----------
    config
        As it is merged.
    overlays
        The files that were put over it.
    base
        The file below them: then all are read again, so that a fault names its file. None where another workflow, whose
        module this one is, speaks in its own files.

    Raises
    ------
    ConfigError
        If it cannot run.
    ValueError
        If a file has a key twice; with its line and column.
    """
    files = [] if base is None else [base, *overlays]
    return _parsed(config, {str(file): _keys(file) for file in files}, overlays)


def _parsed(
    config: Mapping[str, Any], said: Mapping[str, Mapping[str, Any]], overlays: Sequence[str | Path]
) -> Config:
    """The configuration; a fault names the files that say it."""
    try:
        return parse_config(config, [Path(file).parent for file in reversed(overlays)])
    except ConfigError as error:
        raise ConfigError(
            "\n".join(_placed(line, config, said) for line in str(error).splitlines())
        ) from None


def _placed(line: str, config: Mapping[str, Any], said: Mapping[str, Mapping[str, Any]]) -> str:
    """A fault with the files that speak of its section, in place of ``config``, unless the command line does."""
    found = re.match(r"config: (?:unknown key ')?(\w+)", line)
    section = found[1] if found else ""
    in_files = reduce(merged, said.values(), {}).get(section) == config.get(section)
    files = [file for file, keys in said.items() if in_files and section in keys]
    return line.replace("config", ", ".join(files), 1) if files else line


class _Loader(yaml.SafeLoader):
    """Plain YAML, every key once."""

    def compose_mapping_node(self, anchor: str | None) -> yaml.MappingNode:
        node, seen = super().compose_mapping_node(anchor), set()
        for key, _ in node.value:
            if (name := (key.tag, str(key.value))) in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {key.value!r} stands twice", problem_mark=key.start_mark
                )
            seen.add(name)
        return node


def _keys(file: str | Path) -> dict[str, Any]:
    """What a YAML file says, or a JSON one."""
    text = read_text(file)
    try:
        found = yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        place = (
            f", line {error.problem_mark.line + 1}, column {error.problem_mark.column + 1}"
            if error.problem_mark
            else ""
        )
        raise ValueError(f"{file}{place}: not YAML ({error.problem})") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"{file}: not YAML ({' '.join(str(error).split())})") from None
    if not isinstance(found, dict):
        raise ValueError(f"{file}: has no keys at its top level (as in `outdir: results`)")
    return found


def merged(base: Mapping[str, Any], overlay: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with the overlay's keys over it; mappings are merged, all else is replaced.

    >>> merged({"a": {"b": 1, "c": [1, 2]}}, {"a": {"c": [3]}})
    {'a': {'b': 1, 'c': [3]}}
    """
    over = {
        key: merged(base[key], value)
        if isinstance(value, Mapping) and isinstance(base.get(key), Mapping)
        else value
        for key, value in overlay.items()
    }
    return {**base, **over}


def main(overlays: Sequence[str]) -> None:
    """Say what is wrong with files of a configuration, and end; Snakemake does not name the file."""
    try:
        read_config(overlays)
    except ValueError as error:
        sys.exit(f"{error}\n(nothing was run)")


if __name__ == "__main__":
    main(sys.argv[1:])
