"""What figures and tables are called, and what is seen in each: in the index, in files, in alternative texts."""

#: By name: what it is called, and a line on it.
TITLES = {
    "ablation_changes": ("What each change changed", "each variant minus the default, with intervals"),
    "ablations": ("One thing changed at a time", "other numbers of hedges, lexicons, loops and aims"),
    "baselines": ("RALC and the other ways to say it", "each method on each dataset, a column a metric"),
    "baselines_averaged": ("RALC and the other ways, averaged", "the same over all datasets and models"),
    "bias": (
        "Over- and underconfidence",
        "mean confidence of each raw signal against the share of right answers",
    ),
    "bias_transfer": ("What another dataset's map gains", "over how far the two datasets' biases lie apart"),
    "by_reader": ("Every reader's reading", "the same texts as each reader of the run takes them"),
    "calls": ("What models were asked", "requests, answers and tokens of each stage and model"),
    "comparisons": (
        "RALC minus each other method",
        "paired differences with intervals and corrected p-values",
    ),
    "controlled_subsets": (
        "What counts as a surprise",
        "metrics of high, low, firm, loose, right and wrong answers",
    ),
    "counts": ("What was lost on the way", "answers without a grade, a reading or a hedge, in per cent"),
    "cross_domain": (
        "A map from one dataset on another",
        "how much less the errors are, by where the map was fitted",
    ),
    "detailed": ("Both errors in detail", "FD and gECE by dataset, model and signal"),
    "graders": ("Recorded grades and ours", "how far they agree on the answers that both graded"),
    "headline": ("Every method on every dataset", "all metrics as the headline reader reads the texts"),
    "hedges_ablation": ("How many hedges to try", "both errors over the number of hedges"),
    "human_benchmark": ("Readers beside people", "how readers and people take the same phrases"),
    "language_loss": (
        "What the words lost",
        "rewrites as they are read, minus the signal they were to carry",
    ),
    "lexicon": ("What hedges are read as", "a sample with its densities, and all by mean and concentration"),
    "lexicon_entries": (
        "Every hedge of the lexicon",
        "the surest first, as the reader and as people read it",
    ),
    "linguistic_auroc": ("Right answers told from wrong", "AUROC, accuracy and mean confidence of the words"),
    "map_ablation": ("Every calibration map", "both errors of the signals by each map"),
    "maps": ("The maps that were fitted", "on what, with which parameters, and what is odd"),
    "prepost": (
        "Before and after RALC",
        "FD and gECE by dataset and signal: hollow marks before, filled after",
    ),
    "prepost_averaged": ("Before and after RALC, averaged", "the same over all datasets and models"),
    "propagation": (
        "Does the signal arrive in the words?",
        "the mean to convey against the mean that is read",
    ),
    "protocols": ("Other protocols", "the signals and their calibration by what the paper leaves open"),
    "reliability": (
        "Reliability of the answers",
        "confidence as it is read against the share of right answers",
    ),
    "reliability_by_model": ("Reliability by model", "the same, a panel a model, dataset and signal"),
    "reliance": (
        "What people would decide",
        "wrong and right answers that readers accept, by what they are told",
    ),
    "replication": ("The paper's numbers beside ours", "what was printed, what came out, and the difference"),
    "sentences": ("Long answers by sentence", "scores of each claim sentence by its own confidence"),
    "signal_profile": (
        "The raw signals",
        "how confident, how wide and how right each signal is before its map",
    ),
    "signal_reliability": (
        "Reliability of the signals",
        "confidence before and after the map against the share right",
    ),
    "signal_space": ("The signals without words", "all metrics of the signals before and after the map"),
    "signal_spread": ("How wide a signal is", "the spread of single answers' distributions, by dataset"),
    "subsets": ("Parts of the datasets", "answerable or not, abstaining or not, and subjects"),
    "theory_concentration": (
        "Metrics over concentration",
        "what four metrics say of a belief as it grows firmer",
    ),
    "theory_mean": ("Metrics over the mean", "what four metrics say of a belief as its mean moves"),
}
