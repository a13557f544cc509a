"""One pydantic model of a row that `ralc fit` and `ralc rewrite` read: an answer or samples, a score, an outcome."""

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError

from ralc.english.language_check import unread
from ralc.io.row_models import Answers, LogProbs
from ralc.io.text import list_cell

#: A decimal comma: "0,25" or "1,0"; "1,000" may be a thousand.
_COMMA = re.compile(r"\s*(?:0,\d+|1,00?)\s*")
_TRUTHS = {"1": 1, "true": 1, "yes": 1, "0": 0, "false": 0, "no": 0}


def _listed(value: Any) -> Any:
    """A list that stands in a cell of text, as JSON or as Python writes it."""
    return list_cell(value.strip(), "cell") if isinstance(value, str) and value.lstrip()[:1] == "[" else value


def _number(value: Any) -> float:
    """A number in [0, 1] with a decimal point or comma; NaN where there is none."""
    if value in (None, "") or value != value:
        return math.nan
    point = value.replace(",", ".") if isinstance(value, str) and _COMMA.fullmatch(value) else value
    try:
        number = math.nan if isinstance(value, bool) else float(point)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{value!r:.80} is no number") from None
    if not 0 <= number <= 1:
        raise ValueError(f"{value!r:.80} is not in [0, 1]")
    return number


def _scores(value: Any) -> float | list[float]:
    value = _listed(value)
    return list(map(_number, value)) if isinstance(value, list) else _number(value)


_ANSWERS: TypeAdapter[Any] = TypeAdapter(Answers)
Scores = Annotated[float | list[float], BeforeValidator(_scores)]


class ScoreRow(BaseModel):
    """What a row says of an answer; each column is checked where it is used."""

    model_config = ConfigDict(frozen=True)

    question: Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else "")] = ""
    answer: str | None = None
    samples: Answers | None = None
    token_logprobs: LogProbs | None = None
    confidence: Scores | None = None
    correct: Any = None

    @classmethod
    def of(cls, cells: Mapping[str, Any], columns: Mapping[str, str], *, needs: Sequence[str] = ()) -> Self:
        """Return the columns of a row that are named; ValueError names the first that is wrong.

        Parameters
        ----------
        cells
            The row.
        columns
            By each field its column.
        needs
            Fields that may not be empty.
        """
        given = {name: cells.get(column) for name, column in columns.items()}
        for name in needs:
            if given.get(name) in (None, ""):
                raise ValueError(f"{columns[name]} is empty")
        try:
            return cls.model_validate({name: value for name, value in given.items() if value is not None})
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            reason = first["msg"].removeprefix("Value error, ").removeprefix("cell: ")
            field = str(first["loc"][0])
            if first["type"] == "string_type":
                reason = f"is no text: {first['input']!r:.80}"
            raise ValueError(f"{columns.get(field, field)} {reason}") from None

    @property
    def readable(self) -> str:
        """The answer, which an evaluator can read; ValueError where it is none."""
        if why := unread(self.answer or ""):
            raise ValueError(f"the answer cannot be read: {why}")
        return self.answer or ""

    @property
    def score(self) -> float | list[float]:
        """The confidence; NaN where none came."""
        return math.nan if self.confidence is None else self.confidence

    def outcome(self, place: int = 0, of: int = 1) -> int:
        """Whether the answer at a place is right, 0 or 1; of a list, which says it of each answer, its entry."""
        value = _listed(self.correct)
        if isinstance(value, list) and len(value) == of:
            value = value[place]
            if value is None:
                raise ValueError(
                    f"correct of answer {place + 1} of {of}, which speaks for the most, is missing"
                )
        found = _TRUTHS.get(str(value).strip().lower().removesuffix(".0"))
        if found is None:
            each = f", nor a list of them for {of} answers" if isinstance(value, list) else ""
            raise ValueError(f"correct = {value!r:.80} is neither 1 nor 0 (true, false, yes, no){each}")
        return found

    def shares(self) -> list[float]:
        """The share of each sentence that is right, NaN where nobody said."""
        given = _scores(self.correct)
        return given if isinstance(given, list) else [given]


def sizes(values: Sequence[Any]) -> list[int]:
    """Return how many texts each list of a column has; 0 where it is none."""
    found = []
    for value in values:
        found.append(0)
        listed = isinstance(value, list) or (isinstance(value, str) and value.lstrip()[:1] == "[")
        with suppress(ValueError):
            found[-1] = len(_ANSWERS.validate_python(value)) if listed else 0
    return found


def in_per_cent(values: Sequence[Any]) -> bool:
    """Return whether the cells of a column are scores of 0 to 100, as far as they are numbers."""
    from ralc.calibrator.signal import in_per_cent

    numbers = []
    for value in values:
        with suppress(TypeError, ValueError, OverflowError):
            numbers.append(float(value))
    return in_per_cent(numbers)
