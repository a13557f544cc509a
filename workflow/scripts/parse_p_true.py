"""Parse what one target says of its own answers."""

from ralc import io
from ralc.pipeline import p_true

io.log_to(snakemake.log[0])
requests = io.read_requests(snakemake.input.requests)
responses = io.read_tables(snakemake.input.responses, "responses")
io.write_table(p_true.parse(requests, responses), snakemake.output[0], "p_true")
