"""The questions of a dataset of the configuration: built in, fetched, or in a file; split and checked.

What was understood of a dataset, and what in it will make wrong labels, is said before anything is spent (`Findings`).
"""

import hashlib
import pkgutil
import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from ralc import data
from ralc.datasets import published, user_dataset
from ralc.datasets.questions import split
from ralc.datasets.worldfacts import DRAWS, WORLDFACTS, load_worldfacts
from ralc.english import unread, words
from ralc.io.files import fetch

#: The published datasets, a module each.
PUBLISHED = tuple(module.name for module in pkgutil.iter_modules(published.__path__))
_MODULES = {name: import_module(f".{name}", published.__name__) for name in PUBLISHED}
#: What each is called, and how many questions it has, of which format.
TITLES: dict[str, str] = {name: module.TITLE for name, module in _MODULES.items()}
OFFICIAL: dict[str, tuple[int, str]] = {name: module.SIZE for name, module in _MODULES.items()}
#: How a dataset's file may be read.
READERS = (*PUBLISHED, "file")
#: Fewest train questions that a map of two parameters can be fitted on with some meaning.
FEWEST_TRAIN = 10
#: Findings of one kind that are shown one by one.
FINDINGS_SHOWN = 5
#: Share of questions that are not English above which that is said: names and formulas may look like it.
_FOREIGN = 0.1
_BETWEEN = re.compile(r"^\[|\s*;\s*|\s+/\s+|(?<=\w)/(?=\w)|\s+or\s+|\s\|\s")
#: What stands for an answer in a table, and in no text.
_CODE = re.compile(r"[A-Z]{1,3}\d{0,6}|\w+_\w+")
#: Characters of an answer above which it may be the way to one.
_LONG = 120
#: What leads to an answer: arithmetic, a sentence or a line before the last, a conclusion.
_WAY = re.compile(
    r"\d\s*[-+*/×·]\s*\d[^=\n]*=|=[^=,;\n]*=|(?:[a-z]{4}|\d)[.!?]\s+[A-Z]|\n\s*\S"
    r"|(?i:\banswer(?: is|:)|(?:^|[.,;])\s*(?:therefore|hence|thus|so),|[.,;]\s+(?:therefore|hence|thus|so)\b)"
)


@dataclass(frozen=True)
class Findings:
    """What was understood of a dataset, what may make right answers wrong, and what no run should go on with."""

    facts: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    errors: tuple[str, ...]

    def __str__(self) -> str:
        """The findings as lines of text."""
        width = max((len(label) for label, _ in self.facts), default=0)
        lines = [f"  {label.ljust(width)}  {text}" for label, text in self.facts]
        for title, texts in (("look at", self.warnings), ("wrong", self.errors)):
            lines += [f"{title}:", *(f"  {text}" for text in texts)] if texts else []
        return "\n".join(lines)

    def raise_errors(self) -> None:
        """Raise ValueError with the errors, if there are any."""
        if self.errors:
            raise ValueError("; ".join(self.errors))


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


def check(questions: pd.DataFrame, *, user_file: bool = True) -> Findings:
    """Return the findings about the questions of one dataset, a questions table with ``split``.

    Only in a `user_file` repeats and aliases are doubted: published datasets are kept as they are.
    """
    repeats = list(_repeats(questions))
    across = [text for text, splits in repeats if user_file and len(splits) > 1]
    warnings = _some(_suspicious(questions)) if user_file else []
    warnings += _some(f"asked more than once: {text}" for text, _ in repeats if text not in across)
    texts = questions["question"]
    foreign = texts[[user_file and unread(text) != "" for text in texts]]
    if len(foreign) > _FOREIGN * len(texts):
        warnings.append(
            f"{len(foreign)} of {len(texts)} questions seem not to be English (first: {foreign.iloc[0][:60]!r}); "
            "answers are read, graded and hedged as English alone"
        )
    if (train := int((questions["split"] == "train").sum())) < FEWEST_TRAIN:
        least = f"at least {FEWEST_TRAIN} (better 30) are wanted"
        warnings.append(f"{train} train questions are too few to fit a map on; {least}")
    error = "in train and in test, so the map is tested on what it was fitted on: "
    return Findings(tuple(_facts(questions)), tuple(warnings), tuple(_some(error + text for text in across)))


def _facts(questions: pd.DataFrame) -> Iterator[tuple[str, str]]:
    def counted(column: str) -> str:
        return ", ".join(f"{value} {count:,}" for value, count in questions[column].value_counts().items())

    yield "questions", f"{len(questions):,}"
    yield "formats", counted("format")
    aliases = questions.loc[questions["answerable"], "accepted"].map(len)
    if len(aliases):
        average = f"{aliases.mean():.1f} on average"
        yield "accepted answers", f"{aliases.min()} to {aliases.max()} a question, {average}"
    yield "known wrong answers", f"{int((questions['wrong'].map(len) > 0).sum()):,} questions have some"
    yield "unanswerable", f"{int((~questions['answerable']).sum()):,}"
    if questions["turn"].max() > 1:
        yield "turns", counted("turn")
    yield "subjects", f"{questions['subject'].nunique():,}"
    yield "groups", f"{questions['group'].nunique():,} (questions of one group are resampled together)"
    yield "split", counted("split")


def _repeats(questions: pd.DataFrame) -> Iterator[tuple[str, set[str]]]:
    """Yield each question that is asked more than once: its text and ids, and the splits it is in."""
    places: dict[Any, list[Any]] = {}
    for row in questions.itertuples(index=False):
        context = "" if pd.isna(row.context) else " ".join(row.context.split())
        asked = tuple(words(row.question)) or row.question
        places.setdefault((*map(str, row.history), asked, context, *row.choices), []).append(row)
    for rows in places.values():
        if len(rows) > 1:
            ids = ", ".join(row.question_id for row in rows[:4])
            yield f"{rows[0].question[:60]!r} ({ids})", {row.split for row in rows}


def _suspicious(questions: pd.DataFrame) -> Iterator[str]:
    for row in questions[questions["choices"].map(len) == 0].itertuples(index=False):
        codes = all(map(_CODE.fullmatch, row.accepted))
        for alias in row.accepted:
            doubts = {
                "an accepted answer, or a worked solution (accepted is its end)": len(alias) > _LONG
                or bool(_WAY.search(alias)),
                "one accepted answer, or several (joined by |)": _BETWEEN.search(alias),
                "an accepted answer, or a code for one": codes,
            }
            yield from (f"{row.question_id}: is {alias[:60]!r} {doubt}?" for doubt in doubts if doubts[doubt])


def _some(items: Iterable[str]) -> list[str]:
    """The first few of some findings, and how many more there are."""
    texts = list(items)
    more = len(texts) - FINDINGS_SHOWN
    return [*texts[:FINDINGS_SHOWN], f"... and {more} more like this"] if more > 0 else texts
