"""The questions of a dataset of the configuration: built in, fetched, or in a file, split and checked."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ralc.datasets.checking import Findings, check
from ralc.datasets.fetching import FOLDERS, SOURCES, fetched
from ralc.datasets.official import load_factscore, load_file, load_mmlu, load_squad2, load_truthfulqa
from ralc.datasets.splitting import split
from ralc.datasets.worldfacts import DRAWS, WORLDFACTS, load_worldfacts

#: What reads each format of a dataset's files.
READERS = {
    "mmlu": load_mmlu,
    "squad2": load_squad2,
    "truthfulqa": load_truthfulqa,
    "factscore": load_factscore,
    "file": load_file,
}


def load(name: str, entry: Mapping[str, Any] | None = None, seed: int = 0) -> pd.DataFrame:
    """Return the questions of a dataset of the configuration.

    Parameters
    ----------
    name
        Its key under ``datasets``; a built-in name (``worldfacts-qa``, ``mmlu``, ``squad2``, ...) says what
        it is.
    entry
        What stands there: ``path`` (the paper's datasets are fetched without one); ``format`` (``mmlu``,
        ``squad2``, ``truthfulqa`` or ``file``) where the name does not say it; ``questions``, how many to take
        (worldfacts balance their subjects; elsewhere a seeded sample in the order of the file). None or missing:
        all; ``draw``, ``development`` or ``confirming`` questions (`ralc.datasets.worldfacts.DRAWS`): of a file
        either half of the groups by lot, which no seed changes.
    seed
        Of what is drawn.

    Raises
    ------
    ValueError
        If there is no such dataset, or its file cannot be read as one.
    """
    entry = {key: value for key, value in (entry or {}).items() if value is not None}
    wanted = entry.get("questions")
    if name in WORLDFACTS and "path" not in entry:
        return load_worldfacts(name, wanted, draw=entry.get("draw", DRAWS[1]))
    reader = _format(name, entry)
    if reader not in READERS:
        raise ValueError(f"dataset {name!r}: format {reader!r} is not one of {', '.join(READERS)}")
    if "path" not in entry and reader not in SOURCES | FOLDERS:
        known = ", ".join([*WORLDFACTS, *SOURCES, *FOLDERS])
        raise ValueError(f"dataset {name!r} needs a `path`; without one there are: {known}")
    path = entry["path"] if "path" in entry else fetched(reader)
    draw = entry.get("draw")
    if reader == "factscore":
        return _take(READERS[reader](path, name, draw=draw or DRAWS[1]), wanted, name, seed)
    return _take(READERS[reader](path, name), wanted, name, seed, draw)


def _format(name: str, entry: Mapping[str, Any]) -> str:
    """How a dataset's file is read; built-in datasets have no file."""
    if name in WORLDFACTS and entry.get("path") is None:
        return name
    return entry.get("format") or (name if name in READERS else "file")


def prepare(
    name: str,
    entry: Mapping[str, Any] | None = None,
    *,
    train: float = 0.3,
    method: str = "stratified",
    seed: int = 0,
) -> tuple[pd.DataFrame, Findings]:
    """Return the questions of a dataset, split into train and test (see `split`), and what `check` finds in them.

    Raises
    ------
    ValueError
        If the dataset cannot be read (see `load`) or split.
    """
    questions = load(name, entry, seed)
    try:
        divided = split(questions, train, method, seed)
    except ValueError as error:
        path = (entry or {}).get("path")
        raise ValueError(
            f"{f'{path}, ' if path else ''}dataset {name!r}: {error}; take more questions, or another share of train "
            "questions (split.train)"
        ) from None
    return divided, check(divided, own=_format(name, entry or {}) == "file")


def _lot(name: str) -> int:
    """A number that hangs on a name alone, of 32 bits."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])


def _take(
    questions: pd.DataFrame, wanted: int | None, name: str, seed: int, draw: str | None = None
) -> pd.DataFrame:
    """A seeded sample of the questions, or of a half of their groups by lots that no seed changes; in their order."""
    lots = questions["question_id"].map(_lot).to_numpy()
    if draw:
        half = questions["group"].map(_lot) % 2 == (draw == "confirming")
        questions, lots = questions[half], lots[half]
    count = len(questions)
    if wanted is not None and not 0 < wanted <= count:
        raise ValueError(f"dataset {name!r}: {wanted} questions wanted, 1 to {count} can be had")
    if wanted not in (None, count):
        places = lots.argsort() if draw else np.random.default_rng(seed).choice(count, wanted, replace=False)
        questions = questions.iloc[np.sort(places[:wanted])]
    return questions.reset_index(drop=True)
