"""Fit the lexicon: one Beta an expression from its raw scores, and flags of what is wrong with it (appendix D.1)."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from ralc import data
from ralc.beta import Beta
from ralc.english import parse_ahead, read_cues
from ralc.evaluators.ensemble import HumanCue, human_cues
from ralc.lexicon.expressions import (
    KINDS,
    READING,
    SOURCES,
    WAITING,
    WORDS,
    committed_expressions,
    guess_polarity,
)
from ralc.lexicon.table import Lexicon
from ralc.protocols import PROTOCOLS, Protocol, resolve

#: How far a fitted mean may lie from the sample mean, and across the middle from where its wording puts it.
AUDIT_BOUND = 0.1
#: A fitted mean may differ by this much from what people read in the same words, and from an independent evaluator's.
HUMAN_BOUND = 0.15
#: Expressions below which a lexicon is thin: they are a step of 0.05 of the scale apart, at best.
ENOUGH = 20
#: Kinds, registers and polarities of hedges that a speaker who only knows how sure they are cannot honestly use.
DISHONEST = frozenset({*KINDS, "stiff", "reverses"} - {"confidence"})
#: What the flags of an entry mean, to whoever listed it.
_WHY = {
    "fit": f"the distribution fitted to its readings has a mean more than {AUDIT_BOUND} from theirs",
    "wording": "its words stand on the other side of the middle than its reading",
    "human": f"people who were asked read it otherwise by more than {HUMAN_BOUND}",
    "evaluators": f"another evaluator reads it otherwise by more than {HUMAN_BOUND}",
    "unread": "no evaluator finds in it how sure it sounds",
    "evidential": "it claims evidence, hearsay or memory that nobody has checked",
    "possibility": "it says what could be, and not how sure the speaker is",
    "social": "it says what others think, or an opinion",
    "idiom": "it is a figure of speech",
    "stiff": "it sounds stiff",
    "reverses": "it asserts the opposite of what it is put to",
    "frame": "it waits for a noun, so a sentence with it is broken",
}
_MOST_TOLD = 30  # expressions, in an error
_AUDITED = "{} it is so."  # the sentence in which cues of an expression are looked for


def fit_lexicon(
    hedges: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    test_readings: Mapping[str, pd.Series] | None = None,
    protocol: str | Protocol = "ralc",
) -> Lexicon:
    """Fit every expression's Beta to its raw scores, by the protocol's ``lexicon_fit``; or take the user's own.

    Parameters
    ----------
    hedges
        ``expression, source, frame``, and ``kind, register, polarity`` (`ralc.lexicon.load_hedges`).
    scores
        ``expression, score``; one row a reading of a sentence, scores in [0, 1]. With ``variance`` above 0 a row is
        the distribution of readings of a sentence, by its mean and variance: the fit is by moments then.
    test_readings
        The mean readings of the expressions by test evaluators.
    protocol
        Its choices ``lexicon_fit``, ``letter`` and those of the fits.

    Returns
    -------
    Lexicon
        With the further columns ``sample_mean``, and ``human_mean, human_source`` where a study has the expression.

    An expression without scores is left out. ValueError where none has any, or scores are of one that is not there.
    """
    if (lost := ~scores["expression"].isin(hedges["expression"])).any():
        raise ValueError(f"scores: {scores['expression'][lost].iloc[0]!r} is not in the lexicon")
    if scores.empty:
        raise ValueError("lexicon: no expression has a score: no reply of its evaluator is one")
    hedges = hedges[hedges["expression"].isin(scores["expression"])].reset_index(drop=True)
    chosen = resolve(protocol)
    variance = scores.get("variance", pd.Series(0.0, index=scores.index))
    grouped = scores.assign(square=variance + scores["score"] ** 2).groupby("expression")
    n = grouped.size().loc[hedges["expression"]].to_numpy()
    if (variance > 0).any():
        # Mean and variance of a reading of any of the sentences; there are no scores to fit.
        moments = grouped[["score", "square"]].mean().loc[hedges["expression"]]
        mean = moments["score"].to_numpy()
        spread = np.maximum(moments["square"].to_numpy() - mean**2, 0.0)
        fitted = Beta.from_mean_variance(mean, spread, count=n, protocol=chosen)
    else:
        wide = scores.assign(place=grouped.cumcount()).set_index(["expression", "place"])["score"]
        values = wide.unstack().loc[hedges["expression"]].to_numpy(float)  # noqa: PD010
        fit = Beta.fit_mle if chosen.lexicon_fit == "mle" else Beta.fit_moments
        fitted = fit(values, chosen)
        mean = np.nanmean(values, axis=1)
    table = hedges.assign(alpha=fitted.alpha, beta=fitted.beta, n=n, sample_mean=mean)
    if READING[0] in hedges:
        _take_readings(table)
    people = [human_reading(text) for text in table["expression"]]
    human_mean = [cue.mean if cue else np.nan for cue in people]
    human_source = [cue.source if cue else "none" for cue in people]
    flags = []
    for row, mean in zip(table.to_dict("records"), Beta.from_table(table).mean, strict=True):
        readings = [means[row["expression"]] for means in (test_readings or {}).values()]
        flags.append(entry_flags(row, mean, row["sample_mean"], test_readings=readings, protocol=chosen))
    return Lexicon(table.assign(human_mean=human_mean, human_source=human_source, flags=flags))


def _take_readings(table: pd.DataFrame) -> None:
    """Put the user's own readings in place of the fits, where there are any."""
    rated = table[READING[0]].notna()
    betas = Beta(table.loc[rated, READING[0]], table.loc[rated, READING[1]])
    counts = table.loc[rated, READING[2]].astype(int).to_numpy()
    values = {"alpha": betas.alpha, "beta": betas.beta, "n": counts, "sample_mean": betas.mean}
    for column, value in values.items():
        table.loc[rated, column] = value


