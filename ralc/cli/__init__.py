"""The command line ``ralc``, and options of several commands; their modules import what is heavy in functions."""

from typing import Annotated

import typer

Source = Annotated[
    str, typer.Argument(metavar="FILE", help="A .csv, .tsv, .jsonl or .parquet file, or - for stdin.")
]
Calibrator = Annotated[str, typer.Option(help="A calibrator that `ralc fit` or the workflow wrote.")]
Column = Annotated[str, typer.Option(help="The column of the file that holds the texts.")]
Out = Annotated[str, typer.Option(help="Where the rows go; - is stdout.")]
Scores = Annotated[
    str | None, typer.Option(help="Also the confidences for inspect_ai's precomputed_scores, .jsonl.")
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON: one object, or one a row.")]
