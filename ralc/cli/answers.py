"""``ralc fit | rewrite``: a calibrator from graded answers, and answers in calibrated words."""

from __future__ import annotations

import json
import math
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain, repeat
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer
from pydantic import BeforeValidator, ValidationError

from ralc.cli import (
    Abstain,
    AsJson,
    Ask,
    Calibrator,
    Column,
    Guarantee,
    HeldOut,
    Out,
    Source,
    Wrong,
    reliability,
    tables,
)
from ralc.io.history import HEADER, History, conversations, dialogue, turn_of
from ralc.io.rows import Id, Row, RowModel, in_words, is_missing, listed, named, truth_of
from ralc.precomputed.samples import Answers, LogProbs
from ralc.registry import READ_SIGNAL, SIGNALS

if TYPE_CHECKING:
    import numpy as np

    from ralc import Beta, WordCalibrator
    from ralc.calibrator import Policy
    from ralc.rewriting import Rewrite

ADDED = ("text", "hedge", "target", "read", "calibrated", "door", "reason")
#: What is added where errors have costs.
ACTION = "action"
#: What is added of the sentences of long answers.
SENTENCES = "sentences"
#: The signal that an answer has that was drawn beside the samples.
OWN = "semantic_uncertainty"
#: A decimal comma: "0,250" or "87,5"; "1,000" may be a thousand.
_COMMA = re.compile(r"0,\d+|(?!\d{1,3}(?:,\d{3})+$)\d+,\d+")
#: Columns that say of which conversation a row is, and what they may be called.
_CONVERSATION = {"question": "question", "history": HEADER, "group": "group conversation_id"}
#: The column of scores, unless another is named.
SCORE = "confidence"
#: The scales of scores that are proposed where they are beyond 1.
_SCALES = (5, 10, 100)

#: Answers that a process takes at once, of several; and the calibrator of a process.
_AT_ONCE = 64
_WORKER: list[WordCalibrator] = []

Score = Annotated[str, typer.Option(help="The column of the scores.")]
Scale = Annotated[float, typer.Option(min=1, help="The score that is certain, where it is not 1: 100 or 10.")]


