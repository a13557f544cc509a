"""Metrics: every number of the report, with its interval and, for differences, its paired test.

A bootstrap a dataset resamples questions, or groups of them, for all targets and conditions at once. So any two
numbers are paired, and a mean over models has an interval too. What is computed is planned first
(`ralc.pipeline.metrics_plan`). Then each target's terms are evaluated on the same resamples, by itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, parallel_config

from ralc import statistics
from ralc.conditions import ATTEMPTED, COLUMNS, DEFAULT, MEAN, NONE, POOLED, Condition, changed_to, having
from ralc.io.console import progress
from ralc.pipeline.metric_evaluation import ConditionMetrics, Settings, answers_of, questions_of
from ralc.pipeline.metrics_plan import Row, Term, View, plan
from ralc.registry import (
    ABSTAINING,
    CONTROLLED,
    HALVES,
    METRICS,
    NOT_ATTEMPTED,
    PRIMARY_METRICS,
    PRIMARY_OPPONENTS,
    primary_signal,
)
from ralc.reliance import SITUATIONS
from ralc.results import in_domain
from ralc.statistics import Estimate

#: What names a number of the metrics table.
CELL = [*COLUMNS, "subset", "versus", "metric"]
#: A subject is shown on its own from so many held-out questions.
SUBJECT = 50
#: Rows of the table made at once, so that memory stays flat.
_SLICE = 2_000


class Evaluated(NamedTuple):
    """The rows of one target whose terms all have an answer, and each term with its draws on all resamples."""

    rows: list[Row]
    draws: dict[Term, Estimate]

    def of(self, row: Row) -> Estimate:
        """Return a row with its draws."""
        return Estimate.combine([(self.draws[term], factor) for term, factor in row.terms])


#: A row of several models and datasets: by dataset, each model's row.
Models = Mapping[str, Sequence[tuple[Evaluated, Row]]]


def compute(items: pd.DataFrame, settings: Settings, *, processes: int = 1) -> pd.DataFrame:
    """Return the metrics table of an items table (`ralc.schemas`).

    Answers that are ungraded or unread are left out of a condition's metrics, and counted in its rates. A condition
    without any usable answer has its rates alone.

    Parameters
    ----------
    items
        All targets and datasets, in the order in which the datasets are to stand.
    settings
        Bins, resamples and seed.
    processes
        On which datasets are measured side by side, at least 1; the numbers do not depend on it.
    """
    datasets = [(part, questions_of(part)) for _, part in items.groupby("dataset", sort=False, observed=True)]
    tasks = [(*dataset, settings, _views(*dataset, settings)) for dataset in datasets]
    order = sorted(range(len(tasks)), key=lambda at: -len(tasks[at][-1]))  # the longest goes first
    # joblib's processes do not import the main module, which Snakemake calls by the name of a stub.
    with parallel_config(backend="loky", inner_max_num_threads=1):
        parallel = Parallel(n_jobs=min(processes, len(tasks)), max_nbytes=None)
        tables = dict(zip(order, parallel(delayed(_measure)(*tasks[place]) for place in order), strict=True))
    return pd.concat([tables[place] for place in range(len(tasks))], ignore_index=True)


def _measure(
    items: pd.DataFrame, questions: pd.DataFrame, settings: Settings, views: Sequence[View]
) -> pd.DataFrame:
    """The rows of one dataset: of each target, then of their mean."""
    parts = items.groupby("target", sort=False, observed=True)
    targets = [_evaluate(part, questions, settings, views) for _, part in parts]
    tables = [_table((row, {"": [(target, row)]}) for row in target.rows) for target in targets]
    tables += [_table(_together(targets, target=MEAN).items())] if len(targets) > 1 else []
    return pd.concat(tables, ignore_index=True)


def _views(items: pd.DataFrame, questions: pd.DataFrame, settings: Settings) -> list[View]:
    """The views that a dataset has: of halves where some of its questions are answerable and some not, and so on."""

    def divided(flags: pd.Series) -> bool:
        return flags.any() and not flags.all()

    number = questions["subject"].value_counts()
    subjects = sorted(number[number >= SUBJECT].index) if len(number) > 1 else []
    halves = HALVES if divided(questions["answerable"]) else ()
    abstaining = ABSTAINING if divided(items["abstained"]) else ()
    base = settings.bins[DEFAULT]
    variants = {ATTEMPTED: base} if divided(items["grade"] == NOT_ATTEMPTED) else {}
    variants |= {variant: bins for variant, bins in settings.bins.items() if variant != DEFAULT}
    return [
        View("all", DEFAULT, base),
        *(View(half, DEFAULT, base) for half in halves),
        *(View("all", variant, bins) for variant, bins in variants.items()),
        *(View("all", situation, base, brief=True) for situation in SITUATIONS if situation != DEFAULT),
        *(View(part, DEFAULT, base) for part in abstaining),
        *(View(subset, DEFAULT, base, brief=True) for subset in (*CONTROLLED, *subjects)),
    ]


def _evaluate(
    items: pd.DataFrame,
    questions: pd.DataFrame,
    settings: Settings,
    views: Sequence[View],
    predicate: Callable[[Row], bool] = lambda row: True,
) -> Evaluated:
    """Plan the rows of one target and evaluate their terms, a condition at a time, on its dataset's resamples."""
    answers = answers_of(items, questions)
    dataset = items["dataset"].iloc[0]
    rows = [row for row in plan(answers, views) if predicate(row)]
    terms_of: dict[Condition, dict[Term, None]] = {}
    for term in (term for row in rows for term, _ in row.terms):
        terms_of.setdefault(term.condition, {})[term] = None
    resamples = statistics.resample(
        len(questions),
        groups=questions["group"].to_numpy(),
        resamples=settings.resamples,
        rng=settings.rng("resamples", dataset),
    )
    draws: dict[Term, Estimate] = {}
    name = f"metrics of {items['target'].iloc[0]} on {dataset}"
    for condition, terms in progress(terms_of.items(), name, "conditions", len(terms_of)):
        by_term = ConditionMetrics(condition, answers, questions, settings).statistics(terms)
        distinct = {id(statistic): statistic for statistic in by_term.values()}
        estimates = dict(zip(distinct, resamples.evaluate(list(distinct.values())), strict=True))
        draws |= {term: estimates[id(statistic)] for term, statistic in by_term.items()}
    return Evaluated([row for row in rows if all(term in draws for term, _ in row.terms)], draws)


