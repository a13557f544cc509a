"""What readers of a table or figure see for the names in the results: labels, units, direction, order."""

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import pandas as pd

from ralc.datasets import TITLES
from ralc.registry import COUNTERPARTS, EVALUATOR_METRICS, METHODS, METRICS, SIGNALS, SPACES, Quantity

#: Every number that a table shows: the metrics, and what tables alone have.
QUANTITIES: dict[str, Quantity] = {
    **EVALUATOR_METRICS,
    **METRICS,
    "reduction_percent": Quantity("Reduction", "higher", 1, "%"),
    "reduction": Quantity("Reduction, absolute", "higher"),
    "beyond_in_domain": Quantity("Minus in-domain map", "lower"),
    "sd_of_means": Quantity("SD of means"),
    "median_width": Quantity("Median SD within"),
    "concentration_p10": Quantity("k, 10 %", digits=1),
    "concentration_p50": Quantity("k, median", digits=1),
    "concentration_p90": Quantity("k, 90 %", digits=1),
    "edge_share": Quantity("Piled at an end", None, 1, "%", 100),
    "narrow_share": Quantity("All readings agree", None, 1, "%", 100),
    "slope": Quantity("Slope", digits=2),
    "intercept": Quantity("Intercept", digits=2),
    "data_share": Quantity("Data share"),
    "left_out": Quantity("Left out", digits=0),
    "brier_minus_answer": Quantity("Brier minus one an answer's", "lower"),
    "brier_minus_base_rate": Quantity("Brier minus base rate's", "lower"),
    "printed": Quantity("Paper"),
    "this_run": Quantity("This run"),
    "printed_difference": Quantity("Difference"),
    "n": Quantity("n", digits=0),
}

EVALUATORS = {
    "embedding_regression": "embedding regression",
    "cue_model_b": "second cue model",
    "cue_model": "cue model",
    "people": "people's own numbers",
    "ensemble": "LLM ensemble",
}
#: The evaluators that were fitted on a yardstick: what they show there is no evidence.
IN_SAMPLE: dict[str, tuple[str, ...]] = {
    "capphrase": ("cue_model",),
    "wadefagen": ("cue_model_b", "embedding_regression"),
    "zonination": ("cue_model_b", "embedding_regression"),
}
#: What became of an answer.
DOORS = {"any": "All", "hedge": "Hedge", "note": "Note", "unchanged": "As it came"}
#: Yardsticks and scorers of the human benchmark.
YARDSTICKS = {
    "tao_raw": "Held-out sentences, raw scores",
    "capphrase": "CAPphrase, 19 phrases",
    "capphrase_other_half": "CAPphrase, the half of the people not fitted on",
    "capphrase_left_out": "CAPphrase, each phrase left out of the fit",
    "wadefagen": "Fagen-Ulmschneider, 17 phrases",
    "wadefagen_half_fit": "Fagen-Ulmschneider, fitted on half of CAPphrase",
    "zonination": "zonination, 17 phrases",
    "zonination_half_fit": "zonination, fitted on half of CAPphrase",
    "tao_benchmark": "1,622 items, band-filtered scores",
    "tao_benchmark_errors": "1,622 items, beside the cue model",
    "one_hedge": "Forty hedges, each over 50 contents",
    "each_hedge": "Each hedge by itself, beside another evaluator",
}
SCORERS = {
    "level": "level band alone, known exactly",
    "hidden_states_probe_human_anno_trained": "probe on hidden states, trained on human scores",
    "hidden_states_probe": "probe on hidden states",
}
SCORERS |= {name: name.replace("gpt", "GPT") for name in ("gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-4o-mini")}
SCORERS |= {f"{name}_decisiveness": f"{SCORERS[name]}, decisiveness" for name in ("gpt-5", "gpt-5-mini")}
_TITLED = ("dataset", "signal", "method", "metric", "evaluator", "flags", "variant", "map", "space")
COLUMNS = {name: name.capitalize() for name in (*_TITLED, "protocol", "of")} | {
    "target": "Model",
    "versus": "Compared with",
    "train": "Map fitted on",
    "measure": "Metric",
    "subset": "Answers",
    "item": "In the paper",
    "within": "Within the interval",
    "contradiction": "Contradicted by",
}
_VALUES = {"none": "–", "mean": "mean of models"} | COUNTERPARTS | EVALUATORS | SPACES | TITLES
_VALUES |= {name: noun.title for name, noun in (SIGNALS | METHODS).items()} | YARDSTICKS | SCORERS | DOORS


def label(name: Hashable) -> str:
    """Return what evaluators see for a value of the results; a name that is not known here stays as it is.

    >>> label("semantic_uncertainty"), label("my-dataset")
    ('Semantic uncertainty', 'my-dataset')
    """
    text = str(name)
    return QUANTITIES[text].title if text in QUANTITIES else _VALUES.get(text, text)


def evaluator_on(evaluator: str, dataset: str) -> str:
    """Return what readers of a table see for an evaluator on a yardstick of the human benchmark.

    >>> evaluator_on("cue_model_b", "zonination"), evaluator_on("cue_model_b", "capphrase")
    ('second cue model (in sample)', 'second cue model')
    """
    return label(evaluator) + (" (in sample)" if evaluator in IN_SAMPLE.get(dataset, ()) else "")


def in_order(values: Iterable[str], order: Iterable[str] = ()) -> list[str]:
    """Return distinct values: those of `order` first and in its order, then the others as they came, `mean` last.

    >>> in_order(["b", "mean", "a", "b"], order=["a"])
    ['a', 'b', 'mean']
    """
    # `unique` runs in C: items tables have millions of rows.
    distinct = list(values.unique()) if isinstance(values, pd.Series) else list(dict.fromkeys(values))
    first = [value for value in order if value in distinct]
    rest = [value for value in distinct if value not in first and value != "mean"]
    return first + rest + [value for value in ("mean",) if value in distinct and value not in first]


def enumeration(names: Sequence[str]) -> str:
    """Return names as one text.

    >>> enumeration(["a", "b", "c"]), enumeration([])
    ('a, b and c', '')
    """
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def number(value: float, quantity: str) -> str:
    """Return a number as a table shows it: the quantity's scale and decimals, an en dash for a missing one.

    >>> number(0.12345, "auroc"), number(0.5, "unscored_rate"), number(1264.25, "faithfulness_divergence")
    ('0.123', '50.0', '1,264')
    """
    if value is None or not np.isfinite(value):
        return "–"
    shown = QUANTITIES[quantity]
    scaled = float(value) * shown.scale
    # Large values (FD has no upper bound) would not gain from three decimals.
    digits = shown.digits
    if abs(scaled) >= 100:
        digits = 0
    elif abs(scaled) >= 10:
        digits = min(digits, 2)
    text = f"{scaled:,.{digits}f}"
    return text.replace("-", "−") if text.strip("-0.") else text.lstrip("-")
