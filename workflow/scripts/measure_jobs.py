"""Write what each rule's jobs used beside what they asked for."""

from ralc import io
from ralc.report.record import job_usage

io.log_to(snakemake.log[0])
used = job_usage(io.read_benchmarks(snakemake.params.benchmarks))
io.write_csv(used, snakemake.output[0])
