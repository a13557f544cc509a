"""The sections of the configuration: what runs, who does each step, how, what is tried beside it, what is shown."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, Field, field_validator, model_validator

from ralc.datasets import READERS, WORLDFACTS
from ralc.evaluators import EVALUATORS, method
from ralc.io.files import Place
from ralc.llm.engines import Section
from ralc.protocols import PROTOCOLS
from ralc.registry import HUMAN_STUDIES, PAPER_SIGNALS, SIGNALS, methods_by

Fraction = Annotated[float, Field(gt=0, lt=1)]
#: A million of anything is a slip of the pen.
Count = Annotated[int, Field(ge=1, le=1_000_000)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
_Study = Literal[tuple(HUMAN_STUDIES)]  # type: ignore[valid-type]
_Signal = Literal[tuple(SIGNALS)]  # type: ignore[valid-type]
_Method = Literal[tuple(methods_by(always=False))]  # type: ignore[valid-type]
Map = Literal["identity", "temperature", "isotonic", "histogram", "beta", "platt"]


def distinct(values: list[Any]) -> list[Any]:
    """Return the values, which must differ."""
    if len(set(values)) < len(values):
        raise ValueError("names something twice")
    return values


Distinct = Annotated[list[str], AfterValidator(distinct)]


class Run(Section):
    """What runs."""

    targets: list[str] = Field(["smollm2"], min_length=1)
    """Models that answer: keys of `models`."""
    datasets: list[str] = Field(list(WORLDFACTS), min_length=1)
    """Datasets of the run: keys of `datasets`. Maps are fitted on each and tried on all."""
    signals: list[_Signal] = Field(list(PAPER_SIGNALS), min_length=1)
    """Confidence signals that are calibrated, of those in `docs/signals.md`."""
    methods: list[_Method] = Field(methods_by(always=False), min_length=1)
    """RALC, and the methods that it is compared with."""

    @field_validator("*")
    @classmethod
    def _no_repeats(cls, values: list[str]) -> list[str]:
        return distinct(values)


class Dataset(Section):
    """Where questions come from: a built-in dataset (by its name or ``format``) or a file of the user's own."""

    path: Place | None = None
    """File or folder of the questions. Built-in datasets (`worldfacts-qa`, `worldfacts-mc`, `worldfacts-rc`) have none.
    Published ones (other values of `format`) need none: they are fetched once into the user's cache and checked by
    SHA-256."""
    format: Literal[READERS] | None = None  # type: ignore[valid-type]
    """How `path` is read: as one of the published datasets, or as a `file` of your own. Needed only where the
    dataset's name does not say it."""
    questions: Count | None = None
    """How many questions to take; without it, all."""
    draw: Literal["development", "confirming", "record"] | None = None
    """A half of the questions, at random, the same for every seed. While choices were made, no run asked `confirming`
    questions (preset `confirming.yaml`). `record`: those that no run asked before preset `record.yaml` did
    (`ralc/data/seen_questions.csv`). Without it all questions, but of worldfacts and factscore `development`."""


class Split(Section):
    """How questions are divided into train and test questions."""

    train: Fraction = 0.3
    """Share of the questions that fit the calibration maps; the rest is held out."""


