"""``ralc read``: how sure a text sounds, and whether it sounds as sure as it may."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Any

import typer

from ralc.cli import AsJson, Column, Out, tables
from ralc.io.console import visible
from ralc.io.rows import FORMATS, Row

ADDED = ("mean", "spread", "cues")
BY_SENTENCE = "sentences"  # what is added by ``--sentences``
DOOR = "door"  # and by ``--why``
REASON = "reason"
_LONGEST = 80  # characters of a text that are quoted

Reading = dict[str, Any]
Read = tuple[tables.Table, Row, Reading]


def read(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT|FILE",
            help="A text, or files: .csv, .tsv, .jsonl, .parquet; .md and .txt, a text each; - for stdin.",
        ),
    ],
    column: Column = "text",
    as_json: AsJson = False,
    out: Out = "-",
    sentences: Annotated[bool, typer.Option("--sentences", help="Each sentence, too.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="What becomes of it in `ralc rewrite`, and why.")
    ] = False,
    at_most: Annotated[float, typer.Option(min=0, max=1, help="None may sound surer.")] = 1.0,
    at_least: Annotated[float, typer.Option(min=0, max=1, help="None may sound less sure.")] = 0.0,
) -> None:
    """Say how sure a text sounds to people: mean (0 to 1), spread between people, and the cues.

    Reasoning (<think>...</think>) is no part of a text. With --at-most or --at-least only the texts (with
    --sentences: the sentences) that break them are written. The exit code is 1 if there are any.

    \b
    ralc read "I think it might be Paris."
    ralc read "SELECT name FROM people;" --why
    ralc read answers.csv --column answer --out read.csv
    ralc read docs/*.md --sentences --at-most 0.8
    """
    bounded = at_least > 0 or at_most < 1
    for source in sources:
        tables.check_distinct({"FILE": source, "--out": out})
    added = [*ADDED, *[BY_SENTENCE] * sentences, *[DOOR, REASON] * why]
    loaded = _load(sources, column, added)
    how = {"sentences": sentences, "why": why, "alone": len(loaded) == 1}
    done = [(table, *one) for table in loaded for one in _read(table, column, **how)]
    shown = done
    broken = None
    if bounded:
        lines = [list(_broken(*one, at_least, at_most)) for one in done]
        shown = [one for one, faults in zip(done, lines, strict=True) if faults]
        broken = [line for faults in lines for line in faults]
    form = _form(loaded, out, as_json=as_json, bounded=bounded)
    _write(shown, len(loaded) > 1, form, out, broken)
    sys.exit(max(one.report_bad() for one in loaded) or int(bool(broken)))


def _load(sources: list[str], column: str, added: list[str]) -> list[tables.Table]:
    """The sources, each with the column that is read and none that would be overwritten."""
    first, *more = sources
    endings = (*FORMATS, ".json", ".gz", *tables.PROSE_ENDINGS)
    named = Path(first).suffix.lower() in endings and " " not in first
    if not (more or named or first == "-" or os.path.isfile(first)):  # Path would fail on a long text
        return [tables.of_text("text", first, column)]
    loaded = [tables.load(source, column=column) for source in sources]
    for table in loaded:
        table.require(column)
        table.refuse(*added, *("file", "line") * (len(loaded) > 1))
    return loaded


def _form(loaded: list[tables.Table], out: str, *, as_json: bool, bounded: bool) -> str:
    """The form of the rows that are written; "" where lines for people are."""
    rows = len(loaded) == 1 and loaded[0].format != tables.PROSE
    wanted = as_json or Path(out).suffix.lower() in FORMATS or (rows and not bounded)
    form = "jsonl" if as_json or not rows else loaded[0].format
    return form * wanted


def _read(
    table: tables.Table, column: str, *, sentences: bool, why: bool = False, alone: bool = True
) -> Iterator[tuple[Row, Reading]]:
    """The rows of a table and how each is read; what cannot be is among its faulty rows, or has no mean (`why`)."""
    from ralc.english import unread
    from ralc.llm.chat import final_answer

    there = table.find(column)

    def readable(cells: dict[str, Any]) -> str:
        if not isinstance(text := cells.get(there), str):
            raise ValueError(f"{column} is no text: {text!r:.80}")
        if (fault := unread(final_answer(text)[0])) and not why:
            raise ValueError(f"{column} cannot be read: {fault}")
        return text

    texts = table.keep(readable, alone=alone)
    if not why:
        return zip(table.rows, read_texts(texts, sentences=sentences), strict=True)
    legible = [text for text in dict.fromkeys(texts) if not unread(final_answer(text)[0])]
    read = {one["text"]: one for one in read_texts(legible, sentences=sentences)}
    nothing = {"mean": None, "spread": None, "cues": []}
    return zip(
        table.rows, ({"text": text, **read.get(text, nothing), **_door(text)} for text in texts), strict=True
    )


def read_texts(texts: list[str], *, sentences: bool = False) -> list[Reading]:
    """Return the reading of each text: ``text, mean, spread, cues``; a cue has its words, class and place (characters).

    Parameters
    ----------
    texts
        Each may have reasoning before its answer, which is not read; places are of the whole text.
    sentences
        Whether to read each sentence, too: ``start, end, kind, mean, spread``. What claims nothing has no mean.
    """
    from ralc import evaluators
    from ralc.english import read_cues
    from ralc.llm.chat import final_answer

    loaded = evaluators.load("cue_model")
    answers = [final_answer(text)[0] for text in texts]
    rows = []
    for text, answer, one in zip(texts, answers, loaded.read(answers), strict=True):
        before = max(text.rfind(answer), 0)
        reading = {"text": text, **_moments(one), "cues": []}
        for cue in read_cues(answer):
            start, end = cue.span
            place = {"start": start + before, "end": end + before}
            reading["cues"].append({"cue": answer[start:end], "class": cue.name, **place})
        reading |= {BY_SENTENCE: []} if sentences else {}
        for each in loaded.read_sentences(answer) if sentences else ():
            place = {"start": each.start + before, "end": each.end + before}
            reading[BY_SENTENCE].append({**place, "kind": each.kind, **_moments(each.confidence)})
        rows.append(reading)
    return rows


def _door(text: str) -> Reading:
    """What becomes of a text in `ralc rewrite`, and the code of why it is untouched; "" where it is not."""
    from ralc.llm.chat import final_answer
    from ralc.rewriting import Door, skip_reason

    reason = skip_reason(final_answer(text)[0])
    return {DOOR: (reason.door or Door.HEDGE).value, REASON: reason.value}


def _moments(confidence: Any) -> dict[str, float | None]:
    """Mean and standard deviation of a reading."""
    if confidence is None:
        return {"mean": None, "spread": None}
    return {"mean": round(float(confidence.mean), 3), "spread": round(float(confidence.variance**0.5), 3)}


def _place(table: tables.Table, row: Row, text: str, at: int | None = None) -> str:
    """The source and the line of a row; of a character of a running text its line and column."""
    if table.format != tables.PROSE:
        return f"{table.name}:{row.line}"
    if at is None:
        return table.name
    return f"{table.name}:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


def _broken(table: tables.Table, row: Row, reading: Reading, low: float, high: float) -> Iterator[str]:
    """A line for each part of a text that is out of bounds: its place, how, and its beginning."""
    text = reading["text"]
    for part in reading.get(BY_SENTENCE, [{"end": len(text), "mean": reading["mean"]}]):
        if part["mean"] is not None and not low <= part["mean"] <= high:
            bound = f"surer than {high:g}" if part["mean"] > high else f"less sure than {low:g}"
            quoted = visible(shorten(text[part.get("start", 0) : part["end"]], _LONGEST, placeholder="..."))
            place = _place(table, row, text, part.get("start"))
            yield f'{place}: {part["mean"]:g} is {bound}: "{quoted}"'


def _write(shown: list[Read], several: bool, form: str, out: str, lines: list[str] | None) -> None:
    """Write what was read as rows of a form, or as lines for people: those given, or without a form one a text."""
    if form:
        rows = []
        for source, row, reading in shown:
            of = {"file": source.name, "line": row.line} if several else {}
            cells = {name: reading[name] for name in (*ADDED, BY_SENTENCE, DOOR, REASON) if name in reading}
            rows.append({**of, **row.cells, **cells})
        return tables.save(rows, out, form)
    if lines is None:
        lines = [f"{_place(one, row, '')}: " * several + describe(reading) for one, row, reading in shown]
    return tables.write("".join(f"{line}\n" for line in lines), out)


def _meaning(reading: Reading) -> str:
    """Why a text is untouched, in words, or what it gets."""
    from ralc.rewriting import Reason

    return Reason(reading[REASON]).text or "it claims something, and has a hedge or a note where it needs one"


def describe(reading: Reading) -> str:
    """Return a reading as lines for people: mean and spread, the cues, each in its place under the text."""
    lines = []
    if reading["mean"] is not None:
        head = f"mean {reading['mean']:.2f}  spread {reading['spread']:.2f}"
        lines.append(head if reading["cues"] else f"{head}  no cues")
    if DOOR in reading:
        lines.append(f"  door {reading[DOOR]}: {_meaning(reading)}")
    for cue in reading["cues"]:
        lines.append(f"  {cue['start']:>4}-{cue['end']:<4} {cue['cue']!r} ({cue['class']})")
    for one in reading.get(BY_SENTENCE, []):
        shown = one["kind"] if one["mean"] is None else f"{one['mean']:.2f}"
        lines.append(f"  {shown:>9}  {visible(' '.join(reading['text'][one['start'] : one['end']].split()))}")
    return "\n".join(lines)
