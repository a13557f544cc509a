"""Metrics: every number of the report, with its interval and, for differences, its paired test.

A bootstrap a dataset resamples questions, or groups of them, for all targets and conditions at once. So any two
numbers are paired, and a mean over models has an interval too. What is computed is planned first
(`ralc.pipeline.metrics_plan`). Then each target's terms are evaluated on the same resamples, by itself.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, parallel_config

from ralc import statistics
from ralc.conditions import COLUMNS, DEFAULT, MEAN, NONE, POOLED, Condition
from ralc.io.console import progress
from ralc.pipeline.metric_evaluation import ConditionMetrics, Questions, Settings, answers_of
from ralc.pipeline.metrics_plan import Row, Term, View, plan, views
from ralc.registry import METRICS, NOT_ATTEMPTED, PRIMARY_METRICS, PRIMARY_OPPONENTS, primary_signal
from ralc.results.filters import in_domain
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
    drawn: dict[Term, Estimate]

    def of(self, row: Row) -> Estimate:
        """Return a row with its draws."""
        return Estimate.combine([(self.drawn[term], factor) for term, factor in row.terms])


def compute(items: pd.DataFrame, settings: Settings, *, processes: int = 1) -> pd.DataFrame:
    """Return the metrics table of an items table (`ralc.schemas`), its datasets and targets on so many processes.

    Answers that are ungraded or unread are left out of a condition's metrics, and counted in its rates. A condition
    without any usable answer has its rates alone.
    """
    tasks = []
    for number, (_, of_dataset) in enumerate(items.groupby("dataset", sort=False, observed=True)):
        questions = Questions.of(of_dataset)
        planned = _views(of_dataset, questions, settings)
        targets = of_dataset.groupby("target", sort=False, observed=True)
        tasks += [(number, (part, questions, settings, planned)) for _, part in targets]
    # joblib's processes do not import the main module, which Snakemake calls by the name of a stub.
    with parallel_config(backend="loky", inner_max_num_threads=1):
        parallel = Parallel(n_jobs=min(processes, len(tasks)), max_nbytes=None, return_as="generator")
        evaluated = zip(tasks, parallel(delayed(_evaluate)(*one) for _, one in tasks), strict=True)
        tables = []
        for _, pairs in groupby(evaluated, lambda pair: pair[0][0]):
            targets = [one for _, one in pairs]
            tables += [_table([(one, row)] for row in one.rows) for one in targets]
            tables += [_table(_over_models(targets), target=MEAN)] if len(targets) > 1 else []
    return pd.concat(tables, ignore_index=True)


def _views(items: pd.DataFrame, questions: Questions, settings: Settings) -> list[View]:
    """The views that a dataset has."""
    subjects = pd.Series(questions.subjects).value_counts()
    large = [subject for subject in sorted(subjects.index) if subjects[subject] >= SUBJECT]
    some, not_attempted = questions.answerable.astype(bool), items["grade"] == NOT_ATTEMPTED
    return views(
        settings.bins,
        halves=some.any() and not some.all(),
        attempted=not_attempted.any() and not not_attempted.all(),
        abstaining=items["abstained"].any() and not items["abstained"].all(),
        subjects=large if len(subjects) > 1 else (),
    )


def _evaluate(
    items: pd.DataFrame,
    questions: Questions,
    settings: Settings,
    planned: Sequence[View],
    wanted: Callable[[Row], bool] = lambda row: True,
) -> Evaluated:
    """Plan the rows of one target and evaluate their terms, a condition at a time, on its dataset's resamples."""
    answers, dataset = answers_of(items, questions), items["dataset"].iloc[0]
    rows = [row for row in plan(answers, planned) if wanted(row)]
    asked: dict[Condition, dict[Term, None]] = {}
    for term in (term for row in rows for term, _ in row.terms):
        asked.setdefault(term.condition, {})[term] = None
    resamples = statistics.resample(
        len(questions.ids),
        groups=questions.groups,
        resamples=settings.resamples,
        rng=settings.rng("resamples", dataset),
    )
    drawn: dict[Term, Estimate] = {}
    name = f"metrics of {items['target'].iloc[0]} on {dataset}"
    for condition, terms in progress(asked.items(), name, "conditions", len(asked)):
        by_term = ConditionMetrics(condition, answers, questions, settings).statistics(terms)
        distinct = {id(statistic): statistic for statistic in by_term.values()}
        evaluated = dict(zip(distinct, resamples.evaluate(list(distinct.values())), strict=True))
        drawn |= {term: evaluated[id(statistic)] for term, statistic in by_term.items()}
    return Evaluated([row for row in rows if all(term in drawn for term, _ in row.terms)], drawn)


