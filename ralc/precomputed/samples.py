"""The file of precomputed samples: a row a question, checked cell by cell."""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from ralc.io.history import HEADER, History, dialogue
from ralc.io.rows import Id, RowModel, Text, is_missing, listed, truth_of
from ralc.llm.chat import answer_tokens, final_answer
from ralc.registry import CORRECT, INCORRECT, NOT_ATTEMPTED

#: Where a larger share of the answers has log-probabilities of exactly 0, these are placeholders. A model so certain of
#: every token needs no calibration.
MOST_CERTAIN = 0.5
_GRADES: dict[Any, str] = {"A": CORRECT, "B": INCORRECT, "C": NOT_ATTEMPTED}
_GRADES |= {grade: grade for grade in _GRADES.values()} | {True: CORRECT, False: INCORRECT}


def _grade(value: Any) -> str | None:
    """Return the grade of an outcome (see `truth_of`), of CORRECT or INCORRECT, of A, B or C.

    None where there is none, or an answer is partly right: P, or a share between 0 and 1.
    """
    share = 0.0
    with suppress(TypeError, ValueError):
        share = float(value)
    if is_missing(value) or value == "P" or 0 < share < 1:
        return None
    grade = _GRADES.get(str(value)) or _GRADES.get(truth_of(value))
    if grade is None:
        words = "0, 1, A, B, C, CORRECT, INCORRECT, NOT_ATTEMPTED or null"
        remedy = "take what says right or wrong (import: --correct NAME, of an object NAME.KEY), or none"
        raise ValueError(f"{value!r:.80} is not one of {words}; {remedy}")
    return grade


def _logprobs(values: Any) -> Any:
    """Return the log-probabilities of an answer; None where one is missing."""
    lacking = is_missing(values) or (isinstance(values, list) and any(map(is_missing, values)))
    return None if lacking else values or None


