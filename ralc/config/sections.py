"""The sections of the configuration: what runs, who does each step, how, what is tried beside it, what is shown."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from ralc.datasets import READERS, WORLDFACTS
from ralc.evaluators import EVALUATORS, method
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
    halves at random, the same for every seed. Without it all questions; of worldfacts and factscore `development`."""


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


class Role(Section):
    """Who does a step: a method and, where it is a model, the models."""

    method: str
    """How the step is done."""
    models: list[str] = []
    """Who does it, where the method asks models: keys of `models`."""

    @property
    def described(self) -> str:
        """Method and models in words."""
        return f"{self.method} ({', '.join(self.models)})" if self.models else self.method


#: The methods of each role, and whether they need models; None where they may have one.
ROLE_METHODS: dict[str, dict[str, bool | None]] = {
    "clusterer": {"lexical": False, "llm": True},
    "grader": {"reference": False, "llm": True, "recorded": False},
    "support": {"overlap": False, "entailment": True, "llm": True},
    "rewriter": {"guided": None, "llm": True},
    "preservation": {"overlap": False, "entailment": True},
}


class Roles(Section):
    """Who does each step (paper section 5.1): a method, and the models that it asks."""

    clusterer: Role = Role(method="lexical")
    """Which answers mean the same: `lexical` (overlap of words) or `llm`."""
    grader: Role = Role(method="reference")
    """Which answers are correct: `reference` (accepted aliases), `llm`, or `recorded` (the grades in the files of
    recorded samples)."""
    support: Role = Role(method="overlap")
    """What the other answers say of each sentence, for signals of sentences: `overlap` (shared words), `entailment` (a
    model of that engine, as LUQ) or `llm` (a language model, as SelfCheckGPT); a model tells contradictions, too, and
    is asked once for each sentence and other answer."""
    evaluator: str = "cue_model"
    """Who reads in the loop: a key of `evaluators`."""
    test_evaluators: Annotated[list[str], AfterValidator(distinct)] = ["cue_model_b", "embedding_regression"]
    """Who reads apart from the loop: keys of `evaluators`; the headline is read by the first that is independent of the
    loop by the five bars of `ralc/data/evaluator_checks.csv`, else by the first."""
    rewriter: Role = Role(method="guided", models=["smollm2"])
    """Who writes the hedges into the answers: `guided` (small models) or `llm`."""
    preservation: Role = Role(method="overlap")
    """Who judges how much of an answer its rewrite keeps: `overlap` (shared content words) or `entailment` (the
    paper's, by one model of that engine)."""

    @property
    def evaluators(self) -> list[str]:
        """All who read, each once."""
        return self.evaluators_as(("evaluator", "test_evaluators"))

    def evaluators_as(self, roles: Iterable[str]) -> list[str]:
        """Return who reads in some roles, `evaluator` and `test_evaluators`, each once."""
        named = {"evaluator": [self.evaluator], "test_evaluators": self.test_evaluators}
        return list(dict.fromkeys(name for role in roles for name in named[role]))

    def items(self) -> Iterator[tuple[str, Role]]:
        """Each role that has a method of its own, with its name."""
        return ((name, getattr(self, name)) for name in ROLE_METHODS)

    @model_validator(mode="after")
    def _methods_exist(self) -> Self:
        if self.evaluator in self.test_evaluators:
            raise ValueError(f"test_evaluators: {self.evaluator!r} chooses the words, so it cannot test them")
        for name, role in self.items():
            methods = ROLE_METHODS[name]
            if role.method not in methods:
                raise ValueError(f"{name}.method = {role.method!r} is not one of {', '.join(methods)}")
            if methods[role.method] not in (None, bool(role.models)):
                needs = "needs `models`" if methods[role.method] else "takes no `models`"
                raise ValueError(f"{name}.models = {role.models!r}: method {role.method!r} {needs}")
        return self


class EvaluatorEntry(Section):
    """An evaluator of perceived confidence: a method of `ralc.evaluators.EVALUATORS`, and what it needs."""

    method: Literal[tuple(EVALUATORS)]  # type: ignore[valid-type]
    """How it reads: `cue_model` and `cue_model_b` (estimated from human studies), `llm` (the paper's ensemble of
    models) or `embedding_regression` (a regression on one model's embeddings)."""
    models: Annotated[list[str], AfterValidator(distinct)] = []
    """Whom it asks: keys of `models`."""
    cross_domain: bool = True
    """Whether it reads rewrites by other datasets' maps: two thirds of all rewrites with three datasets."""
    passes: Count = 3
    """Readings that an evaluator model makes of a text."""

    @model_validator(mode="after")
    def _method_takes_them(self) -> Self:
        how = method(self.method)
        least, most = how.models
        if not least <= len(self.models) <= (len(self.models) if most is None else most):
            takes = {0: "takes no `models`", 1: "takes one model", None: "needs `models`"}[most]
            raise ValueError(f"models = {self.models!r}: method {self.method!r} {takes}")
        for key in self.model_fields_set - {"method", "models", "cross_domain"} - set(how.options):
            raise ValueError(f"method {self.method!r} has no {key}")
        return self


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
    lexicon: list[Count | Literal["people", "no_second_screening"]] = ["people", "no_second_screening"]
    """Smaller lexicons, of so many expressions; and where `roles.rewriter.method` is `guided`, `people`: the phrases
    that people were asked about, put where they were asked about and read by `people`, their own numbers, beside the
    evaluators; and `no_second_screening`: with the hedges, too, that only evaluators apart from the loop would leave
    out, so that none of them has a say in the words that it reads."""
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
