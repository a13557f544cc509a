"""List the candidates of each rewrite, and the texts that an evaluator must choose among."""

from ralc import io, llm, rewriting, steps

io.log_to(snakemake.log[0])
tables = llm.read_inputs(snakemake.input)
known = tables.pop("known", None)
candidates = steps.build(**snakemake.params.step).result(**tables)
io.write_table(candidates, snakemake.output.candidates, "candidates")
read = io.read_table(known, "texts")["text"] if known else ()
io.write_table(rewriting.to_be_read(candidates, read), snakemake.output.texts, "texts")
