"""List the texts of the human studies."""

from pathlib import Path

from ralc import io, people
from ralc.pipeline import reading

io.log_to(snakemake.log[0])
texts = people.benchmark_texts(Path(snakemake.input.data))
io.write_table(reading.list_texts(texts), snakemake.output[0], "texts")
