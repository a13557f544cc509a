"""vLLM's offline engine: whole slices of requests in one batched call, for GPUs.

The n samples of a request are one request, and prompts share the cache of their beginnings. Log-probabilities are the
model's own, before temperature and cuts (under an output constraint vLLM renormalises them over what is allowed: not
comparable with free answers).
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar

from ralc.llm import chat
from ralc.llm.engines import Answered, Count, EngineError, ReasoningConfig
from ralc.llm.requests import Request, Response, failures

#: Requests handed over at once.
SLICE = 1024
#: The engine's arguments on which no answer depends.
_IGNORED = """cpu_offload_gb data_parallel_size disable_log_stats distributed_executor_backend download_dir
    enable_chunked_prefill enable_prefix_caching enforce_eager gpu_memory_utilization max_num_batched_tokens
    max_num_seqs pipeline_parallel_size swap_space"""


class Options(ReasoningConfig):
    """The entry of a model that vLLM loads."""

    WEIGHTS_KEYS: ClassVar = ("dtype", "quantization", "thinking", "reasoning_tokens")
    KEY_IGNORES: ClassVar = frozenset(_IGNORED.split())
    EXECUTION_KEYS: ClassVar = ReasoningConfig.EXECUTION_KEYS | {"tensor_parallel_size"}
    ENVIRONMENT: ClassVar = "gpu"
    SPEED: ClassVar = (20_000, 2_500)  # a model of 8 billion parameters

    dtype: str = "auto"
    """vllm, entailment: the type of the weights."""
    quantization: str | None = None
    """embedded: `Q8_0` rewrites the file in this type at first use. vllm: how the weights are quantised."""
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
        template = getattr(self._tokenizer, "chat_template", None)
        self._template = template if isinstance(template, str) else ""
        if "<|channel|>" in self._template and entry.thinking == "off":
            raise EngineError(
                f"{entry.model} reasons before every answer and cannot be asked not to: set thinking: strip and "
                "reasoning_tokens (e.g. 1024) in its entry"
            )
        # How a chat template is told not to reason, or little, where it can be.
        switches: dict[str, Any] = {"reasoning_effort": "low"}
        switches |= {"enable_thinking": False} if entry.thinking == "off" else {}
        self._switches = {name: value for name, value in switches.items() if name in self._template}

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Answer slice by slice; see `ralc.llm.engines.Engine`."""
        waiting = enumerate(requests)
        while part := list(islice(waiting, SLICE)):
            for continued in (False, True):  # one call of vLLM does either
                group = [one for one in part if (one[1].messages[-1]["role"] == "assistant") == continued]
                yield from self._chat(group, continued) if group else ()

    def close(self) -> None:
        """Free the devices."""
        self.llm = self._tokenizer = None

    def _chat(self, group: Sequence[tuple[int, Request]], continued: bool) -> Iterator[Answered]:
        """The answers to requests in one call; where vLLM refuses it (a prompt too long), to its halves."""
        try:
            outputs = self.llm.chat(
                [[dict(message) for message in request.messages] for _, request in group],
                [self._parameters(request) for _, request in group],
                use_tqdm=False,
                chat_template_kwargs=self._switches,
                add_generation_prompt=not continued,
                continue_final_message=continued,
            )
        except Exception as error:
            refused = isinstance(error, ValueError | TypeError | NotImplementedError)
            if not refused and "ValidationError" not in type(error).__name__:  # vLLM's own is none of these
                raise _failed(error, self.entry) from error
            half = len(group) // 2
            index, request = group[0]
            if half:
                yield from [*self._chat(group[:half], continued), *self._chat(group[half:], continued)]
            else:
                yield index, failures(request, f"vllm: {' '.join(str(error).split())}"[:500], final=True)
            return
        special = frozenset(self._tokenizer.all_special_ids)
        for (index, request), output in zip(group, outputs, strict=True):
            yield index, _answers(request, output, special)

    def _parameters(self, request: Request) -> Any:
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        # Likely tokens beside the one that is said; reasoning is counted by its tokens.
        listed = 0 if request.logprobs or self.entry.reasoning_tokens else None
        listed = self.llm.model_config.max_logprobs if request.alternatives else listed
        return SamplingParams(
            n=1 if request.temperature == 0 else request.n,  # vLLM refuses equal greedy answers
            seed=request.seed + request.first,
            max_tokens=request.max_tokens + self.entry.reasoning_tokens,
            stop=list(request.stop),
            logprobs=listed,
            structured_outputs=StructuredOutputsParams(**request.constraint) if request.constraint else None,
            skip_special_tokens="<|channel|>" not in self._template,  # GPT-OSS marks its channels by them
            **{name: getattr(request, name) for name in ("temperature", "top_p", "top_k", "min_p")},
        )


def start(entry: Options) -> Offline:
    """Load the model of an entry.

    Raises EngineError if memory does not suffice (with what to change), loading fails, or the model reasons though its
    entry says that it must not.
    """
    # Read when vllm is imported. Threads that spin on cores of other jobs would slow down both.
    os.environ.setdefault("OMP_NUM_THREADS", str(entry.threads))
    os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
    from vllm import LLM

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
    try:
        llm = LLM(**arguments | entry.engine_args)
    except Exception as error:  # vLLM raises of every kind, from its own processes too
        raise _failed(error, entry) from error
    return Offline(entry, llm)


def _answers(request: Request, output: Any, special: frozenset[int]) -> list[Response]:
    """The samples of one output, by way of the schema of servers; a greedy one stands for all n."""
    choices = [_choice(number, completion, special) for number, completion in enumerate(output.outputs)]
    full_request = replace(request, n=len(choices))
    usage = {"prompt_tokens": len(output.prompt_token_ids or ())}
    try:
        full = chat.answers({"choices": choices, "usage": usage}, full_request, echoes=False)
    except chat.BadReplyError as error:
        return failures(request, f"vllm: {error}", final=False)
    spent = [len(completion.token_ids) for completion in output.outputs]
    answers = {one.sample: replace(one, completion_tokens=spent[one.sample - request.first]) for one in full}
    if request.temperature == 0:
        answers = {number: replace(answers[request.first], sample=number) for number in request.numbers}
    return [answers.get(lost.sample, lost) for lost in failures(request, "vllm: it was aborted", final=False)]


def _choice(number: int, completion: Any, special: frozenset[int]) -> dict[str, Any]:
    """A sample as a choice of a server's reply; one that did not end has no message."""
    if completion.finish_reason not in ("stop", "length"):
        return {"index": number}

    def listed(token: int, at: Any) -> dict[str, Any]:  # a token that ends a turn has no text
        return {"token": "" if token in special else at.decoded_token or "", "logprob": float(at.logprob)}

    tokens = [
        listed(token, likely[token]) | {"top_logprobs": [listed(*other) for other in likely.items()]}
        for token, likely in zip(completion.token_ids, completion.logprobs or (), strict=False)
    ]
    message = {"content": completion.text}
    reason = completion.finish_reason
    return {"index": number, "finish_reason": reason, "message": message, "logprobs": {"content": tokens}}


def _failed(error: Exception, entry: Options) -> EngineError:
    """One clear line for what vLLM dies of; its last message does not always say that it was memory."""
    message = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return EngineError(
        f"vllm cannot run {entry.model}: {message}; its own message is above. If it ran out of memory: lower context, "
        "raise tensor_parallel_size (more GPUs), set quantization, or change gpu_memory_utilization in engine_args"
    )