def fit(
    source: Source,
    out: Annotated[str, typer.Option(help="The calibrator, one JSON file.")],
    column: Column = "answer",
    calibration: Annotated[str, typer.Option("--map", help="The calibration map.")] = "platt",
    signal: Annotated[str | None, typer.Option(help="The signal of samples, by its name.")] = None,
    score: Score = SCORE,
    scale: Scale = 1.0,
    as_json: AsJson = False,
    temperature: Annotated[
        float | None, typer.Option(min=0, max=100, help="At which the samples were drawn.")
    ] = None,
) -> None:
    """Fit a calibrator to graded answers, and say what it can be expected to do.

    The file has a row a question: `correct` (1 or 0), and one of three columns. `confidence` is a score in [0, 1].
    `samples` is a list of answers; `token_logprobs` and `question` help; with an `answer` beside it, its confidence is
    their agreement with it. Of `answer` alone the words are read. By `--signal support` the `correct` of a long answer
    is a list, an entry a sentence. What `ralc import` writes does as it is.

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
    calibrator = WordCalibrator(_best_signal(table, column, signal, score), calibration)
    own = calibrator.signal == OWN and bool(table.find(column))
    if own:
        note = f"the confidence is the samples' agreement with the answer in {column!r}"
        print(f"ralc: {table.name}: {note}", file=sys.stderr)
    sizes, confidence, correct, _, rows = _graded_rows(table, calibrator, column, score, scale, own)
    confidence, correct, groups = in_a_row(confidence, correct)
    turns = [turn_of(row.history) for row in rows]
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always", UserWarning)
        how = {"temperature": temperature, "own_answer": own, "turns": turns}
        several = any(sizes) or max(turns) > 1
        design = SamplingDesign.of([max(size, 1) for size in sizes], **how) if several else None
        calibrator.fit(confidence, correct, groups=groups, design=design)
    for remark in remarks:
        print(f"ralc: {remark.message}", file=sys.stderr)
    # Where nothing can be held out, nothing is saved.
    evaluation = calibrator.evaluate(confidence, correct, groups=_conversations(rows, groups))
    calibrator.save(out, fitted_on=table.name, left_out=len(table.bad))
    print(json.dumps(evaluation.model_dump()) if as_json else evaluation)
    sys.exit(table.report_bad())


def evaluate(
    calibrator: Annotated[str, typer.Argument(metavar="CALIBRATOR", help="A calibrator of `ralc fit`.")],
    source: Source,
    column: Column = "answer",
    score: Score = SCORE,
    scale: Scale = 1.0,
    figure: Annotated[str, typer.Option(help="Reliability on these answers, .svg.")] = "",
    as_json: AsJson = False,
) -> None:
    """Test a saved calibrator on fresh graded answers: the map as it stands, nothing is fitted.

    The file has the columns that the calibrator was fitted on, and `correct`. Of answers in it the rewritten words are
    scored, too. The exit code is 1 where the map no longer holds.

    \b
    ralc evaluate cal.json fresh.csv --figure reliability.svg
    """
    from ralc import WordCalibrator
    from ralc.calibrator.confidence import in_a_row
    from ralc.signals import OF_SENTENCES

    tables.check_ending(figure, ".svg")
    loaded = WordCalibrator.load(calibrator)
    table = tables.load(source)
    own = _has_own_answer(loaded) or (loaded.signal == "score" and bool(table.find(column)))
    _, confidence, correct, answers, rows = _graded_rows(table, loaded, column, score, scale, own)
    confidence, correct, groups = in_a_row(confidence, correct)
    groups = _conversations(rows, groups)
    worded = all(answers) and loaded.signal not in OF_SENTENCES
    tested = loaded.test(confidence, correct, groups=groups, answers=answers if worded else None)
    if figure:
        tables.write(reliability(tested.bins, tested.n, f"{table.name} by {calibrator}"), figure)
    print(json.dumps(tested.model_dump()) if as_json else tested)
    bad = table.report_bad()
    sys.exit(bad if tested.holds else 1)


def rewrite(
    source: Source,
    calibrator: Calibrator,
    column: Column = "answer",
    out: Out = "-",
    style: Annotated[str, typer.Option(help="words, or range (with the per cent in brackets).")] = "words",
    on_miss: Annotated[
        str, typer.Option(help="Where no hedge is read as meant: note, leave or best.")
    ] = "note",
    below: Annotated[str, typer.Option(help="A sentence below 0.25: hedge, drop or mark it.")] = "hedge",
    score: Score = SCORE,
    scale: Scale = 1.0,
    wrong: Wrong = None,
    ask: Ask = None,
    abstain: Abstain = "",
    guarantee: Guarantee = None,
    held_out: HeldOut = "",
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Processes that share the answers.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Put answers into words that say their calibrated confidence.

    The file has a row an answer: `answer` and `confidence`, or `samples`, or `answer` alone, as the calibrator was
    fitted. Added are `text`, `hedge`, `target` (the calibrated probability of being right) and `read` (how sure the
    text sounds). `calibrated` says whether these two are within 0.05, `door` what became of an answer, `reason` the
    code of why it was left as it is. A signal of sentences adds `sentences`. With --wrong and --ask `action` says what
    to do: answer, hedge, abstain or escalate. By --guarantee 0.1 at most a tenth of what goes out is wrong.

    \b
    ralc rewrite answers.csv --calibrator cal.json --out out.csv
    """
    from ralc import WordCalibrator
    from ralc.rewriting import Reason

    tables.check_distinct({"FILE": source, "--calibrator": calibrator, "--out": out})
    loaded = WordCalibrator.load(calibrator)
    warn(loaded, calibrator)
    policy = policy_of(loaded, wrong, ask, abstain, guarantee, held_out)
    table = tables.load(source)
    table.refuse(*ADDED, SENTENCES, *[ACTION] * bool(policy))
    own = _has_own_answer(loaded)
    columns = {"answer": table.find(column)} | _columns(table, loaded.signal, column, score, own)
    scale = _scale_of(table, columns.get("confidence", ""), scale)
    answers = table.keep(lambda cells: _answer(AnswerRow.pick(cells, scale, **columns), loaded, own))
    texts, confidence, _, _, questions = map(list, zip(*answers, strict=True))
    how = {"style": style, "on_miss": on_miss, "below": below}
    rewrites = _rewritten(loaded, texts, confidence, questions, how, jobs)
    written = []
    for row, rewrite in zip(table.rows, rewrites, strict=True):
        told = rewrite.to_dict()
        told |= {"text": rewrite.text, "door": told["door"] or "", "reason": rewrite.reason.value}
        if policy:
            told[ACTION], told["text"] = policy.applied(rewrite)
        added = {name: told[name] for name in (*ADDED, ACTION, SENTENCES) if name in told}
        written.append(row.cells | added)
    tables.save(written, out, kind="jsonl" if as_json else table.format)
    if missed := sum(rewrite.reason is Reason.MISSED for rewrite in rewrites):
        print(f"ralc: {missed} of {len(rewrites)} answers: {Reason.MISSED.text}", file=sys.stderr)
    sys.exit(table.report_bad())


