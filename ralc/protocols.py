"""Protocols: every choice of the method that the paper leaves open, in one table.

``ralc`` is the default, ``paper`` is the text to the letter, ``authors`` are the choices of the authors'
released code. A protocol is data: the package and the workflow read the same table, each choice can be set
on its own (`resolve`), and a rule that depends on a few choices asks for just those (`Protocol.choices`), so
that switching protocol reruns only what it changes.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ralc.registry import SIGNALS

#: What is nearer to 0 than that is 0 to the logarithms and quotients that it goes into.
_LEAST = 1e-12


def _none_or_counted(bound: float) -> float:
    """A bound that is none, 0, or one that can be counted with."""
    if 0 < bound < _LEAST:
        raise ValueError(f"must be 0 or at least {_LEAST:g}")
    return bound


Share = Annotated[float, Field(ge=_LEAST, lt=0.5)]
#: How near to 0 and 1 the means of a fine signal are told apart.
FINEST = 1e-6
#: Calibrated mean below which it is told as unsupported, where such are dropped or marked; and what becomes of them.
UNSUPPORTED = 0.25
Below = Literal["hedge", "drop", "mark"]
Bound = Annotated[float, Field(ge=0, lt=0.5), AfterValidator(_none_or_counted)]
Samples = Annotated[int, Field(ge=1, le=1_000_000)] | None


class SlopePrior(BaseModel):
    """Normal prior of the slope and the intercept of a calibration map on the logit of the mean."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    #: Centre and standard deviation of the slope.
    mean: Annotated[float, Field(ge=0, le=10)]
    sd: Annotated[float, Field(ge=0.01, le=100)]
    #: Standard deviation of the intercept about 0; null is none.
    intercept_sd: Annotated[float, Field(ge=0.01, le=100)] | None = None

    @property
    def monotone(self) -> bool:
        """Whether a negative slope is ruled out: the prior holds that confident answers are right more often."""
        return self.mean > 0


