"""The guided rewriter: the answer's words carried over, a hedge put where grammar allows; no model is asked.

Left free, a model of 135 million parameters keeps the words of four answers in ten. So each hedge is put into each of
its places (`ralc.english.frames`), and the reader in the loop chooses (`ralc.rewriting.choosing`). Only the baseline
Direct Beta-guided, which has no hedges, is written by a model.
"""

from collections.abc import Sequence
from typing import Any

from ralc import prompts
from ralc.english.frames import Place, notes, places

#: Longest free reply, in tokens (Direct Beta-guided).
FREE_TOKENS = 40


def all_places(text: str, hedges: Sequence[str], frames: Sequence[str]) -> list[Place]:
    """Return every place of every hedge in an answer, each text once, in the order of the hedges, the plainest first.

    Of an answer of several claims, the places of a sentence behind it that speaks of all of them come last. None where
    nothing is claimed, or no hedge fits.

    Raises
    ------
    ValueError
        If there is no hedge, there are not as many frames, or a frame is unknown.

    Examples
    --------
    >>> [place.text for place in all_places("It is Paris.", ["I believe", "perhaps"], ["clause", "adverb"])]
    ['I believe that it is Paris.', 'I believe it is Paris.', 'It is perhaps Paris.', 'Perhaps it is Paris.']
    """
    if len(hedges) == 0 or len(hedges) != len(frames):
        raise ValueError(f"{text!r}: {len(hedges)} hedges, {len(frames)} frames; one frame a hedge is needed")
    found: dict[str, Place] = {}
    for where in (places, notes):
        for hedge, frame in zip(hedges, frames, strict=True):
            for place in where(hedge, frame, text):
                found.setdefault(place.text, place)
    return list(found.values())


def direct_request(text: str, alpha: float, beta: float) -> dict[str, Any]:
    """Return what asks for a free rewrite, given the Beta distribution alone.

    One sentence, no examples: the model leaks examples into its answers, and talks about the paper's prompt
    instead of following it.
    """
    messages = prompts.messages("guided_direct_beta", response=text, alpha=alpha, beta=beta)
    return {"messages": messages, "n": 1, "max_tokens": FREE_TOKENS, "stop": ("\n",)}
