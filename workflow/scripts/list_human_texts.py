"""List the texts of the human studies."""

from pathlib import Path

from ralc import human_benchmark, io
from ralc.pipeline import perceived_confidence as listed

io.log_to(snakemake.log[0])
texts = human_benchmark.benchmark_texts(Path(snakemake.input.data), snakemake.params.studies)
io.write_table(listed.list_texts(texts), snakemake.output[0], "texts")
