"""The guided rewriter: the answer's words carried over, a hedge put where grammar allows; no model is asked.

Left free, a model of 135 million parameters keeps the words of four answers in ten. So each hedge is put into each of
its places (`ralc.english.places`), and the reader in the loop chooses (`ralc.rewriting.choosing`). Only the baseline
Direct Beta-guided, which has no hedges, is written by a model.
"""

from collections.abc import Sequence
from typing import Any

from ralc import prompts
from ralc.english.places import Place, places
from ralc.english.sentences import read_sentence

#: Longest free reply, in tokens (Direct Beta-guided).
FREE_TOKENS = 40


def all_places(text: str, hedges: Sequence[str], frames: Sequence[str]) -> list[Place]:
    """Return every place of every hedge in an answer, each text once, in the order of the hedges, the plainest first.

    A sentence is put in quotation marks (its first word may be a name or not, or its "yes" contradicts a doubt) only if
    no hedge has a place that takes it as it stands.

    Raises
    ------
    ValueError
        If there is no hedge, there are not as many frames, or a frame is unknown.

    >>> [place.text for place in all_places("It is Paris.", ["I believe", "perhaps"], ["clause", "adverb"])]
    ['I believe that it is Paris.', 'I believe it is Paris.', 'It is perhaps Paris.', 'Perhaps it is Paris.']
    >>> [place.text for place in all_places("Erbil is large.", ["I think", "perhaps"], ["clause", "adverb"])]
    ['Erbil is perhaps large.']
    """
    if len(hedges) == 0 or len(hedges) != len(frames):
        raise ValueError(f"{text!r}: {len(hedges)} hedges, {len(frames)} frames; one frame a hedge is needed")
    sentence = read_sentence(text)
    found: dict[str, Place] = {}
    for hedge, frame in zip(hedges, frames, strict=True):
        for place in places(hedge, frame, sentence):
            found.setdefault(place.text, place)
    return [place for place in found.values() if not place.quotes] or list(found.values())


def template(text: str, hedge: str, frame: str) -> Place:
    """Return an answer with one hedge in its plainest place.

    >>> template("The capital is Paris.", "I believe", "clause").text
    'I believe that the capital is Paris.'
    """
    return places(hedge, frame, read_sentence(text))[0]


def direct_request(text: str, alpha: float, beta: float) -> dict[str, Any]:
    """Return what asks for a free rewrite, given the Beta distribution alone.

    One sentence, no examples: the model leaks examples into its answers, and talks about the paper's prompt
    instead of following it.
    """
    messages = prompts.messages("guided_direct_beta", response=text, alpha=alpha, beta=beta)
    return {"messages": messages, "n": 1, "max_tokens": FREE_TOKENS, "stop": ("\n",)}