def _over_models(evaluated: Sequence[Evaluated]) -> Iterator[list[tuple[Evaluated, Row]]]:
    """Each row of several models together, in the order in which they came; a variant where all models have it."""
    same: dict[tuple, list[tuple[Evaluated, Row]]] = {}
    for one in evaluated:
        for row in one.rows:
            key = (row.condition._replace(target=MEAN), row.view, row.versus, row.metric)
            same.setdefault(key, []).append((one, row))
    for (condition, *_), models in same.items():
        if condition.variant == DEFAULT or len(models) == len(evaluated):
            yield models


def _table(sums: Iterable[list[tuple[Evaluated, Row]]], target: str | None = None) -> pd.DataFrame:
    """The rows of the metrics table, each the mean of some; of several models with their deviation."""
    waiting, parts = iter(sums), []
    while some := list(islice(waiting, _SLICE)):
        drawn = [[one.of(row) for one, row in models] for models in some]
        part = pd.DataFrame([models[0][1].shown for models in some])
        part["sd"] = [_deviation([one.value for one in models]) for models in drawn]
        part = part if target is None else part.assign(target=target)
        means = [Estimate.combine([(one, 1 / len(models)) for one in models]) for models in drawn]
        parts.append(_with_numbers(part, means))
    return pd.concat(parts, ignore_index=True)


