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
def plot_theory_mean() -> Figure:
    """FD, KL, E[Brier] and E[NLL] over the mean of the belief, its concentration fixed."""
    mean = np.linspace(0.01, 0.99, 197)
    confidence = Beta.from_mean_concentration(mean, np.full_like(mean, _CONCENTRATION))
    figure, panels = _panels()
    for axes, metric in zip(panels, METRICS, strict=True):
        _curves(axes, mean, confidence, metric)
        axes.set_xlabel("mean μ")
    panels[0].set_ylim(0, 6)
    note(
        figure,
        [
            f"Concentration α + β = {_CONCENTRATION:g}. The FD axis ends at 6; FD is higher near the wrong end."
        ],
    )
    return figure


@styled
def plot_theory_concentration() -> Figure:
    """FD, KL, E[Brier] and E[NLL] over the concentration of the belief, its mean fixed."""
    concentration = np.geomspace(0.5, 200, 200)
    confidence = Beta.from_mean_concentration(np.full_like(concentration, _MEAN), concentration)
    figure, panels = _panels()
    for axes, metric in zip(panels, METRICS, strict=True):
        _curves(axes, concentration, confidence, metric)
        axes.set_xlabel("concentration k = α + β")
        axes.set_xscale("log")
        plain_log(axes.xaxis)
    limit = _MEAN / (2 * (1 - _MEAN))
    panels[0].axhline(limit, color=OUTCOMES[0][1], linewidth=0.8, linestyle=":")
    text = f"Mean μ = {_MEAN:g}. Dotted: FD of a wrong answer as k grows, μ / (2(1 − μ)) = {limit:g}."
    note(figure, [text])
    return figure


def _panels() -> tuple[Figure, np.ndarray]:
    figure = Figure(figsize=(11, 3.2), layout="constrained")
    return figure, figure.subplots(1, len(METRICS))


def _curves(axes: Axes, x: np.ndarray, confidence: Beta, metric: str) -> None:
    """One metric over x, for a right and a wrong answer."""
    for outcome, (name, colour, dash) in OUTCOMES.items():
        y = METRICS[metric](np.full(len(x), outcome), confidence)
        axes.plot(x, y, color=colour, linestyle=dash, label=name)
    axes.set_title(metric)
    axes.set_ylim(bottom=0)
    if axes.get_subplotspec().is_first_col():
        axes.legend()
