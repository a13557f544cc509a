"""How many answers were asked for of each question that a calibrator was fitted on.

What the share of a majority is worth depends on how many answers it is of, and on whether they were asked for until it
was large; and how often the majority is right does, whatever the signal. So a calibrator takes answers that were asked
for as its own were.
"""

from collections.abc import Sequence
from typing import Annotated, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

#: Two numbers of answers are alike where one is at most so many times the other. A map fitted on majorities of ten cost
#: those of eight at most .002 of Brier score, of six up to .016, of five up to .027 (docs/signals.md).
ALIKE = 1.25
#: Questions of whose answers it can be told that they were not asked for until settled: all would not take as many.
TELLING = 20


class Design(BaseModel):
    """The fewest and the most answers a question, but for a twentieth of the questions at either end.

    Attributes
    ----------
    fewest, most
        Answers.
    tokens
        Mean of a question's tokens, with its prompt once; None where nobody counted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

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
        """Why answers to some questions, so many to each, were asked for otherwise; empty where that does not show.

        >>> Design(fewest=10, most=10).unlike([3])
        'the calibrator was fitted on 10 answers a question, not on 3'
        """
        given = type(self).of(counts)
        near = self.fewest <= ALIKE * given.fewest and given.most <= ALIKE * self.most
        known = given.varies or len(counts) >= TELLING
        if near and (given.varies == self.varies or not known):
            return ""
        return f"the calibrator was fitted on {self.shown}, not on {given._range}"
