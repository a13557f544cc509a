"""List the texts of the human studies."""

from pathlib import Path

from ralc import benchmark, io
from ralc.steps import reading

io.log_to(snakemake.log[0])
texts = benchmark.benchmark_texts(Path(snakemake.input.data))
io.write_table(reading.list_texts(texts), snakemake.output[0], "texts")
