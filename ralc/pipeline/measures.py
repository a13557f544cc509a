"""Metrics: every number of the report, with its interval and, for differences, its paired test.

One bootstrap a dataset (and subset of it) resamples questions, or groups of them, for all targets and
conditions at once, so that any two numbers are paired and a mean over models has an interval too.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd

from ralc import metrics, statistics
from ralc.beta import Beta
from ralc.names import METHODS, METRICS, NOT_ATTEMPTED, UNPARSED, metrics_by
from ralc.statistics import Statistic

#: What a row of the results is about, besides its dataset and subset.
_WORLD = ["protocol", "dataset", "variant"]


class Condition(NamedTuple):
    """One way in which answers have a confidence."""

    target: str
    train: str
    signal: str
    method: str
    space: str
    reader: str


@dataclass(frozen=True)
class Scored:
    """The usable answers of a condition: graded and read."""

    position: np.ndarray  # of the question, in the bootstrap
    outcome: np.ndarray
    confidence: Beta

    def at(self, positions: np.ndarray) -> "Scored":
        """The same for some questions only."""
        keep = np.isin(self.position, positions)
        return Scored(self.position[keep], self.outcome[keep], self.confidence[keep])


#: Statistics of (outcome, confidence); how the generalised ECE is computed is bound in `compute`.
Measure = Callable[[np.ndarray, Beta], Statistic]


def _measures(bins: int, samples: int | None, rng: np.random.Generator) -> dict[str, Measure]:
    """The statistics of a condition by the names of the results table."""
    special = {
        "generalised_ece": lambda y, s: statistics.generalised_ece(y, s, bins=bins, samples=samples, rng=rng),
        "expected_calibration_error": lambda y, s: statistics.expected_calibration_error(
            y, s.mean, bins=bins
        ),
        "auroc": lambda y, s: statistics.auroc(y, s.mean),
    }
    return {name: special.get(name) or _mean_of(name) for name in metrics_by("items", "bins", "ranks")}


def _mean_of(name: str) -> Measure:
    """The mean over items of a metric of `ralc.metrics`."""
    function, forecast = getattr(metrics, name), METRICS[name].forecast
    return lambda y, s: statistics.mean(function(y, s.mean if forecast == "mean" else s))


def compute(
    items: pd.DataFrame,
    *,
    bins: int = 10,
    resamples: int = 2000,
    null_repeats: int = 200,
    samples: int | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the metrics table of an items table (`ralc.schemas`).

    `samples`: draws an item of a Monte-Carlo generalised ECE (protocol `authors`); by default it is exact.

    Answers that are ungraded or unread are left out of a condition's metrics, and counted in its rates.
    A condition without any usable answer has its rates alone.
    """
    parts = []
    for names, rows in items.groupby(_WORLD, sort=False):
        for about, chosen in _parts(rows):
            about = dict(zip(_WORLD, names, strict=True)) | about
            rng = np.random.default_rng([seed, zlib.crc32("/".join(about.values()).encode())])
            world = World(chosen, bins, null_repeats, rng, _measures(bins, samples, rng))
            parts.append(world.table(resamples).assign(**about))
    return pd.concat(parts, ignore_index=True)


def _parts(rows: pd.DataFrame) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """All answers; the halves of a dataset with unanswerable questions; all but those not attempted."""
    yield {"subset": "all"}, rows
    if rows.answerable.any() and not rows.answerable.all():
        yield {"subset": "answerable"}, rows[rows.answerable]
        yield {"subset": "unanswerable"}, rows[~rows.answerable]
    attempted = rows[rows.grade != NOT_ATTEMPTED]
    if 0 < len(attempted) < len(rows):
        yield {"variant": "not_attempted=dropped", "subset": "all"}, attempted


