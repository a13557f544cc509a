"""vLLM's offline engine: whole slices of requests in one batched call, for GPUs (and CPUs).

The n samples of a request are one request, prompts share the cache of their beginnings, every
request has its seed (or none has: ``seeding: engine``), log-probabilities are the model's own, before
temperature and cuts (under an output constraint vLLM renormalises them over what is allowed: not
comparable with free answers).
"""

import math
import os
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar, Literal

from ralc.llm import chat
from ralc.llm.errors import EngineError
from ralc.llm.models import Count, ModelConfig
from ralc.llm.reasoning import final_answer
from ralc.llm.requests import Request, Response, failures

_OUT_OF_MEMORY = (
    "out of memory",
    "no available memory for the cache",
    "kv cache is needed",
    "kv cache memory",
)
_WHAT_TO_CHANGE = (
    "lower context, raise tensor_parallel_size (more GPUs), set quantization, or change "
    "engine_args: {gpu_memory_utilization: ..., max_num_seqs: ...}"
)

Indexed = tuple[int, Request]


class Options(ModelConfig):
    """The entry of a model that vLLM loads."""

    LOADED_WITH: ClassVar = ("dtype", "quantization", "thinking", "reasoning_tokens")
    KEY_IGNORES: ClassVar = frozenset(
        {
            "cpu_offload_gb",
            "data_parallel_size",
            "disable_log_stats",
            "distributed_executor_backend",
            "download_dir",
            "enable_chunked_prefill",
            "enable_prefix_caching",
            "enforce_eager",
            "gpu_memory_utilization",
            "max_num_batched_tokens",
            "max_num_seqs",
            "pipeline_parallel_size",
            "swap_space",
        }
    )
    OF_THE_WAY: ClassVar = frozenset({"seeding", "slice_size", "tensor_parallel_size"})
    ENVIRONMENT: ClassVar = "gpu"
    SPEED: ClassVar = (20_000, 2_500)  # a model of 8 billion parameters

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

    @property
    def gpus(self) -> int:
        """GPUs that the engine spreads over."""
        return self.tensor_parallel_size


