"""Ask a model what its journal does not hold yet."""

from ralc import io
from ralc.llm import complete_file

io.log_to(snakemake.log[0])
paths = snakemake.input
how = snakemake.params
complete_file(paths.requests, how.model | how.execution, how.journal, snakemake.output[0], how.shard)
