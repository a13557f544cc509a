"""Tasks of rewriting: what a model is shown of one, and what its replies say."""

import re
from typing import Any

import pandas as pd

from ralc.english import changed_meaning
from ralc.llm.replies import clean_reply
from ralc.registry import methods_by

#: What a model replied to a task: each text, with how it ended.
Replies = list[tuple[str, str]]
_LEAKED = re.compile(r"\bbeta(?: ?\(| distribution)", re.I)


def tasks(plan: pd.DataFrame) -> pd.DataFrame:
    """Return the distinct tasks of a rewriting plan, each once, with their targets as ``alpha, beta``.

    ``free`` are those that a model writes from a Beta distribution alone.
    """
    distinct = plan.drop_duplicates("task").drop(columns=["alpha", "beta"]).reset_index(drop=True)
    named = distinct.rename(columns={"task_alpha": "alpha", "task_beta": "beta"})
    return named.assign(free=named["method"].isin(methods_by(free=True)))


def guidance(row: Any) -> dict[str, str]:
    """Return what the prompt of a rewrite shows of a task: its answer, and its hedges with their Betas."""
    hedges, alpha, beta = list(row.hedges), list(row.hedge_alpha), list(row.hedge_beta)
    if not hedges or not len(hedges) == len(alpha) == len(beta):
        counts = f"{len(hedges)} hedges with {len(alpha)} alphas and {len(beta)} betas"
        raise ValueError(f"task {row.task!r} (row {row.Index}): {counts}")
    profiles = zip(hedges, alpha, beta, strict=True)
    lines = "\n".join(f"{hedge}: Beta(alpha={a:.2f}, beta={b:.2f})" for hedge, a, b in profiles)
    return {"response": row.text, "hedges": lines}


def replies_by_task(replies: pd.DataFrame | None) -> dict[str, Replies]:
    """Return the replies to each task, each with how it ended; none where nobody was asked."""
    if replies is None:
        return {}
    return {
        task: list(zip(group["reply"], group["finish_reason"], strict=True))
        for task, group in replies.groupby("task")
    }


def usable(row: Any, replies: Replies) -> list[str]:
    """Return the distinct texts of a model that can stand for a task; in a closed loop, those that claim the same."""
    texts = [free_text(reply, cut=reason == "length", original=row.text) for reply, reason in replies]
    written = dict.fromkeys(text for text in texts if text)
    if row.free or row.loop == "open":
        return list(written)
    return [text for text in written if not (text.endswith("?") or changed_meaning(row.text, text))]


def free_text(reply: str | None, *, cut: bool, original: str) -> str | None:
    """Return the text of a free rewrite; None where the reply is unusable.

    Unusable are a reply without words, one that was cut off in its first sentence, and one that names its Beta.

    Parameters
    ----------
    reply
        What the model said; None where it failed.
    cut
        Whether it was cut off at its most tokens.
    original
        The answer that it rewrites.

    Examples
    --------
    >>> free_text("Perhaps it is Paris.", cut=False, original="Paris")
    'Perhaps it is Paris.'
    """
    text = clean_reply(reply)
    if text is not None and cut:
        text = text[: max(text.rfind(mark) for mark in ".!?") + 1]
    if not text or (_LEAKED.search(text) and not _LEAKED.search(original)):
        return None
    return text
