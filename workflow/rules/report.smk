# Tables and figures (paper sections 5 and appendices), all of them views of the two results tables.
#
# Each figure is drawn as SVG and PNG, each table written as CSV, HTML and LaTeX; what a reader opens
# first stands in the report of `snakemake --report`.
# Reads: items, metrics, and for some the lexicon, the questions and the human benchmark. Makes: figures/, tables/, pages.
# Steered by: report.

# What is drawn: name, category of the report, tables it shows.
DRAWN = {
    "prepost": ("1. Main results", ["metrics"]),
    "baselines": ("1. Main results", ["metrics"]),
    "reliability": ("2. Reliability", ["items", "metrics"]),
    "signal_reliability": ("2. Reliability", ["items", "metrics"]),
    "propagation": ("2. Reliability", ["items", "metrics"]),
    "lexicon": ("6. Lexicon", ["lexicon"]),
    "human_benchmark": (
        "5. Human readers",
        ["human_benchmark", "human_benchmark_points"],
    ),
    "theory_mean": ("8. About the metrics", []),
    "theory_concentration": ("8. About the metrics", []),
}
# What is tabulated.
TABULATED = {
    "headline": ("1. Main results", ["metrics"]),
    "comparisons": ("1. Main results", ["metrics"]),
    "signal_space": ("3. Signals", ["metrics"]),
    "signal_profile": ("3. Signals", ["items", "metrics"]),
    "cross_domain": ("4. Across domains", ["metrics"]),
    "counts": ("7. What was asked and lost", ["items", "metrics"]),
    "calls": ("7. What was asked and lost", ["calls"]),
    "lexicon_entries": ("6. Lexicon", ["lexicon"]),
    "human_benchmark": ("5. Human readers", ["human_benchmark"]),
    "audiences": ("5. Human readers", ["audiences"]),
}
RESULTS = {
    "items": f"{OUT}/items.parquet",
    "metrics": f"{OUT}/metrics.parquet",
    "calls": f"{OUT}/calls.parquet",
    "lexicon": f"{OUT}/lexicon/lexicon.parquet",
    **{
        table: f"{OUT}/people/{table}.parquet"
        for table in ["human_benchmark", "human_benchmark_points", "audiences"]
    },
}
FIGURES = expand(f"{OUT}/figures/{{name}}.svg", name=DRAWN)
TABLES = expand(f"{OUT}/tables/{{name}}.html", name=TABULATED)
PAGES = expand(f"{OUT}/{{page}}.html", page=["overview", "examples"])


for name, (category, tables) in DRAWN.items():

    rule:
        name:
            f"plot_{name}"
        input:
            **shown(tables),
            code=code("plot_figure"),
        output:
            report(
                f"{OUT}/figures/{name}.svg",
                caption=f"../../report/{name}.rst",
                category=category,
                labels={"shows": name.replace("_", " "), "as": "figure"},
            ),
            f"{OUT}/figures/{name}.png",
        log:
            f"{OUT}/logs/plot_{name}.log",
        localrule: True
        conda:
            CPU
        params:
            name=name,
            tables=tables,
        message:
            f"Figure {name}"
        script:
            "../scripts/plot_figure.py"


for name, (category, tables) in TABULATED.items():

    rule:
        name:
            f"tabulate_{name}"
        input:
            **shown(tables),
            code=code("tabulate"),
        output:
            report(
                f"{OUT}/tables/{name}.html",
                caption=f"../../report/{name}.rst",
                category=category,
                labels={"shows": name.replace("_", " "), "as": "table"},
            ),
            f"{OUT}/tables/{name}.csv",
            f"{OUT}/tables/{name}.tex",
        log:
            f"{OUT}/logs/tabulate_{name}.log",
        localrule: True
        conda:
            CPU
        params:
            name=name,
            tables=tables,
        message:
            f"Table {name}"
        script:
            "../scripts/tabulate.py"


rule show_examples:
    input:
        items_table=RESULTS["items"],
        questions=QUESTIONS,
        code=code("show_examples"),
    output:
        report(
            f"{OUT}/examples.html",
            caption="../../report/examples.rst",
            category="1. Main results",
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
        **shown(["metrics"]),
        code=code("write_overview"),
    output:
        report(
            f"{OUT}/overview.html",
            caption="../../report/overview.rst",
            category="1. Main results",
            labels={"shows": "overview", "as": "page"},
        ),
    log:
        f"{OUT}/logs/write_overview.log",
    localrule: True
    conda:
        CPU
    message:
        "Overview of the run"
    script:
        "../scripts/write_overview.py"
