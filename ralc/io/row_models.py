"""A pydantic model a row of a user's table: a row that is wrong is refused with its file, line and column."""

import difflib
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from ralc.io.console import say
from ralc.io.rows import Faults, FaultsError, Row, format_of, kept, read_rows
from ralc.io.text import list_cell

#: What stands between several values in one delimited cell.
SEPARATOR = "|"
_MISSING = ("", "nan", "null", "none", "na", "n/a")


def is_missing(value: Any) -> bool:
    """Tell whether a value stands for none: null, NaN, or a text that says so."""
    if isinstance(value, str):
        return value.strip().casefold() in _MISSING
    return value is None or (isinstance(value, float) and math.isnan(value))


def listed(value: Any) -> Any:
    """Return the list of a cell, which may be JSON or as Python writes it; a text alone is a list of one."""
    if not isinstance(value, str):
        return value
    return list_cell(value.strip(), "cell") if value.lstrip().startswith("[") else [value]


def _split(value: Any) -> Any:
    """Return the list of a cell, or of values joined by `SEPARATOR` in one text."""
    if not isinstance(value, str) or value.lstrip().startswith("["):
        return listed(value)
    return [one for one in value.split(SEPARATOR) if one.strip()]


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Id = Annotated[Text, BeforeValidator(lambda value: str(value) if type(value) is int else value)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_split)]


class RowModel(BaseModel):
    """A row whose columns may have the `headers` as other names, likeliest first, in any case."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    headers: ClassVar[dict[str, str]] = {}

    @classmethod
    def of(cls, row: Row) -> Self:
        """Return a checked row; ValueError names its place and the first column that is wrong."""
        try:
            return cls.model_validate(row.cells)
        except ValidationError as error:
            raise ValueError(f"{row.where}, {fault_of(error)}") from None

    @classmethod
    def read(cls, path: str | Path) -> list[tuple[Row, Self]]:
        """Return the rows of a file; columns that are not known are named and left out.

        Raises
        ------
        FaultsError
            With the place of every row that is wrong.
        ValueError
            If a column has nearly the name of a known one.
        """
        faults: Faults = []
        rows = read_rows(path, faults=faults)
        columns = dict.fromkeys(name for row in rows for name in row.cells if name)
        called = {name: name for name in columns if name in cls.model_fields} | named(columns, cls.headers)
        left = [name for name in columns if name not in called]
        for name in left:
            if near := difflib.get_close_matches(name.casefold(), cls.model_fields, 1, 0.8):
                raise ValueError(
                    f"{path}, column {name!r}: unknown; is it {near[0]!r}? Known are {', '.join(cls.model_fields)}"
                )
        if left:
            say(f"{path}: columns left out: {', '.join(left)}")
        delimited = format_of(path) in ("csv", "tsv")
        filled_rows = (filled(row, called, delimited=delimited) for row in rows)
        found = list(kept(filled_rows, lambda row: (row, cls.of(row)), faults))
        if faults:
            raise FaultsError(faults)
        return found


def fault_of(error: ValidationError) -> str:
    """Return the first thing that is wrong with a row: its column, the value where it is one of a list, and why."""
    first = error.errors(include_url=False)[0]
    reason = first["msg"].removeprefix("Value error, ").removeprefix("cell: ")
    if not first["loc"]:
        return reason
    if first["type"] == "missing":
        reason = "is missing"
    elif first["type"] != "value_error":
        reason = f"{first['input']!r:.80}: {reason}"
    column, *places = first["loc"]
    at = f", value {int(places[0]) + 1}" if places and str(places[0]).isdecimal() else ""
    return f"column {str(column)!r}{at}: {reason}"


def filled(row: Row, called: dict[str, str], *, delimited: bool) -> Row:
    """Return a row with the cells that hold something, by what their columns are called; others are left out."""
    cells = {called[name]: cell for name, cell in row.cells.items() if name in called}
    empty = (None, "") if delimited else (None,)
    return row._replace(
        cells={name: cell for name, cell in cells.items() if cell == cell and cell not in empty}
    )


def named(columns: Iterable[str], headers: dict[str, str]) -> dict[str, str]:
    """Return what columns are called here, by the names that they have, whatever their case.

    `headers` has for each column the names that it may have, likeliest first (its own, unless it stands among them); a
    column is taken once.

    >>> named(["Question", "Answer", "Model answer"], {"answers": "model_answer answer", "accepted": "answer"})
    {'Model answer': 'answers', 'Answer': 'accepted'}
    """
    left = {re.sub(r"[\W_]+", "_", column.casefold()).strip("_"): column for column in reversed([*columns])}
    found = {}
    for here, there in headers.items():
        known = there.split() if here in there.split() else [here, *there.split()]
        if (name := next((name for name in known if name in left), None)) is not None:
            found[left.pop(name)] = here
    return found
