"""Content preservation: how much of an original answer its rewrite or hedged counterpart keeps (paper section 5.3).

Two methods. ``overlap`` counts shared content words. It sees a lost or an added word, and nothing of what
words mean together, so it is no entailment and is never called so. ``entailment`` is the paper's, a
natural-language-inference model, which is asked as any other is (`ralc.llm.engines.entailment`).
"""

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import chain, islice, starmap
from typing import Any

import numpy as np
import pandas as pd

from ralc.beta.validation import Floats
from ralc.conditions import UNIT
from ralc.english import changed_meaning, parse_ahead, words
from ralc.llm import request_for, to_table
from ralc.sampling import unanswered
from ralc.steps import ANSWER_TOKENS, HEDGED_TOKENS, Calls, Step, Workload

_IDLE = frozenset(
    words(
        """
        is are was were be been being am in on at of to from for by with as it its this that these those there
        and or but do does did has have had i my me we you your he she they them his her will would so than then
        which who s t
        """
    )
)
#: What a model says of a pair, in the order of its alternatives, and the ways it is asked.
MASSES = ("p_entail", "p_neutral", "p_contradict")
DIRECTIONS = ("forth", "back")
PAIR = ["original", "rewrite"]
#: Pairs that are parsed side by side.
_PART = 1_000


class Preservation(Step):
    """Scores what is kept of the original in each distinct pair (original, rewrite)."""

    def result(
        self,
        answers: pd.DataFrame,
        plan: pd.DataFrame,
        rewrites: pd.DataFrame,
        hedges: pd.DataFrame,
        replies: pd.DataFrame | None = None,
    ) -> pd.DataFrame:
        """Return the preservation table of the run's pairs (`pairs`).

        Parameters
        ----------
        answers, plan, rewrites
            As for `pairs`.
        hedges
            The run's hedges, in a column ``expression``.
        replies
            Of a model that is asked.

        Returns
        -------
        DataFrame
            ``original, rewrite, content_preservation`` in [0, 1], ``meaning_changed``: 1 where our own rule finds
            another claim, and ``not_entailed`` where a model does. Its masses ``p_entail``, ``p_neutral``,
            ``p_contradict`` are of original -> rewrite, with ``_back`` of rewrite -> original. They are null by words.

        Raises
        ------
        ValueError
            If a pair has no answer, or replies are lacking.
        """
        distinct = pairs(answers, plan, rewrites)
        changed = []
        waiting = distinct.itertuples(index=False)
        while part := list(islice(waiting, _PART)):
            parse_ahead(chain(*part), cues_alone=True)
            changed += [float(changed_meaning(*pair) != "") for pair in part]
        return self._scored(
            distinct.assign(meaning_changed=changed), hedges["expression"].tolist(), self.replied(replies)
        )

    @abstractmethod
    def _scored(
        self, distinct: pd.DataFrame, hedges: list[str], replies: pd.DataFrame | None
    ) -> pd.DataFrame:
        """Distinct pairs with what is preserved of each."""


class OverlapPreservation(Preservation):
    """Counts shared content words."""

    def _scored(self, distinct, hedges, replies):
        dice = overlap(distinct["original"].tolist(), distinct["rewrite"].tolist(), hedges)
        return distinct.assign(content_preservation=dice, **dict.fromkeys([*MASSES, "not_entailed"], np.nan))


