"""Perceived confidence: how people read the certainty of a text (paper section 3.1, evaluator g).

A method is a class (`Evaluator`), named in `EVALUATORS`. An evaluator is a method under a name of its own, an entry of
``evaluators`` in the configuration. So one method may serve several evaluators. Classes load on first use: who reads by
cues waits for no other method.
"""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import lazy_loader as lazy

from ralc.registry import require_functions

if TYPE_CHECKING:
    from ralc.evaluators.evaluator import Evaluator, EvaluatorModel

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "ensemble": ["Ensemble"],
        "cue_model": ["CueModel", "CueModelB", "GrammarModel"],
        "embedding_regression": ["EmbeddingRegression"],
        "evaluator": ["Evaluator", "EvaluatorModel"],
    },
)
#: The methods of reading: their name in the configuration, and their class.
EVALUATORS: dict[str, str] = {
    "cue_model": "CueModel",
    "cue_model_b": "CueModelB",
    "llm": "Ensemble",
    "embedding_regression": "EmbeddingRegression",
}
require_functions("EVALUATORS", EVALUATORS.values(), __all__, "name its class in ralc/evaluators/__init__.py")
#: The evaluator of whoever names none.
DEFAULT = "cue_model"


def method(name: str) -> "type[Evaluator]":
    """Return the class of a method, loaded now; ValueError where there is no such method.

    >>> method("llm").options
    ('passes',)
    """
    if name not in EVALUATORS:
        raise ValueError(f"method {name!r} is not one of {', '.join(EVALUATORS)}")
    return getattr(sys.modules[__name__], EVALUATORS[name])


def build(name: str, entry: Mapping[str, Any]) -> "Evaluator":
    """Return the evaluator `name` of an entry of ``evaluators``; ValueError where there is no such method.

    >>> build("second", {"method": "cue_model"}).name
    'second'
    """
    try:
        how = method(entry["method"])
    except ValueError as error:
        raise ValueError(f"evaluator {name!r}: {error}") from None
    return how(name, **{key: entry[key] for key in how.options if key in entry})


def load(name: str) -> "EvaluatorModel":
    """Return an evaluator model by its method.

    Raises
    ------
    ValueError
        If there is no such evaluator model, or it asks a language model.

    Examples
    --------
    >>> load("cue_model_b").read(["I have no idea."]).mean.shape
    (1,)
    """
    if name in EVALUATORS and method(name).models == (0, 0):
        return build(name, {"method": name})
    ready = [model for model in EVALUATORS if method(model).models == (0, 0)]
    asks = "asks a language model, as a run of the workflow can (evaluators, roles.test_evaluators)"
    why = f"evaluator {name!r} {asks}" if name in EVALUATORS else f"no evaluator {name!r}"
    raise ValueError(f"{why}: choose one of {', '.join(ready)}")
