"""What a run shows: in what RALC's words are better than each opponent, in what worse, and in what neither is shown."""

import numpy as np
import pandas as pd

from ralc.conditions import DEFAULT, UNSCREENED
from ralc.names import ASKED, METHODS, OPPONENTS, SIGNALS
from ralc.results.labels import QUANTITIES, in_order, label, listed
from ralc.results.select import differences, in_domain, main_target, readers_outside, verdict

#: What is said of metrics and datasets, in this order.
SAID = {
    "better": "better in {}",
    "worse": "worse in {}",
    "unclear": "not shown to be better or worse in {}",
    "few": "too few answers to say in {}",
}


def compared(
    metrics: pd.DataFrame,
    signal: str,
    reader: str | None = None,
    variant: str = DEFAULT,
    *,
    target: str | None = None,
    apart: bool = False,
) -> pd.DataFrame:
    """Return the paired differences of in-domain RALC from each opponent, in every metric that is asked.

    Of one model, or the main target; by one reader, or the headline's. p-values are corrected in their family. Where
    `apart`, also of the answers that abstain and that do not, without p-values.
    """
    rows = in_domain(differences(metrics, reader=reader, variants=True, apart=apart))
    about = {
        "method": ["ralc"],
        "signal": [signal],
        "target": [target or main_target(metrics)],
        "variant": [variant],
    }
    about |= {"versus": OPPONENTS, "metric": ASKED}
    return rows[np.logical_and.reduce([rows[column].isin(values) for column, values in about.items()])]


def side(change: pd.Series | None) -> str:
    """Whether a difference is for the better, for the worse, or unclear."""
    if change is None:
        return "unclear"
    better = QUANTITIES[change["metric"]].better
    return verdict(change["ci_low"], change["ci_high"], change["p_value"], better)


def agreed(
    metrics: pd.DataFrame, signal: str, variant: str = DEFAULT, *, target: str | None = None
) -> pd.DataFrame:
    """Return what all readers outside the loop say of each comparison: ``versus, dataset, metric, side``.

    The side is ``better`` or ``worse`` where all say so, ``few`` where no reader's has an interval, else ``unclear``.
    """
    readers = readers_outside(metrics)
    rows = pd.concat(
        [compared(metrics, signal, reader, variant, target=target) for reader in readers], ignore_index=True
    )
    about = ["versus", "dataset", "metric"]
    found = []
    for key, said in rows.groupby(about, sort=False):
        sides = {side(row) for _, row in said.iterrows()}
        shown = sides.pop() if len(sides) == 1 and len(said) == len(readers) else "unclear"
        found.append((*key, shown if np.isfinite(said["ci_low"]).any() else "few"))
    return pd.DataFrame(found, columns=[*about, "side"])


def unscreened(metrics: pd.DataFrame, signal: str) -> list[str]:
    """Return the conclusion on words from a lexicon in which no reader apart from the loop had a say; none without it.

    Readers that agree on a hedge are favoured by a lexicon that one like them screened.
    """
    sides = agreed(metrics, signal, UNSCREENED)
    return [] if sides.empty else conclusion(sides, "words from an unscreened lexicon")


def conclusion(sides: pd.DataFrame, words: str = "words") -> list[str]:
    """Return a sentence about each opponent, from what the readers `agreed` on.

    >>> shown = [("original", "a", "auroc", "unclear"), ("original", "a", "brier_score", "better")]
    >>> conclusion(pd.DataFrame(shown, columns=["versus", "dataset", "metric", "side"]))  # doctest: +ELLIPSIS
    ["RALC's words against the original answer: better in Brier of means on a; not shown to be better or worse in ...
    """
    if sides.empty:
        return ["No paired comparisons in this run."]
    return [
        f"{METHODS['ralc'].title}'s {words} against the {METHODS[versus].title.lower()}: {_of(sides, versus)}."
        for versus in in_order(sides["versus"], OPPONENTS)
    ]


def shown(metrics: pd.DataFrame, signal: str) -> list[str]:
    """Return a sentence about each opponent than which all readers outside the loop find RALC better or worse."""
    sides = agreed(metrics, signal)
    told = sides[sides["side"].isin(["better", "worse"])]
    return [] if told.empty else conclusion(told)


def idle_signals(metrics: pd.DataFrame, signal: str) -> list[str]:
    """Return a sentence on the signals beside `signal` whose words are shown to beat the constant hedge in nothing.

    None where there is no such signal. Shown is what the readers `agreed` on.
    """
    idle = []
    for other in in_order(metrics["signal"], SIGNALS):
        sides = agreed(metrics, other).query("versus == 'constant_hedge'")["side"]
        if other != signal and len(sides) and "better" not in set(sides):
            idle.append(label(other).lower())
    asked = listed([QUANTITIES[metric].title for metric in ASKED])
    guided = f"Guided by {listed(idle)}, the words are shown to be better than the constant hedge"
    return [f"{guided} nowhere: on no dataset, in none of {asked}."] if idle else []


def _of(sides: pd.DataFrame, versus: str) -> str:
    """What is said of one opponent: metrics that are alike on the same datasets together."""
    own = sides[sides["versus"] == versus]
    parts = []
    for name, said in SAID.items():
        places: dict[str, list[str]] = {}
        for metric in ASKED:
            found = own.loc[(own["metric"] == metric) & (own["side"] == name), "dataset"]
            if len(found):
                where = listed(list(map(label, in_order(found))))
                places.setdefault(where, []).append(QUANTITIES[metric].title)
        if places:
            parts.append(
                said.format(", ".join(f"{listed(what)} on {where}" for where, what in places.items()))
            )
    return "; ".join(parts)
