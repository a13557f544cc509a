"""The lexicon of an application: the committed hedges as a reader model reads them; no model writes anything."""

from functools import lru_cache

import numpy as np

from ralc import readers
from ralc.beta import Beta
from ralc.english.places import places
from ralc.english.sentences import read_sentence
from ralc.lexicon import Lexicon
from ralc.lexicon.auditing import entry_flags
from ralc.lexicon.committed import committed
from ralc.rewriting.statements import STATEMENTS


@lru_cache(maxsize=8)
def built_in_lexicon(reader: str = "cues") -> Lexicon:
    """The committed hedges, each read in the paper's twelve non-verifiable statements.

    An entry's mean and variance are those of a reading drawn from any of its sentences.

    >>> len(built_in_lexicon().usable()) > 100
    True
    """
    hedges = committed()
    statements = [read_sentence(statement) for statement in STATEMENTS]
    sentences = [
        places(hedge["expression"], hedge["frame"], statement)[0].text
        for hedge in hedges
        for statement in statements
    ]
    read = readers.load(reader).read(sentences)
    mean = read.mean.reshape(len(hedges), -1)
    variance = (read.variance.reshape(mean.shape) + mean**2).mean(axis=1) - mean.mean(axis=1) ** 2
    centre = mean.mean(axis=1)
    fitted = Beta.from_mean_concentration(centre, centre * (1 - centre) / variance - 1)
    flags = [entry_flags(hedge, one, one) for hedge, one in zip(hedges, centre, strict=True)]
    told = {name: [hedge[name] for hedge in hedges] for name in hedges[0]}
    n = np.full(len(hedges), len(STATEMENTS))
    return Lexicon(told | {"alpha": fitted.alpha, "beta": fitted.beta, "n": n, "flags": flags})