@dataclass
class World:
    """The conditions of one dataset, and the rows of results that they make."""

    items: pd.DataFrame
    bins: int
    null_repeats: int
    rng: np.random.Generator
    measures: dict[str, Measure]
    _statistics: dict[str, Statistic] = field(default_factory=dict)
    _rows: list[dict] = field(default_factory=list)
    _sums: dict[str, dict[str, float]] = field(default_factory=dict)

    def table(self, resamples: int) -> pd.DataFrame:
        """All rows, with values, intervals and p-values."""
        questions = self.items.drop_duplicates("question_id").sort_values("question_id")
        self._position = dict(zip(questions.question_id, range(len(questions)), strict=True))
        conditions = {
            Condition(*key): rows for key, rows in self.items.groupby(list(Condition._fields), sort=False)
        }
        self._scored = {condition: self._usable(rows) for condition, rows in conditions.items()}
        for condition, rows in conditions.items():
            self._describe(condition, rows)
        for condition in conditions:
            self._compare(condition)
        self._average_models()
        drawn = statistics.bootstrap(
            self._statistics,
            items=len(questions),
            groups=questions["group"].to_numpy(),
            resamples=resamples,
            rng=self.rng,
        )
        return self._finished(drawn.combine(self._sums).table(null=0.0))

    def _usable(self, rows: pd.DataFrame) -> Scored:
        usable = rows.dropna(subset=["outcome", "alpha"])
        return Scored(
            usable.question_id.map(self._position).to_numpy(dtype=int),
            usable.outcome.to_numpy(dtype=float),
            Beta(usable.alpha.to_numpy(), usable.beta.to_numpy()),
        )

    def _describe(self, condition: Condition, rows: pd.DataFrame) -> None:
        """The metrics of a condition, and the rates of what it lost."""
        scored = self._scored[condition]
        if scored.position.size:
            for metric, measure in self.measures.items():
                self._plain(condition, metric, self._name(condition, scored, metric, measure))
            self._null_and_excess(condition, scored)
            self._propagation(condition, scored)
        everywhere = rows.question_id.map(self._position).to_numpy(dtype=int)
        for metric, values in _rates(rows).items():
            name = self._add(f"{condition} {metric}", statistics.mean(values).at(everywhere))
            self._plain(condition, metric, name)
        kept = rows.dropna(subset=["content_preservation"])
        if len(kept):
            statistic = statistics.mean(kept.content_preservation).at(kept.question_id.map(self._position))
            self._plain(condition, "content_preservation", self._add(f"{condition} content", statistic))

    def _null_and_excess(self, condition: Condition, scored: Scored) -> None:
        """The floor of the generalised ECE and what is above it; the floor is a constant in the interval."""
        null = metrics.generalised_ece_null(
            scored.confidence, bins=self.bins, repeats=self.null_repeats, rng=self.rng
        )
        gece = self._name(condition, scored, "generalised_ece", self.measures["generalised_ece"])
        self._plain(condition, "generalised_ece_null", gece, times=0.0, shift=null)
        self._plain(condition, "generalised_ece_excess", gece, shift=-null)

    def _propagation(self, condition: Condition, scored: Scored) -> None:
        """How the calibrated signal comes back from the words: raw Spearman of means and of concentrations."""
        aim = self._scored.get(condition._replace(method="ralc", space="signal", reader="none"))
        if condition.space != "linguistic" or aim is None:
            return
        aim, read = _shared(aim, scored)
        for metric in ("mean", "concentration"):
            pair = getattr(aim.confidence, metric), getattr(read.confidence, metric)
            name = self._add(f"{condition} spearman {metric}", statistics.spearman(*pair).at(read.position))
            self._plain(condition, f"spearman_{metric}", name)

    def _compare(self, condition: Condition) -> None:
        """Paired differences from the original, from each baseline, and across domains from in-domain."""
        for versus, other in _counterparts(condition, self.items.dataset.iloc[0]):
            if other not in self._scored:
                continue
            mine, theirs = _shared(self._scored[condition], self._scored[other])
            if not mine.position.size:
                continue
            for metric, measure in self.measures.items():
                names = [self._name(*one, metric, measure) for one in ((condition, mine), (other, theirs))]
                self._difference(condition, versus, metric, names)
            if versus == "original" and np.array_equal(mine.outcome, theirs.outcome):
                self._parts(condition, mine, theirs)

    def _parts(self, condition: Condition, after: Scored, before: Scored) -> None:
        """What the mean and what the concentration did to the faithfulness divergence."""
        parts = metrics.faithfulness_divergence_parts(after.outcome, before.confidence, after.confidence)
        for part, values in zip(("mean", "concentration"), parts, strict=True):
            metric = f"faithfulness_divergence_{part}_part"
            name = self._add(f"{condition} {metric}", statistics.mean(values).at(after.position))
            self._row(condition, "original", metric, {name: 1.0})

    def _name(self, condition: Condition, scored: Scored, metric: str, measure: Measure) -> str:
        """The name of a condition's statistic on some questions, which is added once."""
        name = f"{condition} {metric} {zlib.crc32(scored.position.tobytes())}"
        if name not in self._statistics:
            self._add(name, measure(scored.outcome, scored.confidence).at(scored.position))
        return name

    def _add(self, name: str, statistic: Statistic) -> str:
        self._statistics[name] = statistic
        return name

    def _plain(
        self, condition: Condition, metric: str, name: str, *, times: float = 1.0, shift: float = 0.0
    ) -> None:
        self._row(condition, "none", metric, {name: times}, shift)

    def _difference(self, condition: Condition, versus: str, metric: str, names: list[str]) -> None:
        self._row(condition, versus, metric, {names[0]: 1.0, names[1]: -1.0} if names[0] != names[1] else {})

    def _row(
        self, condition: Condition, versus: str, metric: str, terms: dict[str, float], shift: float = 0.0
    ) -> None:
        if terms:
            about = {"versus": versus, "metric": metric, "shift": shift, "sd": np.nan}
            self._sums[str(len(self._rows))] = terms
            self._rows.append(condition._asdict() | about)

    def _average_models(self) -> None:
        """Rows of `target` = mean, where there are several models: the mean, and the SD between models."""
        rows = pd.DataFrame(self._rows)
        if rows.target.nunique() < 2:
            return
        keys = [column for column in rows if column not in ("target", "shift", "sd")]
        for key, same in rows.groupby(keys, sort=False):
            about = dict(zip(keys, key, strict=True))
            terms: dict[str, float] = {}
            for row in same.index:
                for name, factor in self._sums[str(row)].items():
                    terms[name] = terms.get(name, 0.0) + factor / len(same)
            values = [
                sum(factor * self._statistics[name].value for name, factor in self._sums[str(row)].items())
                + same.loc[row, "shift"]
                for row in same.index
            ]
            defined = [value for value in values if np.isfinite(value)]
            sd = statistics.mean_over_models(defined).sd if defined else np.nan
            self._sums[str(len(self._rows))] = terms
            self._rows.append(about | {"target": "mean", "shift": same["shift"].mean(), "sd": sd})

    def _finished(self, drawn: pd.DataFrame) -> pd.DataFrame:
        """The rows with what the bootstrap gave; only differences have a p-value, only estimates an interval."""
        table = pd.DataFrame(self._rows).reset_index(drop=True)
        for column in ("value", "ci_low", "ci_high"):
            table[column] = drawn[column].to_numpy() + table["shift"].to_numpy()
        simulated = table.metric == "generalised_ece_null"
        table.loc[simulated, ["ci_low", "ci_high"]] = np.nan
        table["p_value"] = np.where(table.versus == "none", np.nan, drawn["p_value"])
        return table.assign(n=drawn["n"].to_numpy()).drop(columns="shift")


