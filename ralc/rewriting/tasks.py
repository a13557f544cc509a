"""Rewriting tasks to requests, and to the candidates that the reader in the loop chooses from (paper section 4.2)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.english.meaning import changed_meaning
from ralc.llm import Request, request_for, to_table
from ralc.llm.joining import join
from ralc.names import METHODS, methods_by
from ralc.progress import followed
from ralc.rewriting import guided, paper
from ralc.rewriting.bare import bare
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
        ``beta``, ``loop`` (``open`` where the first text is taken unread), and ``passes``: why an answer is not to
        be hedged, empty where it is.
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


def list_candidates(
    tasks: pd.DataFrame,
    requests: pd.DataFrame | None,
    responses: pd.DataFrame | None,
    *,
    method: str,
    model_texts: str = "checked",
    **together: Any,
) -> pd.DataFrame:
    """Return the candidates of each task, the plainest first, each text once.

    Parameters
    ----------
    tasks, method
        As for `render_rewrites`.
    requests, responses
        What the models were asked and answered (`ralc.llm.complete_table`); None where none was.
    model_texts
        Whether the models' texts are ``checked`` and cleaned, or, of an open loop, ``kept`` as they are.
    **together
        How sentences that have a ``whole`` are rewritten (`ralc.rewriting.together.rewrite_together`).

    Returns
    -------
    DataFrame
        ``task, text, origin, hedge, shared, whole``. Origin is ``model``; ``grammar`` where a hedge was put into one of
        its places; ``template`` where that stands for a model's text that is not usable: without words, cut off, or
        where the loop is closed with another claim than the answer (`ralc.english.meaning`; what Direct Beta-guided
        claims is its own affair, and has a grade of its own); ``passed`` where the answer is not to be hedged or has
        no place for its hedges; ``kept`` of a text that is not usable and stays; ``none`` where a model gave nothing
        usable and there is no hedge (Direct Beta-guided): in both the text is the original. hedge is null where the
        model was free. A sentence that is rewritten together with the others of its answer has one candidate, with
        the ``shared`` hedge before it whose reading it inherits (null where it has its own), in the ``whole``.

    Raises
    ------
    ValueError
        If a task was not asked, a request lacks an answer, or there is no such method.
    """
    check_method(method)
    replies = replies_of(requests, responses)
    candidates = []
    alone = tasks["whole"].isna()
    for row in followed(tasks[alone].itertuples(), "candidates", "rewrites", alone.sum()):
        try:
            candidates += _candidates(row, method, replies, kept=model_texts == "kept")
        except ValueError as error:
            raise ValueError(f"task {row.task!r} (row {row.Index}): {error}") from None
    listed = pd.DataFrame(candidates, columns=COLUMNS).assign(**ALONE)
    if alone.all():
        return listed
    from ralc.rewriting.together import rewrite_together  # loads a reader

    return pd.concat([listed, rewrite_together(tasks[~alone], **together)], ignore_index=True)


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


def _candidates(
    row: Any, method: str, replies: Mapping[str, list[tuple[str, str]]], *, kept: bool
) -> list[tuple[Any, ...]]:
    """The candidates of one task."""
    if row.passes:
        return [(row.task, row.text, "passed", None)]
    if method == "guided" and not METHODS[row.method].free:
        return _placed(row)
    if row.task not in replies:
        raise ValueError("no request")
    if kept and row.loop == "open" and (said := replies[row.task][0][0].strip()):
        return [(row.task, said, "model" if usable(row, replies[row.task]) else "kept", None)]
    found: list[tuple[Any, ...]] = [
        (row.task, text, "model", None) for text in usable(row, replies[row.task])
    ]
    if found:
        return found
    return [(row.task, row.text, "none", None)] if METHODS[row.method].free else _placed(row, "template")


def usable(row: Any, replies: list[tuple[str, str]]) -> list[str]:
    """Return the distinct texts of a model that can stand for a task; in a closed loop, those that claim the same."""
    texts = [free_text(reply, cut=reason == "length", original=row.text) for reply, reason in replies]
    written = dict.fromkeys(text for text, origin in texts if origin == "model")
    if METHODS[row.method].free or row.loop == "open":
        return list(written)
    return [text for text in written if not changed_meaning(row.text, text, row.hedges)]


def _placed(row: Any, origin: str = "grammar") -> list[tuple[Any, ...]]:
    """A task's hedges in their places; only the nearest one's plainest where nothing is chosen by reading."""
    first = 1 if row.loop == "open" or origin == "template" else None
    found = guided.all_places(bare(row.text) or row.text, list(row.hedges)[:first], list(row.frames)[:first])
    if not found:
        return [(row.task, row.text, "passed", None)]
    return [(row.task, place.text, origin, place.hedge) for place in found[:first]]
