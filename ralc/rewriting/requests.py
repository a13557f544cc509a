"""Rewriting tasks to requests, and replies to texts (appendices D.1, D.3 and D.4).

A reply is untrusted: it is cleaned, and refused where nothing is left.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ralc import prompts
from ralc.english import changed_meaning
from ralc.llm import Request, request_for, to_table
from ralc.llm.tables import join
from ralc.registry import METHODS, methods_by

REWRITERS = ("guided", "llm")
#: Texts that a model is asked for where the evaluator chooses among them.
DRAFTS = 4
#: Longest reply in tokens: a sentence, with room for the longest answers; of a very small model, without hedges.
REPLY_TOKENS, FREE_TOKENS = 256, 40
#: Longest reply that is looked at, in characters; an answer is a sentence.
LONGEST_REPLY = 4000

_LABEL = re.compile(
    r"^(?:new response|rewritten(?: (?:response|sentence|statement))?|rewrite|response|sentence)\s*:\s*", re.I
)
#: How the prompt quotes the answer, before a rewrite all of which is quoted.
_ECHO = re.compile(
    r"^(?:my|your|the) (?:\w+ )?answer(?: to the question)?(?: is)?:?\s+(?=[\"“].*[\"”]\.?$)", re.I
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
#: Words of the prompts, not of an answer.
_LEAKED = ("beta(", "confident on average")


def render_rewrites(
    tasks: pd.DataFrame, *, method: str, model: Mapping[str, Any], seed: int, letter: bool = False
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
    letter
        The paper's letter: each task has a draw of its own, also of an equal prompt.

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
    requests = (_request(row, method, model, seed, letter) for row in ordered.itertuples())
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
    """Return what asks for rewrites of a task with its hedges, nearest first (appendix D.3).

    Raises
    ------
    ValueError
        If hedges and parameters differ in number, or there is none.
    """
    hedges, alpha, beta = list(row.hedges), list(row.hedge_alpha), list(row.hedge_beta)
    if not hedges or not len(hedges) == len(alpha) == len(beta):
        raise ValueError(f"{row.text!r}: {len(hedges)} hedges with {len(alpha)} alphas and {len(beta)} betas")
    messages = prompts.messages("rewrite", response=row.text, hedges=hedge_lines(hedges, alpha, beta))
    return {"messages": messages, "n": 1 if row.loop == "open" else DRAFTS, "max_tokens": REPLY_TOKENS}


def hedge_lines(hedges: Sequence[str], alpha: Sequence[float], beta: Sequence[float]) -> str:
    """Return hedges with their confidence profiles, one a line."""
    lines = zip(hedges, alpha, beta, strict=True)
    return "\n".join(f"{hedge}: Beta(alpha={a:.2f}, beta={b:.2f})" for hedge, a, b in lines)


def sentence_request(expression: str, statement: str, *, n: int) -> dict[str, Any]:
    """Return the messages that ask for `n` ways of writing an expression into a statement (appendix D.1)."""
    messages = prompts.messages("lexicon_sentence", word=expression, selected_sentence=statement)
    return {"messages": messages, "n": n, "max_tokens": REPLY_TOKENS}


def _free(row: Any, method: str) -> dict[str, Any]:
    """What asks for a rewrite by a Beta distribution alone (appendix D.4).

    By method ``guided`` that is one sentence without examples: a small model leaks examples into its answers, and
    talks about the paper's prompt instead of following it.
    """
    told = {"response": row.text, "alpha": row.alpha, "beta": row.beta}
    if method != "guided":
        return {"messages": prompts.messages("direct_beta", **told), "n": 1, "max_tokens": REPLY_TOKENS}
    messages = prompts.messages("guided_direct_beta", **told)
    return {"messages": messages, "n": 1, "max_tokens": FREE_TOKENS, "stop": ("\n",)}


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


def clean_reply(reply: str | None) -> str | None:
    """Return the text of a reply on one line, without labels and outer quotes; None where it says nothing.

    A first line that announces the rest ("Here is the rewritten sentence:") is no part of it.

    >>> clean_reply(' New response: "Perhaps it is Paris."\\n')
    'Perhaps it is Paris.'
    >>> clean_reply("...") is None
    True

    Nor is the beginning of the prompt, whose quotation marks would make the hedge somebody else's.

    >>> clean_reply('My answer to the question is: "It may be Paris."')
    'It may be Paris.'
    """
    lines = (reply or "")[:LONGEST_REPLY].replace("**", "").strip().splitlines()
    text = " ".join(" ".join(lines[1:] if lines and lines[0].rstrip().endswith(":") else lines).split())
    text = _unquoted(_LABEL.sub("", _unquoted(text)))
    text = _unquoted(_ECHO.sub("", text))
    return text if any(character.isalnum() for character in text) else None


def _unquoted(text: str) -> str:
    """A text without one pair of quotes around all of it."""
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[-1] not in text[1:-1]:
        return text[1:-1].strip()
    return text


def free_text(reply: str | None, *, cut: bool, original: str) -> tuple[str, str]:
    """Return the text of a free rewrite and its origin: the original, ``none``, where the reply is unusable.

    Unusable are a reply without words, one that was cut off in its first sentence, and one that repeats
    the Beta distribution or the percentage that it was told.

    >>> free_text("Perhaps it is Paris.", cut=False, original="Paris")
    ('Perhaps it is Paris.', 'model')
    """
    text = clean_reply(reply)
    if text is not None and cut:
        text = text[: max(text.rfind(mark) for mark in ".!?") + 1]
    if not text or any(words in text.lower() for words in _LEAKED):
        return original, "none"
    return text, "model"
