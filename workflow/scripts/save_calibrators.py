"""Save the calibrators of one target for an application."""

from ralc import io
from ralc.pipeline import calibrators
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
built = calibrators.build(
    io.read_tables(snakemake.input.questions, "questions"),
    io.read_table(snakemake.input.signals, "signals"),
    io.read_table(snakemake.input.grades, "grades"),
    io.read_table(snakemake.input.lexicon, "lexicon"),
    io.read_table(snakemake.input.samples, "samples", ["question_id", "prompt"]),
    target=snakemake.wildcards.target,
    temperature=snakemake.params.temperatures[snakemake.wildcards.target],
    protocol=resolve(**snakemake.params.protocol),
    **snakemake.params.how,
)
for saved, path in zip(built, snakemake.output, strict=True):
    io.write_json(saved, path)
