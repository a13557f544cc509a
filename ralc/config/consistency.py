"""What sections of the configuration ask of each other; each check raises ValueError, naming the key."""

from typing import TYPE_CHECKING

from ralc.conditions import RESERVED
from ralc.evaluators import method
from ralc.llm.engines import ENGINES, options_of
from ralc.registry import SIGNALS, methods_by
from ralc.stages import ROLES

if TYPE_CHECKING:
    from ralc.config.settings import Config

#: The evaluators whose worth was measured once and is carried with the package, by their methods.
MEASURED = ("cue_model", "cue_model_b", "embedding_regression")


def check(config: "Config") -> None:
    """Raise ValueError where sections of a configuration do not agree; the first that does not is told."""
    for agrees in (_names, _stages, _engines, _recorded, _embeddings):
        agrees(config)


def _names(config: "Config") -> None:
    """Models, datasets and evaluators that are named exist, and none has a name that the tables of results use."""
    for section, reserved in RESERVED.items():
        for name in reserved:
            if name in getattr(config, section):
                raise ValueError(f"{section}: {name!r} is a word of the results tables: rename it")
    for name, entry in config.evaluators.items():
        if name in MEASURED and entry.method != name:
            packaged = "names the packaged evaluator of that method, whose worth was measured"
            raise ValueError(
                f"evaluators: {name!r} {packaged}: one of method {entry.method!r} has another name"
            )
    run, roles, tried = config.run, config.roles, config.ablations
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
    for key, names, allowed, section in named:
        for name in names:
            if name not in allowed:
                raise ValueError(f"{key}: {name!r} is not in `{section}` ({', '.join(allowed)})")


def _askers(config: "Config") -> dict[str, list[str]]:
    askers = {f"roles.{name}.models": role.models for name, role in config.roles.items()}
    return askers | {f"evaluators.{name}.models": one.models for name, one in config.evaluators.items()}


def _stages(config: "Config") -> None:
    """Shards are of stages that exist; signals that compare answers have several; a free writer is a model."""
    for model, entry in config.models.items():
        for stage in entry.shards:
            if stage not in ROLES:
                raise ValueError(f"models.{model}.shards: {stage!r} is no stage ({', '.join(ROLES)})")
    sample = any(not config.models[name].samples_file for name in config.run.targets)
    comparing = [name for name in config.run.signals if SIGNALS[name].compares]
    if sample and comparing and config.sampling.answers == 1:
        alone = ", ".join(name for name, signal in SIGNALS.items() if not signal.compares)
        compares = f"run.signals {comparing[0]!r} compares several answers"
        raise ValueError(f"sampling.answers = 1: {compares}; of one there are {alone}")
    for name in methods_by(free=True):
        if name in config.run.methods and not config.roles.rewriter.models:
            remedy = "name one in roles.rewriter.models, or leave it out"
            raise ValueError(f"run.methods: {name} is written by a model: {remedy}")


def _engines(config: "Config") -> None:
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


def _recorded(config: "Config") -> None:
    """Files of recorded samples are targets, and nothing else; whose grades are in files is such a target."""
    recorded = {name for name, entry in config.models.items() if entry.samples_file}
    for key, names in (_askers(config) | {"lexicon.sources": config.lexicon.sources}).items():
        for name in recorded & set(names):
            raise ValueError(f"{key}: {name!r} is a file of recorded samples: it can only be a target")
    for name in config.run.targets:
        if config.roles.grader.method == "recorded" and name not in recorded:
            why = "is asked, so no file has its grades"
            raise ValueError(f"roles.grader.method = 'recorded': target {name!r} {why}")
        for signal in (one for one in config.run.signals if SIGNALS[one].asks and name in recorded):
            file = f"{name!r} is a file of recorded samples, which cannot be asked: leave it out"
            raise ValueError(f"run.signals: {signal} asks a target about its answers, and {file}")


def _embeddings(config: "Config") -> None:
    for name in config.roles.evaluators:
        evaluator = config.evaluators[name]
        for model in evaluator.models if method(evaluator.method).embeds else []:
            entry = config.models[model]
            if not entry.EMBEDS:
                serve = " and ".join(engine for engine in ENGINES if options_of(engine).EMBEDS)
                raise ValueError(
                    f"evaluators.{name}.models: {model!r} is of engine {entry.engine!r}, but method "
                    f"{evaluator.method!r} asks for embeddings, which engines {serve} serve; "
                    "without it: roles: {test_evaluators: [cue_model_b]}"
                )
