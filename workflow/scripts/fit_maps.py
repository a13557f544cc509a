"""Fit the calibration maps of one target."""

from ralc import io
from ralc.pipeline import fitted_maps
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
fits = fitted_maps.fit(
    io.read_tables(snakemake.input.questions, "questions"),
    io.read_table(snakemake.input.signals, "signals"),
    io.read_table(snakemake.input.grades, "grades"),
    methods=snakemake.params.methods,
    protocols={label: resolve(**choices) for label, choices in snakemake.params.protocols.items()},
    grader=snakemake.params.grader,
)
io.write_json(fits, snakemake.output[0])
