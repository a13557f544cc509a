"""How FD and three other metrics answer to mean and concentration (paper appendix A.4, theory figures)."""

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ralc.beta import Beta
from ralc.metrics import expected_brier_score, expected_log_loss, faithfulness_divergence, kl_divergence
from ralc.report.figures.style import SIGNAL_COLOURS, note, plain_log, styled

METRICS: dict[str, Callable[[np.ndarray, Beta], np.ndarray]] = {
    "Faithfulness Divergence (nats)": faithfulness_divergence,
    "KL divergence (nats)": kl_divergence,
    "E[Brier]": expected_brier_score,
    "E[NLL] (nats)": expected_log_loss,
}
OUTCOMES = {
    1: ("right, y = 1", SIGNAL_COLOURS["linguistic_confidence"], "-"),
    0: ("wrong, y = 0", SIGNAL_COLOURS["token_probability"], "--"),
}
#: Concentration and mean of the belief where they are fixed; at this mean a wrong answer is the misaligned case.
_CONCENTRATION, _MEAN = 20.0, 0.75


@styled
def plot_theory() -> Figure:
    """Draw FD, KL, E[Brier] and E[NLL] over the mean of a belief, and below over its concentration."""
    figure = Figure(figsize=(11, 6), layout="constrained")
    above, below = figure.subplots(2, len(METRICS))
    mean = np.linspace(0.01, 0.99, 197)
    concentration = np.geomspace(0.5, 200, 200)
    of_mean = Beta.from_mean_concentration(mean, np.full_like(mean, _CONCENTRATION))
    of_concentration = Beta.from_mean_concentration(np.full_like(concentration, _MEAN), concentration)
    for metric, first, second in zip(METRICS, above, below, strict=True):
        _curves(first, mean, of_mean, metric)
        first.set_xlabel("mean μ")
        _curves(second, concentration, of_concentration, metric)
        second.set(xlabel="concentration k = α + β", xscale="log")
        plain_log(second.xaxis)
    above[0].set_ylim(0, 6)
    limit = _MEAN / (2 * (1 - _MEAN))
    below[0].axhline(limit, color=OUTCOMES[0][1], linewidth=0.8, linestyle=":")
    lines = [f"Above: k = {_CONCENTRATION:g}; the FD axis ends at 6. Below: μ = {_MEAN:g}."]
    note(figure, [*lines, f"Dotted: FD of a wrong answer as k grows, μ / (2(1 − μ)) = {limit:g}."])
    return figure


def _curves(axes: Axes, x: np.ndarray, confidence: Beta, metric: str) -> None:
    """One metric over x, for a right and a wrong answer."""
    for outcome, (name, colour, dash) in OUTCOMES.items():
        y = METRICS[metric](np.full(len(x), outcome), confidence)
        axes.plot(x, y, color=colour, linestyle=dash, label=name)
    axes.set_title(metric)
    axes.set_ylim(bottom=0)
    if axes.get_subplotspec().is_first_col():
        axes.legend(loc="upper center")
