"""A reply in calibrated words: samples of the upstream, their majority, its confidence, what it says."""

import asyncio
import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import _lru_cache_wrapper
from itertools import chain
from typing import Any

from ralc.calibrator import Rewritten, WordCalibrator
from ralc.calibrator.answers_asked import TELLING
from ralc.calibrator.signal import majority
from ralc.calibrator.words import as_entry, as_numbers
from ralc.english import parse
from ralc.llm.reasoning import final_answer
from ralc.names import SIGNALS
from ralc.serve.asking import Asked
from ralc.serve.headers import Headers
from ralc.serve.limits import ServeSettings
from ralc.serve.logprobs import FIELDS, given
from ralc.serve.sending import RequestError, UpstreamError, UpstreamRefusalError
from ralc.serve.upstream import Upstream
from ralc.signals import OF_SENTENCES

_ROUNDS = 3  # requests for what is missing, where an upstream gives fewer answers than it was asked for
_TOGETHER = 8  # single requests of one reply that are in flight at once
_MODELS = 100  # of which it is remembered that they refuse n: clients choose the names
_AT_ONCE = 4  # replies whose words are worked out side by side

_TEXTS = 1000  # entries from which on a cache of ours holds what was said, and not tables
LONGEST_ANSWER = 20_000  # characters: no hedge reaches over so many sentences

_NO_RANGE = "style range is of one confidence an answer: this calibrator's are of sentences"

_LOG = logging.getLogger("ralc.serve")

Reply = dict[str, Any]
Choice = dict[str, Any]
Told = tuple[Reply, Headers]


