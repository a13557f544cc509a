"""What a rewriter's model is asked, and what its replies say (appendices D.3 and D.4)."""

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.english import changed_meaning
from ralc.llm import request_for, to_table
from ralc.llm.replies import SENTENCE_TOKENS, clean_reply
from ralc.prompts import messages
from ralc.registry import METHODS, methods_by

#: Texts that a model is asked for where the evaluator chooses among them.
DRAFTS = 4
#: Longest rewrite of a very small model, without hedges, in tokens.
FREE_TOKENS = 40
_LEAKED = re.compile(r"\bbeta(?: ?\(| distribution)", re.I)


def render_rewrites(
    tasks: pd.DataFrame, *, method: str, model: Mapping[str, Any], seed: int, letter: bool = False
) -> pd.DataFrame:
    """Return the requests table of the tasks that a model writes, by ``task``; equal answers together.

    By method ``guided`` (a very small model) those are Direct Beta-guided alone, by ``llm`` (the paper's prompts) all;
    an answer that passes is not rewritten. By the paper's `letter` equal prompts have a draw each.

    Parameters
    ----------
    tasks
        One row a task: ``task`` (unique), ``method``, ``text``, the target ``alpha, beta``, ``hedges`` (nearest
        first; none of what is written freely) with their ``frames, hedge_alpha, hedge_beta``. ``loop`` is ``open``
        where the first text is taken unread. ``skip_reason`` is why an answer is not to be hedged, empty where it is.
        ValueError where one is unusable: its row is named.
    model
        The rewriter's entry in the configuration.
    """
    written = tasks.assign(free=tasks["method"].isin(methods_by(free=True)))
    written = written[(written["skip_reason"] == "") & (written["free"] | (method == "llm"))]
    # Equal prompts stand together, for engines that keep the beginning of the last one.
    ordered = written.sort_values(["free", "text"], kind="stable")
    requests = (
        request_for(model, **_fields(row, method)).with_content_seed(seed, *((row.task,) if letter else ()))
        for row in ordered.itertuples()
    )
    return to_table(requests, task=ordered["task"].tolist())


def _fields(row: Any, method: str) -> dict[str, Any]:
    """What asks for a task: a rewrite with its hedges (appendix D.3), or by a Beta distribution alone (D.4).

    By method ``guided`` the latter is one sentence without examples. A small model leaks examples into its answers, and
    talks about the paper's prompt instead of following it.
    """
    target = {"response": row.text, "alpha": row.alpha, "beta": row.beta}
    if row.free and method == "guided":
        prompt = messages("guided_direct_beta", **target)
        return {"messages": prompt, "n": 1, "max_tokens": FREE_TOKENS, "stop": ("\n",)}
    if row.free:
        return {"messages": messages("direct_beta", **target), "n": 1, "max_tokens": SENTENCE_TOKENS}
    prompt = messages("rewrite", **guidance(row))
    return {"messages": prompt, "n": 1 if row.loop == "open" else DRAFTS, "max_tokens": SENTENCE_TOKENS}


def guidance(row: Any) -> dict[str, str]:
    """Return what the prompt of a rewrite shows of a task: its answer, and its hedges with their Betas."""
    hedges, alpha, beta = list(row.hedges), list(row.hedge_alpha), list(row.hedge_beta)
    if not hedges or not len(hedges) == len(alpha) == len(beta):
        counts = f"{len(hedges)} hedges with {len(alpha)} alphas and {len(beta)} betas"
        raise ValueError(f"task {row.task!r} (row {row.Index}): {counts}")
    profiles = zip(hedges, alpha, beta, strict=True)
    lines = "\n".join(f"{hedge}: Beta(alpha={a:.2f}, beta={b:.2f})" for hedge, a, b in profiles)
    return {"response": row.text, "hedges": lines}


def replies_by_task(replies: pd.DataFrame | None) -> dict[str, list[tuple[str, str]]]:
    """Return the replies to each task, each with how it ended; none where nobody was asked."""
    if replies is None:
        return {}
    return {
        task: list(zip(group["reply"], group["finish_reason"], strict=True))
        for task, group in replies.groupby("task")
    }


def usable(row: Any, replies: list[tuple[str, str]]) -> list[str]:
    """Return the distinct texts of a model that can stand for a task; in a closed loop, those that claim the same."""
    texts = [free_text(reply, cut=reason == "length", original=row.text) for reply, reason in replies]
    written = dict.fromkeys(text for text, origin in texts if origin == "model")
    if METHODS[row.method].free or row.loop == "open":
        return list(written)
    return [text for text in written if not (text.endswith("?") or changed_meaning(row.text, text))]


def free_text(reply: str | None, *, cut: bool, original: str) -> tuple[str, str]:
    """Return the text of a free rewrite and its origin: the original, ``none``, where the reply is unusable.

    Unusable are a reply without words, one that was cut off in its first sentence, and one that names its Beta.

    >>> free_text("Perhaps it is Paris.", cut=False, original="Paris")
    ('Perhaps it is Paris.', 'model')
    """
    text = clean_reply(reply)
    if text is not None and cut:
        text = text[: max(text.rfind(mark) for mark in ".!?") + 1]
    if not text or (_LEAKED.search(text) and not _LEAKED.search(original)):
        return original, "none"
    return text, "model"