def policy_of(
    calibrator: WordCalibrator,
    wrong: float | None,
    ask: float | None,
    abstain: str,
    guarantee: float | None,
    held_out: str,
) -> Policy | None:
    """Return what the options ask for; None without costs.

    Parameters
    ----------
    calibrator
        A fitted calibrator.
    wrong, ask
        What it costs to rely on a wrong answer, and to ask elsewhere; both or none.
    abstain
        What is said in place of an answer that is worth less than none; "" escalates.
    guarantee
        The share of wrong answers that go out at most, in (0, 1).
    held_out
        The file of graded answers that a guarantee takes; "" for none.

    Raises
    ------
    ValueError
        If an option lacks the one that it goes with, or no bound guarantees the share.
    """
    from ralc.calibrator.confidence import in_a_row

    if (wrong is None) != (ask is None):
        raise ValueError("--wrong and --ask go together")
    if (guarantee is None) == bool(held_out) or (held_out and wrong is None):
        raise ValueError("--guarantee and --held-out go together, beside --wrong and --ask")
    if wrong is None:
        return None
    graded = None
    if held_out:
        table = tables.load(held_out)
        rows = _graded_rows(table, calibrator, "answer", SCORE, 1.0, _has_own_answer(calibrator))
        graded = in_a_row(*rows[1:3])[:2]
        table.report_bad()
    return calibrator.policy(wrong=wrong, ask=ask, abstain=abstain, guarantee=guarantee, held_out=graded)


def _has_own_answer(calibrator: WordCalibrator) -> bool:
    """Whether it was fitted on answers that stood beside their samples."""
    return calibrator.design_ is not None and calibrator.design_.own_answer


def _rewritten(
    calibrator: WordCalibrator, texts: list[str], confidence: list, questions: list, how: dict, jobs: int
) -> list[Rewrite]:
    """The rewritten answers, by so many processes."""
    if jobs == 1:
        return calibrator.rewrite(texts, confidence, questions=questions, **how)
    from concurrent.futures import ProcessPoolExecutor

    starts = range(0, len(texts), _AT_ONCE)
    parts = ([each[at : at + _AT_ONCE] for each in (texts, confidence, questions)] for at in starts)
    with ProcessPoolExecutor(jobs, initializer=_WORKER.append, initargs=(calibrator,)) as pool:
        done = pool.map(_part, *zip(*parts, strict=True), repeat(how))
        return list(chain.from_iterable(done))


