"""The file of recorded samples: a row a question, checked cell by cell."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ralc.io.rows import cell_of, read_filled
from ralc.recorded.row_cells import (
    Stretch,
    answers_in,
    count_in,
    facts_in,
    grades_in,
    grades_of,
    hedged_in,
    logprobs_in,
    outcome_in,
    tokens_in,
)

COLUMNS = (
    "question_id",
    "question",
    "answers",
    "token_logprobs",
    "tokens",
    "alternatives",
    "correct",
    "grade",
    "facts",
    "hedged_answer",
    "hedged_correct",
    "prompt_tokens",
)
#: Where more of the answers than this have log-probabilities of exactly 0, they are placeholders: a model that is
#: certain of every token of so many answers needs no calibration.
MOST_CERTAIN = 0.5
_NAMED = re.compile(r"(direct|hedged) answers of record ([0-9a-f]{16})")


@dataclass(frozen=True)
class Row:
    """What was recorded of a question.

    Parameters
    ----------
    where
        Where it stands: file and line (or row, counted from 1).
    question_id, question
        What names the question; one of them may be empty.
    answers
        The sampled answers, at least one.
    token_logprobs
        Log-probabilities of the tokens of each answer, nats; None for an answer without them.
    tokens
        These tokens as they are written; None for an answer without them.
    alternatives
        Log-probabilities of what the first token of each answer could have been, nats; None for an answer without.
    grades
        The grade of each answer; None for one without.
    facts
        The labelled stretches of each answer: start, end, how many of its facts are right, how many it has; None for
        an answer without.
    hedged_answer, hedged_grade
        The answer that says its own certainty, and its grade.
    prompt_tokens
        Tokens of the prompt, 0 where that is not known.
    """

    where: str
    question_id: str
    question: str
    answers: tuple[str, ...]
    token_logprobs: tuple[tuple[float, ...] | None, ...]
    tokens: tuple[tuple[str, ...] | None, ...]
    alternatives: tuple[tuple[float, ...] | None, ...]
    grades: tuple[str | None, ...]
    facts: tuple[tuple[Stretch, ...] | None, ...]
    hedged_answer: str | None
    hedged_grade: str | None
    prompt_tokens: int

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits that name what the row answers, whatever file it stands in."""
        said = [self.question_id, self.question, self.answers, self.token_logprobs, self.hedged_answer]
        said += [self.prompt_tokens, *(one for one in (self.alternatives, self.tokens) if any(one))]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]

    def named(self, prompt: str) -> str:
        """What a request for the answers to one prompt says; `row_named` reads it."""
        return f"{prompt} answers of record {self.digest}"


def row_named(said: str) -> tuple[str, str] | None:
    """The prompt and the row's digest that a request names; None for any other request."""
    match = _NAMED.fullmatch(said)
    return (match[1], match[2]) if match else None


@dataclass(frozen=True)
class Recorded:
    """The rows of a file, and what was found missing in them.

    Parameters
    ----------
    rows
        A row a question.
    notes
        One line for each thing that is left out, with its count.
    """

    rows: tuple[Row, ...]
    notes: tuple[str, ...]

    @cached_property
    def by_digest(self) -> dict[str, Row]:
        """The rows by what they answer."""
        return {row.digest: row for row in self.rows}

    def of(self, question_id: str, question: str) -> Row | None:
        """The row of a question: by its id, else by its text."""
        return self._by_name.get(("id", question_id)) or self._by_name.get(("text", _plain(question)))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Row]:
        texts = {("text", _plain(row.question)): row for row in self.rows if row.question}
        return texts | {("id", row.question_id): row for row in self.rows if row.question_id}


def read_first(paths: Sequence[str | Path]) -> Recorded | None:
    """Return the recorded samples of the one file named; None where none is (a target that is asked)."""
    return read(paths[0]) if paths else None


