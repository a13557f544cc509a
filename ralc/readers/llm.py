"""The paper's evaluator: an ensemble of language models, three passes each (paper section 3.1, appendix C.2)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ralc.beta import Beta
from ralc.llm import request_for, to_table
from ralc.prompts import messages
from ralc.protocols import Protocol
from ralc.readers.humancues import human_annotated_cues

#: A whole reply that counts as a score: an integer from 0 to 100, nothing else.
SCORE_PATTERN = "100|[1-9]?[0-9]"
LEAST_SHARE = 5 / 9  # a text with fewer valid scores than that, of those wanted, is unscored
_SCORE = re.compile(SCORE_PATTERN)
_MAX_TOKENS = 6


def render_readings(
    texts: Sequence[str],
    *,
    model: Mapping[str, Any],
    passes: int = 3,
    seed: int,
    items: Sequence[str] | None = None,
    cues: str | None = None,
) -> pd.DataFrame:
    """Return the requests table of one evaluator: one request a text, its passes as `n`.

    Parameters
    ----------
    texts
        What is read; equal texts are equal requests and are sent once.
    model
        The evaluator's entry in the configuration.
    passes
        Readings of each text (paper: 3).
    seed
        Of the run.
    items
        Ids of the items that the texts belong to: then every item is read anew (protocols `paper`, `authors`).
    cues
        The block of human-annotated cues; by default the committed one.

    Raises
    ------
    ValueError
        If `passes` is below 1 or there are not as many items as texts.
    """
    if passes < 1:
        raise ValueError(f"passes = {passes} must be at least 1")
    if items is not None and len(items) != len(texts):
        raise ValueError(f"{len(items)} items for {len(texts)} texts")
    block = human_annotated_cues() if cues is None else cues
    requests = []
    for index, text in enumerate(texts):
        request = request_for(
            model,
            messages("evaluator", human_annotated_cues=block, sentence=text),
            n=passes,
            max_tokens=_MAX_TOKENS,
            constraint={"regex": SCORE_PATTERN},
        )
        requests.append(request.with_content_seed(seed, *(() if items is None else (str(items[index]),))))
    return to_table(requests, text=list(texts))


def parse_score(reply: str) -> float | None:
    """The score of a reply in [0, 1]; None unless the whole reply is an integer from 0 to 100.

    >>> parse_score(" 85\\n"), parse_score("3/10"), parse_score("101"), parse_score("about 80")
    (0.85, None, None, None)
    """
    found = _SCORE.fullmatch(reply.strip())
    return int(found.group()) / 100 if found else None


def parse_readings(requests: pd.DataFrame, responses: pd.DataFrame, *, reader: str) -> pd.DataFrame:
    """Return one row a text and wanted pass: ``text, reader, sample, score``; a reply that is no score is null.

    A pass that has no response is a row with a null score, so nothing is lost from sight.

    Raises
    ------
    ValueError
        If a column is missing.
    """
    for name, table, columns in (
        ("requests", requests, ("key", "text", "n")),
        ("responses", responses, ("key", "sample", "text")),
    ):
        missing = [column for column in columns if column not in table]
        if missing:
            raise ValueError(f"{name}: no column {missing[0]!r}")
    wanted = requests[["key", "text", "n"]].drop_duplicates("text")
    wanted = wanted.loc[wanted.index.repeat(wanted["n"])].assign(
        sample=lambda rows: rows.groupby("text").cumcount()
    )
    replies = responses.rename(columns={"text": "reply"})[["key", "sample", "reply"]]
    joined = wanted.merge(replies, on=["key", "sample"], how="left", validate="many_to_one")
    scores = [parse_score(reply) if isinstance(reply, str) else None for reply in joined["reply"]]
    table = joined[["text", "sample"]].assign(reader=reader, score=pd.Series(scores, dtype="float64"))
    return table[["text", "reader", "sample", "score"]].reset_index(drop=True)


def fit_readings(
    scores: pd.DataFrame, *, reader: str = "ensemble", protocol: str | Protocol = "ralc"
) -> pd.DataFrame:
    """Return one Beta a text from the scores of all evaluators: ``text, reader, alpha, beta, readings``.

    `readings` counts the valid scores. A text with fewer than 5 of 9 of the wanted scores is unscored: its
    parameters are null.

    >>> table = pd.DataFrame({"text": "a", "score": [0.8, 0.9, 0.7, 0.8, 0.9, None, None, None, None]})
    >>> fit_readings(table)[["reader", "readings"]].values.tolist()
    [['ensemble', 5]]
    """
    wide = scores.assign(place=scores.groupby("text").cumcount())
    wide = wide.set_index(["text", "place"])["score"].unstack()  # noqa: PD010
    wanted = scores.groupby("text").size().reindex(wide.index)
    valid = wide.notna().sum(axis=1)
    scored = (valid >= 1) & (valid >= LEAST_SHARE * wanted - 1e-9)
    table = pd.DataFrame({"text": wide.index, "reader": reader, "alpha": float("nan"), "beta": float("nan")})
    if scored.any():
        confidence = Beta.fit_moments(wide[scored].to_numpy(float), protocol=protocol)
        table.loc[scored.to_numpy(), "alpha"] = confidence.alpha
        table.loc[scored.to_numpy(), "beta"] = confidence.beta
    return table.assign(readings=valid.to_numpy())