class Sampling(Section):
    """How targets are asked."""

    answers: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Answers sampled a question (the paper's n). One is enough for signals that compare no answers."""
    max_tokens: Count = 64
    """Longest answer, in tokens. An answer cut there has the finish reason `length`."""
    prompts: Literal["paper", "short"] = "paper"
    """`paper`: the paper's prompts. `short`: one short sentence, for a very small model."""


class Role(Section):
    """Who does a step: a method and, where it is a model, the models."""

    method: str
    """How the step is done."""
    models: list[str] = []
    """Models that the method asks: keys of `models`."""

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
    """How each step is done (paper section 5.1): a method, and the models that it asks."""

    clusterer: Role = Role(method="lexical")
    """Groups answers that mean the same: `lexical` (by words) or `llm`."""
    grader: Role = Role(method="reference")
    """Grades answers: `reference` (by the accepted answers), `llm`, or `recorded` (the grades of recorded samples)."""
    support: Role = Role(method="overlap")
    """Says how far other answers support a sentence, for signals of sentences. Methods are `overlap` (shared words),
    `entailment` (a model of that engine, as LUQ) and `llm` (as SelfCheckGPT). A model also finds contradictions. It is
    asked once for each sentence and other answer."""
    evaluator: str = "cue_model"
    """The selection evaluator, which chooses the words: a key of `evaluators`."""
    test_evaluators: Distinct = ["cue_model_b", "embedding_regression"]
    """Evaluators that only test the words: keys of `evaluators`. The headline is by the first."""
    rewriter: Role = Role(method="guided", models=["smollm2"])
    """Writes the hedges into the answers: `guided` (by grammar) or `llm`."""
    preservation: Role = Role(method="overlap")
    """Scores how much of an answer its rewrite keeps: `overlap` (shared content words) or `entailment` (the paper's, by
    one model of that engine)."""

    @property
    def evaluators(self) -> list[str]:
        """All who read, each once."""
        return self.evaluators_as(("evaluator", "test_evaluators"))

    def evaluators_as(self, roles: Iterable[str]) -> list[str]:
        """Return who reads in some roles, `evaluator` and `test_evaluators`, each once."""
        named = {"evaluator": [self.evaluator], "test_evaluators": self.test_evaluators}
        return list(dict.fromkeys(name for role in roles for name in named[role]))

    def items(self) -> Iterator[tuple[str, Role]]:
        """Yield each role that has a method of its own, with its name."""
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
    """`cue_model` and `cue_model_b`: cues of certainty, with figures from human studies. `llm`: the paper's ensemble of
    models. `embedding_regression`: a regression on one model's embeddings."""
    models: Distinct = []
    """Models that it asks: keys of `models`."""
    secondary: bool = True
    """Whether it also reads what no primary endpoint compares, as the selection evaluator always does. These are
    answers to train questions, and rewrites of ablations, by other datasets' maps and by other signals."""
    passes: Count = 3
    """Scores that each model gives a text (`llm`)."""

    @model_validator(mode="after")
    def _method_takes_them(self) -> Self:
        how = method(self.method)
        least, most = how.models
        if not least <= len(self.models) <= (len(self.models) if most is None else most):
            takes = {0: "takes no `models`", 1: "takes one model", None: "needs `models`"}[most]
            raise ValueError(f"models = {self.models!r}: method {self.method!r} {takes}")
        for key in self.model_fields_set - {"method", "models", "secondary"} - set(how.options):
            raise ValueError(f"method {self.method!r} has no {key}")
        return self


class Calibration(Section):
    """The calibration map."""

    map: Map = "platt"
    """The map of the means; concentrations stay as they are."""


class LexiconSection(Section):
    """Where hedges come from: the built-in list, models that propose them, or a file."""

    voice: Literal["plain", "all"] = "plain"
    """Of the built-in list those that one person would write, or all; by the paper's letter it is all."""
    sources: Distinct = []
    """Models that propose hedges, in place of the built-in list: keys of `models`."""
    lists: Count = 1
    """Lists that each source writes."""
    max_tokens: Count = 2048
    """Longest list, in tokens."""
    path: Place | None = None
    """A CSV of your own (`expression`, `frame`) in place of the built-in list."""
    extend: bool = False
    """Whether `path` is added to the other hedges instead."""
    sentences: Count = 20
    """Sentences written for each hedge."""

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
    """Hedges that a model as rewriter gets; `guided` tries the whole shortlist."""
    shortlist: Count = 30
    """Hedges nearest by mean; of these the Wasserstein distance chooses."""

    @model_validator(mode="after")
    def _shortlist_holds_k(self) -> Self:
        if self.shortlist < self.k:
            raise ValueError(f"shortlist = {self.shortlist} must be at least k = {self.k}")
        return self


class Ablations(Section):
    """What else is tried: each value is a variant in the results.

    `map`, `bins` and `protocol` are in signal space and cost no model call. `hedges`, `lexicon` and `loop` cost
    rewrites and readings of RALC, with the test dataset's own map.
    """

    map: list[Map] = list(get_args(Map))
    """Other calibration maps."""
    bins: list[Count] = [100]
    """Other numbers of bins of gECE and ECE."""
    protocol: list[Literal[tuple(PROTOCOLS)]] = []  # type: ignore[valid-type]
    """Other protocols."""
    hedges: list[Count] = []
    """Other numbers of hedges that the rewriter gets, `retrieval.k`."""
    lexicon: list[Count | Literal["people"]] = ["people"]
    """A number: a smaller lexicon of that size. With the rewriter `guided` also `people`: phrases of surveys, read by
    the numbers that people gave them."""
    loop: list[Literal["open"]] = []
    """`open`: no evaluator chooses the rewrite."""
    targets: list[str] | None = None
    """Targets of the variants that cost rewrites: some of `run.targets`; without it, all."""
    datasets: list[str] | None = None
    """Their datasets: some of `run.datasets`; without it, all."""

    @field_validator("*")
    @classmethod
    def _no_repeats(cls, values: list[Any] | None) -> list[Any] | None:
        return values and distinct(values)


class Grading(Section):
    """What is graded besides the answers."""

    rewrites: bool = False
    """Whether an `llm` grader also grades rewrites that a model wrote, one call each. Else they keep the original's
    outcome. The `reference` grader always grades them, protocols `paper` and `authors` never do. Read some grades
    first: a small model grades the hedge (one of 1.5 billion parameters called 18 of 33 right rewrites wrong)."""


class Metrics(Section):
    """How results are measured."""

    bins: Annotated[int, Field(ge=1, le=1000)] = 10
    """Bins of gECE and ECE."""
    resamples: Annotated[int, Field(ge=1, le=100_000)] = 2000
    """Bootstrap resamples for intervals and p-values."""
    null_repeats: Annotated[int, Field(ge=1, le=100_000)] = 200
    """Simulations of the gECE that perfect calibration would give."""
    tail: Annotated[float, Field(gt=0, le=0.5)] = 0.25
    """Share of answers at each end of mean and concentration, in the paper's table 1."""


class People(Section):
    """The human benchmark: evaluators beside people."""

    data: Place | None = None
    """Folder of the human studies, to measure this run's evaluators; without it, the committed figures are shown."""
    studies: list[_Study] | None = None
    """Which of them; without it, all that are there. `tao_benchmark`: the paper's 1,622 sentences."""


class Report(Section):
    """What the report shows."""

    examples: Count = 20
    """Answers shown in full."""