class Offline:
    """A model loaded by vLLM."""

    def __init__(self, entry: Options, llm: Any) -> None:
        self.entry = entry
        self.llm = llm
        self._tokenizer = llm.get_tokenizer()
        self._turn = threading.Lock()
        self.context: int = llm.model_config.max_model_len
        template = getattr(self._tokenizer, "chat_template", None)
        self._template = template if isinstance(template, str) else ""
        self._special = frozenset(self._tokenizer.all_special_ids)
        if "<|channel|>" in self._template and entry.thinking == "off":
            raise EngineError(
                f"{entry.model} reasons before every answer and cannot be asked not to: set thinking: strip and "
                "reasoning_tokens (e.g. 1024) in its entry"
            )

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Answer slice by slice; see `ralc.llm.engines.Engine`."""
        waiting = enumerate(requests)
        while part := list(islice(waiting, self.entry.slice_size)):
            with self._turn:
                answered = list(self._slice(part))
            yield from answered

    def close(self) -> None:
        """Free the devices."""
        self.llm = self._tokenizer = None

    def _slice(self, part: Sequence[Indexed]) -> Iterator[tuple[int, list[Response]]]:
        fitting = []
        for index, request in part:
            if request.embedding:
                raise EngineError("engine vllm gives no embeddings: use its server, by engine openai")
            if problem := self._too_long(request):
                yield index, failures(request, problem, final=True)
            else:
                fitting.append((index, request))
        for continued in (False, True):  # one call of vLLM either begins answers or continues them
            group = [(i, r) for i, r in fitting if (r.messages[-1]["role"] == "assistant") == continued]
            yield from self._chat(group, continued)

    def _chat(self, group: Sequence[Indexed], continued: bool) -> Iterator[tuple[int, list[Response]]]:
        """The answers to requests in one call; where vLLM refuses the call, to each alone."""
        if not group:
            return
        try:
            outputs = self.llm.chat(
                [[dict(message) for message in request.messages] for _, request in group],
                [self._parameters(request) for _, request in group],
                use_tqdm=False,
                add_generation_prompt=not continued,
                continue_final_message=continued,
                chat_template_kwargs=self._template_arguments(),
            )
        except (ValueError, TypeError, NotImplementedError) as error:
            if len(group) > 1:
                for one in group:
                    yield from self._chat([one], continued)
            else:
                ((index, request),) = group
                yield index, failures(request, f"vllm: {' '.join(str(error).split())}"[:500], final=True)
            return
        except Exception as error:  # whatever vLLM dies of, it cannot go on
            raise _explained(error, self.entry) from error
        for (index, request), output in zip(group, outputs, strict=True):
            yield index, _answers(request, output, self._special)

    def _parameters(self, request: Request) -> Any:
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        constraint = request.constraint
        return SamplingParams(
            n=1 if request.temperature == 0 else request.n,  # vLLM refuses equal greedy answers
            seed=request.seed + request.first if self.entry.seeding == "request" else None,
            temperature=request.temperature,
            top_p=request.top_p,
            top_k=request.top_k,
            min_p=request.min_p,
            max_tokens=request.max_tokens + self.entry.reasoning_tokens,
            stop=list(request.stop),
            logprobs=self._most_likely(request),
            structured_outputs=StructuredOutputsParams(**constraint) if constraint else None,
            skip_special_tokens="<|channel|>" not in self._template,  # GPT-OSS marks its channels by them
        )

    def _most_likely(self, request: Request) -> int | None:
        """How many likely tokens are wanted beside the one that is said; reasoning is counted by its tokens."""
        if request.alternatives:
            return self.llm.model_config.max_logprobs
        return 0 if request.logprobs or self.entry.reasoning_tokens else None

    def _template_arguments(self) -> dict[str, Any]:
        """How a chat template is told not to reason, or little, where it can be."""
        told: dict[str, Any] = {"reasoning_effort": "low"}
        if self.entry.thinking == "off":
            told["enable_thinking"] = False
        return {name: value for name, value in told.items() if name in self._template}

    def _too_long(self, request: Request) -> str | None:
        """Why a request exceeds the context; None if it fits."""
        longest = request.max_tokens + self.entry.reasoning_tokens
        room = self.context - longest
        # A token is at least a byte, and a template adds less than this: most prompts need not be counted.
        size = sum(len(message["content"].encode()) + 32 for message in request.messages) + 512
        if size <= room:
            return None
        tokens = self._prompt_tokens(request)
        if tokens <= room:
            return None
        answer = f"answer of up to {longest}"
        return f"prompt of {tokens} tokens and {answer} exceed the context of {self.context}"

    def _prompt_tokens(self, request: Request) -> int:
        continued = request.messages[-1]["role"] == "assistant"
        ids = self._tokenizer.apply_chat_template(
            [dict(message) for message in request.messages],
            add_generation_prompt=not continued,
            continue_final_message=continued,
            tokenize=True,
            **self._template_arguments(),
        )
        return len(ids["input_ids"] if isinstance(ids, Mapping) else ids)


def start(entry: Options) -> Offline:
    """Load the model of an entry.

    Raises
    ------
    EngineError
        If vllm is not installed, memory does not suffice (with what to change), loading fails, or the model
        reasons though its entry says that it must not.
    """
    # Read when vllm is imported. Threads that spin on cores of other jobs would slow down both.
    os.environ.setdefault("OMP_NUM_THREADS", str(entry.threads))
    os.environ.setdefault("VLLM_CPU_OMP_THREADS_BIND", "nobind")
    os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
    try:
        from vllm import LLM
    except ImportError as error:
        raise EngineError(f"engine vllm is not installed here ({error}); see envs/gpu.yaml") from None
    try:
        llm = LLM(**_arguments(entry))
    except Exception as error:  # vLLM raises of every kind, from its own processes too
        raise _explained(error, entry) from error
    return Offline(entry, llm)


def _arguments(entry: Options) -> dict[str, Any]:
    """The arguments of vLLM's engine, those of the entry's engine_args last."""
    arguments: dict[str, Any] = {
        "model": entry.model,
        "revision": entry.revision,
        "dtype": entry.dtype,
        "quantization": entry.quantization,
        "tensor_parallel_size": entry.tensor_parallel_size,
        "max_model_len": entry.context,
        "enable_prefix_caching": True,
        "max_logprobs": 128,  # what may be listed beside a token, for a request's alternatives
        # A small model pads JSON with white space until its answer is cut.
        "structured_outputs_config": {"backend": "xgrammar", "disable_any_whitespace": True},
    }
    if (
        entry.seeding == "engine"
    ):  # another one each time, or a job that goes on would draw the same answers again
        arguments["seed"] = secrets.randbits(31)
    return arguments | _processor_arguments(entry) | entry.engine_args


def _processor_arguments(entry: Options) -> dict[str, Any]:
    """What vLLM needs on a machine without a GPU and does not see to itself."""
    import torch
    from vllm.platforms import current_platform

    if not current_platform.is_cpu():
        return {}
    # With chunked prefill a seeded request whose prompt is split kills the engine ("CPU Generator
    # does not use offset"); without it a batch must hold the longest prompt.
    arguments: dict[str, Any] = {"enable_chunked_prefill": False}
    if entry.context and entry.context > 4096:
        arguments["max_num_batched_tokens"] = entry.context
    if entry.dtype == "auto" and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        arguments["dtype"] = "float32"  # bfloat16 works there, many times slower
    return arguments


def _answers(request: Request, output: Any, special: frozenset[int]) -> list[Response]:
    """The samples of one output; a greedy one stands for all n."""
    prompt_tokens = len(output.prompt_token_ids or ())
    found = [_answer(request, completion, prompt_tokens, special) for completion in output.outputs]
    if request.temperature == 0:
        found *= request.n
    return [replace(one, sample=number) for number, one in zip(request.numbers, found, strict=True)]


def _answer(request: Request, completion: Any, prompt_tokens: int, special: frozenset[int]) -> Response:
    if completion.finish_reason not in ("stop", "length"):
        return failures(request, f"vllm: finish_reason {completion.finish_reason!r}", final=False)[0]
    raw = chat.clean(completion.text)
    text, stripped = final_answer(raw)
    tokens = len(completion.token_ids)
    own = _own_tokens(completion, text, whole=not stripped) if completion.logprobs else None
    logprobs = None if own is None else tuple(value for _, value in own)
    if any(map(math.isnan, logprobs or ())):
        return failures(request, "vllm: a log-probability is no number (does dtype overflow?)", final=False)[
            0
        ]
    ended = completion.finish_reason == "stop" and not isinstance(completion.stop_reason, str)
    reasoning = tokens - ended - len(logprobs) if stripped and logprobs is not None else 0
    return Response(
        request.key,
        text,
        completion.finish_reason,
        logprobs if request.logprobs else None,
        prompt_tokens,
        tokens,
        reasoning_tokens=reasoning,
        token_ends=chat.token_ends([piece for piece, _ in own], text) if own and request.logprobs else None,
        alternatives=_alternatives(completion, request, special, reasoning) if request.alternatives else None,
        raw=raw if stripped else None,
    )


def _alternatives(
    completion: Any, request: Request, special: frozenset[int], place: int
) -> tuple[float | None, ...] | None:
    """Log-probabilities of the request's alternatives as the first token of the answer, which is at a place."""
    first = dict(*(completion.logprobs or [])[place : place + 1])
    listed = [
        (b"" if token in special else (at.decoded_token or "").encode(), min(float(at.logprob), 0.0))
        for token, at in first.items()
    ]
    return chat.alternatives(listed, request.alternatives)


