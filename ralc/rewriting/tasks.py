"""Rewriting tasks to requests, and the replies that can stand for them (paper section 4.2)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.english.meaning import changed_meaning
from ralc.llm import Request, request_for, to_table
from ralc.llm.tables import join
from ralc.names import METHODS, methods_by
from ralc.rewriting import guided, paper
from ralc.rewriting.replies import free_text

REWRITERS = ("guided", "llm")
#: Texts that a model is asked for where the reader chooses among them.
DRAFTS = 4
#: What a candidate is, and what else stands beside one that is a sentence of an answer.
COLUMNS = ["task", "text", "origin", "hedge"]
ALONE = {"shared": None, "whole": None}


def render_rewrites(
    tasks: pd.DataFrame, *, method: str, model: Mapping[str, Any], seed: int, fresh_rewrites: bool = False
) -> pd.DataFrame:
    """Return the requests table of the tasks that a model writes, by ``task``; equal answers together.

    By method ``guided`` those are Direct Beta-guided alone; an answer that passes is not rewritten.

    Parameters
    ----------
    tasks
        One row a task: ``task`` (unique), ``method`` (what is written freely has no hedges), ``text``,
        ``hedges`` (nearest first), their ``frames``, ``hedge_alpha`` and ``hedge_beta``, the target ``alpha``,
        ``beta``, ``loop`` (``open`` where the first text is taken unread), ``passes``: why an answer is not to be
        hedged, empty where it is.
    method
        ``guided`` (a very small model) or ``llm`` (the paper's prompts).
    model
        The rewriter's entry in the configuration.
    seed
        Of the run.
    fresh_rewrites
        Whether each task has a draw of its own, also of an equal prompt.

    Raises
    ------
    ValueError
        If there is no such method, or a task is unusable: its row is named.
    """
    check_method(method)
    written = tasks.assign(free=tasks["method"].isin(methods_by(free=True)))
    written = written[(written["passes"] == "") & (written["free"] | (method == "llm"))]
    # Equal prompts stand together, for engines that keep the beginning of the last one.
    ordered = written.sort_values(["free", "text"], kind="stable")
    requests = (_request(row, method, model, seed, fresh_rewrites) for row in ordered.itertuples())
    return to_table(requests, task=ordered["task"].tolist())


def check_method(method: str) -> None:
    """Raise ValueError if there is no such rewriter."""
    if method not in REWRITERS:
        raise ValueError(f"rewriter method {method!r} is not one of {', '.join(REWRITERS)}")


def _request(row: Any, method: str, model: Mapping[str, Any], seed: int, fresh: bool) -> Request:
    """The request of one task."""
    try:
        fields = _free(row, method) if row.free else hedged_request(row)
    except ValueError as error:
        raise ValueError(f"task {row.task!r} (row {row.Index}): {error}") from None
    return request_for(model, **fields).with_content_seed(seed, *((row.task,) if fresh else ()))


def hedged_request(row: Any) -> dict[str, Any]:
    """Return what asks for rewrites of a task with its hedges."""
    drafts = 1 if row.loop == "open" else DRAFTS
    alpha, beta = list(row.hedge_alpha), list(row.hedge_beta)
    return paper.rewrite_request(row.text, list(row.hedges), alpha, beta) | {"n": drafts}


def _free(row: Any, method: str) -> dict[str, Any]:
    """What asks for a rewrite by a Beta distribution alone."""
    request = guided.direct_request if method == "guided" else paper.direct_request
    return request(row.text, row.alpha, row.beta)


def replies_of(
    requests: pd.DataFrame | None, responses: pd.DataFrame | None
) -> dict[str, list[tuple[str, str]]]:
    """Return the replies to each task, each with how it ended; none where nobody was asked."""
    if requests is None or responses is None:
        return {}
    return {
        task: list(zip(group["reply"], group["finish_reason"], strict=True))
        for task, group in join(requests, responses).groupby("task")
    }


def usable(row: Any, replies: list[tuple[str, str]]) -> list[str]:
    """Return the distinct texts of a model that can stand for a task; in a closed loop, those that claim the same."""
    texts = [free_text(reply, cut=reason == "length", original=row.text) for reply, reason in replies]
    written = dict.fromkeys(text for text, origin in texts if origin == "model")
    if METHODS[row.method].free or row.loop == "open":
        return list(written)
    return [text for text in written if not changed_meaning(row.text, text, row.hedges)]