def _together(evaluated: Sequence[Evaluated], **columns: str) -> dict[Row, Models]:
    """The rows of several models and datasets together, in their order; a variant where all have it.

    `columns` has what stands in the columns in which they differ.
    """
    same: dict[Row, dict[str, list[tuple[Evaluated, Row]]]] = {}
    for target in evaluated:
        for row in target.rows:
            about = columns if row.condition.train != NONE else columns | {"train": NONE}
            key = row._replace(condition=row.condition._replace(**about), terms=())
            same.setdefault(key, {}).setdefault(row.condition.dataset, []).append((target, row))
    return {
        row: models
        for row, models in same.items()
        if row.condition.variant == DEFAULT or sum(map(len, models.values())) == len(evaluated)
    }


def _table(rows: Iterable[tuple[Row, Models]], *, pool: bool = False) -> pd.DataFrame:
    """The rows of the metrics table, each the mean over the models of one dataset, or of several that are to `pool`."""
    waiting = iter(rows)
    parts = [pd.DataFrame(columns=CELL)]
    while batch := list(islice(waiting, _SLICE)):
        estimates = []
        deviations = []
        for _, by_dataset in batch:
            draws = [[target.of(row) for target, row in models] for models in by_dataset.values()]
            means = [Estimate.combine([(one, 1 / len(models)) for one in models]) for models in draws]
            estimates.append(Estimate.pool(means) if pool else means[0])
            deviations.append(_deviation(by_dataset, draws))
        part = pd.DataFrame([row.labels for row, _ in batch]).assign(sd=deviations)
        parts.append(_with_numbers(part, estimates))
    return pd.concat(parts[1:] or parts, ignore_index=True)


def _deviation(models: Models, draws: Sequence[Sequence[Estimate]]) -> float:
    """The standard deviation between the models' means of what is defined; NaN with fewer than two."""
    values: dict[str, list[float]] = {}
    for (_, row), estimate in zip(chain(*models.values()), chain(*draws), strict=True):
        if np.isfinite(estimate.value):
            values.setdefault(row.condition.target, []).append(estimate.value)
    return float(np.std([np.mean(of) for of in values.values()], ddof=1)) if len(values) > 1 else np.nan