def _part(texts: list[str], confidence: list, questions: list, how: dict) -> list[Rewrite]:
    """Some rewritten answers, in a process of several."""
    return _WORKER[0].rewrite(texts, confidence, questions=questions, **how)


def warn(calibrator: WordCalibrator, name: str) -> None:
    """Say on standard error where nothing is promised of a calibrator's words."""
    if calibrator.caveat:
        print(f"ralc: {name} promises nothing: {calibrator.caveat}", file=sys.stderr)


def _listed(value: Any) -> Any:
    """A list that stands in a cell of text, as JSON or as Python writes it."""
    return listed(value) if str(value).lstrip()[:1] == "[" else value


def _score(value: Any) -> float:
    """A number with a decimal point or comma, or of so many per cent; NaN where there is none."""
    if is_missing(value):
        return math.nan
    text = str(value).strip()
    digits = text.removesuffix("%").strip()
    try:
        number = float(digits.replace(",", ".") if _COMMA.fullmatch(digits) else digits)
    except ValueError:
        raise ValueError(f"{value!r:.80} is no number") from None
    return number / 100 if digits != text else number


def _number(value: Any, scale: float = 1.0) -> float:
    """A score of a scale as a number in [0, 1]; NaN where there is none."""
    number = _score(value)
    if not (math.isnan(number) or 0 <= number <= scale):
        raise ValueError(f"{value!r:.80} is not in [0, {scale:g}]")
    return number / scale


def _scale_of(table: tables.Table, column: str, scale: float) -> float:
    """The scale of a column of scores, 1 of per cent; ValueError where one is of another, so that none is used."""
    scores = list(_numbers(table, column))
    signed = ["%" in str(cell) for _, cell, _ in scores]
    scale = 1.0 if all(signed) else scale
    top = next((top for top in (1, *_SCALES) if all(0 <= number <= top for *_, number in scores)), None)
    for (row, cell, number), sign in zip(scores, signed, strict=True):
        where = f"{row.where}, column {column!r}: {cell!r:.80}"
        if sign != signed[0]:
            raise ValueError(
                f"{where} has {'a' if sign else 'no'} per cent sign, unlike others: one column, one scale"
            )
        if not 0 <= number <= scale:
            remedy = (
                f"if {top} is certain, say --scale {top}" if top else "scores go from 0 to 1, or to a --scale"
            )
            range_, remedy = ("[0 %, 100 %]", "100 % is certain") if sign else (f"[0, {scale:g}]", remedy)
            raise ValueError(f"{where} is not in {range_}; {remedy}")
    if scale > 1 == top:
        raise ValueError(f"{table.name}, column {column!r}: no score is above 1, so leave --scale out")
    return scale


def _refuse_ratings(table: tables.Table, column: str) -> None:
    """Raise ValueError where an outcome says more than right or wrong, or what it says is unknown in several rows.

    A 1 may be the worst of five, and a word that only right answers have would leave the wrong ones.
    """
    for row, cell, number in _numbers(table, column):
        if number not in (0, 1):
            remedy = "1 is right and 0 wrong in every row, and what is neither is empty"
            raise ValueError(f"{row.where}, column {column!r}: {cell!r:.80} rates an answer; {remedy}")
    words: dict[str, Row] = {}
    for row in table.rows:
        cell = row.cells.get(column)
        listing = not isinstance(cell, str) or cell.lstrip()[:1] == "["
        if not listing and not is_missing(cell) and truth_of(cell) is None:
            first = words.setdefault(cell.casefold(), row)
            if first is not row:
                other = f"nor does line {first.line}; write 1 for right and 0 for wrong"
                raise ValueError(
                    f"{row.where}, column {column!r}: {cell!r:.80} says neither right nor wrong, {other}"
                )


def _numbers(table: tables.Table, column: str) -> Iterator[tuple[Row, Any, float]]:
    """Yield the rows whose cell in a column is a number, with the cell; what is no number is a faulty row."""
    for row in table.rows:
        cell = row.cells.get(column)
        number = math.nan
        with suppress(ValueError):
            number = _score(cell)
        if not math.isnan(number):
            yield row, cell, number


