"""A calibrator's file: one JSON object of numbers and words, checked once, safe to take from strangers.

It holds a map by its name and parameters, the lexicon's entries, and a card that says what it was fitted on.
"""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import Field, ValidationError, ValidationInfo, field_validator

import ralc
from ralc import evaluators
from ralc.beta import Beta
from ralc.calibration import CalibrationMap
from ralc.calibrator.card import Card, Count, Number, Part, Text, Whole
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.english import FRAMES
from ralc.io.console import visible
from ralc.io.files import digest, opened
from ralc.lexicon import Lexicon
from ralc.lexicon.estimation import audit_flags
from ralc.lexicon.expressions import WORDS, guess_polarity
from ralc.protocols import Protocol, resolve
from ralc.registry import SIGNALS, STARTS

if TYPE_CHECKING:
    from ralc.calibrator.estimator import WordCalibrator

FORMAT, VERSION = "ralc-calibrator", 2
LARGEST = 20_000_000  # bytes; ours have 30,000
#: Of a lexicon; ours has 400 entries. Longer hedges are sentences of their own.
MOST_ENTRIES, MOST_WORDS, MOST_LETTERS = 2000, 12, 100

Positive = Annotated[float, Field(ge=1e-12, le=1e12, allow_inf_nan=False)]
Scalar = bool | Whole | Number | Text | None


class SavedMap(Part):
    """A fitted calibration map (`ralc.calibration.CalibrationMap.to_dict`)."""

    map: Text
    parameters: dict[Text, bool | Whole | Number | dict[Text, Number | None] | None]
    learned: dict[Annotated[str, Field(pattern="^[a-z][a-z_]*_$")], Scalar | list[Scalar]]


class Entry(Part):
    """A hedge and how it is read."""

    expression: Annotated[Text, Field(min_length=1, max_length=200)]
    source: Text
    frame: Literal[tuple(FRAMES)]  # type: ignore[valid-type]
    alpha: Positive
    beta: Positive
    n: Count
    flags: Text


class Saved(Part):
    """The whole file."""

    format: Literal["ralc-calibrator"] = FORMAT
    version: int = VERSION
    card: Card
    signal: Literal[STARTS]  # type: ignore[valid-type]
    calibration: SavedMap
    evaluator: Text
    protocol: Protocol
    lexicon: Annotated[list[Entry], Field(min_length=1, max_length=MOST_ENTRIES)]

    @field_validator("calibration")
    @classmethod
    def _gives_probabilities(cls, saved: SavedMap) -> SavedMap:
        grid = Beta.from_mean_concentration(np.linspace(0.001, 0.999, 101), 10.0)
        try:
            mean = CalibrationMap.from_dict(saved.model_dump()).transform(grid).mean
        except (TypeError, KeyError, AttributeError, IndexError) as error:
            raise ValueError(str(error)) from None
        if not np.all((mean > 0) & (mean < 1)):
            raise ValueError("the map does not give probabilities")
        return saved

    @field_validator("evaluator")
    @classmethod
    def _is_known(cls, evaluator: str) -> str:
        evaluators.load(evaluator)
        return evaluator

    @field_validator("protocol")
    @classmethod
    def _resolved(cls, protocol: Protocol) -> Protocol:
        return resolve(protocol.name, **protocol.model_dump(exclude={"name"}, exclude_unset=True))

    @field_validator("lexicon")
    @classmethod
    def _of_hedges(cls, entries: list[Entry], info: ValidationInfo) -> list[Entry]:
        """Refuse what is no hedge; an entry with flags that is none is left out, since it is not used."""
        if "card" in info.data and _digest(entries) != info.data["card"].lexicon_sha256:
            raise ValueError("its rows are not those of the card (lexicon_sha256)")
        honest = "protocol" in info.data and not info.data["protocol"].letter
        faults = [_fault(entry, honest=honest) for entry in entries]
        for entry, why in zip(entries, faults, strict=True):
            if why and not entry.flags:
                raise ValueError(f"{entry.expression!r:.100} {why}")
        if all(entry.flags for entry in entries):
            raise ValueError("every entry has flags, so there is no hedge to take")
        return [entry for entry, why in zip(entries, faults, strict=True) if not why]

    @property
    def foreign(self) -> list[str]:
        """The expressions that are not among ours."""
        return [one.expression for one in self.lexicon if one.expression not in _ours()]

    def __str__(self) -> str:
        """The card for people."""
        card, foreign = self.card, self.foreign
        basis = CalibrationMap.from_dict(self.calibration.model_dump()).basis
        flags = f" ({', '.join(card.flags)})" if card.flags else ""
        card_lines = f"""\
fitted on   {card.fitted_on}: {card.n} answers, {card.base_rate:.0%} right, {card.left_out} left out
signal      {self.signal}{self._cost}
map         {self.calibration.map}{flags}
            {basis}
evaluator   {self.evaluator}
protocol    {visible(self.protocol.name)}
lexicon     {len(self.lexicon)} expressions, sha256 {card.lexicon_sha256[:12]}
made by     ralc {card.ralc}; {card.licence}
{card.evaluation or "not evaluated: nothing is promised"}"""
        if foreign:
            card_lines += f"\n{len(foreign)} of its hedges are not ralc's own: {', '.join(foreign[:20])}"
        return "\n".join(line for line in card_lines.split("\n") if line.strip())

    @property
    def _cost(self) -> str:
        """What an answer that is put into words costs: calls, and tokens where they were counted."""
        design, signal = self.card.design, SIGNALS.get(self.signal)
        if signal is None and design is None:
            return ""
        several = (
            "several answers a question" if signal and signal.compares else "one answer a question, or more"
        )
        needs = [several if design is None else design.shown]
        needs += ["with log-probabilities"] if signal and signal.logprobs else []
        needs += [f"{design.tokens:,.0f} tokens with the prompt"] if design and design.tokens else []
        needs += ["and one call about it"] if signal and signal.asks else []
        return f" ({', '.join(needs)})"


