"""``ralc fit``: a calibrator from graded answers."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ralc.cli import cells, rows

if TYPE_CHECKING:
    from ralc import Beta, WordCalibrator
    from ralc.calibrator.signal import Majority

#: The samples of a row, their log-probabilities where there are any, and its question.
Sampled = tuple[list[str], list[list[float]], str]


def fit(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A .csv, .tsv, .jsonl or .parquet file, or - for stdin.")
    ],
    out: Annotated[str, typer.Option(help="The calibrator, one JSON file.")],
    column: Annotated[str, typer.Option(help="The column of the file that holds the answers.")] = "answer",
    calibration: Annotated[str, typer.Option("--map", help="The calibration map.")] = "platt",
    reader: Annotated[str, typer.Option(help="The reader in the loop.")] = "cues",
    protocol: Annotated[str, typer.Option(help="ralc, paper or authors.")] = "ralc",
    note: Annotated[str, typer.Option(help="What the answers were, for the card; by default the file.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="The figures as one JSON object.")] = False,
) -> None:
    """Fit a calibrator to graded answers, and say what it can be expected to do.

    The file has a row a question: `correct` (1 or 0) and one of `confidence` (a score in [0, 1]), `samples`
    (a list of answers; with `token_logprobs`, lists of log-probabilities, these are used), or `answer` alone
    (or the column that you name; its words are read). `question` helps to compare samples.

    \b
    Examples:
      ralc fit scores.csv --out cal.json
      ralc fit samples.jsonl --out cal.json --map isotonic --note "GPT-4o on our tickets, May"
    """
    found = rows.load(source)
    found.require("correct")
    calibrator = _fitted(found, column, {"map": calibration, "reader": reader, "protocol": protocol})
    calibrator.save(out, fitted_on=note or found.name, left_out=len(found.bad))
    _tell(calibrator, as_json)
    sys.exit(rows.report_bad(found, source))


def _fitted(found: rows.Rows, column: str, parameters: dict[str, Any]) -> "WordCalibrator":
    """The calibrator of a table, by the best of what it has: scores, else samples, else the words of a column."""
    from ralc import WordCalibrator

    columns = found.columns
    if "confidence" in columns:
        made = found.keep(lambda v: (cells.probability(v, "confidence"), cells.outcome(v, "correct")))
        confidence, correct = _unzipped(made, found)
        calibrator = WordCalibrator(**parameters).fit(confidence, correct)
    elif "samples" in columns:
        with_tokens = "token_logprobs" in columns
        made = found.keep(lambda v: (sampled(v, with_tokens), cells.outcome(v, "correct")))
        sets, correct = _unzipped(made, found)
        signal = "token_probability" if with_tokens else "semantic_uncertainty"
        calibrator = WordCalibrator(signal, **parameters)
        confidence = majorities(calibrator, sets, with_tokens)[1]
        calibrator.fit(confidence, correct)
    elif column in columns:
        made = found.keep(lambda v: (cells.readable(v, column), cells.outcome(v, "correct")))
        texts, correct = _unzipped(made, found)
        calibrator = WordCalibrator(**parameters).fit_texts(texts, correct)
        confidence = calibrator.read(texts)
    else:
        raise ValueError(
            f"{found.name}: no column confidence, samples or {column}; there are {', '.join(columns)}"
        )
    try:
        calibrator.evaluate(confidence, correct)
    except ValueError as error:
        print(f"ralc: not evaluated: {error}", file=sys.stderr)
    return calibrator


def sampled(values: dict[str, Any], with_tokens: bool) -> Sampled:
    """The samples of a row, their log-probabilities where there are any, and its question."""
    samples = cells.strings(values, "samples")
    logprobs = cells.logprobs(values, "token_logprobs") if with_tokens else []
    if with_tokens and len(logprobs) != len(samples):
        raise ValueError(f"{len(samples)} samples have {len(logprobs)} lists of token_logprobs")
    return samples, logprobs, str(values.get("question") or "")


def majorities(
    calibrator: "WordCalibrator", sets: Sequence[Sampled], with_tokens: bool
) -> tuple[list["Majority"], "Beta"]:
    """The majority of each row's samples and its confidence."""
    import numpy as np

    from ralc import Beta

    found, alpha, beta = [], [], []
    for part in rows.batches(len(sets), "questions"):
        samples, logprobs, questions = zip(*sets[part], strict=True)
        given = {"token_logprobs": logprobs if with_tokens else None, "questions": questions}
        some, confidence = calibrator.confidence_of(samples, **given)
        found += some
        alpha.append(confidence.alpha)
        beta.append(confidence.beta)
    return found, Beta(np.concatenate(alpha), np.concatenate(beta))


def _unzipped(made: list[tuple[Any, int]], found: rows.Rows) -> tuple[list[Any], list[int]]:
    if not made:
        raise found.unusable()
    first, second = zip(*made, strict=True)
    return list(first), list(second)


def _tell(calibrator: "WordCalibrator", as_json: bool) -> None:
    import json

    evaluation = getattr(calibrator, "evaluation_", None)
    if as_json:
        print(json.dumps(None if evaluation is None else evaluation.to_dict()))
    elif evaluation is not None:
        print(evaluation)
