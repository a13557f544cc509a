"""The vocabulary: every signal, method, grade, space and metric is declared here, once.

A new metric is one function in `ralc.metrics` and one declaration here. A new signal is one function in
`ralc.signals`. A new method of rewriting is its declaration. The order is the tables'.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Quantity:
    """A number of the results, and how it is shown."""

    title: str
    better: Literal["lower", "higher"] | None = None  # which direction is good; None where neither is
    digits: int = 3  # decimals shown
    unit: str = ""  # empty for a pure number or a probability
    scale: float = 1.0  # a factor before display: 100 shows a share as percent
    low: float = float("-inf")  # the range of its values, which a difference of two may leave
    high: float = float("inf")


@dataclass(frozen=True)
class Metric(Quantity):
    """A number that is computed from the answers of a condition, in one of these ways.

    ``items``: the mean over the answers of the function of this name (or of `of`) in `ralc.metrics`. It takes
    (outcome, `forecast`) and gives one value an answer. ``bins``: the sum over bins of the absolute mean of what each
    answer adds; ``debiased``: less its upward bias. ``ranks``: the AUROC. ``floor``: the simulated null of a metric of
    bins; ``excess``: what lies above it. ``parts``: of the change of the faithfulness divergence. ``propagation``:
    from the calibrated signal to the words. ``losses``: the share of answers that were lost. ``preservation``: the mean
    of the column of this name, what the text keeps of the answer. ``people``: in the human benchmark alone.
    ``reliance``: of what people who read it believe and decide (`ralc.reliance`).
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
    forecast: Literal["confidence", "mean"] = "confidence"  # beside the outcome: the Betas, or their means
    #: Of items it is the function's name, of a debiased metric the metric. Of a part, or what is propagated, it is
    #: ``mean`` or ``concentration``. Of reliance it is the ``wrong`` or ``right`` answers where it is not of all.
    of: str = ""


@dataclass(frozen=True)
class Method:
    """A way to say an answer."""

    title: str
    guided: bool = False  # by a confidence signal
    trained: bool = False  # depends on a dataset's train questions
    rewritten: bool = False  # its text is a rewrite of the original answer
    cross_domain: bool = False  # also guided by the maps of other datasets, in the default variant
    free: bool = False  # written by a model, to a Beta alone; other rewrites have hedges of the lexicon
    always: bool = False  # every run has it, since it costs nothing


@dataclass(frozen=True)
class Signal:
    """A confidence behind an answer."""

    title: str
    needs_samples: bool = False  # several answers; others know one answer alone, where no more is asked
    logprobs: Literal["", "token_logprobs"] = ""  # which log-probabilities of the answers it needs
    unrounded: bool = False  # its means are finer than an evaluator's scores near 0 and 1
    claim_level: bool = False  # made from what the other answers say of each sentence
    needs_extra_call: bool = False  # the model that answered is asked once more, about its answer


#: The paper's three, then those of the literature (`ralc.signals` names the source of each).
SIGNALS: dict[str, Signal] = {
    "linguistic_confidence": Signal("Linguistic confidence"),
    "token_probability": Signal("Token probability", logprobs="token_logprobs"),
    "semantic_uncertainty": Signal("Semantic uncertainty", needs_samples=True),
    "perplexity": Signal("Perplexity", logprobs="token_logprobs", unrounded=True),
    "minimum_token_probability": Signal("Least token probability", logprobs="token_logprobs"),
    "discrete_semantic_entropy": Signal("Discrete semantic entropy", needs_samples=True),
    "support": Signal("Support", needs_samples=True, claim_level=True),
    "support_if_mentioned": Signal("Support if mentioned", needs_samples=True, claim_level=True),
    "answer_support": Signal("Support, one an answer", needs_samples=True, claim_level=True),
    "p_true": Signal("P(True)", unrounded=True, needs_extra_call=True),
}
PAPER_SIGNALS = ("linguistic_confidence", "token_probability", "semantic_uncertainty")
#: The signal that the selection evaluator reads; each other is made by a function, or asked for.
READ_SIGNAL = "linguistic_confidence"
#: What a saved calibrator starts from, one confidence an answer; ``score`` is any number in [0, 1] of the user's own.
STARTS = ("score", *SIGNALS)
METHODS: dict[str, Method] = {
    "original": Method("Original answer", always=True),
    "ralc": Method("RALC", guided=True, trained=True, rewritten=True, cross_domain=True),
    "direct_beta": Method("Direct Beta-guided", True, True, rewritten=True, free=True),
    "hedged_qa": Method("Hedged QA"),
    "constant_hedge": Method("Constant hedge", trained=True, rewritten=True),
    "random_near_hedge": Method("Random near hedge", trained=True, rewritten=True),
    "base_rate": Method("Base rate as a number", trained=True, always=True),
}
#: What a row is compared with, besides a method: the test dataset's own map, the calibrated signal behind the words,
#: or the default variant.
COUNTERPARTS = {"in_domain": "In-domain map", "signal": "Signal space", "default": "Default variant"}
COUNTERPARTS |= {"answer_support": "Support, one an answer"}
SPACES: dict[str, str] = {"signal": "Signal space", "linguistic": "Linguistic space"}

