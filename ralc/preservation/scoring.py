"""What is asked of a model of entailment, and the table of what rewrites preserve, by either method."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ralc.english import changed_meaning
from ralc.llm import request_for, to_table
from ralc.llm.tables import join
from ralc.preservation.content import Masses, overlap

#: What a model says of a pair, in the order of its alternatives, and the ways it is asked.
MASSES = ("p_entail", "p_neutral", "p_contradict")
DIRECTIONS = ("forth", "back")


def render(pairs: pd.DataFrame, model: Mapping[str, Any]) -> pd.DataFrame:
    """Return the requests table of method ``entailment``: of each distinct pair (original, rewrite) both directions.

    Its own columns are ``original, rewrite, direction``; ``forth`` asks how far the rewrite follows from the
    original. Pairs of similar length stand together, so that they share a forward pass.
    """
    distinct = _distinct(pairs)
    length = distinct["original"].str.len() + distinct["rewrite"].str.len()
    distinct = distinct.loc[length.sort_values(kind="stable", ascending=False).index]
    rows = [
        (original, rewrite, direction)
        for original, rewrite in distinct.itertuples(index=False)
        for direction in DIRECTIONS
    ]
    turns = [(one, two) if direction == "forth" else (two, one) for one, two, direction in rows]
    requests = [
        request_for(model, [{"role": "user", "content": text} for text in texts], temperature=0)
        for texts in turns
    ]
    columns = zip(*rows, strict=True) if rows else ([], [], [])
    return to_table(requests, **dict(zip(("original", "rewrite", "direction"), columns, strict=True)))


def score(
    pairs: pd.DataFrame,
    *,
    hedges: Sequence[str],
    requests: pd.DataFrame | None = None,
    responses: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return `pairs` (original, rewrite), each distinct one once, with what is preserved.

    Adds ``content_preservation`` in [0, 1]; ``p_entail``, ``p_neutral``, ``p_contradict``, original -> rewrite, and
    with ``_back`` rewrite -> original; ``meaning_changed``: 1 where our own rule finds another claim; ``not_entailed``:
    1 where the model does. Without `requests` and `responses` the method is ``overlap``, whose masses are null.

    Raises
    ------
    ValueError
        If a text is missing, or a pair has no answer.
    """
    distinct = _distinct(pairs)
    distinct["meaning_changed"] = [
        float(changed_meaning(*pair, hedges) != "") for pair in distinct.itertuples(index=False)
    ]
    if requests is None or responses is None:
        kept = overlap(distinct["original"].tolist(), distinct["rewrite"].tolist(), hedges)
        nothing = dict.fromkeys([*MASSES, "not_entailed"], np.nan)
        return distinct.assign(content_preservation=kept, **nothing)
    answers = join(requests, responses)
    if (~answers["valid"]).any():
        raise ValueError(f"no answer to the pair {answers.loc[~answers['valid'], 'original'].iloc[0]!r}")
    answers[list(MASSES)] = np.exp(np.stack(answers["alternatives"].to_list()))
    forth, back = (
        answers[answers["direction"] == way].set_index(["original", "rewrite"])[list(MASSES)]
        for way in DIRECTIONS
    )
    scored = distinct.join(forth, on=["original", "rewrite"], validate="one_to_one")
    scored = scored.join(back.add_suffix("_back"), on=["original", "rewrite"], validate="one_to_one")
    if scored["p_entail"].isna().any():
        raise ValueError("the requests are of other pairs: delete their table, and it is made again")
    there, again = (scored[[f"{mass}{way}" for mass in MASSES]].to_numpy(float) for way in ("", "_back"))
    return scored.assign(
        content_preservation=entailment_score(there), not_entailed=not_entailed(there, again)
    )


def _distinct(pairs: pd.DataFrame) -> pd.DataFrame:
    """The distinct pairs; ValueError where a text is missing."""
    distinct = pairs[["original", "rewrite"]].drop_duplicates().reset_index(drop=True)
    for column in distinct:
        if distinct[column].isna().any():
            raise ValueError(f"pairs: {column} is missing in row {distinct[column].isna().idxmax()}")
    return distinct


def entailment_score(masses: Masses) -> Masses:
    """Return ``p_entail + 0.5 p_neutral`` (paper section 5.3), in [0, 1].

    >>> entailment_score(np.array([[0.7, 0.2, 0.1]])).round(6).tolist()
    [0.8]
    """
    masses = np.asarray(masses, dtype=float)
    return np.clip(masses[..., 0] + 0.5 * masses[..., 1], 0.0, 1.0)


def not_entailed(forth: Masses, back: Masses) -> Masses:
    """Return 1 for each pair of which a model says that the rewrite claims something else than its original, else 0.

    It does where a contradiction is most probable in either direction, or entailment in neither: "perhaps it is Paris"
    follows from "it is Paris", and not the other way round. Both are of shape (pairs, 3): ``p_entail, p_neutral,
    p_contradict``, original -> rewrite and rewrite -> original.

    >>> entails, neutral, contradicts = np.eye(3)
    >>> not_entailed(np.array([entails, neutral, entails]), np.array([neutral, neutral, contradicts])).tolist()
    [0.0, 1.0, 1.0]
    """
    verdicts = np.stack([forth.argmax(axis=1), back.argmax(axis=1)])
    return ((verdicts == 2).any(axis=0) | (verdicts != 0).all(axis=0)).astype(float)
