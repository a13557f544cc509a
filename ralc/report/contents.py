"""The contents of the report: its tables and figures, their sections, and the results that each shows.

The rules read this at every start, so nothing heavy is imported here.
"""

from typing import NamedTuple

MAIN = "1. Main results"
FAITHFULNESS = "2. What faithfulness measures"
DOMAINS = "3. Across domains"
SIGNAL = "4. Signals"
RELIABILITY = "5. Reliability and propagation"
LEXICON = "6. Lexicon and human readers"
LOST = "7. Losses"
ABLATIONS = "8. Ablations"  # last, for a run may have none


class Entry(NamedTuple):
    """A table or figure: its section, title, a line on it, and the results that it shows."""

    section: str
    title: str
    shows: str
    results: tuple[str, ...] = ("metrics",)


#: The paper's names; a run that has some of both is set beside its numbers.
PAPER_TARGETS = ("llama-3.1-8b", "mistral-7b", "gemma-4-31b", "gpt-oss-20b", "qwen3-8b")
PAPER_DATASETS = ("squad2", "mmlu", "truthfulqa")
BOTH = ("items", "metrics")
MEANS = ("metrics", "averages")
PEOPLE = ("human_benchmark",)
TABLES: dict[str, Entry] = {
    "verdict": Entry(MAIN, "The verdict", "RALC against two opponents, pooled over the run", MEANS),
    "headline": Entry(MAIN, "Every method on every dataset", "all metrics, by the headline evaluator"),
    "evaluators": Entry(MAIN, "Every evaluator's reading", "the same texts as each evaluator reads them"),
    "comparisons": Entry(MAIN, "RALC minus everything else", "paired differences, exploratory"),
    "detailed": Entry(MAIN, "Errors and discrimination in detail", "original, RALC and Hedged QA by signal"),
    "reliance": Entry(MAIN, "What people would decide", "answers that readers accept, by what they are told"),
    "sentences": Entry(MAIN, "Long answers by sentence", "each sentence by its own confidence"),
    "replication": Entry(
        MAIN, "The paper's numbers beside ours", "printed, found, difference", MEANS + PEOPLE
    ),
    "controlled_subsets": Entry(
        FAITHFULNESS, "What counts as a surprise", "answers high or low, firm or loose"
    ),
    "cross_domain": Entry(DOMAINS, "A map from one dataset on another", "reductions, by training dataset"),
    "signal_profile": Entry(SIGNAL, "The raw signals", "level, width, bias and discrimination", BOTH),
    "maps": Entry(SIGNAL, "The maps that were fitted", "on what, parameters, and flags", ("maps",)),
    "map_ablation": Entry(ABLATIONS, "Every calibration map", "both errors of the signals by each map"),
    "ablations": Entry(ABLATIONS, "One thing changed at a time", "variants and protocols beside the default"),
    "human_benchmark": Entry(LEXICON, "Evaluators beside people", "how both read the same phrases", PEOPLE),
    "words_lost": Entry(
        LOST, "What the words lose", "words less their number, by what became of the answer", ("items",)
    ),
    "counts": Entry(LOST, "What was lost on the way", "answers without a grade, reading or hedge"),
}
FIGURES: dict[str, Entry] = {
    "prepost": Entry(MAIN, "Before and after RALC", "FD and gECE by dataset and signal", MEANS),
    "grid": Entry(MAIN, "Where RALC is better", "difference and interval, by dataset, metric and opponent"),
    "baselines": Entry(MAIN, "RALC and the other methods", "each method on each dataset, by metric", MEANS),
    "theory": Entry(FAITHFULNESS, "Four metrics of one belief", "over its mean and its concentration", ()),
    "bias": Entry(
        DOMAINS, "Over- and underconfidence", "raw signals, and what their bias means for other maps"
    ),
    "signal_spread": Entry(SIGNAL, "How wide a signal is", "the spread within single answers", ("items",)),
    "reliability": Entry(RELIABILITY, "Reliability of the answers", "confidence against right answers", BOTH),
    "propagation": Entry(
        RELIABILITY, "Does the signal arrive in the words?", "mean meant and mean read", BOTH
    ),
    "words_lost": Entry(
        LOST, "What the words lose", "words less their number, by dataset and door", ("items",)
    ),
    "hedges_ablation": Entry(ABLATIONS, "How many hedges to try", "both errors over the number of hedges"),
    "lexicon": Entry(LEXICON, "What hedges are read as", "a sample, and all in one panel", ("lexicon",)),
    "human_benchmark": Entry(
        LEXICON, "Evaluators beside people", "a panel a study", (*PEOPLE, "human_benchmark_points")
    ),
}
