"""What is computed and compared: every row of the metrics table, before anything is computed.

A row is a sum of terms: a plain number has one, a paired difference two. A term is one metric of one condition on some
of its answers; two rows that need the same term share it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ralc.conditions import DEFAULT, Condition
from ralc.registry import ABSTAINING, CONTROLLED, HALVES, METHODS, METRICS, SIGNALS, metrics_by
from ralc.reliance import SITUATIONS

ATTEMPTED = "not_attempted=dropped"
#: Rates that say something of rewrites alone, and of what models are asked for.
REWRITING, ASKING = ("fallback_rate", "passed_rate", "left_rate"), ("unanswered_rate",)


class View(NamedTuple):
    """Which answers count, and how finely.

    `subset` is ``all``, a half of a dataset, a subject, or a cell of table 1. `variant` is what is measured otherwise
    than by default: ``not_attempted=dropped``, ``bins=100``, a situation of `ralc.reliance`. `bins` are those of the
    calibration errors. Where a view is `in_domain_only`, conditions of the default variant count, compared with the
    original alone; abstaining and answering ones with every counterpart.
    """

    subset: str
    variant: str
    bins: int
    in_domain_only: bool = False

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
    def shown(self) -> dict[str, str]:
        """The row's columns that are text."""
        variant = self.condition.variant if self.view.variant == DEFAULT else self.view.variant
        about = self.condition._replace(variant=variant)._asdict()
        return about | {"subset": self.view.subset, "versus": self.versus, "metric": self.metric}


def views(
    bins: Mapping[str, int],
    *,
    halves: bool = False,
    attempted: bool = False,
    abstaining: bool = False,
    subjects: Sequence[str] = (),
) -> list[View]:
    """Return the views of a dataset.

    Parameters
    ----------
    bins
        Number of bins by variant, ``default`` among them.
    halves, attempted, abstaining
        Whether some questions are unanswerable, some answers no attempts, or abstentions, and others not.
    subjects
        Subjects that are shown on their own.
    """
    base, rest = bins[DEFAULT], [situation for situation in SITUATIONS if situation != DEFAULT]
    parts = (*(ABSTAINING if abstaining else ()), *CONTROLLED, *subjects)
    return [
        *(View(subset, DEFAULT, base) for subset in ("all", *(HALVES if halves else ()))),
        *([View("all", ATTEMPTED, base)] if attempted else []),
        *(View("all", variant, number) for variant, number in bins.items() if variant != DEFAULT),
        *(View("all", situation, base, in_domain_only=True) for situation in rest),
        *(View(subset, DEFAULT, base, in_domain_only=True) for subset in parts),
    ]


def plan(conditions: Collection[Condition], views: Sequence[View]) -> list[Row]:
    """Return every row of the metrics table of one target and dataset."""
    present = dict.fromkeys(conditions)
    seen = ((condition, view) for view in views for condition in present if _seen(condition, view))
    return [row for pair in seen for of in (_plain, _differences) for row in of(*pair, present)]


def rates_of(method: str, space: str) -> list[str]:
    """Return the rates of losses that a method has: what was never answered is neither calibrated nor rewritten."""
    rewritten = METHODS[method].rewritten
    without = (ASKING if rewritten else ()) + (() if rewritten and space == "linguistic" else REWRITING)
    return [metric for metric in metrics_by("losses") if metric not in without]


def _seen(condition: Condition, view: View) -> bool:
    """Whether a condition is measured in a view: other measures and parts of the answers are for the default."""
    if view.variant == DEFAULT and not view.in_domain_only:
        return view.subset == "all" or condition.variant == DEFAULT
    if condition.variant != DEFAULT:
        return False
    if view.subset in CONTROLLED:
        return condition.space == "signal" and condition.method == "original"
    if view.in_domain_only:
        return condition.train in (condition.dataset, "none")
    return view.variant == ATTEMPTED or condition.space == "signal"


def _plain(condition: Condition, view: View, present: Mapping[Condition, None]) -> Iterator[Row]:
    """The numbers of a condition."""

    def row(metric: str, *terms: tuple[Term, float]) -> Row:
        return Row(condition, view, "none", metric, terms or ((Term(condition, metric, view), 1.0),))

    yield from (row(metric) for metric in metrics_by(*view.computed))
    if "bins" not in view.computed:
        return
    for metric in metrics_by("debiased"):
        yield row(metric, (Term(condition, METRICS[metric].of, view), 1.0))
    yield row("generalised_ece_null")
    gece, null = (Term(condition, metric, view) for metric in ("generalised_ece", "generalised_ece_null"))
    yield row("generalised_ece_excess", (gece, 1.0), (null, -1.0))
    if "items" not in view.computed:
        return
    for shown, aim in _aims(condition, present):
        for metric in metrics_by("propagation"):
            yield Row(shown, view, "none", metric, ((Term(condition, metric, view, aim), 1.0),))
    yield from (row(metric) for metric in rates_of(condition.method, condition.space))
    if condition.space == "linguistic" and condition.method != "original":
        yield from (row(metric) for metric in metrics_by("preservation"))


def _aims(condition: Condition, present: Mapping[Condition, None]) -> Iterator[tuple[Condition, Condition]]:
    """The calibrated signals that come back from a condition's words, each with the condition that is shown with it.

    Of a guided rewrite its own; of answers that follow no signal but are hedged by the model itself (Hedged QA), every
    signal with the dataset's own map (paper figure 3).
    """
    method = METHODS[condition.method]
    if condition.space != "linguistic" or condition.method == "original":
        return
    if method.guided and (aim := condition.aim.among(present)) is not None:
        yield condition, aim
    if not (method.guided or method.trained):
        mapped = condition.aim._replace(train=condition.dataset)
        signals = (mapped._replace(signal=signal) for signal in SIGNALS)
        yield from ((condition._replace(signal=aim.signal), aim) for aim in signals if aim in present)


def _differences(condition: Condition, view: View, present: Mapping[Condition, None]) -> Iterator[Row]:
    """Paired differences from the condition's counterparts, on the answers that both have."""
    for versus, counterpart in condition.counterparts():
        other = counterpart.among(present)
        apart = view.subset in ABSTAINING
        if other is None or (view.in_domain_only and versus != "original" and not apart):
            continue
        for metric in metrics_by(*view.computed):
            mine, theirs = Term(condition, metric, view, other), Term(other, metric, view, condition)
            yield Row(condition, view, versus, metric, ((mine, 1.0), (theirs, -1.0)))
        if versus == "original" and "items" in view.computed:
            for metric in metrics_by("parts"):
                yield Row(condition, view, versus, metric, ((Term(condition, metric, view, other), 1.0),))
