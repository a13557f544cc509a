# What the rules share: where a step's modules, prompts and model answers lie.

import io
import os
from contextlib import redirect_stderr
from dataclasses import fields
from functools import cache
from types import SimpleNamespace

from snakemake.cli import parse_args

from ralc.config import check_partitions
from ralc.dependencies import dependencies
from ralc.steps import ROLES

PROTOCOL = settings.resolved_protocol()
# The choices of a protocol that a fit by moments depends on.
MOMENTS = [
    "moments_",
    "resolution",
    "concentration_floor",
    "deviation_floor",
]
TARGETS = settings.run.targets
DATASETS = settings.run.datasets

# Environments, used with `--sdm conda`; without it the rules run where snakemake runs.
CPU = "../../envs/cpu.yaml"
GPU = "../../envs/gpu.yaml"


def code(stub, *steps):
    """The files of the package that a rule's stub imports, and those of its step: an edit there reruns the rule."""
    script = workflow.source_path(f"../scripts/{stub}.py")
    return as_they_are(os.path.relpath(file) for file in dependencies(script, *steps))


def step(module, method, *choices, **needed):
    """A step (`ralc.steps`) for `params`: its module and method, the choices of the protocol that steer it, the rest."""
    protocol = PROTOCOL.choices(*choices)
    return {"module": module, "method": method, "protocol": protocol, **needed}


def of_target(wildcards):
    """Whose replies a target's table is made of, among those about all targets."""
    return {"target": wildcards.target}


def as_they_are(paths):
    """Return files that were there before: a module's `prefix` is not put in front of them."""
    return [local(path) for path in paths]


def under_each(*choices):
    """Some choices of the run's protocol and of those beside it, by their labels, for `params`."""
    return {
        one.label: {"protocol": one.name, **one.choices(*choices)}
        for one in settings.protocols()
    }


def plain(section):
    """A part of the configuration as plain, ordered values, for `params`."""
    return section.model_dump(mode="json")


def model_entry(wildcards):
    """What a model's entry says of requests: a change of threads or time-outs renders nothing anew."""
    return settings.models[wildcards.model].request_params()


def engine_config(wildcards):
    """Who answers: the model's entry, or the journals of a record."""
    return settings.engine_config(wildcards.stage, wildcards.model)


def request_params(wildcards):
    """What the model's entry says of requests."""
    return engine_config(wildcards).request_params()


def execution_params(wildcards, threads):
    """The rest of the entry: how answers come, not which.

    As it takes `threads`, Snakemake does not compare it with the last run's: a change of it reruns nothing.
    """
    return engine_config(wildcards).execution_params() | {"threads": threads}


def role(name):
    """A role's method and models."""
    return getattr(settings.roles, name)


# Who is asked what.
STAGES = settings.stages()


def answered(stage, models=None):
    """Requests and responses of a stage, of all its models or of some; none where no model is asked."""
    stage = STAGES[stage]
    models = stage.models if models is None else models
    responses = [path for model in models for path in stage.responses(model)]
    return {
        "requests": [f"{OUT}/{stage.requests(model)}" for model in models],
        "responses": [f"{OUT}/{path}" for path in responses],
    }


def answered_samples(wildcards):
    """Requests to a target and its responses."""
    return answered("sample", [wildcards.target])


def self_evaluations(wildcards):
    """Requests to a target about its own answers, and its responses; none where no signal asks."""
    models = {wildcards.target} & set(STAGES["self_evaluation"].models)
    asked = answered("self_evaluation", models)
    return {f"own_{name}": paths for name, paths in asked.items()}


def answered_readings(wildcards):
    """Requests to those who read a batch in a role, or in all, and their responses."""
    alone = wildcards.role != "evaluators"
    models = settings.models_of(wildcards.role) if alone else None
    return answered(f"read_{wildcards.batch}", models)


def readings(*batches):
    """How batches are read by all their evaluators; answers role by role, since a signal is the evaluator's."""
    roles = [role for role in ROLES["read_answers"] if getattr(settings.roles, role)]
    return [
        f"{OUT}/readings/{role}/{batch}.parquet"
        for batch in batches
        for role in (roles if batch == "answers" else ["evaluators"])
    ]


def per_target(table):
    """A table of every target."""
    return expand(f"{OUT}/{table}/{{target}}.parquet", target=TARGETS)


QUESTIONS = expand(f"{OUT}/questions/{{dataset}}.parquet", dataset=DATASETS)


def recorded_samples(wildcards):
    """The file of a target's recorded samples; nothing for one that is asked."""
    name = getattr(wildcards, "target", None) or wildcards.model
    file = settings.models[name].samples_file
    return as_they_are([file] if file else [])


def answers_a_question(target):
    """How many answers a question has of a target, in words."""
    asked = f"{settings.sampling.answers} answers a question"
    return "as many as recorded" if settings.models[target].samples_file else asked


def model_environment(wildcards):
    """The environment in which a model is asked."""
    return GPU if engine_config(wildcards).ENVIRONMENT == "gpu" else CPU


