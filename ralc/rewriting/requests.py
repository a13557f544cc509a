"""What a rewriter's model is asked, and what its replies say: rewrites and the lexicon's sentences (appendix D).

A reply is untrusted: it is cleaned, and refused where nothing is left.
"""

import hashlib
import re
from collections.abc import Mapping
from itertools import cycle, islice
from typing import Any

import numpy as np
import pandas as pd

from ralc.english import changed_meaning, place_hedge, words
from ralc.llm import request_for, to_table
from ralc.prompts import messages
from ralc.registry import METHODS, methods_by

#: Texts that a model is asked for where the evaluator chooses among them.
DRAFTS = 4
#: Longest reply in tokens: a sentence, with room for the longest answers; of a very small model, without hedges.
REPLY_TOKENS, FREE_TOKENS = 256, 40
#: Longest reply that is looked at, in characters; an answer is a sentence.
LONGEST_REPLY = 4000
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

_LABEL = re.compile(
    r"^(?:new response|rewritten(?: (?:response|sentence|statement))?|rewrite|response|sentence)\s*:\s*", re.I
)
#: How the prompt quotes the answer, before a rewrite all of which is quoted.
_ECHO = re.compile(
    r'^(?:my|your|the) (?:\w+ )?answer(?: to the question)?(?: is)?:?\s+(?=["“].*["”]\.?$)', re.I
)
#: Bold type and the fences of code; where a paragraph ends.
_MARKUP = re.compile(r"\*\*|^[ \t]*```.*$", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n\s*\n|(?<=[.!?\"”])[ \t]*\n")
_LEAKED = re.compile(r"\bbeta(?: ?\(| distribution)", re.I)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}


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
        return {"messages": messages("direct_beta", **target), "n": 1, "max_tokens": REPLY_TOKENS}
    hedges, alpha, beta = list(row.hedges), list(row.hedge_alpha), list(row.hedge_beta)
    if not hedges or not len(hedges) == len(alpha) == len(beta):
        counts = f"{len(hedges)} hedges with {len(alpha)} alphas and {len(beta)} betas"
        raise ValueError(f"task {row.task!r} (row {row.Index}): {counts}")
    profiles = zip(hedges, alpha, beta, strict=True)
    lines = "\n".join(f"{hedge}: Beta(alpha={a:.2f}, beta={b:.2f})" for hedge, a, b in profiles)
    prompt = messages("rewrite", response=row.text, hedges=lines)
    return {"messages": prompt, "n": 1 if row.loop == "open" else DRAFTS, "max_tokens": REPLY_TOKENS}


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


def clean_reply(reply: str | None) -> str | None:
    """Return the first paragraph of a reply on one line, without labels and outer quotes; None where it says nothing.

    A first line that announces it ("Here is the rewritten sentence:") is no part of it. Nor is the beginning of the
    prompt, whose quotation marks would make the hedge somebody else's. What comes after it is the model's explanation.

    >>> clean_reply(' New response: "Perhaps it is Paris."\\n'), clean_reply("...")
    ('Perhaps it is Paris.', None)
    >>> clean_reply('My answer to the question is: "It may be Paris."')
    'It may be Paris.'
    """
    lines = _MARKUP.sub("", (reply or "")[:LONGEST_REPLY]).strip().splitlines()
    text = "\n".join(lines[1:] if lines and lines[0].rstrip().endswith(":") else lines)
    text = " ".join(_PARAGRAPH.split(text.strip())[0].split())
    text = _unquoted(_ECHO.sub("", _unquoted(_LABEL.sub("", _unquoted(text)))))
    return text if any(character.isalnum() for character in text) else None


def _unquoted(text: str) -> str:
    """A text without one pair of quotes around all of it."""
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[-1] not in text[1:-1]:
        return text[1:-1].strip()
    return text


def render_lexicon(
    hedges: pd.DataFrame, *, sentences: int, model: Mapping[str, Any], seed: int, letter: bool = False
) -> pd.DataFrame:
    """Return the requests table of the lexicon's sentences (appendix D.1), by ``expression`` and ``statement``.

    An expression has so many `sentences`, at least 1 (paper: 20). `letter`: see `draw_statements`.
    """
    drawn = draw_statements(hedges["expression"].tolist(), sentences, seed=seed, letter=letter)
    drawn = drawn.sort_values("statement", kind="stable")
    requests = [
        request_for(
            model,
            messages("lexicon_sentence", word=row.expression, selected_sentence=row.statement),
            n=row.n,
            max_tokens=REPLY_TOKENS,
        ).with_content_seed(seed)
        for row in drawn.itertuples()
    ]
    return to_table(requests, **{name: drawn[name].tolist() for name in ("expression", "statement")})


def parse_lexicon(
    hedges: pd.DataFrame,
    replies: pd.DataFrame | None,
    *,
    sentences: int,
    method: str,
    seed: int,
    letter: bool = False,
) -> pd.DataFrame:
    """Return the lexicon's sentences, as many as are wanted (`render_lexicon`): ``expression, sentence, origin``.

    Origin is ``model``. It is ``grammar`` by method ``guided``, which takes the places of the expression in a statement
    in turn. It is ``template`` where the model's sentence lacks the expression; this then has its plainest place.
    By the paper's `letter` such a sentence is ``kept``, and a template stands where the model said nothing.
    """
    frames = dict(zip(hedges["expression"], hedges["frame"], strict=True))
    rows: list[tuple[str, str, str]] = []
    if method == "guided":
        for row in draw_statements(list(frames), sentences, seed=seed, letter=letter).itertuples():
            places = cycle(place_hedge(row.expression, frames[row.expression], row.statement))
            rows += [(row.expression, text, "grammar") for text in islice(places, row.n)]
    else:
        for row in replies.itertuples():
            text = row.reply.strip() if letter else clean_reply(row.reply)
            origin = "model" if text and carries(text, row.expression) else "kept" if letter else "template"
            if not text or origin == "template":
                text = place_hedge(row.expression, frames[row.expression], row.statement)[0]
                origin = "template"
            rows.append((row.expression, text, origin))
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
    every, remainder = divmod(sentences, len(STATEMENTS))
    rows = []
    for expression in expressions:
        rng = np.random.default_rng([seed, *hashlib.sha256(expression.encode()).digest()[:8]])
        if letter:
            counts = np.bincount(rng.integers(len(STATEMENTS), size=sentences), minlength=len(STATEMENTS))
        else:
            counts = np.full(len(STATEMENTS), every)
            counts[rng.permutation(len(STATEMENTS))[:remainder]] += 1
        rows += [(expression, *drawn) for drawn in zip(STATEMENTS, counts, strict=True) if drawn[1]]
    return pd.DataFrame(rows, columns=["expression", "statement", "n"])


def carries(sentence: str, expression: str) -> bool:
    """Return whether an expression stands in a sentence, word by word, whatever the case and punctuation.

    >>> carries("Without a doubt, it is good.", "without a doubt"), carries("It is good.", "good chance")
    (True, False)
    """
    wanted, written = (" ".join(["", *words(text), ""]) for text in (expression, sentence))
    return bool(wanted.strip()) and wanted in written
