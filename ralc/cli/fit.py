"""``ralc fit``: a calibrator from graded answers."""

import math
import sys
import warnings
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ralc.cli import cells, rows
from ralc.names import SIGNALS

if TYPE_CHECKING:
    from ralc import Beta, WordCalibrator
    from ralc.calibrator.signal import Majority

#: The majority of a row's samples, and its confidence.
Sampled = tuple["Majority", "Beta"]
#: The column of what people labelled in an answer, of files of recorded samples.
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
    reader: Annotated[str, typer.Option(help="The reader in the loop.")] = "cues",
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

    rows.check_apart({"FILE": source, "--out": out})
    found = rows.load(source)
    if signal not in OF_SENTENCES or FACTS not in found.columns:
        found.require("correct")
    if cells.in_per_cent([row.cells.get("confidence") for row in found.rows]):
        raise ValueError(f"{found.name}: confidence goes from 0 to 100, as it seems: divide it by 100")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        calibrator = _fitted(
            found, column, signal, {"map": calibration, "reader": reader, "protocol": protocol}
        )
    for remark in told:
        print(f"ralc: {remark.message}", file=sys.stderr)
    calibrator.save(out, fitted_on=note or found.name, left_out=len(found.bad))
    _tell(calibrator, as_json)
    sys.exit(rows.report_bad(found, source))


def _fitted(
    found: rows.Rows, column: str, signal: str | None, parameters: dict[str, Any]
) -> "WordCalibrator":
    """The calibrator of a table, by the best of what it has: scores, else samples, else the words of a column.

    A signal of samples that is named needs samples, which then may be one answer a question.
    """
    from ralc.signals import OF_ANSWERS

    if signal is not None and signal not in OF_ANSWERS:
        raise ValueError(
            f"--signal {signal}: not one of {', '.join(OF_ANSWERS)}; values of any other go into a column confidence"
        )
    columns, listed = found.columns, samples_in(found, column)
    with_tokens = "token_logprobs" in columns
    if "confidence" in columns and signal is None:
        calibrator, *told = _of_scores(found, parameters)
    elif listed and (signal or with_tokens or _most(found, listed) > 1):
        signal = signal or ("token_probability" if with_tokens else "semantic_uncertainty")
        calibrator, *told = _of_samples(found, listed, signal, parameters)
    elif signal is not None:
        raise ValueError(
            f"{found.name}: --signal {signal} needs a column samples; there are {', '.join(columns)}"
        )
    elif listed or column in columns:
        calibrator, *told = _of_words(found, column, listed, parameters)
    else:
        raise ValueError(
            f"{found.name}: no column confidence, samples or {column}; there are {', '.join(columns)}"
        )
    confidence, correct, groups = told
    calibrator.evaluate(
        confidence, correct, groups=groups
    )  # or there is nothing that could be held out, and nothing is saved
    return calibrator


#: A fitted calibrator, and what it was fitted on: confidences, outcomes, and of sentences the answer of each.
_Fit = tuple["WordCalibrator", Any, list[Any], Any]


def _of_scores(found: rows.Rows, parameters: dict[str, Any]) -> _Fit:
    """A calibrator of the scores of a table."""
    from ralc import WordCalibrator

    confidence, correct, groups = _of_sentences(*_unzipped(found.keep(_scored), found))
    calibrator = WordCalibrator(**parameters).fit(confidence, correct, groups=groups)
    return calibrator, confidence, correct, groups


def _of_samples(found: rows.Rows, listed: str, signal: str, parameters: dict[str, Any]) -> _Fit:
    """A calibrator of the samples of a table, by a signal of theirs."""
    from ralc import WordCalibrator
    from ralc.calibrator import Design
    from ralc.calibrator.signal import in_a_row
    from ralc.signals import OF_SENTENCES

    calibrator, by_sentence, groups = WordCalibrator(signal, **parameters), signal in OF_SENTENCES, None
    made = found.keep(
        lambda v: _graded(sampled(v, listed, calibrator), v, by_sentence=by_sentence), unit="questions"
    )
    sets, correct = _unzipped(made, found)
    if by_sentence:
        confidence, correct, groups = in_a_row([one for _, one in sets], correct)
    else:
        confidence = together(sets)
    design = Design.of([most.samples for most, _ in sets])
    return calibrator.fit(confidence, correct, groups=groups, design=design), confidence, correct, groups


def _of_words(found: rows.Rows, column: str, listed: str, parameters: dict[str, Any]) -> _Fit:
    """A calibrator of the words of the answers of a table."""
    from ralc import WordCalibrator

    lack = f"one answer a question in {listed}" if listed else "no column confidence or samples"
    print(f"ralc: {found.name}: {lack}: the words of the answers are read", file=sys.stderr)
    made = found.keep(lambda v: (answer(v, column, listed), cells.outcome(v, "correct")))
    texts, correct = _unzipped(made, found)
    calibrator = WordCalibrator(**parameters).fit_texts(texts, correct)
    return calibrator, calibrator.read(texts), correct, None


