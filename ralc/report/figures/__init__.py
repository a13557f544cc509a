"""Figures of the report: views of `items.parquet`, `metrics.parquet` and the lexicon, written as SVG and PNG."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from ralc.registry import require_functions
from ralc.report.contents import FIGURES
from ralc.report.figures import beliefs, calibration, comparisons
from ralc.report.figures.style import save_figure

__all__ = ["draw", "save_figure"]

_DRAWN = vars(beliefs) | vars(calibration) | vars(comparisons)
require_functions("ralc.report.contents.FIGURES", FIGURES, _DRAWN, "draw it in ralc/report/figures/")


def draw(name: str, results: Mapping[str, pd.DataFrame], **choices: Any) -> Figure:
    """Return a figure of the report.

    Parameters
    ----------
    name
        One of `ralc.report.contents.FIGURES`.
    results
        The results tables by their names.
    choices
        What the figure asks of the run besides.
    """
    return _DRAWN[name](**{table: results[table] for table in FIGURES[name].results}, **choices)
