"""Figures of the report: views of `items.parquet`, `metrics.parquet` and the lexicon, written as SVG and PNG."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from ralc.report.contents import FIGURES
from ralc.report.figures.ablations import plot_hedges_ablation
from ralc.report.figures.baselines import plot_baselines
from ralc.report.figures.bias import plot_bias
from ralc.report.figures.grid import plot_grid
from ralc.report.figures.human import plot_human_benchmark
from ralc.report.figures.lexicon import plot_lexicon
from ralc.report.figures.prepost import plot_prepost
from ralc.report.figures.propagation import plot_propagation
from ralc.report.figures.reliability import plot_reliability
from ralc.report.figures.reliance import plot_reliance
from ralc.report.figures.spread import plot_signal_spread
from ralc.report.figures.style import save_figure
from ralc.report.figures.theory import plot_theory

__all__ = ["draw", "save_figure"]

_DRAWN_BY = {
    "baselines": plot_baselines,
    "bias": plot_bias,
    "grid": plot_grid,
    "hedges_ablation": plot_hedges_ablation,
    "human_benchmark": plot_human_benchmark,
    "lexicon": plot_lexicon,
    "prepost": plot_prepost,
    "propagation": plot_propagation,
    "reliability": plot_reliability,
    "reliance": plot_reliance,
    "signal_spread": plot_signal_spread,
    "theory": plot_theory,
}


def draw(name: str, results: Mapping[str, pd.DataFrame], **choices: Any) -> Figure:
    """Return a figure of the report by its name (`ralc.report.contents.FIGURES`).

    Parameters
    ----------
    name
        Of the figure.
    results
        The results tables by their names; those that the figure shows must be there.
    **choices
        What the figure asks of the run besides.
    """
    return _DRAWN_BY[name](**{table: results[table] for table in FIGURES[name].results}, **choices)
