"""The sentences of long answers, rewritten together: neighbours of one level share a hedge (`ralc.rewriting.whole`)."""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import pandas as pd

from ralc.beta import Beta
from ralc.lexicon import Lexicon
from ralc.readers import build
from ralc.rewriting.tasks import ALONE, COLUMNS
from ralc.rewriting.whole import Said, WholeRewriter

#: What names an answer under a condition.
_ANSWER = ["target", "question_id", "train", "signal", "method", "variant"]


def rewrite_together(
    tasks: pd.DataFrame, *, lexicon: pd.DataFrame, reader: Mapping[str, Mapping[str, Any]], sure: float
) -> pd.DataFrame:
    """Return the one candidate of each sentence: ``task, text, origin, hedge, shared, whole``.

    Parameters
    ----------
    tasks
        All sentences of some answers, as for `ralc.rewriting.list_candidates`, and ``whole``, the answers.
    lexicon
        The lexicon table.
    reader
        Who reads in the loop, and asks no model: its entry in the configuration, by its name.
    sure
        Calibrated mean from which on a sentence is said plainly.
    """
    answers = [own for _, own in tasks.sort_values("sentence").groupby(_ANSWER, sort=False)]
    texts = [own["whole"].iloc[0] for own in answers]
    targets = [
        [None if row.passes else Beta(row.alpha, row.beta) for row in own.itertuples()] for own in answers
    ]
    made = WholeRewriter(Lexicon(lexicon), build(*next(iter(reader.items())))).rewrite(
        texts, targets, sure=sure
    )
    rows = [
        (row.task, *_candidate(row.text, one, read.text))
        for own, (read, said) in zip(answers, made, strict=True)
        for row, one in zip_longest(own.itertuples(), said)
    ]
    return pd.DataFrame(rows, columns=[*COLUMNS, *ALONE])


def _candidate(text: str, said: Said | None, whole: str) -> tuple[Any, ...]:
    """What a sentence is rewritten as; one of an answer that cannot be read is left."""
    if said is None or not said.hedge:
        return (whole[said.start : said.end] if said else text), "passed", None, None, whole
    return whole[said.start : said.end], "grammar", said.hedge, said.shared or None, whole
