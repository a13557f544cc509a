"""The lexicon's sentences, written by the rewriter (paper section 4.2, appendix D.1)."""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from typing import Any

import numpy as np
import pandas as pd

from ralc.english import place_hedge
from ralc.english.normalisation import normalise
from ralc.llm import request_for, to_table
from ralc.llm.tables import join
from ralc.rewriting.requests import check_method, clean_reply, sentence_request

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


def render_lexicon(
    hedges: pd.DataFrame, *, sentences: int, model: Mapping[str, Any], seed: int, letter: bool = False
) -> pd.DataFrame:
    """Return the requests table of the lexicon's sentences, by ``expression`` and ``statement``.

    One request an (expression, statement), of as many answers as the expression has sentences from it. By method
    ``guided`` nobody is asked: `parse_lexicon` puts the expressions into their places.

    Parameters
    ----------
    hedges
        ``expression`` (distinct) and ``frame``.
    sentences
        Sentences an expression, at least 1 (paper: 20).
    model
        The rewriter's entry in the configuration.
    seed
        Of the run.
    letter
        See `draw_statements`.

    Raises
    ------
    ValueError
        If an expression stands there twice, or `sentences` is below 1.
    """
    drawn = draw_statements(hedges["expression"].tolist(), sentences, seed=seed, letter=letter)
    drawn = drawn.sort_values("statement", kind="stable")
    requests = [
        request_for(model, **sentence_request(row.expression, row.statement, n=row.n)).with_content_seed(seed)
        for row in drawn.itertuples()
    ]
    ids = {name: drawn[name].tolist() for name in ("expression", "statement")}
    return to_table(requests, **ids)


def parse_lexicon(
    hedges: pd.DataFrame,
    requests: pd.DataFrame | None,
    responses: pd.DataFrame | None,
    *,
    sentences: int,
    method: str,
    seed: int,
    letter: bool = False,
) -> pd.DataFrame:
    """Return the lexicon's sentences, as many as are wanted.

    Parameters
    ----------
    hedges, sentences, seed
        See `render_lexicon`.
    requests, responses
        What models were asked and answered (`ralc.llm.complete_table`), by method ``llm``.
    method
        ``guided`` or ``llm`` (the paper's prompt).
    letter
        The paper's letter: see `draw_statements`; and a model's sentences are kept as they are, unchecked.

    Returns
    -------
    DataFrame
        ``expression, sentence, origin``. Origin is ``model``; ``grammar`` by method ``guided``, which takes the
        places of the expression in a statement in turn; ``template`` where the model's sentence does not carry the
        expression, which then stands in its plainest place, or, if they are ``kept``, where the model said nothing at
        all; and ``kept`` of one that does not carry it.

    Raises
    ------
    ValueError
        If a request lacks an answer, or there is no such method.
    """
    check_method(method)
    frames = dict(zip(hedges["expression"], hedges["frame"], strict=True))
    rows = (
        _placed(frames, sentences, seed, letter)
        if method == "guided"
        else _written(frames, requests, responses, kept=letter)
    )
    table = pd.DataFrame(rows, columns=["expression", "sentence", "origin"])
    return table.sort_values("expression", kind="stable").reset_index(drop=True)


def draw_statements(
    expressions: list[str], sentences: int, *, seed: int, letter: bool = False
) -> pd.DataFrame:
    """Return the statements each expression is written into, at random.

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
    letter
        The paper's letter: each sentence's statement is drawn by itself (appendix D.1), not as evenly as they go.

    Returns
    -------
    DataFrame
        ``expression, statement, n``: n sentences from this statement; n adds up to `sentences`.

    Raises
    ------
    ValueError
        If an expression stands there twice or `sentences` is below 1.

    Examples
    --------
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
        if letter:
            counts = np.bincount(rng.integers(len(STATEMENTS), size=sentences), minlength=len(STATEMENTS))
        else:
            counts = np.full(len(STATEMENTS), every)
            counts[rng.permutation(len(STATEMENTS))[:left]] += 1
        rows += [(expression, *drawn) for drawn in zip(STATEMENTS, counts, strict=True)]
    drawn = pd.DataFrame(rows, columns=["expression", "statement", "n"])
    return drawn[drawn["n"] > 0].reset_index(drop=True)


def _placed(
    frames: Mapping[str, str], sentences: int, seed: int, letter: bool
) -> Iterator[tuple[str, str, str]]:
    """The expressions in their places."""
    for row in draw_statements(list(frames), sentences, seed=seed, letter=letter).itertuples():
        found = place_hedge(row.expression, frames[row.expression], row.statement)
        for text in islice(cycle(found), row.n):
            yield row.expression, text, "grammar"


def _written(
    frames: Mapping[str, str], requests: pd.DataFrame, responses: pd.DataFrame, *, kept: bool
) -> Iterator[tuple[str, str, str]]:
    """The sentences that models wrote."""
    for row in join(requests, responses).itertuples():
        sentence = row.reply.strip() if kept else clean_reply(row.reply)
        carried = bool(sentence) and carries(sentence, row.expression)
        if kept and sentence:
            yield row.expression, sentence, "model" if carried else "kept"
        elif not carried:
            yield (
                row.expression,
                place_hedge(row.expression, frames[row.expression], row.statement)[0],
                "template",
            )
        else:
            yield row.expression, sentence, "model"


def carries(sentence: str, expression: str) -> bool:
    """Return whether an expression stands in a sentence, word by word, whatever the case and punctuation.

    >>> carries("Without a doubt, it is good.", "without a doubt"), carries("It is good.", "good chance")
    (True, False)
    """
    wanted = normalise(expression)
    return bool(wanted) and f" {wanted} " in f" {normalise(sentence)} "