def _own_tokens(completion: Any, text: str, *, whole: bool) -> list[tuple[bytes, float]]:
    """The tokens that make up the answer, and their log-probabilities.

    `whole`: whether the answer is all that was said, but for the end-of-turn token.
    """
    said = list(zip(completion.token_ids, completion.logprobs, strict=True))
    pieces = [
        ((at[token].decoded_token or "").encode(), min(float(at[token].logprob), 0.0)) for token, at in said
    ]
    stopped_by_text = isinstance(completion.stop_reason, str)
    if whole and not stopped_by_text:
        return pieces[:-1] if completion.finish_reason == "stop" else pieces
    return [pieces[place] for place in chat.answer_tokens(pieces, text)]


def _explained(error: Exception, entry: Options) -> EngineError:
    """One clear line for what vLLM dies of."""
    said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    if any(phrase in said.lower() for phrase in _OUT_OF_MEMORY):
        return EngineError(f"vllm has too little memory for {entry.model}: {_WHAT_TO_CHANGE} ({said})")
    if "engine core" in said.lower() or "EngineDead" in said:
        return EngineError(
            f"vllm stopped ({said}; its own message is above). If it ran out of memory: {_WHAT_TO_CHANGE}"
        )
    return EngineError(f"vllm cannot run {entry.model}: {said}")
