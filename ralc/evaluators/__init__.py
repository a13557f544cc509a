"""Perceived confidence: how people read the certainty of a text (paper section 3.1, evaluator g).

A method is a class (`ralc.evaluators.evaluator.Evaluator`), named in `EVALUATORS`; an evaluator is a method under
a name of its own, as an entry of ``evaluators`` in the configuration describes it. So one method may serve several
evaluators. Classes load on first use: who reads by cues waits for no other method.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "ensemble": ["Ensemble"],
        "cue_model": ["CueModel", "CueModelB", "GrammarModel"],
        "embedding_regression": ["EmbeddingRegression"],
        "evaluator": ["Evaluator", "EvaluatorModel"],
        "registry": ["DEFAULT", "EVALUATORS", "build", "load", "method"],
    },
)
