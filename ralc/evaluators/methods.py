"""The methods of reading, by their names in the configuration; a class is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ralc.registry import require_functions

if TYPE_CHECKING:
    from ralc.evaluators.evaluator import Evaluator, EvaluatorModel

#: The methods of reading: their name in the configuration, and their class, by its module.
EVALUATORS: dict[str, str] = {
    "cue_model": "cue_model.CueModel",
    "cue_model_b": "cue_model.CueModelB",
    "llm": "ensemble.Ensemble",
    "embedding_regression": "embedding_regression.EmbeddingRegression",
}
_MODULES = [path.stem for path in Path(__file__).parent.glob("[!_]*.py")]
require_functions(
    "EVALUATORS",
    [where.partition(".")[0] for where in EVALUATORS.values()],
    _MODULES,
    "write its class in a module of ralc/evaluators/",
)
#: The evaluator of whoever names none.
DEFAULT = "cue_model"


def method(name: str) -> type[Evaluator]:
    """Return the class of a method, loaded now; ValueError where there is no such method.

    >>> method("llm").options
    ('passes',)
    """
    if name not in EVALUATORS:
        raise ValueError(f"method {name!r} is not one of {', '.join(EVALUATORS)}")
    module, _, where = EVALUATORS[name].partition(".")
    return getattr(import_module(f"ralc.evaluators.{module}"), where)


def build(name: str, entry: Mapping[str, Any]) -> Evaluator:
    """Return the evaluator `name` of an entry of ``evaluators``; ValueError where there is no such method.

    >>> build("second", {"method": "cue_model"}).name
    'second'
    """
    try:
        how = method(entry["method"])
    except ValueError as error:
        raise ValueError(f"evaluator {name!r}: {error}") from None
    return how(name, **{key: entry[key] for key in how.options if key in entry})


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
    if name in EVALUATORS and method(name).models == (0, 0):
        return build(name, {"method": name})
    ready = [model for model in EVALUATORS if method(model).models == (0, 0)]
    asks = "asks a language model, as a run of the workflow can (evaluators, roles.test_evaluators)"
    why = f"evaluator {name!r} {asks}" if name in EVALUATORS else f"no evaluator {name!r}"
    raise ValueError(f"{why}: choose one of {', '.join(ready)}")
