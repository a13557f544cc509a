"""Write the overview page, and the index of the results."""

from ralc import grading, io
from ralc.report import figures, pages, provenance, tables

io.log_to(snakemake.log[0])
source, told, results = snakemake.input, snakemake.params, io.read_results(snakemake.input)
graded = [io.read_per_target(getattr(source, name), told.targets, name) for name in ("answers", "grades")]
questions = io.read_tables(source.questions, "questions")
doubts = grading.doubts(questions, *graded)
about = {
    "provenance": provenance.provenance(told.run, results["calls"], io.read_csv(source.jobs)),
    "pair": tables.most_changed(results["items"], questions),
    "counts": tables.counts(results["items"], results["metrics"]),
    "maps": dict(zip(told.targets, map(io.read_json, source.maps), strict=True)),
}
overview = tables.overview(results["metrics"], figures.OVERVIEW, doubts=doubts, **about)
io.write_text(overview, snakemake.output.overview)
io.write_text(tables.verdict(results["metrics"], doubts), snakemake.output.verdict)
io.write_text(pages.page("index.html.j2", title="Results", sections=told.sections), snakemake.output.index)
