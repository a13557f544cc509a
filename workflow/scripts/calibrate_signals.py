"""Apply the calibration maps of one target to its held-out signals."""

from ralc import io
from ralc.pipeline import fitted_maps

io.log_to(snakemake.log[0])
calibrated = fitted_maps.apply(
    io.read_tables(snakemake.input.questions, "questions"),
    io.read_table(snakemake.input.signals, "signals"),
    io.read_json(snakemake.input.maps),
)
io.write_table(calibrated, snakemake.output[0], "calibrated")
