"""What a person should know of a calibrator before use: what it was fitted on, and what can be expected of it."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Self

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer

if TYPE_CHECKING:  # who rewrites does not wait for tables to load
    import pandas as pd

#: Two numbers of answers are alike where one is at most so many times the other. A map fitted on majorities of ten cost
#: those of eight at most 0.002 of Brier score, of six up to 0.016, of five up to 0.027 (docs/signals.md).
ALIKE = 1.25
#: Questions of whose answers it can be told that they were not asked for until settled: all would not take as many.
TELLING = 20
#: What is promised where something is.
PROMISE = (
    "a lower Brier score than the base rate's, beyond chance, and no calibration error above 0.1 that shows"
)
LICENCE = (
    "Apache-2.0; the evaluator's figures rest on human studies with licences of their own (CAPphrase: CC BY 4.0): "
    "see NOTICE of ralc"
)


def _printable(text: str) -> str:
    """Refuse a text that could steer a terminal."""
    if not text.isprintable():
        raise ValueError("holds a control character")
    return text


Number = Annotated[float, Field(ge=-1e100, le=1e100, allow_inf_nan=False)]
Whole = Annotated[int, Field(ge=-(10**15), le=10**15)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[Whole, Field(ge=0)]
Text = Annotated[str, Field(max_length=2000), AfterValidator(_printable)]
_Rounded = Annotated[Number | None, PlainSerializer(lambda value: None if value is None else round(value, 4))]


class Part(BaseModel):
    """A part of a calibrator's file: no key is unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Design(Part):
    """The fewest and the most answers a question, but for a twentieth of the questions at either end.

    What a majority is worth depends on how many answers it is of, and on whether they were asked for until it grew.

    Attributes
    ----------
    fewest, most
        Answers.
    tokens
        Mean of a question's tokens, with its prompt once; None where nobody counted.
    """

    fewest: Annotated[int, Field(ge=1, le=10**6)]
    most: Annotated[int, Field(ge=1, le=10**6)]
    tokens: Annotated[float | None, Field(gt=0, le=1e12, allow_inf_nan=False)] = None

    @classmethod
    def of(cls, counts: Sequence[int], tokens: float | None = None) -> Self:
        """Return what was asked, from the number of answers to each question.

        >>> Design.of([10] * 39 + [3])
        Design(fewest=10, most=10, tokens=None)
        """
        fewest, most = np.quantile(counts, [0.05, 0.95], method="nearest").tolist()
        return cls(fewest=int(fewest), most=int(most), tokens=tokens)

    @property
    def varies(self) -> bool:
        """Whether some questions took many more answers than others, as where they are asked until settled."""
        return self.most > ALIKE * self.fewest

    @property
    def shown(self) -> str:
        """For people, such as ``5 to 20 answers a question``."""
        return f"{self._range} answer{'s' if self.most > 1 else ''} a question"

    @property
    def _range(self) -> str:
        return str(self.most) if self.fewest == self.most else f"{self.fewest} to {self.most}"

    def unlike(self, counts: Sequence[int]) -> str:
        """Return why answers to some questions were asked for otherwise; "" where that does not show.

        >>> Design(fewest=10, most=10).unlike([3])
        'the calibrator was fitted on 10 answers a question, not on 3'
        """
        asked = type(self).of(counts)
        near = self.fewest <= ALIKE * asked.fewest and asked.most <= ALIKE * self.most
        telling = asked.varies or len(counts) >= TELLING
        if near and (asked.varies == self.varies or not telling):
            return ""
        return f"the calibrator was fitted on {self.shown}, not on {asked._range}"


class Figure(Part):
    """A metric of a forecast and its interval; None where it is not defined."""

    metric: Text
    forecast: Text
    value: _Rounded
    ci_low: _Rounded
    ci_high: _Rounded
    n: Count

    @property
    def shown(self) -> str:
        """For people."""
        return "-" if self.value is None else f"{self.value:.3f} [{self.ci_low:.3f}, {self.ci_high:.3f}]"


class Evaluation(Part):
    """Cross-validated figures of a calibrator.

    Attributes
    ----------
    n, base_rate
        Answers, and the share of right ones.
    promise
        Whether the calibrated confidence has a lower Brier score than saying the base rate of every answer, beyond
        chance, and no expected calibration error that is shown to be above 0.1.
    needed
        Answers that would be needed to say so, were the next ones like these; None where no number would do,
        or it is said already.
    reason
        Why nothing is promised; "" where something is.
    figures
        One a metric and forecast: ``raw``, ``calibrated``, ``base_rate``; ``improvement`` is the base rate's
        Brier score less the calibrated one's.
    """

    n: Count
    base_rate: Annotated[Share, PlainSerializer(lambda value: round(value, 4))]
    promise: bool
    needed: Count | None
    reason: Text
    figures: Annotated[list[Figure], Field(min_length=1)]

    @property
    def table(self) -> "pd.DataFrame":
        """The figures, a row each: ``metric, forecast, value, ci_low, ci_high, n``."""
        import pandas as pd

        return pd.DataFrame([dict(one) for one in self.figures])

    def __str__(self) -> str:
        """A table for people, and the promise or the refusal."""
        shown = self.table.assign(shown=[one.shown for one in self.figures])
        metrics, forecasts = shown["metric"].unique(), shown["forecast"].unique()
        wide = shown.pivot_table("shown", "metric", "forecast", aggfunc="first").loc[metrics, forecasts]
        items = max(one.n for one in self.figures)
        sentences = f" of {items} sentences" if items > self.n else ""
        promise = f"promised: {PROMISE}" if self.promise else f"no promise: {self.reason}"
        return f"{wide.fillna('').to_string()}\n{self.n} answers{sentences}, {self.base_rate:.0%} right: {promise}"


class Card(Part):
    """The card of a calibrator."""

    fitted_on: Text
    n: Annotated[Whole, Field(ge=1)]
    base_rate: Share
    left_out: Count = 0
    design: Design | None = None
    flags: list[Text]
    evaluation: Evaluation | None
    lexicon_sha256: Text
    ralc: Text
    licence: Text = LICENCE


def number(value: float) -> float | None:
    """Return a number of a figure; None where it is not defined."""
    return None if math.isnan(value) else float(value)
