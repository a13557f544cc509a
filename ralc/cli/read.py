"""``ralc read``: how sure a text sounds, and whether it sounds as sure as it may."""

import json
import sys
from collections.abc import Iterator
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ralc.cli import cells, rows
from ralc.cli.findings import Bounds, Finding, findings, place, sarif, unread
from ralc.io.rows import FORMATS, Row

if TYPE_CHECKING:
    from ralc import Beta

ADDED = ("mean", "spread", "cues")
#: What is added by ``--sentences``, and where there are several files.
BY_SENTENCE, BY_FILE = "sentences", ("file", "line")


class Format(StrEnum):
    """What readings are written as; without any, a table as the table that it was."""

    TEXT = "text"
    JSONL = "jsonl"
    SARIF = "sarif"


class _Read(NamedTuple):
    """A row of a source, the reading of its text, and what was found in it."""

    source: rows.Rows
    row: Row
    reading: dict[str, Any]
    found: list[Finding]


def read(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT|FILE",
            help="A text, or files: .csv, .tsv, .jsonl, .parquet; .md and .txt, a text each; - for stdin.",
            show_default="stdin",
        ),
    ] = None,
    column: Annotated[str, typer.Option(help="The column of a file that holds the texts.")] = "text",
    form: Annotated[Format | None, typer.Option("--format", help="Lines, JSON lines or SARIF 2.1.0.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As --format jsonl: an object a text.")] = False,
    reader: Annotated[str, typer.Option(help="Who reads: a reader of ralc.readers.")] = "cues",
    out: Annotated[str, typer.Option(help="Where the readings of files go; - is stdout.")] = "-",
    sentences: Annotated[bool, typer.Option("--sentences", help="Each sentence, too.")] = False,
    at_most: Annotated[float | None, typer.Option(min=0, max=1, help="None may sound surer.")] = None,
    at_least: Annotated[float | None, typer.Option(min=0, max=1, help="None may sound less sure.")] = None,
) -> None:
    """How sure does this sound to people: mean, spread, and the cues found and where.

    The mean is the confidence, 0 to 1, that readers take from the text on average; the spread is the
    standard deviation over readers. Standard input may be plain lines, a text each. With --sentences each sentence
    that claims something has a reading of its own, or that of a shared hedge ("I think that the rest is right").

    With --at-most or --at-least only what breaks them is written, each text or, with --sentences, each sentence; the
    exit code is 1 where something does, 2 where something could not be read, else 0.

    \b
    Examples:
      ralc read "I think it might be Paris."
      ralc read answers.csv --column answer --out read.csv
      cat answers.jsonl | ralc read --json
      echo "Perhaps Paris." | ralc read
      ralc read --sentences "It is old. I think that the rest is right. It is large."
      ralc read answers.csv --column answer --at-most 0.8
      ralc read docs/*.md --sentences --at-most 0.8 --format sarif --out read.sarif
    """
    bounds, given = Bounds(at_least, at_most), sources or ["-"]
    form = _asked_for(form, bounds, as_json=as_json)
    try:
        for source in given:
            rows.check_apart({"FILE": source, "--out": out})
        found = _load(given, column, sentences=sentences)
        done = [one for source in found for one in _read(source, column, reader, bounds, sentences=sentences)]
        if not done:
            raise found[0].unusable()
        done = [one for one in done if one.found] if bounds else done
        _write(done, found, form or _fitting(found, bounds, out), out, bounds)
    except (ValueError, OSError, ModuleNotFoundError) as error:
        error.exit_code = 2 if bounds else 1
        raise
    bad = _report_bad(found, given, out)
    sys.exit((2 if bad else int(bool(done))) if bounds else bad)


def _asked_for(form: Format | None, bounds: Bounds, *, as_json: bool) -> Format | None:
    """The format that is asked for, if one is; BadParameter where what is asked for cannot be."""
    if as_json and form not in (None, Format.JSONL):
        raise typer.BadParameter(f"--json and --format {form} ask for different things: keep one")
    if None not in (bounds.at_least, bounds.at_most) and bounds.at_least > bounds.at_most:
        raise typer.BadParameter(
            f"nothing is at least {bounds.at_least:g} sure and at most {bounds.at_most:g}"
        )
    return Format.JSONL if as_json else form


def _report_bad(found: list[rows.Rows], given: list[str], out: str) -> int:
    """Say which rows could not be read; 1 where any could not."""
    alone = out != "-" and len(found) == 1
    return max(rows.report_bad(one, out if alone else name) for one, name in zip(found, given, strict=True))


def _load(sources: list[str], column: str, *, sentences: bool) -> list[rows.Rows]:
    """The sources, each with the column that is read and none that would be overwritten."""
    if len(sources) == 1 and sources[0] != "-" and not _is_file(sources[0]):
        return [rows.of_texts("text", rows.PROSE, sources, column)]
    for source in sources:
        if source != "-" and not _is_file(source):
            raise typer.BadParameter(f"{source!r} is no file: of several arguments each is one; quote a text")
    found = [rows.load(source, column=column) for source in sources]
    for one in found:
        one.require(column)
        one.refuse(*ADDED, *[BY_SENTENCE] * sentences, *BY_FILE * (len(found) > 1))
    return found