class AnswerRow(RowModel):
    """What a row says of an answer; each column is checked where it is used."""

    question: Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else "")] = ""
    answer: str | None = None
    samples: Answers | None = None
    token_logprobs: LogProbs | None = None
    confidence: Annotated[float, BeforeValidator(lambda value, info: _number(value, info.context))] = math.nan
    correct: Any = None
    history: History = ()
    group: Id | None = None

    @classmethod
    def pick(cls, cells: Mapping[str, Any], scale: float = 1.0, **columns: str) -> Self:
        """Return what the named columns of a row say.

        Parameters
        ----------
        cells
            The row, by the names of its columns.
        scale
            The score that is certain.
        **columns
            The column of each field; what has none there stays at its default.

        Raises
        ------
        ValueError
            If a cell is wrong; the first is named.
        """
        present = {name: cells[column] for name, column in columns.items() if cells.get(column) is not None}
        try:
            return cls.model_validate(present, context=scale)
        except ValidationError as error:
            fault = error.errors()[0]
            name, *place = fault["loc"]
            raise ValueError(in_words(fault | {"loc": (columns[name], *place)})) from None

    def outcome(self, place: int = 0, of: int = 1) -> int:
        """Return whether the answer at a place is right, 0 or 1; of a list of one for each answer, its entry."""
        value = _listed(self.correct)
        if isinstance(value, list) and len(value) == of:
            value = value[place]
        truth = truth_of(value)
        if truth is None:
            each = f", nor a list of them for {of} answers" if isinstance(value, list) else ""
            raise ValueError(f"correct = {value!r:.80} is neither 1 nor 0 (true, false, yes, no){each}")
        return int(truth)

    def shares(self) -> list[float]:
        """Return the share of each sentence that is right; NaN where nobody said."""
        value = _listed(self.correct)
        return [*map(_number, value if isinstance(value, list) else [value])]


def _samples_in(table: tables.Table, column: str) -> str:
    """The column of samples: ``samples``, or ``answers`` as `ralc import` writes them, beside no `column`; else ""."""
    return table.find("samples") or ("" if table.find(column) else table.find("answers"))


def _has_several(cell: Any) -> bool:
    """Whether a cell has a list of two answers or more."""
    with suppress(ValueError):
        cell = _listed(cell)
    return isinstance(cell, list) and len(cell) > 1


def _best_signal(table: tables.Table, column: str, signal: str | None, score: str) -> str:
    """The signal that is named, else the best that a table has: scores, else samples, else words."""
    from ralc.calibrator.confidence import signal_of_samples

    if signal is not None:
        return signal_of_samples(signal, None)
    samples = _samples_in(table, column)
    if score != SCORE:
        table.require(score)
    if table.find(score):
        return "score"
    if samples and table.find("token_logprobs") and not table.find(column):
        return "token_probability"
    if any(_has_several(row.cells.get(samples)) for row in table.rows):
        return OWN
    if not samples and not table.find(column):
        raise table.lack(f"{score}, samples or {column}")
    print(f"ralc: {table.name}: the words of the answers are read", file=sys.stderr)
    return READ_SIGNAL


def _columns(table: tables.Table, signal: str, column: str, score: str, own: bool) -> dict[str, str]:
    """The columns that a signal is taken from, by what they hold; ValueError where the table lacks one.

    `own`: beside the samples stands an answer, with which they are compared.
    """
    samples = _samples_in(table, column) or "samples"
    rule = SIGNALS.get(signal)
    if rule is None or rule.needs_extra_call:
        needed = {"confidence": score}
    elif signal == READ_SIGNAL and (table.find(column) or not table.find(samples)):
        needed = {"answer": column}
    else:
        needed = {"samples": samples} | ({rule.logprobs: rule.logprobs} if rule.logprobs else {})
    needed |= {"answer": column} if own else {}
    found = dict(zip(needed, table.require(*needed.values()), strict=True))
    columns = named(table.columns, _CONVERSATION)
    return found | {here: there for there, here in columns.items() if there not in found.values()}


