"""The questions of a dataset of the configuration: built in, fetched, or in a file; split and checked."""

import hashlib
import pkgutil
import tarfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from ralc import data
from ralc.datasets import published, user_dataset
from ralc.datasets.questions import split
from ralc.datasets.validation import Findings, check
from ralc.datasets.worldfacts import DRAWS, WORLDFACTS, load_worldfacts
from ralc.io.files import fetch

#: The published datasets, a module each.
PUBLISHED = tuple(module.name for module in pkgutil.iter_modules(published.__path__))
_MODULES = {name: import_module(f"{published.__name__}.{name}") for name in PUBLISHED}
#: What each is called, and how many questions it has, of which format.
TITLES: dict[str, str] = {name: module.TITLE for name, module in _MODULES.items()}
OFFICIAL: dict[str, tuple[int, str]] = {name: module.SIZE for name, module in _MODULES.items()}
#: How a dataset's file may be read.
READERS = (*PUBLISHED, "file")


def load(name: str, entry: Mapping[str, Any] | None = None, seed: int = 0) -> pd.DataFrame:
    """Return the questions of a dataset of the configuration.

    Parameters
    ----------
    name
        Its key under ``datasets``; a built-in name (``worldfacts-qa``, ``mmlu``, ``squad2``, ...) says what it is.
    entry
        What stands there (`ralc.config.sections.Dataset`). A file's ``questions`` are a seeded sample in
        its order. A ``draw`` is one random half of its groups, which no seed changes, or ``record``: what is left
        without the questions that were asked before (``ralc/data/seen_questions.csv``).
    seed
        Of what is drawn.

    Raises
    ------
    ValueError
        If there is no such dataset, or its file cannot be read as one.
    """
    entry = {key: value for key, value in (entry or {}).items() if value is not None}
    limit = entry.get("questions")
    draw = entry.get("draw")
    path = entry.get("path")
    reader = _format(name, entry)
    if reader in WORLDFACTS:
        return load_worldfacts(name, limit, draw=draw or DRAWS[1])
    if reader not in READERS:
        raise ValueError(f"dataset {name!r}: format {reader!r} is not one of {', '.join(READERS)}")
    if path is None and reader == "file":
        names = ", ".join([*WORLDFACTS, *PUBLISHED])
        raise ValueError(f"dataset {name!r} needs a `path`; without one there are: {names}")
    source = _MODULES.get(reader, user_dataset)
    arguments = {"draw": draw or DRAWS[1]} if hasattr(source, "DRAWS") else {}
    questions = source.load(path if path is not None else fetched(reader), name, **arguments)
    return _take(questions, limit, name, seed, None if arguments else draw)


def _format(name: str, entry: Mapping[str, Any]) -> str:
    """Return how a dataset's file is read; built-in datasets have no file."""
    if name in WORLDFACTS and entry.get("path") is None:
        return name
    return entry.get("format") or (name if name in READERS else "file")


def fetched(name: str) -> Path:
    """Return the official file (of several the folder) of a dataset, fetched into the user's cache unless it is there.

    ValueError if it cannot be had whole from its address, or another file stands in its place.
    """
    import pooch

    source = _MODULES[name]
    folder = Path(pooch.os_cache("ralc"), name)
    try:
        paths = [fetch(folder / file.url.rsplit("/", 1)[1], file) for file in source.SOURCES]
    except ValueError as error:
        raise ValueError(f"dataset {name!r}: {error} (or give the `path` of a file that you have)") from None
    if not hasattr(source, "FOLDER"):
        return paths[0] if len(paths) == 1 else folder
    target = folder / Path(source.FOLDER).name
    if not target.exists():
        with tarfile.open(paths[0]) as archive, TemporaryDirectory(dir=folder) as temporary:
            members = [file for file in archive.getmembers() if file.name.startswith(f"{source.FOLDER}/")]
            careful = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not before 3.11.4
            archive.extractall(temporary, members, **careful)
            Path(temporary, source.FOLDER).rename(target)
    return target


def prepare(
    name: str,
    entry: Mapping[str, Any] | None = None,
    *,
    train: float = 0.3,
    method: str = "stratified",
    seed: int = 0,
) -> tuple[pd.DataFrame, Findings]:
    """Return the questions of a dataset, split into train and test (see `split`), and what `check` finds in them.

    Parameters
    ----------
    name, entry, seed
        As for `load`; the split is drawn by the seed, too.
    train
        Share of train questions, in (0, 1).
    method
        ``stratified`` or ``first``, as for `split`.

    Raises
    ------
    ValueError
        If the dataset cannot be read (see `load`) or split.
    """
    questions = load(name, entry, seed)
    try:
        divided = split(questions, train, method, seed)
    except ValueError as error:
        remedy = "take more questions, or another share of train questions (split.train)"
        raise ValueError(f"dataset {name!r}: {error}; {remedy}") from None
    return divided, check(divided, user_file=_format(name, entry or {}) == "file")


def _lot(name: str) -> int:
    """A number that hangs on a name alone, of 32 bits."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])


def _take(questions: pd.DataFrame, limit: int | None, name: str, seed: int, draw: str | None) -> pd.DataFrame:
    """A seeded sample of the questions, or of a draw that no seed changes; in their order."""
    if draw == DRAWS[-1]:
        seen = {row["question_id"] for row in data.rows("seen_questions.csv")}
        questions = questions[~questions["question_id"].isin(seen)]
    elif draw:
        questions = questions[questions["group"].map(_lot) % 2 == (draw == "confirming")]
    count = len(questions)
    if limit is not None and not 0 < limit <= count:
        raise ValueError(f"dataset {name!r}: {limit} questions wanted, 1 to {count} can be had")
    if draw:
        places = questions["question_id"].map(_lot).to_numpy().argsort()[:limit]
    elif limit:
        places = np.random.default_rng(seed).choice(count, limit, replace=False)
    else:
        places = np.arange(count)
    return questions.iloc[np.sort(places)].reset_index(drop=True)
