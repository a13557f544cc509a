"""Figures of the report: views of `items.parquet`, `metrics.parquet` and the lexicon, written as SVG and PNG."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from ralc.report.contents import FIGURES
from ralc.report.figures.calibration import bias, propagation, reliability
from ralc.report.figures.comparisons import baselines, grid, hedges_ablation, prepost
from ralc.report.figures.lexicon import human_benchmark, lexicon
from ralc.report.figures.reliance import reliance
from ralc.report.figures.signals import signal_spread, theory
from ralc.report.figures.style import save_figure

__all__ = ["draw", "save_figure"]

_FUNCTIONS = (prepost, grid, baselines, reliance, theory, bias, signal_spread, reliability, propagation)
_FUNCTIONS += (hedges_ablation, lexicon, human_benchmark)
_DRAWN_BY = {function.__name__: function for function in _FUNCTIONS}


def draw(name: str, results: Mapping[str, pd.DataFrame], **choices: Any) -> Figure:
    """Return a figure of the report by its name (`ralc.report.contents.FIGURES`).

    `results` are the results tables by their names; `choices` are what the figure asks of the run besides.
    """
    return _DRAWN_BY[name](**{table: results[table] for table in FIGURES[name].results}, **choices)
