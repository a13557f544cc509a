"""Compute the confidence signals of one target."""

from ralc import io
from ralc.pipeline import confidence, self_evaluation
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
named = ("samples", "clusters", "answers", "readings")
tables = {name: io.read_table(snakemake.input[name], name) for name in named}
requests = io.read_requests(snakemake.input.own_requests)
replies = io.read_tables(snakemake.input.own_responses, "responses")
computed = confidence.compute(
    **tables,
    **snakemake.params.how,
    questions=io.read_tables(snakemake.input.questions, "questions"),
    requests=io.read_requests(snakemake.input.requests),
    responses=io.read_tables(snakemake.input.responses, "responses"),
    self_evaluation=None if requests is None else self_evaluation.parse(requests, replies),
    target=snakemake.wildcards.target,
    protocols={label: resolve(**choices) for label, choices in snakemake.params.protocols.items()},
)
io.write_table(computed, snakemake.output[0], "signals")
