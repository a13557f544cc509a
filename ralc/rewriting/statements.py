"""The lexicon's sentences: each hedging expression written into non-verifiable statements (appendix D.1)."""

import hashlib

import numpy as np
import pandas as pd

from ralc.english.normalisation import normalise

#: The paper's twelve non-verifiable statements.
STATEMENTS = (
    "There is a correlation between X and Y.",
    "It rains tomorrow.",
    "The experiment shows a significant effect.",
    "The new policy improves the economy.",
    "The medication is effective in treating the disease.",
    "The new product is successful in the market.",
    "The neighbour is home.",
    "The movie is good.",
    "The restaurant serves delicious food.",
    "The city is the oldest in the country.",
    "The book is informative.",
    "The report is not accurate.",
)


def draw_statements(expressions: list[str], sentences: int, *, seed: int) -> pd.DataFrame:
    """Return the statements each expression is written into, at random and as evenly as they go.

    An expression's draw does not depend on the other expressions, so adding one to a lexicon leaves the
    sentences of the others as they are.

    Parameters
    ----------
    expressions
        Distinct expressions.
    sentences
        Sentences an expression, at least 1 (paper: 20).
    seed
        Of the run.

    Returns
    -------
    DataFrame
        ``expression, statement, n``: n sentences from this statement; n adds up to `sentences`.

    Raises
    ------
    ValueError
        If an expression stands there twice or `sentences` is below 1.

    >>> draw_statements(["perhaps"], 20, seed=1)["n"].sum()
    np.int64(20)
    """
    if sentences < 1:
        raise ValueError(f"sentences = {sentences} must be at least 1")
    repeated = pd.Series(expressions).duplicated()
    if repeated.any():
        raise ValueError(f"expression {expressions[int(repeated.idxmax())]!r} stands in the lexicon twice")
    every, left = divmod(sentences, len(STATEMENTS))
    rows = []
    for expression in expressions:
        digest = hashlib.sha256(expression.encode()).digest()
        rng = np.random.default_rng([seed, *digest[:8]])
        extra = set(rng.permutation(len(STATEMENTS))[:left].tolist())
        rows += [(expression, STATEMENTS[i], every + (i in extra)) for i in range(len(STATEMENTS))]
    drawn = pd.DataFrame(rows, columns=["expression", "statement", "n"])
    return drawn[drawn["n"] > 0].reset_index(drop=True)


def carries(sentence: str, expression: str) -> bool:
    """Return whether an expression stands in a sentence, word by word, whatever the case and punctuation.

    >>> carries("Without a doubt, it is good.", "without a doubt"), carries("It is good.", "good chance")
    (True, False)
    """
    wanted = normalise(expression)
    return bool(wanted) and f" {wanted} " in f" {normalise(sentence)} "
