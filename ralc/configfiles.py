"""Files of the configuration, put over each other as Snakemake does."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from ralc.config import Config, parse_config


def read_config(overlays: Iterable[str | Path], base: str | Path = "config.yaml") -> Config:
    """Return the configuration of `base`, where there is one, with overlays over it: the later one stands.

    Raises
    ------
    ConfigError
        If what they say together cannot run.
    OSError
        If an overlay cannot be read.
    """
    files = [Path(file) for file in overlays]
    mapping: dict[str, Any] = {}
    for file in [*([Path(base)] if Path(base).exists() else []), *files]:
        mapping = merged(mapping, yaml.safe_load(file.read_text(encoding="utf-8")) or {})
    return parse_config(mapping, [file.parent for file in reversed(files)])


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
