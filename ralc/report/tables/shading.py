"""A long answer on the page of examples: each sentence shaded by how sure it is, and its figures in a row."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.names import CORRECT, INCORRECT, PARTLY
from ralc.results.labels import in_order, label

#: Shades from doubtful (orange) to sure (blue), which all kinds of colour vision tell apart; numbers stand beside them.
SHADES = 5


def shaded(text: str, sentences: Iterable[str], means: Iterable[float]) -> list[dict[str, Any]]:
    """A text cut at its sentences, in order, each with its mean in per cent and its shade; what is between has none.

    >>> [(one["text"], one["percent"]) for one in shaded("Yes. It is Rome.", ["It is Rome."], [0.62])]
    [('Yes. ', None), ('It is Rome.', 62)]
    """
    found, at = [], 0
    for sentence, mean in zip(sentences, means, strict=True):
        start = text.find(sentence, at)
        if not sentence or start < 0 or np.isnan(mean):
            continue
        shade = min(int(mean * SHADES), SHADES - 1)
        found += [plain(text[at:start]), {"text": sentence, "percent": round(100 * mean), "shade": shade}]
        at = start + len(sentence)
    return [one for one in [*found, plain(text[at:])] if one["text"]]


def plain(text: str) -> dict[str, Any]:
    """A text without a shade."""
    return {"text": text, "percent": None, "shade": None}


def long_answer(originals: pd.DataFrame, mapped: pd.DataFrame, rewrites: pd.DataFrame) -> dict[str, Any]:
    """What the page shows of an answer that was taken sentence by sentence; nothing of any other.

    Parameters
    ----------
    originals, mapped, rewrites
        The items of its sentences: as they came, with the calibrated signal, and rewritten, each by every reader.
    """
    came = originals.drop_duplicates("sentence").set_index("sentence").sort_index()
    if came["whole"].isna().any():
        return {}
    aims = _means(mapped).reindex(came.index)
    by_reader = {name: _means(of) for name, of in rewrites.groupby("reader", observed=True)}
    readers = in_order(list(by_reader))
    said = rewrites.drop_duplicates("sentence").set_index("sentence").sort_index()
    whole = said["whole"].iloc[0] if said["whole"].notna().all() else " ".join(said["text"].fillna(""))
    return {
        "original": shaded(came["whole"].iloc[0], came["text"], aims),
        "rewrite": shaded(whole, said["text"].fillna(""), by_reader[readers[0]].reindex(said.index)),
        **_truth(came["outcome"].dropna()),
        "columns": [
            "right",
            "calibrated",
            *(f"read by {label(name)}" for name in readers),
            "by a shared hedge",
        ],
        "sentences": [
            [
                *map(
                    _percent,
                    (came["outcome"].get(at), aims[at], *(by_reader[name].get(at) for name in readers)),
                ),
                "yes" if pd.notna(said["shared"].get(at)) else "",
            ]
            for at in came.index
        ],
    }


def _truth(outcome: pd.Series) -> dict[str, Any]:
    """How much of an answer is right, and its grade."""
    if outcome.empty:
        return {"truth": ["not known: none of its sentences has a graded fact"]}
    right = float(outcome.mean())
    return {
        "truth": [f"{_percent(right)} of what a sentence says is right, on average (each below)"],
        "grade": CORRECT if right == 1 else INCORRECT if right == 0 else PARTLY,
    }


def _means(rows: pd.DataFrame) -> pd.Series:
    """The mean confidence of each sentence; NaN where it is not read."""
    own = rows.drop_duplicates("sentence").set_index("sentence")
    return pd.Series(Beta.from_table(own.fillna({"alpha": 1.0, "beta": 1.0})).mean, own.index).where(
        own["alpha"].notna()
    )


def _percent(share: float | None) -> str:
    return "–" if share is None or np.isnan(share) else f"{100 * share:.0f} %"