class Protocol(BaseModel):
    """One set of choices; all of them plain JSON values."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    #: Name of the protocol that this one is, or was made from.
    name: str

    #: Degrees of freedom taken off in the variance of the moments fit (paper appendix A.1.1: 1).
    moments_ddof: Literal[0, 1] = 1
    #: What the moments fit does with sets whose variance is zero or too large for a Beta: ``count`` sets the
    #: concentration to the number of scores (paper appendix A.1.1); ``resolution`` makes it monotone in
    #: agreement: mean kept within [r/4, 1-r/4], variance at least r^2/12, concentration at least its floor.
    moments_degenerate: Literal["resolution", "count"] = "resolution"
    #: r, the step in which evaluators and models give scores.
    resolution: Annotated[float, Field(ge=_LEAST, le=0.5)] = 0.05
    #: Smallest concentration of a moments fit under the ``resolution`` rule.
    concentration_floor: Annotated[float, Field(ge=_LEAST, le=1 / _LEAST)] = 0.1
    #: Smallest standard deviation of the scores of a set that is not constant.
    deviation_floor: Annotated[float, Field(ge=0, lt=0.5)] = 0.0
    #: Smallest alpha and beta of a fit.
    parameter_floor: Annotated[float, Field(ge=_LEAST, le=0.1)] = 1e-6

    #: How scores of exactly 0 and 1 are moved inside for maximum likelihood: ``squeeze`` to (x(n-1)+1/2)/n,
    #: ``clip`` to [mle_clip, 1-mle_clip].
    mle_interior: Literal["squeeze", "clip"] = "squeeze"
    mle_clip: Share = 1e-6
    #: How the lexicon's Betas are fitted.
    lexicon_fit: Literal["moments", "mle"] = "moments"

    #: Which hedges are used: ``honest`` ones, that speak of the speaker's confidence alone, in a plain register, and do
    #: not assert the opposite; or ``all``.
    hedges: Literal["honest", "all"] = "honest"
    #: Whether hedges are retrieved from entries without a flag (``left_out``: the others), or flagged ones are
    #: ``used``.
    flagged_hedges: Literal["left_out", "used"] = "left_out"
    #: From which of the twelve statements an expression's sentences are made: ``even``, from each as often, the rest by
    #: lot; ``lot``, each sentence from one that is drawn.
    statements: Literal["even", "lot"] = "even"
    #: How a rewrite is chosen: ``closed``, by the evaluator's reading, an answer that is already read as meant stays as
    #: it came; ``open``, the first text is taken unread.
    loop: Literal["closed", "open"] = "closed"

    #: How the sentences of a long answer get their words: ``together``, so that no hedge stands twice, none has too
    #: many, and the whole is read again, where no model writes or reads in the loop; each ``alone``.
    sentences: Literal["together", "alone"] = "together"
    #: What becomes of one whose calibrated mean is below `unsupported`, where they are rewritten together: ``hedge`` it
    #: like any other, ``drop`` it, or ``mark`` it as unsupported.
    below: Below = "hedge"
    #: Calibrated mean below which it is dropped or marked.
    unsupported: Annotated[float, Field(ge=0, le=1)] = UNSUPPORTED

    #: What becomes of a model's sentence for the lexicon, or rewrite, that is not usable: the texts are ``checked``
    #: and cleaned, and a template or the original stands for such a one; or they are ``kept`` as they are. Both are
    #: counted.
    model_texts: Literal["checked", "kept"] = "checked"

    #: Whether answers that abstain, or are none, are ``passed`` as they are or ``hedged`` like any other; ``claims``:
    #: passed, but that the background does not say is a claim, right or wrong, and hedged.
    abstentions: Literal["claims", "passed", "hedged"] = "claims"

    #: Beta of m supporting samples of N: ``jeffreys`` Beta(m+1/2, N-m+1/2); ``clip`` Beta(m, N-m), both at
    #: least parameter_floor (paper section 4.3); ``clamp``, both at least 1.
    semantic_uncertainty: Literal["jeffreys", "clip", "clamp"] = "jeffreys"

    #: Means are clipped to [platt_eps, 1-platt_eps] before the logit; at 0 not at all.
    platt_eps: Bound = 0.0125
    #: Whether Platt scaling acts on the logit of the mean (paper eq. 1) or on the mean itself.
    platt_logit: bool = True
    #: Normal prior of a map's slope and intercept, estimated on public pairs of data set and signal
    #: (`studies.slope_prior`); centred above 0, it rules a negative slope out. Null is maximum likelihood.
    slope_prior: SlopePrior | None = SlopePrior(mean=0.7, sd=0.6, intercept_sd=1.5)
    #: Every map but the identity keeps its means within [map_bound, 1-map_bound]; at 0 the parameters are clipped
    #: instead, to at least 1e-6 (paper appendix A.1.1).
    map_bound: Bound = 0.0125

    #: Samples a Wasserstein distance is estimated from in retrieval; null computes it exactly.
    wasserstein_samples: Samples = None
    #: Samples an item of the Monte-Carlo generalised ECE; null computes it exactly.
    generalised_ece_samples: Samples = None

    #: Train questions: a ``stratified`` random share, or the ``first`` ones of the file.
    split: Literal["stratified", "first"] = "stratified"
    #: Whether evaluator, grader and clusterer can only reply what is asked for (``constrained``), or reply what they
    #: will (``free``; what is then no score, grade or list of ids is counted).
    decoding: Literal["constrained", "free"] = "constrained"
    #: Which of a question's answers the clusterer is shown: those that are ``distinct`` after normalisation, or
    #: ``all``.
    clustered: Literal["distinct", "all"] = "distinct"
    #: The human-annotated cues that the evaluator is shown: of all ``studies``, or the 50 of Tao et al. (``tao``).
    evaluator_cues: Literal["studies", "tao"] = "studies"
    #: Whether every item is read anew although an equal text has been read.
    fresh_readings: bool = False
    #: Whether every answer is rewritten anew although an equal one has been rewritten with the same hedges.
    fresh_rewrites: bool = False
    #: Whether linguistic confidence is taken from the reading that linguistic space has of the original answer
    #: (``shared``), or from one of its ``own``.
    signal_reading: Literal["shared", "own"] = "shared"
    #: Whether Hedged QA is asked on the train questions too (no metric uses the answers).
    hedged_on_train: bool = False
    #: Whether the grading prompt says that firmly stating "not in the background" is right where it is.
    abstention_sentence: bool = True
    #: A freely written rewrite has the outcome of its ``own`` text, or the ``original`` answer's.
    rewrite_outcome: Literal["own", "original"] = "own"
    #: Answers graded NOT_ATTEMPTED count as ``wrong``, or are ``dropped``.
    not_attempted: Literal["wrong", "dropped"] = "wrong"

    @property
    def label(self) -> str:
        """The name, and every choice that was set on its own: ``ralc+moments_ddof=0``."""
        base = PROTOCOLS[self.name]
        changed = [f"{key}={value}" for key, value in self if value != getattr(base, key)]
        return "+".join([self.name, *changed])

    def of(self, signal: str) -> Self:
        """Return the choices for the maps of a signal: one that is ``fine`` keeps its logits to 1e-6.

        >>> PROTOCOLS["ralc"].of("perplexity").platt_eps, PROTOCOLS["ralc"].of("support").platt_eps
        (1e-06, 0.0125)
        """
        fine = signal in SIGNALS and SIGNALS[signal].fine
        return self.model_copy(update={"platt_eps": min(self.platt_eps, FINEST)}) if fine else self

    def choices(self, *names: str) -> dict[str, Any]:
        """Return some choices as a plain dict, in the order asked for; ``resolve(name, **choices)`` takes it.

        A name that ends in ``_`` stands for every choice that begins so.

        >>> PROTOCOLS["paper"].choices("moments_", "parameter_floor")
        {'moments_ddof': 1, 'moments_degenerate': 'count', 'parameter_floor': 1e-06}
        """
        chosen: dict[str, Any] = {}
        for name in names:
            keys = [key for key in CHOICES if key == name or (name.endswith("_") and key.startswith(name))]
            if not keys:
                raise ValueError(f"unknown choice {name!r}; choices are {', '.join(CHOICES)}")
            chosen |= self.model_dump(include=set(keys))
        return chosen


#: The names of all choices.
CHOICES: tuple[str, ...] = tuple(key for key in Protocol.model_fields if key != "name")

_PAPER: dict[str, Any] = {
    "moments_degenerate": "count",
    "mle_interior": "clip",
    "lexicon_fit": "mle",
    "hedges": "all",
    "flagged_hedges": "used",
    "statements": "lot",
    "model_texts": "kept",
    "loop": "open",
    "sentences": "alone",
    "abstentions": "hedged",
    "semantic_uncertainty": "clip",
    "platt_eps": 0.0,
    "slope_prior": None,
    "map_bound": 0.0,
    "wasserstein_samples": 1000,
    "split": "first",
    "decoding": "free",
    "clustered": "all",
    "evaluator_cues": "tao",
    "fresh_readings": True,
    "fresh_rewrites": True,
    "signal_reading": "own",
    "abstention_sentence": False,
    "rewrite_outcome": "original",
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

#: The protocols by name.
PROTOCOLS: dict[str, Protocol] = {
    "ralc": Protocol(name="ralc"),
    "paper": Protocol(name="paper", **_PAPER),
    "authors": Protocol(name="authors", **_AUTHORS),
}


def resolve(protocol: str | Protocol = "ralc", **overrides: Any) -> Protocol:
    """Return a protocol by name (or the one given), with some choices set on their own.

    Parameters
    ----------
    protocol : str or Protocol
        ``ralc``, ``paper``, ``authors``, or a protocol made before.
    **overrides
        Choices to set, by their names.

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
    unknown = sorted(set(overrides) - set(CHOICES))
    if unknown:
        raise ValueError(f"unknown choice {unknown[0]!r}; choices are {', '.join(CHOICES)}")
    try:
        return Protocol.model_validate(protocol.model_dump() | overrides)
    except ValidationError as error:
        fault = error.errors()[0]
        choice = fault["loc"][0]
        raise ValueError(f"choice {choice} = {overrides.get(choice)!r}: {fault['msg']}") from None
