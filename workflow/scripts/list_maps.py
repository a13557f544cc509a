"""List the fitted calibration maps."""

from ralc import io
from ralc.pipeline import fitted_maps

io.log_to(snakemake.log[0])
fits = zip(snakemake.params.targets, map(io.read_json, snakemake.input.maps), strict=True)
io.write_table(fitted_maps.listed(dict(fits)), snakemake.output[0], "maps")
