"""Figures of the report: views of `items.parquet`, `metrics.parquet` and the lexicon.

Each is a pure function that returns a matplotlib Figure; `save_figure` writes it as SVG and PNG.
"""

from ralc.report.figures.ablations import plot_hedges_ablation
from ralc.report.figures.baselines import plot_baselines, plot_baselines_averaged
from ralc.report.figures.bias import plot_bias, plot_bias_transfer
from ralc.report.figures.human import plot_human_benchmark
from ralc.report.figures.lexicon import plot_lexicon
from ralc.report.figures.prepost import plot_prepost, plot_prepost_averaged
from ralc.report.figures.profile import plot_signal_spread
from ralc.report.figures.propagation import plot_propagation, propagation_pairs
from ralc.report.figures.reliability import (
    plot_reliability,
    plot_reliability_by_model,
    plot_signal_reliability,
    reliability_curve,
)
from ralc.report.figures.reliance import plot_reliance
from ralc.report.figures.style import save_figure
from ralc.report.figures.theory import plot_theory_concentration, plot_theory_mean

#: What the overview draws of the metrics, by caption; it opens on the first.
OVERVIEW = {"Before and after RALC": plot_prepost, "RALC and its baselines": plot_baselines}

__all__ = [
    "OVERVIEW",
    "plot_baselines",
    "plot_baselines_averaged",
    "plot_bias",
    "plot_bias_transfer",
    "plot_hedges_ablation",
    "plot_human_benchmark",
    "plot_lexicon",
    "plot_prepost",
    "plot_prepost_averaged",
    "plot_propagation",
    "plot_reliability",
    "plot_reliability_by_model",
    "plot_reliance",
    "plot_signal_reliability",
    "plot_signal_spread",
    "plot_theory_concentration",
    "plot_theory_mean",
    "propagation_pairs",
    "reliability_curve",
    "save_figure",
]
