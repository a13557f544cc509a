"""Metrics: every number of the report, with its interval and, for differences, its paired test.

A bootstrap a dataset resamples questions, or groups of them, for all targets and conditions at once, so that any two
numbers are paired and a mean over models has an interval too. What is computed is planned first
(`ralc.pipeline.metrics_plan`); then each target's terms are evaluated on the same resamples, by itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, parallel_config

from ralc import statistics
from ralc.conditions import DEFAULT, MEAN, POOLED, Condition
from ralc.io.console import followed
from ralc.pipeline.arrays import Questions, answers_of
from ralc.pipeline.metrics_plan import Row, Term, View, plan, views
from ralc.pipeline.settings import Settings
from ralc.pipeline.terms import Measured, World
from ralc.registry import METRICS, NOT_ATTEMPTED, PRIMARY_METRICS, PRIMARY_OPPONENTS, primary_signal
from ralc.statistics import Drawn

#: A subject is shown on its own from so many held-out questions.
SUBJECT = 50
#: Rows of the table made at once, so that memory stays flat.
_SLICE = 2_000


@dataclass(frozen=True)
class Evaluated:
    """The terms of one target on all resamples.

    Parameters
    ----------
    rows : list of Row
        Those whose terms all have an answer.
    drawn : mapping
        Each term with its draws; terms on the same answers share them.
    """

    rows: list[Row]
    drawn: dict[Term, Drawn]

    def of(self, row: Row) -> Drawn:
        """Return a row with its draws."""
        return Drawn.combine([(self.drawn[term], factor) for term, factor in row.terms])


def compute(items: pd.DataFrame, settings: Settings, *, processes: int = 1) -> pd.DataFrame:
    """Return the metrics table of an items table (`ralc.schemas`), its datasets and targets on so many processes.

    Answers that are ungraded or unread are left out of a condition's metrics, and counted in its rates. A condition
    without any usable answer has its rates alone.
    """
    asked = []
    for number, (_, of_dataset) in enumerate(items.groupby("dataset", sort=False, observed=True)):
        questions = Questions.of(of_dataset)
        seen = _views(of_dataset, questions, settings)
        targets = of_dataset.groupby("target", sort=False, observed=True)
        asked += [(number, own, questions, seen, settings) for _, own in targets]
    # joblib's processes do not import the main module, which Snakemake calls by the name of a stub.
    with parallel_config(backend="loky", inner_max_num_threads=1):
        parallel = Parallel(n_jobs=min(processes, len(asked)), max_nbytes=None, return_as="generator")
        evaluated = parallel(delayed(_evaluate)(*one) for one in asked)
        tables = [_of_dataset([one for _, one in some]) for _, some in groupby(evaluated, itemgetter(0))]
    return pd.concat(tables, ignore_index=True)


def _of_dataset(evaluated: Sequence[Evaluated]) -> pd.DataFrame:
    """All rows of one dataset: those of each target, and their means where there are several."""
    tables = [_table([(one, row)] for row in one.rows) for one in evaluated]
    if len(evaluated) > 1:
        tables.append(_table(_over_models(evaluated), target=MEAN))
    return pd.concat(tables, ignore_index=True)


def _views(items: pd.DataFrame, questions: Questions, settings: Settings) -> list[View]:
    """The views that a dataset has."""
    subjects = pd.Series(questions.subjects).value_counts()
    large = [subject for subject in sorted(subjects.index) if subjects[subject] >= SUBJECT]
    answerable = questions.answerable.astype(bool)
    not_attempted = items["grade"] == NOT_ATTEMPTED
    return views(
        settings.bins,
        halves=answerable.any() and not answerable.all(),
        attempted=not_attempted.any() and not not_attempted.all(),
        abstaining=items["abstained"].any() and not items["abstained"].all(),
        subjects=large if len(subjects) > 1 else (),
    )


def _evaluate(
    number: int, items: pd.DataFrame, questions: Questions, seen: Sequence[View], settings: Settings
) -> tuple[int, Evaluated]:
    """Plan the rows of one target and evaluate their terms, beside the number of their dataset."""
    world = World(answers_of(items, questions), questions, settings)
    return number, _evaluate_rows(world, plan(world.answers, seen), items["dataset"].iloc[0])


def _evaluate_rows(world: World, rows: Sequence[Row], dataset: str) -> Evaluated:
    """Evaluate the terms of some rows, a condition at a time, on the resamples of their dataset."""
    asked: dict[Condition, dict[Term, None]] = {}
    for term in (term for row in rows for term, _ in row.terms):
        asked.setdefault(term.condition, {})[term] = None
    resamples = statistics.resample(
        len(world.questions.ids),
        groups=world.questions.groups,
        resamples=world.settings.resamples,
        rng=world.settings.rng("resamples", dataset),
    )
    drawn: dict[Term, Drawn] = {}
    name = f"metrics of {next(iter(asked)).target if asked else 'nothing'} on {dataset}"
    for condition, terms in followed(asked.items(), name, "conditions", len(asked)):
        found = Measured(world, condition).statistics(terms)
        distinct = {id(statistic): statistic for statistic in found.values()}
        evaluated = dict(zip(distinct, resamples.evaluate(list(distinct.values())), strict=True))
        drawn |= {term: evaluated[id(statistic)] for term, statistic in found.items()}
    return Evaluated([row for row in rows if all(term in drawn for term, _ in row.terms)], drawn)


def _over_models(evaluated: Sequence[Evaluated]) -> Iterator[list[tuple[Evaluated, Row]]]:
    """Each row of several models together, in the order in which they came; a variant where all models have it."""
    same: dict[tuple, list[tuple[Evaluated, Row]]] = {}
    for one in evaluated:
        for row in one.rows:
            key = (row.condition._replace(target=MEAN), row.view, row.versus, row.metric)
            same.setdefault(key, []).append((one, row))
    yield from (
        of_models
        for key, of_models in same.items()
        if key[0].variant == DEFAULT or len(of_models) == len(evaluated)
    )


def _table(sums: Iterable[list[tuple[Evaluated, Row]]], target: str | None = None) -> pd.DataFrame:
    """The rows of the metrics table, each the mean of some; of several models with their deviation."""
    return pd.concat([_slice(some, target) for some in _batched(sums)], ignore_index=True)


def _batched(sums: Iterable[list[tuple[Evaluated, Row]]]) -> Iterator[list[list[tuple[Evaluated, Row]]]]:
    """Some rows at a time."""
    waiting = iter(sums)
    while some := list(islice(waiting, _SLICE)):
        yield some


def _slice(sums: Sequence[list[tuple[Evaluated, Row]]], target: str | None) -> pd.DataFrame:
    drawn = [[one.of(row) for one, row in same] for same in sums]
    means = [Drawn.combine([(one, 1 / len(of_models)) for one in of_models]) for of_models in drawn]
    table = pd.DataFrame([same[0][1].shown for same in sums])
    table["sd"] = [_deviation([one.value for one in of_models]) for of_models in drawn]
    return _with_numbers(table if target is None else table.assign(target=target), means)


def pooled(items: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the primary endpoints of an items table, as rows of the metrics table with dataset ``pooled``.

    Each is the mean over the datasets of the mean over the models. Questions are resampled within their dataset, with
    the draws of `compute`. The numbers that are compared stand beside their differences, by every evaluator.
    """
    items = _primary_items(items)
    cells: dict[tuple[str, ...], dict[str, list[tuple[str, Drawn]]]] = {}
    for dataset, of_dataset in items.groupby("dataset", sort=False, observed=True):
        questions = Questions.of(of_dataset)
        for target, own in of_dataset.groupby("target", sort=False, observed=True):
            world = World(answers_of(own, questions), questions, settings)
            rows = plan(world.answers, [View("all", DEFAULT, settings.bins[DEFAULT])])
            evaluated = _evaluate_rows(world, [row for row in rows if _primary(row)], str(dataset))
            for row in evaluated.rows:
                train = POOLED if row.condition.train == dataset else row.condition.train
                about = row.condition._replace(target=MEAN, dataset=POOLED, train=train)
                drawn = evaluated.of(row)
                if np.isfinite(drawn.value):
                    cell = cells.setdefault((*about, row.view.subset, row.versus, row.metric), {})
                    cell.setdefault(str(dataset), []).append((str(target), drawn))
    table = pd.DataFrame(list(cells), columns=[*Condition._fields, "subset", "versus", "metric"])
    targets = items["target"].unique()
    if len(targets) == 1:
        table["target"] = targets[0]
    table["sd"] = [_deviation(_of_models(cell)) for cell in cells.values()]
    return _with_numbers(table, [_pool(cell) for cell in cells.values()])


