"""Write the overview page, and the index of the results."""

from ralc import grading, io
from ralc.report import figures, pages, provenance, tables

io.log_to(snakemake.log[0])
source, told, results = snakemake.input, snakemake.params, io.read_results(snakemake.input)
graded = [io.read_per_target(getattr(source, name), told.targets, name) for name in ("answers", "grades")]
doubts = grading.doubts(io.read_tables(source.questions, "questions"), *graded)
overview = tables.overview(
    results["metrics"],
    {"Before and after RALC": figures.plot_prepost, "RALC and its baselines": figures.plot_baselines},
    provenance=provenance.provenance(told.run, results["calls"], io.read_csv(source.jobs)),
    doubts=doubts,
    counts=tables.counts(results["items"], results["metrics"]),
    maps=dict(zip(told.targets, map(io.read_json, source.maps), strict=True)),
)
io.write_text(overview, snakemake.output.overview)
io.write_text(tables.verdict(results["metrics"], doubts), snakemake.output.verdict)
io.write_text(pages.page("index.html.j2", title="Results", sections=told.sections), snakemake.output.index)
