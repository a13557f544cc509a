"""The corrective round: a model whose best text is read far from its target is told so, and asked once more.

Its new texts are candidates beside the old ones (`ralc.rewriting.choosing`), so that a round can lose nothing.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc import prompts
from ralc.beta import Beta
from ralc.llm import Request, request_for, to_table
from ralc.rewriting.choosing import correctable, nearest
from ralc.rewriting.paper import hedge_lines
from ralc.rewriting.tasks import ALONE, COLUMNS, hedged_request, replies_of, usable

#: Wasserstein distance beyond which a text is read far from its target. Readers score in steps of about five points
#: (`Protocol.resolution`), and neighbours in the lexicon lie no further apart: what is nearer is near enough for words.
FAR = 0.05


def render_corrections(
    tasks: pd.DataFrame,
    candidates: pd.DataFrame,
    readings: pd.DataFrame,
    *,
    method: str,
    model: Mapping[str, Any],
    seed: int,
) -> pd.DataFrame:
    """Return the requests table of the tasks whose best candidate is read further than `FAR` from its target.

    The model gets the rewriting prompt, its best text, how that was read and how it should be.

    Parameters
    ----------
    tasks, method, model, seed
        As for `ralc.rewriting.render_rewrites`; only tasks of method ``llm`` in a closed loop can be corrected.
    candidates
        ``task, text``, of the first round.
    readings
        ``text, alpha, beta`` of the evaluator; a task without a reading is not asked about.
    """
    asked = tasks[correctable(tasks, method)]
    best = nearest(asked, candidates, readings)
    rows = asked.merge(best[best["distance"] > FAR], on="task", validate="one_to_one")
    # Equal prompts stand together, for engines that keep the beginning of the last one.
    rows = rows.sort_values("text", kind="stable")
    requests = [_request(row, model, seed) for row in rows.itertuples()]
    return to_table(requests, task=rows["task"].tolist())


def _request(row: Any, model: Mapping[str, Any], seed: int) -> Request:
    """What asks for another rewrite of one task."""
    read, target = Beta(row.read_alpha, row.read_beta), Beta(row.alpha, row.beta)
    told = prompts.messages(
        "correction",
        read=_profile(read),
        read_mean=read.mean,
        target=_profile(target),
        target_mean=target.mean,
        vague=read.concentration < target.concentration,
    )
    fields = hedged_request(row)
    conversation = (*fields["messages"], {"role": "assistant", "content": row.best}, *told)
    return request_for(model, **fields | {"messages": conversation}).with_content_seed(seed)


def _profile(confidence: Beta) -> str:
    """A distribution as the rewriting prompt shows those of hedges."""
    return hedge_lines(["it"], [confidence.alpha], [confidence.beta]).removeprefix("it: ")


def list_corrections(
    tasks: pd.DataFrame,
    candidates: pd.DataFrame,
    requests: pd.DataFrame | None,
    responses: pd.DataFrame | None,
) -> pd.DataFrame:
    """Return the usable texts of the corrective round that are not candidates yet, as further candidates.

    Parameters
    ----------
    tasks, candidates
        As for `render_corrections`.
    requests, responses
        What the model was asked and answered; None where it was not. A reply that is not usable is no candidate.

    Returns
    -------
    DataFrame
        ``task, text, origin, hedge, shared, whole``, as `ralc.rewriting.list_candidates` gives them.
    """
    replies = replies_of(requests, responses)
    known = candidates.groupby("task")["text"].agg(set)
    found = [
        (row.task, text, "model", None)
        for row in tasks[tasks["task"].isin(list(replies))].itertuples()
        for text in usable(row, replies[row.task])
        if text not in known[row.task]
    ]
    return pd.DataFrame(found, columns=COLUMNS).assign(**ALONE)
