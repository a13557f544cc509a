"""A reply in calibrated words: samples of the upstream, their majority, its confidence, and the words that say it."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from ralc.calibrator import WordCalibrator
from ralc.calibrator.card import TELLING
from ralc.calibrator.confidence import majority
from ralc.llm.chat import final_answer
from ralc.registry import SIGNALS
from ralc.rewriting import Rewrite, as_numbers
from ralc.serve.messages import Headers, RequestError
from ralc.serve.requests import ChatRequest
from ralc.serve.upstream import Choice, Sample, Upstream, text_of
from ralc.signals import OF_SENTENCES

LONGEST_ANSWER = 20_000  # characters: no hedge reaches over so many sentences
_AT_ONCE = 4  # replies whose words are worked out side by side

_LOG = logging.getLogger("ralc.serve")


class Completion:
    """Turns what a client asked into a calibrated reply."""

    def __init__(self, calibrator: WordCalibrator, upstream: Upstream, samples: int) -> None:
        self._calibrator, self._upstream = calibrator, upstream
        self.signal: str = calibrator.signal_
        if why := _unserved(calibrator, samples):
            raise ValueError(why)
        design = calibrator.design_
        # Words are read in one answer, unless they were those of the majority of several.
        of_one = self.signal == "linguistic_confidence" and (design is None or design.most == 1)
        self._wanted = 1 if of_one else samples
        if why := calibrator.unlike([self._wanted] * TELLING):
            raise ValueError(f"--samples {self._wanted}: {why}")
        self._logprobs = bool(SIGNALS[self.signal].logprobs)
        self._hands = ThreadPoolExecutor(_AT_ONCE)

    async def reply(self, request: ChatRequest, headers: Headers) -> tuple[dict[str, Any], Headers]:
        """Return the upstream's reply in calibrated words, with the object ``ralc``, and its headers."""
        if request.options.style == "range" and self.signal in OF_SENTENCES:
            raise RequestError(
                400, "style range is of one confidence an answer: this calibrator's are of sentences"
            )
        sample = await self._upstream.draw(request.body, headers, self._wanted, logprobs=self._logprobs)
        return await self._in_words(request, sample), sample.headers

    async def _in_words(self, request: ChatRequest, sample: Sample) -> dict[str, Any]:
        choices = sample.choices
        if why := self._unfit(sample):
            return _as_it_came(sample, choices[0], why)
        try:
            loop = asyncio.get_running_loop()
            at, made = await loop.run_in_executor(self._hands, self._words, choices, request)
        except Exception as error:  # a client is better served by the answer as it is than by no answer
            _LOG.error("an answer could not be put into words: %s", type(error).__name__)  # not what it said
            return _as_it_came(sample, choices[0], f"ralc failed on it ({type(error).__name__})")
        if choices[at].get("finish_reason") in ("length", "content_filter"):
            return _as_it_came(sample, choices[at], "the answer was cut off")
        choice = {key: value for key, value in choices[at].items() if key != "logprobs"}
        choice |= {"index": 0, "message": {**choice["message"], "content": made.text}}
        return {**sample.first, "choices": [choice], "ralc": _told(made, self.signal, sample)}

    def _words(self, choices: list[Choice], request: ChatRequest) -> tuple[int, Rewrite]:
        """Which choice is the majority's first, and its answer rewritten."""
        texts, questions = [text_of(choice) for choice in choices], [request.question]
        if self.signal == "linguistic_confidence":
            at = majority(texts, request.question).members[0]
            confidence = self._calibrator.read([texts[at]])
        else:
            logprobs = [list(map(_logprobs, choices))] if self._logprobs else None
            (most,), confidence = self._calibrator.confidence_of(
                [texts], token_logprobs=logprobs, questions=questions
            )
            at = most.members[0]
        (made,) = self._calibrator.rewrite(
            [texts[at]], confidence, questions=questions, style=request.options.style
        )
        return at, _behind(choices[at]["message"]["content"], texts[at], made)

    def _unfit(self, sample: Sample) -> str:
        """Why the answers cannot be calibrated; "" where they can."""
        messages, texts = [one["message"] for one in sample.choices], list(map(text_of, sample.choices))
        kept = len(texts)
        alike = not self._calibrator.unlike([kept]) if self._calibrator.design_ else 2 * kept >= self._wanted
        lost = f"{sample.copies} copies of others, {sample.failed} failed"
        reasons = {
            "the model called a tool": any(
                one.get("tool_calls") or one.get("function_call") for one in messages
            ),
            "the model refused": any(one.get("refusal") for one in messages),
            "an answer has no text": not all(text.strip() for text in texts),
            "an answer is too long": max(map(len, texts)) > LONGEST_ANSWER,
            "the upstream gave no log-probabilities": self._logprobs
            and not all(map(_logprobs, sample.choices)),
            "the log-probabilities are of the reasoning, too": self._logprobs
            and any(map(_reasons, messages)),
            f"{kept} of {self._wanted} answers are samples of their own ({lost}), which is too few": (
                kept != self._wanted and not alike
            ),
        }
        return next((why for why, holds in reasons.items() if holds), "")


