"""Accuracy against references in many digits; minutes, since those are slow."""

from collections.abc import Iterator

import mpmath as mp
import numpy as np

from ralc import Beta, metrics
from ralc.beta.mle import interior
from ralc.protocols import resolve
from tests import oracles
from tests.bench.harness import Measurement


def run() -> Iterator[Measurement]:
    """All measurements."""
    rng = np.random.default_rng(1)
    yield faithfulness_divergence(rng)
    yield maximum_likelihood(rng)
    yield wasserstein_distance(rng)


def faithfulness_divergence(rng: np.random.Generator) -> Measurement:
    """20,000 items, parameters log-uniform in [1e-6, 1e12]."""
    alpha, beta = 10 ** rng.uniform(-6, 12, (2, 20_000))
    outcome = rng.integers(0, 2, alpha.size)
    found = metrics.faithfulness_divergence(outcome, Beta(alpha, beta))
    references = (oracles.faithfulness_divergence(*item) for item in zip(outcome, alpha, beta, strict=True))
    worst = max(float(abs(value / truth - 1)) for value, truth in zip(found, references, strict=True))
    return Measurement("FD, relative error, 20,000 items", worst, "", "<", 1e-9)


def maximum_likelihood(rng: np.random.Generator) -> Measurement:
    """The Newton step that is left at the fit, relative, in many digits; sets of all kinds."""
    spread = 10 ** rng.uniform(-4, -0.5, (300, 1))
    sets = (rng.uniform(0.1, 0.9, (300, 1)) + spread * rng.standard_normal((300, 30))).clip(0, 1)
    worst = 0.0
    for protocol in ("ralc", "paper"):
        fitted = Beta.fit_mle(sets, protocol=protocol)
        inside = interior(sets, resolve(protocol))
        for row, a, b in zip(inside, fitted.alpha, fitted.beta, strict=True):
            worst = max(worst, _newton_step(row, mp.mpf(float(a)), mp.mpf(float(b))))
    return Measurement("maximum likelihood, relative error, 600 sets", worst, "", "<", 1e-6)


def _newton_step(scores: np.ndarray, a: mp.mpf, b: mp.mpf) -> float:
    """Largest relative Newton step of the score equations."""
    x = [mp.mpf(float(value)) for value in scores]
    common, curve = mp.psi(0, a + b), mp.psi(1, a + b)
    score = mp.matrix(
        [
            sum(map(mp.log, x)) / len(x) - mp.psi(0, a) + common,
            sum(mp.log1p(-v) for v in x) / len(x) - mp.psi(0, b) + common,
        ]
    )
    information = mp.matrix([[mp.psi(1, a) - curve, -curve], [-curve, mp.psi(1, b) - curve]])
    step = mp.lu_solve(information, score)
    return float(max(abs(step[0] / a), abs(step[1] / b)))


def wasserstein_distance(rng: np.random.Generator) -> Measurement:
    """2,000 pairs, parameters in [1e-6, 1e6], near-equal and nearly flat ones among them."""
    pairs = oracles.wasserstein_pairs(2000, rng)
    found = Beta(pairs[:, 0], pairs[:, 1]).wasserstein_distance(Beta(pairs[:, 2], pairs[:, 3]))
    references = (oracles.wasserstein_distance(*pair) for pair in pairs)
    worst = max(float(abs(value - truth)) for value, truth in zip(found, references, strict=True))
    return Measurement("W1, absolute error, 2,000 pairs", worst, "", "<", 1e-9)