def entry_flags(
    hedge: Mapping[str, str],
    mean: float,
    sample_mean: float,
    *,
    test_readings: Sequence[float] = (),
    protocol: Protocol = PROTOCOLS["ralc"],
) -> str:
    """Return the flags of an expression, joined by ``;``; an entry with any is left out of retrieval.

    They are those of `audit_flags`. ``frame`` is where a user's waits for a noun, ``evaluators`` where a test evaluator
    reads it otherwise by more than `HUMAN_BOUND`. But by the protocol's
    `letter`, `second_screening` are among those, but for a user's own. Then flags are also the kind of one that does
    not speak of the speaker's confidence, ``stiff`` and ``reverses``.

    Parameters
    ----------
    hedge
        Its row of the lexicon: ``expression, source, frame``, and what the committed list says of it.
    mean, sample_mean
        Mean of its fitted Beta, and of the scores that it was fitted to, in [0, 1].
    test_readings
        Mean readings of it by the test evaluators, in [0, 1].
    protocol
        Whether its `letter` holds.
    """
    people = human_reading(hedge["expression"])
    flags = audit_flags(hedge["expression"], mean, sample_mean, human_mean=people.mean if people else np.nan)
    by_user = hedge["source"] == "user"
    screening = {} if protocol.letter or by_user else second_screening()
    readings = [*test_readings, screening.get(hedge["expression"], mean)]
    flags += ["evaluators"] if any(abs(mean - reading) > HUMAN_BOUND for reading in readings) else []
    flags += ["frame"] if by_user and hedge["expression"].split()[-1].lower() in WAITING else []
    if not protocol.letter:
        flags += [hedge[name] for name in ("kind", "register", "polarity") if hedge[name] in DISHONEST]
    return ";".join(flags)


def audit_flags(expression: str, mean: float, sample_mean: float, *, human_mean: float = np.nan) -> list[str]:
    """Return what is wrong with how an expression is read.

    - ``fit``: the fitted mean differs from the mean of the scores by more than `AUDIT_BOUND` (as in likelihood fits
      at the ends of the scale);
    - ``wording``: its words stand on one side of the middle and its mean on the other, by more than `AUDIT_BOUND`;
    - ``human``: people who were asked about these words read them otherwise, by more than `HUMAN_BOUND`;
    - ``unread``: no cue is found in it, so the cue model takes it for a bare assertion.

    Parameters
    ----------
    expression
        The hedge.
    mean, sample_mean
        Mean of its fitted Beta, and of the scores that it was fitted to, in [0, 1].
    human_mean
        Mean of what people read in these words, in [0, 1]; NaN where none were asked.

    Examples
    --------
    >>> audit_flags("probably not", 0.65, 0.65, human_mean=0.25)
    ['human']
    >>> audit_flags("without a doubt", 0.2, 0.95), audit_flags("perhaps", 0.4, 0.41)
    (['fit', 'wording'], [])
    """
    flags = ["fit"] if abs(mean - sample_mean) > AUDIT_BOUND else []
    flags += ["human"] if abs(mean - human_mean) > HUMAN_BOUND else []
    cues = read_cues(_AUDITED.format(expression))
    if not cues:
        return [*flags, "unread"]
    # Of a number it depends on what stands before it ("less than 70 percent") where it puts the hedge.
    priors = [(cue.family.prior, cue.negated) for cue in cues if cue.number is None]
    place = min((1 - prior if negated else prior for prior, negated in priors), default=0.5)
    side = (mean - 0.5) * (place - 0.5) < 0 and min(abs(mean - 0.5), abs(place - 0.5)) > AUDIT_BOUND
    return [*flags, "wording"] if side else flags


