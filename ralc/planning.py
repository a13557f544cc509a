"""What a run will ask of its models, before anything is spent: calls, tokens, hours and money.

Calls are at most so many: equal requests are sent once, and what has no reading is not rewritten. The rest follows from
assumptions, marked ASSUME.
"""

import math
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ralc.config import Config
from ralc.datasets import OFFICIAL, load
from ralc.datasets.questions import train_count
from ralc.evaluators import build
from ralc.human_benchmark import benchmark_texts
from ralc.llm import ModelConfig
from ralc.registry import HUMAN_STUDIES, LONG, METHODS, SIGNALS, methods_by
from ralc.rewriting.candidates import METHODS as REWRITING
from ralc.steps import Calls, Stage, Workload

# ASSUME: tokens of a question with its choices or background.
QUESTION_TOKENS = {"short_answer": 20, "multiple_choice": 90, "reading_comprehension": 220, LONG: 20}
#: ASSUME: sentences of a long answer that claim something; FActScore's have 5.8 to 8.2, by model.
SENTENCES = 7
#: The module of the step of each stage but those of evaluators, and the role whose method it is by, or the one method.
STEPS = {
    "sample": ("sampling", "target"),
    "source_hedges": ("lexicon.sourcing", "source"),
    "cluster": ("clustering.clusterer", "clusterer"),
    "grade": ("grading.grader", "grader"),
    "support": ("pipeline.sentence_support", "support"),
    "self_evaluation": ("pipeline.self_evaluation", "target"),
    "write_lexicon": ("lexicon.sentences", "rewriter"),
    "grade_rewrites": ("grading.rewrites", "grader"),
    "rewrite": ("rewriting.candidates", "rewriter"),
    "correct": ("rewriting.corrections", "rewriter"),
    "preserve": ("preservation", "preservation"),
}
COLUMNS = ["stage", "model", "requests", "calls", "prompt_tokens", "completion_tokens", "hours", "cost"]
COLUMNS += ["jobs", "job_hours", "limit_hours", "gpus", "memory_mb"]
#: Of these the sum is shown.
SUMMED = ["requests", "calls", "prompt_tokens", "completion_tokens", "hours", "cost", "jobs"]
#: Share of a job's time limit that a suggested number of shards fills.
FILLED = 0.9


class Size(NamedTuple):
    """Questions of a dataset."""

    train: int
    test: int
    format: str


def opened(config: Config) -> list[str]:
    """Return the files without which nothing can be counted: the lexicon's, and those of unpublished datasets."""
    entries = {name: config.datasets[name] for name in config.run.datasets}
    own = [entry.path for name, entry in entries.items() if (entry.format or name) not in OFFICIAL]
    return [path for path in (config.lexicon.path, *own) if path]


def sizes(config: Config) -> dict[str, Size]:
    """Return the sizes of a run's datasets; of files, those that are there are opened.

    Nothing is fetched: a published dataset has as many questions as its module says.
    """
    counts = {}
    for name in config.run.datasets:
        entry = config.datasets[name]
        if (entry.format or name) in OFFICIAL and not (entry.path and Path(entry.path).exists()):
            count, form = OFFICIAL[entry.format or name]
            count = entry.questions or count
        else:
            questions = load(name, entry.model_dump(mode="json"), config.seed)
            count = len(questions)
            form = questions["format"].mode()[0]
        train = train_count(count, config.split.train)
        counts[name] = Size(train, count - train, form)
    return counts


def plan(config: Config, sizes: Mapping[str, Size], hedges: int) -> pd.DataFrame:
    """Return what is to be asked, a row a stage and model; columns `COLUMNS`.

    ``calls`` are answers, ``hours`` those of a GPU or a CPU thread (null for a server), ``cost`` null without prices.
    ``jobs`` are the shards, ``job_hours`` the hours of each. A job asks for ``limit_hours``, ``gpus``, ``memory_mb``.

    Parameters
    ----------
    config
        The run's.
    sizes
        By dataset, as `sizes` counts them.
    hedges
        Entries of the lexicon.
    """
    rows = []
    run = _workload(config, sizes, hedges)
    for stage in config.stages().values():
        for name in (name for name in stage.models if not config.models[name].samples_file):
            batches = _batches(config, sizes, run, stage, name)
            if any(answers for _, answers, *_ in batches):
                effort = _effort(config.models[name], batches, stage.models[name])
                rows.append((stage.name, name, *effort))
    return pd.DataFrame(rows, columns=COLUMNS)


def _effort(
    model: ModelConfig, batches: Sequence[tuple[int, int, float, float]], jobs: int
) -> tuple[float, ...]:
    """What some batches cost a model that has so many jobs: the columns of `plan` behind its name."""
    requests = sum(count for count, *_ in batches)
    calls = sum(answers for _, answers, *_ in batches)
    prompts = sum(count * tokens for count, _, tokens, _ in batches)
    reasoning = getattr(model, "reasoning_tokens", 0)  # is paid and not kept
    written = sum(answers * (tokens + reasoning) for _, answers, _, tokens in batches)
    cost = (prompts * model.price.prompt + written * model.price.completion) / 1e6
    billions = re.search(r"(\d+(?:\.\d+)?)b\b", model.model, re.IGNORECASE)
    larger = float(billions[1]) / 8 if billions and model.gpus else 1.0
    of_prompts, of_answers = model.SPEED or (math.nan, math.nan)
    hours = larger * (prompts / of_prompts + written / of_answers) / 3600
    paid = cost if model.price != type(model.price)() else math.nan
    asked = model.job_resources
    limits = (hours / jobs, asked["runtime"] / 60, asked["gpu"], asked["mem_mb"])
    return requests, calls, prompts, written, hours, paid, jobs, *limits


