"""The sections of the configuration: what runs, how each step is done, what is tried beside it, and what is shown."""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from ralc.datasets import READERS, WORLDFACTS
from ralc.io.files import Place
from ralc.protocols import PROTOCOLS
from ralc.registry import PAPER_SIGNALS, SIGNALS, methods_by

Fraction = Annotated[float, Field(gt=0, lt=1)]
#: A million of anything is a slip of the pen.
Count = Annotated[int, Field(ge=1, le=1_000_000)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
_Signal = Literal[tuple(SIGNALS)]  # type: ignore[valid-type]
_Method = Literal[tuple(methods_by(always=False))]  # type: ignore[valid-type]
Map = Literal["identity", "temperature", "isotonic", "histogram", "beta", "platt"]


class Section(BaseModel):
    """A part of the configuration: unknown keys are errors, values do not change, each key has its meaning below it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


def distinct(values: list[Any]) -> list[Any]:
    """Return the values, which must differ."""
    if len(set(values)) < len(values):
        raise ValueError("names something twice")
    return values


class Run(Section):
    """What runs. Lists, which an overlay replaces whole."""

    targets: list[str] = Field(["smollm2"], min_length=1)
    """Models that answer: keys of `models`."""
    datasets: list[str] = Field(list(WORLDFACTS), min_length=1)
    """Datasets to use: keys of `datasets`. Maps are fitted on each and tried on all."""
    signals: list[_Signal] = Field(list(PAPER_SIGNALS), min_length=1)
    """Confidence signals that are calibrated."""
    methods: list[_Method] = Field(methods_by(always=False), min_length=1)
    """RALC, and the ways of saying an answer that it is compared with."""

    @field_validator("*")
    @classmethod
    def _no_repeats(cls, values: list[str]) -> list[str]:
        return distinct(values)


class Dataset(Section):
    """Where questions come from: a built-in dataset (by its name or ``format``) or a file of the user's own."""

    path: Place | None = None
    """File or folder of the questions; none for a built-in dataset (`worldfacts-qa`, `worldfacts-mc`,
    `worldfacts-rc`), and for published datasets (`mmlu`, `squad2`, `truthfulqa`, `factscore`), which are then fetched
    once into the user's cache and checked by SHA-256."""
    format: Literal[READERS] | None = None  # type: ignore[valid-type]
    """How `path` is read, where the dataset's name does not say it: the format of one of the published datasets, or
    `file` for JSON lines or CSV of your own."""
    questions: Count | None = None
    """How many to take; all of them without it."""
    draw: Literal["development", "confirming"] | None = None
    """`development`, or `confirming`: questions that no run asked while choices were made (preset `confirming.yaml`);
    halves by lot, the same for every seed. Without it all questions; of worldfacts and factscore `development`."""


class Split(Section):
    """How questions are divided into train (map fitting) and test."""

    train: Fraction = 0.3
    """Share of questions that the calibration maps are fitted on; the rest is the test split."""


class Sampling(Section):
    """How targets are asked."""

    answers: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Answers sampled a question (the paper's n); one is enough for signals that compare none."""
    max_tokens: Count = 64
    """Longest answer; answers cut there keep the finish reason `length`."""
    prompts: Literal["paper", "short"] = "paper"
    """`paper` (the paper's prompts) or `short` (for a very small model: answer in one short sentence)."""


class Calibration(Section):
    """The calibration map."""

    map: Map = "platt"
    """The calibration map, fitted on means; concentrations are kept."""


class LexiconSection(Section):
    """How the lexicon of hedging expressions is built: from the committed ones, or from what `sources` propose."""

    sources: Annotated[list[str], AfterValidator(distinct)] = []
    """Models that are asked for hedging expressions, in place of the built-in list: keys of `models`."""
    lists: Count = 1
    """Lists asked of each source."""
    max_tokens: Count = 2048
    """Longest list."""
    path: Place | None = None
    """A CSV of your own (`expression`, `frame`) in place of the built-in list."""
    extend: bool = False
    """Add your list to the built-in or sourced one instead."""
    sentences: Count = 20
    """Sentences written for each expression."""

    @model_validator(mode="after")
    def _lists_fit_together(self) -> Self:
        if self.extend and self.path is None:
            raise ValueError("extend = true needs path: the expressions to add")
        if self.sources and self.path is not None and not self.extend:
            what = "replaces what sources propose: extend = true, or one of the two"
            raise ValueError(f"path = {self.path!r} {what}")
        return self


class Retrieval(Section):
    """How hedges are retrieved (paper section 4.2)."""

    k: Count = 5
    """Hedges given to a rewriter that is a model; `guided` tries each of the shortlist."""
    shortlist: Count = 30
    """Nearest by mean, before the exact Wasserstein distance decides."""

    @model_validator(mode="after")
    def _shortlist_holds_k(self) -> Self:
        if self.shortlist < self.k:
            raise ValueError(f"shortlist = {self.shortlist} must be at least k = {self.k}")
        return self


class Ablations(Section):
    """What else is tried, each value a variant in the results; those of the run itself are no variants.

    `map`, `bins` and `protocol` are in signal space and cost no model call. `hedges`, `lexicon` and `loop` cost
    rewrites and readings: RALC's, with the test dataset's own map, of all targets and datasets or of some.
    """

    map: list[Map] = list(get_args(Map))
    """Other calibration maps."""
    bins: list[Count] = [100]
    """Other numbers of bins of gECE and ECE."""
    protocol: list[Literal[tuple(PROTOCOLS)]] = []  # type: ignore[valid-type]
    """Other protocols, side by side in signal space."""
    hedges: list[Count] = []
    """Other numbers of hedges given to the rewriter."""
    lexicon: list[Count | Literal["people", "unscreened"]] = ["people", "unscreened"]
    """Smaller lexicons, of so many expressions; and where `roles.rewriter.method` is `guided`, `people`: the phrases
    that people were asked about, put where they were asked about and read by `people`, their own numbers, beside the
    evaluators; and `unscreened`: with the hedges, too, that only evaluators apart from the loop would leave out,
    so that none of them has a say in the words that it reads."""
    loop: list[Literal["open"]] = []
    """`open`: rewrites that no evaluator chose among."""
    targets: list[str] | None = None
    """Whose answers what costs rewrites is tried on: some of `run.targets`; without it, all."""
    datasets: list[str] | None = None
    """On which datasets they are tried: some of `run.datasets`; without it, all."""

    @field_validator("*")
    @classmethod
    def _no_repeats(cls, values: list[Any] | None) -> list[Any] | None:
        return values and distinct(values)


class Grading(Section):
    """What is graded beside the answers."""

    rewrites: bool = False
    """Whether an `llm` grader grades freely written rewrites, too (one call each); without it they keep the original's
    outcome. The `reference` grader asks no model and always does; protocols `paper` and `authors` never do. Read some
    of its grades first: a small model grades the hedge (one of 1.5 billion parameters called 18 of 33 rewrites wrong
    that were right)."""


class Metrics(Section):
    """How results are measured."""

    bins: Annotated[int, Field(ge=1, le=1000)] = 10
    """Bins of gECE and ECE."""
    resamples: Annotated[int, Field(ge=1, le=100_000)] = 2000
    """Bootstrap resamples for intervals and p-values."""
    null_repeats: Annotated[int, Field(ge=1, le=100_000)] = 200
    """Simulations of the gECE of a perfectly calibrated forecaster."""
    tail: Annotated[float, Field(gt=0, le=0.5)] = 0.25
    """Share of answers at each end of mean and concentration, in the paper's table 1."""


class People(Section):
    """The human benchmark: `data` is the folder of the studies; without it, what was measured beforehand is shown."""

    data: Place | None = None
    """Folder of the human studies, to measure this run's evaluators; without it, what was measured before is
    shown."""
    studies: list[Literal["tao_raw", "tao_benchmark", "capphrase", "wadefagen", "zonination"]] | None = None
    """Which of them; without it, all that are there. `tao_benchmark`: the paper's 1,622 sentences."""


class Report(Section):
    """What the report shows."""

    examples: Count = 20
    """Answers shown in full."""
