"""The guided rewriter: a very small model writes a hedge into an answer, at a place that grammar allows.

Left free, a model of 135 million parameters keeps the words of four answers in ten. So it does what it can do
well: it answers with the beginning of a hedged answer, and an output constraint holds every beginning by
which one of the task's hedges can go before or into the answer (`ralc.english.places`). It chooses the
hedge, and of a lone hedge the place and the wording, by its own probabilities, and writes only until its
choice is settled; the rest, and the answer's own words, are carried over. Several such candidates are read by
the reader in the loop, and the one nearest to the target confidence is taken.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ralc import Beta, prompts
from ralc.english.places import Place, places
from ralc.english.sentences import read_sentence
from ralc.readers import ReaderModel

#: Candidates a task.
CANDIDATES = 2
#: Longest free reply, in tokens (Direct Beta-guided).
FREE_TOKENS = 40


def choices(text: str, hedges: Sequence[str], frames: Sequence[str]) -> dict[str, Place]:
    """Return what the model chooses from: beginnings of a hedged answer, each with its place.

    Of several hedges each is offered in its plainest place, a single one in all of its places. A beginning is as
    many words of a place's start as tell it from the others. The first is the template: the plainest place of
    the nearest hedge.

    Raises
    ------
    ValueError
        If there is no hedge, there are not as many frames, or a frame is unknown.

    >>> list(choices("It is Paris.", ["I believe", "perhaps"], ["clause", "adverb"]))
    ['I', 'It']
    >>> list(choices("It is Paris.", ["I believe"], ["clause"]))
    ['I believe that', 'I believe it']
    """
    if len(hedges) == 0 or len(hedges) != len(frames):
        raise ValueError(f"{text!r}: {len(hedges)} hedges, {len(frames)} frames; one frame a hedge is needed")
    sentence = read_sentence(text)
    found: dict[str, Place] = {}
    for hedge, frame in zip(hedges, frames, strict=True):
        # Deciding between places of one hedge takes many more tokens than deciding between hedges.
        for place in places(hedge, frame, sentence)[: 1 if len(hedges) > 1 else None]:
            found.setdefault(place.start, place)
    return dict(zip(_beginnings(list(found)), found.values(), strict=True))


def _beginnings(starts: list[str]) -> list[str]:
    """The first words of each start that no other start begins with."""
    split = [tuple(start.split(" ")) for start in starts]
    counts = Counter(words[:length] for words in split for length in range(1, len(words) + 1))
    lengths = [next((n for n in range(1, len(w)) if counts[w[:n]] == 1), len(w)) for w in split]
    return [" ".join(words[:length]) for words, length in zip(split, lengths, strict=True)]


def template(text: str, hedges: Sequence[str], frames: Sequence[str]) -> Place:
    """Return the rewrite that needs no model: the nearest hedge in its plainest place.

    >>> template("The capital is Paris.", ["I believe", "perhaps"], ["clause", "adverb"]).text
    'I believe that the capital is Paris.'
    """
    return next(iter(choices(text, hedges, frames).values()))


def guided_request(text: str, hedges: Sequence[str], frames: Sequence[str], *, n: int) -> dict[str, Any]:
    """Return what asks for `n` beginnings of a rewrite: messages, length and output constraint."""
    offered = list(choices(text, hedges, frames))
    return {
        "messages": prompts.messages("guided_rewrite", response=read_sentence(text).words),
        "n": n,
        # No token is shorter than a byte; the constraint ends the reply long before.
        "max_tokens": max(len(beginning.encode()) for beginning in offered) + 1,
        "constraint": {"choice": offered},
    }


def direct_request(text: str, alpha: float, beta: float) -> dict[str, Any]:
    """Return what asks for a free rewrite, given the Beta distribution alone.

    One sentence, no examples: the model leaks examples into its answers, and talks about the paper's prompt
    instead of following it.
    """
    messages = prompts.messages("guided_direct_beta", response=text, alpha=alpha, beta=beta)
    return {"messages": messages, "n": 1, "max_tokens": FREE_TOKENS, "stop": ("\n",)}


def choose_candidates(
    tasks: pd.DataFrame, replies: Mapping[str, Sequence[str | None]], reader: ReaderModel
) -> pd.DataFrame:
    """Return the rewrites of the tasks: of each task's candidates the one that is read nearest to its target.

    Nearest by the 1-Wasserstein distance of the reading to Beta(alpha, beta); of equal ones the first. A task
    whose replies are all missing or no beginning that was offered gets its template, and origin ``template``.

    Parameters
    ----------
    tasks
        Columns ``task``, ``bare`` (the answer without a hedge of its own), ``hedges``, ``frames``, ``alpha``, ``beta``.
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
    target = Beta.from_table(table)
    table["distance"] = reading.wasserstein_distance(target)
    nearest = table.groupby("task", sort=False)["distance"].idxmin()
    return table.loc[nearest, ["task", "text", "origin", "hedge"]].reset_index(drop=True)


def _candidates(task: Any, replies: Sequence[str | None]) -> list[tuple[Any, ...]]:
    """The distinct candidates of one task; its template where the model has none."""
    offered = choices(task.bare, list(task.hedges), list(task.frames))
    begun = dict.fromkeys((reply or "").strip() for reply in replies)
    written = [offered[beginning] for beginning in begun if beginning in offered]
    origin = "model" if written else "template"
    found = written or [next(iter(offered.values()))]
    return [(task.task, place.text, origin, place.hedge, task.alpha, task.beta) for place in found]
