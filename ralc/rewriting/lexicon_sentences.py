"""The lexicon's sentences, written by the rewriter (paper section 4.2, appendix D.1)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.llm import request_for, to_table
from ralc.llm.joining import join
from ralc.rewriting import guided, paper
from ralc.rewriting.replies import clean_reply
from ralc.rewriting.statements import carries, draw_statements
from ralc.rewriting.tasks import check_method


def render_lexicon(
    hedges: pd.DataFrame, *, sentences: int, method: str, model: Mapping[str, Any], seed: int
) -> pd.DataFrame:
    """Return the requests table of the lexicon's sentences, by ``expression`` and ``statement``.

    One request an (expression, statement), of as many answers as the expression has sentences from it.

    Parameters
    ----------
    hedges
        ``expression`` (distinct) and ``frame``.
    sentences
        Sentences an expression, at least 1 (paper: 20).
    method
        ``guided`` (a very small model) or ``llm`` (the paper's prompt).
    model
        The rewriter's entry in the configuration.
    seed
        Of the run.

    Raises
    ------
    ValueError
        If an expression stands there twice, a frame or the method is unknown, or `sentences` is below 1.
    """
    check_method(method)
    drawn = draw_statements(hedges["expression"].tolist(), sentences, seed=seed)
    drawn = drawn.sort_values("statement", kind="stable")
    frames = dict(zip(hedges["expression"], hedges["frame"], strict=True))
    requests = []
    for row in drawn.itertuples():
        if method == "guided":
            fields = guided.guided_request(row.statement, [row.expression], [frames[row.expression]], n=row.n)
        else:
            fields = paper.sentence_request(row.expression, row.statement, n=row.n)
        requests.append(request_for(model, **fields).with_content_seed(seed))
    ids = {name: drawn[name].tolist() for name in ("expression", "statement")}
    return to_table(requests, **ids)


def parse_lexicon(
    hedges: pd.DataFrame, requests: pd.DataFrame, responses: pd.DataFrame, *, method: str
) -> pd.DataFrame:
    """Return the lexicon's sentences, as many as were asked for.

    Parameters
    ----------
    hedges, requests, method
        See `render_lexicon`.
    responses
        What the model answered (`ralc.llm.complete_table`).

    Returns
    -------
    DataFrame
        ``expression, sentence, origin``. Every sentence carries its expression; where the model's does not,
        or it gave none, the expression stands in its plainest place and the origin is ``template``.

    Raises
    ------
    ValueError
        If a request lacks an answer, or there is no such method.
    """
    check_method(method)
    frames = dict(zip(hedges["expression"], hedges["frame"], strict=True))
    rows = []
    for row in join(requests, responses).itertuples():
        hedge = [row.expression], [frames[row.expression]]
        offered = guided.choices(row.statement, *hedge) if method == "guided" else None
        sentence = _sentence(row.reply, offered)
        if sentence is None or not carries(sentence, row.expression):
            rows.append((row.expression, guided.template(row.statement, *hedge).text, "template"))
        else:
            rows.append((row.expression, sentence, "model"))
    table = pd.DataFrame(rows, columns=["expression", "sentence", "origin"])
    return table.sort_values("expression", kind="stable").reset_index(drop=True)


def _sentence(reply: str, offered: Mapping[str, guided.Place] | None) -> str | None:
    """The sentence of one reply: what it began, where the model was guided, else what it says."""
    if offered is None:
        return clean_reply(reply)
    place = offered.get(reply.strip())
    return place.text if place else None