def pooled(items: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the primary endpoints of an items table, as rows of the metrics table with dataset ``pooled``.

    Each is the mean over the datasets of the mean over the models. Questions are resampled within their dataset, with
    the draws of `compute`. The numbers that are compared stand beside their differences, by every evaluator.
    """
    items, view = _primary_items(items), View("all", DEFAULT, settings.bins[DEFAULT])
    cells: dict[tuple[str, ...], dict[str, dict[str, Estimate]]] = {}
    for dataset, of_dataset in items.groupby("dataset", sort=False, observed=True):
        questions = Questions.of(of_dataset)
        for target, part in of_dataset.groupby("target", sort=False, observed=True):
            evaluated = _evaluate(part, questions, settings, [view], _primary)
            for row in evaluated.rows:
                train = POOLED if row.condition.train == dataset else row.condition.train
                about = row.condition._replace(target=MEAN, dataset=POOLED, train=train)
                drawn = evaluated.of(row)
                if np.isfinite(drawn.value):
                    cell = cells.setdefault((*about, row.view.subset, row.versus, row.metric), {})
                    cell.setdefault(str(dataset), {})[str(target)] = drawn
    table = pd.DataFrame(list(cells), columns=[*Condition._fields, "subset", "versus", "metric"])
    targets = items["target"].unique()
    if len(targets) == 1:
        table["target"] = targets[0]
    values = [pd.DataFrame(cell).map(lambda one: getattr(one, "value", np.nan)) for cell in cells.values()]
    table["sd"] = [_deviation(of.mean(axis=1).tolist()) for of in values]
    means = [
        [Estimate.combine([(one, 1 / len(models)) for one in models.values()]) for models in cell.values()]
        for cell in cells.values()
    ]
    return _with_numbers(table, [Estimate.pool(of_datasets) for of_datasets in means])


def _primary_items(items: pd.DataFrame) -> pd.DataFrame:
    """The items that the primary endpoints compare: read words, guided by the primary signal, with their own map."""
    rows = items[(items["space"] == "linguistic") & (items["evaluator"] != NONE)]
    rows = rows[(rows["variant"] == DEFAULT) & rows["method"].isin(["ralc", *PRIMARY_OPPONENTS])]
    guided = rows.loc[rows["method"] == "ralc", "signal"].unique()
    signals = [primary_signal(guided), NONE] if len(guided) else []
    return in_domain(rows[rows["signal"].isin(signals)])


def _primary(row: Row) -> bool:
    """Whether a row is a primary endpoint, or one of the numbers that it compares."""
    compared = row.condition.method == "ralc" and row.versus in PRIMARY_OPPONENTS
    return row.metric in PRIMARY_METRICS and (row.versus == NONE or compared)


def _with_numbers(table: pd.DataFrame, drawn: Sequence[Estimate]) -> pd.DataFrame:
    """The rows of a table with the numbers that each metric has.

    Only differences have a p-value, only estimates an interval, all within the metric's range. Too few answers have no
    interval, nor have answers of which all resamples say the same: they know no doubt.
    """
    numbers = statistics.intervals(drawn, null=0.0).drop(columns="standard_error")
    table = pd.concat([table, numbers], axis=1)
    metric, plain = table["metric"].map(METRICS), table["versus"] == "none"
    computed, few = metric.map(lambda m: m.computed), table["n"] < statistics.FEWEST
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


def _deviation(values: Sequence[float]) -> float:
    """The standard deviation between models of what is defined; NaN with fewer than two."""
    defined = [value for value in values if np.isfinite(value)]
    return float(np.std(defined, ddof=1)) if len(defined) > 1 else float("nan")


def with_means(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the metrics of all datasets with their means over signals and over datasets below them.

    Of plain numbers on whole datasets: of the default variant, and of other maps. Over signals where words are guided
    by one. There the ends of the interval are the means of the ends, since the signals are of the same answers: it is
    at least as wide as the true one. Over datasets, whose questions are different ones, the ends lie at the root of the
    sum of squares (Zou and Donner 2008). `n` is the sum.
    """
    kept = (metrics["variant"] == DEFAULT) | metrics["variant"].str.startswith("map=")
    rows = in_domain(metrics[kept & (metrics["subset"] == "all") & (metrics["versus"] == "none")])
    # Hedged QA has a correlation with each signal.
    guided = rows[(rows["space"] == "linguistic") & (rows["signal"] != "none")]
    signals = _means(guided, ("signal",), pooled=False)
    datasets = _means(pd.concat([rows, signals]), ("dataset", "train"), pooled=True)
    return pd.concat([metrics, signals, datasets], ignore_index=True)


def _means(rows: pd.DataFrame, over: tuple[str, ...], *, pooled: bool) -> pd.DataFrame:
    """The means over the first of some columns; the others follow it where they apply."""
    first = over[0]
    moved = rows.assign(**{name: rows[name].where(rows[name] == NONE, MEAN) for name in over})
    moved = moved.assign(below=rows["value"] - rows["ci_low"], above=rows["ci_high"] - rows["value"])
    moved = moved.assign(belows=moved["below"] ** 2, aboves=moved["above"] ** 2)
    same = moved[moved[first] == MEAN].groupby(CELL, sort=False, observed=True)
    number, table = same.size(), same["value"].mean().to_frame()
    for end, column, sign in (("below", "ci_low", -1), ("above", "ci_high", 1)):
        size = np.sqrt(same[f"{end}s"].sum(min_count=1)) / number if pooled else same[end].mean()
        table[column] = (table["value"] + sign * size).mask(same[end].count() < number)
    table["n"] = same["n"].sum() if pooled else same["n"].max()
    # A mean is of all there are: of fewer it would be compared with what it is not.
    wanted = rows.loc[rows[first] != NONE, first].nunique()
    table = table[(number == wanted) & (wanted > 1)].reset_index()
    return table.assign(sd=np.nan, p_value=np.nan)[[*rows.columns]]
