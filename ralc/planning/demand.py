"""What each model is asked in each stage of a run, at most: requests, answers, tokens."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ralc.config import Config
from ralc.names import LONG, METHODS, methods_by
from ralc.planning.sizes import Size
from ralc.preservation import DIRECTIONS
from ralc.readers import build
from ralc.readers.reader import Reader
from ralc.rewriting.tasks import DRAFTS
from ralc.stages import Stage

#: Parts of a run: the paper's matrix, and what is counted beside it.
CORE, LEXICON, ABLATIONS = "core", "lexicon", "ablations"
PRESERVATION, PEOPLE = "content preservation", "human benchmark"
#: The corrective round, as if every text were read far from its target.
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
    "sample": 70,
    "cluster": 300,
    "grade": 390,
    "grade_rewrites": 390,
    "rewrite": 180,
    "write_lexicon": 160,
    "support": 110,
    "p_true": 30,
}
PROMPT_TOKENS |= {"source_hedges": 155, "read": 1070, "preserve": 0}


@dataclass(frozen=True)
class Line:
    """What one model is asked in one stage for one part of the run; tokens are of a request and of an answer."""

    part: str
    stage: str
    model: str
    requests: int
    answers: int
    prompt: float
    completion: float


def lines(
    config: Config, sizes: Mapping[str, Size], hedges: int, expected: Mapping[str, float] | None = None
) -> Iterator[Line]:
    """All that is asked, in the order of the stages; what is recorded is not asked.

    Of targets that are asked in rounds, `expected` says how many answers a question takes; without it, all.
    """
    for stage in config.stages().values():
        for model in stage.models:
            entry = config.models[model]
            if entry.engine == "recorded":
                continue
            for line in _of_stage(config, stage, model, list(sizes.values()), hedges, expected or {}):
                if line.answers:
                    yield line


#: What a model is asked for one part of the run: part, requests, answers, tokens of a request and of an answer.
_Asked = Iterator[tuple[str, int, int, float, float]]


@dataclass(frozen=True)
class _Plan:
    """What is known of a stage before it runs; `sizes` are of its units: most stages take sentences of long answers."""

    config: Config
    batch: str | None
    model: str
    sizes: list[Size]
    hedges: int
    prompt: float
    expected: float  # answers to a question

    @property
    def targets(self) -> int:
        """Models that answer."""
        return len(self.config.run.targets)

    @property
    def questions(self) -> int:
        """Questions of all datasets."""
        return sum(size.train + size.test for size in self.sizes)

    @property
    def question(self) -> float:
        """Tokens of a question, on average."""
        tokens = sum((size.train + size.test) * QUESTION_TOKENS[size.format] for size in self.sizes)
        return tokens / self.questions

    @property
    def hedged(self) -> int:
        """Questions that a model is asked for a hedged answer."""
        short = [size for size in self.sizes if size.format != LONG]
        return sum(getattr(size, split) for size in short for split in self.config.hedged_splits())


def _of_stage(
    config: Config,
    stage: Stage,
    model: str,
    sizes: list[Size],
    hedges: int,
    expected: Mapping[str, float],
) -> Iterator[Line]:
    """What one model is asked in one stage."""
    if stage.name not in ("sample", "cluster"):
        sizes = [_in_sentences(size) for size in sizes]
    prompt = PROMPT_TOKENS["read" if stage.batch else stage.name]
    each = expected.get(model, config.sampling.answers)
    plan = _Plan(config, stage.batch, model, sizes, hedges, prompt, each)
    for part, requests, answers, prompted, written in _STAGES.get(stage.name, _read)(plan):
        yield Line(part, stage.name, model, requests, answers, prompted, written)


def _sample(plan: _Plan) -> _Asked:
    units = sum(size.train + size.test for size in map(_in_sentences, plan.sizes))
    answers, written = round(plan.questions * plan.expected), ANSWER_TOKENS * units / plan.questions
    yield CORE, plan.questions, answers, plan.prompt + plan.question, written
    yield CORE, plan.hedged, plan.hedged, plan.prompt + plan.question, HEDGED_TOKENS


def _source_hedges(plan: _Plan) -> _Asked:
    lexicon = plan.config.lexicon
    yield LEXICON, 1, lexicon.lists, plan.prompt, lexicon.max_tokens / 2


def _cluster(plan: _Plan) -> _Asked:
    asked, answers = plan.questions * plan.targets, plan.config.sampling.answers
    yield CORE, asked, asked, plan.prompt + plan.question + answers * ANSWER_TOKENS, 10 + 3 * answers


def _grade(plan: _Plan) -> _Asked:
    asked = (plan.questions + plan.hedged) * plan.targets
    yield CORE, asked, asked, plan.prompt + plan.question + 2 * ANSWER_TOKENS, 1


def _support(plan: _Plan) -> _Asked:
    asked = plan.questions * plan.targets * (plan.config.sampling.answers - 1)
    sentences = SENTENCES if any(size.format == LONG for size in plan.sizes) else 1
    yield CORE, asked, asked, plan.prompt + plan.question + (sentences + 1) * ANSWER_TOKENS, 1


def _p_true(plan: _Plan) -> _Asked:
    yield CORE, plan.questions, plan.questions, plan.prompt + plan.question + ANSWER_TOKENS, 1


def _grade_rewrites(plan: _Plan) -> _Asked:
    for part, _, texts in _written(plan.config, plan.sizes):
        yield part, texts, texts, plan.prompt + plan.question + HEDGED_TOKENS + ANSWER_TOKENS, 1


def _write_lexicon(plan: _Plan) -> _Asked:
    sentences = plan.config.lexicon.sentences
    asked = plan.hedges * min(sentences, STATEMENTS)
    yield LEXICON, asked, plan.hedges * sentences, plan.prompt + HEDGE_TOKENS, ANSWER_TOKENS


def _rewrite(plan: _Plan) -> _Asked:
    length = plan.prompt + ANSWER_TOKENS + HEDGE_TOKENS * plan.config.retrieval.k
    for part, method, texts in _written(plan.config, plan.sizes):
        each = 1 if METHODS[method].free else _drafts(plan.config)
        yield part, texts, texts * each, length, HEDGED_TOKENS


def _preserve(plan: _Plan) -> _Asked:
    rewritten = sum(texts for _, _, texts in _rewrites(plan.config, plan.sizes))
    asked = len(DIRECTIONS) * (rewritten + plan.hedged * plan.targets)
    yield PRESERVATION, asked, asked, ANSWER_TOKENS + HEDGED_TOKENS, 0


def _read(plan: _Plan) -> _Asked:
    answers = plan.questions + plan.hedged
    if plan.config.resolved_protocol().signal_reading == "own":
        answers += sum(
            size.test for size in plan.sizes
        )  # the originals of linguistic space, beside the signals
    of_readers = _asked_of_readers(plan.config, plan.batch, plan.model)
    for crossing, (requests, written, prompted) in of_readers.items():
        for part, texts in _texts(plan.config, plan.batch, plan.sizes, plan.hedges, answers, crossing):
            length, asked = prompted * plan.prompt + HEDGED_TOKENS, texts * requests
            yield part, asked, asked * written, length, 2 * prompted


#: What is asked in each stage; in all others a reader reads a batch of texts.
_STAGES: dict[str, Callable[[_Plan], _Asked]] = {
    "sample": _sample,
    "source_hedges": _source_hedges,
    "cluster": _cluster,
    "grade": _grade,
    "support": _support,
    "p_true": _p_true,
    "grade_rewrites": _grade_rewrites,
    "write_lexicon": _write_lexicon,
    "rewrite": _rewrite,
    "preserve": _preserve,
}


def _in_sentences(size: Size) -> Size:
    """A dataset's units: of long answers their sentences."""
    each = SENTENCES if size.format == LONG else 1
    return size._replace(train=size.train * each, test=size.test * each)