def _shared(first: Scored, second: Scored) -> tuple[Scored, Scored]:
    """Two conditions on the questions that both have, in one order."""
    both = np.intersect1d(first.position, second.position)
    return tuple(_ordered(one.at(both)) for one in (first, second))


def _ordered(scored: Scored) -> Scored:
    order = np.argsort(scored.position, kind="stable")
    return Scored(scored.position[order], scored.outcome[order], scored.confidence[order])


def _rates(rows: pd.DataFrame) -> dict[str, np.ndarray]:
    """What was lost, one 0 or 1 an answer; `fallback`: rewrites that the model did not write."""
    rates = {"not_attempted": rows.grade == NOT_ATTEMPTED, "unparsed": rows.grade == UNPARSED}
    rates["unscored"] = rows.alpha.isna()
    if METHODS[rows["method"].iloc[0]].rewritten and rows["space"].iloc[0] == "linguistic":
        rates["fallback"] = rows.origin != "model"
    return {f"{name}_rate": lost.to_numpy(dtype=float) for name, lost in rates.items()}


def _counterparts(condition: Condition, dataset: str) -> Iterator[tuple[str, Condition]]:
    """What a condition is compared with."""
    linguistic = condition.space == "linguistic"
    if condition.method != "original":
        signal = "none" if linguistic else condition.signal
        yield "original", condition._replace(method="original", train="none", signal=signal)
    if condition.method == "ralc" and condition.train != dataset:
        yield "in_domain", condition._replace(train=dataset)
    if condition.method == "ralc" and linguistic:
        yield "hedged_qa", condition._replace(method="hedged_qa", train="none", signal="none")
        yield "direct_beta", condition._replace(method="direct_beta")
        yield "constant_hedge", condition._replace(method="constant_hedge", signal="none")