def _sound(stretch: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    start, end, right, facts = stretch
    if not (0 <= start < end and 0 <= right <= facts > 0):
        raise ValueError(f"{stretch} is not [start, end, facts that are right, facts], at least one fact")
    return stretch


#: A labelled stretch of an answer: start and end in characters, how many of its facts are right, how many it has.
Stretch = Annotated[tuple[int, int, int, int], AfterValidator(_sound)]
#: A log-probability in nats; rounding lets it be a little above 0.
LogProb = Annotated[
    float, Field(strict=True, le=1e-3, allow_inf_nan=False), AfterValidator(lambda nats: min(nats, 0.0))
]
Grade = Annotated[str | None, BeforeValidator(_grade)]
Answers = Annotated[tuple[str, ...], BeforeValidator(listed), Field(min_length=1)]
LogProbs = Annotated[
    tuple[Annotated[tuple[LogProb, ...] | None, BeforeValidator(_logprobs)], ...], BeforeValidator(listed)
]
Grades = Annotated[tuple[Grade, ...], BeforeValidator(listed)]
Facts = Annotated[tuple[tuple[Stretch, ...] | None, ...], BeforeValidator(listed)]
#: The default of a column with a value for each answer.
_NONE_EACH: Any = Field(default_factory=lambda row: (None,) * len(row["answers"]))
_OF_ANSWERS = ("raw_answers", "token_logprobs", "tokens", "correct", "facts")


class SampleRow(RowModel):
    """What was sampled of a question: its answers, and of each what is known."""

    headers: ClassVar[dict[str, str]] = {"correct": "correct grade", "history": HEADER}

    question: Text | str = ""
    question_id: Id | str = ""
    history: History = ()
    answers: Answers
    raw_answers: Annotated[tuple[str | None, ...], BeforeValidator(listed)] = _NONE_EACH
    token_logprobs: LogProbs = _NONE_EACH
    tokens: Annotated[tuple[tuple[str, ...] | None, ...], BeforeValidator(listed)] = _NONE_EACH
    correct: Grades = _NONE_EACH
    facts: Facts = _NONE_EACH
    hedged_answer: str | None = None
    hedged_correct: Grade = None
    prompt_tokens: Annotated[int, Field(ge=0, lt=2**31)] = 0

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not self.question and not self.question_id:
            raise ValueError("column 'question': is missing, and so is question_id")
        n = len(self.answers)
        for column in _OF_ANSWERS:
            if len(values := getattr(self, column)) != n:
                raise ValueError(f"column {column!r}: {len(values)} values for {n} answers")
        each = zip(self.answers, self.tokens, self.token_logprobs, self.facts, strict=True)
        for at, (answer, tokens, logprobs, facts) in enumerate(each, 1):
            if tokens is not None and len(tokens) != len(logprobs or ()):
                counts = f"{len(tokens)} tokens and {len(logprobs or ())} log-probabilities"
                raise ValueError(f"column 'tokens': answer {at} has {counts}")
            if any(end > len(answer) for _, end, *_ in facts or ()):
                raise ValueError(f"column 'facts': answer {at} has {len(answer)} characters")
        return self

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits that name what the row answers, whatever file it stands in."""
        content = [self.question_id, self.question, self.answers, self.token_logprobs, self.hedged_answer]
        content += [self.prompt_tokens, *([self.tokens] if any(self.tokens) else [])]
        content += [self.history] if self.history else []
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    def named(self, prompt: str) -> str:
        """Return the text of a request for the answers to a prompt; the engine `recorded` reads it."""
        return f"{prompt} answers of record {self.digest}"

    def without_reasoning(self) -> Self:
        """Return the row with answers without reasoning; the texts as they came are its `raw_answers`.

        The log-probabilities of an answer are those of its own tokens, and missing where its tokens are not known.
        """
        finals = [final_answer(answer) for answer in self.answers]
        if not any(stripped for _, stripped in finals):
            return self
        columns: dict[str, list[Any]] = {"answers": [], "token_logprobs": [], "tokens": []}
        each = zip(finals, self.answers, self.token_logprobs, self.tokens, strict=True)
        for (text, stripped), raw, logprobs, tokens in each:
            places = _own_tokens(text, raw, tokens) if stripped else range(len(logprobs or ()))
            columns["answers"].append(text)
            for name, values in (("token_logprobs", logprobs), ("tokens", tokens)):
                columns[name].append(tuple(values[place] for place in places) or None if values else None)
        raw = self.raw_answers if any(self.raw_answers) else self.answers
        return self.model_copy(
            update={name: tuple(values) for name, values in columns.items()} | {"raw_answers": raw}
        )


def _own_tokens(text: str, raw: str, tokens: Sequence[str] | None) -> Sequence[int]:
    """The places of the answer's tokens among those of a text as it came; none where these are not known."""
    if tokens is None or "".join(tokens) != raw:
        return []
    return answer_tokens([token.encode() for token in tokens], text)


@dataclass(frozen=True)
class Samples:
    """The rows of a file, one a question, and one line (`notes`) for each thing that is missing in them."""

    path: str
    rows: tuple[SampleRow, ...]
    notes: tuple[str, ...]

    @cached_property
    def by_digest(self) -> dict[str, SampleRow]:
        """The rows by what they answer."""
        return {row.digest: row for row in self.rows}

    def of(self, question: Any) -> SampleRow | None:
        """Return the row of a row of the questions table: by its id, else by its text and what was said before."""
        said = dialogue(question.history, question.question)
        return self._by_name.get(question.question_id) or self._by_name.get(said)

    @cached_property
    def _by_name(self) -> dict[str | tuple[str, ...], SampleRow]:
        texts = {dialogue(row.history, row.question): row for row in self.rows if row.question}
        return texts | {row.question_id: row for row in self.rows if row.question_id}


def read_first(paths: Sequence[str | Path]) -> Samples | None:
    """Return the samples of the one file named; None where none is (a target that is asked)."""
    return read(paths[0]) if paths else None


def read(path: str | Path) -> Samples:
    """Return the samples of a file: ``.jsonl``, ``.csv``, ``.tsv`` or ``.parquet``, a row a question.

    The columns are those of `SampleRow`. Reasoning in an answer is stripped. Log-probabilities
    that are placeholders (see `MOST_CERTAIN`) are left out. Raises ValueError with file, row and column of every fault.
    """
    pairs = SampleRow.read(
        path, key=lambda row: row.question_id or "\n".join(dialogue(row.history, row.question))
    )
    if not pairs:
        raise ValueError(f"{path}: holds no row")
    rows, note = without_placeholders([row.without_reasoning() for _, row in pairs])
    answers = sum(len(row.answers) for row in rows)
    filled = sum(values is not None for row in rows for values in row.token_logprobs)
    ungraded = sum(row.correct.count(None) for row in rows)
    lacking = sum(row.hedged_answer is None for row in rows)
    notes = {
        note: note,
        "no token_logprobs: no signal token_probability": not filled and not note,
        f"{answers - filled} of {answers} answers lack token_logprobs": 0 < filled < answers,
        "one answer a question: no signal semantic_uncertainty": answers == len(rows),
        f"{ungraded} of {answers} answers are ungraded": 0 < ungraded < answers,
        f"{lacking} of {len(rows)} rows lack hedged_answer: no hedged_qa for them": lacking,
    }
    return Samples(str(path), tuple(rows), tuple(text for text, holds in notes.items() if holds))


def without_placeholders(rows: list[SampleRow]) -> tuple[list[SampleRow], str]:
    """Return rows without log-probabilities that are placeholders (see `MOST_CERTAIN`), and what to say of it."""
    lists = [values for row in rows for values in row.token_logprobs if values is not None]
    certain = sum(not any(values) for values in lists)
    if certain <= MOST_CERTAIN * len(lists):
        return rows, ""
    note = "placeholders, all left out, and with them the signal token_probability"
    empty = [dict.fromkeys(("token_logprobs", "tokens"), (None,) * len(row.answers)) for row in rows]
    rows = [row.model_copy(update=columns) for row, columns in zip(rows, empty, strict=True)]
    return rows, f"token_logprobs of {certain} of {len(lists)} answers are exactly 0: {note}"


def share_right(facts: Sequence[Stretch], start: int, end: int) -> float | None:
    """Return the share of a sentence's facts that is right, of those that its answer has; None where it has none.

    A labelled stretch and a sentence are one where they share half of the shorter.

    Parameters
    ----------
    facts
        The labelled stretches of an answer.
    start, end
        Where the sentence stands in it, in characters.

    Returns
    -------
    float or None
        In [0, 1].
    """
    overlaps = [
        one
        for one in facts
        if 2 * (min(one[1], end) - max(one[0], start)) >= min(one[1] - one[0], end - start)
    ]
    right, checked = (sum(one[place] for one in overlaps) for place in (2, 3))
    return right / checked if checked else None
