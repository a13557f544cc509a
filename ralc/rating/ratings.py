"""What people said: JSON lines, read and checked, for the reliance model and for the reader's audiences."""

import json
import os
from pathlib import Path
from typing import Annotated, Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ralc.reliance import Reliance
from ralc.tablefiles import read_rows

Percent = Annotated[int, Field(ge=0, le=100)]


class Rating(BaseModel):
    """One answer rated by one person; a line of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    purpose: Literal["study", "test"]
    """Whether it counts: what was rated to try the page enters no figure."""
    person: str
    """A name that the page made up."""
    trial: Annotated[int, Field(ge=0)]
    """The place among the person's."""
    question_id: str
    """The question."""
    way: str
    """How the answer was said: a method of the run."""
    text: str
    """What was read."""
    read: Annotated[float, Field(ge=0, le=1)]
    """What the reader in the loop takes the text for."""
    correct: Literal[0, 1]
    """Whether the answer is right."""
    before: Percent
    """How likely the answer was to be right, in per cent, before its words were read."""
    sounds: Percent
    """How sure the words sound."""
    accepted: bool
    """Whether the person would go by the answer."""
    after: Percent
    """How likely it is to be right, after."""
    at: str
    """When, in UTC."""


def append(rating: Rating, path: Path) -> None:
    """Write a rating to the end of a file, whole and to the disk."""
    line = json.dumps(rating.model_dump(), ensure_ascii=False) + "\n"
    with path.open("a", encoding="utf-8") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def read(path: Path, purpose: str = "study") -> pd.DataFrame:
    """Return the ratings of a file, a row each with the fields of `Rating`; those made for tests are left out.

    Raises
    ------
    ValueError
        If a line is no rating: the file and the line are named.
    """
    rows = []
    for row in read_rows(path, "jsonl") if path.exists() and path.stat().st_size else []:
        try:
            rating = Rating.model_validate(row.cells)
        except ValidationError as error:
            fault = error.errors()[0]
            raise ValueError(f"{row.where}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None
        if rating.purpose == purpose:
            rows.append(rating.model_dump())
    return pd.DataFrame(rows, columns=list(Rating.model_fields))


def reliance_of(ratings: pd.DataFrame) -> Reliance:
    """Return how these people's belief moves with how sure the words sounded to them.

    Raises
    ------
    ValueError
        If there are too few ratings to tell.
    """
    return Reliance.fit(*(ratings[name].to_numpy(float) / 100 for name in ("before", "sounds", "after")))


def readings_of(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return how people read each text: ``text, n, mean, sd, read``, numbers in [0, 1]; sd is null where n is 1."""
    sounds = ratings.assign(sounds=ratings["sounds"] / 100).groupby("text", sort=True)
    return sounds.agg(
        n=("sounds", "size"), mean=("sounds", "mean"), sd=("sounds", "std"), read=("read", "first")
    ).reset_index()