#: How a question is asked, and what a target is asked about it.
#: A long answer is taken sentence by sentence: each that claims something has a confidence of its own.
LONG = "long_answer"
FORMATS = ("short_answer", "multiple_choice", "reading_comprehension", LONG)
PROMPTS = ("direct", "hedged")
#: How an expression stands in a sentence. adverb: before or inside ("Perhaps X", "X is perhaps ...") | modal: a verb
#: before the main one ("X may be ...") | clause: takes a that-clause ("I think that X") | opener: before, with a comma
#: ("As far as I know, X") | tag: after, with a comma ("X, I think") | standalone: a sentence of its own ("I am not
#: sure, but X").
FRAMES = ("adverb", "modal", "clause", "opener", "tag", "standalone")

CORRECT = "CORRECT"
INCORRECT = "INCORRECT"
NOT_ATTEMPTED = "NOT_ATTEMPTED"
UNPARSED = "unparsed"
#: The grade of a sentence some of whose facts are right.
PARTLY = "PARTLY_CORRECT"
#: The grade of a question whose samples all failed: there is no answer, and so no signal and no outcome.
UNANSWERED = "unanswered"
GRADES = (CORRECT, PARTLY, INCORRECT, NOT_ATTEMPTED, UNPARSED, UNANSWERED)

_SHARE = {"low": 0.0, "high": 1.0}
_SIGNED = {"low": -1.0, "high": 1.0}
_PERCENT = {"digits": 1, "unit": "%", "scale": 100.0, **_SHARE}
_LOSS = {"computed": "losses", **_PERCENT}
_PART = {"unit": "nats", "computed": "parts"}
_DEBIASED = {"better": "lower", "computed": "debiased", **_SHARE}
_MEANS = {"computed": "propagation", "of": "mean", **_SIGNED}
_ADVICE = {"better": "higher", "computed": "reliance"}

