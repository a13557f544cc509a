"""``ralc fit``: a calibrator from graded answers."""

import json
import math
import sys
import warnings
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ralc.cli import score_rows, tables
from ralc.cli.score_rows import ScoreRow

if TYPE_CHECKING:
    from ralc import WordCalibrator
    from ralc.calibrator.signal import Majority

#: The column of what people labelled in an answer, of files of precomputed samples.
FACTS = "facts"


def fit(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A .csv, .tsv, .jsonl or .parquet file, or - for stdin.")
    ],
    out: Annotated[str, typer.Option(help="The calibrator, one JSON file.")],
    column: Annotated[str, typer.Option(help="The column of the file that holds the answers.")] = "answer",
    calibration: Annotated[str, typer.Option("--map", help="The calibration map.")] = "platt",
    signal: Annotated[
        str | None,
        typer.Option(help="The signal of samples; by default token_probability, else semantic_uncertainty."),
    ] = None,
    evaluator: Annotated[str, typer.Option(help="The evaluator in the loop.")] = "cue_model",
    protocol: Annotated[str, typer.Option(help="ralc, paper or authors.")] = "ralc",
    note: Annotated[str, typer.Option(help="What the answers were, for the card; by default the file.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="The figures as one JSON object.")] = False,
) -> None:
    """Fit a calibrator to graded answers, and say what it can be expected to do.

    The file has a row a question: `correct` (1 or 0) and one of `confidence` (a score in [0, 1]; or, of a long answer,
    lists of both, an entry a sentence, where `correct` may be the share of it that is right), `samples`
    (a list of answers; with `token_logprobs`, lists of log-probabilities, these are used), or `answer` alone
    (or the column that you name; its words are read). `question` helps to compare samples. What `ralc import`
    writes of graded answers does as it is: `answers` are samples, `correct` may be a list, of each of them. For a
    signal of sentences (support) `correct` is a list of the shares of each sentence of the first sample that claims
    something, or `facts` has them.

    \b
    Examples:
      ralc fit scores.csv --out cal.json
      ralc fit samples.jsonl --out cal.json --map isotonic --note "GPT-4o on our tickets, May"
      ralc fit one_answer_each.jsonl --out cal.json --signal perplexity
      ralc fit biographies.jsonl --out cal.json --signal support
    """
    from ralc.signals import OF_SENTENCES

    tables.check_apart({"FILE": source, "--out": out})
    table = tables.load(source)
    if signal not in OF_SENTENCES or FACTS not in table.columns:
        table.require("correct")
    if score_rows.in_per_cent([row.cells.get("confidence") for row in table.rows]):
        raise ValueError(f"{table.name}: confidence goes from 0 to 100, as it seems: divide it by 100")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        calibrator = _fitted(
            table, column, signal, {"map": calibration, "evaluator": evaluator, "protocol": protocol}
        )
    for remark in told:
        print(f"ralc: {remark.message}", file=sys.stderr)
    calibrator.save(out, fitted_on=note or table.name, left_out=len(table.bad))
    print(json.dumps(calibrator.evaluation_.to_dict()) if as_json else calibrator.evaluation_)
    sys.exit(tables.report_bad(table, source))


#: A fitted calibrator, and what it was fitted on: confidences, outcomes, and of sentences the answer of each.
_Fit = tuple["WordCalibrator", Any, list[Any], Any]


def _fitted(
    table: tables.Table, column: str, signal: str | None, parameters: dict[str, Any]
) -> "WordCalibrator":
    """The calibrator of a table, by the best of what it has: scores, else samples, else the words of a column.

    A signal of samples that is named needs samples, which then may be one answer a question.
    """
    from ralc.signals import OF_ANSWERS

    if signal is not None and signal not in OF_ANSWERS:
        listed = ", ".join(OF_ANSWERS)
        raise ValueError(
            f"--signal {signal}: not one of {listed}; values of any other go into a column confidence"
        )
    columns, listed = table.columns, samples_in(table, column)
    with_tokens, there = "token_logprobs" in columns, f"there are {', '.join(columns)}"
    if "confidence" in columns and signal is None:
        calibrator, *told = _of_scores(table, parameters)
    elif listed and (signal or with_tokens or _most(table, listed) > 1):
        signal = signal or ("token_probability" if with_tokens else "semantic_uncertainty")
        calibrator, *told = _of_samples(table, listed, signal, parameters)
    elif signal is not None:
        raise ValueError(f"{table.name}: --signal {signal} needs a column samples; {there}")
    elif listed or column in columns:
        calibrator, *told = _of_words(table, column, listed, parameters)
    else:
        raise ValueError(f"{table.name}: no column confidence, samples or {column}; {there}")
    confidence, correct, groups = told
    # Where nothing can be held out, nothing is saved.
    calibrator.evaluate(confidence, correct, groups=groups)
    return calibrator


def _of_scores(table: tables.Table, parameters: dict[str, Any]) -> _Fit:
    """A calibrator of the scores of a table, one an answer or one each of its sentences."""
    from ralc import WordCalibrator

    made = table.keep(_scored)
    scores, correct = ([one[at] for one in made] for at in (0, 1))
    several = any(len(own) != 1 for own in scores)
    groups = [at for at, own in enumerate(scores) for _ in own] if several else None
    confidence, outcomes = list(chain.from_iterable(scores)), list(chain.from_iterable(correct))
    return WordCalibrator(**parameters).fit(confidence, outcomes, groups=groups), confidence, outcomes, groups


def _scored(cells: dict[str, Any]) -> tuple[list[float], list[float]]:
    """The scores and outcomes of a row: one of each, or one of each sentence of its answer."""
    row = ScoreRow.of(cells, {"confidence": "confidence", "correct": "correct"}, needs=["confidence"])
    if not isinstance(row.score, list):
        return [row.score], [row.outcome()]
    correct = row.shares()
    if len(correct) != len(row.score):
        raise ValueError(f"confidence has {len(row.score)} entries, and correct {len(correct)}")
    return row.score, correct


def _of_samples(table: tables.Table, listed: str, signal: str, parameters: dict[str, Any]) -> _Fit:
    """A calibrator of the samples of a table, by a signal of theirs."""
    from ralc import WordCalibrator
    from ralc.calibrator import Design
    from ralc.calibrator.signal import in_a_row
    from ralc.signals import OF_SENTENCES

    calibrator, groups = WordCalibrator(signal, **parameters), None
    graded = _graded_sentences if signal in OF_SENTENCES else _graded
    made = table.keep(lambda cells: graded(cells, listed, calibrator), unit="questions")
    most, confidence, correct = map(list, zip(*made, strict=True))
    if signal in OF_SENTENCES:
        confidence, correct, groups = in_a_row(confidence, correct)
    else:
        confidence = together(confidence)
    design = Design.of([one.samples for one in most])
    return calibrator.fit(confidence, correct, groups=groups, design=design), confidence, correct, groups


def _of_words(table: tables.Table, column: str, listed: str, parameters: dict[str, Any]) -> _Fit:
    """A calibrator of the words of the answers of a table."""
    from ralc import WordCalibrator

    lack = f"one answer a question in {listed}" if listed else "no column confidence or samples"
    print(f"ralc: {table.name}: {lack}: the words of the answers are read", file=sys.stderr)
    made = table.keep(
        lambda cells: (answer(cells, column, listed), ScoreRow.of(cells, {"correct": "correct"}).outcome())
    )
    texts, correct = map(list, zip(*made, strict=True))
    calibrator = WordCalibrator(**parameters).fit_texts(texts, correct)
    return calibrator, calibrator.read(texts), correct, None


def samples_in(table: tables.Table, column: str) -> str:
    """Return the column of samples: ``samples``, or lists of ``answers`` as `ralc import` writes them; else empty.

    Beside a `column` of answers, a column ``answers`` holds something else: the accepted ones, or the choices.
    """
    if "samples" in table.columns:
        return "samples"
    return "answers" if column not in table.columns and _most(table, "answers") else ""


def _most(table: tables.Table, listed: str) -> int:
    return max(score_rows.sizes([row.cells.get(listed) for row in table.rows]), default=0)


def answer(cells: dict[str, Any], column: str, listed: str) -> str:
    """Return the answer of a row, which an evaluator can read: its column's text, or what most of its samples say."""
    from ralc.calibrator.signal import majority

    if not listed or isinstance(cells.get(column), str):
        return ScoreRow.of(cells, {"answer": column}, needs=["answer"]).readable
    row = ScoreRow.of(cells, {"samples": listed, "question": "question"}, needs=["samples"])
    return row.model_copy(update={"answer": majority(row.samples, row.question).answer}).readable


def sampled(cells: dict[str, Any], listed: str, calibrator: "WordCalibrator") -> "tuple[Majority, Any]":
    """Return the majority of a row's samples, and its confidence by the calibrator's signal, or its sentences'."""
    from ralc.registry import SIGNALS

    taken = SIGNALS[calibrator.signal].logprobs
    columns = {"samples": listed, "question": "question"} | ({taken: taken} if taken else {})
    row = ScoreRow.of(cells, columns, needs=["samples"])
    logprobs = {taken: [getattr(row, taken) or [None] * len(row.samples)]} if taken else {}
    (most,), confidence = calibrator.confidence_of([row.samples], **logprobs, questions=[row.question])
    return most, confidence[0]


def _graded(cells: dict[str, Any], listed: str, calibrator: "WordCalibrator") -> "tuple[Majority, Any, int]":
    """A row's majority, its confidence, and whether it is right."""
    most, confidence = sampled(cells, listed, calibrator)
    outcome = ScoreRow.of(cells, {"correct": "correct"}).outcome(most.members[0], most.samples)
    return most, confidence, outcome


def _graded_sentences(
    cells: dict[str, Any], listed: str, calibrator: "WordCalibrator"
) -> "tuple[Majority, Any, list[float]]":
    """The same of an answer whose sentences count: of each its confidence, and the share of it that is right."""
    most, confidence = sampled(cells, listed, calibrator)
    correct = _shares(most, cells)
    if len(correct) != len(confidence.alpha):
        sentences = f"its answer {len(confidence.alpha)} sentences that claim something"
        raise ValueError(f"correct has {len(correct)} entries, and {sentences}")
    return most, confidence, correct


def _shares(most: "Majority", cells: dict[str, Any]) -> list[float]:
    """The share of each sentence of a row's answer that is right, NaN where nobody said."""
    from pydantic import TypeAdapter

    from ralc.calibrator.signal import claims_in
    from ralc.io.row_models import Facts
    from ralc.precomputed.samples import share_right

    if cells.get(FACTS) is None:
        return ScoreRow.of(cells, {"correct": "correct"}).shares()
    known = TypeAdapter(Facts).validate_python(cells[FACTS])
    found = [share_right(known[most.members[0]] or (), *claim) for claim in claims_in(most.answer)]
    return [math.nan if share is None else share for share in found]


def together(confidence: list[Any]) -> Any:
    """Return single Betas as a vector of them."""
    from ralc import Beta

    return Beta([float(one.alpha) for one in confidence], [float(one.beta) for one in confidence])
