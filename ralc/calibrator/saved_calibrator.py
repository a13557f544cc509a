"""A saved calibrator: one JSON file, readable, checked when it is loaded, safe to take from strangers.

It holds numbers and words, no code: a map by its name and parameters, the lexicon's entries, and a card that says what
it was fitted on and how well it did.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from ralc.calibrator.answers_asked import Design
from ralc.english.frames import FRAMES
from ralc.io.files import digest, opened
from ralc.io.text import visible
from ralc.names import SIGNALS, STARTS
from ralc.protocols import Protocol

if TYPE_CHECKING:
    from ralc.lexicon import Lexicon

FORMAT = "ralc-calibrator"
VERSION = 1
LARGEST = 20_000_000  # bytes; ours have 30,000
#: What is promised where something is.
PROMISE = (
    "a lower Brier score than the base rate's, beyond chance, and no calibration error above .1 that shows"
)
MOST_ENTRIES = 2000  # of a lexicon; ours has 400
LICENCE = (
    "Apache-2.0; the reader's figures rest on human studies with licences of their own (CAPphrase: CC BY 4.0): "
    "see NOTICE of ralc"
)


def _printable(text: str) -> str:
    """A text as it is; refused where it could steer a terminal."""
    if not text.isprintable():
        raise PydanticCustomError("printable", "holds a control character")
    return text


Positive = Annotated[float, Field(ge=1e-12, le=1e12, allow_inf_nan=False)]
Number = Annotated[float, Field(ge=-1e100, le=1e100, allow_inf_nan=False)]
Whole = Annotated[int, Field(ge=-(10**15), le=10**15)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[Whole, Field(ge=0)]
Text = Annotated[str, Field(max_length=2000), AfterValidator(_printable)]
Scalar = bool | Whole | Number | Text | None


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SavedMap(_Part):
    """A fitted calibration map (`ralc.calibration.CalibrationMap.to_dict`)."""

    map: Text
    parameters: dict[Text, bool | Whole | Number | None]
    learned: dict[Annotated[str, Field(pattern="^[a-z][a-z_]*_$")], Scalar | list[Scalar]]


class Entry(_Part):
    """A hedge and how it is read."""

    expression: Annotated[Text, Field(min_length=1, max_length=200)]
    source: Text
    frame: Literal[tuple(FRAMES)]  # type: ignore[valid-type]
    alpha: Positive
    beta: Positive
    n: Count
    flags: Text


class Figure(_Part):
    """A figure of an evaluation and its interval; None where it is not defined."""

    metric: Text
    forecast: Text
    value: Number | None
    ci_low: Number | None
    ci_high: Number | None
    n: Count


class Evaluated(_Part):
    """What can be expected of the calibrator (`ralc.calibrator.evaluation.Evaluation.to_dict`)."""

    n: Count
    base_rate: Share
    promise: bool
    needed: Count | None
    reason: Text
    figures: Annotated[list[Figure], Field(min_length=1)]


class Card(_Part):
    """What a person should know before use."""

    fitted_on: Text
    n: Annotated[Whole, Field(ge=1)]
    base_rate: Share
    left_out: Count = 0
    design: Design | None = None
    flags: list[Text]
    evaluation: Evaluated | None
    lexicon_sha256: Text
    ralc: Text
    licence: Text = LICENCE


class Saved(_Part):
    """The whole file."""

    format: Literal["ralc-calibrator"] = FORMAT
    version: int = VERSION
    card: Card
    signal: Literal[STARTS]  # type: ignore[valid-type]
    calibration: SavedMap
    reader: Text
    protocol: Protocol
    lexicon: Annotated[list[Entry], Field(min_length=1, max_length=MOST_ENTRIES)]


def entries(lexicon: "Lexicon") -> list[dict[str, Any]]:
    """A lexicon's rows as a file holds them, numbers to nine digits."""
    columns = [lexicon.columns[name].tolist() for name in Entry.model_fields]
    rows = [dict(zip(Entry.model_fields, cells, strict=True)) for cells in zip(*columns, strict=True)]
    return [row | {name: float(f"{row[name]:.9g}") for name in ("alpha", "beta")} for row in rows]


