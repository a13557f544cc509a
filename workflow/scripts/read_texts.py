"""Read a batch of texts by every reader."""

from ralc import io
from ralc.steps import reading

io.log_to(snakemake.log[0])
texts = reading.distinct(io.read_frame(path) for path in snakemake.input.texts)
readings = reading.read(texts, snakemake.params.readers, snakemake.params.audience)
io.write_table(readings, snakemake.output[0], "readings")
