"""The paper's evaluator: an ensemble of language models, three passes each (paper section 3.1, appendix C.2).

A text is a row of a table ``item, text``. Equal texts are equal requests and share one reading, unless every item is
read anew (protocols `paper`, `authors`). A reply counts only if the whole of it is a score from 0 to 100.
"""

import re
from collections.abc import Mapping
from typing import Any, Self

import pandas as pd

from ralc.beta import Beta
from ralc.evaluators.evaluator import Evaluator
from ralc.evaluators.human_cues import human_annotated_cues, load_human_cues
from ralc.llm import request_for, to_table
from ralc.llm.tables import join
from ralc.prompts import messages
from ralc.protocols import Protocol, resolve

#: A whole reply that counts as a score: an integer from 0 to 100, nothing else.
SCORE_PATTERN = "100|[1-9]?[0-9]"
#: A text with a smaller share of valid scores is unscored.
LEAST_SHARE = 5 / 9
_SCORE = re.compile(SCORE_PATTERN)
#: Room for a score, and for one that is written freely.
_MAX_TOKENS = {False: 6, True: 16}


class Ensemble(Evaluator):
    """Language models that are asked for scores by the paper's prompt.

    Parameters
    ----------
    name
        In the configuration and the results.
    passes
        Scores asked of each model.
    """

    models = (1, None)
    options = ("passes",)

    def __init__(self, name: str, *, passes: int = 3) -> None:
        super().__init__(name)
        self.passes = passes

    @property
    def asks(self) -> tuple[int, int]:
        """One request a text, whose answers are the passes."""
        return 1, self.passes

    @classmethod
    def load(cls, *, name: str = "ensemble", **options: Any) -> Self:
        """Return the evaluator."""
        return cls(name, **options)

    def ask(
        self, texts: pd.DataFrame, *, model: Mapping[str, Any], seed: int, protocol: str | Protocol = "ralc"
    ) -> pd.DataFrame:
        """Return the requests to one model."""
        cues = human_annotated_cues(load_human_cues("tao" if resolve(protocol).letter else "studies"))
        return render_readings(
            texts, model=model, passes=self.passes, seed=seed, cues=cues, protocol=protocol
        )

    def readings(
        self,
        texts: pd.DataFrame,
        requests: pd.DataFrame,
        responses: pd.DataFrame,
        *,
        protocol: str | Protocol = "ralc",
    ) -> pd.DataFrame:
        """Return one Beta an item, by moments; `readings` counts the valid scores."""
        scores = parse_readings(requests, responses, evaluator=self.name)
        return fit_readings(scores, evaluator=self.name, protocol=protocol)

    def scored(self, texts: pd.DataFrame, requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
        """Return the valid scores."""
        scores = parse_readings(requests, responses, evaluator=self.name).dropna(subset=["score"])
        return scores[["item", "evaluator", "score"]].assign(variance=0.0)


def render_readings(
    texts: pd.DataFrame,
    *,
    model: Mapping[str, Any],
    passes: int = 3,
    seed: int,
    cues: str | None = None,
    protocol: str | Protocol = "ralc",
) -> pd.DataFrame:
    """Return the requests table of one evaluator: one request an item, its passes as `n`.

    Parameters
    ----------
    texts
        ``item, text``: what is read, a row an item.
    model
        The evaluator's entry in the configuration.
    passes
        Readings of each text (paper: 3).
    seed
        Of the run.
    cues
        The block of human-annotated cues; by default the committed one.
    protocol
        Its ``letter``: every item is read anew (else equal texts are equal requests and are sent once), and the reply
        is not constrained to a score.

    Raises
    ------
    ValueError
        If `passes` is below 1.
    """
    if passes < 1:
        raise ValueError(f"passes = {passes} must be at least 1")
    block = human_annotated_cues() if cues is None else cues
    letter = resolve(protocol).letter
    requests = (
        request_for(
            model,
            messages("evaluator", human_annotated_cues=block, sentence=text),
            n=passes,
            max_tokens=_MAX_TOKENS[letter],
            constraint=None if letter else {"regex": SCORE_PATTERN},
        ).with_content_seed(seed, *((item,) if letter else ()))
        for item, text in zip(texts["item"], texts["text"], strict=True)
    )
    return to_table(requests, item=texts["item"].tolist(), text=texts["text"].tolist())


def parse_readings(requests: pd.DataFrame, responses: pd.DataFrame, *, evaluator: str) -> pd.DataFrame:
    """Return one row an item and wanted pass: ``item, text, evaluator, sample, score``; what is no score is null.

    Raises
    ------
    ValueError
        If a request lacks an answer.
    """
    table = join(requests, responses)
    scores = pd.Series([parse_score(reply) for reply in table["reply"]], dtype="float64")
    return table.assign(evaluator=evaluator, score=scores)[["item", "text", "evaluator", "sample", "score"]]


def fit_readings(
    scores: pd.DataFrame, *, evaluator: str = "ensemble", protocol: str | Protocol = "ralc"
) -> pd.DataFrame:
    """Return one Beta an item from the scores of all evaluators: ``item, text, evaluator, alpha, beta, readings``.

    `readings` counts the valid scores. An item with fewer than 5 of 9 of the wanted scores is unscored: its
    parameters are null.

    >>> table = pd.DataFrame(
    ...     {"item": "i", "text": "a", "score": [0.8, 0.9, 0.7, 0.8, 0.9, None, None, None, None]}
    ... )
    >>> fit_readings(table)[["evaluator", "readings"]].values.tolist()
    [['ensemble', 5]]
    """
    grouped = scores.groupby(["item", "text"])
    wide = scores.assign(place=grouped.cumcount())
    wide = wide.set_index(["item", "text", "place"])["score"].unstack()  # noqa: PD010
    wanted = grouped.size().reindex(wide.index)
    valid = wide.notna().sum(axis=1)
    scored = ((valid >= 1) & (valid >= LEAST_SHARE * wanted - 1e-9)).to_numpy()
    table = wide.index.to_frame(index=False).assign(
        evaluator=evaluator, alpha=float("nan"), beta=float("nan")
    )
    if scored.any():
        confidence = Beta.fit_moments(wide[scored].to_numpy(float), protocol=protocol)
        table.loc[scored, "alpha"] = confidence.alpha
        table.loc[scored, "beta"] = confidence.beta
    return table.assign(readings=valid.to_numpy())


def parse_score(reply: str) -> float | None:
    """Return the score of a reply in [0, 1]; None unless the whole reply is an integer from 0 to 100.

    >>> parse_score(" 85\\n"), parse_score("3/10"), parse_score("101"), parse_score("about 80")
    (0.85, None, None, None)
    """
    found = _SCORE.fullmatch(reply.strip())
    return int(found.group()) / 100 if found else None
