"""Speed of Betas, metrics, retrieval, the bootstrap and the evaluator in the loop beside what a user would write."""

from collections.abc import Callable, Iterator

import numpy as np
from scipy import stats

from ralc import Beta, evaluators, metrics
from ralc import statistics as rs
from ralc.beta.mle import interior
from ralc.english.parse import forget
from ralc.protocols import resolve
from ralc.retrieval import nearest_hedges
from tests.bench.harness import Measurement, cpu_seconds, median_seconds, paired_seconds, seconds_once


def run() -> Iterator[Measurement]:
    """All measurements."""
    rng = np.random.default_rng(0)
    yield maximum_likelihood(rng)
    yield retrieval(rng)
    yield generalised_ece(rng)
    yield faithfulness_divergence(rng)
    yield paired_bootstrap(rng)
    yield reading()
    yield from growth(rng)


def forecasts(n: int, rng: np.random.Generator) -> tuple[np.ndarray, Beta]:
    """Outcomes and confidences over the ranges that occur."""
    confidence = Beta.from_mean_concentration(rng.uniform(0.013, 0.987, n), 10 ** rng.uniform(-1, 2.7, n))
    return (rng.random(n) < confidence.mean).astype(int), confidence


def maximum_likelihood(rng: np.random.Generator) -> Measurement:
    """10,000 sets of 180 scores."""
    sample = rng.beta(*rng.uniform(0.5, 20, (2, 10_000, 1)), size=(10_000, 180))
    inside = interior(sample, resolve("ralc"))
    ours, reference, ratio = paired_seconds(
        lambda: Beta.fit_mle(sample),
        lambda: [stats.beta.fit(row, floc=0, fscale=1) for row in inside],
    )
    return Measurement(
        "maximum likelihood, 10,000 sets x 180 scores",
        ratio,
        "x a loop over scipy.stats.beta.fit",
        ">=",
        5,
        ours,
        reference,
    )


def reading() -> Measurement:
    """10,000 distinct answers under four hedges, none of them parsed before."""
    hedges = ("It is {}.", "Perhaps it is {}.", "I think it is {}.", "It is {}, I am not sure.")
    texts = [hedges[i % 4].format(f"number {i}") for i in range(10_000)]
    evaluator = evaluators.load("cue_model")
    ours, reference, ratio = paired_seconds(
        lambda: (forget(), evaluator.read(texts)),
        lambda: (forget(), [evaluator.read([text]) for text in texts]),
    )
    return Measurement("reading 10,000 answers", ratio, "x one by one", ">=", 2, ours, reference)


def retrieval(rng: np.random.Generator) -> Measurement:
    """10,000 distinct queries over 160 expressions, shortlist 30."""
    lexicon = Beta.from_mean_concentration(
        np.sort(rng.uniform(0.01, 0.99, 160)), 10 ** rng.uniform(0.3, 1.6, 160)
    )
    _, queries = forecasts(10_000, rng)
    ours = median_seconds(lambda: nearest_hedges(lexicon, queries), repeats=3)
    part, scale = queries[:500], len(queries) / 500
    reference = scale * np.median([seconds_once(lambda: _monte_carlo(lexicon, part, rng)) for _ in range(3)])
    return Measurement(
        "retrieval, 10,000 queries over 160 expressions",
        reference / ours,
        "x 300-sample Monte Carlo",
        ">=",
        5,
        ours,
        reference,
        "reference measured on 500 queries",
    )


def _shortlists(lexicon: Beta, queries: Beta) -> np.ndarray:
    """The 30 entries with the nearest means, in the order of their indices."""
    gap = np.abs(queries.mean[:, None] - lexicon.mean)
    return np.sort(np.argsort(gap, axis=1, kind="stable")[:, :30], axis=1)