def _digest(entries: list[Entry]) -> str:
    return digest([entry.model_dump() for entry in entries])


def _fault(entry: Entry, *, honest: bool) -> str:
    """Why an entry is no hedge, or not one on the side that its reading is on; "" for all of ours."""
    mean = entry.alpha / (entry.alpha + entry.beta)
    ours = entry.expression in _ours()
    if honest and not entry.flags and guess_polarity(entry.expression) == "reverses":
        return "asserts the opposite of what it is put to"
    if not WORDS.fullmatch(entry.expression) and not ours:
        return "is no hedge: it holds more than words"
    if len(entry.expression) > MOST_LETTERS or len(entry.expression.split()) > MOST_WORDS:
        return f"is no hedge: it has more than {MOST_WORDS} words or {MOST_LETTERS} letters"
    if not ours and "unread" in audit_flags(entry.expression, mean, mean):
        return "is no hedge: no evaluator finds in it how sure it sounds"
    if not entry.flags and "wording" in audit_flags(entry.expression, mean, mean):
        return f"says the opposite of its reading, {mean:.2f}"
    return ""


@cache
def _ours() -> frozenset[str]:
    """The committed hedges."""
    return frozenset(built_in_lexicon().table["expression"].tolist())


def to_dict(fitted: "WordCalibrator", *, fitted_on: str, left_out: int) -> dict[str, Any]:
    """Return a fitted calibrator and its card as plain JSON, numbers of the lexicon to nine digits."""
    columns = [fitted.lexicon_.table[name].tolist() for name in Entry.model_fields]
    rows = [dict(zip(Entry.model_fields, cells, strict=True)) for cells in zip(*columns, strict=True)]
    short = [row | {name: float(f"{row[name]:.9g}") for name in ("alpha", "beta")} for row in rows]
    entries = [Entry(**row) for row in short]
    card = Card(
        fitted_on=visible(fitted_on),
        n=fitted.n_answers_,
        base_rate=fitted.base_rate_,
        left_out=left_out,
        design=fitted.design_,
        flags=list(fitted.map_.flags_),
        evaluation=getattr(fitted, "evaluation_", None),
        lexicon_sha256=_digest(entries),
        ralc=ralc.__version__,
    )
    # What is saved was fitted here; it is checked where it is read.
    saved = Saved.model_construct(
        card=card,
        signal=fitted.signal_,
        calibration=SavedMap(**fitted.map_.to_dict()),
        evaluator=fitted.evaluator,
        protocol=resolve(fitted.protocol),
        lexicon=entries,
    )
    return saved.model_dump(mode="json")


def read(path: str | Path) -> Saved:
    """Return what a file holds, checked."""
    try:
        return Saved.model_validate(_opened(Path(path)))
    except ValidationError as error:
        first = error.errors()[0]
        reason = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{path}: {visible('.'.join(map(str, first['loc'])))}: {reason}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def load(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters of the calibrator in a file, and what was fitted; ValueError as from `read`."""
    saved = read(path)
    columns = {name: [getattr(row, name) for row in saved.lexicon] for name in Entry.model_fields}
    parameters = {"signal": saved.signal, "map": saved.calibration.map, "evaluator": saved.evaluator}
    parameters |= {"lexicon": Lexicon(columns), "protocol": saved.protocol}
    fitted = {"map_": CalibrationMap.from_dict(saved.calibration.model_dump()), "signal_": saved.signal}
    fitted |= {"n_answers_": saved.card.n, "base_rate_": saved.card.base_rate, "design_": saved.card.design}
    if saved.card.evaluation:
        fitted["evaluation_"] = saved.card.evaluation
    return parameters, fitted


def _opened(path: Path) -> dict[str, Any]:
    """The object in a file, of the format that is known."""
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
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise ValueError(
            f"its format is {data.get('version')!r}, not {VERSION}: fit it again, or upgrade ralc"
        )
    try:
        return opened(data) if "sha256" in data else data
    except ValueError as error:
        raise ValueError(f"{error}; if you changed the file on purpose, delete its line sha256") from None
