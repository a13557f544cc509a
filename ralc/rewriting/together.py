"""The sentences of long answers, rewritten together: neighbours of one level share a hedge (`ralc.rewriting.whole`)."""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import pandas as pd

from ralc.beta import Beta
from ralc.lexicon import Lexicon
from ralc.readers import build
from ralc.rewriting.tasks import ALONE, COLUMNS
from ralc.rewriting.whole import DROPPED, MARKED, Said, WholeRewriter

#: What names an answer under a condition.
_ANSWER = ["target", "question_id", "train", "signal", "method", "variant"]
#: What became of a sentence that is told as unsupported.
_TOLD = {DROPPED: "dropped", MARKED: "marked"}


def rewrite_together(
    tasks: pd.DataFrame,
    *,
    lexicon: pd.DataFrame,
    reader: Mapping[str, Mapping[str, Any]],
    how: Mapping[str, Any],
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
    how
        The protocol's choices ``sure``, ``below`` and ``unsupported``, as `WholeRewriter.rewrite` takes them.
    """
    answers = [own for _, own in tasks.sort_values("sentence").groupby(_ANSWER, sort=False)]
    texts = [own["whole"].iloc[0] for own in answers]
    targets = [
        [None if row.passes else Beta(row.alpha, row.beta) for row in own.itertuples()] for own in answers
    ]
    made = WholeRewriter(Lexicon(lexicon), build(*next(iter(reader.items())))).rewrite(texts, targets, **how)
    rows = [
        (row.task, *_candidate(row.text, one, read.text))
        for own, (read, said) in zip(answers, made, strict=True)
        for row, one in zip_longest(own.itertuples(), said)
    ]
    return pd.DataFrame(rows, columns=[*COLUMNS, *ALONE])


def _candidate(text: str, said: Said | None, whole: str) -> tuple[Any, ...]:
    """What a sentence is rewritten as; one of an answer that cannot be read is left."""
    if said is None:
        return text, "passed", None, None, whole
    origin = "grammar" if said.hedge else _TOLD.get(said.reason, "passed")
    return whole[said.start : said.end], origin, said.hedge or None, said.shared or None, whole