def _unserved(calibrator: WordCalibrator, samples: int) -> str:
    """Why a calibrator cannot be served so; "" where it can."""
    signal = calibrator.signal_
    if signal == "score":
        return (
            "the calibrator was fitted on scores of your own, which no upstream gives: fit it on samples "
            "(ralc fit with a column samples) or on words (a column answer)"
        )
    known = SIGNALS[signal]
    if known.asks:
        return f"the calibrator's {signal} asks a model once more, which ralc serve does not: take another signal"
    alone = ", ".join(name for name, one in SIGNALS.items() if one.logprobs and not one.compares)
    enough = samples > 1 or not known.compares
    return (
        "" if enough else f"one answer is not enough: {signal} compares several; signals of one are {alone}"
    )


def _logprobs(choice: Choice) -> list[float]:
    """The log-probabilities of an answer's tokens; empty where they did not come."""
    logprobs = choice.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    values = [one.get("logprob") for one in tokens or () if isinstance(one, dict)]
    sound = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    return [min(float(value), 0.0) for value in values] if sound else []


def _reasons(message: dict[str, Any]) -> bool:
    """Whether a message reasoned before its answer, in its text or beside it."""
    beside = message.get("reasoning_content") or message.get("reasoning")
    return bool(beside or final_answer(message["content"])[1])


def _behind(content: str, answer: str, made: Rewrite) -> Rewrite:
    """A rewritten answer behind the reasoning that stood before it."""
    if not content.rstrip().endswith(answer):
        return made
    thought = content[: content.rstrip().rindex(answer)] if answer else ""
    moved = (
        replace(one, start=one.start + len(thought), end=one.end + len(thought)) for one in made.sentences
    )
    return replace(made, text=thought + made.text, sentences=tuple(moved))


def _as_it_came(sample: Sample, choice: Choice, why: str) -> dict[str, Any]:
    ralc = {"calibrated": False, "reason": why}
    return {**sample.first, "choices": [{**choice, "index": 0}], "ralc": ralc}


def _told(made: Rewrite, signal: str, sample: Sample) -> dict[str, Any]:
    """The object ``ralc`` of a calibrated reply."""
    lost = {name: getattr(sample, name) for name in ("copies", "failed") if getattr(sample, name)}
    told = {"calibrated": made.calibrated, "signal": signal, "samples": len(sample.choices), **lost}
    told |= {name: as_numbers(getattr(made, name)) for name in ("confidence", "target", "read")}
    told |= {name: getattr(made, name) for name in ("hedge", "original", "changed", "reason")}
    return told | ({"sentences": [one.to_dict() for one in made.sentences]} if made.sentences else {})