def _monte_carlo(lexicon: Beta, queries: Beta, rng: np.random.Generator) -> np.ndarray:
    """The paper's retrieval as a user would write it: 300 samples and scipy's distance."""
    drawn = rng.beta(lexicon.alpha[:, None], lexicon.beta[:, None], (len(lexicon), 300))
    found = []
    for query, shortlist in enumerate(_shortlists(lexicon, queries)):
        own = rng.beta(queries.alpha[query], queries.beta[query], 300)
        distances = [stats.wasserstein_distance(own, drawn[entry]) for entry in shortlist]
        found.append(shortlist[np.argsort(distances)[:5]])
    return np.array(found)


def generalised_ece(rng: np.random.Generator) -> Measurement:
    """10,000 items against 1,000 samples each."""
    outcome, confidence = forecasts(10_000, rng)

    def monte_carlo() -> float:
        drawn = rng.beta(confidence.alpha[:, None], confidence.beta[:, None], (10_000, 1000))
        cell = np.minimum((drawn * 10).astype(int), 9).ravel()
        gaps = np.bincount(cell, (outcome[:, None] - drawn).ravel(), 10)
        return np.abs(gaps).sum() / drawn.size

    ours, reference, ratio = paired_seconds(lambda: metrics.generalised_ece(outcome, confidence), monte_carlo)
    return Measurement(
        "generalised ECE, 10,000 items", ratio, "x Monte Carlo, 1,000 samples", ">=", 15, ours, reference
    )


def faithfulness_divergence(rng: np.random.Generator) -> Measurement:
    """A million items."""
    outcome, confidence = forecasts(1_000_000, rng)
    ours = median_seconds(lambda: metrics.faithfulness_divergence(outcome, confidence))
    return Measurement("faithfulness divergence, 1,000,000 items", ours, "s", "<", 1, ours)


def paired_bootstrap(rng: np.random.Generator) -> Measurement:
    """gECE of two methods, 10,000 items, 2,000 resamples."""
    outcome, before = forecasts(10_000, rng)
    after = Beta.from_mean_concentration(0.8 * before.mean + 0.1, before.concentration)

    def difference() -> object:
        drawn = rs.bootstrap(
            {
                "before": rs.generalised_ece(outcome, before),
                "after": rs.generalised_ece(outcome, after),
            },
            items=10_000,
            rng=rng,
        )
        return drawn.combine({"change": {"after": 1, "before": -1}}).table(null=0.0)

    ours = median_seconds(difference, repeats=3)
    return Measurement("paired bootstrap of gECE, 10,000 items x 2,000", ours, "s", "<", 5, ours)


def growth(rng: np.random.Generator) -> Iterator[Measurement]:
    """CPU time an item at 1e4, 1e5 and 1e6 items, and the largest step from one to the next: 1 if linear."""
    lexicon = Beta.from_mean_concentration(np.linspace(0.01, 0.99, 160), 10 ** rng.uniform(0.3, 1.6, 160))
    tasks: dict[str, Callable[[np.ndarray, Beta], object]] = {
        "faithfulness divergence": metrics.faithfulness_divergence,
        "generalised ECE": metrics.generalised_ece,
        "ECE": lambda y, c: metrics.expected_calibration_error(y, c.mean),
        "moments of 9 scores": lambda y, c: Beta.fit_moments(np.tile(c.mean[:, None], 9)),
        "retrieval": lambda y, c: nearest_hedges(lexicon, c),
        "bootstrap of gECE, 20 resamples": lambda y, c: rs.bootstrap(
            {"gece": rs.generalised_ece(y, c)}, items=len(y), resamples=20, rng=rng
        ),
    }
    for name, task in tasks.items():
        each = []
        for n in (10_000, 100_000, 1_000_000):
            outcome, confidence = forecasts(n, rng)
            seconds = cpu_seconds(
                lambda y=outcome, c=confidence, f=task: f(y, c), repeats=3 if n < 1_000_000 else 1
            )
            each.append(seconds / n * 1e6)
        note = ", ".join(f"{cost:.3g}" for cost in each) + " us an item at 1e4, 1e5, 1e6"
        yield Measurement(
            f"growth of {name}",
            max(each[1] / each[0], each[2] / each[1]),
            "x an item's cost, ten times the items",
            "<",
            2,
            note=note,
        )
