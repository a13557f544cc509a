"""Pack a run's journals with its configuration and who answered."""

from ralc import io
from ralc.report import record

io.log_to(snakemake.log[0])
params = snakemake.params
calls = io.read_table(snakemake.input.calls, "calls")
record.pack(params.run, params.files, calls, params.journals, snakemake.output[0])
