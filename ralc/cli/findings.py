"""Where a text sounds surer, or less sure, than it may: lines for people, SARIF 2.1.0 for what shows them in place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import ralc
from ralc.cli.rows import PROSE, Rows
from ralc.io.rows import Row
from ralc.io.text import visible

#: What a finding may be: its level in SARIF, and what it says.
RULES = {
    "reading": ("none", "How sure this sounds to people, on average (0 to 1)"),
    "too-sure": ("error", "Sounds surer to people than it may"),
    "too-unsure": ("error", "Sounds less sure to people than it may"),
    "unread": ("warning", "Was not read: it is empty, code or not in English, or the row is damaged"),
}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LONGEST = 80  # characters of a text that are quoted


@dataclass(frozen=True)
class Bounds:
    """How sure a text may sound: means in [0, 1], both allowed; without either, every reading is a finding."""

    at_least: float | None = None
    at_most: float | None = None

    def __bool__(self) -> bool:
        return not (self.at_least is None and self.at_most is None)

    def judge(self, mean: float | None) -> tuple[str, str] | None:
        """Return the rule of `RULES` that a mean is a finding of, and how that is said; None where it is none.

        >>> Bounds(at_most=0.8).judge(0.93), Bounds(at_most=0.8).judge(0.8), Bounds().judge(0.8)
        (('too-sure', '0.93 is surer than 0.8'), None, ('reading', '0.8'))
        """
        if mean is None:
            return None
        if self.at_most is not None and mean > self.at_most:
            return "too-sure", f"{mean:g} is surer than {self.at_most:g}"
        if self.at_least is not None and mean < self.at_least:
            return "too-unsure", f"{mean:g} is less sure than {self.at_least:g}"
        return None if self else ("reading", f"{mean:g}")


@dataclass(frozen=True)
class Place:
    """Where something stands: its source, line (of a Parquet file the row's number), and region as SARIF has it."""

    name: str
    line: int | None = None
    region: dict[str, int] | None = None

    def __str__(self) -> str:
        column = (self.region or {}).get("startColumn")
        return ":".join(str(part) for part in (self.name, self.line, column) if part is not None)


@dataclass(frozen=True)
class Finding:
    """A rule of `RULES`, what is said by it, and of which place."""

    rule: str
    message: str
    place: Place

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


def findings(source: Rows, row: Row, text: str, reading: dict[str, Any], bounds: Bounds) -> Iterator[Finding]:
    """Yield what is found in a text as it was read: of the whole, or of each sentence where these were read."""
    for one in reading.get("sentences", [{"start": 0, "end": len(text), **reading}]):
        if judged := bounds.judge(one["mean"]):
            rule, said = judged
            at = place(source, row, text, one if "sentences" in reading else None)
            yield Finding(rule, f'{said}: "{_quoted(text[one["start"] : one["end"]])}"', at)


def unread(source: Rows) -> Iterator[Finding]:
    """Yield the rows, or the text, that could not be read."""
    for fault in source.bad:
        yield Finding("unread", fault.reason, place(source, fault.row))


def place(source: Rows, row: Row, text: str = "", part: dict[str, Any] | None = None) -> Place:
    """Return the place of a row, or of a part of a running text."""
    if source.format != PROSE:
        return Place(source.name, row.line, None if source.format == "parquet" else {"startLine": row.line})
    if part is None:
        return Place(source.name)
    (line, column), (end_line, end_column) = (_position(text, part[end]) for end in ("start", "end"))
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return Place(source.name, line, region)


def _position(text: str, at: int) -> tuple[int, int]:
    """Line and column of a character, from 1.

    >>> _position("It is.\\nSo it is.", 7)
    (2, 1)
    """
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _quoted(text: str) -> str:
    """The beginning of a text on one line that steers no terminal."""
    said = visible(" ".join(text.split()))
    return said if len(said) <= _LONGEST else said[: _LONGEST - 3] + "..."


def sarif(found: Sequence[Finding]) -> dict[str, Any]:
    """Return findings as a SARIF 2.1.0 log: one run of one tool, a rule each of `RULES`."""
    rules = [
        {"id": rule, "shortDescription": {"text": said}, "defaultConfiguration": {"level": level}}
        for rule, (level, said) in RULES.items()
    ]
    driver = {"name": "ralc", "version": ralc.__version__, "rules": rules}
    results = [_result(finding) for finding in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: Finding) -> dict[str, Any]:
    level, _ = RULES[finding.rule]
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": list(RULES).index(finding.rule),
        "kind": "informational" if level == "none" else "fail",
        "level": level,
        "message": {"text": finding.message},
    }
    at = finding.place
    if not Path(at.name).is_file():  # a text of the command line, standard input
        return result
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(at.name)}}
    if at.region:
        physical["region"] = at.region
    return result | {"locations": [{"physicalLocation": physical}]}


def _uri(name: str) -> str:
    """A path as SARIF has it: relative to where the command ran, or absolute."""
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
