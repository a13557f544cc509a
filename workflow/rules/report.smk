# Tables and figures (paper sections 5 and appendices), all of them views of the two results tables.
#
# Each figure is drawn as SVG and PNG, each table written as CSV, HTML and LaTeX. What a reader opens first stands in
# the report of `snakemake --report`, and all of it is linked from index.html.
# At the end of a whole run Snakemake's own report is written beside its pages, as `--report` would.
# Reads: items, metrics, and for some the lexicon, the maps, the questions and the human benchmark.
# Makes: figures/, tables/, pages, report.html. Steered by: report.

from snakemake.report import auto_report
from snakemake.report.html_reporter import ReportSettings
from snakemake.settings.types import GlobalReportSettings
from snakemake_interface_report_plugins.registry import ReportPluginRegistry

from ralc.report.contents import FIGURES, MAIN, PAPER_DATASETS, PAPER_TARGETS, TABLES

# What there is only where it was run.
SHOWN_IF = {
    "cross_domain": len(DATASETS) > 1,
    "map_ablation": len(settings.maps()) > 1,
    "ablations": len(settings.maps()) > 1
    or len(settings.retrievals()) > 1
    or len(settings.protocols()) > 1,
    "hedges_ablation": bool(settings.ablations.hedges),
    "replication": bool(set(PAPER_TARGETS) & set(TARGETS))
    and bool(set(PAPER_DATASETS) & set(DATASETS)),
    "sentences": {"support", "answer_support"} <= set(settings.run.signals),
}
DRAWN, TABULATED = (
    {name: entry for name, entry in entries.items() if SHOWN_IF.get(name, True)}
    for entries in (FIGURES, TABLES)
)
RESULTS = {
    "items": f"{OUT}/items.parquet",
    "metrics": f"{OUT}/metrics.parquet",
    "averages": f"{OUT}/metrics.parquet",
    "calls": f"{OUT}/calls.parquet",
    "maps": f"{OUT}/maps/maps.parquet",
    "lexicon": f"{OUT}/lexicon/lexicon.parquet",
    "human_benchmark": f"{OUT}/people/human_benchmark.parquet",
    "human_benchmark_points": f"{OUT}/people/human_benchmark_points.parquet",
}
# Results that are read as they are: a CSV each, beside the tables.
COPIED = ["calls", "lexicon"]
FIGURE_FILES = expand(f"{OUT}/figures/{{name}}.svg", name=DRAWN)
TABLE_FILES = expand(f"{OUT}/tables/{{name}}.html", name=TABULATED)
PAGES = expand(f"{OUT}/{{page}}.html", page=["overview", "examples", "index"])
# Of the whole report, also where `profiles/default` is not read.
REPORT_STYLE = workflow.source_path("../../report/report.css")
# What the overview links; the report of a module is that of the workflow that uses it.
LINKS = {"Example answers": "examples.html", "All tables and figures": "index.html"}
LINKS |= {} if MODULE else {"The report in one file": "report.html"}


rule plot_figures:
    input:
        **tables_of(DRAWN),
        code=code("plot_figures"),
    output:
        [
            in_report(f"{OUT}/figures/{{name}}.svg", one, "figure")
            for one in DRAWN.items()
        ],
        expand(f"{OUT}/figures/{{name}}.png", name=DRAWN),
    log:
        f"{OUT}/logs/plot_figures.log",
    localrule: True
    conda:
        CPU
    params:
        drawn=list(DRAWN),
        choices={
            "hedges_ablation": {"default": settings.retrievals()["default"]["k"]},
            "lexicon": PROTOCOL.choices("letter"),
        },
    message:
        "Figures"
    script:
        "../scripts/plot_figures.py"


rule tabulate_results:
    input:
        **tables_of(TABULATED),
        **{f"{name}_table": RESULTS[name] for name in COPIED},
        code=code("tabulate_results"),
    output:
        [
            in_report(f"{OUT}/tables/{{name}}.html", one, "table")
            for one in TABULATED.items()
        ],
        expand(f"{OUT}/tables/{{name}}.{{kind}}", name=TABULATED, kind=["csv", "tex"]),
        expand(f"{OUT}/tables/{{name}}.csv", name=COPIED),
    log:
        f"{OUT}/logs/tabulate_results.log",
    localrule: True
    conda:
        CPU
    params:
        tabulated=list(TABULATED),
        copied=COPIED,
    message:
        "Tables"
    script:
        "../scripts/tabulate_results.py"


rule show_examples:
    input:
        items_table=RESULTS["items"],
        questions=QUESTIONS,
        code=code("show_examples"),
    output:
        report(
            f"{OUT}/examples.html",
            caption="../../report/examples.rst",
            category=MAIN,
            labels={"shows": "Example answers (page)"},
        ),
    log:
        f"{OUT}/logs/show_examples.log",
    priority: -1  # the metrics take longer
    localrule: True
    conda:
        CPU
    params:
        examples=settings.report.examples,
    message:
        "Example answers before and after"
    script:
        "../scripts/show_examples.py"


rule write_overview:
    input:
        **{
            f"{table}_table": RESULTS[table]
            for table in ["metrics", "averages", "items", "calls", "maps"]
        },
        figures=[f"{OUT}/figures/grid.svg", f"{OUT}/figures/prepost.svg"],
        jobs=f"{OUT}/jobs.csv",
        questions=QUESTIONS,
        code=code("write_overview"),
    output:
        overview=report(
            f"{OUT}/overview.html",
            caption="../../report/overview.rst",
            category=MAIN,
            labels={"shows": "Overview (page)"},
        ),
        verdict=f"{OUT}/verdict.html",
        index=f"{OUT}/index.html",
    log:
        f"{OUT}/logs/write_overview.log",
    localrule: True
    conda:
        CPU
    params:
        run={
            "protocol": PROTOCOL.label,
            "seed": settings.seed,
            "choices": {
                "Datasets": ", ".join(DATASETS),
                "Signals": ", ".join(settings.run.signals),
                "Methods": ", ".join(settings.run.methods),
                "Split": f"{settings.split.train:.0%} of the questions fit the maps ({PROTOCOL.split})",
                "Samples": ", ".join(
                    {answers_a_question(target): None for target in TARGETS}
                ),
                "Bootstrap": f"{settings.metrics.resamples} resamples",
                **(
                    {
                        "Models' answers": f"of a record, {settings.journals}: no model was asked"
                    }
                    if settings.journals
                    else {}
                ),
            },
            "models": {
                model: settings.models[model].request_params()
                for _, model, _ in RESPONSES
            },
        },
        links=LINKS,
        sections=linked({"figures/{}.svg": DRAWN, "tables/{}.html": TABULATED}),
        copied=COPIED,
    message:
        "Overview of the run, and an index of its results"
    script:
        "../scripts/write_overview.py"


onsuccess:
    made = {str(file) for job in workflow.dag.jobs for file in job.output}
    if made.issuperset(PAGES):
        workflow.async_run(
            auto_report(
                workflow.dag,
                ReportPluginRegistry().get_plugin("html"),
                ReportSettings(Path(OUT) / "report.html", REPORT_STYLE),
                GlobalReportSettings(),
            )
        )
