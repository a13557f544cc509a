"""Render what a step asks of a model."""

from ralc import io, llm, steps

io.log_to(snakemake.log[0])
step = steps.build(**snakemake.params.step)
requests = step.ask(**llm.read_inputs(snakemake.input), model=snakemake.params.model)
io.write_table(requests, snakemake.output[0], "requests")
