"""Fit how belief moves with a confidence that is shown, on people, and write the weights that the package carries.

    python -m studies.reliance --data DIR

writes ``ralc/data/reliance.json``: the weights of `ralc.reliance`, with standard errors by people, and five models of
belief by people left out. What plain advice did in another study stands there, too. It prints what it writes.

Two groups of people: 401 players of a card game saw a number (the Human-Alignment Study).
118 had a language model's plain advice on questions of MMLU (petezh/ChatGPT-Advice; `studies.advice`). No code of
either study was read. Of the first group's trials, those with a negative ``game_id`` are attention tests and are left
out.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logit
from scipy.stats import norm
from sklearn.model_selection import GroupKFold

from ralc import data, statistics
from ralc.io import write_text
from ralc.reliance import FLOOR, Reliance
from studies import advice, study_folder
from studies.writing import SEED

PROVENANCE = {
    "alignment": "Human-Alignment Study, 401 people x 24 trials of groups A, B, BP and C; data ODC-BY 1.0, "
    "Networks-Learning/human-alignment-study, 2025-01-23",
    "advice": "ChatGPT-Advice, 118 people, decisions on MMLU with a model's advice; MIT, petezh/ChatGPT-Advice, "
    "2023-05-21",
}
RESAMPLES = 2000
FOLDS = 10
Floats = NDArray[np.float64]


class Trials(NamedTuple):
    """Belief before, confidence shown, belief after, on logits, and whose trial it is; a trial each."""

    before: Floats
    shown: Floats
    after: Floats
    person: NDArray[np.int64]

    def at(self, chosen: NDArray) -> "Trials":
        """Return some of the trials."""
        return Trials(*(column[chosen] for column in self))


def read_alignment(folder: Path) -> Trials:
    """Return the trials of the four groups; in group BP the calibrated confidence was shown."""
    parts = []
    for group in ("A", "B", "BP", "C"):
        part = pd.read_csv(folder / f"reliance/alignment/group_{group}.csv.gz")
        part["shown"] = part["Ai_calibrated_conf" if group == "BP" else "AI_conf"]
        parts.append(part[part["game_id"] >= 0])
    table = pd.concat(parts)
    columns = (table[name].to_numpy(float) / 100 for name in ("human_conf", "shown", "human_AI_conf"))
    return Trials(
        *(logit(np.clip(c, FLOOR, 1 - FLOOR)) for c in columns), pd.factorize(table["participant_id"])[0]
    )


def fit(before: Floats, shown: Floats, after: Floats) -> Reliance:
    """Return the weights of people's beliefs by least squares, all on logits."""
    design = np.stack([np.ones_like(before), before, shown], axis=-1)
    solution, _, rank, _ = np.linalg.lstsq(design, after, rcond=None)
    if rank < 3:
        raise ValueError(f"{len(after)} trials do not tell three weights: let prior and shown vary")
    return Reliance(*map(float, solution), scatter=float((after - design @ solution).std()))


