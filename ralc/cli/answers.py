"""``ralc fit | rewrite``: a calibrator from graded answers, and answers in calibrated words."""

from __future__ import annotations

import json
import math
import re
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer
from pydantic import BeforeValidator, ValidationError

from ralc.cli import AsJson, Calibrator, Column, Out, Scores, Source, tables
from ralc.io.rows import RowModel, in_words, listed
from ralc.precomputed.samples import Answers, LogProbs
from ralc.registry import SIGNALS

if TYPE_CHECKING:
    from ralc import Beta, WordCalibrator

ADDED = ("text", "hedge", "target", "read", "calibrated", "door", "reason")
#: What is added of the sentences of long answers.
SENTENCES = "sentences"
WORDS = "linguistic_confidence"
#: A decimal comma: "0,25" or "1,0"; "1,000" may be a thousand.
_COMMA = re.compile(r"\s*(?:0,\d+|1,00?)\s*")
#: Letters are none of them: C is correct to some tools, and not attempted to others.
_TRUTHS = {"1": 1, "true": 1, "yes": 1, "0": 0, "false": 0, "no": 0}


def fit(
    source: Source,
    out: Annotated[str, typer.Option(help="The calibrator, one JSON file.")],
    column: Column = "answer",
    calibration: Annotated[str, typer.Option("--map", help="The calibration map.")] = "platt",
    signal: Annotated[str | None, typer.Option(help="The signal of samples, by its name.")] = None,
    as_json: AsJson = False,
) -> None:
    """Fit a calibrator to graded answers, and say what it can be expected to do.

    The file has a row a question: `correct` (1 or 0), and one of three columns. `confidence` is a score in [0, 1].
    `samples` is a list of answers; `token_logprobs` and `question` help. Of `answer` the words are read. By `--signal
    support` the `correct` of a long answer is a list, an entry a sentence. What `ralc import` writes does as it is.

    \b
    ralc fit scores.csv --out cal.json
    ralc fit biographies.jsonl --out cal.json --signal support
    """
    from ralc import WordCalibrator
    from ralc.calibrator import SamplingDesign
    from ralc.calibrator.confidence import in_a_row

    tables.check_distinct({"FILE": source, "--out": out})
    table = tables.load(source)
    table.require("correct")
    calibrator = WordCalibrator(_best_signal(table, column, signal), calibration)
    columns = {"correct": "correct"} | _columns(table, calibrator.signal, column)
    graded = table.keep(lambda cells: _graded(AnswerRow.pick(cells, **columns), calibrator))
    sizes, confidence, correct = map(list, zip(*graded, strict=True))
    confidence, correct, groups = in_a_row(confidence, correct)
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always", UserWarning)
        design = SamplingDesign.of(sizes) if any(sizes) else None
        calibrator.fit(confidence, correct, groups=groups, design=design)
    for remark in remarks:
        print(f"ralc: {remark.message}", file=sys.stderr)
    # Where nothing can be held out, nothing is saved.
    evaluation = calibrator.evaluate(confidence, correct, groups=groups)
    calibrator.save(out, fitted_on=table.name, left_out=len(table.bad))
    print(json.dumps(evaluation.model_dump()) if as_json else evaluation)
    sys.exit(table.report_bad())


