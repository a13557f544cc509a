"""Put the metrics of all datasets into one table, with their means."""

from ralc import io
from ralc.results import averages

io.log_to(snakemake.log[0])
table = averages.with_averages(io.read_tables(snakemake.input.parts, "metrics"))
io.write_table(table, snakemake.output[0], "metrics")
