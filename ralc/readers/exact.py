"""The evaluator's whole distribution of scores, read from log-probabilities in place of sampled passes.

A score is spelt by one token or by several ('85' or '8', '5'), and '1', '10' and '100' are told apart by where the
answer ends. So the model is asked how it would go on from nothing, from each first digit and from '10'
(`BEGINNINGS`), one token each, and the shares are multiplied along every spelling. At each step they are
renormalised over what still leads to a score, as an engine does that samples under the output constraint: the
result is the distribution that passes at temperature 1 without cuts are drawn from (paper appendix C.2).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ralc.beta import Beta
from ralc.llm import request_for, to_table
from ralc.llm.joining import join
from ralc.protocols import Protocol
from ralc.readers.reader import READING
from ralc.readers.scores import LEAST_SHARE, SCORE_PATTERN, question

FloatArray = NDArray[np.float64]
#: The scores as they are spelt, and as numbers in [0, 1].
SPELLINGS = tuple(str(score) for score in range(101))
GRID = np.arange(101) / 100
#: What a model has written when the next token decides something, shorter ones first.
BEGINNINGS = ("", *"123456789", "10")


def endings(beginning: str) -> tuple[str, ...]:
    """What makes a score of a beginning; the empty text is the end of the answer.

    >>> endings("10"), len(endings(""))
    (('', '0'), 101)
    """
    return tuple(
        spelt.removeprefix(beginning) for spelt in SPELLINGS if spelt.startswith(beginning) and spelt
    )


def render_distributions(
    texts: pd.DataFrame, *, model: Mapping[str, Any], cues: str | None = None
) -> pd.DataFrame:
    """Return the requests table of one evaluator: for each text one token after each of `BEGINNINGS`.

    A distribution has no chance in it, so equal texts are always equal requests.

    Parameters
    ----------
    texts
        ``item, text``: what is read, a row an item.
    model
        The evaluator's entry in the configuration.
    cues
        The block of human-annotated cues; by default the committed one.
    """
    requests, rows = [], []
    for item, text in zip(texts["item"], texts["text"], strict=True):
        asked = question(text, cues)
        for beginning in BEGINNINGS:
            given = ({"role": "assistant", "content": beginning},) if beginning else ()
            requests.append(
                request_for(
                    model,
                    (*asked, *given),
                    temperature=0,
                    top_k=0,
                    top_p=1,
                    min_p=0,
                    max_tokens=1,
                    constraint={"regex": _pattern(beginning)},
                    alternatives=endings(beginning),
                )
            )
            rows.append((item, text, beginning))
    ids = pd.DataFrame(rows, columns=["item", "text", "beginning"])
    return to_table(requests, **{name: ids[name].tolist() for name in ids})


def parse_distributions(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return one row an item and model: ``item, text, model, shares``.

    `shares` is an array of shape (101,), the probability of each score 0..100, or None where the model's
    answers leave it open (an error, or no score among its most likely tokens).

    Raises
    ------
    ValueError
        If the engine gave no probabilities, or none of the end of an answer (it says what to do), or a request
        lacks an answer.
    """
    columns = ["item", "text", "model", "beginning"]
    rows = join(requests, responses)[[*columns, "alternatives"]]
    for model, own in rows.groupby("model"):
        _check_told(str(model), own)
    nodes = rows.groupby(["item", "text", "model"], sort=False)
    parsed = [
        (*name, distribution(dict(zip(node["beginning"], node["alternatives"], strict=True))))
        for name, node in nodes
    ]
    return pd.DataFrame(parsed, columns=["item", "text", "model", "shares"])


def distribution(nodes: Mapping[str, Sequence[float | None] | None]) -> FloatArray | None:
    """The probability of each score 0..100, or None if it cannot be told.

    Parameters
    ----------
    nodes
        For each of `BEGINNINGS` the log-probabilities, in nats, of its `endings`; one that is not listed
        is null and counts as impossible.

    Examples
    --------
    >>> told = {"": [np.log(0.5) if spelt in ("8", "85") else None for spelt in SPELLINGS]}
    >>> told["8"] = [np.log(0.1), *[None] * 9, np.log(0.3)]
    >>> shares = distribution(told)
    >>> shares[[8, 85, 89]].round(3)
    array([0.125, 0.5  , 0.375])
    """
    reached = {"": 1.0}
    shares = np.zeros(len(SPELLINGS))
    for beginning in BEGINNINGS:
        mass = reached.get(beginning, 0.0)
        if mass == 0:
            continue
        logprobs = _floats(nodes.get(beginning))
        if logprobs is None or np.isnan(logprobs).all():
            return None
        steps = np.exp(logprobs - np.nanmax(logprobs))
        steps = mass * np.nan_to_num(steps / np.nansum(steps))
        for ending, step in zip(endings(beginning), steps, strict=True):
            spelt = beginning + ending
            if ending and spelt in BEGINNINGS:
                reached[spelt] = reached.get(spelt, 0.0) + step
            else:
                shares[int(spelt)] += step
    return shares


def fit_distributions(
    distributions: pd.DataFrame, *, reader: str = "ensemble", protocol: str | Protocol = "ralc"
) -> pd.DataFrame:
    """Return one Beta an item from the mixture of its models' distributions: as `fit_readings` does from scores.

    `readings` counts the distributions. With fewer than 5 of 9 of them an item is unscored.
    """
    rows = []
    for (item, text), own in distributions.groupby(["item", "text"], sort=True):
        known = [shares for shares in own["shares"] if shares is not None]
        enough = known and len(known) >= LEAST_SHARE * len(own) - 1e-9
        mixture = np.mean(known, axis=0) if enough else np.full(len(GRID), np.nan)
        mean = float(np.clip(mixture @ GRID, 0, 1))  # rounding
        rows.append((item, text, mean, float(mixture @ (GRID - mean) ** 2), len(known)))
    table = pd.DataFrame(rows, columns=["item", "text", "mean", "variance", "readings"])
    scored = table["mean"].notna().to_numpy()
    parameters = np.full((2, len(table)), np.nan)
    if scored.any():
        read = table[scored]
        confidence = Beta.from_mean_variance(
            read["mean"], read["variance"], count=read["readings"], protocol=protocol
        )
        parameters[:, scored] = confidence.alpha, confidence.beta
    table = table.assign(reader=reader, alpha=parameters[0], beta=parameters[1])
    return table[READING]


def _pattern(beginning: str) -> str:
    """The output constraint after a beginning: what makes a score of it."""
    if not beginning:
        return SCORE_PATTERN
    return f"({'|'.join(filter(None, endings(beginning)))})?"


def _floats(values: Any) -> FloatArray | None:
    """Log-probabilities as an array, NaN where one is not listed; None where there are none."""
    return np.array(values, dtype=float) if isinstance(values, (list, tuple, np.ndarray)) else None


def _check_told(model: str, rows: pd.DataFrame) -> None:
    """Raise ValueError where a model's engine does not tell what an exact reading needs."""
    advice = "use readers.mode: sampled for it"
    told = [_floats(values) for values in rows["alternatives"]]
    if len(told) and all(values is None for values in told):
        raise ValueError(f"readers.mode = 'exact': {model} gave no log-probabilities; {advice}")
    ends = [
        values[0]
        for beginning, values in zip(rows["beginning"], told, strict=True)
        if beginning and values is not None
    ]
    if ends and np.isnan(ends).all():
        raise ValueError(
            f"readers.mode = 'exact': {model} never tells how likely the end of an answer is, "
            f"so that 8 and 85 cannot be told apart; {advice}"
        )
