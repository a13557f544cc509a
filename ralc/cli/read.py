"""``ralc read``: how sure a text sounds, and whether it sounds as sure as it may."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ralc.cli import tables
from ralc.io.files import whole_file
from ralc.io.rows import FORMATS, Row
from ralc.io.text import visible

if TYPE_CHECKING:
    from ralc import Beta

ADDED = ("mean", "spread", "cues")
#: What is added by ``--sentences``, and where there are several files.
BY_SENTENCE, BY_FILE = "sentences", ("file", "line")
_LONGEST = 80  # characters of a text that are quoted


@dataclass(frozen=True)
class Bounds:
    """How sure a text may sound: means in [0, 1], both allowed."""

    at_least: float | None = None
    at_most: float | None = None

    def __bool__(self) -> bool:
        return not (self.at_least is None and self.at_most is None)

    def broken_by(self, mean: float | None) -> str:
        """Return how a mean breaks a bound; empty where it does not.

        >>> Bounds(at_most=0.8).broken_by(0.93), Bounds(at_most=0.8).broken_by(0.8)
        ('0.93 is surer than 0.8', '')
        """
        if mean is not None and self.at_most is not None and mean > self.at_most:
            return f"{mean:g} is surer than {self.at_most:g}"
        if mean is not None and self.at_least is not None and mean < self.at_least:
            return f"{mean:g} is less sure than {self.at_least:g}"
        return ""


class _Read(NamedTuple):
    """A row of a source, and the reading of its text."""

    source: tables.Table
    row: Row
    reading: dict[str, Any]


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
    evaluator: Annotated[str, typer.Option(help="Who reads: an evaluator of ralc.evaluators.")] = "cue_model",
    out: Annotated[str, typer.Option(help="Where the readings of files go; - is stdout.")] = "-",
    scores: Annotated[
        str | None, typer.Option(help="Also the means for inspect_ai's precomputed_scores, .jsonl.")
    ] = None,
    sentences: Annotated[bool, typer.Option("--sentences", help="Each sentence, too.")] = False,
    at_most: Annotated[float | None, typer.Option(min=0, max=1, help="None may sound surer.")] = None,
    at_least: Annotated[float | None, typer.Option(min=0, max=1, help="None may sound less sure.")] = None,
) -> None:
    """How sure does this sound to people: mean, spread, and the cues found and where.

    The mean is the confidence, 0 to 1, that readers take from the text on average; the spread is the
    standard deviation over evaluators. Reasoning (<think>...</think>) is no part of a text. Standard input may be plain
    lines, a text each. With --sentences each sentence that claims something has a reading of its own.

    With --at-most or --at-least only what breaks them is written, each text or, with --sentences, each sentence; the
    exit code is 1 where something does, 2 where something could not be read, else 0.

    \b
    Examples:
      ralc read "I think it might be Paris."
      ralc read answers.csv --column answer --out read.csv
      cat answers.jsonl | ralc read --json
      ralc read --sentences "It is old. It is probably large."
      ralc read docs/*.md --sentences --at-most 0.8
      ralc read samples.jsonl --column answer --scores scores.jsonl
    """
    bounds, given = Bounds(at_least, at_most), sources or ["-"]
    if None not in (at_least, at_most) and at_least > at_most:
        raise typer.BadParameter(f"nothing is at least {at_least:g} sure and at most {at_most:g}")
    try:
        for source in given:
            tables.check_apart({"FILE": source, "--out": out, "--scores": scores})
        found = _load(given, column, sentences=sentences)
        done = [one for source in found for one in _read(source, column, evaluator, sentences=sentences)]
        broken = sum(_write(done, found, out, bounds, as_json=as_json))
        if scores:
            tables.save_scores(
                ((one.row.cells, one.reading["mean"], one.reading["text"]) for one in done), scores
            )
    except (ValueError, OSError, ModuleNotFoundError) as error:
        error.exit_code = 2 if bounds else 1
        raise
    beside = out if out != "-" and len(found) == 1 else None
    bad = max(tables.report_bad(one, beside or name) for one, name in zip(found, given, strict=True))
    sys.exit((2 if bad else int(broken > 0)) if bounds else bad)


def _load(sources: list[str], column: str, *, sentences: bool) -> list[tables.Table]:
    """The sources, each with the column that is read and none that would be overwritten."""
    if len(sources) == 1 and sources[0] != "-" and not tables.is_file(sources[0]):
        return [tables.of_texts("text", tables.PROSE, sources, column)]
    for source in sources:
        if source != "-" and not tables.is_file(source):
            raise typer.BadParameter(f"{source!r} is no file: of several arguments each is one; quote a text")
    found = [tables.load(source, column=column) for source in sources]
    for one in found:
        one.require(column)
        one.refuse(*ADDED, *[BY_SENTENCE] * sentences, *BY_FILE * (len(found) > 1))
    return found


def _read(table: tables.Table, column: str, evaluator: str, *, sentences: bool) -> Iterator[_Read]:
    """The rows of a table as they are read; what cannot be is among its faulty rows."""
    texts = table.keep(lambda cells: _readable(cells.get(column), column))
    for row, reading in zip(table.rows, read_texts(texts, evaluator, sentences=sentences), strict=True):
        yield _Read(table, row, reading)


def _readable(text: Any, column: str) -> str:
    """A text whose answer an evaluator can read; ValueError where it is none."""
    from ralc.english.language_check import unread
    from ralc.llm.reasoning import final_answer

    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{column} is empty" if text in ("", None) else f"{column} is no text: {text!r:.80}")
    if why := unread(final_answer(text)[0]):
        raise ValueError(f"{column} cannot be read: {why}")
    return text


def read_texts(texts: list[str], evaluator: str, *, sentences: bool = False) -> list[dict[str, Any]]:
    """Return the reading of each text: ``text, mean, spread, cues``; a cue has its words, class and place (characters).

    With `sentences`, of each sentence ``start, end, kind, mean, spread``, too; what claims nothing has no mean.
    Reasoning before an answer is not read; places are of the whole text.
    """
    from ralc import evaluators
    from ralc.llm.reasoning import final_answer

    loaded = evaluators.load(evaluator)
    answers = [final_answer(text)[0] for text in texts]
    found = []
    for text, answer, one in zip(texts, answers, loaded.read(answers), strict=True):
        before = max(text.rfind(answer), 0)
        reading = {"text": text, **_moments(one), "cues": _cues(answer, before)}
        if sentences:
            reading[BY_SENTENCE] = [
                {"start": each.start + before, "end": each.end + before, "kind": each.kind}
                | _moments(each.confidence)
                for each in loaded.read_sentences(answer)
            ]
        found.append(reading)
    return found


def _moments(confidence: "Beta | None") -> dict[str, float | None]:
    """Mean and standard deviation of a reading."""
    if confidence is None:
        return {"mean": None, "spread": None}
    spread = float(confidence.variance) ** 0.5
    return {"mean": round(float(confidence.mean), 3), "spread": round(spread, 3)}


def _cues(text: str, before: int) -> list[dict[str, Any]]:
    from ralc.english import read_cues

    found = ((cue.name, *cue.span) for cue in read_cues(text))
    return [
        {"cue": text[start:end], "class": name, "start": start + before, "end": end + before}
        for name, start, end in found
    ]


def _write(
    done: list[_Read], sources: list[tables.Table], out: str, bounds: Bounds, *, as_json: bool
) -> list[int]:
    """Write what was read, or what breaks the bounds; return of each text how many times it does."""
    several = len(sources) > 1
    broken = [list(_broken(one, bounds)) if bounds else [] for one in done]
    kept = [one for one, lines in zip(done, broken, strict=True) if lines or not bounds]
    table = not several and sources[0].format != tables.PROSE
    if as_json or Path(out).suffix.lower() in FORMATS or (table and not bounds):
        kind = "jsonl" if as_json or not table else sources[0].format
        shown = kind if out == "-" else Path(out).suffix.lower()[1:]
        tables.save([_beside(one, shown, several=several) for one in kept], out, kind)
    elif bounds:
        _save([line for lines in broken for line in lines], out)
    else:
        places = [f"{_place(one)}: " if several else "" for one in kept]
        _save([place + describe(one.reading) for place, one in zip(places, kept, strict=True)], out)
    return list(map(len, broken))


def _save(lines: list[str], out: str) -> None:
    text = "".join(f"{line}\n" for line in lines)
    if out == "-":
        sys.stdout.write(text)
        return
    with whole_file(out) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _broken(one: _Read, bounds: Bounds) -> Iterator[str]:
    """A line for each part of a text that breaks the bounds: its place, how, and its beginning."""
    text = one.reading["text"]
    for part in one.reading.get(BY_SENTENCE, [{"start": 0, "end": len(text), **one.reading}]):
        if told := bounds.broken_by(part["mean"]):
            quoted = visible(" ".join(text[part["start"] : part["end"]].split()))
            quoted = quoted if len(quoted) <= _LONGEST else quoted[: _LONGEST - 3] + "..."
            at = part["start"] if BY_SENTENCE in one.reading else None
            yield f'{_place(one, at)}: {told}: "{quoted}"'


def _place(one: _Read, at: int | None = None) -> str:
    """The source of a row and its line; of a character of a running text its line and column."""
    if one.source.format != tables.PROSE:
        return f"{one.source.name}:{one.row.line}"
    if at is None:
        return one.source.name
    before = one.reading["text"][:at]
    return f"{one.source.name}:{before.count(chr(10)) + 1}:{at - before.rfind(chr(10))}"


def describe(reading: dict[str, Any]) -> str:
    """Return a reading as lines for people: mean and spread, the cues, each in its place under the text.

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
    return f"  {told:>9}  {visible(' '.join(text[sentence['start'] : sentence['end']].split()))}"


def _beside(one: _Read, kind: str, *, several: bool) -> dict[str, Any]:
    """A row with its reading, and where it stands among several files; cues as a cell where a format has no lists."""
    cues = one.reading["cues"]
    if kind in ("csv", "tsv"):
        cues = "; ".join(cue["cue"] for cue in cues)
    of = dict(zip(BY_FILE, (one.source.name, one.row.line), strict=True)) if several else {}
    told = {name: one.reading[name] for name in (*ADDED, BY_SENTENCE) if name in one.reading}
    return {**of, **one.row.cells, **told, "cues": cues}
