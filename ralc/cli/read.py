"""``ralc read``: how sure a text sounds."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ralc.cli import cells, rows

if TYPE_CHECKING:
    from ralc import Beta

ADDED = ("mean", "spread", "cues")
#: What is added by ``--sentences``.
BY_SENTENCE = "sentences"


def read(
    source: Annotated[
        str,
        typer.Argument(
            metavar="TEXT|FILE", help="A text, a .csv, .tsv, .jsonl or .parquet file, or - for stdin."
        ),
    ] = "-",
    column: Annotated[str, typer.Option(help="The column of the file that holds the texts.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a text.")] = False,
    reader: Annotated[str, typer.Option(help="Who reads: a reader of ralc.readers.")] = "cues",
    out: Annotated[str, typer.Option(help="Where a file's readings go; - is stdout.")] = "-",
    sentences: Annotated[bool, typer.Option("--sentences", help="Each sentence, too.")] = False,
) -> None:
    """How sure does this sound to people: mean, spread, and the cues found and where.

    The mean is the confidence, 0 to 1, that readers take from the text on average; the spread is the
    standard deviation over readers. Standard input may be plain lines, a text each. With --sentences each sentence
    that claims something has a reading of its own, or that of a shared hedge ("I think that the rest is right").

    \b
    Examples:
      ralc read "I think it might be Paris."
      ralc read answers.csv --column answer --out read.csv
      cat answers.jsonl | ralc read --json
      echo "Perhaps Paris." | ralc read
      ralc read --sentences "It is old. I think that the rest is right. It is large."
    """
    if source != "-" and not _is_file(source):
        for reading in read_texts([source], reader, sentences=sentences):
            print(json.dumps(reading, ensure_ascii=False) if as_json else describe(reading))
        return
    found = rows.load(source, column=column)
    found.require(column)
    found.refuse(*ADDED, *[BY_SENTENCE] * sentences)
    texts = found.keep(lambda values: cells.readable(values, column))
    if not texts:
        raise found.unusable()
    readings = [
        one
        for part in rows.batches(len(texts), "texts")
        for one in read_texts(texts[part], reader, sentences=sentences)
    ]
    kind = "jsonl" if as_json else found.format
    table = [_beside(row.values, reading, kind) for row, reading in zip(found.rows, readings, strict=True)]
    rows.save(table, out, kind=kind)
    sys.exit(rows.report_bad(found, out if out != "-" else source))


def _is_file(source: str) -> bool:
    """Whether an argument is meant as a file: it exists, or is one word with a known ending."""
    path = Path(source)
    try:
        return path.is_file() or (path.suffix.lower() in rows.FORMATS and " " not in source)
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


def _beside(values: dict[str, Any], reading: dict[str, Any], kind: str) -> dict[str, Any]:
    """A row with its reading; the cues as one cell where the format has no lists."""
    cues = (
        reading["cues"] if kind in ("jsonl", "parquet") else "; ".join(cue["cue"] for cue in reading["cues"])
    )
    told = {name: reading[name] for name in (*ADDED, BY_SENTENCE) if name in reading}
    return {**values, **told, "cues": cues}
