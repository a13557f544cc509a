# Tables and figures (paper sections 5 and appendices), all of them views of the two results tables.
#
# Each figure is drawn as SVG and PNG, each table written as CSV, HTML and LaTeX; what a reader opens
# first stands in the report of `snakemake --report`, and all of it is linked from index.html.
# Reads: items, metrics, and for some the lexicon, the questions and the human benchmark. Makes: figures/, tables/, pages.
# Steered by: report.

from ralc.results.paper_numbers import comparable

# The sections of the report.
MAIN = "1. Main results"
FAITHFULNESS = "2. What faithfulness measures"
DOMAINS = "3. Across domains"
SIGNAL = "4. Signals"
RELIABILITY = "5. Reliability and propagation"
ABLATIONS = "6. Ablations"
LEXICON = "7. Lexicon"
PEOPLE = "8. Human readers"
LOST = "9. What was asked and lost"

# What is drawn, in the paper's order: name, category of the report, tables it shows.
DRAWN = {
    "theory_mean": (FAITHFULNESS, []),
    "theory_concentration": (FAITHFULNESS, []),
    "prepost": (MAIN, ["metrics"]),
    "baselines": (MAIN, ["metrics"]),
    "reliance": (MAIN, ["items", "metrics"]),
    "bias": (DOMAINS, ["metrics"]),
    "signal_spread": (SIGNAL, ["items"]),
    "signal_reliability": (SIGNAL, ["items", "metrics"]),
    "reliability": (RELIABILITY, ["items", "metrics"]),
    "propagation": (RELIABILITY, ["items", "metrics"]),
    "lexicon": (LEXICON, ["lexicon"]),
    "human_benchmark": (PEOPLE, ["human_benchmark", "human_benchmark_points"]),
}
# What is tabulated.
TABULATED = {
    "headline": (MAIN, ["metrics"]),
    "comparisons": (MAIN, ["metrics"]),
    "detailed": (MAIN, ["metrics"]),
    "by_reader": (MAIN, ["metrics"]),
    "subsets": (MAIN, ["metrics"]),
    "language_loss": (MAIN, ["metrics"]),
    "reliance": (MAIN, ["metrics"]),
    "controlled_subsets": (FAITHFULNESS, ["metrics"]),
    "bias": (DOMAINS, ["metrics"]),
    "signal_space": (SIGNAL, ["metrics"]),
    "signal_profile": (SIGNAL, ["items", "metrics"]),
    "maps": (SIGNAL, ["maps"]),
    "linguistic_auroc": (SIGNAL, ["metrics"]),
    "human_benchmark": (PEOPLE, ["human_benchmark"]),
    "lexicon_entries": (LEXICON, ["lexicon"]),
    "counts": (LOST, ["items", "metrics"]),
    "calls": (LOST, ["calls"]),
}
# What there is only where it was run.
if len(DATASETS) > 1:
    DRAWN["prepost_averaged"] = (MAIN, ["averages"])
    DRAWN["baselines_averaged"] = (MAIN, ["averages"])
    DRAWN["bias_transfer"] = (DOMAINS, ["metrics"])
    TABULATED["cross_domain"] = (DOMAINS, ["metrics"])
if len(TARGETS) > 1:
    DRAWN["reliability_by_model"] = (RELIABILITY, ["items", "metrics"])
if len(settings.maps()) > 1:
    TABULATED["map_ablation"] = (ABLATIONS, ["metrics"])
if len(settings.maps()) > 1 or len(settings.retrievals()) > 1:
    TABULATED["ablation_changes"] = (ABLATIONS, ["metrics"])
if len(settings.retrievals()) > 1:
    TABULATED["ablations"] = (ABLATIONS, ["metrics"])
if settings.ablations.hedges:
    DRAWN["hedges_ablation"] = (ABLATIONS, ["metrics"])
if len(settings.protocols()) > 1:
    TABULATED["protocols"] = (ABLATIONS, ["metrics"])
if comparable(TARGETS, DATASETS):
    TABULATED["replication"] = (MAIN, ["metrics", "averages", "human_benchmark"])
if role("grader").method == "recorded":
    TABULATED["graders"] = (LOST, ["graders"])
if {"support", "answer_support"} <= set(settings.run.signals):
    TABULATED["sentences"] = (MAIN, ["items"])
RESULTS = {
    "items": f"{OUT}/items.parquet",
    "metrics": f"{OUT}/metrics.parquet",
    "averages": f"{OUT}/metrics.parquet",
    "calls": f"{OUT}/calls.parquet",
    "graders": f"{OUT}/graders.parquet",
    "maps": f"{OUT}/maps/maps.parquet",
    "lexicon": f"{OUT}/lexicon/lexicon.parquet",
    **{
        table: f"{OUT}/people/{table}.parquet"
        for table in ["human_benchmark", "human_benchmark_points"]
    },
}
FIGURES = expand(f"{OUT}/figures/{{name}}.svg", name=DRAWN)
TABLES = expand(f"{OUT}/tables/{{name}}.html", name=TABULATED)
PAGES = expand(f"{OUT}/{{page}}.html", page=["overview", "examples", "index"])


rule plot_figures:
    input:
        **shown(DRAWN),
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
        drawn={name: tables for name, (_, tables) in DRAWN.items()},
        given={
            "hedges_ablation": {"default": settings.retrievals()["default"]["k"]},
            "lexicon": PROTOCOL.choices("flagged_hedges"),
        },
    message:
        "Figures"
    script:
        "../scripts/plot_figures.py"


rule tabulate_results:
    input:
        **shown(TABULATED),
        code=code("tabulate_results"),
    output:
        [
            in_report(f"{OUT}/tables/{{name}}.html", one, "table")
            for one in TABULATED.items()
        ],
        expand(f"{OUT}/tables/{{name}}.{{kind}}", name=TABULATED, kind=["csv", "tex"]),
    log:
        f"{OUT}/logs/tabulate_results.log",
    localrule: True
    conda:
        CPU
    params:
        tabulated={name: tables for name, (_, tables) in TABULATED.items()},
        given={"lexicon_entries": PROTOCOL.choices("flagged_hedges")},
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
            labels={"shows": "example answers", "as": "page"},
        ),
    log:
        f"{OUT}/logs/show_examples.log",
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
        **{f"{table}_table": RESULTS[table] for table in ["metrics", "items", "calls"]},
        jobs=f"{OUT}/jobs.csv",
        questions=QUESTIONS,
        answers=per_target("answers"),
        grades=per_target("grades"),
        maps=expand(f"{OUT}/maps/{{target}}.json", target=TARGETS),
        code=code("write_overview"),
    output:
        overview=report(
            f"{OUT}/overview.html",
            caption="../../report/overview.rst",
            category=MAIN,
            labels={"shows": "overview", "as": "page"},
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
                model: settings.models[model].asked() for _, model, _ in RESPONSES
            },
        },
        targets=TARGETS,
        sections=linked({"figures/{}.svg": DRAWN, "tables/{}.html": TABULATED}),
    message:
        "Overview of the run, and an index of its results"
    script:
        "../scripts/write_overview.py"