def _scored(values: dict[str, Any]) -> tuple[list[float], list[float]]:
    """The scores and outcomes of a row: one of each, or one of each sentence of its answer."""
    score = cells.probabilities(values, "confidence")
    if not isinstance(score, list):
        return [score], [cells.outcome(values, "correct")]
    correct = cells.probabilities(values, "correct")
    if not isinstance(correct, list) or len(correct) != len(score):
        told = f"has {len(correct)}" if isinstance(correct, list) else "is no list"
        raise ValueError(f"confidence has {len(score)} entries, and correct {told}")
    return score, correct


def _of_sentences(
    scores: list[list[float]], correct: list[list[float]]
) -> tuple[list[float], list[float], list[int] | None]:
    """Scores and outcomes one after the other, and the answer of each; None where each answer has one."""
    groups = [at for at, own in enumerate(scores) for _ in own]
    several = any(len(own) != 1 for own in scores)
    return list(chain.from_iterable(scores)), list(chain.from_iterable(correct)), groups if several else None


def samples_in(found: rows.Rows, column: str) -> str:
    """The column of samples: ``samples``, or lists of ``answers`` as `ralc import` writes them; empty where none is.

    Beside a `column` of answers, a column ``answers`` holds something else: the accepted ones, or the choices.
    """
    if "samples" in found.columns:
        return "samples"
    return "answers" if column not in found.columns and _most(found, "answers") else ""


def _most(found: rows.Rows, listed: str) -> int:
    """The most samples that any row has."""
    return max((cells.size(row.cells, listed) for row in found.rows if listed in row.cells), default=0)


def answer(values: dict[str, Any], column: str, listed: str) -> str:
    """The answer of a row, which a reader can read: the text of its column, or what most of its samples say."""
    from ralc.calibrator.signal import majority

    if listed and not isinstance(values.get(column), str):
        values = {column: majority(cells.strings(values, listed), str(values.get("question") or "")).answer}
    return cells.readable(values, column)


def sampled(values: dict[str, Any], listed: str, calibrator: "WordCalibrator") -> Sampled:
    """The majority of a row's samples, and its confidence by the calibrator's signal, or those of its sentences."""
    samples = cells.strings(values, listed)
    taken = SIGNALS[calibrator.signal].logprobs
    logprobs = {taken: [cells.logprobs(values, taken, len(samples))]} if taken else {}
    questions = [str(values.get("question") or "")]
    (most,), confidence = calibrator.confidence_of([samples], **logprobs, questions=questions)
    return (most, confidence[0]) if isinstance(confidence, list) else (most, confidence)


def _graded(one: Sampled, values: dict[str, Any], *, by_sentence: bool) -> tuple[Sampled, int | list[float]]:
    """A row's samples, and whether the answer of their majority is right; or how much of each of its sentences is."""
    most, confidence = one
    if not by_sentence:
        return one, cells.outcome(values, "correct", most.members[0], most.samples)
    correct = _shares(most, values)
    if len(correct) != len(confidence.alpha):
        raise ValueError(
            f"correct has {len(correct)} entries, and its answer {len(confidence.alpha)} sentences that claim something"
        )
    return one, correct


def _shares(most: "Majority", values: dict[str, Any]) -> list[float]:
    """The share of each sentence of a row's answer that is right, NaN where nobody said."""
    from ralc.calibrator.signal import claims_in
    from ralc.recorded.row_cells import facts_in, share_right

    if values.get(FACTS) is None:
        given = cells.probabilities(values, "correct", empty=True)
        return given if isinstance(given, list) else [given]
    known = facts_in(values[FACTS], most.answers.texts, lambda column, what: ValueError(f"{column}: {what}"))
    found = [share_right(known[most.members[0]] or (), *claim) for claim in claims_in(most.answer)]
    return [math.nan if share is None else share for share in found]


def together(sets: Sequence[Sampled]) -> "Beta":
    """The confidences of all rows as one."""
    import numpy as np

    from ralc import Beta

    alpha, beta = ([getattr(one, name) for _, one in sets] for name in ("alpha", "beta"))
    return Beta(np.concatenate(alpha), np.concatenate(beta))


def _unzipped(made: list[tuple[Any, int]], found: rows.Rows) -> tuple[list[Any], list[int]]:
    if not made:
        raise found.unusable()
    first, second = zip(*made, strict=True)
    return list(first), list(second)


def _tell(calibrator: "WordCalibrator", as_json: bool) -> None:
    import json

    evaluation = calibrator.evaluation_
    if as_json:
        print(json.dumps(evaluation.to_dict()))
    else:
        print(evaluation)