def _primary_items(items: pd.DataFrame) -> pd.DataFrame:
    """The items that the primary endpoints compare: read words, guided by the primary signal, with their own map."""
    rows = items[(items["space"] == "linguistic") & (items["evaluator"] != "none")]
    rows = rows[(rows["variant"] == DEFAULT) & rows["method"].isin(["ralc", *PRIMARY_OPPONENTS])]
    guided = rows.loc[rows["method"] == "ralc", "signal"].unique()
    if not len(guided):
        return rows.iloc[:0]
    rows = rows[rows["signal"].isin([primary_signal(guided), "none"])]
    return rows[(rows["train"] == rows["dataset"]) | (rows["train"] == "none")]


def _primary(row: Row) -> bool:
    """Whether a row is a primary endpoint, or one of the numbers that it compares."""
    compared = row.condition.method == "ralc" and row.versus in PRIMARY_OPPONENTS
    return row.metric in PRIMARY_METRICS and (row.versus == "none" or compared)


def _pool(cell: Mapping[str, Sequence[tuple[str, Drawn]]]) -> Drawn:
    """The mean over datasets of the mean over models; it is of the answers of all datasets together."""
    return Drawn.pool(
        [Drawn.combine([(one, 1 / len(models)) for _, one in models]) for models in cell.values()]
    )


