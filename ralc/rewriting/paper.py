"""The paper's rewriting prompts, for models that follow instructions (appendices D.1, D.3 and D.4)."""

from collections.abc import Sequence
from typing import Any

from ralc import prompts

#: Longest reply in tokens: a sentence, with room for the longest answers.
REPLY_TOKENS = 256


def rewrite_request(
    text: str, hedges: Sequence[str], alpha: Sequence[float], beta: Sequence[float]
) -> dict[str, Any]:
    """Return the messages that ask for a rewrite with the hedges (appendix D.3).

    `alpha` and `beta` are the lexicon's, of each hedge; the nearest hedge comes first.

    Raises
    ------
    ValueError
        If hedges and parameters differ in number, or there is none.
    """
    if not len(hedges) or not len(hedges) == len(alpha) == len(beta):
        raise ValueError(f"{text!r}: {len(hedges)} hedges with {len(alpha)} alphas and {len(beta)} betas")
    return _asked(prompts.messages("rewrite", response=text, hedges=hedge_lines(hedges, alpha, beta)))


def hedge_lines(hedges: Sequence[str], alpha: Sequence[float], beta: Sequence[float]) -> str:
    """Return hedges with their confidence profiles, one a line.

    >>> hedge_lines(["probably"], [6.12], [2.5])
    'probably: Beta(alpha=6.12, beta=2.50)'
    """
    lines = zip(hedges, alpha, beta, strict=True)
    return "\n".join(f"{hedge}: Beta(alpha={a:.2f}, beta={b:.2f})" for hedge, a, b in lines)


def direct_request(text: str, alpha: float, beta: float) -> dict[str, Any]:
    """Return the messages that ask for a rewrite by a Beta distribution alone (appendix D.4)."""
    return _asked(prompts.messages("direct_beta", response=text, alpha=alpha, beta=beta))


def sentence_request(expression: str, statement: str, *, n: int) -> dict[str, Any]:
    """Return the messages that ask for `n` ways of writing an expression into a statement (appendix D.1)."""
    messages = prompts.messages("lexicon_sentence", word=expression, selected_sentence=statement)
    return _asked(messages) | {"n": n}


def _asked(messages: prompts.Messages) -> dict[str, Any]:
    """Messages, and how long a reply may be."""
    return {"messages": messages, "n": 1, "max_tokens": REPLY_TOKENS}
