"""DSPy: a module around a program, whose answer comes in calibrated words."""

import asyncio
from typing import Any

import dspy

from ralc.integrations import AnswerCalibrator, Fitted


class CalibratedWords(dspy.Module):
    """Runs a program, and again for samples; the prediction has `confidence` (None where it passes) and `ralc`.

    Samples are rollouts of their own, as of `dspy.BestOfN`, so that DSPy's cache has them the next time.

    Parameters
    ----------
    program, field
        Any module, and the field of its predictions that is put into words.
    calibrator, samples
        As of `AnswerCalibrator`.
    """

    def __init__(
        self, program: dspy.Module, calibrator: Fitted, field: str = "answer", samples: int = 0
    ) -> None:
        super().__init__()
        self.program = program
        self._field = field
        self._answers = AnswerCalibrator(calibrator, samples)

    def forward(self, **inputs: Any) -> dspy.Prediction:
        """Run the program, and its rollouts side by side."""
        own = self.program(**inputs)
        question = str(inputs.get("question", ""))
        wanted = self._answers.wanted(own[self._field], question)
        rollouts = [(self._rollout(number), inputs) for number in range(1, wanted + 1)]
        parallel = dspy.Parallel(wanted or 1, max_errors=wanted + 1, disable_progress_bar=True)
        with dspy.context(trace=[]):
            drawn = parallel(rollouts)
        texts = [one[self._field] if one else "" for one in drawn]
        text, ralc = self._answers.reply(own[self._field], texts, question)
        return own.copy(**{self._field: text, "confidence": ralc.get("target"), "ralc": ralc})

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        """Run it in a thread."""
        return await asyncio.to_thread(self.forward, **inputs)

    def _rollout(self, number: int) -> dspy.Module:
        """A copy of the program that draws anew."""
        program = self.program.deepcopy()
        for predictor in program.predictors():
            model = predictor.lm or dspy.settings.lm
            predictor.lm = model.copy(rollout_id=number, temperature=self._answers.temperature)
        return program
