"""``ralc rewrite``: answers in calibrated words."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ralc.cli import tables
from ralc.cli.read import BY_SENTENCE
from ralc.cli.score_rows import ScoreRow, answer, sampled, samples_in, sizes
from ralc.registry import SIGNALS

if TYPE_CHECKING:
    from ralc import WordCalibrator

ADDED = ("text", "hedge", "target", "read", "calibrated", "reason")
#: What the column of the answers is called where it has the name of one that is added.
MOVED = "original"


def rewrite(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A .csv, .tsv, .jsonl or .parquet file, or - for stdin.")
    ],
    calibrator: Annotated[str, typer.Option(help="A calibrator that `ralc fit` or the workflow wrote.")],
    column: Annotated[str, typer.Option(help="The column of the file that holds the answers.")] = "answer",
    out: Annotated[str, typer.Option(help="Where the rows go; - is stdout.")] = "-",
    scores: Annotated[
        str | None, typer.Option(help="Also the targets for inspect_ai's precomputed_scores, .jsonl.")
    ] = None,
    style: Annotated[str, typer.Option(help="words, or range (with the per cent in brackets).")] = "words",
    on_miss: Annotated[
        str,
        typer.Option(help="What becomes of an answer that no wording says as meant: leave or best."),
    ] = "leave",
    below: Annotated[
        str, typer.Option(help="What becomes of a sentence calibrated below 0.25: hedge, drop or mark.")
    ] = "hedge",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object an answer.")] = False,
) -> None:
    """Put answers into words that say their calibrated confidence.

    The file has a row an answer: `answer` and `confidence` (a score as the calibrator was fitted on), or `samples`, or
    `answer` alone for a calibrator of words. Added are `text`, `hedge`, `target` (the calibrated probability of being
    right), `read` (how sure the text sounds), `calibrated` (whether they are within 0.05 of one another) and `reason`
    (why an answer was left as it is). Where `confidence` is a list, one for each sentence that claims something, each
    sentence says its own, and `sentences` tells what became of it.

    \b
    Examples:
      ralc rewrite answers.csv --calibrator cal.json --out out.csv
      ralc rewrite - --calibrator cal.json --style range < answers.jsonl
    """
    from ralc import WordCalibrator
    from ralc.rewriting import MISSED, as_numbers

    tables.check_apart({"FILE": source, "--calibrator": calibrator, "--out": out, "--scores": scores})
    loaded = WordCalibrator.load(calibrator)
    warn(loaded, calibrator)
    table = tables.load(source)
    if column in ADDED and column in table.columns:
        table.refuse(MOVED)
        for at, row in enumerate(table.rows):
            cells = {MOVED if key == column else key: value for key, value in row.cells.items()}
            table.rows[at] = row._replace(cells=cells)
        column = MOVED
    table.refuse(*ADDED, BY_SENTENCE)
    texts, confidence = map(list, zip(*_asked(table, loaded, column), strict=True))
    questions = [ScoreRow.of(row.cells, {"question": "question"}).question for row in table.rows]
    made = loaded.rewrite(texts, confidence, questions=questions, style=style, on_miss=on_miss, below=below)
    columns = []
    for one in made:
        text = (one.text, one.hedge, as_numbers(one.target), as_numbers(one.read), one.calibrated, one.reason)
        sentences = {BY_SENTENCE: [claim.to_dict() for claim in one.sentences]} if one.sentences else {}
        columns.append(dict(zip(ADDED, text, strict=True)) | sentences)
    written = [{**row.cells, **new} for row, new in zip(table.rows, columns, strict=True)]
    tables.save(written, out, kind="jsonl" if as_json else table.format)
    if scores:
        tables.save_scores(((row, row["target"], row["text"]) for row in written), scores)
    if missed := sum(one.reason == MISSED for one in made):
        print(f"ralc: {missed} of {len(made)} answers: {MISSED}", file=sys.stderr)
    sys.exit(table.report_bad(out if out != "-" else source))


def warn(calibrator: "WordCalibrator", name: str) -> None:
    """Say on standard error where nothing is promised of a calibrator's words."""
    if calibrator.caveat:
        print(f"ralc: {name} promises nothing: {calibrator.caveat}", file=sys.stderr)


def _asked(table: tables.Table, loaded: "WordCalibrator", column: str) -> list[tuple[str, Any]]:
    """The answers of a table and their confidence, as the calibrator's signal takes it."""
    listed = samples_in(table, column)
    if loaded.signal_ == "linguistic_confidence":
        if column not in table.columns:
            table.require(listed or column)
            _refuse_unlike(table, loaded, listed)
        texts = table.keep(lambda cells: answer(cells, column, listed))
        return list(zip(texts, loaded.read(texts), strict=True))
    signal = SIGNALS.get(loaded.signal_)
    if signal is not None and not signal.asks:
        needed = [listed or "samples", *filter(None, [signal.logprobs])]
        if "confidence" not in table.columns or {*needed} <= {*table.columns}:
            table.require(*needed)
            _refuse_unlike(table, loaded, needed[0])
            rows = table.keep(lambda cells: sampled(cells, needed[0], loaded), unit="questions")
            return [(most.answer, confidence) for most, confidence in rows]
        lacks = f"no {' and '.join(needed)}; confidence is taken as {loaded.signal_}"
        print(f"ralc: {table.name}: {lacks}", file=sys.stderr)
    table.require(column, "confidence")
    return table.keep(lambda cells: _scored(cells, column))


def _refuse_unlike(table: tables.Table, loaded: "WordCalibrator", listed: str) -> None:
    """Refuse samples that were asked for otherwise than those that the calibrator was fitted on."""
    counts = sizes([row.cells.get(listed) for row in table.rows])
    if why := loaded.unlike([one for one in counts if one]):
        raise ValueError(f"{table.name}: {why}")


def _scored(cells: dict[str, Any], column: str) -> tuple[str, float | list[float]]:
    """A row's answer, which may be empty, and its confidence, or those of its sentences."""
    from ralc.calibrator.confidence import check_claims

    row = ScoreRow.of(cells, {"answer": column, "confidence": "confidence"})
    if row.answer is None:
        raise ValueError(f"{column} is empty")
    if isinstance(row.confidence, list):
        check_claims(row.answer, row.confidence)  # as many as it has claims
    return row.answer, row.confidence