def pooled(items: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the primary endpoints of an items table, as rows of the metrics table with dataset ``pooled``.

    Each is the mean over the datasets of the mean over the models. Questions are resampled within their dataset, with
    the draws of `compute`. The numbers that are compared stand beside their differences, by every evaluator.
    """
    items = _primary_items(items)
    view = View("all", DEFAULT, settings.bins[DEFAULT])
    evaluated = []
    targets = items["target"].unique()
    for _, of_dataset in items.groupby("dataset", sort=False, observed=True):
        for _, part in of_dataset.groupby("target", sort=False, observed=True):
            one = _evaluate(part, questions_of(of_dataset), settings, [view], _primary)
            evaluated.append(one._replace(rows=[row for row in one.rows if np.isfinite(one.of(row).value)]))
    columns = {"target": targets[0] if len(targets) == 1 else MEAN, "dataset": POOLED, "train": POOLED}
    return _table(_together(evaluated, **columns).items(), pool=True)


def _primary_items(items: pd.DataFrame) -> pd.DataFrame:
    """The items that the primary endpoints compare: read words, guided by the primary signal, with their own map."""
    rows = having(items[items["evaluator"] != NONE], space="linguistic")
    rows = having(rows, variant=DEFAULT, method=["ralc", *PRIMARY_OPPONENTS])
    guided = rows.loc[rows["method"] == "ralc", "signal"].unique()
    signals = [primary_signal(guided), NONE] if len(guided) else []
    return in_domain(having(rows, signal=signals))


def _primary(row: Row) -> bool:
    """Whether a row is a primary endpoint, or one of the numbers that it compares."""
    compared = row.condition.method == "ralc" and row.versus in PRIMARY_OPPONENTS
    return row.metric in PRIMARY_METRICS and (row.versus == NONE or compared)


def _with_numbers(table: pd.DataFrame, estimates: Sequence[Estimate]) -> pd.DataFrame:
    """The rows of a table with the numbers that each metric has.

    Only differences have a p-value, only estimates an interval, all within the metric's range. Too few answers have no
    interval, nor have answers of which all resamples say the same: they know no doubt.
    """
    numbers = statistics.intervals(estimates, null=0.0).drop(columns="standard_error")
    table = pd.concat([table, numbers], axis=1)
    metric = table["metric"].map(METRICS)
    plain = table["versus"] == "none"
    computed = metric.map(lambda m: m.computed)
    few = table["n"] < statistics.FEWEST
    certain = ~(table["ci_high"] - table["ci_low"] > statistics.WIDTHLESS)
    table.loc[few | certain | (computed == "floor"), ["ci_low", "ci_high"]] = np.nan
    table.loc[few | plain, "p_value"] = np.nan
    table.loc[computed == "debiased", "value"] = table["debiased"]
    low, high = (metric.map(lambda m, side=side: getattr(m, side)).astype(float) for side in ("low", "high"))
    # A difference of two numbers of a range lies within its width.
    low, high = low.where(plain, low - high), high.where(plain, high - low)
    for column in ("value", "ci_low", "ci_high"):
        table[column] = table[column].clip(low, high)
    return table.drop(columns="debiased")


def with_means(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the metrics of all datasets with their means over signals and over datasets below them.

    Of plain numbers on whole datasets: of the default variant, and of other maps. Over signals where words are guided
    by one. There the ends of the interval are the means of the ends, since the signals are of the same answers. It is
    at least as wide as the true one. Over datasets, whose questions are different ones, the ends lie at the root of the
    sum of squares (Zou and Donner 2008). `n` is the sum.
    """
    averaged = (metrics["variant"] == DEFAULT) | changed_to(metrics["variant"], "map").notna()
    rows = in_domain(having(metrics[averaged], subset="all", versus="none"))
    # Hedged QA has a correlation with each signal.
    guided = having(rows[rows["signal"] != "none"], space="linguistic")
    signals = _means(guided, "signal", power=1)
    datasets = _means(pd.concat([rows, signals]), "dataset", "train", power=2)
    return pd.concat([metrics, signals, datasets], ignore_index=True)


def _means(rows: pd.DataFrame, *over: str, power: int) -> pd.DataFrame:
    """The means over the first of some columns; the others follow it where they apply.

    An end lies as far from the mean as the root of the sum of distances to this `power`, divided by their number.
    """
    same = rows.assign(
        **{name: rows[name].where(rows[name] == NONE, MEAN) for name in over},
        ci_low=(rows["value"] - rows["ci_low"]) ** power,
        ci_high=(rows["ci_high"] - rows["value"]) ** power,
    ).groupby(CELL, sort=False, observed=True)
    number = same.size()
    table = same["value"].mean().to_frame()
    for end, sign in (("ci_low", -1), ("ci_high", 1)):
        width = same[end].sum() ** (1 / power) / number
        table[end] = (table["value"] + sign * width).mask(same[end].count() < number)
    table["n"] = same["n"].max() if power == 1 else same["n"].sum()
    # A mean is of all there are: of fewer it would be compared with what it is not.
    table = table[(number == rows[over[0]].nunique()) & (number > 1)].reset_index()
    return table.assign(sd=np.nan, p_value=np.nan)[[*rows.columns]]
