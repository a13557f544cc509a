"""Make a step's table, of others and of what its models replied."""

from ralc import io, llm, steps

io.log_to(snakemake.log[0])
source, params = snakemake.input, snakemake.params
step = steps.build(**params.step)
replies = llm.read_replies(source.requests, source.responses, **params.get("of", {}))
made = step.result(**io.read_inputs(source), replies=replies)
for name, path in snakemake.output.items():
    io.write_table(made, path, name)
