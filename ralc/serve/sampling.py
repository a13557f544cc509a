"""Several answers of the upstream to one request: asked for at once or one by one, each counted once."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from ralc.io.text import visible
from ralc.llm.reasoning import final_answer
from ralc.llm.server_capabilities import Capabilities, Copies, says_too_long
from ralc.serve.messages import Headers
from ralc.serve.settings import ServeSettings
from ralc.serve.upstream import RefusalError, Reply, Upstream, UpstreamError

_TOGETHER = 8  # single requests of one reply that are in flight at once
_MODELS = 100  # of which it is remembered what they refuse: clients choose the names
_TRIES = 3  # of a single request that may succeed when repeated
_FIRST_WAIT_S = 0.5  # before the second try, doubled for each further one
_EAGER_S = 5.0  # the longest wait for the first answer; with a longer one the client is told
_PASSING = (408, 409, 425, 429, 500, 502, 503, 504)  # statuses that may change when asked again
#: Added fields that are left out, one set after the other, where a refusal names none.
_SUSPECTS = ({"n", "seed"}, {"temperature", "logprobs", "top_logprobs"})


@dataclass
class Sample:
    """The answers to one request.

    Attributes
    ----------
    choices
        Those that are samples: they have a text, and are no copies.
    first
        The first reply; its usage is that of all.
    headers
        That pass back.
    copies, failed
        How many more answers were copies, or failed.
    """

    first: dict[str, Any]
    headers: Headers
    choices: list[dict[str, Any]] = field(default_factory=list)
    copies: int = 0
    failed: int = 0


class Sampler:
    """Asks an upstream for several answers, and remembers by model which added fields it refuses."""

    def __init__(self, upstream: Upstream, settings: ServeSettings, logprobs: bool) -> None:
        self._upstream = upstream
        self._settings = settings
        self._logprobs = logprobs
        self._models: dict[str, Capabilities] = {}

    async def draw(self, request: dict[str, Any], headers: Headers, wanted: int) -> Sample:
        """Return so many answers to a request, or as many as come in time.

        Raises
        ------
        UpstreamError
            If none comes.
        """
        body = {
            name: value for name, value in request.items() if name not in ("stream", "stream_options", "n")
        }
        model, seed = self._known(str(body.get("model"))), body.get("seed")
        base = seed if type(seed) is int else secrets.randbelow(2**31 - 1000)
        until = time.monotonic() + self._settings.timeout_s
        if self._logprobs and "logprobs" in model.lacks:
            wanted = 1  # it will pass as it is
        room = asyncio.Semaphore(_TOGETHER)

        async def ask(place: int, n: int) -> Reply:
            async with room:
                return await self._patient(
                    lambda: self._ask(headers, body, model, base + place, n, wanted > 1),
                    until,
                    first=place == 0,
                )

        replies = [await ask(0, wanted)]
        got = len(choices_of(replies[0].body))
        if got == 1 < wanted:
            model.lack("n")
        if self._logprobs and not choices_of(replies[0].body)[0].get("logprobs"):
            wanted = got  # it will pass as it is
        tasks = [asyncio.ensure_future(ask(place, 1)) for place in range(got, wanted)]
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=max(until - time.monotonic(), 0))
            replies += [task.result() for task in tasks if task.done() and not task.exception()]
        finally:
            for task in tasks:
                task.cancel()
        return _counted(replies, wanted)

    async def _patient(self, ask: Callable[[], Awaitable[Reply]], until: float, *, first: bool) -> Reply:
        """What is answered, asked again where that may help and there is time; the first only where it is told when."""
        for tries in range(1, _TRIES + 1):
            try:
                return await ask()
            except UpstreamError as error:
                wait = _FIRST_WAIT_S * 2 ** (tries - 1) if error.wait is None else error.wait
                hopeless = error.status not in _PASSING or tries == _TRIES or time.monotonic() + wait > until
                if hopeless or (first and (error.wait is None or wait > _EAGER_S)):
                    raise
                await asyncio.sleep(wait)
        raise AssertionError

    async def _ask(
        self, headers: Headers, body: dict[str, Any], model: Capabilities, seed: int, n: int, several: bool
    ) -> Reply:
        """One request for n answers, without the added fields that the upstream is found to refuse."""
        guessed: set[str] = set()
        suspects = iter(_SUSPECTS)
        while True:
            added = self._added(model.lacks | guessed, seed, n, several)
            sent = model.fitted(body | added, keep=body)
            try:
                reply = await self._upstream.post(headers, sent, sent.get("n", 1))
            except RefusalError as error:
                if model.learn(error.status, error.refusal, sent, keep=body):
                    continue
                doubtful = next(suspects, None) if error.status in (400, 422) else None
                if doubtful is None or says_too_long(error.refusal):
                    raise
                guessed |= doubtful
            else:
                for name in sorted(guessed & {"n", "seed", "temperature", "logprobs"} - body.keys()):
                    model.lack(name)
                return reply

    def _added(self, without: set[str], seed: int, n: int, several: bool) -> dict[str, Any]:
        """The fields of a request that are not the client's."""
        added: dict[str, Any] = {"logprobs": True, "top_logprobs": 1} if self._logprobs else {}
        if several and self._settings.temperature is not None:
            added["temperature"] = self._settings.temperature
        if n > 1 and "n" not in without:
            added["n"] = n
        elif several:
            added["seed"] = seed  # or a cache would answer equal requests
        return {name: value for name, value in added.items() if name not in without}

    def _known(self, model: str) -> Capabilities:
        """What is known of a model; remembered of so many, since clients choose the names."""
        known = self._models.get(model) or Capabilities(f"the upstream ({visible(model)[:200]})")
        if len(self._models) < _MODELS:
            self._models[model] = known
        return known


def choices_of(reply: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the choices of a reply, each with a message; UpstreamError where there is none."""
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices:
        raise UpstreamError("'s reply has no choices")
    for choice in choices:
        if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
            raise UpstreamError("'s reply has a choice that has no message")
    return choices


def text_of(choice: dict[str, Any]) -> str:
    """Return the answer of a choice, without reasoning; empty where it has none."""
    content = choice["message"].get("content")
    return final_answer(content)[0] if isinstance(content, str) else ""


def _counted(replies: list[Reply], wanted: int) -> Sample:
    """The samples among the answers of some replies."""
    kept = [choices_of(reply.body) for reply in replies]
    seen = Copies()
    copied = [seen.is_copy(reply.body, dict(reply.marks)) for reply in replies]
    own = [choice for choices, copy in zip(kept, copied, strict=True) if not copy for choice in choices]
    spoken = [choice for choice in own if text_of(choice).strip()]
    found = (spoken or own)[:wanted]
    first = {**replies[0].body, **_usage([reply.body for reply in replies])}
    return Sample(first, replies[0].headers, found, sum(copied), max(wanted - len(found) - sum(copied), 0))


def _usage(replies: list[dict[str, Any]]) -> dict[str, Any]:
    """The tokens of all replies together, where they are counted."""
    total: dict[str, int] = {}
    for usage in (reply.get("usage") for reply in replies):
        for name in ("prompt_tokens", "completion_tokens", "total_tokens"):
            if isinstance(usage, dict) and isinstance(usage.get(name), int):
                total[name] = total.get(name, 0) + usage[name]
    return {"usage": total} if total else {}