METRICS: dict[str, Metric] = {
    "faithfulness_divergence": Metric("FD", "lower", unit="nats", low=0),
    "faithfulness_divergence_mean_part": Metric("FD change, by mean", of="mean", **_PART),
    "faithfulness_divergence_concentration_part": Metric(
        "FD change, by concentration", of="concentration", **_PART
    ),
    "kl_divergence": Metric("KL", unit="nats", low=0),
    "generalised_ece": Metric("gECE", "lower", computed="bins", **_SHARE),
    "generalised_ece_debiased": Metric("gECE, debiased", of="generalised_ece", **_DEBIASED),
    "generalised_ece_null": Metric("gECE null", computed="floor", **_SHARE),
    "generalised_ece_excess": Metric("gECE excess", "lower", computed="excess", **_SIGNED),
    "expected_calibration_error": Metric("ECE of means", "lower", computed="bins", forecast="mean", **_SHARE),
    "expected_calibration_error_debiased": Metric(
        "ECE of means, debiased", of="expected_calibration_error", **_DEBIASED
    ),
    "expected_brier_score": Metric("E[Brier]", "lower", **_SHARE),
    "expected_log_loss": Metric("E[NLL]", "lower", unit="nats", low=0),
    "brier_score": Metric("Brier of means", "lower", forecast="mean", of="squared_error", **_SHARE),
    "auroc": Metric("AUROC of means", "higher", computed="ranks", **_SHARE),
    "accuracy": Metric("Accuracy", **_SHARE),
    "mean_confidence": Metric("Mean confidence", **_SHARE),
    "miscalibration_bias": Metric("Mean confidence − accuracy", **_SIGNED),
    "concentration": Metric("Concentration", digits=1, low=0),
    "spearman_mean": Metric("Spearman ρ of means", "higher", **_MEANS),
    "spearman_concentration": Metric(
        "Spearman ρ of concentrations", "higher", **(_MEANS | {"of": "concentration"})
    ),
    "accepted_wrong": Metric("Wrong answers accepted", "lower", computed="reliance", of="wrong", **_PERCENT),
    "accepted_right": Metric("Right answers accepted", of="right", **_ADVICE, **_PERCENT),
    "decision_accuracy": Metric("Accuracy of the decision", **_ADVICE, **_SHARE),
    "belief_brier_score": Metric("Brier of belief", "lower", computed="reliance", **_SHARE),
    "value_over_never": Metric("Value against never trusting", **_ADVICE, **_SIGNED),
    "value_over_always": Metric("Value against always trusting", **_ADVICE, **_SIGNED),
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
PRIMARY_OPPONENTS = ("original", "constant_hedge")
PRIMARY_METRICS = ("brier_score", "auroc")
OPPONENTS = ["original", "constant_hedge", "random_near_hedge", "base_rate"]
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

#: The studies of the human benchmark, and how many texts each has: sentences, then phrases of three surveys.
HUMAN_STUDIES = {"tao_raw": 1636, "tao_benchmark": 1622, "capphrase": 19, "wadefagen": 17, "zonination": 17}
#: The cells of the paper's table 1 by (mean, concentration, outcome): the high or low end, and right or wrong.
CONTROLLED: dict[str, tuple[str, str, int]] = {
    "high mean, high concentration, wrong": ("high", "high", 0),
    "low mean, high concentration, right": ("low", "high", 1),
    "high mean, low concentration, wrong": ("high", "low", 0),
    "low mean, low concentration, right": ("low", "low", 1),
}
HALVES = ("answerable", "unanswerable")
#: The answers that name something, and those that say that they do not know, or that the background does not say.
ABSTAINING = ("answered", "abstained")
#: All subsets of a dataset's answers besides its subjects.
SUBSETS = ("all", *HALVES, *ABSTAINING, *CONTROLLED)


def primary_signal(signals: Iterable[str]) -> str:
    """Return the signal of the primary endpoints, of those of a run in their order.

    It is semantic uncertainty where it is there, else the first that compares several answers, else the first or none.

    >>> primary_signal(["token_probability", "discrete_semantic_entropy", "semantic_uncertainty"])
    'semantic_uncertainty'
    >>> primary_signal(["token_probability", "support"])
    'support'
    """
    names = [name for name in signals if name in SIGNALS]
    names.sort(key=lambda name: (name != "semantic_uncertainty", not SIGNALS[name].needs_samples))
    return next(iter(names), "none")


def require_functions(declared: str, names: Iterable[str], made: Container[str], remedy: str) -> None:
    """Raise ImportError for the first of some declared names that has no function.

    Parameters
    ----------
    declared
        Where the names are declared, for the message.
    names
        What is declared.
    made
        The names that have a function.
    remedy
        What to do, and in which file.

    Examples
    --------
    >>> require_functions("SIGNALS", ["coin"], {}, "write one in ralc/signals/")
    Traceback (most recent call last):
    ImportError: SIGNALS: 'coin' has no function: write one in ralc/signals/
    """
    for name in names:
        if name not in made:
            raise ImportError(f"{declared}: {name!r} has no function: {remedy}")


def methods_by(**properties: bool) -> list[str]:
    """Return the methods that have these properties, in their order.

    >>> methods_by(rewritten=True, free=False)
    ['ralc', 'constant_hedge', 'random_near_hedge']
    """
    return [name for name, method in METHODS.items() if properties.items() <= vars(method).items()]


def metrics_by(*computed: str) -> list[str]:
    """Return the metrics that are computed in one of these ways, in their order.

    >>> metrics_by("bins", "ranks")
    ['generalised_ece', 'expected_calibration_error', 'auroc']
    """
    return [name for name, metric in METRICS.items() if metric.computed in computed]
