"""Perceived confidence: how people read the certainty of a text (paper section 3.1, evaluator g).

A method is a class (`Evaluator`), named in `EVALUATORS`. An evaluator is a method under a name of its own, an entry of
``evaluators`` in the configuration. So one method may serve several evaluators. Classes load on first use: who reads by
cues waits for no other method.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
