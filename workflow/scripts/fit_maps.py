"""Fit the calibration maps of one target, and apply them to its held-out signals."""

from ralc import io
from ralc.pipeline import fitted_maps
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
questions = io.read_tables(snakemake.input.questions, "questions")
signals = io.read_table(snakemake.input.signals, "signals")
fits = fitted_maps.fit(
    questions,
    signals,
    io.read_table(snakemake.input.grades, "grades"),
    methods=snakemake.params.methods,
    protocols={label: resolve(**choices) for label, choices in snakemake.params.protocols.items()},
    grader=snakemake.params.grader,
)
io.write_json(fits, snakemake.output.maps)
io.write_table(fitted_maps.apply(questions, signals, fits), snakemake.output.calibrated, "calibrated")
