"""Put what the signals of all targets are worth into one table."""

from ralc import io

io.log_to(snakemake.log[0])
io.write_table(io.read_tables(snakemake.input.parts, "signal_costs"), snakemake.output[0], "signal_costs")
