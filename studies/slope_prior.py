"""Estimate the prior of the calibration map's slope on public graded answers, one data set left out at a time.

    python -m studies.slope_prior --data DIR --run RESULTS
    python -m studies.slope_prior --held-out RESULTS...

The first writes ``studies/slope_prior.json`` (the prior, its cost where a score is useless, the answers that maps
without a formula need). It writes ``studies/slope_prior.csv``, a row for each data set, signal and number of graded
answers, and the table of ``docs/few_answers.md``. DIR holds the studies of `studies.graded_pairs`, RESULTS a finished
default run.
The second adds rows of runs on which no prior was estimated (preset ``recorded.yaml``), marked as held out.

A prior is a candidate where a useless score costs at most `COST` in Brier score above the base rate. Of the candidates
the one with the least Brier score on held-out answers is taken, each data set counting as one.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit, logit, ndtri
from scipy.stats import rankdata

from ralc.beta import Beta
from ralc.beta.validation import Floats
from ralc.calibration import HistogramBinning, IsotonicMap
from ralc.calibration.logistic import fit_logistic, smoothed
from ralc.protocols import PROTOCOLS, SlopePrior
from studies import run_folder, study_folder
from studies.graded_pairs import Pair, of_run, read_pairs

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs/few_answers.md"
MEANS = (0.5, 0.6, 0.7, 0.8, 1.0, 1.2)
SDS = (0.35, 0.5, 0.6, 0.75, 1.0)
INTERCEPT_SDS = (1.0, 1.5, 2.0)
#: Numbers of graded answers that priors are tried on, and that the table has.
TRIED = SHOWN = (10, 20, 30, 50, 100)
TRIAL_SPLITS = 24
SPLITS = 200
#: Least held-out answers, and the most that a trial looks at.
LEAST_HELD_OUT = 30
MOST_HELD_OUT = 400
#: What a useless score may cost above the base rate, by graded answers.
COST = {20: 0.010, 100: 0.003}
#: What a map without a formula may cost above Platt's where answers are enough, and the numbers tried.
ENOUGH = 0.005
NUMBERS = (20, 50, 100, 200, 400)
SEED = 2026
BOUND = PROTOCOLS["ralc"].map_bound


class Split(NamedTuple):
    """Logits and outcomes of train and held-out answers, a row each split."""

    x: Floats
    y: Floats
    x_out: Floats
    y_out: Floats


def split(one: Pair, n: int, splits: int, rng: np.random.Generator, most: int | None = None) -> Split:
    """Return random splits of a pair into n train answers and the others."""
    order = np.argsort(rng.random((splits, one.outcome.size)), axis=1)
    train = order[:, :n]
    out = order[:, n:][:, :most]
    return Split(one.logit[train], one.outcome[train], one.logit[out], one.outcome[out])


def enough(one: Pair, n: int) -> bool:
    """Return whether a pair has n train answers and some to hold out."""
    return bool(one.outcome.size >= n + LEAST_HELD_OUT)


def by_prior(parts: Split, prior: SlopePrior) -> tuple[Floats, Floats]:
    """Return held-out means and slopes of Platt scaling under a prior, as `PlattScaling` fits it one at a time."""
    numbers = prior.model_dump()
    slopes, intercept = fit_logistic(parts.x[..., None], parts.y, **numbers)
    flat = fit_logistic(parts.x[..., None][..., :0], parts.y, **numbers)[1]
    slope = np.maximum(slopes[:, 0], 0.0)
    intercept = np.where(slopes[:, 0] < 0, flat, intercept)
    return kept(expit(slope[:, None] * parts.x_out + intercept[:, None])), slope


def before(parts: Split) -> tuple[Floats, Floats]:
    """Return the same of the map of version 0.2.0: smoothed targets, a penalty, the base rate where it gave up."""
    targets = np.apply_along_axis(smoothed, 1, parts.y)
    slopes, intercept = fit_logistic(parts.x[..., None], targets, sd=1.0)
    rate = parts.y.mean(axis=1)
    spread = ((parts.x - parts.x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    gave_up = (rate * (1 - rate) * spread < 1) | (slopes[:, 0] < 0)
    mapped = expit(slopes * parts.x_out + intercept[:, None])
    return kept(np.where(gave_up[:, None], targets.mean(axis=1, keepdims=True), mapped)), np.where(
        gave_up, 0.0, 1.0
    )


def kept(mean: Floats) -> Floats:
    """Return means within the bounds of protocol `ralc`."""
    return np.clip(mean, BOUND, 1 - BOUND)


def base_rate(parts: Split) -> Floats:
    """Return the train answers' share of right ones (Laplace), for every held-out answer."""
    rate = (parts.y.sum(axis=1, keepdims=True) + 1) / (parts.y.shape[1] + 2)
    return np.broadcast_to(rate, parts.y_out.shape)


