"""Make a step's table, of others and of what its models replied."""

from ralc import io, llm, steps

io.log_to(snakemake.log[0])
params = snakemake.params
tables = llm.read_inputs(snakemake.input, **params.get("of", {}))
made = steps.build(**params.step).result(**tables)
for name, path in snakemake.output.items():
    io.write_table(made, path, name)
