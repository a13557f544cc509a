"""vLLM's offline engine: whole slices of requests in one batched call, for GPUs (and CPUs).

The n samples of a request are one request, prompts share the cache of their beginnings, every
request has its seed, log-probabilities are the model's own, before
temperature and cuts (under an output constraint vLLM renormalises them over what is allowed: not
comparable with free answers).
"""

import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar

from ralc.llm import chat
from ralc.llm.engines import EngineError
from ralc.llm.models import Count, ReasoningConfig
from ralc.llm.requests import Request, Response, failures

#: Requests handed over at once.
SLICE = 1024
_WHAT_TO_CHANGE = (
    "lower context, raise tensor_parallel_size (more GPUs), set quantization, or change "
    "engine_args: {gpu_memory_utilization: ..., max_num_seqs: ...}"
)


class Options(ReasoningConfig):
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
    OF_THE_WAY: ClassVar = frozenset({"tensor_parallel_size"})
    ENVIRONMENT: ClassVar = "gpu"
    SPEED: ClassVar = (20_000, 2_500)  # a model of 8 billion parameters

    dtype: str = "auto"
    """vllm, entailment: the type of the weights."""
    quantization: str | None = None
    """How the weights are quantised. embedded: `Q8_0` or `Q4_0`, the type that the file is rewritten in at first use;
    as it is without it."""
    tensor_parallel_size: Count = 1
    """vllm: GPUs that the model spreads over."""

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
        while part := list(islice(waiting, SLICE)):
            with self._turn:
                answered = list(self._slice(part))
            yield from answered

    def close(self) -> None:
        """Free the devices."""
        self.llm = self._tokenizer = None

    def _slice(self, part: Sequence[tuple[int, Request]]) -> Iterator[tuple[int, list[Response]]]:
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

    def _chat(
        self, group: Sequence[tuple[int, Request]], continued: bool
    ) -> Iterator[tuple[int, list[Response]]]:
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
            seed=request.seed + request.first,
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
    """The samples of one output, by way of the schema of servers; a greedy one stands for all n."""
    choices = [_choice(number, completion, special) for number, completion in enumerate(output.outputs)]
    wanted = replace(request, n=len(choices), logprobs=any(choice["logprobs"] for choice in choices))
    usage = {"prompt_tokens": len(output.prompt_token_ids or ())}
    try:
        found = chat.answers({"choices": choices, "usage": usage}, wanted, echoes=False)
    except chat.BadReplyError as error:
        return failures(request, f"vllm: {error}", final=False)
    unasked = {} if request.logprobs else {"token_logprobs": None, "token_ends": None}
    answers = {
        one.sample: replace(
            one, completion_tokens=len(output.outputs[one.sample - request.first].token_ids), **unasked
        )
        for one in found
    }
    if request.temperature == 0 and found:
        answers = {number: replace(answers[request.first], sample=number) for number in request.numbers}
    return [answers.get(lost.sample, lost) for lost in failures(request, "vllm: it was aborted", final=False)]


def _choice(number: int, completion: Any, special: frozenset[int]) -> dict[str, Any]:
    """A sample as a choice of a server's reply; one that did not end has no message."""
    if completion.finish_reason not in ("stop", "length"):
        return {"index": number, "logprobs": None}
    said = zip(completion.token_ids, completion.logprobs or (), strict=False)
    tokens = [
        _token(token, listed[token], special)
        | {"top_logprobs": [_token(other, at, special) for other, at in listed.items()]}
        for token, listed in said
    ]
    return {
        "index": number,
        "finish_reason": completion.finish_reason,
        "message": {"content": completion.text},
        "logprobs": {"content": tokens} if tokens else None,
    }


def _token(token: int, at: Any, special: frozenset[int]) -> dict[str, Any]:
    """A token as a server lists it: one that ends a turn has no text."""
    return {"token": "" if token in special else at.decoded_token or "", "logprob": float(at.logprob)}


def _explained(error: Exception, entry: Options) -> EngineError:
    """One clear line for what vLLM dies of."""
    said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    if re.search(
        r"out of memory|kv cache (?:is needed|memory)|memory for the cache|engine ?core|enginedead",
        said,
        re.I,
    ):
        said += f"; its own message is above. If it ran out of memory: {_WHAT_TO_CHANGE}"
    return EngineError(f"vllm cannot run {entry.model}: {said}")
