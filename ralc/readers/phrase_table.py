"""A reader by table: the readings of phrases, from a file, for texts that hold one of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from ralc.beta import Beta
from ralc.beta.validation import LARGEST, SMALLEST
from ralc.io.rows import read_rows
from ralc.io.text import json_value, read_text
from ralc.readers.reader import ReaderModel


class TableReader(ReaderModel):
    """``table``: the longest phrase of a table that stands in a text, whatever its case, says how sure it sounds.

    A text without one is unread: its readings are null, and are counted as such.

    Parameters
    ----------
    name
        In the configuration and the results.
    phrases
        alpha and beta of each phrase.
    """

    options = ("path", "table")
    needs = ("path",)

    def __init__(self, name: str, phrases: Mapping[str, tuple[float, float]]) -> None:
        super().__init__(name)
        self._phrases = {_plain(phrase): values for phrase, values in phrases.items()}
        longest = sorted(self._phrases, key=lambda phrase: (-len(phrase), phrase))
        self._pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest)) + r")(?!\w)")

    @classmethod
    def load(cls, path: str, table: str | None = None, *, name: str = "table") -> Self:
        """Return the reader of a file.

        ``.csv`` with columns ``phrase, alpha, beta``, or ``.json`` with alpha and beta of each phrase, or with
        several such tables, of which `table` names one.

        Raises
        ------
        ValueError
            Naming the file and what is wrong with it.
        """
        values: dict[str, tuple[float, float]] = {}
        for where, phrase, pair in (
            _from_csv(path) if Path(path).suffix == ".csv" else _from_json(path, table)
        ):
            if not _plain(phrase):
                raise ValueError(f"{where}: the phrase is empty")
            if _plain(phrase) in values:
                raise ValueError(f"{where}, phrase {phrase!r}: stands twice, whatever its case; keep one")
            if len(pair) != 2 or not all(SMALLEST <= value <= LARGEST for value in pair):
                raise ValueError(
                    f"{where}, phrase {phrase!r}: alpha and beta must be above 0 and at most {LARGEST:g}, got "
                    f"{list(pair)}"
                )
            values[_plain(phrase)] = pair
        if not values:
            raise ValueError(f"{path}: has no phrase")
        return cls(name, values)

    def read(self, texts: Sequence[str]) -> Beta:
        """Return the readings of the texts, of shape ``(len(texts),)``.

        Raises
        ------
        ValueError
            If a text holds no phrase of the table.
        """
        found = [self._of(text) for text in texts]
        if None in found:
            raise ValueError(
                f"reader {self.name!r}: no phrase of its table in {texts[found.index(None)]!r:.80}"
            )
        alpha, beta = np.array(found, dtype=float).reshape(-1, 2).T
        return Beta(alpha, beta)

    def unread(self, text: str) -> str:
        """Return why a text cannot be read; empty where it can."""
        return "" if self._of(text) else "it holds no phrase of the table"

    def _of(self, text: str) -> tuple[float, float] | None:
        """alpha and beta of the last phrase in a text (the longest of those that begin at one place)."""
        found = self._pattern.findall(_plain(text))
        return self._phrases[found[-1]] if found else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _from_csv(path: str) -> Iterator[tuple[str, str, tuple[float, ...]]]:
    """Where a phrase stands, the phrase, and alpha and beta."""
    for _, where, cells in read_rows(path):
        try:
            yield where, cells["phrase"], (float(cells["alpha"]), float(cells["beta"]))
        except (KeyError, ValueError) as error:
            raise ValueError(
                f"{where}: needs columns phrase, alpha and beta, numbers in the last two ({error})"
            ) from None


def _from_json(path: str, table: str | None) -> list[tuple[str, str, tuple[float, ...]]]:
    loaded = json_value(read_text(path), str(path))
    try:
        loaded = loaded[table] if table else loaded
        return [(str(path), phrase, tuple(map(float, pair))) for phrase, pair in loaded.items()]
    except (KeyError, TypeError, ValueError, AttributeError):
        named = (
            f"table {table!r} of phrases" if table else "one table of phrases (`table` names one of several)"
        )
        raise ValueError(f"{path}: has no {named}, each with [alpha, beta]") from None
