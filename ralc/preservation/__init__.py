"""Content preservation: how much of an original answer its rewrite keeps (paper section 5.3).

Two methods. ``overlap`` counts shared content words. It sees a lost or an added word, and nothing of what
words mean together, so it is no entailment and is never called so. ``entailment`` is the paper's, a
natural-language-inference model, which is asked as any other is (`ralc.llm.engines.entailment`).
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain, islice, starmap
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ralc.english import changed_meaning, parse_ahead, words
from ralc.llm import request_for, to_table

Masses = NDArray[np.float64]
#: What a model says of a pair, in the order of its alternatives, and the ways it is asked.
MASSES = ("p_entail", "p_neutral", "p_contradict")
DIRECTIONS = ("forth", "back")
_IDLE = frozenset(
    words(
        """
        is are was were be been being am in on at of to from for by with as it its this that these those there
        and or but do does did has have had i my me we you your he she they them his her will would so than then
        which who s t
        """
    )
)


def overlap(originals: Sequence[str], rewrites: Sequence[str], hedges: Sequence[str]) -> Masses:
    """Return the Dice coefficient of the content words of originals and rewrites, one a pair: 1 where all are shared.

    ``2 |A and B| / (|A| + |B|)``, over sets of words in normal form (`ralc.english.words`). Function words
    and the run's hedges are left out: a hedge adds and takes no content. Two texts without content words score 1.

    >>> overlap(["It was Paris.", "Paris"], ["Perhaps it was Paris.", "It is Lyon."], ["perhaps"]).tolist()
    [1.0, 0.0]
    """
    return np.array(list(starmap(Content(hedges).dice, zip(originals, rewrites, strict=True))), dtype=float)


class Content:
    """What an answer says, apart from the hedges of a lexicon."""

    def __init__(self, hedges: Sequence[str]) -> None:
        expressions = sorted({" ".join(words(hedge)) for hedge in hedges}, key=len, reverse=True)
        phrases = [f" {re.escape(hedge)}(?= )" for hedge in expressions if " " in hedge]
        self._phrases = re.compile("|".join(phrases) or r"(?!)")
        carriers = words("the answer is, my answer would be, it is not the case that")
        hedging = {word for hedge in hedges for word in words(hedge)}
        #: The words that hedges are made of, and those that carry them; negations are no hedging words.
        self.hedge_words = frozenset(hedging.union(carriers) - _IDLE - {"not", "no", "never"})

    def words(self, text: str) -> frozenset[str]:
        """Return the words of a text, in normal form, that are no function words and belong to no hedge.

        Hedges of several words go as a whole, so that the *not* of "I am not sure" is no negation of the answer.

        >>> sorted(Content(["I am not sure"]).words("I am not sure, but the report is not accurate."))
        ['accurate', 'not', 'report']
        """
        return frozenset(self._phrases.sub(" ", " ".join(["", *words(text), ""])).split()) - _IDLE

    def dice(self, original: str, rewrite: str) -> float:
        """Return the Dice coefficient of two texts' content words."""
        before, after = self.words(original), self.words(rewrite)
        # A hedging word that only one of the two has came or went with its hedge.
        before, after = before - (self.hedge_words - after), after - (self.hedge_words - before)
        both = len(before) + len(after)
        return 2 * len(before & after) / both if both else 1.0


def render(pairs: pd.DataFrame, model: Mapping[str, Any]) -> pd.DataFrame:
    """Return the requests table of method ``entailment``: of each distinct pair (original, rewrite) both directions.

    Its own columns are ``original, rewrite, direction``; ``forth`` asks how far the rewrite follows from the
    original. Pairs of similar length stand together, so that they share a forward pass.
    """
    distinct = pairs[["original", "rewrite"]].drop_duplicates()
    length = distinct["original"].str.len() + distinct["rewrite"].str.len()
    ordered = distinct.loc[length.sort_values(kind="stable", ascending=False).index]
    both_ways = ordered.merge(pd.DataFrame({"direction": DIRECTIONS}), how="cross")
    requests = []
    for original, rewrite, direction in both_ways.itertuples(index=False):
        turns = (original, rewrite) if direction == "forth" else (rewrite, original)
        requests.append(
            request_for(model, [{"role": "user", "content": text} for text in turns], temperature=0)
        )
    return to_table(requests, **{name: both_ways[name].tolist() for name in both_ways})


