"""Protocols: every choice of the method that the paper leaves open, in one table.

``ralc`` is the default, ``paper`` is the text to the letter, ``authors`` are the choices of the authors' released
code. Each choice can be set on its own (`resolve`). A rule asks for the few that it depends on (`Protocol.choices`),
so that switching protocol reruns only what it changes.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ralc.registry import SIGNALS

#: What is nearer to 0 than that is 0 to the logarithms and quotients that it goes into.
_LEAST = 1e-12
#: How near to 0 and 1 the means of an unrounded signal are told apart.
FINEST = 1e-6
Bound = Annotated[float, Field(ge=0, lt=0.5)]
Samples = Annotated[int, Field(ge=1, le=1_000_000)] | None
_STRICT = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class SlopePrior(BaseModel):
    """Normal prior of the slope and the intercept of a calibration map on the logit of the mean."""

    model_config = _STRICT

    mean: Annotated[float, Field(ge=0, le=10)]  # centre and standard deviation of the slope
    sd: Annotated[float, Field(ge=0.01, le=100)]
    intercept_sd: Annotated[float, Field(ge=0.01, le=100)] | None = None  # about 0; null is none

    @property
    def monotone(self) -> bool:
        """Whether a negative slope is ruled out: the prior holds that confident answers are right more often."""
        return self.mean > 0


class Protocol(BaseModel):
    """One set of choices; all of them plain JSON values."""

    model_config = _STRICT

    #: Name of the protocol that this one is, or was made from.
    name: str

    #: Whether every step is by the paper's letter. Hedges are of every kind, even flagged. Lexicon statements are
    #: random. A model's texts and replies are taken as they come. All answers are clustered. Evaluators see the 50 cues
    #: of Tao et al. Every item is read and rewritten anew. The grader's prompt is the paper's. A rewrite keeps the
    #: original's outcome. Likelihood fits clip scores of 0 and 1 instead of squeezing them.
    letter: bool = False

    #: Degrees of freedom taken off in the variance of the moments fit (paper appendix A.1.1: 1).
    moments_ddof: Literal[0, 1] = 1
    #: What the moments fit does with sets whose variance is zero or too large for a Beta. ``count`` sets the
    #: concentration to the number of scores (paper appendix A.1.1). ``resolution`` makes it monotone in agreement:
    #: the mean is within [r/4, 1-r/4], the variance at least r^2/12, the concentration at least its floor.
    moments_degenerate: Literal["resolution", "count"] = "resolution"
    #: r, the step in which evaluators and models give scores.
    resolution: Annotated[float, Field(ge=_LEAST, le=0.5)] = 0.05
    #: Smallest concentration of a moments fit under the ``resolution`` rule.
    concentration_floor: Annotated[float, Field(ge=_LEAST, le=1 / _LEAST)] = 0.1
    #: Smallest standard deviation of the scores of a set that is not constant.
    deviation_floor: Annotated[float, Field(ge=0, lt=0.5)] = 0.0
    #: How the lexicon's Betas are fitted.
    lexicon_fit: Literal["moments", "mle"] = "moments"

    #: How a rewrite is chosen. ``closed``: by the evaluator's reading; an answer that already reads as meant stays as
    #: it came. ``open``: the first text is taken unread.
    loop: Literal["closed", "open"] = "closed"
    #: Whether answers that abstain, or are none, are ``passed`` as they are or ``hedged`` like any other. ``claims``:
    #: passed, but "the background does not say" is a claim, right or wrong, and hedged.
    abstentions: Literal["claims", "passed", "hedged"] = "claims"

    #: Beta of m supporting samples of N: ``jeffreys`` Beta(m+1/2, N-m+1/2); ``clip`` Beta(m, N-m), both at
    #: least 1e-6 (paper section 4.3); ``clamp``, both at least 1.
    semantic_uncertainty: Literal["jeffreys", "clip", "clamp"] = "jeffreys"

    #: Means are clipped to [platt_eps, 1-platt_eps] before the logit; at 0 not at all.
    platt_eps: Bound = 0.0125
    #: Whether Platt scaling acts on the logit of the mean (paper eq. 1) or on the mean itself.
    platt_logit: bool = True
    #: Normal prior of a map's slope and intercept, estimated on public pairs of data set and signal
    #: (`studies.slope_prior`). Centred above 0, it rules a negative slope out. Null is maximum likelihood.
    slope_prior: SlopePrior | None = SlopePrior(mean=0.7, sd=0.6, intercept_sd=1.5)
    #: Every map but the identity keeps its means within [map_bound, 1-map_bound]; at 0 the parameters are clipped
    #: instead, to at least 1e-6 (paper appendix A.1.1).
    map_bound: Bound = 0.0125

    #: Samples a Wasserstein distance is estimated from in retrieval; null computes it exactly.
    wasserstein_samples: Samples = None
    #: Samples an item of the Monte-Carlo generalised ECE; null computes it exactly.
    generalised_ece_samples: Samples = None

    #: Train questions: a ``stratified`` random share of whole articles, or the ``first`` ones of the file.
    split: Literal["stratified", "first"] = "stratified"
    #: Answers graded NOT_ATTEMPTED count as ``wrong``, or are ``dropped``.
    not_attempted: Literal["wrong", "dropped"] = "wrong"

    @property
    def label(self) -> str:
        """The name, and every choice that was set on its own: ``ralc+moments_ddof=0``."""
        base = PROTOCOLS[self.name]
        changed = [f"{key}={value}" for key, value in self if value != getattr(base, key)]
        return "+".join([self.name, *changed])

    def of(self, signal: str) -> Self:
        """Return the choices for the maps of a signal: one that is ``unrounded`` keeps its logits to 1e-6.

        >>> PROTOCOLS["ralc"].of("perplexity").platt_eps, PROTOCOLS["ralc"].of("support").platt_eps
        (1e-06, 0.0125)
        """
        unrounded = signal in SIGNALS and SIGNALS[signal].unrounded
        return self.model_copy(update={"platt_eps": min(self.platt_eps, FINEST)}) if unrounded else self

    def choices(self, *names: str) -> dict[str, Any]:
        """Return some choices in the order asked for; a name that ends in ``_`` stands for all that begin so.

        >>> PROTOCOLS["paper"].choices("moments_", "letter")
        {'moments_ddof': 1, 'moments_degenerate': 'count', 'letter': True}
        """
        chosen: dict[str, Any] = {}
        for name in names:
            keys = {key for key in CHOICES if name.endswith("_") and key.startswith(name)}
            chosen |= self.model_dump(include=keys or {_checked(name)})
        return chosen


CHOICES: tuple[str, ...] = tuple(key for key in Protocol.model_fields if key != "name")


def _checked(choice: str) -> str:
    """Return the name of a choice; ValueError where there is none."""
    if choice not in CHOICES:
        raise ValueError(f"unknown choice {choice!r}; choices are {', '.join(CHOICES)}")
    return choice


_PAPER: dict[str, Any] = {
    "letter": True,
    "moments_degenerate": "count",
    "lexicon_fit": "mle",
    "loop": "open",
    "abstentions": "hedged",
    "semantic_uncertainty": "clip",
    "platt_eps": 0.0,
    "slope_prior": None,
    "map_bound": 0.0,
    "wasserstein_samples": 1000,
    "split": "first",
}

_AUTHORS: dict[str, Any] = _PAPER | {
    "moments_ddof": 0,
    "deviation_floor": 1e-4,
    "semantic_uncertainty": "clamp",
    "platt_logit": False,
    "slope_prior": SlopePrior(mean=0, sd=1),  # scikit-learn's L2 penalty with C=1
    "wasserstein_samples": 300,
    "generalised_ece_samples": 1000,
}

_DIFFS: dict[str, dict[str, Any]] = {"ralc": {}, "paper": _PAPER, "authors": _AUTHORS}
PROTOCOLS = {name: Protocol(name=name, **diff) for name, diff in _DIFFS.items()}


def resolve(protocol: str | Protocol = "ralc", **overrides: Any) -> Protocol:
    """Return a protocol by name (or one made before), with some choices set on their own.

    Raises
    ------
    ValueError
        If the protocol or a choice does not exist, or a value is not allowed; names it and what is allowed.

    Examples
    --------
    >>> resolve("ralc", moments_ddof=0).label
    'ralc+moments_ddof=0'
    """
    if isinstance(protocol, str):
        if protocol not in PROTOCOLS:
            raise ValueError(f"unknown protocol {protocol!r}; protocols are {', '.join(PROTOCOLS)}")
        protocol = PROTOCOLS[protocol]
    if not overrides:
        return protocol
    try:
        changes = {_checked(name): value for name, value in overrides.items()}
        return Protocol.model_validate(protocol.model_dump() | changes)
    except ValidationError as error:
        fault = error.errors()[0]
        choice = fault["loc"][0]
        raise ValueError(f"choice {choice} = {overrides.get(choice)!r}: {fault['msg']}") from None
