"""What is computed and compared: every row of the metrics table, before anything is computed.

A row is a sum of terms: a plain number has one, a paired difference two. A term is one metric of one condition on some
of its answers; two rows that need the same term share it.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from ralc.conditions import ATTEMPTED, DEFAULT, NONE, Condition
from ralc.registry import CONTROLLED, METHODS, METRICS, SIGNALS, metrics_by
from ralc.reliance import SITUATIONS

#: Rates that say something of rewrites alone, and of what models are asked for.
REWRITING = ("fallback_rate", "passed_rate", "left_rate")
ASKING = ("unanswered_rate",)


class View(NamedTuple):
    """Which answers count, and how finely.

    `subset` is ``all``, a half of a dataset, a subject, or a cell of table 1. `variant` is what is measured otherwise
    than by default: ``not_attempted=dropped``, ``bins=100``, a situation of `ralc.reliance`. `bins` are those of the
    calibration errors. Where a view is `brief`, conditions are compared with the original alone.
    """

    subset: str
    variant: str
    bins: int
    brief: bool = False

    @property
    def situation(self) -> str:
        """Who reads, and what is at stake (`ralc.reliance.SITUATIONS`)."""
        return self.variant if self.variant in SITUATIONS else DEFAULT

    @property
    def computed(self) -> tuple[str, ...]:
        """How the metrics are computed that a view is of: all, or those alone that it changes."""
        if self.situation != DEFAULT:
            return ("reliance",)
        return ("items", "bins", "ranks", "reliance") if self.variant in (DEFAULT, ATTEMPTED) else ("bins",)


class Term(NamedTuple):
    """A metric of a condition, on its answers in a view; with `shared`, on those that both conditions have."""

    condition: Condition
    metric: str
    view: View
    shared: Condition | None = None


class Row(NamedTuple):
    """A row of the metrics table: a weighted sum of terms."""

    condition: Condition
    view: View
    versus: str
    metric: str
    terms: tuple[tuple[Term, float], ...]

    @property
    def labels(self) -> dict[str, str]:
        """The row's columns that are text."""
        variant = self.condition.variant if self.view.variant == DEFAULT else self.view.variant
        about = self.condition._replace(variant=variant)._asdict()
        return about | {"subset": self.view.subset, "versus": self.versus, "metric": self.metric}


def plan(conditions: Collection[Condition], views: Iterable[View]) -> list[Row]:
    """Return every row of the metrics table of one target and dataset."""
    present = dict.fromkeys(conditions)
    pairs = [(condition, view) for view in views for condition in present if _applies(condition, view)]
    return [row for pair in pairs for rows in (_numbers, _differences) for row in rows(*pair, present)]


def rates_of(method: str, space: str) -> list[str]:
    """Return the rates of losses that a method has: what was never answered is neither calibrated nor rewritten."""
    rewritten = METHODS[method].rewritten
    without = (ASKING if rewritten else ()) + (() if rewritten and space == "linguistic" else REWRITING)
    return [metric for metric in metrics_by("losses") if metric not in without]


def _applies(condition: Condition, view: View) -> bool:
    """Whether a condition is measured in a view: variants and other datasets' maps by default, on all answers."""
    if view.subset == "all" and view.variant == DEFAULT:
        return True
    if condition.variant != DEFAULT or condition.train not in (condition.dataset, NONE):
        return False
    if view.subset in CONTROLLED:
        return condition.space == "signal" and condition.method == "original"
    return condition.space == "signal" or view.computed != ("bins",)


def _numbers(condition: Condition, view: View, present: Collection[Condition]) -> Iterator[Row]:
    """The numbers of a condition."""

    def row(metric: str, minuend: str = "", subtrahend: str = "") -> Row:
        terms = [(Term(condition, minuend or metric, view), 1.0)]
        terms += [(Term(condition, subtrahend, view), -1.0)] if subtrahend else []
        return Row(condition, view, "none", metric, tuple(terms))

    yield from map(row, metrics_by(*view.computed))
    if "bins" not in view.computed:
        return
    yield from (row(metric, METRICS[metric].of) for metric in metrics_by("debiased"))
    yield row("generalised_ece_null")
    yield row("generalised_ece_excess", "generalised_ece", "generalised_ece_null")
    if "items" not in view.computed:
        return
    linguistic = condition.space == "linguistic" and condition.method != "original"
    for row_condition, aim in _aims(condition, present) if linguistic else ():
        for metric in metrics_by("propagation"):
            yield Row(row_condition, view, "none", metric, ((Term(condition, metric, view, aim), 1.0),))
    yield from map(row, rates_of(condition.method, condition.space))
    yield from map(row, metrics_by("preservation") if linguistic else ())


def _aims(condition: Condition, present: Collection[Condition]) -> Iterator[tuple[Condition, Condition]]:
    """The calibrated signals that come back from a condition's words, each with the condition that is shown with it.

    Of a guided rewrite it is its own. Hedged QA, which the model hedges itself, has every signal with the dataset's
    own map (paper figure 3).
    """
    method = METHODS[condition.method]
    target = condition.calibrated_signal
    if method.guided and (match := target.among(present)) is not None:
        yield condition, match
    elif not (method.guided or method.trained):
        for signal in SIGNALS:
            if (mapped := target._replace(train=condition.dataset, signal=signal)) in present:
                yield condition._replace(signal=signal), mapped


def _differences(condition: Condition, view: View, present: Collection[Condition]) -> Iterator[Row]:
    """Paired differences from the condition's counterparts, on the answers that both have."""
    for versus, counterpart in condition.counterparts():
        peer = counterpart.among(present)
        if peer is None or (view.brief and versus != "original"):
            continue
        for metric in metrics_by(*view.computed):
            terms = (Term(condition, metric, view, peer), 1.0), (Term(peer, metric, view, condition), -1.0)
            yield Row(condition, view, versus, metric, terms)
        for metric in metrics_by("parts") if versus == "original" and "items" in view.computed else ():
            yield Row(condition, view, versus, metric, ((Term(condition, metric, view, peer), 1.0),))
