"""The lexicon's sentences, written by the rewriter (paper section 4.2, appendix D.1)."""

import hashlib
from collections.abc import Mapping
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
    """
    drawn = draw_statements(hedges["expression"].tolist(), sentences, seed=seed, letter=letter)
    drawn = drawn.sort_values("statement", kind="stable")
    requests = [
        request_for(model, **sentence_request(row.expression, row.statement, n=row.n)).with_content_seed(seed)
        for row in drawn.itertuples()
    ]
    return to_table(requests, **{name: drawn[name].tolist() for name in ("expression", "statement")})


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
    """Return the lexicon's sentences, as many as are wanted: ``expression, sentence, origin``.

    Origin is ``model``; ``grammar`` by method ``guided``, which takes the places of the expression in a statement in
    turn; ``template`` where the model's sentence does not carry the expression, which then stands in its plainest
    place. By the paper's `letter` such a sentence is ``kept``, and a template stands where the model said nothing.

    Parameters
    ----------
    hedges, sentences, seed, letter
        See `render_lexicon`.
    requests, responses
        What models were asked and answered (`ralc.llm.complete_table`), by method ``llm``.
    method
        ``guided`` or ``llm`` (the paper's prompt).

    Raises
    ------
    ValueError
        If a request lacks an answer, or there is no such method.
    """
    check_method(method)
    frames = dict(zip(hedges["expression"], hedges["frame"], strict=True))
    rows: list[tuple[str, str, str]] = []
    if method == "guided":
        for row in draw_statements(list(frames), sentences, seed=seed, letter=letter).itertuples():
            places = cycle(place_hedge(row.expression, frames[row.expression], row.statement))
            rows += [(row.expression, text, "grammar") for text in islice(places, row.n)]
    else:
        for row in join(requests, responses).itertuples():
            sentence = row.reply.strip() if letter else clean_reply(row.reply)
            carried = bool(sentence) and carries(sentence, row.expression)
            if carried or (sentence and letter):
                rows.append((row.expression, sentence, "model" if carried else "kept"))
            else:
                text = place_hedge(row.expression, frames[row.expression], row.statement)[0]
                rows.append((row.expression, text, "template"))
    table = pd.DataFrame(rows, columns=["expression", "sentence", "origin"])
    return table.sort_values("expression", kind="stable").reset_index(drop=True)


def draw_statements(
    expressions: list[str], sentences: int, *, seed: int, letter: bool = False
) -> pd.DataFrame:
    """Return the statements that each expression is written into: ``expression, statement, n`` sentences.

    They are drawn as evenly as they go; by the paper's `letter` each sentence's by itself (appendix D.1). A draw does
    not depend on the other expressions, so adding one to a lexicon leaves the sentences of the others as they are.

    >>> draw_statements(["perhaps"], 20, seed=1)["n"].sum()
    np.int64(20)
    """
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


def carries(sentence: str, expression: str) -> bool:
    """Return whether an expression stands in a sentence, word by word, whatever the case and punctuation.

    >>> carries("Without a doubt, it is good.", "without a doubt"), carries("It is good.", "good chance")
    (True, False)
    """
    wanted = normalise(expression)
    return bool(wanted) and f" {wanted} " in f" {normalise(sentence)} "