def rewrite(
    source: Source,
    calibrator: Calibrator,
    column: Column = "answer",
    out: Out = "-",
    scores: Scores = None,
    style: Annotated[str, typer.Option(help="words, or range (with the per cent in brackets).")] = "words",
    on_miss: Annotated[
        str, typer.Option(help="Where no hedge is read as meant: note, leave or best.")
    ] = "note",
    below: Annotated[str, typer.Option(help="A sentence below 0.25: hedge, drop or mark it.")] = "hedge",
    as_json: AsJson = False,
) -> None:
    """Put answers into words that say their calibrated confidence.

    The file has a row an answer: `answer` and `confidence`, or `samples`, or `answer` alone, as the calibrator was
    fitted. Added are `text`, `hedge`, `target` (the calibrated probability of being right) and `read` (how sure the
    text sounds). `calibrated` says whether these two are within 0.05, `door` what became of an answer, `reason` the
    code of why it was left as it is. A signal of sentences adds `sentences`.

    \b
    ralc rewrite answers.csv --calibrator cal.json --out out.csv
    """
    from ralc import WordCalibrator
    from ralc.rewriting import Reason, as_numbers

    tables.check_distinct({"FILE": source, "--calibrator": calibrator, "--out": out, "--scores": scores})
    loaded = WordCalibrator.load(calibrator)
    warn(loaded, calibrator)
    table = tables.load(source)
    table.refuse(*ADDED, SENTENCES)
    columns = {"answer": column} | _columns(table, loaded.signal, column)
    answers = table.keep(lambda cells: _answer(AnswerRow.pick(cells, **columns), loaded))
    texts, confidence, _, _, questions = map(list, zip(*answers, strict=True))
    rewrites = loaded.rewrite(
        texts, confidence, questions=questions, style=style, on_miss=on_miss, below=below
    )
    written = []
    for row, rewrite in zip(table.rows, rewrites, strict=True):
        target, read = as_numbers(rewrite.target), as_numbers(rewrite.read)
        door, reason = rewrite.door or "", rewrite.reason.value
        values = (rewrite.text, rewrite.hedge, target, read, rewrite.calibrated, door, reason)
        sentences = {SENTENCES: [claim.to_dict() for claim in rewrite.sentences]} if rewrite.sentences else {}
        written.append({**row.cells, **dict(zip(ADDED, values, strict=True)), **sentences})
    tables.save(written, out, kind="jsonl" if as_json else table.format)
    if scores:
        tables.save_scores(((row, row["target"], row["text"]) for row in written), scores)
    if missed := sum(rewrite.reason is Reason.MISSED for rewrite in rewrites):
        print(f"ralc: {missed} of {len(rewrites)} answers: {Reason.MISSED.text}", file=sys.stderr)
    sys.exit(table.report_bad())


def warn(calibrator: WordCalibrator, name: str) -> None:
    """Say on standard error where nothing is promised of a calibrator's words."""
    if calibrator.caveat:
        print(f"ralc: {name} promises nothing: {calibrator.caveat}", file=sys.stderr)


def _listed(value: Any) -> Any:
    """A list that stands in a cell of text, as JSON or as Python writes it."""
    return listed(value) if isinstance(value, str) and value.lstrip()[:1] == "[" else value


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


class AnswerRow(RowModel):
    """What a row says of an answer; each column is checked where it is used."""

    question: Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else "")] = ""
    answer: str | None = None
    samples: Answers | None = None
    token_logprobs: LogProbs | None = None
    confidence: Annotated[float, BeforeValidator(_number)] = math.nan
    correct: Any = None

    @classmethod
    def pick(cls, cells: Mapping[str, Any], **columns: str) -> Self:
        """Return the named columns of a row; ValueError names the first that is wrong."""
        present = {name: cells[column] for name, column in columns.items() if cells.get(column) is not None}
        try:
            return cls.model_validate(present)
        except ValidationError as error:
            raise ValueError(in_words(error.errors()[0])) from None

    def outcome(self, place: int = 0, of: int = 1) -> int:
        """Return whether the answer at a place is right, 0 or 1; of a list of one for each answer, its entry."""
        value = _listed(self.correct)
        if isinstance(value, list) and len(value) == of:
            value = value[place]
        truth = _TRUTHS.get(str(value).strip().lower().removesuffix(".0"))
        if truth is None:
            each = f", nor a list of them for {of} answers" if isinstance(value, list) else ""
            raise ValueError(f"correct = {value!r:.80} is neither 1 nor 0 (true, false, yes, no){each}")
        return truth

    def shares(self) -> list[float]:
        """Return the share of each sentence that is right; NaN where nobody said."""
        value = _listed(self.correct)
        return [*map(_number, value if isinstance(value, list) else [value])]


