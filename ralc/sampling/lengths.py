"""Whether prompts will fit into a model's context, by their length in characters: said before anything is asked."""

from collections.abc import Iterable

from ralc.prompts import Messages

# ASSUME: a token of English has four characters.
CHARACTERS = 4


def beyond(asked: Iterable[tuple[str, Messages]], context: int, max_tokens: int) -> str:
    """Return a line on the prompts that leave no room for an answer; empty where all do.

    Parameters
    ----------
    asked
        The question's id and the prompt of each.
    context
        Of the model, in tokens.
    max_tokens
        Longest answer, in tokens.

    Examples
    --------
    >>> beyond([("q1", ({"role": "user", "content": "Who? " * 900},))], 1024, 64).partition(" (the ")[0]
    '1 of 1 prompts are too long for a context of 1,024 tokens and an answer of 64'
    """
    sizes = {name: sum(len(one["content"]) for one in told) // CHARACTERS for name, told in asked}
    long = {name: tokens for name, tokens in sizes.items() if tokens + max_tokens > context}
    if not long:
        return ""
    worst = max(long, key=long.__getitem__)
    return (
        f"{len(long)} of {len(sizes)} prompts are too long for a context of {context:,} tokens and an answer of "
        f"{max_tokens} (the longest: {worst}, about {long[worst]:,} tokens): what does not fit is not answered and "
        "missing; make the context larger, or shorten or leave out these questions"
    )