def brier(parts: Split, mean: Floats) -> Floats:
    """Return the Brier score of each split."""
    return ((mean - parts.y_out) ** 2).mean(axis=1)


def auroc(parts: Split) -> Floats:
    """Return the AUROC of the signal in each split, shares of 1/2 and more taken as right; NaN with one class."""
    right = parts.y_out >= 0.5
    ranks = rankdata(parts.x_out, axis=1)
    n1 = right.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return ((ranks * right).sum(axis=1) - n1 * (n1 + 1) / 2) / (n1 * (right.shape[1] - n1))


def trials(pairs: Sequence[Pair], priors: Iterable[SlopePrior]) -> pd.DataFrame:
    """Return the held-out Brier score of each pair under each prior: the mean over splits and `TRIED`."""
    priors = list(priors)
    rows = []
    for number, one in enumerate(pairs):
        rng = np.random.default_rng([SEED, number])
        parts = [split(one, n, TRIAL_SPLITS, rng, MOST_HELD_OUT) for n in TRIED if enough(one, n)]
        for prior in priors:
            score = np.mean([brier(some, by_prior(some, prior)[0]).mean() for some in parts])
            rows.append(
                {"pair": number, "dataset": one.dataset, "kind": one.kind, "prior": prior, "brier": score}
            )
    return pd.DataFrame(rows)


def by_dataset(table: pd.DataFrame) -> pd.Series:
    """Return the Brier score of each prior, each data set counting as one."""
    parts = table.groupby(["prior", "dataset"], sort=False)["brier"].mean()
    return parts.groupby("prior", sort=False).mean()


def best(table: pd.DataFrame) -> SlopePrior:
    """Return the prior with the least Brier score."""
    means = (
        table.groupby(["prior", "dataset"], sort=False)["brier"].mean().groupby("prior", sort=False).mean()
    )
    return means.idxmin()


