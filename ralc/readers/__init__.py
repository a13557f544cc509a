"""Perceived confidence: how people read the certainty of a text (paper section 3.1, evaluator g).

A method is a class (`ralc.readers.reader.Reader`), named in `READERS`; a reader is a method under a name of its own,
as an entry of ``readers`` in the configuration describes it. So one method may serve several readers. Classes load on
first use: who reads by cues waits for no other method.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "ensemble": ["Ensemble"],
        "grammar": ["CueReader", "GrammarReader", "JudgeReader"],
        "probe": ["ProbeReader"],
        "reader": ["Reader", "ReaderModel"],
        "registry": ["DEFAULT", "READERS", "build", "load", "method"],
    },
)
