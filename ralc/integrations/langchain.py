"""LangChain: a middleware that puts the answers of an agent, which is a LangGraph, into calibrated words."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables.config import ContextThreadPoolExecutor

from ralc.integrations import AnswerCalibrator, Fitted


class CalibrationMiddleware(AgentMiddleware):
    """Calibrates each answer that calls no tool; its ``response_metadata["ralc"]`` says how sure it is.

    The model is asked as it was, then for samples at the calibrator's temperature (`AnswerCalibrator`). No part of
    these calls is streamed or cached: the words go out once they are known.
    """

    def __init__(self, calibrator: Fitted, samples: int = 0) -> None:
        super().__init__()
        self._answers = AnswerCalibrator(calibrator, samples)

    def wrap_model_call(self, request: ModelRequest, handler: Any) -> ModelResponse:
        """Ask for an answer, and for its samples side by side."""
        own = handler(_quiet(request))
        with ContextThreadPoolExecutor() as pool:
            tasks = [pool.submit(handler, each) for each in self._samples(own, request)]
        return self._in_words(own, [task.exception() or task.result() for task in tasks], request)

    async def awrap_model_call(self, request: ModelRequest, handler: Any) -> ModelResponse:
        """Ask for an answer, and for its samples side by side."""
        own = await handler(_quiet(request))
        drawn = await asyncio.gather(*map(handler, self._samples(own, request)), return_exceptions=True)
        return await asyncio.to_thread(self._in_words, own, drawn, request)

    def _samples(self, own: ModelResponse, request: ModelRequest) -> list[ModelRequest]:
        settings = request.model_settings | {"temperature": self._answers.temperature}
        wanted = self._answers.wanted(_text(own), _asked(request)[0])
        return [_quiet(request).override(model_settings=settings)] * wanted

    def _in_words(self, own: ModelResponse, drawn: Sequence[Any], request: ModelRequest) -> ModelResponse:
        if not (text := _text(own)):
            return own
        reply = self._answers.reply(text, list(map(_text, drawn)), *_asked(request))
        message = own.result[-1]
        metadata = message.response_metadata | {"ralc": reply.ralc}
        content = message.content if reply.text == text else reply.text
        said = message.model_copy(update={"content": content, "response_metadata": metadata})
        return replace(own, result=[*own.result[:-1], said])


def _quiet(request: ModelRequest) -> ModelRequest:
    """The same request, of which LangGraph streams no token."""
    model = request.model
    if isinstance(model, BaseChatModel):
        model = model.model_copy(update={"tags": [*(model.tags or []), "nostream"], "cache": False})
    return request.override(model=model)


def _text(response: Any) -> str:
    """The text of an answer; "" where it failed or calls tools."""
    message = response.result[-1] if isinstance(response, ModelResponse) else None
    return "" if message is None or message.tool_calls else str(message.text)


def _asked(request: ModelRequest) -> tuple[str, int]:
    """What was asked last, and its turn."""
    questions = [str(one.text) for one in request.messages if one.type == "human"] or [""]
    return questions[-1], len(questions)