def left_out(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return, for each data set, the prior that the others choose, in all and by kind, and the Brier scores there."""
    rows = []
    for dataset in table["dataset"].unique():
        held = table[table["dataset"] == dataset]
        rest = table[table["dataset"] != dataset]
        score = held.set_index(["pair", "prior"])["brier"]
        kinds = held.groupby("pair")["kind"].first()
        one = best(rest)
        apart = {kind: best(rest[rest["kind"] == kind]) for kind in set(kinds) & set(rest["kind"])}
        rows.append(
            {
                "dataset": dataset,
                "prior": one.model_dump(),
                "brier": float(np.mean([score[pair, one] for pair in kinds.index])),
                "brier_by_kind": float(
                    np.mean([score[pair, apart.get(kind, one)] for pair, kind in kinds.items()])
                ),
                "brier_best": float(score.groupby("pair").min().mean()),
            }
        )
    return rows


#: Logits of made-up scores, and shares of right answers.
SCORES: Mapping[str, Callable[[np.random.Generator, tuple[int, ...]], Floats]] = {
    "uniform": lambda rng, shape: logit(np.clip(rng.random(shape), BOUND, 1 - BOUND)),
    "wide, sure": lambda rng, shape: np.clip(rng.normal(1.5, 1.5, shape), -4.4, 4.4),
    "narrow, sure": lambda rng, shape: np.clip(rng.normal(2.0, 0.5, shape), -4.4, 4.4),
}
RATES = (0.5, 0.75, 0.9)


def useless(prior: SlopePrior, draws: int = 1000) -> list[dict[str, Any]]:
    """Return what a score that tells nothing costs in expected Brier score above the base rate."""
    rows = []
    for (score, draw), rate, n in product(SCORES.items(), RATES, COST):
        rng = np.random.default_rng([SEED, n])
        x = draw(rng, (draws, n))
        y = (rng.random((draws, n)) < rate).astype(float)
        new = np.broadcast_to(draw(rng, (1, 400)), (draws, 400))
        parts = Split(x, y, new, np.full(new.shape, rate))
        excess = brier(parts, by_prior(parts, prior)[0]) - brier(parts, base_rate(parts))
        rows.append({"score": score, "rate": rate, "n": n, "excess": float(excess.mean())})
    return rows


def cheap(prior: SlopePrior) -> bool:
    """Return whether a useless score costs no more than it may."""
    return all(row["excess"] <= COST[row["n"]] for row in useless(prior, draws=400))


#: Slopes of made-up scores about a logit of 1, where the logit of being right is 1.4.
TRUE_SLOPES = {"informative": 1.0, "useless": 0.0, "inverted": -0.7}


def claims(prior: SlopePrior, sets: int = 2000) -> list[dict[str, Any]]:
    """Return how far the Brier score of `evaluate` lies above that on new answers, by score and number of answers.

    Cross-validated as `ralc.calibrator.evaluation` does it: the mean over four splits into five plain folds.
    """
    rows = []
    for (score, slope), n in product(TRUE_SLOPES.items(), (10, 20, 50, 200)):
        rng = np.random.default_rng([SEED, n])

        x = np.clip(rng.normal(1, 1.5, (sets, n)), -4.3, 4.3)
        y = (rng.random(x.shape) < expit(slope * (x - 1) + 1.4)).astype(float)
        claimed = np.zeros(sets)
        for _ in range(4):
            order = np.argsort(rng.random(x.shape), axis=1)
            shuffled = np.take_along_axis(x, order, 1), np.take_along_axis(y, order, 1)
            for fold in range(5):
                out = np.arange(n) % 5 == fold
                parts = Split(*(side[:, ~out] for side in shuffled), *(side[:, out] for side in shuffled))
                claimed += brier(parts, by_prior(parts, prior)[0]) / 20
        new = np.clip(1 + 1.5 * ndtri((np.arange(1000)[None] + 0.5) / 1000), -4.3, 4.3)
        right = expit(slope * (new - 1) + 1.4)
        mean, _ = by_prior(Split(x, y, new, right), prior)
        apart = claimed - (right * (1 - mean) ** 2 + (1 - right) * mean**2).mean(axis=1)
        error = float(apart.std() / np.sqrt(sets))
        rows.append(
            {"score": score, "n": n, "claimed_less_true": float(apart.mean()), "standard_error": error}
        )
    return rows


def needed(pairs: Sequence[Pair], prior: SlopePrior) -> dict[str, Any]:
    """Return the answers from which on isotonic and histogram maps cost at most `ENOUGH` more than Platt scaling.

    By the pairs that have the largest number of `NUMBERS`, data sets counting as one.
    """
    large = [one for one in pairs if enough(one, max(NUMBERS))]
    kinds = {"isotonic": IsotonicMap(bound=BOUND), "histogram": HistogramBinning(bound=BOUND, monotone=True)}
    excess = {name: dict.fromkeys(NUMBERS, 0.0) for name in kinds}
    for n, one in product(NUMBERS, large):
        parts = split(one, n, 10, np.random.default_rng([SEED, n]), MOST_HELD_OUT)
        platt = brier(parts, by_prior(parts, prior)[0]).mean()
        share = 1 / len({p.dataset for p in large}) / sum(p.dataset == one.dataset for p in large)
        for name, kind in kinds.items():
            means = [
                kind.fit(Beta.from_mean_concentration(expit(x), 10.0), y)
                .transform(Beta.from_mean_concentration(expit(new), 10.0))
                .mean
                for x, y, new in zip(parts.x, parts.y, parts.x_out, strict=True)
            ]
            excess[name][n] += share * (brier(parts, np.array(means)).mean() - platt)
    return {
        name: {"excess": costs, "needs": next((n for n, cost in costs.items() if cost <= ENOUGH), None)}
        for name, costs in excess.items()
    }


def together(runs: Iterable[Path]) -> list[Pair]:
    """Return the pairs of several runs, those of the same model, signal and data set as one."""
    groups: dict[tuple[str, ...], list[Pair]] = {}
    for one in (one for run in runs for one in of_run(run)):
        groups.setdefault(one[:3], []).append(one)
    return [
        Pair(*about, *(np.concatenate([getattr(one, part) for one in some]) for part in ("logit", "outcome")))
        for about, some in groups.items()
    ]


def measured(pairs: Sequence[Pair], prior: SlopePrior) -> pd.DataFrame:
    """Return a row for each pair and number of answers: Brier score and AUROC of each forecast, means over splits.

    The limits are the 2.5 and 97.5 % points over splits: what a user with so many answers may meet.
    """
    rows = []
    for number, one in enumerate(pairs):
        for n in (n for n in SHOWN if enough(one, n)):
            parts = split(one, n, SPLITS, np.random.default_rng([SEED, number, n]))
            (old, turned_old), (new, turned_new) = before(parts), by_prior(parts, prior)
            scores = {
                "raw": brier(parts, expit(parts.x_out)),
                "base_rate": brier(parts, base_rate(parts)),
                "before": brier(parts, old),
                "now": brier(parts, new),
            }
            signal = auroc(parts)
            ranks = {
                "raw": signal,
                "before": np.where(turned_old > 0, signal, 0.5),
                "now": np.where(turned_new > 0, signal, 0.5),
            }
            row = {"dataset": one.dataset, "model": one.model, "signal": one.signal, "n": n}
            row |= {"answers": one.outcome.size, "accuracy": round(float(one.outcome.mean()), 3)}
            for metric, each in (("brier", scores), ("auroc", ranks)):
                for name, values in each.items():
                    low, high = np.nanquantile(values, [0.025, 0.975])
                    row |= {f"{metric}_{name}": np.nanmean(values), f"{metric}_{name}_low": low}
                    row |= {f"{metric}_{name}_high": high}
            rows.append(row)
    return pd.DataFrame(rows).round(4)


def means(rows: pd.DataFrame) -> pd.DataFrame:
    """Return means over pairs by n, data sets counting as one, with differences and their 95 % intervals.

    Intervals are of a bootstrap over data sets.
    """
    rng = np.random.default_rng(SEED)
    lines = []
    for n, part in rows.groupby("n"):
        table = part.groupby("dataset").mean(numeric_only=True)
        table["gain_before"] = table["brier_now"] - table["brier_before"]
        table["gain_base"] = table["brier_now"] - table["brier_base_rate"]
        drawn = table.to_numpy()[rng.integers(0, len(table), (2000, len(table)))].mean(axis=1)
        row = {"n": n, "datasets": len(table), "pairs": len(part), **table.mean().to_dict()}
        for name in ("gain_before", "gain_base"):
            ends = np.quantile(drawn[:, table.columns.get_loc(name)], [0.025, 0.975])
            row |= {f"{name}_low": ends[0], f"{name}_high": ends[1]}
        lines.append(row)
    return pd.DataFrame(lines)


def page(rows: pd.DataFrame) -> str:
    """Return the page's table as Markdown: means over the pairs that the prior was estimated on."""
    forecasts = ("raw", "base_rate", "before", "now")

    def cell(row: Any, name: str, ends: bool = True) -> str:
        low = getattr(row, f"{name}_low")
        high = getattr(row, f"{name}_high")
        value = f"{getattr(row, name):.3f}"
        return f"{value} [{low:.3f}, {high:.3f}]" if ends else value

    head = ["graded answers", "pairs", *(f"Brier, {f.replace('_', ' ')}" for f in forecasts)]
    head += ["now − before", "now − base rate", "AUROC, raw", "before", "now"]
    summary = [head, ["---"] * len(head)]
    for row in means(rows[~rows["held_out"]]).itertuples():
        cells = [
            f"{row.n:.0f}",
            f"{row.pairs:.0f}",
            *(cell(row, f"brier_{f}", ends=False) for f in forecasts),
        ]
        cells += [cell(row, "gain_before"), cell(row, "gain_base")]
        summary.append(cells + [cell(row, f"auroc_{f}", ends=False) for f in ("raw", "before", "now")])
    return "\n".join("| " + " | ".join(line) + " |" for line in summary)


def write_page(table: str) -> None:
    """Put the table between its marks in the page."""
    text = PAGE.read_text()
    start = "<!-- means -->\n"
    end = "\n<!-- end of means -->"
    PAGE.write_text(text[: text.index(start) + len(start)] + table + text[text.index(end) :])


def estimate(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return the prior and all that is said of it."""
    grid = [
        SlopePrior(mean=mean, sd=sd, intercept_sd=intercept_sd)
        for mean, sd, intercept_sd in product(MEANS, SDS, INTERCEPT_SDS)
    ]
    table = trials(pairs, grid)
    candidates = [prior for prior in grid if cheap(prior)]
    among = table[table["prior"].isin(candidates)]
    chosen = best(among)
    unbound = best(table)
    score = by_dataset(table)
    return {
        "prior": chosen.model_dump(),
        "brier": float(score[chosen]),
        "whatever_a_useless_score_costs": {"prior": unbound.model_dump(), "brier": float(score[unbound])},
        "left_out": left_out(among),
        "useless": useless(chosen),
        "claims": claims(chosen),
        "needed": needed(pairs, chosen),
    }


def main() -> None:
    """Estimate the prior and measure the maps, or measure them on pairs that were held out; write files and page."""
    parser = argparse.ArgumentParser(
        prog="python -m studies.slope_prior", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--data", type=study_folder, help="folder of the public studies")
    parser.add_argument("--run", type=run_folder, help="results of a finished default run")
    parser.add_argument(
        "--held-out", type=run_folder, nargs="+", help="results of runs that no prior has seen"
    )
    options = parser.parse_args()
    if not options.held_out and not (options.data and options.run):
        parser.error("--data and --run together, or --held-out")
    cached = pd.read_csv(HERE / "slope_prior.csv")
    if options.held_out:
        prior = SlopePrior(**json.loads((HERE / "slope_prior.json").read_text())["prior"])
        apart = measured(together(options.held_out), prior)
        seen = cached[~cached["held_out"]]
    else:
        pairs = read_pairs(options.data, options.run)
        estimated = estimate(pairs)
        rounded = json.loads(json.dumps(estimated), parse_float=lambda digits: round(float(digits), 5))
        (HERE / "slope_prior.json").write_text(json.dumps(rounded, indent=1) + "\n")
        print(json.dumps(rounded, indent=1))
        seen = measured(pairs, SlopePrior(**estimated["prior"]))
        apart = cached[cached["held_out"]]
    rows = pd.concat([seen.assign(held_out=False), apart.assign(held_out=True)], ignore_index=True)
    rows.to_csv(HERE / "slope_prior.csv", index=False)
    write_page(page(rows))


if __name__ == "__main__":
    main()
