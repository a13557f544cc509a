"""Put the metrics of all datasets into one table."""

from ralc import io

io.log_to(snakemake.log[0])
io.write_table(io.read_tables(snakemake.input.parts, "metrics"), snakemake.output[0], "metrics")
