"""Compute the confidence signals of one target."""

from ralc import io, llm, steps
from ralc.pipeline import confidence
from ralc.pipeline.self_evaluation import SelfEvaluation
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
source = snakemake.input
params = snakemake.params
target = snakemake.wildcards.target
said = llm.read_replies(source.own_requests, source.own_responses)
computed = confidence.compute(
    **{name: io.read_table(source[name], name) for name in ("samples", "clusters", "answers", "readings")},
    questions=io.read_tables(source.questions, "questions"),
    replies=llm.read_replies(source.requests, source.responses, target=target),
    self_evaluation=None if said is None else SelfEvaluation().result(said),
    target=target,
    support=steps.build(**params.support),
    protocols={label: resolve(**choices) for label, choices in params.protocols.items()},
    **params.how,
)
io.write_table(computed, snakemake.output[0], "signals")
