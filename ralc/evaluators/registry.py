"""The methods of reading by name, and evaluators made of them."""

from collections.abc import Mapping
from typing import Any

from ralc import evaluators
from ralc.evaluators.evaluator import Evaluator, EvaluatorModel

#: The methods of reading: their name in the configuration, and their class among those of `ralc.evaluators`.
EVALUATORS: dict[str, str] = {
    "cue_model": "CueModel",
    "cue_model_b": "CueModelB",
    "llm": "Ensemble",
    "embedding_regression": "EmbeddingRegression",
}
#: The evaluator of whoever names none.
DEFAULT = "cue_model"


def method(name: str) -> type[Evaluator]:
    """Return the class of a method, loaded now.

    Raises
    ------
    ValueError
        If there is no such method.

    Examples
    --------
    >>> method("llm").options
    ('passes',)
    """
    if name not in EVALUATORS:
        raise ValueError(f"method {name!r} is not one of {', '.join(EVALUATORS)}")
    return getattr(evaluators, EVALUATORS[name])


def build(name: str, entry: Mapping[str, Any]) -> Evaluator:
    """Return the evaluator `name` of an entry of ``evaluators`` in the configuration.

    Raises
    ------
    ValueError
        If there is no such method.

    Examples
    --------
    >>> build("second", {"method": "cue_model"}).name
    'second'
    """
    try:
        how = method(entry["method"])
    except ValueError as error:
        raise ValueError(f"evaluator {name!r}: {error}") from None
    return how.load(name=name, **{key: entry[key] for key in how.options if key in entry})


def load(name: str) -> EvaluatorModel:
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
    if name in EVALUATORS and issubclass(method(name), EvaluatorModel):
        return build(name, {"method": name})
    asks = "asks a language model, as a run of the workflow can (evaluators, roles.test_evaluators)"
    why = f"evaluator {name!r} {asks}" if name in EVALUATORS else f"no evaluator {name!r}"
    ready = ", ".join(known for known in EVALUATORS if issubclass(method(known), EvaluatorModel))
    raise ValueError(f"{why}: choose one of {ready}")