def _of_models(cell: Mapping[str, Sequence[tuple[str, Drawn]]]) -> list[float]:
    """The mean over datasets of each model."""
    values = pd.DataFrame({dataset: dict(models) for dataset, models in cell.items()})
    return values.map(lambda one: getattr(one, "value", np.nan)).mean(axis=1).tolist()


def _with_numbers(table: pd.DataFrame, drawn: Sequence[Drawn]) -> pd.DataFrame:
    """The rows of a table with their values, intervals, p-values and numbers of answers."""
    numbers = statistics.intervals(drawn, null=0.0).drop(columns="standard_error")
    table = pd.concat([table, numbers], axis=1)
    return _as_declared(table.assign(n=[one.size for one in drawn]))


def _as_declared(table: pd.DataFrame) -> pd.DataFrame:
    """The numbers that each metric has: only differences a p-value, only estimates an interval, within the range.

    Too few answers have no interval, nor have answers of which all resamples say the same: they know no doubt.
    """
    metric = table["metric"].map(METRICS)
    few = table["n"] < statistics.FEWEST
    certain = ~(table["ci_high"] - table["ci_low"] > statistics.WIDTHLESS)
    table.loc[few | certain, ["ci_low", "ci_high"]] = np.nan
    table.loc[few, "p_value"] = np.nan
    plain, computed = table["versus"] == "none", metric.map(lambda m: m.computed)
    table.loc[plain, "p_value"] = np.nan
    table.loc[computed == "floor", ["ci_low", "ci_high"]] = np.nan
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
