"""One pydantic model of a row that `ralc fit` and `ralc rewrite` read: an answer or samples, a score, an outcome."""

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError

from ralc.cli import tables
from ralc.english import unread
from ralc.io.rows import list_cell
from ralc.precomputed.samples import Answers, Facts, LogProbs

if TYPE_CHECKING:
    from ralc import Beta, WordCalibrator
    from ralc.calibrator.confidence import Majority

#: A decimal comma: "0,25" or "1,0"; "1,000" may be a thousand.
_COMMA = re.compile(r"\s*(?:0,\d+|1,00?)\s*")
_TRUTHS = {"1": 1, "true": 1, "yes": 1, "0": 0, "false": 0, "no": 0}
_ANSWERS: TypeAdapter[Any] = TypeAdapter(Answers)


def _listed(value: Any) -> Any:
    """A list that stands in a cell of text, as JSON or as Python writes it."""
    return list_cell(value.strip()) if isinstance(value, str) and value.lstrip()[:1] == "[" else value


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


class ScoreRow(BaseModel):
    """What a row says of an answer; each column is checked where it is used."""

    model_config = ConfigDict(frozen=True)

    question: Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else "")] = ""
    answer: str | None = None
    samples: Answers | None = None
    token_logprobs: LogProbs | None = None
    facts: Facts | None = None
    confidence: Annotated[float | list[float], BeforeValidator(_scores)] = math.nan
    correct: Any = None

    @classmethod
    def of(cls, cells: Mapping[str, Any], columns: Mapping[str, str], *, needs: str = "") -> Self:
        """Return the columns of a row that are named; ValueError names the first that is wrong."""
        values = {name: cells.get(column) for name, column in columns.items()}
        if needs and values[needs] in (None, ""):
            raise ValueError(f"{columns[needs]} is empty")
        try:
            return cls.model_validate({name: value for name, value in values.items() if value is not None})
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

    def outcome(self, place: int = 0, of: int = 1) -> int:
        """Return whether the answer at a place is right, 0 or 1; of a list of one for each answer, its entry."""
        value = _listed(self.correct)
        if isinstance(value, list) and len(value) == of:
            value = value[place]
            if value is None:
                raise ValueError(f"correct of answer {place + 1} of {of}, one of the majority, is missing")
        truth = _TRUTHS.get(str(value).strip().lower().removesuffix(".0"))
        if truth is None:
            each = f", nor a list of them for {of} answers" if isinstance(value, list) else ""
            raise ValueError(f"correct = {value!r:.80} is neither 1 nor 0 (true, false, yes, no){each}")
        return truth

    def shares(self) -> list[float]:
        """Return the share of each sentence that is right, NaN where nobody said."""
        scores = _scores(self.correct)
        return scores if isinstance(scores, list) else [scores]


def samples_in(table: tables.Table, column: str) -> str:
    """Return the column of samples: ``samples``, or lists of ``answers`` as `ralc import` writes them; else "".

    Beside a `column` of answers, a column ``answers`` holds something else: the accepted ones, or the choices.
    """
    if "samples" in table.columns:
        return "samples"
    cells = [row.cells.get("answers") for row in table.rows]
    return "answers" if column not in table.columns and any(sizes(cells)) else ""


def sizes(values: Sequence[Any]) -> list[int]:
    """Return how many texts each list of a column has; 0 where it is none."""
    counts = []
    for value in values:
        counts.append(0)
        with suppress(ValueError):
            if isinstance(_listed(value), list):
                counts[-1] = len(_ANSWERS.validate_python(value))
    return counts


def answer(cells: Mapping[str, Any], column: str, listed: str) -> str:
    """Return the answer of a row, which an evaluator can read: its column's text, or what most of its samples say."""
    from ralc.calibrator.confidence import majority

    if not listed or isinstance(cells.get(column), str):
        return ScoreRow.of(cells, {"answer": column}, needs="answer").readable
    row = ScoreRow.of(cells, {"samples": listed, "question": "question"}, needs="samples")
    return row.model_copy(update={"answer": majority(row.samples, row.question).answer}).readable


def sampled(cells: Mapping[str, Any], listed: str, calibrator: "WordCalibrator") -> "tuple[Majority, Beta]":
    """Return the majority of a row's samples, and its confidence by the calibrator's signal, or its sentences'."""
    from ralc.registry import SIGNALS

    taken = SIGNALS[calibrator.signal].logprobs
    columns = {"samples": listed, "question": "question"} | ({taken: taken} if taken else {})
    row = ScoreRow.of(cells, columns, needs="samples")
    logprobs = [row.token_logprobs or [None] * len(row.samples)] if taken else None
    (most,), confidence = calibrator.confidence_of(
        [row.samples], token_logprobs=logprobs, questions=[row.question]
    )
    return most, confidence[0]
