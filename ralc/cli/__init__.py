"""The command line ``ralc``, and options of several commands; their modules import what is heavy in functions."""

from typing import Annotated, Any

import typer

from ralc.io.console import visible

Source = Annotated[
    str, typer.Argument(metavar="FILE", help="A .csv, .tsv, .jsonl or .parquet file, or - for stdin.")
]
Calibrator = Annotated[str, typer.Option(help="A calibrator that `ralc fit` or the workflow wrote.")]
Column = Annotated[str, typer.Option(help="The column of the file that holds the texts.")]
Out = Annotated[str, typer.Option(help="Where the rows go; - is stdout.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON: one object, or one a row.")]
Wrong = Annotated[
    float | None, typer.Option(help="What it costs to rely on a wrong answer: with --ask, says what to do.")
]
Ask = Annotated[float | None, typer.Option(help="What it costs to ask elsewhere.")]
Guarantee = Annotated[
    float | None, typer.Option(help="The share of wrong answers that go out at most; with --held-out.")
]
HeldOut = Annotated[str, typer.Option(help="Graded answers that the map was not fitted on, as for `fit`.")]
Abstain = Annotated[str, typer.Option(help="What to say where no answer is better; else it escalates.")]


def reliability(bins: list[Any], n: int, title: str) -> str:
    """Return the figure of reliability (SVG) of a calibrator's bins.

    Parameters
    ----------
    bins
        Those of `ralc.calibrator.evaluation.Evaluation` or of a fresh test.
    n
        Answers.
    title
        What stands above the figure.
    """
    import pandas as pd

    from ralc.report.figures.calibration import reliability_of_calibrator

    return reliability_of_calibrator(pd.DataFrame(map(dict, bins)), n, visible(title))