def shard(wildcards):
    """Number of a shard, and how many there are."""
    return [int(part) for part in re.findall(r"\d+", wildcards.shard)] or [1, 1]


def journal(wildcards):
    """The journal of a stage and model, in shards."""
    name = f"{wildcards.model}{wildcards.shard}.jsonl"
    return f"{WRITTEN}/journal/{wildcards.stage}/{name}"


def model_threads(wildcards):
    """CPU threads of a model's job: the shards of a stage share the entry's."""
    return max(1, engine_config(wildcards).threads // shard(wildcards)[1])


def model_resource(name):
    """A resource of the model's entry, for `resources`."""

    def resource(wildcards):
        return engine_config(wildcards).job_resources[name]

    return resource


def model_memory(wildcards, attempt):
    """Memory of a model's job in MB: what its entry says, and more on a retry, up to four times."""
    asked = engine_config(wildcards).job_resources["mem_mb"]
    return asked * min(2 ** (attempt - 1), 4)


@cache
def partitions():
    """SLURM's partitions by the profile of this command; a dry run does not keep the executor's settings."""
    try:
        with redirect_stderr(io.StringIO()):  # it says once more which profile is used
            _, options = parse_args(sys.argv[1:])
    except SystemExit:  # Snakemake was called by a program
        return []
    file = getattr(options, "slurm_partition_config", None)
    if options.executor != "slurm" or not file:
        return []
    from snakemake_executor_plugin_slurm.partitions import (
        PartitionLimits,
        read_partition_file,
    )

    limits = [field.name for field in fields(PartitionLimits)]
    try:
        check_partitions(file, [*limits, "slurm_cluster", "cluster", "clusters"])
    except ValueError as error:
        sys.exit(f"{error}\n(nothing was run)")
    return read_partition_file(file)


partitions()  # a fault in the file is told before any job


def model_place(wildcards, threads, attempt):
    """Where a model's job runs, in words: on this machine, or in the partition that the plugin for SLURM takes."""
    if not partitions():
        return "here"
    asked = engine_config(wildcards).job_resources | {
        "mem_mb": model_memory(wildcards, attempt)
    }
    job = SimpleNamespace(name="complete", resources=asked, threads=threads)
    scores = {one.name: one.score_job_fit(job) for one in partitions()}
    fitting = {name: score for name, score in scores.items() if score is not None}
    if not fitting:
        return "in no partition of the profile"
    return f"in partition {max(fitting, key=fitting.get)}"


def evaluators(names):
    """The entries of evaluators in the configuration, by name."""
    return {
        name: plain(settings.evaluators[name]) | {"secondary": settings.reads_all(name)}
        for name in names
    }


def sourcing(wildcards):
    """How a source is asked for hedges."""
    return step(
        "lexicon.sourcing",
        "source",
        name=wildcards.model,
        lists=settings.lexicon.lists,
        max_tokens=settings.lexicon.max_tokens,
        seed=settings.seed,
    )


def batch_evaluators(wildcards):
    """Who reads a batch in a role, or in all; of a model, who asks it."""
    role, model = wildcards.get("role"), wildcards.get("model")
    every = ROLES[f"read_{wildcards.batch}"]
    roles = [role] if role in every else every
    entries = evaluators(settings.roles.evaluators_as(roles))
    return {
        name: entry
        for name, entry in entries.items()
        if model in (None, *entry["models"])
    }


def reading(wildcards):
    """How a batch is read, by whom."""
    readers = batch_evaluators(wildcards)
    return step(
        "pipeline.perceived_confidence", "evaluators", *MOMENTS, evaluators=readers
    )


def reading_requests(wildcards):
    """How a model is asked to read a batch, for which evaluators."""
    return step(
        "pipeline.perceived_confidence",
        "evaluators",
        "letter",
        evaluators=batch_evaluators(wildcards),
        seed=settings.seed,
    )


def retrieval(wildcards):
    """How hedges are retrieved for a target."""
    return step(
        "pipeline.rewrite_plan",
        "retrieval",
        "letter",
        "wasserstein_samples",
        methods=settings.run.methods,
        variants=settings.retrievals(wildcards.target),
        ablated=settings.ablated("datasets"),
        seed=settings.seed,
    )


def tables_of(views):
    """The results tables that figures or tables show, as inputs."""
    tables = dict.fromkeys(table for view in views.values() for table in view.results)
    return {f"{table}_table": RESULTS[table] for table in tables}


def in_report(path, about, kind):
    """A file that stands in the report: its path, caption, section and title.

    All have one label, of its own: Snakemake may make a switch of a second one, and fails if that leaves gaps.
    """
    name, entry = about
    return report(
        path.format(name=name),
        caption=f"../../report/{name}.rst",
        category=entry.section,
        labels={"shows": f"{entry.title} ({kind})"},
    )


def linked(views):
    """What the index links, by the sections of the report, from the views of each kind of file."""
    sections = {}
    for place, shown_as in views.items():
        kind = place.partition("s/")[0]
        for name, entry in shown_as.items():
            link = [entry.title, entry.shows, kind, place.format(name)]
            sections.setdefault(entry.section, []).append(link)
    return dict(sorted(sections.items()))
