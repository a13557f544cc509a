"""Hedges sourced from language models, each by the paper's prompt (paper section 4.2, appendix D.1)."""

import sys
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc import prompts
from ralc.lexicon.expressions import described
from ralc.lexicon.proposed import read_hedge, read_items
from ralc.llm import request_for, to_table
from ralc.llm.tables import join

_TOLD = 10  # items, in an error


def render_hedges(
    name: str, model: Mapping[str, Any], *, lists: int, max_tokens: int, seed: int
) -> pd.DataFrame:
    """Return the requests table of one source: one request, for as many lists as are wanted.

    Parameters
    ----------
    name, model
        The source's key and entry in the configuration.
    lists
        Lists asked of it, at least 1; they differ where its temperature is above 0.
    max_tokens
        Longest list; what a list that breaks off holds counts.
    seed
        Of the run.
    """
    request = request_for(model, prompts.messages("hedge_sourcing"), n=lists, max_tokens=max_tokens)
    return to_table([request.with_content_seed(seed)], source=[name])


def parse_hedges(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return all that the sources said, one row an item.

    Returns
    -------
    DataFrame
        ``model, sample, item, expression, frame, fault``: the item as it stood there (its first 200 characters),
        the expression and the frame read from it (``none`` where it has none), and why it is no hedge: ``empty``,
        ``too long``, ``not words``, ``no frame``; ``no items`` for a reply without any; else empty.

    Raises
    ------
    ValueError
        If a request has no response.
    """
    rows = []
    for reply in join(requests, responses).itertuples(index=False):
        for item in read_items(reply.reply) or [""]:
            expression, frame, fault = read_hedge(item) if item else ("", None, "no items")
            rows.append((reply.source, reply.sample, item[:200], expression, frame or "none", fault))
    return pd.DataFrame(rows, columns=["model", "sample", "item", "expression", "frame", "fault"])


def source_hedges(proposals: pd.DataFrame) -> pd.DataFrame:
    """Return the hedges that were proposed, each once, with all models that proposed it.

    What is no hedge is counted in the log.

    Parameters
    ----------
    proposals
        As `parse_hedges` gives them.

    Returns
    -------
    DataFrame
        As `ralc.lexicon.load_hedges`, sorted by expression; source is the models' names, joined by ``;``.

    Raises
    ------
    ValueError
        If no source proposed a hedge.
    """
    for model, items in proposals.groupby("model", sort=False):
        faults = items.loc[items["fault"] != "", "fault"].value_counts()
        refused = ", ".join(f"{fault}: {count}" for fault, count in faults.items()) or "none"
        hedges = items.loc[items["fault"] == "", "expression"].nunique()
        print(f"{model}: {hedges} hedges in {len(items)} items; refused: {refused}", file=sys.stderr)
    good = proposals[proposals["fault"] == ""]
    if good.empty:
        told = "; ".join(f"{row.item[:60]!r}: {row.fault}" for row in proposals.head(_TOLD).itertuples())
        raise ValueError(
            f"sourced hedges: none in {len(proposals)} items of the sources' replies ({told}): ask for more lists "
            "(lexicon.lists) or other models (lexicon.sources)"
        )
    grouped = good.groupby("expression", sort=True)
    models = grouped["model"].agg(lambda names: ";".join(dict.fromkeys(names)))
    return described(pd.DataFrame({"source": models, "frame": grouped["frame"].first()}).reset_index())