class Calibrating:
    """Turns what a client asked into a calibrated reply; keeps nothing of any request."""

    def __init__(self, calibrator: WordCalibrator, upstream: Upstream, settings: ServeSettings) -> None:
        self._calibrator = calibrator
        self._upstream = upstream
        self._settings = settings
        self._without_n: set[int] = set()  # hashes of models of the upstream that refuse n, or look past it
        self._hands = ThreadPoolExecutor(_AT_ONCE)
        self.signal: str = calibrator.signal_
        if self.signal == "score":
            raise ValueError(
                "the calibrator was fitted on scores of your own, which no upstream gives: fit it on samples "
                "(ralc fit with a column samples) or on words (a column answer)"
            )
        if SIGNALS[self.signal].asks:
            raise ValueError(
                f"the calibrator's {self.signal} asks a model once more, about its answer, which ralc serve does not: "
                "take one of another signal (ralc fit with a column samples)"
            )
        if settings.style == "range" and self.signal in OF_SENTENCES:
            raise ValueError(_NO_RANGE)
        self._wanted = _answers(calibrator, settings.samples)
        if settings.samples == 1 and (why := _not_of_one(calibrator)):
            raise ValueError(f"one answer is not enough: {why}")
        if why := calibrator.unlike([self._wanted] * TELLING):
            raise ValueError(f"--samples {self._wanted}: {why}")

    async def reply(self, asked: Asked, headers: Headers) -> tuple[Reply, Headers]:
        """The upstream's reply with the majority's answer in calibrated words, the object ``ralc``, and its headers."""
        if asked.style == "range" and self.signal in OF_SENTENCES:
            raise RequestError(400, _NO_RANGE)
        first, choices, back = await self._choices(asked, headers)
        return await self._in_words(asked, first, choices), back

    async def _in_words(self, asked: Asked, first: Reply, choices: list[Choice]) -> Reply:
        if why := _unfit(choices, self.signal) or self._calibrator.unlike([len(choices)]):
            return _as_it_came(first, choices[0], why)
        try:
            loop = asyncio.get_running_loop()
            at, made = await loop.run_in_executor(self._hands, self._words, choices, asked)
        except Exception as error:  # a client is better served by the answer as it is than by no answer
            _LOG.error(
                "an answer could not be put into words: %s", type(error).__name__
            )  # and not what it said
            return _as_it_came(first, choices[0], f"ralc failed on it ({type(error).__name__})")
        finally:
            _forget()
        if choices[at].get("finish_reason") in ("length", "content_filter"):
            return _as_it_came(first, choices[at], "the answer was cut off")
        message = {**choices[at]["message"], "content": made.text}
        choice = {key: value for key, value in choices[at].items() if key != "logprobs"}
        return {
            **first,
            "choices": [{**choice, "index": 0, "message": message}],
            "ralc": _told(made, self.signal, len(choices)),
        }

    def _words(self, choices: list[Choice], asked: Asked) -> tuple[int, Rewritten]:
        """Which choice is the majority's first, and its answer rewritten."""
        said = [choice["message"]["content"] for choice in choices]
        texts = [final_answer(text)[0] for text in said]
        if self.signal == "linguistic_confidence":
            at = majority(texts, asked.question).members[0]
            confidence = self._calibrator.read([texts[at]])
        else:
            taken = SIGNALS[self.signal].logprobs
            logprobs = {taken: [[given(choice) for choice in choices]]} if taken else {}
            (found,), confidence = self._calibrator.confidence_of(
                [texts], **logprobs, questions=[asked.question]
            )
            at = found.members[0]
        made = self._calibrator.rewrite(
            [texts[at]], confidence, questions=[asked.question], style=asked.style
        )[0]
        return at, _behind(_thought(said[at], texts[at]), made)

    async def _choices(self, asked: Asked, headers: Headers) -> tuple[Reply, list[Choice], Headers]:
        """The upstream's first reply, its usage that of all; the choices of as many answers as are needed; and the
        first reply's headers.
        """
        body = {
            key: value for key, value in asked.body.items() if key not in ("stream", "stream_options", "n")
        }
        if self._settings.temperature is not None and self._wanted > 1:
            body["temperature"] = self._settings.temperature
        body |= FIELDS[SIGNALS[self.signal].logprobs]
        replies: list[Told] = []
        found: list[Choice] = []
        for _ in range(_ROUNDS):
            missing = self._wanted - len(found)
            if missing <= 0:
                break
            more = await self._ask(body, headers, missing, len(found))
            replies += more
            found += [choice for reply, _ in more for choice in choices_of(reply)]
        first, back = replies[0]
        return {**first, **_usage([reply for reply, _ in replies])}, found[: self._wanted], back

    async def _ask(self, body: Reply, headers: Headers, n: int, done: int) -> list[Told]:
        """The replies of one request for n answers, or of n requests where the upstream does not take n."""
        seed, model = body.get("seed"), hash(str(body.get("model")))
        seeded = isinstance(seed, int) and not isinstance(seed, bool)
        if n == 1 or model not in self._without_n:
            part = {**body, **({"n": n} if n > 1 else {}), **({"seed": seed + done} if seeded else {})}
            try:
                told = await self._upstream.post(headers, part, n)
            except UpstreamRefusalError as error:
                if n == 1 or error.status not in (400, 422):
                    raise
            else:
                if n > 1 and len(choices_of(told[0])) == 1:
                    self._remember(model)  # it looked past n, as some do
                return [told]
            # One alone first: what was refused may be the request and not its n.
            first = [await self._single(body, headers, seed + done if seeded else None)]
            self._remember(model)
            return [*first, *await self._singles(body, headers, n - 1, seed + done + 1 if seeded else None)]
        return await self._singles(body, headers, n, seed + done if seeded else None)

    def _remember(self, model: int) -> None:
        if len(self._without_n) < _MODELS:
            self._without_n.add(model)

    async def _singles(self, body: Reply, headers: Headers, n: int, seed: int | None) -> list[Told]:
        """The replies of n requests for one answer each; a seed is that of the first."""
        room = asyncio.Semaphore(_TOGETHER)

        async def one(number: int) -> Told:
            async with room:
                return await self._single(body, headers, None if seed is None else seed + number)

        tasks = [asyncio.ensure_future(one(number)) for number in range(n)]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()

    async def _single(self, body: Reply, headers: Headers, seed: int | None) -> Told:
        return await self._upstream.post(headers, body if seed is None else {**body, "seed": seed})


