"""What a cell of a user's table says: a text, a probability, a yes or no, a list."""

import math
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ralc.english.legible import unread
from ralc.io.text import list_cell

#: A decimal comma: "0,25" or "1,0"; "1,000" may be a thousand.
_COMMA = re.compile(r"\s*(?:0,\d+|1,00?)\s*")
_YES, _NO = {"1", "true", "yes"}, {"0", "false", "no"}


def text(values: dict[str, Any], column: str, *, empty: bool = False) -> str:
    """The text of a column; ValueError where it is no text, or `empty` and may not be."""
    value = values.get(column)
    if empty and isinstance(value, str):
        return value
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{column} is empty" if value in ("", None) else f"{column} is no text: {value!r}")
    return value


def readable(values: dict[str, Any], column: str) -> str:
    """The text of a column that a reader can read; ValueError where it is none."""
    found = text(values, column)
    if why := unread(found):
        raise ValueError(f"{column} cannot be read: {why}")
    return found


def probability(values: dict[str, Any], column: str, *, empty: bool = False) -> float:
    """The number in [0, 1] of a column, with a decimal point or comma; NaN where it is `empty` and may be.

    >>> probability({"p": "0.25"}, "p"), probability({"p": "0,25"}, "p")
    (0.25, 0.25)
    """
    value = values.get(column)
    if empty and (value is None or value == "" or (isinstance(value, float) and math.isnan(value))):
        return math.nan
    try:
        said = value.replace(",", ".") if isinstance(value, str) and _COMMA.fullmatch(value) else value
        number = math.nan if isinstance(value, bool) else float(said)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{column} is no number: {value!r}") from None
    if not 0 <= number <= 1:
        raise ValueError(f"{column} = {value} is not in [0, 1]")
    return number


def probabilities(values: dict[str, Any], column: str, *, empty: bool = False) -> float | list[float]:
    """The number in [0, 1] of a column, or its list of them: one of each sentence of an answer; in CSV it is JSON.

    >>> probabilities({"p": "[0.5, 1]"}, "p"), probabilities({"p": [0.5, None]}, "p", empty=True)
    ([0.5, 1.0], [0.5, nan])
    """
    value = values.get(column)
    if not is_list(value):
        return probability(values, column, empty=empty)
    return [probability({column: one}, column, empty=empty) for one in _listed(values, column)]


def is_list(value: Any) -> bool:
    """Whether a cell holds a list."""
    return isinstance(value, list) or (isinstance(value, str) and value.lstrip().startswith("["))


def in_per_cent(values: Sequence[Any]) -> bool:
    """Whether the cells of a column are scores of 0 to 100, as far as they are numbers."""
    from ralc.calibrator.signal import in_per_cent

    numbers = []
    for value in values:
        with suppress(TypeError, ValueError, OverflowError):
            numbers.append(float(value))
    return in_per_cent(numbers)


def promise(calibrator: Any, name: str) -> None:
    """Say on standard error where nothing is promised of a calibrator's words."""
    if calibrator.caveat:
        print(f"ralc: {name} promises nothing: {calibrator.caveat}", file=sys.stderr)


def outcome(values: dict[str, Any], column: str, place: int = 0, of: int = 1) -> int:
    """Whether a column says that an answer was right: 1 or 0, true or false, yes or no.

    Of a list, which says it of each answer, the one at `place` counts.

    >>> outcome({"correct": "TRUE"}, "correct"), outcome({"correct": [0.0, 1]}, "correct", 1, 2)
    (1, 1)
    """
    value = values.get(column)
    if isinstance(value, list) or str(value).startswith("["):
        listed = _listed(values, column)
        value = listed[place] if len(listed) == of else listed
        if value is None:
            raise ValueError(
                f"{column} of answer {place + 1} of {of}, which speaks for the most of them, is missing"
            )
    said = str(value).strip().lower().removesuffix(".0")
    if said not in _YES | _NO:
        each = f", nor a list of them for {of} answers" if isinstance(value, list) else ""
        raise ValueError(f"{column} = {value!r:.80} is neither 1 nor 0 (true, false, yes, no){each}")
    return int(said in _YES)


def strings(values: dict[str, Any], column: str) -> list[str]:
    """The list of texts of a column; in CSV it is a JSON list, or one as Python writes it.

    >>> strings({"samples": '["Paris", "Lyon"]'}, "samples"), strings({"samples": "['Paris']"}, "samples")
    (['Paris', 'Lyon'], ['Paris'])
    """
    value = _listed(values, column)
    if not value or not all(isinstance(one, str) for one in value):
        raise ValueError(f"{column} is no list of at least one text")
    return value


def size(values: dict[str, Any], column: str) -> int:
    """How many texts the list of a column has; 0 where it is none."""
    try:
        return len(strings(values, column))
    except ValueError:
        return 0


def logprobs(values: dict[str, Any], column: str, n: int) -> list[list[float] | None]:
    """The lists of log-probabilities of a column, one of each of `n` samples, or null; in CSV it is JSON."""
    value = _listed(values, column)
    known = [one for one in value if one is not None]
    if not known or not all(isinstance(one, list) and one and all(map(_nats, one)) for one in known):
        raise ValueError(f"{column} is no list of lists of log-probabilities (numbers of at most 0)")
    if len(value) != n:
        raise ValueError(f"{n} samples have {len(value)} lists of {column}")
    return value


def _nats(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -math.inf < value <= 0


def _listed(values: dict[str, Any], column: str) -> list[Any]:
    value = values.get(column)
    if isinstance(value, str):
        try:
            value = list_cell(value, column)
        except ValueError:
            raise ValueError(f"{column} is no JSON list: {value[:40]!r}") from None
    if not isinstance(value, list):
        raise ValueError(f"{column} is no list: {value!r}")
    return value
