"""Compute the confidence signals of one target."""

from ralc import io
from ralc.pipeline import confidence
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
named = ("samples", "clusters", "answers", "readings")
tables = {name: io.read_table(snakemake.input[name], name) for name in named}
computed = confidence.compute(
    **tables,
    **snakemake.params.how,
    questions=io.read_tables(snakemake.input.questions, "questions"),
    requests=io.read_requests(snakemake.input.requests),
    responses=io.read_tables(snakemake.input.responses, "responses"),
    p_true=io.read_tables(snakemake.input.p_true, "p_true"),
    target=snakemake.wildcards.target,
    protocols={label: resolve(**choices) for label, choices in snakemake.params.protocols.items()},
)
io.write_table(computed, snakemake.output[0], "signals")