def read(path: str | Path) -> Saved:
    """Return what a file holds, checked.

    Raises
    ------
    ValueError
        If there is no such file, it is no calibrator, its format is newer than this version of ralc knows, or an
        entry is missing, unknown or of the wrong kind: file, key and reason are named.
    """
    try:
        return _checked(_opened(Path(path)))
    except ValidationError as error:
        fault = error.errors()[0]
        raise ValueError(f"{path}: {visible('.'.join(map(str, fault['loc'])))}: {fault['msg']}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _opened(path: Path) -> dict[str, Any]:
    """The object in a file, of a version that is known."""
    if not path.is_file():
        raise ValueError("no such file")
    if path.stat().st_size > LARGEST:
        raise ValueError(f"larger than {LARGEST} bytes, so no calibrator")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"not a calibrator of ralc (no format {FORMAT!r})")
    version = data.get("version")
    if type(version) is not int or version < VERSION:
        raise ValueError(f"version: {version!r} is no format of ralc")
    if version > VERSION:
        raise ValueError(
            f"its format {version} is newer than {VERSION}, which this ralc reads: upgrade ralc "
            f"(it was written by {_writer(data)})"
        )
    return data


def _checked(data: dict[str, Any]) -> Saved:
    """What it says, where nothing in it contradicts another part."""
    try:
        data = opened(data) if "sha256" in data else data
    except ValueError as error:
        raise ValueError(f"{error}; who changed it on purpose takes the line sha256 out") from None
    saved = Saved.model_validate(data)
    if digest([row.model_dump() for row in saved.lexicon]) != saved.card.lexicon_sha256:
        raise ValueError("lexicon: its rows are not those of the card (lexicon_sha256)")
    if all(row.flags for row in saved.lexicon):
        raise ValueError("lexicon: every entry has flags, so there is no hedge to take")
    return saved


def _writer(data: dict[str, Any]) -> str:
    card = data.get("card")
    return visible(f"ralc {card.get('ralc')}") if isinstance(card, dict) else "an unknown version"


def _cost(signal: str, design: Design | None) -> str:
    """What an answer that is put into words costs: calls, and tokens where they were counted."""
    if signal not in SIGNALS and design is None:
        return ""
    known = SIGNALS.get(signal)
    several = "several answers a question" if known and known.compares else "one answer a question, or more"
    told = [several if design is None else design.shown]
    told += ["with log-probabilities"] if known and known.logprobs else []
    told += [f"{design.tokens:,.0f} tokens with the prompt"] if design and design.tokens else []
    told += ["and one call about it"] if known and known.asks else []
    return f" ({', '.join(told)})"


def describe(saved: Saved) -> str:
    """The card as lines for people."""
    card, evaluation = saved.card, saved.card.evaluation
    lines = [
        f"fitted on   {card.fitted_on}: {card.n} answers, {card.base_rate:.0%} right, {card.left_out} left out",
        f"signal      {saved.signal}{_cost(saved.signal, card.design)}",
        f"map         {saved.calibration.map}{' (' + ', '.join(card.flags) + ')' if card.flags else ''}",
        f"reader      {saved.reader}",
        f"protocol    {visible(saved.protocol.name)}",
        f"lexicon     {len(saved.lexicon)} expressions, sha256 {card.lexicon_sha256[:12]}",
        f"made by     ralc {card.ralc}; {card.licence}",
    ]
    for row in evaluation.figures if evaluation else []:
        interval = "" if None in (row.ci_low, row.ci_high) else f" [{row.ci_low:.3f}, {row.ci_high:.3f}]"
        value = "not defined" if row.value is None else f"{row.value:.3f}"
        lines.append(f"  {f'{row.metric} of {row.forecast}':<46}{value}{interval}")
    if evaluation is None:
        lines.append("not evaluated: nothing is promised")
    elif evaluation.promise:
        lines.append(f"promised: {PROMISE} (cross-validated)")
    else:
        lines.append(f"no promise: {evaluation.reason}")
    return "\n".join(lines)
