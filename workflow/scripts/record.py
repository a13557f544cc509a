"""Pack a run's journals with its configuration and who answered."""

from ralc import io
from ralc.report import record

io.log_to(snakemake.log[0])
told, calls = snakemake.params, io.read_table(snakemake.input.calls, "calls")
record.pack(told.run, told.files, calls, told.journals, snakemake.output[0])