def check_hedges(means: Sequence[tuple[str, float]], *, honest: bool) -> None:
    """Raise ValueError where an expression is no hedge of its mean; ours may be unread, the letter's be dishonest."""
    parse_ahead((_AUDITED.format(expression) for expression, _ in means), cues_alone=True)
    for expression, mean in means:
        ours = expression in committed_expressions()
        flags = [flag for flag in audit_flags(expression, mean, mean) if not (ours and flag == "unread")]
        plain = WORDS.fullmatch(expression) and len(expression.split()) <= 12
        flags += [] if ours or plain else ["more than 12 plain words"]
        flags += ["reverses"] if honest and guess_polarity(expression) == "reverses" else []
        if flags:
            raise ValueError(f"lexicon: {expression!r} is no hedge of {mean:.2f}: {', '.join(flags)}")


def human_reading(expression: str) -> HumanCue | None:
    """Return how people read an expression, by the words of its main cue; None where no study has it."""
    whole = expression.lower()
    phrase = whole.removeprefix("it is ").removeprefix("there is ").removeprefix("a ")
    return human_cues().get(whole) or human_cues().get(phrase)


@cache
def second_screening() -> dict[str, float]:
    """Return mean readings of the committed hedges by a model of no run (`studies.second_screening`)."""
    return {row["expression"]: float(row["mean"]) for row in data.rows("hedges_second_screening.csv")}


def foreseen(expressions: pd.DataFrame, protocol: Protocol = PROTOCOLS["ralc"]) -> pd.DataFrame:
    """Return expressions with the ``flags`` that each will have however it is read."""
    parse_ahead((_AUDITED.format(one) for one in expressions["expression"]), cues_alone=True)
    rows = expressions.to_dict("records")
    return expressions.assign(flags=[entry_flags(row, np.nan, np.nan, protocol=protocol) for row in rows])


def remarks(flagged: pd.DataFrame, protocol: Protocol = PROTOCOLS["ralc"]) -> list[str]:
    """Return a line for each flagged expression of the run's own; where few are left, of all, and what to do.

    `flagged` has ``expression, source, frame, flags``: a lexicon, or what is `foreseen` of it. By the protocol's
    `letter` flagged ones are used, and nothing is said of them.

    ValueError where all are flagged, with the reason of each.
    """
    if protocol.letter:
        return []
    usable = int((flagged["flags"] == "").sum())
    count = len(flagged)
    ours = flagged["source"].isin(set(SOURCES) - {"user"})
    lost = flagged[(flagged["flags"] != "") & ((usable < ENOUGH) | ~ours)]
    why = {row.expression: ", and ".join(map(_WHY.get, row.flags.split(";"))) for row in lost.itertuples()}
    advice = (
        "What to do: list expressions of how sure the speaker is (`probably`, `I doubt that`), add ours to your own "
        "(lexicon.extend: true), or ask for more lists (lexicon.lists)"
    )
    if not usable:
        reasons = "; ".join(f"{one!r}: {reason}" for one, reason in [*why.items()][:_MOST_TOLD])
        raise ValueError(f"lexicon: none of its {count} expressions can be used: {reasons}. {advice}")
    notes = [f"hedge {one!r} is left out: {reason}" for one, reason in why.items()]
    if usable < ENOUGH:
        notes.append(f"lexicon: {usable} of {count} expressions can be used. {advice}")
    return notes
