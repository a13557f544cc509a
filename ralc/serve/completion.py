"""A reply in calibrated words: what was asked, samples of the upstream, their majority, and the words that say it."""

import asyncio
import logging
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ralc.calibrator import WordCalibrator
from ralc.llm.chat import answer_tokens, content_of
from ralc.registry import SIGNALS
from ralc.rewriting import Rewrite, as_numbers
from ralc.serve.upstream import Headers, Object, Sample, ServeError, Upstream, parsed, text_of
from ralc.signals import OF_SENTENCES

LONGEST_ANSWER = 20_000  # characters: no hedge reaches over so many sentences
_LONGEST_QUESTION = 20_000  # characters that are looked at
#: Fields of a request that a calibrated answer could not honour, and what they ask for.
_UNFIT = {
    "tools": "it offers tools",
    "functions": "it offers functions",
    "response_format": "it wants a form other than text",
    "logprobs": "it wants log-probabilities of the very text",
    "audio": "it wants sound",
    "prediction": "it predicts its own answer",
}
_TOOLS = ("tool", "function")
_LOG = logging.getLogger("ralc.serve")


class RequestError(ServeError):
    """A request that is refused; its connection is closed, since its body may not have come."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message, "invalid_request_error", [(b"connection", b"close")])


class Options(BaseModel):
    """The object ``ralc`` of a request."""

    model_config = ConfigDict(extra="forbid", strict=True)

    calibrate: bool = True
    style: Literal["words", "range"] = "words"


class ChatRequest(BaseModel):
    """A chat completion that a client asks for."""

    model_config = ConfigDict(extra="allow")

    messages: Annotated[list[Any], Field(min_length=1)]
    ralc: Options = Options()

    @classmethod
    def read(cls, content: bytes) -> "ChatRequest":
        """Return what a request's body asks for."""
        try:
            return cls.model_validate(parsed(content))
        except ValueError as error:
            fault: Any = {"loc": (), "msg": f"is not JSON: {error}"}
            fault = error.errors()[0] if isinstance(error, ValidationError) else fault
            where = ".".join(map(str, fault["loc"])) or "the body"
            raise RequestError(400, f"{where}: {fault['msg']}"[:300]) from None

    @property
    def body(self) -> Object:
        """What the upstream is sent: all but the object ``ralc``."""
        return {"messages": self.messages, **(self.model_extra or {})}

    @property
    def streamed(self) -> bool:
        """Whether the reply is to be a stream."""
        return self.body.get("stream") is True

    @property
    def question(self) -> str:
        """The last words of the user."""
        users = (message for message in reversed(self.messages) if message.get("role") == "user")
        return (_text_in(next(users, {})) or "")[:_LONGEST_QUESTION]

    @property
    def skip_reason(self) -> str:
        """Why it passes as it is; "" where it is to be calibrated."""
        body = self.body
        if not self.ralc.calibrate:
            return "the request says so"
        for name, why in _UNFIT.items():
            if body.get(name) and body[name] != {"type": "text"}:
                return why
        if body.get("n") not in (None, 1):
            return "it asks for several answers"
        plain = all(_text_in(message) is not None for message in self.messages)
        return "" if plain else "it holds more than text"


def _text_in(message: Any) -> str | None:
    """The text of a message; None where it has an image, a sound, a file, or is a tool's."""
    if not isinstance(message, dict) or message.get("role") in _TOOLS or message.get("tool_calls"):
        return None
    content = message.get("content")
    if isinstance(content, list):
        plain = all(isinstance(part, dict) and part.get("type") == "text" for part in content)
        content = " ".join(str(part.get("text", "")) for part in content) if plain else None
    return content if isinstance(content, str) else None


