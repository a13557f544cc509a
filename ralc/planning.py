"""What a run will ask of its models, before anything is spent: calls, tokens, hours, money, disk.

Counted from the configuration, by the stages that the workflow runs. The calls are at most so many: equal requests are
sent once, answers that are all alike are clustered without a model, and what has no reading is not rewritten. Tokens,
hours and disk follow from assumptions, marked ASSUME.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ralc.config import Config
from ralc.datasets import load
from ralc.evaluators import build
from ralc.llm.journal import Journal
from ralc.llm.models import ModelConfig
from ralc.preservation import DIRECTIONS
from ralc.registry import LONG, METHODS, methods_by
from ralc.rewriting.requests import DRAFTS

#: Questions of the official files, and their format.
OFFICIAL = {
    "mmlu": (14_042, "multiple_choice"),
    "squad2": (11_873, "reading_comprehension"),
    "truthfulqa": (817, "short_answer"),
}
#: Parts of a run: the paper's matrix, and what is counted beside it.
CORE, LEXICON, ABLATIONS = "core", "lexicon", "ablations"
PRESERVATION, PEOPLE = "content preservation", "human benchmark"
#: Texts of the human studies, some of which have the same.
HUMAN_TEXTS = {"tao_raw": 1636, "tao_benchmark": 1622, "capphrase": 19, "wadefagen": 17, "zonination": 17}
#: Statements that a lexicon's sentences are made from; further sentences are further answers to the same requests.
STATEMENTS = 12
# ASSUME: tokens of a question with its choices or background, of an answer, of a hedge with its Beta.
QUESTION_TOKENS = {"short_answer": 20, "multiple_choice": 90, "reading_comprehension": 220, LONG: 20}
ANSWER_TOKENS, HEDGED_TOKENS, HEDGE_TOKENS = 25, 35, 15
#: ASSUME: sentences of a long answer that claim something; FActScore's have 5.8 to 8.2, by model.
SENTENCES = 7
#: ASSUME: tokens of each prompt's own words (a token has four characters; the evaluator's has the human cues in it).
PROMPT_TOKENS = {
    **{
        "sample": 70,
        "cluster": 300,
        "grade": 390,
        "grade_rewrites": 390,
        "rewrite": 180,
        "write_lexicon": 160,
    },
    **{"support": 110, "p_true": 30, "source_hedges": 155, "preserve": 0, "read": 1070},
}
#: ASSUME: bytes on disk of a request, of an answer and of its token (journal and table; measured on the smoke preset).
DISK = (600, 250, 25)

#: Part, requests, answers, tokens of a request and of an answer.
Asked = Iterator[tuple[str, int, int, float, float]]


class Size(NamedTuple):
    """Questions of a dataset."""

    train: int
    test: int
    format: str


def sizes(config: Config) -> dict[str, Size]:
    """Return the sizes of a run's datasets; only files of the user's own and built-in datasets are opened."""
    found = {}
    for name in config.run.datasets:
        entry = config.datasets[name]
        if (entry.format or name) in OFFICIAL:
            count, form = OFFICIAL[entry.format or name]
            count = entry.questions or count
        else:
            questions = load(name, entry.model_dump(mode="json"), config.seed)
            count, form = len(questions), questions["format"].mode()[0]
        train = math.ceil(config.split.train * count - 1e-9)  # as in `ralc.datasets.split`
        found[name] = Size(train, count - train, form)
    return found


def answered(config: Config) -> dict[tuple[str, str], int]:
    """Return how many answers the journals, a record's or the run's, have of each stage and model, in all shards."""
    found: dict[tuple[str, str], int] = {}
    for path in sorted(Path(config.journals or f"{config.outdir}/journal").glob("*/*.jsonl")):
        place = path.parent.name, re.sub(r"\.\d+of\d+$", "", path.stem)
        with Journal(path, write=False) as journal:
            found[place] = found.get(place, 0) + sum(len(journal.numbers(key)) for key in journal)
    return found


def plan(
    config: Config,
    sizes: Mapping[str, Size],
    hedges: int,
    answered: Mapping[tuple[str, str], int] | None = None,
) -> pd.DataFrame:
    """Return what is to be asked, a row a part, stage and model; what is recorded is not asked.

    Parameters
    ----------
    config
        The run's.
    sizes
        Questions of each dataset of the run.
    hedges
        Entries of the lexicon.
    answered
        Answers that the journals of a (stage, model) have already; they are taken off, first line first.

    Returns
    -------
    DataFrame
        ``part, stage, model, calls`` (answers wanted in all), ``answered`` (of them, in the journal), ``requests``
        (still to be sent), ``prompt_tokens``, ``completion_tokens``, ``hours`` (of a GPU or a CPU thread; null for
        a server), ``cost`` (null without prices), ``gigabytes``.
    """
    have, rows = dict(answered or {}), []
    for stage in config.stages().values():
        for model in stage.models:
            entry = config.models[model]
            if entry.samples_file:
                continue
            demand = _Demand(config, list(sizes.values()), hedges, model)
            asked = demand.read(stage.batch) if stage.batch else getattr(demand, stage.name)()
            for part, requests, answers, prompt, completion in asked:
                if answers:
                    known = min(have.get((stage.name, model), 0), answers)
                    have[stage.name, model] = have.get((stage.name, model), 0) - known
                    priced = _priced(entry, requests, answers, known, prompt, completion)
                    rows.append({"part": part, "stage": stage.name, "model": model, **priced})
    return pd.DataFrame(rows)


def _priced(
    model: ModelConfig, requests: int, answers: int, answered: int, prompt: float, completion: float
) -> dict[str, float]:
    """Return tokens, time, money and disk, without what is answered already; reasoning is paid and not kept."""
    left = 1 - answered / answers
    prompts = math.ceil(requests * left) * prompt
    completions = left * answers * (completion + getattr(model, "reasoning_tokens", 0))
    cost = (prompts * model.price.prompt + completions * model.price.completion) / 1e6
    per_request, per_answer, per_token = DISK
    billions = re.search(r"(\d+(?:\.\d+)?)b\b", model.model, re.IGNORECASE)
    larger = float(billions[1]) / 8 if billions and model.gpus else 1.0
    of_prompts, of_answers = model.SPEED or (math.nan, math.nan)
    return {
        "calls": answers,
        "answered": answered,
        "requests": math.ceil(requests * left),
        "prompt_tokens": prompts,
        "completion_tokens": completions,
        "hours": larger * (prompts / of_prompts + completions / of_answers) / 3600,
        "cost": cost if model.price != type(model.price)() else math.nan,
        "gigabytes": (per_request * requests + answers * (per_answer + per_token * completion)) / 1e9,
    }


@dataclass(frozen=True)
class _Demand:
    """What one model is asked: a method for each stage, named as it is."""

    config: Config
    sizes: list[Size]
    hedges: int
    model: str

    def _count(self, *splits: str, units: bool = True) -> int:
        """Count questions of all datasets; most stages take the sentences of long answers one by one."""
        each = [SENTENCES if units and size.format == LONG else 1 for size in self.sizes]
        return sum(
            sum(getattr(size, split) for split in splits) * n
            for size, n in zip(self.sizes, each, strict=True)
        )

    @property
    def _targets(self) -> int:
        return len(self.config.run.targets)

    @property
    def _hedged(self) -> int:
        """Questions that a target is asked for a hedged answer; long answers have none."""
        short = [size for size in self.sizes if size.format != LONG]
        return sum(getattr(size, split) for size in short for split in self.config.hedged_splits())

    def _prompt(self, stage: str) -> float:
        """Tokens of a prompt with a question in it."""
        tokens = sum((size.train + size.test) * QUESTION_TOKENS[size.format] for size in self.sizes)
        return PROMPT_TOKENS[stage] + tokens / self._count("train", "test", units=False)

    def sample(self) -> Asked:
        asked, units = self._count("train", "test", units=False), self._count("train", "test")
        answers, prompt = asked * self.config.sampling.answers, self._prompt("sample")
        yield CORE, asked, answers, prompt, ANSWER_TOKENS * units / asked
        yield CORE, self._hedged, self._hedged, prompt, HEDGED_TOKENS

    def source_hedges(self) -> Asked:
        lexicon = self.config.lexicon
        yield LEXICON, 1, lexicon.lists, PROMPT_TOKENS["source_hedges"], lexicon.max_tokens / 2

    def cluster(self) -> Asked:
        answers, asked = (
            self.config.sampling.answers,
            self._count("train", "test", units=False) * self._targets,
        )
        yield CORE, asked, asked, self._prompt("cluster") + answers * ANSWER_TOKENS, 10 + 3 * answers

    def grade(self) -> Asked:
        asked = (self._count("train", "test") + self._hedged) * self._targets
        yield CORE, asked, asked, self._prompt("grade") + 2 * ANSWER_TOKENS, 1

    def support(self) -> Asked:
        asked = self._count("train", "test") * self._targets * (self.config.sampling.answers - 1)
        sentences = SENTENCES if any(size.format == LONG for size in self.sizes) else 1
        yield CORE, asked, asked, self._prompt("support") + (sentences + 1) * ANSWER_TOKENS, 1

    def p_true(self) -> Asked:
        asked = self._count("train", "test")
        yield CORE, asked, asked, self._prompt("p_true") + ANSWER_TOKENS, 1

    def grade_rewrites(self) -> Asked:
        for part, _, texts in self._written():
            yield part, texts, texts, self._prompt("grade_rewrites") + HEDGED_TOKENS + ANSWER_TOKENS, 1

    def write_lexicon(self) -> Asked:
        sentences, length = self.config.lexicon.sentences, PROMPT_TOKENS["write_lexicon"] + HEDGE_TOKENS
        yield (
            LEXICON,
            self.hedges * min(sentences, STATEMENTS),
            self.hedges * sentences,
            length,
            ANSWER_TOKENS,
        )

    def rewrite(self) -> Asked:
        length = PROMPT_TOKENS["rewrite"] + ANSWER_TOKENS + HEDGE_TOKENS * self.config.retrieval.k
        closed = self.config.resolved_protocol().loop == "closed"
        for part, method, texts in self._written():
            drafts = DRAFTS if closed and not METHODS[method].free else 1
            yield part, texts, texts * drafts, length, HEDGED_TOKENS

    def preserve(self) -> Asked:
        texts = sum(texts for _, _, texts in self._rewrites()) + self._hedged * self._targets
        asked = len(DIRECTIONS) * texts
        yield PRESERVATION, asked, asked, ANSWER_TOKENS + HEDGED_TOKENS, 0

    def read(self, batch: str) -> Asked:
        """Yield the readings of a batch, by each evaluator that the model belongs to."""
        in_loop = batch in ("lexicon", "candidates")
        for name in [self.config.roles.evaluator] if in_loop else self.config.roles.evaluators:
            entry = self.config.evaluators[name]
            if self.model in entry.models:
                evaluator = build(name, entry.model_dump())
                requests, answers = evaluator.asks[0], math.prod(evaluator.asks)
                # An embedding takes the text alone, and nothing is written.
                prompt, written = (0, 0) if evaluator.embeds else (PROMPT_TOKENS["read"], 2)
                for part, texts in self._texts(batch, crossing=entry.crossing):
                    yield part, texts * requests, texts * answers, prompt + HEDGED_TOKENS, written

    def _rewrites(self, *, crossing: bool = True) -> Iterator[tuple[str, str, int]]:
        """Yield part, method and number of the rewritten answers, with those by other datasets' maps or without."""
        config, answers = self.config, self._targets * self._count("test")
        signals, trains = len(config.run.signals), len(config.run.datasets) if crossing else 1
        for name in methods_by(rewritten=True):
            if name in config.run.methods:
                method = METHODS[name]
                maps = trains if method.trained and not method.own else 1
                conditions = maps * (signals if method.guided else 1)
                yield CORE if method.guided else method.title.lower(), name, answers * conditions
        if "ralc" in config.run.methods:
            ablated = [name in config.ablated("datasets") for name in config.run.datasets]
            sizes = [size for size, taken in zip(self.sizes, ablated, strict=True) if taken]
            asked = _Demand(config, sizes, self.hedges, self.model)._count("test") * len(
                config.ablated("targets")
            )
            yield ABLATIONS, "ralc", asked * signals * (len(config.retrievals()) - 1)

    def _written(self) -> Iterator[tuple[str, str, int]]:
        """Yield those of the rewrites that a model writes: by method guided, hedges are put into their places."""
        guided = self.config.roles.rewriter.method == "guided"
        return (one for one in self._rewrites() if not guided or METHODS[one[1]].free)

    def _texts(self, batch: str, *, crossing: bool) -> Iterator[tuple[str, int]]:
        """Yield part and number of the texts of a batch."""
        config = self.config
        if batch == "candidates" and config.resolved_protocol().loop == "closed":
            # ASSUME one place in two of a hedge differs in its text; by method llm each draft does.
            drafts = 1.5 * config.retrieval.shortlist if config.roles.rewriter.method == "guided" else DRAFTS
            texts = ((part, texts) for part, method, texts in self._rewrites() if not METHODS[method].free)
            yield from ((part, round(number * drafts)) for part, number in texts)
        elif batch == "lexicon":
            yield LEXICON, self.hedges * config.lexicon.sentences
        elif batch == "answers":
            # The originals of linguistic space are read beside the signals where each has a reading of its own.
            own = self._count("test") if config.resolved_protocol().letter else 0
            yield CORE, (self._count("train", "test") + self._hedged + own) * self._targets
        elif batch == "rewrites":
            yield from ((part, texts) for part, _, texts in self._rewrites(crossing=crossing))
        elif batch == "people":
            yield PEOPLE, sum(HUMAN_TEXTS[name] for name in config.people.studies or HUMAN_TEXTS)