def _read(source: rows.Rows, column: str, reader: str, bounds: Bounds, *, sentences: bool) -> Iterator[_Read]:
    """The rows of a source as they are read; what cannot be is among its bad rows."""
    texts = source.keep(lambda values: cells.readable(values, column))
    for part in rows.batches(len(texts), "texts"):
        readings = read_texts(texts[part], reader, sentences=sentences)
        for row, text, reading in zip(source.rows[part], texts[part], readings, strict=True):
            yield _Read(source, row, reading, list(findings(source, row, text, reading, bounds)))


def _fitting(sources: list[rows.Rows], bounds: Bounds, out: str) -> Format | None:
    """The format where none is asked for: None for a table that stays one."""
    table = len(sources) == 1 and sources[0].format != rows.PROSE and not bounds
    return None if table or Path(out).suffix.lower() in FORMATS else Format.TEXT


def _write(
    read: list[_Read], sources: list[rows.Rows], form: Format | None, out: str, bounds: Bounds
) -> None:
    """Write what was read in a format."""
    if form == Format.SARIF:
        found = chain(*(one.found for one in read), *map(unread, sources))
        _save([json.dumps(sarif(list(found)), ensure_ascii=False, indent=2)], out)
    elif form == Format.TEXT and bounds:
        _save([str(finding) for one in read for finding in one.found], out)
    elif form == Format.TEXT:
        alone = len(sources) == 1 and sources[0].format == rows.PROSE
        _save(
            [
                describe(one.reading) if alone else f"{place(one.source, one.row)}: {describe(one.reading)}"
                for one in read
            ],
            out,
        )
    else:
        kind = "jsonl" if form == Format.JSONL else sources[0].format
        rows.save([_beside(one, kind, several=len(sources) > 1) for one in read], out, kind=kind)


def _save(lines: list[str], out: str) -> None:
    """Write lines to a file, or to standard output."""
    text = "".join(f"{line}\n" for line in lines)
    if out == "-":
        sys.stdout.write(text)
        return
    from ralc.io import whole_file

    with whole_file(out) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _is_file(source: str) -> bool:
    """Whether an argument is meant as a file: it exists, or is one word with a known ending."""
    path = Path(source)
    try:
        known = path.suffix.lower() in (*FORMATS, *rows.PROSE_ENDINGS)
        return path.is_file() or (known and " " not in source)
    except OSError:  # longer than any file name
        return False


def read_texts(texts: list[str], reader: str, *, sentences: bool = False) -> list[dict[str, Any]]:
    """The reading of each text: ``text, mean, spread, cues``; a cue has its words, class and place (characters).

    With `sentences`, of each sentence ``start, end, kind, mean, spread, under``, too; what claims nothing has no mean.
    """
    from ralc import readers

    loaded = readers.load(reader)
    made = [
        {"text": text, **_moments(one), "cues": _cues(text)}
        for text, one in zip(texts, loaded.read(texts), strict=True)
    ]
    for reading in made if sentences else []:
        reading[BY_SENTENCE] = [
            {
                "start": one.start,
                "end": one.end,
                "kind": one.kind,
                **_moments(one.confidence),
                "under": one.under,
            }
            for one in loaded.read_sentences(reading["text"])
        ]
    return made


def _moments(confidence: "Beta | None") -> dict[str, float | None]:
    """Mean and standard deviation of a reading."""
    if confidence is None:
        return {"mean": None, "spread": None}
    return {
        "mean": round(float(confidence.mean), 3),
        "spread": round(float(confidence.variance) ** 0.5, 3),
    }


def _cues(text: str) -> list[dict[str, Any]]:
    from ralc.english.cues import find_cues_in
    from ralc.english.tokens import tokenise

    tokens = tokenise(text)
    found = []
    for cue in find_cues_in(tokens, text):
        start, end = tokens[cue.start].start, tokens[cue.end - 1].end
        found.append({"cue": text[start:end], "class": cue.name, "start": start, "end": end})
    return found


def describe(reading: dict[str, Any]) -> str:
    """A reading as lines for a terminal: mean and spread, the cues, each in its place under the text.

    >>> print(describe({"text": "Perhaps.", "mean": 0.4, "spread": 0.2, "cues": []}))
    mean 0.40  spread 0.20  no cues
    """
    cues = [f"  {cue['start']:>4}-{cue['end']:<4} {cue['cue']!r} ({cue['class']})" for cue in reading["cues"]]
    head = f"mean {reading['mean']:.2f}  spread {reading['spread']:.2f}"
    sentences = [_line(reading["text"], one) for one in reading.get(BY_SENTENCE, [])]
    return "\n".join([head if cues else f"{head}  no cues", *cues, *sentences])


def _line(text: str, sentence: dict[str, Any]) -> str:
    """A sentence as a line: its reading, or what it is where it claims nothing."""
    told = sentence["kind"] if sentence["mean"] is None else f"{sentence['mean']:.2f}"
    shared = "" if sentence["under"] is None else f" (as sentence {sentence['under'] + 1} says)"
    said = " ".join(text[sentence["start"] : sentence["end"]].split())
    return f"  {told:>9}  {said}{shared}"


def _beside(one: _Read, kind: str, *, several: bool) -> dict[str, Any]:
    """A row with its reading, and where it stands among several files; cues as a cell where a format has no lists."""
    cues = one.reading["cues"]
    if kind not in ("jsonl", "parquet"):
        cues = "; ".join(cue["cue"] for cue in cues)
    of = dict(zip(BY_FILE, (one.source.name, one.row.line), strict=True)) if several else {}
    told = {name: one.reading[name] for name in (*ADDED, BY_SENTENCE) if name in one.reading}
    return {**of, **one.row.cells, **told, "cues": cues}