def overdue(table: pd.DataFrame) -> list[str]:
    """Return a line for each row of `plan` whose jobs end after their time limit, with the shards that would do.

    >>> row = {"stage": "rewrite", "model": "m", "hours": 342.7, "jobs": 1, "job_hours": 342.7, "limit_hours": 24.0}
    >>> overdue(pd.DataFrame([row]))
    ['models.m: 343 h of rewrite in 1 job of at most 24 h; shards: {rewrite: 16}']
    """
    return [
        f"models.{row.model}: {row.hours:.0f} h of {row.stage} in {row.jobs} job{'s' * (row.jobs > 1)} of at most "
        f"{row.limit_hours:g} h; shards: {{{row.stage}: {math.ceil(row.hours / (FILLED * row.limit_hours))}}}"
        for row in table[table["job_hours"] > table["limit_hours"]].itertuples()
    ]


def _workload(config: Config, sizes: Mapping[str, Size], hedges: int) -> Workload:
    """Count what the run has to do."""
    targets = len(config.run.targets)
    questions = sum(size.train + size.test for size in sizes.values())
    tokens = sum((size.train + size.test) * QUESTION_TOKENS[size.format] for size in sizes.values())
    long = any(size.format == LONG for size in sizes.values())
    hedged = 0
    if "hedged_qa" in config.run.methods:
        hedged = sum(size.test for size in sizes.values() if size.format != LONG)
    by_method = _rewrites(config, sizes)
    rewrites = sum(by_method.values())
    free = sum(texts for method, texts in by_method.items() if METHODS[method].free)
    return Workload(
        targets=targets,
        questions=questions * targets,
        question_tokens=tokens / questions,
        samples=config.sampling.answers,
        answers=_claims(sizes, "train", "test") * targets,
        sentences=SENTENCES if long else 1,
        hedged=hedged * targets,
        rewrites=rewrites,
        written=rewrites if REWRITING[config.roles.rewriter.method].WRITES_ALL else free,
        chosen=rewrites - free if config.resolved_protocol().loop == "closed" else 0,
        hedges=hedges,
        shortlist=config.retrieval.shortlist,
        hedges_shown=config.retrieval.k,
        hedge_sentences=config.lexicon.sentences,
        lists=config.lexicon.lists,
        list_tokens=config.lexicon.max_tokens,
        self_questions=sum(SIGNALS[name].needs_extra_call for name in config.run.signals),
    )


def _batches(
    config: Config, sizes: Mapping[str, Size], run: Workload, stage: Stage, model: str
) -> Sequence[tuple[int, int, float, float]]:
    """Return requests and answers of a stage and model, and the tokens of each."""
    if stage.batch:
        return _readings(config, sizes, run, stage, model)
    module, role = STEPS[stage.name]
    method = getattr(getattr(config.roles, role, None), "method", role)
    return import_module(f"ralc.{module}").METHODS[method].calls(run)


def _readings(
    config: Config, sizes: Mapping[str, Size], run: Workload, stage: Stage, model: str
) -> list[Calls]:
    """Return what a model is asked in a stage of evaluators."""
    targets = len(config.run.targets)
    rewriting = REWRITING[config.roles.rewriter.method]
    held_out = _claims(sizes, "test") * targets
    # By the paper's letter the held-out originals are read once more, beside the signals.
    again = held_out if config.resolved_protocol().letter else 0
    calls = []
    in_loop = stage.batch in ("lexicon", "candidates", "corrections")
    for name in [config.roles.evaluator] if in_loop else config.roles.evaluators:
        entry = config.evaluators[name]
        reads_all = config.reads_all(name)
        texts = {
            "lexicon": run.hedges * run.hedge_sentences,
            "answers": (run.answers if reads_all else held_out) + run.hedged + again,
            "candidates": rewriting.wordings(run),
            "corrections": rewriting.wordings(run),
            "rewrites": sum(_rewrites(config, sizes, secondary=reads_all).values()),
            "people": _human_texts(config) if stage.batch == "people" else 0,
        }[stage.batch]
        if model in entry.models:
            calls += build(name, entry.model_dump()).calls(texts)
    return calls


def _human_texts(config: Config) -> int:
    """Count the texts of the human studies; of files that are not there yet, as many as were published."""
    studies = config.people.studies
    folder = Path(config.people.data)
    if folder.is_dir():
        return len(benchmark_texts(folder, studies))
    return sum(HUMAN_STUDIES[study] for study in studies or HUMAN_STUDIES)


def _claims(sizes: Mapping[str, Size], *splits: str) -> int:
    """Count the sentences of answers, each of which is graded, read and rewritten by itself."""
    each = ((SENTENCES if size.format == LONG else 1, size) for size in sizes.values())
    return sum(sentences * getattr(size, split) for sentences, size in each for split in splits)


def _rewrites(config: Config, sizes: Mapping[str, Size], *, secondary: bool = True) -> dict[str, int]:
    """Count the rewritten answers of each method, with or without what is secondary (`perceived_confidence`)."""
    signals, trains = (len(config.run.signals), len(config.run.datasets)) if secondary else (1, 1)
    counts = {}
    claims = len(config.run.targets) * _claims(sizes, "test")
    for name in (name for name in methods_by(rewritten=True) if name in config.run.methods):
        method = METHODS[name]
        counts[name] = claims * (trains if method.cross_domain else 1) * (signals if method.guided else 1)
    if "ralc" in counts and secondary:
        ablated = {name: size for name, size in sizes.items() if name in config.ablated("datasets")}
        variants = (len(config.retrievals()) - 1) * signals * len(config.ablated("targets"))
        counts["ralc"] += variants * _claims(ablated, "test")
    return counts
