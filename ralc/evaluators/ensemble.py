"""The paper's evaluator: an ensemble of language models, three passes each (paper section 3.1, appendix C.2).

Equal texts are equal requests and share one reading, unless every item is read anew (protocols `paper`, `authors`). A
reply counts only if the whole of it is a score from 0 to 100.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ralc import data
from ralc.beta import Beta
from ralc.evaluators.evaluator import Evaluator
from ralc.llm import request_for, to_table
from ralc.prompts import messages
from ralc.protocols import Protocol, resolve
from ralc.steps import HEDGED_TOKENS, Calls

#: A whole reply that counts as a score: an integer from 0 to 100, nothing else.
SCORE_PATTERN = "100|[1-9]?[0-9]"
#: ASSUME: tokens of the prompt's own words, with the human cues in it.
PROMPT_TOKENS = 1070
#: A text with a smaller share of valid scores is unscored.
LEAST_SHARE = 5 / 9
#: Room for a score, and for one that is written freely.
_MAX_TOKENS = {False: 6, True: 16}


class Ensemble(Evaluator):
    """Language models that are asked for scores by the paper's prompt, `passes` times each."""

    models = (1, None)
    options = ("passes",)

    def __init__(self, name: str = "ensemble", *, passes: int = 3) -> None:
        super().__init__(name)
        self.passes = passes

    def ask(
        self, texts: pd.DataFrame, *, model: Mapping[str, Any], seed: int, protocol: str | Protocol = "ralc"
    ) -> pd.DataFrame:
        """Return the requests to one model, one an item, its passes as `n`.

        By the protocol's `letter` the reply is not constrained to a score, and the cues are those of Tao et al.

        Parameters
        ----------
        texts, model, seed, protocol
            As for `Evaluator.ask`.
        """
        letter = resolve(protocol).letter
        cues = human_annotated_cues("human_cues_tao.csv" if letter else "human_cues.csv")
        requests = (
            request_for(
                model,
                messages("evaluator", human_annotated_cues=cues, sentence=text),
                n=self.passes,
                max_tokens=_MAX_TOKENS[letter],
                constraint=None if letter else {"regex": SCORE_PATTERN},
            ).with_content_seed(seed, *((item,) if letter else ()))
            for item, text in zip(texts["item"], texts["text"], strict=True)
        )
        return to_table(requests, texts[["item", "text"]])

    def calls(self, texts: int) -> list[Calls]:
        """Return the calls, one request a text; of a short score."""
        return [Calls(texts, texts * self.passes, PROMPT_TOKENS + HEDGED_TOKENS, 2)]

    def readings(
        self, texts: pd.DataFrame, replies: pd.DataFrame, *, protocol: str | Protocol = "ralc"
    ) -> pd.DataFrame:
        """Return one Beta an item from the scores of all its models, by moments; `readings` counts the valid ones.

        An item with fewer than 5 of 9 of the wanted scores is unscored: its parameters are null.

        Parameters
        ----------
        texts, replies, protocol
            As for `Evaluator.readings`.
        """
        scores = replies[["item", "text"]].assign(score=_scores(replies))
        grouped = scores.groupby(["item", "text"])
        wide = scores.assign(place=grouped.cumcount())
        wide = wide.set_index(["item", "text", "place"])["score"].unstack()  # noqa: PD010
        valid = wide.notna().sum(axis=1)
        wanted = grouped.size().reindex(wide.index)
        scored = ((valid >= 1) & (valid >= LEAST_SHARE * wanted - 1e-9)).to_numpy()
        parameters = np.full((len(wide), 2), np.nan)
        if scored.any():
            fitted = Beta.fit_moments(wide[scored].to_numpy(float), protocol=protocol)
            parameters[scored] = np.column_stack([fitted.alpha, fitted.beta])
        alpha, beta = parameters.T
        table = wide.index.to_frame(index=False)
        return table.assign(evaluator=self.name, alpha=alpha, beta=beta, readings=valid.to_numpy())

    def scored(self, texts: pd.DataFrame, replies: pd.DataFrame) -> pd.DataFrame:
        """Return the valid scores."""
        scores = replies[["item"]].assign(evaluator=self.name, score=_scores(replies), variance=0.0)
        return scores.dropna(subset=["score"])


def _scores(replies: pd.DataFrame) -> pd.Series:
    """The score of each reply; null where it is none."""
    return replies["reply"].map(parse_score).astype(float)


def parse_score(reply: str) -> float | None:
    """Return the score of a reply in [0, 1]; None unless the whole reply is an integer from 0 to 100.

    >>> parse_score(" 85\\n"), parse_score("3/10"), parse_score("101"), parse_score("about 80")
    (0.85, None, None, None)
    """
    match = re.fullmatch(SCORE_PATTERN, reply.strip())
    return int(match.group()) / 100 if match else None


class HumanCue(NamedTuple):
    """How people read an expression: mean and SD of `n` scores in [0, 1], and the study."""

    expression: str
    mean: float
    sd: float
    n: int
    source: str


@cache
def human_cues(file: str = "human_cues.csv") -> dict[str, HumanCue]:
    """Return the committed cues by their expressions.

    They are those of all studies, or of ``human_cues_tao.csv`` the fifty expressions that most training sentences of
    Tao et al. have as their only cue.

    >>> len(human_cues("human_cues_tao.csv"))
    50
    """
    cues = (
        HumanCue(one["expression"], float(one["mean"]), float(one["sd"]), int(one["n"]), one["source"])
        for one in data.rows(file)
    )
    return {cue.expression: cue for cue in cues}


def human_annotated_cues(file: str = "human_cues.csv") -> str:
    """Return the ``human_annotated_cues`` block of the evaluator prompt, one cue a line, the most confident first.

    >>> human_annotated_cues().splitlines()[0].count("standard deviation")
    1
    """
    return "\n".join(
        f'- "{cue.expression}": mean {100 * cue.mean:.0f}, standard deviation {100 * cue.sd:.0f}'
        for cue in sorted(human_cues(file).values(), key=lambda cue: -cue.mean)
    )