class Completion:
    """Turns what a client asked into a calibrated reply; ValueError if no upstream gives what the calibrator takes."""

    def __init__(self, calibrator: WordCalibrator, upstream: Upstream, samples: int) -> None:
        self._calibrator, self._upstream = calibrator, upstream
        self.signal: str = calibrator.signal_
        if self.signal == "score" or SIGNALS[self.signal].needs_extra_call:
            why = "no upstream gives it: fit on samples (a column samples) or on words (a column answer)"
            raise ValueError(f"the calibrator was fitted on {self.signal}, and {why}")
        entry, design = SIGNALS[self.signal], calibrator.design_
        # Words are read in one answer, unless they were those of the majority of several.
        of_one = self.signal == "linguistic_confidence" and (design is None or design.most == 1)
        self._wanted, self._logprobs = 1 if of_one else samples, bool(entry.logprobs)
        self._hands = asyncio.Semaphore(4)  # replies whose words are worked out side by side
        several = f"{self.signal} compares several answers" if entry.needs_samples and samples == 1 else ""
        if why := several or calibrator.unlike([self._wanted]):
            raise ValueError(f"--samples {self._wanted}: {why}")

    async def reply(self, request: ChatRequest, headers: Headers) -> tuple[Object, Headers]:
        """Return the upstream's reply in calibrated words, with the object ``ralc``, and its headers."""
        if request.skip_reason:
            reply = await self._upstream.post(headers, request.body)
            return {**reply.body, "ralc": unchanged(request.skip_reason)}, reply.headers
        if request.ralc.style == "range" and self.signal in OF_SENTENCES:
            raise RequestError(400, "style range: this calibrator's confidences are of sentences")
        sample = await self._upstream.draw(request.body, headers, self._wanted, logprobs=self._logprobs)
        choice, report = sample.choices[0], unchanged(self._unfit(sample))
        try:
            if not report["reason"]:
                async with self._hands:
                    choice, report = await asyncio.to_thread(self._words, sample, request)
        except Exception as error:  # a client is better served by the answer as it is than by no answer
            _LOG.error("an answer could not be put into words: %s", type(error).__name__)  # not what it said
            report = unchanged(f"ralc failed on it ({type(error).__name__})")
        return {**sample.first, "choices": [{**choice, "index": 0}], "ralc": report}, sample.headers

    def _words(self, sample: Sample, request: ChatRequest) -> tuple[Object, Object]:
        """The first choice of the majority, its answer rewritten, and the object ``ralc``."""
        texts, questions = [text_of(choice) for choice in sample.choices], [request.question]
        logprobs = [list(map(_logprobs, sample.choices))] if self._logprobs else None
        (most,), confidence = self._calibrator.confidence_of(
            [texts], token_logprobs=logprobs, questions=questions
        )
        choice = sample.choices[most.members[0]]
        if choice.get("finish_reason") in ("length", "content_filter"):
            return choice, unchanged("the answer was cut off")
        content, style = content_of(choice["message"])[0], request.ralc.style
        (rewrite,) = self._calibrator.rewrite([content], confidence, questions=questions, style=style)
        message = {**choice["message"], "content": rewrite.text}
        return {**choice, "message": message, "logprobs": None}, _report(rewrite, self.signal, sample)

    def _unfit(self, sample: Sample) -> str:
        """Why the answers cannot be calibrated; "" where they can."""
        messages, texts = [choice["message"] for choice in sample.choices], list(map(text_of, sample.choices))
        samples = len(texts)
        design = self._calibrator.design_
        alike = not design.unlike([samples]) if design else 2 * samples >= self._wanted
        losses = f"{sample.copies} copies of others, {sample.failed} failed"
        few = f"{samples} of {self._wanted} answers are samples of their own ({losses}), which is too few"
        called = any(message.get("tool_calls") or message.get("function_call") for message in messages)
        lacking = self._logprobs and not all(map(_logprobs, sample.choices))
        reasons = {
            "the model called a tool": called,
            "the model refused": any(message.get("refusal") for message in messages),
            "an answer has no text": not all(text.strip() for text in texts),
            "an answer is too long": max(map(len, texts)) > LONGEST_ANSWER,
            "the upstream gave no log-probabilities": lacking,
            few: samples != self._wanted and not alike,
        }
        return next((why for why, holds in reasons.items() if holds), "")


def _logprobs(choice: Object) -> list[float]:
    """The log-probabilities of an answer's tokens, without those of reasoning; empty where they did not come."""
    try:
        tokens = choice["logprobs"]["content"]
        places = answer_tokens([token["token"].encode() for token in tokens], text_of(choice))
        return [min(float(tokens[place]["logprob"]), 0.0) for place in places]
    except (KeyError, TypeError, ValueError, AttributeError):
        return []


def unchanged(reason: str) -> Object:
    """Return the object ``ralc`` of a reply that passes as it came."""
    return {"calibrated": False, "reason": reason}


def _report(rewrite: Rewrite, signal: str, sample: Sample) -> Object:
    """The object ``ralc`` of a calibrated reply."""
    losses = {name: getattr(sample, name) for name in ("copies", "failed") if getattr(sample, name)}
    report = {"calibrated": rewrite.calibrated, "signal": signal, "samples": len(sample.choices), **losses}
    report |= {name: as_numbers(getattr(rewrite, name)) for name in ("confidence", "target", "read")}
    report |= {name: getattr(rewrite, name) for name in ("hedge", "original", "changed", "door")}
    report["reason"] = rewrite.reason.text
    return report | ({"sentences": [one.to_dict() for one in rewrite.sentences]} if rewrite.sentences else {})
