"""Typed use of the package, as a type checker sees it (`tests/test_package.py`); nothing here is run.

A name that a checker takes for `Any` fails at `assert_type`, or leaves a ``type: ignore`` without a use.
"""

from typing import Literal, assert_type

from ralc import Beta, WordCalibrator, evaluators, lexicon
from ralc.beta.validation import Floats
from ralc.calibrator import Evaluation, built_in_lexicon
from ralc.english import same_answer, words
from ralc.evaluators import Evaluator, EvaluatorModel
from ralc.llm import Request, Response, to_table
from ralc.rewriting import Rewrite, Rewriter


def an_application() -> None:
    """Fit, evaluate, read and rewrite."""
    calibrator = WordCalibrator().fit([0.9] * 60, [1] * 45 + [0] * 15)
    assert_type(calibrator, WordCalibrator)
    assert_type(calibrator.evaluate([0.9, 0.4], [1, 0]), Evaluation)
    assert_type(calibrator.rewrite(["The capital of Peru is Lima."], [0.9])[0].text, str)
    assert_type(calibrator.read(["I think it might be Paris."]), Beta)
    assert_type(calibrator.lexicon_, lexicon.Lexicon)
    WordCalibrator(nonsense=3)  # type: ignore[call-arg]


def its_parts() -> None:
    """The evaluators, the rewriter, the Beta and the verbs of English by themselves."""
    assert_type(evaluators.load("cue_model"), EvaluatorModel)
    assert_type(evaluators.build("second", {"method": "cue_model"}), Evaluator)
    evaluators.load(3)  # type: ignore[arg-type]
    rewriter = Rewriter(built_in_lexicon(), evaluators.load("cue_model"))
    assert_type(rewriter.rewrite(["It is Lima."], [Beta(9, 1)]), list[Rewrite])
    assert_type(Beta(2, [1.0, 3.0]).mean, Floats)
    verdict = same_answer("Lima", "It is Lima.", "What is the capital of Peru?")
    assert_type(verdict, Literal["yes", "no", "unsure"])
    words(None)  # type: ignore[arg-type]


def requests_to_a_model() -> None:
    """Requests and responses."""
    request = Request("m", ({"role": "user", "content": "Hi"},), n=3)
    assert_type(request.n, int)
    Response(nothing=1)  # type: ignore[call-arg]
    to_table(request)  # type: ignore[arg-type]
