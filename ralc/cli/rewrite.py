"""``ralc rewrite``: answers in calibrated words."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ralc.cli import cells, rows
from ralc.cli.fit import answer, sampled, samples_in, together
from ralc.cli.read import BY_SENTENCE
from ralc.names import SIGNALS

if TYPE_CHECKING:
    from ralc import Beta, WordCalibrator
    from ralc.calibrator import Rewritten


#: What is added where answers have a confidence for each sentence.
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
    style: Annotated[str, typer.Option(help="words, or range (with the per cent in brackets).")] = "words",
    on_miss: Annotated[
        str,
        typer.Option(help="What becomes of an answer that no wording says as meant: leave, note or best."),
    ] = "leave",
    below: Annotated[
        str, typer.Option(help="What becomes of a sentence calibrated to less than .25: hedge, drop or mark.")
    ] = "hedge",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object an answer.")] = False,
) -> None:
    """Put answers into words that say their calibrated confidence.

    The file has a row an answer: `answer` and `confidence` (a score as the calibrator was fitted on; an answer
    without one passes as it is), or `samples`, or `answer` alone for a calibrator of words. Added are `text`,
    `hedge`, `target` (the calibrated probability of being right), `read` (how sure the text sounds), `calibrated`
    (whether they are within .05 of one another) and `reason` (why an answer was left as it is, or that no wording of
    it is read as meant). Where `confidence` is a list, one for each sentence that claims something, each sentence says
    its own, and `sentences` tells what became of it. An answers'
    column with one of these names (`--column text`) is called `original` in what is written.

    \b
    Examples:
      ralc rewrite answers.csv --calibrator cal.json --out out.csv
      ralc rewrite - --calibrator cal.json --style range < answers.jsonl
    """
    from ralc import WordCalibrator
    from ralc.rewriting.reasons import MISSED

    rows.check_apart({"FILE": source, "--calibrator": calibrator, "--out": out})
    loaded = WordCalibrator.load(calibrator)
    cells.promise(loaded, calibrator)
    found = rows.load(source)
    if column in ADDED and column in found.columns:
        found.rename(column, MOVED)
        column = MOVED
    found.refuse(*ADDED, BY_SENTENCE)
    made = _made(found, loaded, column, style=style, on_miss=on_miss, below=below)
    if not made:
        raise found.unusable()
    table = [{**row.cells, **_columns(one)} for row, one in zip(found.rows, made, strict=True)]
    rows.save(table, out, kind="jsonl" if as_json else found.format)
    if missed := sum(one.reason == MISSED for one in made):
        print(f"ralc: {missed} of {len(made)} answers: {MISSED}", file=sys.stderr)
    sys.exit(rows.report_bad(found, out if out != "-" else source))


def _made(found: rows.Rows, loaded: "WordCalibrator", column: str, **how: Any) -> list["Rewritten"]:
    """The rewritten answers."""
    texts, confidence = _asked(found, loaded, column)
    asked = [one if isinstance(one := row.cells.get("question"), str) else "" for row in found.rows]
    made = []
    for part in rows.batches(len(texts), "answers"):
        made += loaded.rewrite(texts[part], confidence[part], questions=asked[part], **how)
    return made


def _asked(found: rows.Rows, loaded: "WordCalibrator", column: str) -> tuple[list[str], "Beta | list[float]"]:
    """The answers of a table and their confidence, as the calibrator's signal takes it."""
    listed = samples_in(found, column)
    if loaded.signal_ == "linguistic_confidence":
        if column not in found.columns:
            found.require(listed or column)
            _refuse_unlike(found, loaded, listed)
        texts = found.keep(lambda v: answer(v, column, listed))
        return texts, loaded.read(texts)
    needed = _needed(loaded.signal_, listed)
    if needed and ("confidence" not in found.columns or {*needed} <= {*found.columns}):
        return _of_samples(found, loaded, needed)
    if needed:
        lacks = f"no {' and '.join(needed)}; confidence is taken as {loaded.signal_}"
        print(f"ralc: {found.name}: {lacks}", file=sys.stderr)
    found.require(column, "confidence")
    made = found.keep(lambda v: _confident(v, column))
    return [text for text, _ in made], [score for _, score in made]


def _needed(signal: str, listed: str) -> list[str]:
    """The columns that a signal of samples needs, those of the samples first; none of any other."""
    if signal not in SIGNALS or SIGNALS[signal].asks:
        return []
    return [listed or "samples", *filter(None, [SIGNALS[signal].logprobs])]


def _of_samples(
    found: rows.Rows, loaded: "WordCalibrator", needed: list[str]
) -> tuple[list[str], "Beta | list[Beta]"]:
    """The majority of each row's samples, and its confidence."""
    from ralc.signals import OF_SENTENCES

    found.require(*needed)
    _refuse_unlike(found, loaded, needed[0])
    sets = found.keep(lambda v: sampled(v, needed[0], loaded), unit="questions")
    by_sentence = loaded.signal_ in OF_SENTENCES
    confidence = [one for _, one in sets] if by_sentence or not sets else together(sets)
    return [most.answer for most, _ in sets], confidence


def _refuse_unlike(found: rows.Rows, loaded: "WordCalibrator", listed: str) -> None:
    """Refuse samples that were asked for otherwise than those that the calibrator was fitted on."""
    counts = [cells.size(row.cells, listed) for row in found.rows]
    if why := loaded.unlike([one for one in counts if one]):
        raise ValueError(f"{found.name}: {why}")


def _confident(values: dict[str, Any], column: str) -> tuple[str, float | list[float]]:
    """A row's answer and its confidence, or those of its sentences."""
    from ralc.calibrator.long import claimed

    said = cells.text(values, column, empty=True)
    confidence = cells.probabilities(values, "confidence", empty=True)
    if isinstance(confidence, list):
        claimed(said, confidence)  # as many as it has claims
    return said, confidence


def _columns(one: "Rewritten") -> dict[str, Any]:
    from ralc.calibrator.words import as_entry, as_numbers

    told = (one.text, one.hedge, as_numbers(one.target), as_numbers(one.read), one.calibrated, one.reason)
    sentences = {BY_SENTENCE: [as_entry(said) for said in one.sentences]} if one.sentences else {}
    return dict(zip(ADDED, told, strict=True)) | sentences
