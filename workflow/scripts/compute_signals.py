"""Compute the confidence signals of one target."""

from ralc import io, llm
from ralc.pipeline import confidence, self_evaluation
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
named = ("samples", "clusters", "answers", "readings")
tables = {name: io.read_table(snakemake.input[name], name) for name in named}
source, target = snakemake.input, snakemake.wildcards.target
said = llm.read_replies(source.own_requests, source.own_responses)
computed = confidence.compute(
    **tables,
    **snakemake.params.how,
    questions=io.read_tables(snakemake.input.questions, "questions"),
    replies=llm.read_replies(source.requests, source.responses, target=target),
    self_evaluation=None if said is None else self_evaluation.parse(said),
    target=target,
    protocols={label: resolve(**choices) for label, choices in snakemake.params.protocols.items()},
)
io.write_table(computed, snakemake.output[0], "signals")