def _answer(row: AnswerRow, calibrator: WordCalibrator, own: bool) -> tuple[str, Any, int, int, str]:
    """The answer of a row, its confidence or those of its sentences, which of how many samples it was, the question."""
    from ralc.english import unread

    answer = row.answer
    confidence = row.confidence
    place = 0
    samples = 0
    _refuse_turn(row, calibrator)
    if row.samples is not None:
        (most,), (confidence, *_) = calibrator.confidence_of(
            [row.samples],
            answers=[answer] if own else None,
            token_logprobs=None if row.token_logprobs is None else [row.token_logprobs],
            questions=[row.question],
        )
        answer = most.answer
        place = next(iter(most.members), 0)
        samples = most.samples
    if answer is None:
        raise ValueError("answer is empty")
    if calibrator.signal == READ_SIGNAL:
        if why := unread(answer):
            raise ValueError(f"the answer cannot be read: {why}")
        confidence = confidence if samples else calibrator.read([answer])[0]
    return answer, confidence, place, samples, row.question


def _refuse_turn(row: AnswerRow, calibrator: WordCalibrator) -> None:
    """Raise ValueError where a fitted calibrator promises nothing in the turn of a row."""
    if hasattr(calibrator, "map_") and (why := calibrator.beyond(turn_of(row.history))):
        raise ValueError(f"history: {why}")


def _conversations(rows: list[AnswerRow], answers: np.ndarray) -> list[Any]:
    """The conversation of each item, from the number of its answer."""
    found = conversations([dialogue(row.history, row.question) for row in rows], [row.group for row in rows])
    return [found[place] for place in answers]


def _graded_rows(
    table: tables.Table, calibrator: WordCalibrator, column: str, score: str, scale: float, own: bool
) -> tuple[list[int], list[Beta], list[list[float]], list[str], list[AnswerRow]]:
    """Of each graded row how many samples it has, its confidences, their outcomes, the answer ("": none), the row."""
    from ralc.signals import OF_SENTENCES

    (correctness,) = table.require("correct")
    columns = {"correct": correctness} | _columns(table, calibrator.signal, column, score, own)
    scale = _scale_of(table, columns.get("confidence", ""), scale)
    if calibrator.signal not in OF_SENTENCES:
        _refuse_ratings(table, correctness)
    if unused := [name for name in table.columns if name not in columns.values()]:
        hints = "".join(f"; {hint}" for hint in table.hints(unused))
        print(f"ralc: {table.name}: not used: {', '.join(unused)}{hints}", file=sys.stderr)
    graded = table.keep(lambda cells: _graded(AnswerRow.pick(cells, scale, **columns), calibrator, own))
    return tuple(map(list, zip(*graded, strict=True)))


def _graded(
    row: AnswerRow, calibrator: WordCalibrator, own: bool
) -> tuple[int, Beta, list[float], str, AnswerRow]:
    """How many samples a row has, its confidences, their outcomes, the answer ("": none), and the row."""
    from ralc.calibrator.confidence import as_confidence, concatenated
    from ralc.protocols import resolve

    if calibrator.signal == "score":
        _refuse_turn(row, calibrator)
        confidence = as_confidence([row.confidence], resolve(calibrator.protocol))
        several = False
        answer = row.answer or ""
        place = 0
        samples = 0
    else:
        answer, confidence, place, samples, _ = _answer(row, calibrator, own)
        several = bool(confidence.shape)
        confidence = concatenated([confidence])
    of = samples if samples and row.answer is None else 1  # an answer beside its samples has one outcome
    correct = row.shares() if several else [row.outcome(place, of)]
    if len(correct) != len(confidence):
        claims = f"{len(confidence)} sentences that claim something"
        raise ValueError(f"correct has {len(correct)} entries, and its answer {claims}")
    return samples, confidence, correct, answer, row
