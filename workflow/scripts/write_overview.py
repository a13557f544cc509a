"""Write the overview page, the verdict, and the index of the results."""

import pandas as pd

from ralc import io
from ralc.report.overview import overview, verdict
from ralc.report.record import provenance
from ralc.report.rendering import page

io.log_to(snakemake.log[0])
source = snakemake.input
params = snakemake.params
results = io.read_results(snakemake.input)
questions = io.read_tables(source.questions, "questions")
facts = provenance(params.run, results["calls"], pd.read_csv(source.jobs))
io.write_text(overview(results, questions, source.figures, facts, params.links), snakemake.output.overview)
io.write_text(verdict(results["metrics"], results["averages"], source.figures[0]), snakemake.output.verdict)
index = page(
    "index.html.j2", title="Results", sections=params.sections, copied=params.copied, links=params.links
)
io.write_text(index, snakemake.output.index)