def read(path: str | Path) -> Recorded:
    """Return the recorded samples of a file: ``.jsonl``, ``.csv``, ``.tsv`` or ``.parquet``, a row a question.

    Columns: ``question`` or ``question_id``; ``answers``, a list of texts (one text is a list of one). Optional:
    ``token_logprobs`` (a list for each answer, nats), ``tokens`` (likewise, these tokens as they are written, so that
    a sentence of a long answer has those of its own), ``alternatives`` (likewise, of what the first token could have
    been), ``correct`` (0, 1 or null for each answer) or ``grade`` (CORRECT, INCORRECT, NOT_ATTEMPTED, or A, B, C),
    ``facts`` (for each answer null, or a list of the stretches that were labelled: ``[start, end, facts that are right,
    facts]``), ``hedged_answer`` and ``hedged_correct``, ``prompt_tokens``. In a cell of CSV a list is JSON.

    Log-probabilities that are placeholders (see `MOST_CERTAIN`) are left out.

    Raises
    ------
    ValueError
        Naming file, row and column of the first fault.
    """
    rows = [checked_row(row.cells, row.where) for row in read_filled(path, cell_of)]
    if not rows:
        raise ValueError(f"{path}: holds no row")
    _refuse_repeats(rows)
    return _noted(rows)


def checked_row(cells: dict[str, Any], where: str) -> Row:
    """Return a row, checked column by column; ValueError names `where` and the first that is wrong."""
    for column in cells:
        if column not in COLUMNS:
            raise ValueError(f"{where}, column {column!r}: unknown; known: {', '.join(COLUMNS)}")

    def fault(column: str, message: str) -> ValueError:
        return ValueError(f"{where}, column {column!r}: {message}")

    if not {"question", "question_id"} & set(cells):
        raise fault("question", "is missing, and so is question_id")
    names = {column: cells.get(column, "") for column in ("question_id", "question")}
    for column, value in names.items():
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise fault(column, f"{value!r} is not a text")
    answers = answers_in(cells.get("answers"), fault)
    logprobs = logprobs_in(cells, "token_logprobs", len(answers), fault)
    return Row(
        where,
        str(names["question_id"]).strip(),
        str(names["question"]).strip(),
        answers,
        logprobs,
        tokens_in(cells.get("tokens"), logprobs, fault),
        logprobs_in(cells, "alternatives", len(answers), fault),
        grades_in(cells, len(answers), fault),
        facts_in(cells.get("facts"), answers, fault),
        hedged_in(cells.get("hedged_answer"), fault),
        grades_of([cells.get("hedged_correct")], "hedged_correct", outcome_in, fault)[0],
        count_in(cells.get("prompt_tokens", 0), fault),
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _refuse_repeats(rows: list[Row]) -> None:
    """Every question once."""
    names = [
        ("question_id", row.question_id) if row.question_id else ("question", row.question) for row in rows
    ]
    for (column, value), count in Counter(names).items():
        if count > 1:
            places = [row.where for row, name in zip(rows, names, strict=True) if name == (column, value)]
            raise ValueError(
                f"{places[1]}, column {column!r}: {value!r:.80} stands in {places[0]}, too; keep one"
            )


def _noted(rows: list[Row]) -> Recorded:
    """The rows without placeholders, and what is missing in them."""
    notes = []
    known = [values for row in rows for values in row.token_logprobs if values is not None]
    answers = sum(len(row.answers) for row in rows)
    if note := placeholders(known):
        notes.append(note)
        rows = [replace(row, token_logprobs=(None,) * len(row.answers)) for row in rows]
    elif not known:
        notes.append("no token_logprobs: no signal token_probability")
    elif len(known) < answers:
        notes.append(f"{answers - len(known)} of {answers} answers lack token_logprobs")
    if all(len(row.answers) == 1 for row in rows):
        notes.append("one answer a question: no signal semantic_uncertainty")
    lacking = sum(row.hedged_answer is None for row in rows)
    if lacking:
        notes.append(f"{lacking} of {len(rows)} rows lack hedged_answer: no hedged_qa for them")
    return Recorded(tuple(rows), tuple(notes))


def placeholders(known: Sequence[Sequence[float]]) -> str:
    """What is to be said where the log-probabilities of answers are placeholders (see `MOST_CERTAIN`); else empty."""
    certain = sum(not any(values) for values in known)
    if certain <= MOST_CERTAIN * len(known):
        return ""
    return (
        f"token_logprobs of {certain} of {len(known)} answers are exactly 0: placeholders, all left out, and with "
        "them the signal token_probability"
    )
