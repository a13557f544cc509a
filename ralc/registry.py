"""The vocabulary: every signal, method, grade, space and metric is declared here, once.

The configuration, the tables, the measures and the report read these declarations, so that a new metric is one
function in `ralc.metrics` and one declaration here, a new signal one function in `ralc.pipeline.confidence`, a new
method of rewriting one in `ralc.pipeline.rewrite_plan`. The order is that of the tables. What does not apply is
``none``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Quantity:
    """A number of the results, and how it is shown.

    Parameters
    ----------
    title : str
        Its name for evaluators.
    better : {"lower", "higher"}, optional
        Which direction is good; None where neither is.
    digits : int
        Decimals shown.
    unit : str
        Empty for a pure number or a probability.
    scale : float
        Factor before display (100 shows a share as percent).
    low, high : float
        The range of its values; a difference of two may leave it.
    """

    title: str
    better: Literal["lower", "higher"] | None = None
    digits: int = 3
    unit: str = ""
    scale: float = 1.0
    low: float = float("-inf")
    high: float = float("inf")


@dataclass(frozen=True)
class Metric(Quantity):
    """A number that is computed from the answers of a condition.

    Parameters
    ----------
    computed : str
        How. ``items``: the mean over the answers of the function of this name (or of `of`) in `ralc.metrics`, which
        takes (outcome, `forecast`) and gives one value an answer. ``bins``: the sum over bins of the absolute mean of
        what each answer adds; ``debiased``: less its upward bias. ``ranks``: the AUROC. ``floor``: the simulated
        null of a metric of bins; ``excess``: what lies above it. ``parts``: of the change of the faithfulness
        divergence. ``propagation``: from the calibrated signal to the words. ``losses``: the share of answers that
        were lost. ``preservation``: the mean of the column of this name, what the text keeps of the answer.
        ``people``: in the human benchmark alone.
        ``reliance``: of what people who read it believe and decide (`ralc.reliance`).
    forecast : {"confidence", "mean"}
        What is taken beside the outcome: the Beta confidences, or their means.
    of : str
        What it is of: a mean over items of the function of that name; a debiased metric of the metric itself; a part,
        or what is propagated, of the ``mean`` or the ``concentration``; of reliance, the ``wrong`` or the ``right``
        answers where it is not of all.
    hedged : bool
        Whether answers that are passed unhedged, such as abstentions, are left out.
    """

    computed: Literal[
        "items",
        "bins",
        "debiased",
        "ranks",
        "floor",
        "excess",
        "parts",
        "propagation",
        "losses",
        "preservation",
        "people",
        "reliance",
    ] = "items"
    forecast: Literal["confidence", "mean"] = "confidence"
    of: str = ""
    hedged: bool = False


@dataclass(frozen=True)
class Method:
    """A way to say an answer.

    Parameters
    ----------
    title : str
        Its name for evaluators.
    guided : bool
        Whether a confidence signal guides it.
    trained : bool
        Whether it depends on a dataset's train questions.
    rewritten : bool
        Whether its text is a rewrite of the original answer.
    own : bool
        Whether the test dataset's own map alone guides it.
    free : bool
        Whether a model writes it freely, to a Beta distribution alone; other rewrites have hedges of the lexicon.
    always : bool
        Whether every run has it, since it costs nothing.
    """

    title: str
    guided: bool = False
    trained: bool = False
    rewritten: bool = False
    own: bool = False
    free: bool = False
    always: bool = False


@dataclass(frozen=True)
class Signal:
    """A confidence behind an answer.

    Parameters
    ----------
    title : str
        Its name for evaluators.
    compares : bool
        Whether it compares several answers; others know one answer alone, where no more is asked.
    logprobs : {"", "token_logprobs"}
        Which log-probabilities of the answers it needs.
    fine : bool
        Whether its means tell answers apart that are nearer to 0 or 1 than an evaluator's scores can be.
    elsewhere : bool
        Whether it is made from what the other answers say of each sentence.
    asks : bool
        Whether the model that answered is asked once more, about its answer.
    """

    title: str
    compares: bool = False
    logprobs: Literal["", "token_logprobs"] = ""
    fine: bool = False
    elsewhere: bool = False
    asks: bool = False


#: The paper's three, then those of the literature (`ralc.signals` names the source of each).
SIGNALS: dict[str, Signal] = {
    "linguistic_confidence": Signal("Linguistic confidence"),
    "token_probability": Signal("Token probability", logprobs="token_logprobs"),
    "semantic_uncertainty": Signal("Semantic uncertainty", compares=True),
    "perplexity": Signal("Perplexity", logprobs="token_logprobs", fine=True),
    "discrete_semantic_entropy": Signal("Discrete semantic entropy", compares=True),
    "support": Signal("Support", compares=True, elsewhere=True),
    "support_where_spoken_of": Signal("Support where spoken of", compares=True, elsewhere=True),
    "answer_support": Signal("Support, one an answer", compares=True, elsewhere=True),
    "p_true": Signal("P(True)", fine=True, asks=True),
}
PAPER_SIGNALS = ("linguistic_confidence", "token_probability", "semantic_uncertainty")
#: What a saved calibrator starts from, one confidence an answer; ``score`` is any number in [0, 1] of the user's own.
STARTS = ("score", *SIGNALS)
METHODS: dict[str, Method] = {
    "original": Method("Original answer", always=True),
    "ralc": Method("RALC", guided=True, trained=True, rewritten=True),
    "direct_beta": Method(
        "Direct Beta-guided", guided=True, trained=True, rewritten=True, own=True, free=True
    ),
    "hedged_qa": Method("Hedged QA"),
    "constant_hedge": Method("Constant hedge", trained=True, rewritten=True),
    "near_hedges": Method("Hedges as near, by lot", trained=True, rewritten=True, own=True),
    "base_rate": Method("Base rate as a number", trained=True, always=True),
}
#: What a row is compared with, besides a method: the same map fitted on the test dataset; the calibrated signal that
#: the words are to carry; the default variant.
COUNTERPARTS: dict[str, str] = {
    "in_domain": "In-domain map",
    "signal": "Signal space",
    "default": "Default variant",
}
SPACES: dict[str, str] = {"signal": "Signal space", "linguistic": "Linguistic space"}

#: How a question is asked, and what a target is asked about it.
#: A long answer is taken sentence by sentence: each that claims something has a confidence of its own.
LONG = "long_answer"
FORMATS = ("short_answer", "multiple_choice", "reading_comprehension", LONG)
PROMPTS = ("direct", "hedged")

CORRECT, INCORRECT, NOT_ATTEMPTED, UNPARSED = "CORRECT", "INCORRECT", "NOT_ATTEMPTED", "unparsed"
#: The grade of a sentence some of whose facts are right.
PARTLY = "PARTLY_CORRECT"
#: The grade of a question whose samples all failed: there is no answer, and so no signal and no outcome.
UNANSWERED = "unanswered"
GRADES = (CORRECT, PARTLY, INCORRECT, NOT_ATTEMPTED, UNPARSED, UNANSWERED)

_SHARE = {"low": 0.0, "high": 1.0}
_SIGNED = {"low": -1.0, "high": 1.0}
_PERCENT = {"digits": 1, "unit": "%", "scale": 100.0, **_SHARE}
_LOSS = {"computed": "losses", **_PERCENT}

METRICS: dict[str, Metric] = {
    "faithfulness_divergence": Metric("FD", "lower", unit="nats", low=0),
    "faithfulness_divergence_mean_part": Metric(
        "FD change, by mean", unit="nats", computed="parts", of="mean"
    ),
    "faithfulness_divergence_concentration_part": Metric(
        "FD change, by concentration", unit="nats", computed="parts", of="concentration"
    ),
    "kl_divergence": Metric("KL", unit="nats", low=0),
    "generalised_ece": Metric("gECE", "lower", computed="bins", **_SHARE),
    "generalised_ece_debiased": Metric(
        "gECE, debiased", "lower", computed="debiased", of="generalised_ece", **_SHARE
    ),
    "generalised_ece_null": Metric("gECE null", computed="floor", **_SHARE),
    "generalised_ece_excess": Metric("gECE excess", "lower", computed="excess", **_SIGNED),
    "expected_calibration_error": Metric("ECE of means", "lower", computed="bins", forecast="mean", **_SHARE),
    "expected_calibration_error_debiased": Metric(
        "ECE of means, debiased", "lower", computed="debiased", of="expected_calibration_error", **_SHARE
    ),
    "expected_brier_score": Metric("E[Brier]", "lower", **_SHARE),
    "expected_log_loss": Metric("E[NLL]", "lower", unit="nats", low=0),
    "brier_score": Metric("Brier of means", "lower", forecast="mean", of="squared_error", **_SHARE),
    "auroc": Metric("AUROC of means", "higher", computed="ranks", **_SHARE),
    "accuracy": Metric("Accuracy", **_SHARE),
    "mean_confidence": Metric("Mean confidence", **_SHARE),
    "miscalibration_bias": Metric("Mean confidence − accuracy", **_SIGNED),
    "concentration": Metric("Concentration", digits=1, low=0),
    "spearman_mean": Metric("Spearman ρ of means", "higher", computed="propagation", of="mean", **_SIGNED),
    "spearman_concentration": Metric(
        "Spearman ρ of concentrations", "higher", computed="propagation", of="concentration", **_SIGNED
    ),
    "spearman_mean_hedged": Metric(
        "Spearman ρ of means, hedged answers",
        "higher",
        computed="propagation",
        of="mean",
        hedged=True,
        **_SIGNED,
    ),
    "accepted_wrong": Metric("Wrong answers accepted", "lower", computed="reliance", of="wrong", **_PERCENT),
    "accepted_right": Metric("Right answers accepted", "higher", computed="reliance", of="right", **_PERCENT),
    "decision_accuracy": Metric("Accuracy of the decision", "higher", computed="reliance", **_SHARE),
    "belief_brier_score": Metric("Brier of belief", "lower", computed="reliance", **_SHARE),
    "value_over_never": Metric("Value against never trusting", "higher", computed="reliance", **_SIGNED),
    "value_over_always": Metric("Value against always trusting", "higher", computed="reliance", **_SIGNED),
    "pearson": Metric("Pearson r", "higher", computed="people", **_SIGNED),
    "kendall": Metric("Kendall τ", "higher", computed="people", **_SIGNED),
    "content_preservation": Metric("Content preserved", "higher", computed="preservation", **_SHARE),
    "meaning_changed": Metric("Meaning changed, by rule", "lower", computed="preservation", **_PERCENT),
    "not_entailed": Metric("Meaning changed, by entailment", "lower", computed="preservation", **_PERCENT),
    "unanswered_rate": Metric("Never answered", **_LOSS),
    "not_attempted_rate": Metric("Not attempted", **_LOSS),
    "unparsed_rate": Metric("Grade unparsed", **_LOSS),
    "unscored_rate": Metric("Unscored", **_LOSS),
    "fallback_rate": Metric("Not as asked: template, original or as it came", **_LOSS),
    "passed_rate": Metric("Passed unhedged", **_LOSS),
    "left_rate": Metric("Left: read as meant as it came", **_LOSS),
}
#: The paper's; a constant hedge does well on both without knowing anything.
HEADLINES = ["faithfulness_divergence", "generalised_ece"]
#: Whether right answers sound surer than wrong ones.
DISCRIMINATION = ["auroc", "brier_score"]
#: What is asked of RALC against every opponent, and the opponents that a verdict names.
ASKED = [*HEADLINES, *DISCRIMINATION]
#: The primary endpoints: RALC against each of these opponents, in each of these metrics, pooled over the run.
PRIMARY_OPPONENTS, PRIMARY_METRICS = ("original", "constant_hedge"), ("brier_score", "auroc")
OPPONENTS = ["original", "constant_hedge", "near_hedges", "base_rate"]
#: The numbers of an evaluator beside people (the human benchmark).
EVALUATOR_METRICS: dict[str, Quantity] = {
    **{name: METRICS[name] for name in ("spearman_mean", "pearson", "kendall")},
    "mean_error": Quantity("Error of the mean", "lower", **_SHARE),
    "spearman_spread": Quantity("Spearman ρ of spreads", "higher", **_SIGNED),
    "spread_error": Quantity("Error of the spread", "lower", **_SHARE),
    "error_correlation": Quantity("Errors shared with the cue model", "lower", **_SIGNED),
    "hedge_slope": Quantity("Slope over hedges", "higher", low=-5.0, high=5.0),
    "low_error": Quantity("Error of low hedges", "lower", **_SHARE),
    "sd_within_hedge": Quantity("SD within one hedge", "lower", **_SHARE),
    "reliability": Quantity("Reliability", "higher", **_SHARE),
    "noise_ceiling": Quantity("ceiling: the people's own agreement", **_SIGNED),
    "one_person": Quantity("one person against the other four", **_SIGNED),
}

#: The cells of the paper's table 1 by (mean, concentration, outcome): the high or low end, and right or wrong.
CONTROLLED: dict[str, tuple[str, str, int]] = {
    "high mean, high concentration, wrong": ("high", "high", 0),
    "low mean, high concentration, right": ("low", "high", 1),
    "high mean, low concentration, wrong": ("high", "low", 0),
    "low mean, low concentration, right": ("low", "low", 1),
}
#: The halves of a dataset, and all subsets of its answers besides its subjects.
HALVES = ("answerable", "unanswerable")
#: The answers that name something, and those that attempt none: that say that they do not know, or that the background
#: does not say.
ABSTAINING = ("answered", "abstained")
SUBSETS = ("all", *HALVES, *ABSTAINING, *CONTROLLED)


def primary_signal(signals: Iterable[str]) -> str:
    """Return the signal of the primary endpoints, of those of a run in their order.

    It is semantic uncertainty where it is there, else the first that compares several answers, else the first.

    >>> primary_signal(["token_probability", "discrete_semantic_entropy", "semantic_uncertainty"])
    'semantic_uncertainty'
    >>> primary_signal(["token_probability", "support"])
    'support'
    """
    names = list(signals)
    several = [name for name in names if SIGNALS[name].compares]
    return "semantic_uncertainty" if "semantic_uncertainty" in names else [*several, *names][0]


def methods_by(**properties: bool) -> list[str]:
    """Return the methods that have these properties, in their order.

    >>> methods_by(rewritten=True, free=False)
    ['ralc', 'constant_hedge', 'near_hedges']
    """
    return [
        name
        for name, method in METHODS.items()
        if all(getattr(method, one) == value for one, value in properties.items())
    ]


def metrics_by(*computed: str) -> list[str]:
    """Return the metrics that are computed in one of these ways, in their order.

    >>> metrics_by("bins", "ranks")
    ['generalised_ece', 'expected_calibration_error', 'auroc']
    """
    return [name for name, metric in METRICS.items() if metric.computed in computed]