def weights(trials: Trials, rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """Return the weights by least squares, each with its standard error and interval; people resampled."""
    fitted = fit(trials.before, trials.shown, trials.after)
    squares, products = _moments(trials)
    drawn = rng.multinomial(len(squares), np.full(len(squares), 1 / len(squares)), size=RESAMPLES)
    sums = np.tensordot(drawn, squares, axes=1), np.tensordot(drawn, products, axes=1)
    draws = np.linalg.solve(sums[0], sums[1][..., None])[..., 0]
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    named = zip(("intercept", "prior", "shown"), draws.std(axis=0, ddof=1), low, high, strict=True)
    figures = {
        name: {"value": getattr(fitted, name), "standard_error": error, "ci_low": lo, "ci_high": hi}
        for name, error, lo, hi in named
    }
    return figures | {"scatter": {"value": fitted.scatter}}


def _design(trials: Trials) -> Floats:
    return np.stack([np.ones_like(trials.before), trials.before, trials.shown], axis=1)


def _moments(trials: Trials) -> tuple[Floats, Floats]:
    """X'X and X'y of each person."""
    x = _design(trials)
    people = trials.person.max() + 1
    squares = np.zeros((people, 3, 3))
    products = np.zeros((people, 3))
    np.add.at(squares, trials.person, x[:, :, None] * x[:, None, :])
    np.add.at(products, trials.person, x * trials.after[:, None])
    return squares, products


#: A model of belief: fitted on some people's trials, it gives the mean and variance of other people's logits.
Model = Callable[[Trials, Trials], tuple[Floats, Floats]]


def _constant_variance(predict: Callable[[Trials, Trials], Floats]) -> Model:
    """A model of the mean with the variance of what it leaves on the people that it was fitted on."""

    def model(old: Trials, new: Trials) -> tuple[Floats, Floats]:
        left = old.after - predict(old, old)
        return predict(old, new), np.full(len(new.after), (left**2).mean())

    return model


def _linear(columns: list[int]) -> Model:
    """Least squares on some columns of the design."""

    def predict(old: Trials, new: Trials) -> Floats:
        fitted = np.linalg.lstsq(_design(old)[:, columns], old.after, rcond=None)[0]
        return _design(new)[:, columns] @ fitted

    return _constant_variance(predict)


def _own_weights(old: Trials, new: Trials) -> tuple[Floats, Floats]:
    """Weights that vary from person to person about a mean: least squares a person, by moments."""
    _, person = np.unique(old.person, return_inverse=True)
    old = old._replace(person=person)
    squares, products = _moments(old)
    keep = np.linalg.cond(squares) < 1e6
    solved = np.linalg.solve(squares[keep], products[keep][..., None])[..., 0]
    kept = old.at(keep[old.person])
    _, whose = np.unique(kept.person, return_inverse=True)
    left = kept.after - (_design(kept) * solved[whose]).sum(axis=1)
    noise = (left**2).sum() / (len(left) - 3 * len(solved))
    # What sampling adds to the spread of single people's weights is taken off, and no variance is negative.
    between = np.cov(solved.T) - noise * np.linalg.inv(squares[keep]).mean(axis=0)
    values, axes = np.linalg.eigh(between)
    between = (axes * np.maximum(values, 0)) @ axes.T
    mean = np.linalg.lstsq(_design(old), old.after, rcond=None)[0]
    x = _design(new)
    return x @ mean, np.einsum("ni,ij,nj->n", x, between, x) + noise


MODELS: dict[str, Model] = {
    "log-odds pooling": _linear([0, 1, 2]),
    "weights by person": _own_weights,
    "acceptance by the number alone": _linear([0, 2]),
    "no change": _constant_variance(lambda known, new: new.before),
    "adopts the number": _constant_variance(lambda known, new: new.shown),
}


def held_out(trials: Trials, rng: np.random.Generator) -> dict[str, dict[str, float]]:
    """Return how each model does on people that it was not fitted on, its scatter taken to be normal.

    Log score (nats a trial, higher is better), R squared, and the Brier score of whether belief reaches one half.
    ``gain`` is pooling's log score less the model's, with its interval, people resampled.
    """
    scores, missed, decided = ({name: np.empty(len(trials.after)) for name in MODELS} for _ in range(3))
    for fitted, left_out in GroupKFold(FOLDS, shuffle=True, random_state=SEED).split(
        trials.after, groups=trials.person
    ):
        old = trials.at(fitted)
        new = trials.at(left_out)
        for name, model in MODELS.items():
            mean, variance = model(old, new)
            scores[name][left_out] = norm.logpdf(new.after, mean, np.sqrt(variance))
            missed[name][left_out] = (new.after - mean) ** 2
            decided[name][left_out] = (norm.cdf(mean / np.sqrt(variance)) - (new.after >= 0)) ** 2
    first = next(iter(MODELS))
    gains = {name: statistics.mean(scores[first] - score) for name, score in scores.items()}
    estimates = statistics.bootstrap(
        gains, items=len(trials.after), groups=trials.person, resamples=RESAMPLES, rng=rng
    )
    table = statistics.intervals(estimates)
    whole = trials.after.var()
    return {
        name: {
            "log_score": scores[name].mean(),
            "r_squared": 1 - missed[name].mean() / whole,
            "decision_brier_score": decided[name].mean(),
        }
        | (
            {}
            if name == first
            else {"gain": row["value"], "ci_low": row["ci_low"], "ci_high": row["ci_high"]}
        )
        for name, row in table.iterrows()
    }


def main() -> None:
    """Write the committed figures."""
    parser = argparse.ArgumentParser(prog="python -m studies.reliance", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=study_folder, required=True, help="folder of the studies")
    folder = parser.parse_args().data
    trials = read_alignment(folder)
    rng = np.random.default_rng(SEED)
    fitted = weights(trials, rng)
    decisions = advice.read_advice(folder)
    pooling = Reliance(**{name: weight["value"] for name, weight in fitted.items()})
    figures = {
        "provenance": PROVENANCE | {"command": "python -m studies.reliance --data DIR", "seed": SEED},
        "trials": len(trials.after),
        "people": int(trials.person.max()) + 1,
        "unmoved": float((trials.before == trials.after).mean()),
        "weights": fitted,
        "held_out": held_out(trials, rng),
        "advice": advice.plain_advice(decisions, pooling, rng),
        "with_confidence": advice.with_confidence(decisions, pooling, rng),
        "priors": advice.priors(decisions),
    }
    text = json.dumps(figures, indent=1, default=float)
    write_text(json.dumps(_rounded(json.loads(text)), indent=1) + "\n", data.path("reliance.json"))
    print(json.dumps(_rounded({k: v for k, v in json.loads(text).items() if k != "priors"}), indent=1))


def _rounded(value: object) -> object:
    """Numbers to five decimals, all through."""
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return round(value, 5) if isinstance(value, float) else value


if __name__ == "__main__":
    main()
