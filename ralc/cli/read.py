"""``ralc read``: how sure a text sounds, and whether it sounds as sure as it may."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ralc.cli import tables
from ralc.io.console import visible
from ralc.io.rows import FORMATS, Row

if TYPE_CHECKING:
    from ralc import Beta

ADDED = ("mean", "spread", "cues")
#: What is added by ``--sentences``, and where there are several files.
BY_SENTENCE, BY_FILE = "sentences", ("file", "line")
_LONGEST = 80  # characters of a text that are quoted


class _Read(NamedTuple):
    """A row of a source, and the reading of its text."""

    source: tables.Table
    row: Row
    reading: dict[str, Any]

    def place(self, at: int | None = None) -> str:
        """Return the source and the line of its row; of a character of a running text its line and column."""
        if self.source.format != tables.PROSE:
            return f"{self.source.name}:{self.row.line}"
        if at is None:
            return self.source.name
        before = self.reading["text"][:at]
        return f"{self.source.name}:{before.count(chr(10)) + 1}:{at - before.rfind(chr(10))}"


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
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a text.")] = False,
    out: Annotated[str, typer.Option(help="Where the readings of files go; - is stdout.")] = "-",
    scores: Annotated[
        str | None, typer.Option(help="Also the means for inspect_ai's precomputed_scores, .jsonl.")
    ] = None,
    sentences: Annotated[bool, typer.Option("--sentences", help="Each sentence, too.")] = False,
    at_most: Annotated[float | None, typer.Option(min=0, max=1, help="None may sound surer.")] = None,
    at_least: Annotated[float | None, typer.Option(min=0, max=1, help="None may sound less sure.")] = None,
) -> None:
    """How sure does this sound to people: mean, spread, and the cues found and where.

    The mean is the confidence, 0 to 1, that people take from the text on average; the spread is their standard
    deviation. Reasoning (<think>...</think>) is no part of a text. Standard input may be plain lines, a text each.

    With --at-most or --at-least only what breaks them is written, each text or, with --sentences, each sentence; the
    exit code is 1 where something does, 2 where something could not be read, else 0.

    \b
    Examples:
      ralc read "I think it might be Paris."
      ralc read answers.csv --column answer --out read.csv
      cat answers.jsonl | ralc read --json
      ralc read docs/*.md --sentences --at-most 0.8
    """
    bounded, inputs = (at_least, at_most) != (None, None), sources or ["-"]
    low, high = 0.0 if at_least is None else at_least, 1.0 if at_most is None else at_most
    if low > high:
        raise typer.BadParameter(f"nothing is at least {low:g} sure and at most {high:g}")
    try:
        for source in inputs:
            tables.check_apart({"FILE": source, "--out": out, "--scores": scores})
        loaded = _load(inputs, column, sentences=sentences)
        done = [one for table in loaded for one in _read(table, column, sentences=sentences)]
        broken = [list(_broken(one, low, high)) for one in done]
        kept = [one for one, lines in zip(done, broken, strict=True) if lines or not bounded]
        lines = [line for each in broken for line in each] if bounded else None
        _write(kept, loaded, out, lines, as_json=as_json)
        if scores:
            tables.save_scores(
                ((one.row.cells, one.reading["mean"], one.reading["text"]) for one in done), scores
            )
    except (ValueError, OSError, ModuleNotFoundError) as error:
        error.exit_code = 2 if bounded else 1
        raise
    beside = out if out != "-" and len(loaded) == 1 else None
    bad = max(one.report_bad(beside or name) for one, name in zip(loaded, inputs, strict=True))
    sys.exit((2 if bad else int(any(broken))) if bounded else bad)


def _load(sources: list[str], column: str, *, sentences: bool) -> list[tables.Table]:
    """The sources, each with the column that is read and none that would be overwritten."""
    if len(sources) == 1 and sources[0] != "-" and not tables.is_file(sources[0]):
        return [tables.of_texts("text", tables.PROSE, sources, column)]
    for source in sources:
        if source != "-" and not tables.is_file(source):
            raise typer.BadParameter(f"{source!r} is no file: several arguments must be files; quote a text")
    loaded = [tables.load(source, column=column) for source in sources]
    for one in loaded:
        one.require(column)
        one.refuse(*ADDED, *[BY_SENTENCE] * sentences, *BY_FILE * (len(loaded) > 1))
    return loaded


def _read(table: tables.Table, column: str, *, sentences: bool) -> Iterator[_Read]:
    """The rows of a table as they are read; what cannot be is among its faulty rows."""
    from ralc.english import unread
    from ralc.llm.chat import final_answer

    def readable(cells: dict[str, Any]) -> str:
        text = cells.get(column)
        if not isinstance(text, str) or not text.strip():
            raise ValueError(
                f"{column} is empty" if text in ("", None) else f"{column} is no text: {text!r:.80}"
            )
        if why := unread(final_answer(text)[0]):
            raise ValueError(f"{column} cannot be read: {why}")
        return text

    texts = table.keep(readable)
    for row, reading in zip(table.rows, read_texts(texts, sentences=sentences), strict=True):
        yield _Read(table, row, reading)


def read_texts(
    texts: list[str], evaluator: str = "cue_model", *, sentences: bool = False
) -> list[dict[str, Any]]:
    """Return the reading of each text: ``text, mean, spread, cues``; a cue has its words, class and place (characters).

    With `sentences`, of each sentence ``start, end, kind, mean, spread``, too; what claims nothing has no mean.
    Reasoning before an answer is not read; places are of the whole text.
    """
    from ralc import evaluators
    from ralc.english import read_cues
    from ralc.llm.chat import final_answer

    loaded = evaluators.load(evaluator)
    answers = [final_answer(text)[0] for text in texts]
    rows = []
    for text, answer, one in zip(texts, answers, loaded.read(answers), strict=True):
        before = max(text.rfind(answer), 0)
        cues = [(cue.name, *cue.span) for cue in read_cues(answer)]
        reading = {"text": text, **_moments(one)}
        reading["cues"] = [
            {"cue": answer[start:end], "class": name, "start": start + before, "end": end + before}
            for name, start, end in cues
        ]
        if sentences:
            reading[BY_SENTENCE] = [
                {"start": each.start + before, "end": each.end + before, "kind": each.kind}
                | _moments(each.confidence)
                for each in loaded.read_sentences(answer)
            ]
        rows.append(reading)
    return rows


def _moments(confidence: "Beta | None") -> dict[str, float | None]:
    """Mean and standard deviation of a reading."""
    if confidence is None:
        return {"mean": None, "spread": None}
    return {
        "mean": round(float(confidence.mean), 3),
        "spread": round(float(confidence.variance) ** 0.5, 3),
    }


def _broken(one: _Read, low: float, high: float) -> Iterator[str]:
    """A line for each part of a text that is out of bounds: its place, how, and its beginning."""
    text = one.reading["text"]
    for part in one.reading.get(BY_SENTENCE, [{"start": 0, "end": len(text), "mean": one.reading["mean"]}]):
        if part["mean"] is not None and not low <= part["mean"] <= high:
            surer = part["mean"] > high
            bound = f"surer than {high:g}" if surer else f"less sure than {low:g}"
            quoted = visible(" ".join(text[part["start"] : part["end"]].split()))
            quoted = quoted if len(quoted) <= _LONGEST else quoted[: _LONGEST - 3] + "..."
            place = one.place(part["start"] if BY_SENTENCE in one.reading else None)
            yield f'{place}: {part["mean"]:g} is {bound}: "{quoted}"'


def _write(
    kept: list[_Read], sources: list[tables.Table], out: str, lines: list[str] | None, *, as_json: bool
) -> None:
    """Write what was read as rows, or as lines for people: those given, of what is out of bounds, or one a text."""
    several = len(sources) > 1
    table = not several and sources[0].format != tables.PROSE
    if as_json or Path(out).suffix.lower() in FORMATS or (table and lines is None):
        kind = "jsonl" if as_json or not table else sources[0].format
        shown = kind if out == "-" else Path(out).suffix.lower()[1:]
        return tables.save([_beside(one, shown, several=several) for one in kept], out, kind)
    if lines is None:
        lines = [f"{one.place()}: " * several + describe(one.reading) for one in kept]
    return tables.write("".join(f"{line}\n" for line in lines), out)


def describe(reading: dict[str, Any]) -> str:
    """Return a reading as lines for people: mean and spread, the cues, each in its place under the text.

    >>> print(describe({"text": "Perhaps.", "mean": 0.4, "spread": 0.2, "cues": []}))
    mean 0.40  spread 0.20  no cues
    """
    head = f"mean {reading['mean']:.2f}  spread {reading['spread']:.2f}"
    lines = [head if reading["cues"] else f"{head}  no cues"]
    for cue in reading["cues"]:
        lines.append(f"  {cue['start']:>4}-{cue['end']:<4} {cue['cue']!r} ({cue['class']})")
    for one in reading.get(BY_SENTENCE, []):
        shown = one["kind"] if one["mean"] is None else f"{one['mean']:.2f}"
        lines.append(f"  {shown:>9}  {visible(' '.join(reading['text'][one['start'] : one['end']].split()))}")
    return "\n".join(lines)


def _beside(one: _Read, kind: str, *, several: bool) -> dict[str, Any]:
    """A row with its reading, and where it stands among several files; cues as a cell where a format has no lists."""
    of = dict(zip(BY_FILE, (one.source.name, one.row.line), strict=True)) if several else {}
    cells = {name: one.reading[name] for name in (*ADDED, BY_SENTENCE) if name in one.reading}
    if kind in ("csv", "tsv"):
        cells["cues"] = "; ".join(cue["cue"] for cue in one.reading["cues"])
    return {**of, **one.row.cells, **cells}