def _drafts(config: Config) -> int:
    """Texts that a rewriter is asked for, for the reader to choose from."""
    return DRAFTS if config.resolved_protocol().loop == "closed" else 1


def _rewrites(config: Config, sizes: list[Size], crossing: bool = True) -> Iterator[tuple[str, str, int]]:
    """Part, method and number of the rewritten answers, those by other datasets' maps among them or not."""
    answers = len(config.run.targets) * sum(size.test for size in sizes)
    signals, trains = len(config.run.signals), len(config.run.datasets) if crossing else 1
    for name in methods_by(rewritten=True):
        if name in config.run.methods:
            method = METHODS[name]
            conditions = (signals if method.guided else 1) * (
                trains if method.trained and not method.own else 1
            )
            yield CORE if method.guided else method.title.lower(), name, answers * conditions
    if "ralc" in config.run.methods:
        datasets = zip(config.run.datasets, sizes, strict=True)
        asked = sum(size.test for name, size in datasets if name in config.ablated("datasets"))
        asked *= len(config.ablated("targets"))
        yield ABLATIONS, "ralc", asked * signals * (len(config.retrievals()) - 1)


def _written(config: Config, sizes: list[Size]) -> Iterator[tuple[str, str, int]]:
    """Those of the rewrites that a model writes: by method guided, hedges are put into their places."""
    guided = config.roles.rewriter.method == "guided"
    return (one for one in _rewrites(config, sizes) if not guided or METHODS[one[1]].free)


def _texts(
    config: Config, batch: str | None, sizes: list[Size], hedges: int, answers: int, crossing: bool
) -> Iterator[tuple[str, int]]:
    """Part and number of the texts of a batch, for those who read rewrites by other datasets' maps or do not."""
    if batch == "candidates":
        if config.resolved_protocol().loop == "open":
            return
        # ASSUME one place in two of a hedge differs in its text; by method llm each draft does.
        drafts = 1.5 * config.retrieval.shortlist if config.roles.rewriter.method == "guided" else DRAFTS
        for part, method, texts in _rewrites(config, sizes):
            if not METHODS[method].free:
                yield part, round(texts * drafts)
    elif batch == "lexicon":
        yield LEXICON, hedges * config.lexicon.sentences
    elif batch == "answers":
        yield CORE, answers * len(config.run.targets)
    elif batch == "rewrites":
        yield from ((part, texts) for part, _, texts in _rewrites(config, sizes, crossing))
    else:
        yield PEOPLE, sum(HUMAN_TEXTS[name] for name in config.people.studies or HUMAN_TEXTS)


def _asked_of_readers(config: Config, batch: str | None, model: str) -> dict[bool, tuple[int, int, float]]:
    """Requests a text to a model by all readers that it belongs to, answers a request, share with a prompt.

    Of those apart who read rewrites by other datasets' maps and who do not. Who reads by embeddings sends the text
    alone, and nothing is written.
    """
    in_the_loop = batch in ("lexicon", "candidates")
    names = [config.roles.evaluator] if in_the_loop else config.roles.readers
    told: dict[bool, list[Reader]] = {}
    for name in names:
        entry = config.readers[name]
        if model in entry.models:
            told.setdefault(entry.crossing, []).append(build(name, entry.model_dump()))
    return {crossing: _asked(readers) for crossing, readers in told.items()}


def _asked(readers: list[Reader]) -> tuple[int, int, float]:
    requests = sum(reader.asks[0] for reader in readers)
    answers = round(sum(math.prod(reader.asks) for reader in readers) / requests)
    return requests, answers, sum(reader.asks[0] for reader in readers if not reader.embeds) / requests
