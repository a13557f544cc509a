"""The questions of a dataset of the configuration: built in, fetched, or in a file, split and checked."""

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

from ralc.datasets import published, user_dataset
from ralc.datasets.splitting import split
from ralc.datasets.validation import Findings, check
from ralc.datasets.worldfacts import DRAWS, WORLDFACTS, load_worldfacts
from ralc.io.downloads import fetch

#: The published datasets, a module each.
PUBLISHED = tuple(module.name for module in pkgutil.iter_modules(published.__path__))
#: How a dataset's file may be read.
READERS = (*PUBLISHED, "file")


def load(name: str, entry: Mapping[str, Any] | None = None, seed: int = 0) -> pd.DataFrame:
    """Return the questions of a dataset of the configuration.

    Parameters
    ----------
    name
        Its key under ``datasets``; a built-in name (``worldfacts-qa``, ``mmlu``, ``squad2``, ...) says what
        it is.
    entry
        What stands there: ``path`` (published datasets are fetched without one); ``format`` (one of `READERS`) where
        the name does not say it; ``questions``, how many to take (worldfacts balance their subjects; elsewhere a
        seeded sample in the order of the file), None or missing: all; ``draw``, ``development`` or ``confirming``
        questions (`ralc.datasets.worldfacts.DRAWS`): of a file either half of the groups by lot, which no seed changes.
    seed
        Of what is drawn.

    Raises
    ------
    ValueError
        If there is no such dataset, or its file cannot be read as one.
    """
    entry = {key: value for key, value in (entry or {}).items() if value is not None}
    wanted = entry.get("questions")
    reader = _format(name, entry)
    if reader in WORLDFACTS:
        return load_worldfacts(name, wanted, draw=entry.get("draw", DRAWS[1]))
    if reader not in READERS:
        raise ValueError(f"dataset {name!r}: format {reader!r} is not one of {', '.join(READERS)}")
    if "path" not in entry and reader == "file":
        known = ", ".join([*WORLDFACTS, *PUBLISHED])
        raise ValueError(f"dataset {name!r} needs a `path`; without one there are: {known}")
    source = user_dataset if reader == "file" else import_module(f"{published.__name__}.{reader}")
    path = entry["path"] if "path" in entry else fetched(reader)
    draw = entry.get("draw")
    if hasattr(source, "DRAWS"):
        return _take(source.load(path, name, draw=draw or DRAWS[1]), wanted, name, seed)
    return _take(source.load(path, name), wanted, name, seed, draw)


def _format(name: str, entry: Mapping[str, Any]) -> str:
    """Return how a dataset's file is read; built-in datasets have no file."""
    if name in WORLDFACTS and entry.get("path") is None:
        return name
    return entry.get("format") or (name if name in READERS else "file")


def fetched(name: str) -> Path:
    """Return the official file (of several the folder) of a dataset, fetched into the user's cache unless it is there.

    Raises
    ------
    ValueError
        If it cannot be had whole from its address, or another file stands in its place.
    """
    import pooch

    source = import_module(f"{published.__name__}.{name}")
    folder = Path(pooch.os_cache("ralc"), name)
    try:
        paths = [fetch(folder / one.url.rsplit("/", 1)[1], one) for one in source.SOURCES]
    except ValueError as error:
        raise ValueError(f"dataset {name!r}: {error} (or give the `path` of a file that you have)") from None
    if hasattr(source, "FOLDER"):
        return _unpacked(paths[0], source.FOLDER)
    return paths[0] if len(paths) == 1 else folder


def _unpacked(archive: Path, folder: str) -> Path:
    """Return a folder of a tar archive, beside it; whole or not at all."""
    target = archive.parent / Path(folder).name
    if not target.exists():
        with tarfile.open(archive) as file, TemporaryDirectory(dir=archive.parent) as temporary:
            members = [one for one in file.getmembers() if one.name.startswith(f"{folder}/")]
            careful = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not before 3.11.4
            file.extractall(temporary, members, **careful)
            Path(temporary, folder).rename(target)
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
