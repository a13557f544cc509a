"""The paper's evaluator: an ensemble of language models, three passes each (paper section 3.1, appendix C.2).

What is read is a table of items, ``item, text``, a row an item. Equal texts are equal requests, and so have equal
readings, unless every item is read anew (protocols `paper`, `authors`).
"""

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.beta import Beta
from ralc.llm import request_for, to_table
from ralc.prompts import Messages, messages
from ralc.protocols import Protocol
from ralc.readers.humancues import human_annotated_cues

#: A whole reply that counts as a score: an integer from 0 to 100, nothing else.
SCORE_PATTERN = "100|[1-9]?[0-9]"
LEAST_SHARE = 5 / 9  # a text with fewer valid scores than that, of those wanted, is unscored
_SCORE = re.compile(SCORE_PATTERN)
_MAX_TOKENS = 6


def question(text: str, cues: str | None = None) -> Messages:
    """The evaluator's prompt for a text; `cues` is the block of human-annotated cues, by default the committed one."""
    block = human_annotated_cues() if cues is None else cues
    return messages("evaluator", human_annotated_cues=block, sentence=text)


def render_readings(
    texts: pd.DataFrame,
    *,
    model: Mapping[str, Any],
    passes: int = 3,
    seed: int,
    fresh: bool = False,
    cues: str | None = None,
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
    fresh
        Whether every item is read anew; else equal texts are equal requests and are sent once.
    cues
        The block of human-annotated cues; by default the committed one.

    Raises
    ------
    ValueError
        If `passes` is below 1.
    """
    if passes < 1:
        raise ValueError(f"passes = {passes} must be at least 1")
    block = human_annotated_cues() if cues is None else cues
    requests = (
        request_for(
            model,
            question(text, block),
            n=passes,
            max_tokens=_MAX_TOKENS,
            constraint={"regex": SCORE_PATTERN},
        ).with_content_seed(seed, *((item,) if fresh else ()))
        for item, text in zip(texts["item"], texts["text"], strict=True)
    )
    return to_table(requests, item=texts["item"].tolist(), text=texts["text"].tolist())


def parse_score(reply: str) -> float | None:
    """The score of a reply in [0, 1]; None unless the whole reply is an integer from 0 to 100.

    >>> parse_score(" 85\\n"), parse_score("3/10"), parse_score("101"), parse_score("about 80")
    (0.85, None, None, None)
    """
    found = _SCORE.fullmatch(reply.strip())
    return int(found.group()) / 100 if found else None


def parse_readings(requests: pd.DataFrame, responses: pd.DataFrame, *, reader: str) -> pd.DataFrame:
    """Return one row an item and wanted pass: ``item, text, reader, sample, score``; what is no score is null.

    A pass that has no response is a row with a null score, so nothing is lost from sight.

    Raises
    ------
    ValueError
        If a column is missing.
    """
    for name, table, columns in (
        ("requests", requests, ("key", "item", "text", "n")),
        ("responses", responses, ("key", "sample", "text")),
    ):
        missing = [column for column in columns if column not in table]
        if missing:
            raise ValueError(f"{name}: no column {missing[0]!r}")
    wanted = requests[["key", "item", "text", "n"]].reset_index(drop=True)
    wanted = wanted.loc[wanted.index.repeat(wanted["n"])]
    wanted = wanted.assign(sample=wanted.groupby(level=0).cumcount())
    replies = responses.rename(columns={"text": "reply"})[["key", "sample", "reply"]]
    joined = wanted.merge(
        replies.drop_duplicates(["key", "sample"]), on=["key", "sample"], how="left", validate="many_to_one"
    )
    scores = [parse_score(reply) if isinstance(reply, str) else None for reply in joined["reply"]]
    table = joined[["item", "text", "sample"]].assign(reader=reader, score=pd.Series(scores, dtype="float64"))
    return table[["item", "text", "reader", "sample", "score"]].reset_index(drop=True)


def fit_readings(
    scores: pd.DataFrame, *, reader: str = "ensemble", protocol: str | Protocol = "ralc"
) -> pd.DataFrame:
    """Return one Beta an item from the scores of all evaluators: ``item, text, reader, alpha, beta, readings``.

    `readings` counts the valid scores. An item with fewer than 5 of 9 of the wanted scores is unscored: its
    parameters are null.

    >>> table = pd.DataFrame(
    ...     {"item": "i", "text": "a", "score": [0.8, 0.9, 0.7, 0.8, 0.9, None, None, None, None]}
    ... )
    >>> fit_readings(table)[["reader", "readings"]].values.tolist()
    [['ensemble', 5]]
    """
    grouped = scores.groupby(["item", "text"])
    wide = scores.assign(place=grouped.cumcount())
    wide = wide.set_index(["item", "text", "place"])["score"].unstack()  # noqa: PD010
    wanted = grouped.size().reindex(wide.index)
    valid = wide.notna().sum(axis=1)
    scored = ((valid >= 1) & (valid >= LEAST_SHARE * wanted - 1e-9)).to_numpy()
    table = wide.index.to_frame(index=False).assign(reader=reader, alpha=float("nan"), beta=float("nan"))
    if scored.any():
        confidence = Beta.fit_moments(wide[scored].to_numpy(float), protocol=protocol)
        table.loc[scored, "alpha"] = confidence.alpha
        table.loc[scored, "beta"] = confidence.beta
    return table.assign(readings=valid.to_numpy())
