"""Fit the lexicon: one Beta an expression from its raw scores, and an audit of what came out (appendix D.1)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.lexicon.expressions import OWN
from ralc.lexicon.flags import entry_flags, human_reading
from ralc.lexicon.table import Lexicon
from ralc.protocols import Protocol, resolve


def fit_lexicon(
    hedges: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    others: Mapping[str, pd.Series] | None = None,
    protocol: str | Protocol = "ralc",
) -> Lexicon:
    """Fit every expression's Beta to its raw scores, by moments and by likelihood.

    ``alpha`` and ``beta`` are those of the protocol's ``lexicon_fit``, or the user's own; both fits stand beside them.

    Parameters
    ----------
    hedges
        ``expression, source, frame``, and ``kind, register, polarity`` (`ralc.lexicon.load_hedges`).
    scores
        ``expression, score``; one row a reading of a sentence, scores in [0, 1]. With ``variance`` above 0 a row is
        the distribution of readings of a sentence, by its mean and variance: the fit is by moments then.
    others
        The mean readings of the expressions by evaluators apart from the loop.
    protocol
        Its choices ``lexicon_fit``, ``letter`` and those of the fits.

    Returns
    -------
    Lexicon
        With the further columns ``sample_mean, sample_sd, moments_alpha, moments_beta, mle_alpha, mle_beta``,
        and ``human_mean, human_sd, human_n, human_source`` where a study has the expression.

    Raises
    ------
    ValueError
        If an expression has no scores, or scores are of an expression that is not there; the first is named.
    """
    known = set(hedges["expression"])
    strangers = scores.loc[~scores["expression"].isin(known), "expression"]
    if len(strangers):
        raise ValueError(f"scores: {strangers.iloc[0]!r} is not in the lexicon")
    silent = hedges.loc[~hedges["expression"].isin(scores["expression"]), "expression"]
    if len(silent):
        raise ValueError(f"lexicon: {silent.iloc[0]!r} has no scores")
    chosen = resolve(protocol)
    variance = scores.get("variance", pd.Series(0.0, index=scores.index))
    whole = bool((variance > 0).any())
    fits = (
        _of_distributions(hedges, scores, variance, chosen) if whole else _of_scores(hedges, scores, chosen)
    )
    fitted = fits["mle"] if chosen.lexicon_fit == "mle" and not whole else fits["moments"]
    n = scores.groupby("expression").size().loc[hedges["expression"]].to_numpy()
    table = hedges.assign(
        alpha=fitted.alpha, beta=fitted.beta, n=n, sample_mean=fits["mean"], sample_sd=fits["sd"]
    )
    for name in ("moments", "mle"):
        table = table.assign(**{f"{name}_alpha": fits[name].alpha, f"{name}_beta": fits[name].beta})
    if OWN[0] in hedges:
        table, fitted = _with_own(table)
    people = {"mean": np.nan, "sd": np.nan, "n": pd.NA, "source": "none"}
    found = [cue._asdict() if (cue := human_reading(one)) else people for one in table["expression"]]
    human = pd.DataFrame(found, index=table.index)[list(people)].add_prefix("human_")
    rows = zip(table.to_dict("records"), fitted.mean, table["sample_mean"], strict=True)
    flags = []
    for row, mean, sample in rows:
        apart = [other[row["expression"]] for other in (others or {}).values()]
        flags.append(entry_flags(row, mean, sample, others=apart, letter=chosen.letter))
    return Lexicon(table.join(human.astype({"human_n": "Int64"})).assign(flags=flags))


def _with_own(table: pd.DataFrame) -> tuple[pd.DataFrame, Beta]:
    """Return the table with the user's own readings where there are any, and its Betas."""
    given = table[OWN[0]].notna()
    own = Beta(table.loc[given, OWN[0]], table.loc[given, OWN[1]])
    values = {"alpha": own.alpha, "beta": own.beta, "n": table.loc[given, OWN[2]].astype(int)}
    values |= {"sample_mean": own.mean, "sample_sd": np.sqrt(own.variance)}
    for column, value in values.items():
        table.loc[given, column] = np.asarray(value)
    return table, Beta.from_table(table)


def _of_scores(hedges: pd.DataFrame, scores: pd.DataFrame, chosen: Protocol) -> dict[str, Any]:
    """Both fits of single scores, their mean and SD."""
    wide = scores.assign(place=scores.groupby("expression").cumcount())
    wide = wide.set_index(["expression", "place"])["score"].unstack().loc[hedges["expression"]]  # noqa: PD010
    values = wide.to_numpy(float)
    return {
        "moments": Beta.fit_moments(values, chosen),
        "mle": Beta.fit_mle(values, chosen),
        "mean": np.nanmean(values, axis=1),
        "sd": wide.std(axis=1, ddof=1).to_numpy(),
    }


def _of_distributions(
    hedges: pd.DataFrame, scores: pd.DataFrame, variance: pd.Series, chosen: Protocol
) -> dict[str, Any]:
    """The Beta with the mean and variance of a reading of any of the sentences; there are no scores to fit."""
    rows = scores.assign(square=variance + scores["score"] ** 2).groupby("expression")[["score", "square"]]
    moments = rows.mean().loc[hedges["expression"]]
    mean = moments["score"].to_numpy()
    spread = np.maximum(moments["square"].to_numpy() - mean**2, 0.0)
    fitted = Beta.from_mean_variance(
        mean, spread, count=rows.size().loc[hedges["expression"]].to_numpy(), protocol=chosen
    )
    return {"moments": fitted, "mle": fitted, "mean": mean, "sd": np.sqrt(spread)}