def _samples_in(table: tables.Table, column: str) -> str:
    """The column of samples: ``samples``, or ``answers`` as `ralc import` writes them, beside no `column`; else ""."""
    named = ["samples", *["answers"] * (column not in table.columns)]
    return next((name for name in named if name in table.columns), "")


def _has_several(cell: Any) -> bool:
    """Whether a cell has a list of two answers or more."""
    with suppress(ValueError):
        cell = _listed(cell)
    return isinstance(cell, list) and len(cell) > 1


def _best_signal(table: tables.Table, column: str, signal: str | None) -> str:
    """The signal that is named, else the best that a table has: scores, else samples, else words."""
    from ralc.calibrator.confidence import signal_of_samples

    if signal is not None:
        return signal_of_samples(signal, None)
    columns, samples = table.columns, _samples_in(table, column)
    if "confidence" in columns:
        return "score"
    if samples and "token_logprobs" in columns:
        return "token_probability"
    if any(_has_several(row.cells.get(samples)) for row in table.rows):
        return "semantic_uncertainty"
    if not samples and column not in columns:
        lack = f"no column confidence, samples or {column}"
        raise ValueError(f"{table.name}: {lack}; there are {', '.join(columns)}")
    print(f"ralc: {table.name}: the words of the answers are read", file=sys.stderr)
    return WORDS


def _columns(table: tables.Table, signal: str, column: str) -> dict[str, str]:
    """The columns that a signal is taken from, by what they hold; ValueError where the table lacks one."""
    samples, rule = _samples_in(table, column), SIGNALS.get(signal)
    if rule is None or rule.needs_extra_call:
        columns = {"confidence": "confidence"}
    elif signal == WORDS and (column in table.columns or not samples):
        columns = {"answer": column}
    else:
        columns = {"samples": samples or "samples"}
        columns |= {rule.logprobs: rule.logprobs} if rule.logprobs else {}
    table.require(*columns.values())
    return columns | {"question": "question"}


def _answer(row: AnswerRow, calibrator: WordCalibrator) -> tuple[str, Any, int, int, str]:
    """The answer of a row, its confidence or those of its sentences, which of how many samples it was, the question."""
    from ralc.english import unread

    answer, confidence, place, samples = row.answer, row.confidence, 0, 0
    if row.samples is not None:
        (most,), (confidence, *_) = calibrator.confidence_of(
            [row.samples],
            token_logprobs=None if row.token_logprobs is None else [row.token_logprobs],
            questions=[row.question],
        )
        answer, place, samples = most.answer, most.members[0], most.samples
    if answer is None:
        raise ValueError("answer is empty")
    if calibrator.signal == WORDS:
        if why := unread(answer):
            raise ValueError(f"the answer cannot be read: {why}")
        confidence = confidence if samples else calibrator.read([answer])[0]
    return answer, confidence, place, samples, row.question


def _graded(row: AnswerRow, calibrator: WordCalibrator) -> tuple[int, Beta, list[float]]:
    """How many samples a row has, its confidences, and their outcomes."""
    from ralc.calibrator.confidence import as_confidence, concatenated
    from ralc.protocols import resolve

    if calibrator.signal == "score":
        confidence, several = as_confidence([row.confidence], resolve(calibrator.protocol)), False
        place, samples = 0, 0
    else:
        _, confidence, place, samples, _ = _answer(row, calibrator)
        several, confidence = bool(confidence.shape), concatenated([confidence])
    correct = row.shares() if several else [row.outcome(place, samples or 1)]
    if len(correct) != len(confidence):
        claims = f"{len(confidence)} sentences that claim something"
        raise ValueError(f"correct has {len(correct)} entries, and its answer {claims}")
    return samples, confidence, correct