class EntailmentPreservation(Preservation):
    """Asks a model of natural-language inference in both directions (the paper's)."""

    def ask(
        self, answers: pd.DataFrame, plan: pd.DataFrame, rewrites: pd.DataFrame, *, model: Mapping[str, Any]
    ) -> pd.DataFrame:
        """Return the requests about each distinct pair (`pairs`): ``original, rewrite, direction``.

        ``forth`` asks how far the rewrite follows from the original. Pairs of similar length stand together, so that
        they share a forward pass.

        Parameters
        ----------
        answers, plan, rewrites
            As for `pairs`.
        model
            The model's entry in the configuration.
        """
        distinct = pairs(answers, plan, rewrites)
        length = distinct["original"].str.len() + distinct["rewrite"].str.len()
        ordered = distinct.loc[length.sort_values(kind="stable", ascending=False).index]
        both_ways = ordered.merge(pd.DataFrame({"direction": DIRECTIONS}), how="cross")
        requests = []
        for original, rewrite, direction in both_ways.itertuples(index=False):
            turns = (original, rewrite) if direction == "forth" else (rewrite, original)
            messages = [{"role": "user", "content": text} for text in turns]
            requests.append(request_for(model, messages, temperature=0))
        return to_table(requests, both_ways)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return the calls, one a direction of each pair; nothing is written."""
        asked = len(DIRECTIONS) * (run.rewrites + run.hedged)
        return [Calls(asked, asked, ANSWER_TOKENS + HEDGED_TOKENS, 0)]

    def _scored(self, distinct, hedges, replies):
        if (~replies["valid"]).any():
            raise ValueError(f"no answer to the pair {replies.loc[~replies['valid'], 'original'].iloc[0]!r}")
        masses = pd.DataFrame(np.exp(np.stack(replies["alternatives"].to_list())), columns=MASSES)
        said = replies[[*PAIR, "direction"]].join(masses)
        forth, back = (
            said[said["direction"] == direction].set_index(PAIR)[list(MASSES)] for direction in DIRECTIONS
        )
        scored = distinct.join(forth, on=PAIR, validate="one_to_one")
        scored = scored.join(back.add_suffix("_back"), on=PAIR, validate="one_to_one")
        if scored["p_entail"].isna().any():
            raise ValueError("the requests are of other pairs: delete their table, and it is made again")
        ways = [scored[[f"{mass}{end}" for mass in MASSES]].to_numpy(float) for end in ("", "_back")]
        return scored.assign(content_preservation=entailment_score(ways[0]), not_entailed=not_entailed(*ways))


#: The methods of preservation, by their names in the configuration.
METHODS: dict[str, type[Preservation]] = {
    "overlap": OverlapPreservation,
    "entailment": EntailmentPreservation,
}


def pairs(answers: pd.DataFrame, plan: pd.DataFrame, rewrites: pd.DataFrame) -> pd.DataFrame:
    """Return the distinct pairs (original, rewrite) whose content is compared: rewrites, and hedged answers.

    Parameters
    ----------
    answers
        Answers of all targets, in a column ``target``.
    plan
        The tasks, with the originals of `rewrites`, by ``task``.
    rewrites
        What was made of them, by ``task``.
    """
    rewritten = plan[["task", "text"]].drop_duplicates()
    rewritten = rewritten.merge(rewrites[["task", "text"]], on="task", validate="one_to_one")
    by_prompt = answers[~unanswered(answers)].set_index(["target", *UNIT, "prompt"])["text"].unstack()  # noqa: PD010
    # Recorded samples may have no hedged answer at all.
    hedged = by_prompt.reindex(columns=["direct", "hedged"]).dropna()
    parts = [rewritten[["text_x", "text_y"]].set_axis(PAIR, axis=1), hedged.set_axis(PAIR, axis=1)]
    return pd.concat(parts, ignore_index=True).drop_duplicates(ignore_index=True)


def overlap(originals: Sequence[str], rewrites: Sequence[str], hedges: Sequence[str]) -> Floats:
    """Return the Dice coefficient of the content words of originals and rewrites, one a pair: 1 where all are shared.

    ``2 |A and B| / (|A| + |B|)``, over sets of words in normal form (`ralc.english.words`). Function words
    and the run's hedges are left out: a hedge adds and takes no content. Two texts without content words score 1.

    Parameters
    ----------
    originals, rewrites
        Texts, of one length.
    hedges
        Expressions whose words do not count.

    Examples
    --------
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
        before = self.words(original)
        after = self.words(rewrite)
        # A hedging word that only one of the two has came or went with its hedge.
        before, after = before - (self.hedge_words - after), after - (self.hedge_words - before)
        both = len(before) + len(after)
        return 2 * len(before & after) / both if both else 1.0


def entailment_score(masses: Floats) -> Floats:
    """Return ``p_entail + 0.5 p_neutral`` (paper section 5.3), in [0, 1].

    >>> entailment_score(np.array([[0.7, 0.2, 0.1]])).round(6).tolist()
    [0.8]
    """
    return np.clip(masses[..., 0] + 0.5 * masses[..., 1], 0.0, 1.0)


def not_entailed(forth: Floats, back: Floats) -> Floats:
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
