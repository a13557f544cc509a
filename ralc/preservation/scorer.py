"""How much of each original answer its rewrite, or its hedged counterpart, keeps: a step by words, or by a model."""

from abc import abstractmethod
from collections.abc import Mapping
from itertools import chain, islice
from typing import Any

import numpy as np
import pandas as pd

from ralc.conditions import UNIT
from ralc.english import changed_meaning, parse_ahead
from ralc.llm import request_for, to_table
from ralc.preservation import entailment_score, not_entailed, overlap
from ralc.sampling import unanswered
from ralc.steps import ANSWER_TOKENS, HEDGED_TOKENS, Calls, Step, Workload

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
            If a pair has no answer.
        """
        distinct = pairs(answers, plan, rewrites)
        changed = []
        waiting = distinct.itertuples(index=False)
        while part := list(islice(waiting, _PART)):
            parse_ahead(chain(*part), cues_alone=True)
            changed += [float(changed_meaning(*pair) != "") for pair in part]
        return self._scored(distinct.assign(meaning_changed=changed), hedges["expression"].tolist(), replies)

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
        if replies is None:
            raise ValueError("preservation by entailment: there are no replies")
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
