"""The guided rewriter: a very small model writes a hedge into an answer, at a place that grammar allows.

Left free, a model of 135 million parameters keeps the words of four answers in ten. So it is asked for what
it does well. It sees a few rewritten answers and begins the next one; an output constraint holds every
place where one of the task's hedges can stand (`ralc.rewriting.places`). The model chooses hedge, place and
wording by its own probabilities, and only as far as the hedge: the answer's words behind it are carried
over. Several such candidates are read by the reader in the loop, and the one nearest to the target
confidence is taken.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from ralc import Beta, prompts
from ralc.prompts import Messages
from ralc.readers import Reader
from ralc.rewriting.places import Place, places
from ralc.rewriting.sentences import read_sentence

#: Candidates a task.
CANDIDATES = 2
#: Longest free reply, in tokens (Direct Beta-guided).
FREE_TOKENS = 48

#: Examples the model sees, by prompt.
_EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "guided_rewrite": [
        {
            "response": "The capital of Spain is Madrid.",
            "rewrite": "I think that the capital of Spain is Madrid.",
        },
        {
            "response": "Water boils at 100 degrees.",
            "rewrite": "Water almost certainly boils at 100 degrees.",
        },
        {"response": "Mount Everest", "rewrite": "My best guess is that it is Mount Everest."},
        {"response": "Oxygen is a gas.", "rewrite": "Perhaps oxygen is a gas."},
    ],
    "guided_direct_beta": [
        {
            "response": "The capital of Spain is Madrid.",
            "alpha": 19,
            "beta": 1,
            "rewrite": "I am certain that the capital of Spain is Madrid.",
        },
        {"response": "Mount Everest", "alpha": 2, "beta": 2, "rewrite": "It might be Mount Everest."},
        {
            "response": "Water boils at 100 degrees.",
            "alpha": 6,
            "beta": 2,
            "rewrite": "Water probably boils at 100 degrees.",
        },
        {"response": "Tom went home.", "alpha": 1, "beta": 7, "rewrite": "I doubt that Tom went home."},
    ],
}


def choices(text: str, hedges: Sequence[str], frames: Sequence[str]) -> dict[str, Place]:
    """Return what the model chooses from: the starts of a hedged answer, each with its place.

    The first is the template: the plainest place of the nearest hedge.

    Raises
    ------
    ValueError
        If there is no hedge, there are not as many frames, or a frame is unknown.

    >>> list(choices("Paris", ["perhaps"], ["adverb"]))
    ['It is perhaps', 'The answer is perhaps', 'Perhaps']
    """
    if len(hedges) == 0 or len(hedges) != len(frames):
        raise ValueError(
            f"{text!r}: {len(hedges)} hedges with {len(frames)} frames; at least one of each is needed"
        )
    sentence = read_sentence(text)
    found: dict[str, Place] = {}
    for hedge, frame in zip(hedges, frames, strict=True):
        for place in places(hedge, frame, sentence):
            found.setdefault(place.start, place)
    return found


def template(text: str, hedges: Sequence[str], frames: Sequence[str]) -> Place:
    """Return the rewrite that needs no model: the nearest hedge in its plainest place.

    >>> template("The capital is Paris.", ["I believe", "perhaps"], ["clause", "adverb"]).text
    'I believe that the capital is Paris.'
    """
    return next(iter(choices(text, hedges, frames).values()))


def guided_request(text: str, hedges: Sequence[str], frames: Sequence[str], *, n: int) -> dict[str, Any]:
    """Return what asks for `n` beginnings of a rewrite: messages, length and output constraint."""
    starts = list(choices(text, hedges, frames))
    return {
        "messages": (*_head("guided_rewrite"), _turn("guided_rewrite", response=text, rewrite="")),
        "n": n,
        # No token is shorter than a byte; the constraint ends the reply long before.
        "max_tokens": max(len(start.encode()) for start in starts) + 1,
        "constraint": {"choice": starts},
    }


def direct_request(text: str, alpha: float, beta: float) -> dict[str, Any]:
    """Return the messages by which a free rewrite is asked for, given the Beta distribution alone."""
    turn = _turn("guided_direct_beta", response=text, alpha=alpha, beta=beta, rewrite="")
    return {
        "messages": (*_head("guided_direct_beta"), turn),
        "n": 1,
        "max_tokens": FREE_TOKENS,
        "stop": ("\n",),
    }


@cache
def _head(name: str) -> Messages:
    """The system prompt and the examples as turns of a conversation, the same for every request."""
    turns = [prompts.messages(name, **example) for example in _EXAMPLES[name]]
    return (*turns[0], *(message for turn in turns[1:] for message in turn if message["role"] != "system"))


def _turn(name: str, **values: Any) -> dict[str, str]:
    """The user's turn that the model is to answer."""
    return next(message for message in prompts.messages(name, **values) if message["role"] == "user")


def choose_candidates(
    tasks: pd.DataFrame, replies: Mapping[str, Sequence[str | None]], reader: Reader
) -> pd.DataFrame:
    """Return the rewrites of the tasks: of each task's candidates the one that is read nearest to its target.

    Nearest by the 1-Wasserstein distance of the reading to Beta(alpha, beta); of equal ones the first. A task
    whose replies are all missing or no beginning that was offered gets its template, and origin ``template``.

    Parameters
    ----------
    tasks
        Columns ``task``, ``text``, ``hedges``, ``frames``, ``alpha``, ``beta``.
    replies
        The replies of each task.
    reader
        The reader in the loop.

    Returns
    -------
    DataFrame
        ``task, text, origin, hedge``: hedge is the one of the task's hedges that the text carries.
    """
    candidates = [row for task in tasks.itertuples() for row in _candidates(task, replies.get(task.task, ()))]
    table = pd.DataFrame(candidates, columns=["task", "text", "origin", "hedge", "alpha", "beta"])
    if table.empty:
        return table[["task", "text", "origin", "hedge"]]
    texts, where = np.unique(table["text"].to_numpy(dtype=object).astype(str), return_inverse=True)
    reading = reader.read(texts.tolist())[where]
    target = Beta(table["alpha"].to_numpy(float), table["beta"].to_numpy(float))
    table["distance"] = reading.wasserstein_distance(target)
    nearest = table.groupby("task", sort=False)["distance"].idxmin()
    return table.loc[nearest, ["task", "text", "origin", "hedge"]].reset_index(drop=True)


def _candidates(task: Any, replies: Sequence[str | None]) -> list[tuple[Any, ...]]:
    """The distinct candidates of one task; its template where the model has none."""
    offered = choices(task.text, list(task.hedges), list(task.frames))
    starts = dict.fromkeys((reply or "").strip() for reply in replies)
    written = [offered[start] for start in starts if start in offered]
    origin = "model" if written else "template"
    found = written or [next(iter(offered.values()))]
    return [(task.task, place.text, origin, place.hedge, task.alpha, task.beta) for place in found]
