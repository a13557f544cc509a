"""Score how much of each original answer its rewrite keeps."""

from ralc import io, llm, preservation
from ralc.pipeline.rewrite_plan import pairs

io.log_to(snakemake.log[0])
answers = io.read_per_target(snakemake.input.answers, "answers")
plan = io.read_table(snakemake.input.plan, "plan")
rewrites = io.read_table(snakemake.input.rewrites, "rewrites")
hedges = io.read_table(snakemake.input.hedges, "hedges")["expression"].tolist()
scored = preservation.score(
    pairs(answers, plan, rewrites),
    hedges=hedges,
    replies=llm.read_replies(snakemake.input.requests, snakemake.input.responses),
)
io.write_table(scored, snakemake.output[0], "preservation")
