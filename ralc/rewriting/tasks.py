"""Rewriting tasks to requests, and their responses to rewritten answers (paper section 4.2)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.llm import Request, request_for, to_table
from ralc.llm.joining import join
from ralc.readers import ReaderModel
from ralc.rewriting import guided, paper
from ralc.rewriting.bare import Bare
from ralc.rewriting.replies import free_text

METHODS = ("guided", "llm")
#: What `rewrites` holds of each task.
COLUMNS = ["task", "text", "origin", "hedge"]


def render_rewrites(
    tasks: pd.DataFrame, *, hedges: pd.DataFrame, method: str, model: Mapping[str, Any], seed: int
) -> pd.DataFrame:
    """Return the requests table of the tasks, by ``task``; equal answers together.

    Parameters
    ----------
    tasks
        One row a task: ``task`` (unique), ``method`` (``direct_beta``, or one that has hedges), ``text``,
        ``hedges`` (nearest first), their ``frames``, ``hedge_alpha`` and ``hedge_beta``, and the target
        ``alpha``, ``beta``.
    hedges
        The run's hedges, ``expression, frame``: an answer that came with one is rewritten without it.
    method
        ``guided`` (a very small model) or ``llm`` (the paper's prompts).
    model
        The rewriter's entry in the configuration.
    seed
        Of the run.

    Raises
    ------
    ValueError
        If there is no such method, or a task is unusable: its row is named.
    """
    check_method(method)
    # Equal prompts stand together, for engines that keep the beginning of the last one.
    ordered = (
        _bared(tasks, hedges)
        .assign(direct=tasks["method"] == "direct_beta")
        .sort_values(["direct", "text"], kind="stable")
    )
    requests = (_request(row, method, model, seed) for row in ordered.itertuples())
    return to_table(requests, task=ordered["task"].tolist())


def _bared(tasks: pd.DataFrame, hedges: pd.DataFrame) -> pd.DataFrame:
    """Tasks with their answers as they are without a hedge of their own, `bare`."""
    bare = Bare(hedges)
    found = {text: bare(text) for text in tasks["text"].unique()}
    return tasks.assign(bare=tasks["text"].map(found))


def check_method(method: str) -> None:
    """Raise ValueError if there is no such rewriter."""
    if method not in METHODS:
        raise ValueError(f"rewriter method {method!r} is not one of {', '.join(METHODS)}")


def _request(row: Any, method: str, model: Mapping[str, Any], seed: int) -> Request:
    """The request of one task."""
    try:
        fields = _direct(row, method) if row.method == "direct_beta" else _hedged(row, method)
    except ValueError as error:
        raise ValueError(f"task {row.task!r} (row {row.Index}): {error}") from None
    return request_for(model, **fields).with_content_seed(seed)


def _hedged(row: Any, method: str) -> dict[str, Any]:
    """What asks for a rewrite with hedges."""
    if method == "guided":
        return guided.guided_request(row.bare, list(row.hedges), list(row.frames), n=guided.CANDIDATES)
    return paper.rewrite_request(row.text, list(row.hedges), list(row.hedge_alpha), list(row.hedge_beta))


def _direct(row: Any, method: str) -> dict[str, Any]:
    """What asks for a rewrite by a Beta distribution alone."""
    module = guided if method == "guided" else paper
    return module.direct_request(row.text, row.alpha, row.beta)


def parse_rewrites(
    tasks: pd.DataFrame,
    requests: pd.DataFrame,
    responses: pd.DataFrame,
    *,
    hedges: pd.DataFrame,
    method: str,
    reader: ReaderModel,
) -> pd.DataFrame:
    """Return the rewritten text of each task, in the order of the tasks.

    Parameters
    ----------
    tasks, requests
        See `render_rewrites`.
    responses
        What the model answered (`ralc.llm.complete_table`).
    hedges, method
        As for `render_rewrites`.
    reader
        The reader in the loop, which chooses among the candidates of ``guided``.

    Returns
    -------
    DataFrame
        ``task, text, origin, hedge``. Origin is ``model``; ``template`` where the model gave nothing usable
        and the nearest hedge was put in its plainest place; ``none`` where it gave nothing usable and there
        is no hedge (Direct Beta-guided), so that the text is the original. hedge is the one that the guided
        model chose, null where the model was free.

    Raises
    ------
    ValueError
        If a task was not asked, a request lacks an answer, or there is no such method.
    """
    check_method(method)
    missing = ~tasks["task"].isin(requests["task"])
    if missing.any():
        raise ValueError(f"task {tasks.loc[missing, 'task'].iloc[0]!r} has no request")
    replies = {
        task: list(zip(group["reply"], group["finish_reason"], strict=True))
        for task, group in join(requests, responses).groupby("task")
    }
    tasks = _bared(tasks, hedges)
    direct = tasks["method"] == "direct_beta"
    free = tasks if method == "llm" else tasks[direct]
    parts = [pd.DataFrame([_free(row, replies[row.task]) for row in free.itertuples()], columns=COLUMNS)]
    if method == "guided":
        starts = {task: [text for text, _ in answers] for task, answers in replies.items()}
        parts.append(guided.choose_candidates(tasks[~direct], starts, reader))
    return pd.concat(parts).set_index("task").loc[tasks["task"]].reset_index()


def _free(row: Any, replies: list[tuple[str, str]]) -> tuple[Any, ...]:
    """The text of a task in which the model was free to write."""
    reply, reason = replies[0]
    text, origin = free_text(reply, cut=reason == "length", original=row.text)
    if origin == "none" and row.method != "direct_beta":
        place = guided.template(row.bare, list(row.hedges), list(row.frames))
        return row.task, place.text, "template", place.hedge
    return row.task, text, origin, None
