"""Ask a model what its journal does not hold yet."""

from ralc import io
from ralc.llm import complete_table

io.log_to(snakemake.log[0])
requests = io.read_frame(snakemake.input.requests)
responses = complete_table(requests, snakemake.params.model, snakemake.params.journal)
io.write_frame(responses, snakemake.output[0])