def _forget() -> None:
    """Clear whatever remembers texts, for the batches of the workflow."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("ralc.")]
    for held in chain.from_iterable(list(vars(module).values()) for module in modules):
        if isinstance(held, _lru_cache_wrapper) and (held.cache_parameters()["maxsize"] or 0) >= _TEXTS:
            held.cache_clear()
    parse.forget()


def _behind(thought: str, made: Rewritten) -> Rewritten:
    """An answer behind the reasoning that led to it."""
    later = len(thought)
    sentences = tuple(replace(one, start=one.start + later, end=one.end + later) for one in made.sentences)
    return replace(made, text=thought + made.text, sentences=sentences)


def _thought(said: str, answer: str) -> str:
    """The reasoning that stands before an answer; it goes on as it came."""
    return said.removesuffix(answer) if said.endswith(answer) else ""


def choices_of(reply: Reply) -> list[Choice]:
    """The choices of a reply, in the order of their index; UpstreamError if there is none with a message."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices:
        raise UpstreamError("'s reply has no choices")
    if not all(isinstance(choice, dict) and isinstance(choice.get("message"), dict) for choice in choices):
        raise UpstreamError("'s reply has a choice that has no message")
    return choices


def _unfit(choices: list[Choice], signal: str) -> str:
    """Why the upstream's choices cannot be calibrated; empty where they can."""
    if any(choice["message"].get("tool_calls") for choice in choices):
        return "the model called a tool"
    if any(choice["message"].get("refusal") for choice in choices):
        return "the model refused"
    if not all(isinstance(choice["message"].get("content"), str) for choice in choices):
        return "an answer has no text"
    if max(len(choice["message"]["content"]) for choice in choices) > LONGEST_ANSWER:
        return "an answer is too long"
    taken = SIGNALS[signal].logprobs
    if taken and not all(given(choice) for choice in choices):
        return "the upstream gave no log-probabilities"
    if taken and any(_reasons(choice["message"]) for choice in choices):
        return "the log-probabilities are of the reasoning, too"
    return ""


def _answers(calibrator: WordCalibrator, samples: int) -> int:
    """How many answers a reply needs: words are read in one, unless they were those of the majority of several."""
    design = calibrator.design_
    of_one = calibrator.signal_ == "linguistic_confidence" and (design is None or design.most == 1)
    return 1 if of_one else samples


def _not_of_one(calibrator: WordCalibrator) -> str:
    """Why a calibrator's signal says nothing of a single answer; empty where it may."""
    signal, evaluation = calibrator.signal_, getattr(calibrator, "evaluation_", None)
    if SIGNALS[signal].compares:
        alone = ", ".join(name for name, one in SIGNALS.items() if one.logprobs and not one.compares)
        return f"{signal} compares several; signals of one are {alone}"
    if SIGNALS[signal].logprobs and evaluation is not None and not evaluation.promise:
        return f"nothing is promised of the calibrator's {signal}: {evaluation.reason}"
    return ""


def _reasons(message: dict[str, Any]) -> bool:
    """Whether a message reasoned before its answer, in its text or beside it."""
    return bool(
        final_answer(message["content"])[1] or message.get("reasoning_content") or message.get("reasoning")
    )


def _usage(replies: list[Reply]) -> dict[str, Any]:
    """The tokens of all replies together, where they are counted."""
    total: dict[str, int] = {}
    for reply in replies:
        usage = reply.get("usage")
        for name in ("prompt_tokens", "completion_tokens", "total_tokens"):
            value = usage.get(name) if isinstance(usage, dict) else None
            if isinstance(value, int):
                total[name] = total.get(name, 0) + value
    return {"usage": total} if total else {}


def _as_it_came(first: Reply, choice: Choice, why: str) -> Reply:
    return {**first, "choices": [{**choice, "index": 0}], "ralc": {"calibrated": False, "reason": why}}


def _told(made: Rewritten, signal: str, samples: int) -> dict[str, Any]:
    """The object ``ralc`` of a calibrated reply."""
    return {
        "calibrated": made.calibrated,
        "signal": signal,
        "samples": samples,
        "confidence": as_numbers(made.confidence),
        "target": as_numbers(made.target),
        "read": as_numbers(made.read),
        "hedge": made.hedge,
        "original": made.original,
        "changed": made.changed,
        "reason": made.reason,
    } | ({"sentences": [as_entry(one) for one in made.sentences]} if made.sentences else {})
