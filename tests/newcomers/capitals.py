"""An evaluator that a newcomer adds: ralc/evaluators/capitals.py."""

from collections.abc import Sequence

from ralc.beta import Beta
from ralc.evaluators.evaluator import EvaluatorModel


class Capitals(EvaluatorModel):
    """Reads a text in capitals as sure."""

    def read(self, texts: Sequence[str]) -> Beta:
        """Return a confidence a text."""
        return Beta([9.0 if text.isupper() else 1.0 for text in texts], 1.0)
