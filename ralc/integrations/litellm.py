"""LiteLLM: a guardrail of its proxy that puts chat completions of any provider into calibrated words."""

import sys
from collections.abc import AsyncIterator
from contextvars import ContextVar
from typing import Any

import litellm
import openai
from litellm.constants import OPENAI_CHAT_COMPLETION_PARAMS
from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.types.utils import ModelResponse, ModelResponseStream

from ralc.calibrator import WordCalibrator
from ralc.serve.completion import ChatRequest, Completion, unchanged
from ralc.serve.upstream import Caller, Object, Reply, ServeError, Upstream, upstream_error

_FIELDS = {"model", "messages", *OPENAI_CHAT_COMPLETION_PARAMS} - {"stream", "stream_options"}
#: Of a call that no cache answers.
_PAST = {"no-cache": True, "no-store": True}
#: While a reply is worked on: what the proxy knows of its request, and the reply as it came.
_current: ContextVar[tuple[Object, Object] | None] = ContextVar("ralc_current", default=None)


class CalibrationGuardrail(CustomGuardrail):
    """Does with each reply of the proxy what `ralc serve` does; its field ``ralc`` says how sure it is.

    In the proxy's configuration its parameters stand beside ``mode: post_call``. A stream is held until its words are
    known. Where samples fail, the reply goes out as it came.

    Parameters
    ----------
    calibrator
        The file of a calibrator.
    samples
        Answers a reply; 0: as many as the calibrator was fitted on, or 10.
    own_answer
        Whether the reply that came is put into words, and not the majority of the samples.
    **params
        Those of any guardrail of LiteLLM.

    Raises
    ------
    RuntimeError
        If the file holds no calibrator that `ralc.serve.completion.Completion` takes.
    """

    def __init__(self, calibrator: str, samples: int = 0, own_answer: bool = False, **params: Any) -> None:
        super().__init__(**params)
        try:
            fitted = WordCalibrator.load(calibrator)
            self._words = Completion(fitted, _Models("http://localhost", 120), samples, own_answer=own_answer)
        except ValueError as error:  # with that the proxy would start, without its guardrail
            raise RuntimeError(f"guardrail {self.guardrail_name}: {error}") from None

    async def async_post_call_success_hook(self, data: dict, user_api_key_dict: Any, response: Any) -> Any:
        """Put a reply into words; what is no chat completion passes.

        Parameters
        ----------
        data
            What a client asked for, with what the proxy adds.
        user_api_key_dict
            Who asks.
        response
            The reply as it came.
        """
        # A deployment's own guardrails run on samples, too, and before those of the proxy.
        known = _current.get() or hasattr(response, "ralc")
        if not isinstance(response, ModelResponse) or not response.choices or known:
            return response
        reply = response.model_dump()
        token = _current.set((data.get("metadata") or {}, reply))
        caller = Caller([(b"authorization", str(user_api_key_dict.api_key).encode())])
        try:
            reply, _ = await self._words.reply(_asked(data), caller)
        except Exception as error:  # a client is better served by the answer as it is than by no answer
            why = str(error) if isinstance(error, ServeError) else type(error).__name__
            reply["ralc"] = unchanged(f"its samples failed: {why}")
        finally:
            _current.reset(token)
        response.choices[0].message.content = reply["choices"][0]["message"]["content"]
        response.ralc = reply["ralc"]
        return response

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: dict
    ) -> AsyncIterator[Any]:
        """Put a stream into words: its first part has them all, its last one the field ``ralc``.

        Parameters
        ----------
        user_api_key_dict
            Who asks.
        response
            The parts of the stream as they come.
        request_data
            What a client asked for, with what the proxy adds.
        """
        chunks = []
        passes = not request_data.get("messages") or _asked(request_data).skip_reason
        async for chunk in response:
            if passes or not isinstance(chunk, ModelResponseStream):
                yield chunk
            else:
                chunks.append(chunk)
        if not chunks:
            return
        whole = litellm.stream_chunk_builder(chunks) or ModelResponse()
        await self.async_post_call_success_hook(request_data, user_api_key_dict, whole)
        text = whole.choices[0].message.content
        for chunk in chunks:
            for choice in chunk.choices:
                if choice.delta.content:
                    choice.delta.content, text = text, ""
                if choice.finish_reason:
                    # Without provider's fields, be they none, the proxy sends the fields alone that it knows.
                    chunk.ralc = whole.ralc
                    chunk.provider_specific_fields = chunk.provider_specific_fields or {}
            yield chunk


class _Models(Upstream):
    """The models of the proxy in place of a server; without a proxy, those that this process calls."""

    async def _patient(self, caller: Caller, body: Object, added: Object, until: float, **how: Any) -> Reply:
        """One request; the reply to what the client asked, with nothing added, has come."""
        came = Reply(_current.get()[1], [], {}, body)
        return await super()._patient(caller, body, added, until, **how) if added else came

    async def post(self, caller: Caller, body: Object) -> Reply:
        """Call a model, at the expense of who asks, and past any cache."""
        router = getattr(sys.modules.get("litellm.proxy.proxy_server"), "llm_router", None) or litellm
        try:
            reply = await router.acompletion(**body, metadata={**_current.get()[0]}, cache=_PAST)
        except openai.APIError as error:  # what it says may name a key of the proxy's
            failure = upstream_error(f" failed ({type(error).__name__})", getattr(error, "status_code", 502))
            failure.refusal = str(error)
            raise failure from None
        return Reply(reply.model_dump(), [], {}, body)


def _asked(data: dict) -> ChatRequest:
    """What a client asked for, without what the proxy adds."""
    return ChatRequest.of({name: data[name] for name in _FIELDS & data.keys()})
