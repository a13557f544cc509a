"""A calibrator's file: one JSON object of numbers and words, checked once, safe to take from strangers."""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field, ValidationError, model_validator
from pydantic_core import from_json, to_jsonable_python

import ralc
from ralc import evaluators
from ralc.beta import Beta
from ralc.calibration import CalibrationMap
from ralc.calibrator.confidence import NO_DESIGN, SamplingDesign
from ralc.calibrator.evaluation import Count, Evaluation, Number, Part, Share, Text
from ralc.io.console import visible
from ralc.io.rows import located, read_text
from ralc.lexicon import Lexicon
from ralc.lexicon.estimation import check_hedges
from ralc.lexicon.expressions import committed_expressions
from ralc.protocols import Protocol, resolve
from ralc.registry import FRAMES, STARTS

if TYPE_CHECKING:
    from ralc.calibrator.estimator import WordCalibrator

FORMAT = "ralc-calibrator"
VERSION = 2
LICENCE = (
    "Apache-2.0; the evaluator's figures rest on human studies with licences of their own (CAPphrase: CC BY 4.0): "
    "see NOTICE of ralc"
)

Positive = Annotated[float, Field(ge=1e-12, le=1e12, allow_inf_nan=False)]
Scalar = bool | int | Number | Text | None


def _resolved(protocol: Protocol) -> Protocol:
    return resolve(protocol.name, **protocol.model_dump(exclude={"name"}, exclude_unset=True))


class Card(Part):
    """The card of a calibrator."""

    fitted_on: Text
    n: Annotated[int, Field(ge=1, le=10**15)]
    base_rate: Share
    left_out: Count = 0
    design: SamplingDesign | None = None
    flags: list[Text]
    evaluation: Evaluation | None
    ralc: Text
    licence: Text = LICENCE


class SavedMap(Part):
    """A fitted calibration map (`ralc.calibration.CalibrationMap.to_dict`)."""

    map: Text
    parameters: dict[Text, bool | int | Number | dict[Text, Number | None] | None]
    learned: dict[Annotated[str, Field(pattern="^[a-z][a-z_]*_$")], Scalar | list[Scalar]]

    @property
    def fitted(self) -> CalibrationMap:
        """The map."""
        return CalibrationMap.from_dict(self.model_dump())

    @model_validator(mode="after")
    def _gives_probabilities(self) -> "SavedMap":
        grid = Beta.from_mean_concentration(np.linspace(0.001, 0.999, 101), 10.0)
        try:
            self.fitted.transform(grid)
        except (TypeError, KeyError, AttributeError, IndexError) as error:
            raise ValueError(str(error)) from None
        return self


class Entry(Part):
    """A hedge and how it is read."""

    expression: Annotated[Text, Field(min_length=1, max_length=100)]
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
    evaluator: Annotated[Text, AfterValidator(lambda name: evaluators.load(name) and name)]
    protocol: Annotated[Protocol, AfterValidator(_resolved)]
    lexicon: Annotated[list[Entry], Field(min_length=1, max_length=2000)]

    @model_validator(mode="after")
    def _holds_hedges(self) -> "Saved":
        """Refuse what is no hedge."""
        hedges = [entry for entry in self.lexicon if not entry.flags]
        if not hedges:
            raise ValueError("lexicon: every entry has flags, so there is no hedge to take")
        means = [(entry.expression, entry.alpha / (entry.alpha + entry.beta)) for entry in hedges]
        check_hedges(means, honest=not self.protocol.letter)
        return self

    def restored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the parameters of the calibrator, and what was fitted; a stranger's flagged entries are left out."""
        ours = committed_expressions()
        hedges = [entry for entry in self.lexicon if not entry.flags or entry.expression in ours]
        lexicon = Lexicon({name: [getattr(entry, name) for entry in hedges] for name in Entry.model_fields})
        parameters = {
            "signal": self.signal,
            "map": self.calibration.map,
            "evaluator": self.evaluator,
            "lexicon": lexicon,
            "protocol": self.protocol,
        }
        return parameters, {
            "map_": self.calibration.fitted,
            "signal_": self.signal,
            "design_": self.card.design,
            "n_answers_": self.card.n,
            "base_rate_": self.card.base_rate,
            "evaluation_": self.card.evaluation,
        }

    def __str__(self) -> str:
        """The card for people."""
        card = self.card
        protocol = visible(self.protocol.name)
        new = [entry.expression for entry in self.lexicon if entry.expression not in committed_expressions()]
        new_hedges = f"\n{len(new)} of its hedges are not ralc's own: {', '.join(new[:20])}" if new else ""
        return f"""\
fitted on   {card.fitted_on}: {card.n} answers, {card.base_rate:.0%} right, {card.left_out} left out
signal      {self.signal}{f" ({card.design.text})" if card.design else ""}
map         {", ".join([self.calibration.map, *card.flags])}; {self.calibration.fitted.basis or "no slope"}
read by     {self.evaluator}, protocol {protocol}
lexicon     {len(self.lexicon)} expressions
turns       {(card.design or NO_DESIGN).of_turns} of conversations; of others nothing is promised
made by     ralc {card.ralc}; {card.licence}
{card.evaluation or "not evaluated: nothing is promised"}{new_hedges}"""


def _digest(value: Any) -> str:
    text = json.dumps(to_jsonable_python(value), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def to_dict(fitted: "WordCalibrator", *, fitted_on: str, left_out: int) -> dict[str, Any]:
    """Return a fitted calibrator and its card as plain JSON, numbers of the lexicon to nine digits.

    Parameters
    ----------
    fitted
        The calibrator.
    fitted_on
        What the answers were, for people.
    left_out
        Rows that could not be used.
    """
    table = fitted.lexicon_.table[[*Entry.model_fields]]
    entries = [
        Entry(**row | {name: float(f"{row[name]:.9g}") for name in ("alpha", "beta")})
        for row in table.to_dict("records")
    ]
    card = Card(
        fitted_on=visible(fitted_on),
        n=fitted.n_answers_,
        base_rate=fitted.base_rate_,
        left_out=left_out,
        design=fitted.design_,
        flags=list(fitted.map_.flags_),
        evaluation=fitted.evaluation_,
        ralc=ralc.__version__,
    )
    saved = Saved.model_construct(
        card=card,
        signal=fitted.signal_,
        calibration=SavedMap.model_construct(**fitted.map_.to_dict()),
        evaluator=fitted.evaluator,
        protocol=resolve(fitted.protocol),
        lexicon=entries,
    )
    return (content := saved.model_dump(mode="json")) | {"sha256": _digest(content)}


def read(path: str | Path) -> Saved:
    """Return what a file holds, checked; ValueError says what is wrong with it."""
    with located(str(path), "not JSON"):
        data = from_json(read_text(path), allow_inf_nan=False)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{path}: not a calibrator of ralc (no format {FORMAT!r})")
    if data.get("version") != VERSION:
        remedy = "fit it again, or upgrade ralc"
        raise ValueError(f"{path}: its format is {data.get('version')!r}, not {VERSION}: {remedy}")
    if data.pop("sha256", None) not in (None, _digest(data)):
        raise ValueError(f"{path}: sha256: not of this content; if you changed that on purpose, delete it")
    try:
        return Saved.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = visible(".".join(map(str, first["loc"])))
        reason = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{path}: {place}{': ' * bool(place)}{reason}") from None
