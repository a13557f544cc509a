"""Tables and pages of the report: views of `items.parquet` and `metrics.parquet`.

Each table is a pure function that returns a DataFrame of numbers; `save_table` writes it as CSV, HTML and
LaTeX. `examples` and `overview` return whole HTML pages. Everything that came from a model is escaped.
"""

from ralc.report.tables.ablations import ablation_changes, ablations, map_ablation, protocols
from ralc.report.tables.bias import bias
from ralc.report.tables.calls import calls
from ralc.report.tables.controlled import controlled_subsets
from ralc.report.tables.counts import counts
from ralc.report.tables.cross_domain import cross_domain
from ralc.report.tables.detailed import detailed, language_loss, linguistic_auroc
from ralc.report.tables.examples import examples, most_changed
from ralc.report.tables.graders import graders
from ralc.report.tables.headline import by_reader, comparisons, headline, signal_space
from ralc.report.tables.human import human_benchmark
from ralc.report.tables.lexicon_entries import lexicon_entries
from ralc.report.tables.maps import maps
from ralc.report.tables.overview import overview, verdict
from ralc.report.tables.profile import signal_profile
from ralc.report.tables.reliance import reliance
from ralc.report.tables.render import save_table
from ralc.report.tables.replication import replication
from ralc.report.tables.sentences import sentences
from ralc.report.tables.subsets import subsets

__all__ = [
    "ablation_changes",
    "ablations",
    "bias",
    "by_reader",
    "calls",
    "comparisons",
    "controlled_subsets",
    "counts",
    "cross_domain",
    "detailed",
    "examples",
    "graders",
    "headline",
    "human_benchmark",
    "language_loss",
    "lexicon_entries",
    "linguistic_auroc",
    "map_ablation",
    "maps",
    "most_changed",
    "overview",
    "protocols",
    "reliance",
    "replication",
    "save_table",
    "sentences",
    "signal_profile",
    "signal_space",
    "subsets",
    "verdict",
]