def score(
    pairs: pd.DataFrame,
    *,
    hedges: Sequence[str],
    replies: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return `pairs` (original, rewrite), each distinct one once, with what is preserved.

    Adds ``content_preservation`` in [0, 1]. ``p_entail``, ``p_neutral``, ``p_contradict`` are of original -> rewrite,
    with ``_back`` of rewrite -> original. ``meaning_changed`` is 1 where our own rule finds another claim,
    ``not_entailed`` where the model does. Without `replies` the method is ``overlap``, without masses.

    ValueError where a pair has no answer.
    """
    distinct = pairs[["original", "rewrite"]].drop_duplicates(ignore_index=True)
    changed, waiting = [], distinct.itertuples(index=False)
    while part := list(islice(waiting, 1_000)):  # parsed side by side
        parse_ahead(chain(*part), cues_alone=True)
        changed += [float(changed_meaning(*pair) != "") for pair in part]
    distinct["meaning_changed"] = changed
    if replies is None:
        dice = overlap(distinct["original"].tolist(), distinct["rewrite"].tolist(), hedges)
        return distinct.assign(content_preservation=dice, **dict.fromkeys([*MASSES, "not_entailed"], np.nan))
    if (~replies["valid"]).any():
        raise ValueError(f"no answer to the pair {replies.loc[~replies['valid'], 'original'].iloc[0]!r}")
    answers = replies.copy()
    answers[list(MASSES)] = np.exp(np.stack(answers["alternatives"].to_list()))
    forth, back = (
        answers[answers["direction"] == direction].set_index(["original", "rewrite"])[list(MASSES)]
        for direction in DIRECTIONS
    )
    scored = distinct.join(forth, on=["original", "rewrite"], validate="one_to_one")
    scored = scored.join(back.add_suffix("_back"), on=["original", "rewrite"], validate="one_to_one")
    if scored["p_entail"].isna().any():
        raise ValueError("the requests are of other pairs: delete their table, and it is made again")
    forth, back = (scored[[f"{mass}{end}" for mass in MASSES]].to_numpy(float) for end in ("", "_back"))
    return scored.assign(content_preservation=entailment_score(forth), not_entailed=not_entailed(forth, back))


def entailment_score(masses: Masses) -> Masses:
    """Return ``p_entail + 0.5 p_neutral`` (paper section 5.3), in [0, 1].

    >>> entailment_score(np.array([[0.7, 0.2, 0.1]])).round(6).tolist()
    [0.8]
    """
    return np.clip(masses[..., 0] + 0.5 * masses[..., 1], 0.0, 1.0)


def not_entailed(forth: Masses, back: Masses) -> Masses:
    """Return 1 for each pair of which a model says that the rewrite claims something else than its original, else 0.

    It does where a contradiction is most probable in either direction, or entailment in neither. "Perhaps it is Paris"
    follows from "it is Paris", and not the other way round. Both are of shape (pairs, 3): ``p_entail, p_neutral,
    p_contradict``, original -> rewrite and rewrite -> original.

    >>> entails, neutral, contradicts = np.eye(3)
    >>> not_entailed(np.array([entails, neutral, entails]), np.array([neutral, neutral, contradicts])).tolist()
    [0.0, 1.0, 1.0]
    """
    verdicts = np.stack([forth.argmax(axis=1), back.argmax(axis=1)])
    return ((verdicts == 2).any(axis=0) | (verdicts != 0).all(axis=0)).astype(float)
