"""``ralc fit``: a calibrator from graded answers."""

import json
import math
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ralc.cli import tables
from ralc.cli.score_rows import ScoreRow, answer, sampled, samples_in, sizes

if TYPE_CHECKING:
    from ralc import Beta, WordCalibrator
    from ralc.calibrator.confidence import Majority

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
    as_json: Annotated[bool, typer.Option("--json", help="The figures as one JSON object.")] = False,
) -> None:
    """Fit a calibrator to graded answers, and say what it can be expected to do.

    The file has a row a question: `correct` (1 or 0) and one of `confidence` (a score in [0, 1]), `samples` (a list
    of answers; `token_logprobs` and `question` help), or `answer` alone, whose words are read. Of a long answer
    `confidence` and `correct` are lists, an entry a sentence. What `ralc import` writes does as it is.

    \b
    Examples:
      ralc fit scores.csv --out cal.json
      ralc fit samples.jsonl --out cal.json --map isotonic
      ralc fit biographies.jsonl --out cal.json --signal support
    """
    from ralc import WordCalibrator
    from ralc.calibrator import Design
    from ralc.calibrator.confidence import in_a_row
    from ralc.signals import OF_SENTENCES

    tables.check_apart({"FILE": source, "--out": out})
    table = tables.load(source)
    if signal not in OF_SENTENCES or FACTS not in table.columns:
        table.require("correct")
    signal, listed = _signal(table, column, signal)
    calibrator = WordCalibrator(signal, calibration)
    rows = table.keep(_graded(calibrator, column, listed), unit="questions" if listed else "")
    most, confidence, correct = map(list, zip(*rows, strict=True))
    several = any(len(row) != 1 for row in correct)
    confidence, correct, groups = in_a_row(confidence, correct)
    asked = [one.samples for one in most if one is not None]
    groups = groups if several else None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        calibrator.fit(confidence, correct, groups=groups, design=Design.of(asked) if asked else None)
    for remark in caught:
        print(f"ralc: {remark.message}", file=sys.stderr)
    # Where nothing can be held out, nothing is saved.
    evaluation = calibrator.evaluate(confidence, correct, groups=groups)
    calibrator.save(out, fitted_on=table.name, left_out=len(table.bad))
    print(json.dumps(evaluation.model_dump()) if as_json else evaluation)
    sys.exit(table.report_bad(source))


def _signal(table: tables.Table, column: str, signal: str | None) -> tuple[str, str]:
    """The signal that a table has the best of, scores, else samples, else words; and its column of samples.

    A signal of samples that is named needs samples, which then may be one answer a question.
    """
    from ralc.calibrator.confidence import in_per_cent
    from ralc.signals import OF_ANSWERS

    if signal is not None and signal not in OF_ANSWERS:
        listed = ", ".join(OF_ANSWERS)
        raise ValueError(
            f"--signal {signal}: not one of {listed}; values of any other go into a column confidence"
        )
    columns, listed = table.columns, samples_in(table, column)
    there = f"there are {', '.join(columns)}"
    if "confidence" in columns and signal is None:
        cells = [str(row.cells.get("confidence")) for row in table.rows]
        if in_per_cent([float(one) for one in cells if one.replace(".", "", 1).isdecimal()]):
            raise ValueError(f"{table.name}: confidence seems to run from 0 to 100: divide it by 100")
        return "score", ""
    logprobs = "token_logprobs" in columns
    if listed and (signal or logprobs or max(sizes([row.cells.get(listed) for row in table.rows])) > 1):
        return signal or ("token_probability" if logprobs else "semantic_uncertainty"), listed
    if signal is not None:
        raise ValueError(f"{table.name}: --signal {signal} needs a column samples; {there}")
    if not listed and column not in columns:
        raise ValueError(f"{table.name}: no column confidence, samples or {column}; {there}")
    lack = f"one answer a question in {listed}" if listed else "no column confidence or samples"
    print(f"ralc: {table.name}: {lack}: the words of the answers are read", file=sys.stderr)
    return "linguistic_confidence", listed


def _graded(
    calibrator: "WordCalibrator", column: str, listed: str
) -> "Callable[[dict[str, Any]], tuple[Majority | None, Beta, list[float]]]":
    """What a row has for a signal: its majority, its confidences, one a claim, and as many outcomes."""
    from ralc.calibrator.confidence import as_confidence, together
    from ralc.protocols import resolve
    from ralc.signals import OF_SENTENCES

    def scored(cells: dict[str, Any]) -> "tuple[None, Beta, list[float]]":
        row = ScoreRow.of(cells, {"confidence": "confidence", "correct": "correct"}, needs="confidence")
        several = isinstance(row.confidence, list)
        scores, correct = (row.confidence, row.shares()) if several else ([row.confidence], [row.outcome()])
        if len(correct) != len(scores):
            raise ValueError(f"confidence has {len(scores)} entries and correct {len(correct)}: give as many")
        return None, as_confidence(scores, resolve(calibrator.protocol)), correct

    def worded(cells: dict[str, Any]) -> "tuple[None, Beta, list[float]]":
        outcome = ScoreRow.of(cells, {"correct": "correct"}).outcome()
        return None, calibrator.read([answer(cells, column, listed)]), [outcome]

    def of_samples(cells: dict[str, Any]) -> "tuple[Majority, Beta, list[float]]":
        most, confidence = sampled(cells, listed, calibrator)
        if calibrator.signal not in OF_SENTENCES:
            outcome = ScoreRow.of(cells, {"correct": "correct"}).outcome(most.members[0], most.samples)
            return most, together([confidence]), [outcome]
        correct = _shares(most, cells)
        if len(correct) != len(confidence.alpha):
            sentences = f"its answer {len(confidence.alpha)} sentences that claim something"
            raise ValueError(f"correct has {len(correct)} entries, and {sentences}")
        return most, confidence, correct

    return {"score": scored, "linguistic_confidence": worded}.get(calibrator.signal, of_samples)


def _shares(most: "Majority", cells: dict[str, Any]) -> list[float]:
    """The share of each sentence of a row's answer that is right, NaN where nobody said."""
    from ralc.calibrator.confidence import claims_in
    from ralc.precomputed.samples import share_right

    if cells.get(FACTS) is None:
        return ScoreRow.of(cells, {"correct": "correct"}).shares()
    facts = ScoreRow.of(cells, {FACTS: FACTS}).facts
    shares = [share_right(facts[most.members[0]] or (), *claim) for claim in claims_in(most.answer)]
    return [math.nan if share is None else share for share in shares]
