"""Several answers of the upstream to one request: asked for at once or one by one, each counted once."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from ralc.llm.reasoning import final_answer
from ralc.llm.server_quirks import FIELD_REFUSALS, Identity, copies, names_field, refusal_text
from ralc.serve.messages import Headers
from ralc.serve.settings import ServeSettings
from ralc.serve.upstream import RefusalError, Reply, Upstream, UpstreamError
from ralc.textfiles import visible

_TOGETHER = 8  # single requests of one reply that are in flight at once
_MODELS = 100  # of which it is remembered what they refuse: clients choose the names
_TRIES = 3  # of a single request that may succeed when repeated
_FIRST_WAIT_S = 0.5  # before the second try, doubled for each further one
_EAGER_S = 5.0  # the longest wait for the first answer; with a longer one the client is told
_PASSING = (408, 409, 425, 429, 500, 502, 503, 504)  # statuses that may change when asked again
#: The order in which added fields are left out where a refusal names none.
_SUSPECTS = ("n", "seed", "temperature", "top_logprobs", "logprobs")

_LOG = logging.getLogger("ralc.serve")


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
        self._left_out: dict[str, set[str]] = {}

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
        model, seed = str(body.get("model"))[:200], body.get("seed")
        base = seed if type(seed) is int else secrets.randbelow(2**31 - 1000)
        until = time.monotonic() + self._settings.timeout_s
        if self._logprobs and "logprobs" in self._left_out.get(model, ()):
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
            self._leave_out(model, "n")
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
        self, headers: Headers, body: dict[str, Any], model: str, seed: int, n: int, several: bool
    ) -> Reply:
        """One request for n answers, without the added fields that the upstream is found to refuse."""
        refused: set[str] = set()
        while True:
            added = self._added(refused | self._left_out.get(model, set()), seed, n, several)
            try:
                reply = await self._upstream.post(headers, body | added, added.get("n", 1))
            except RefusalError as error:
                if (name := _refused(error, added)) is None:
                    raise
                refused.add(name)
            else:
                for name in sorted(refused):
                    self._leave_out(model, name)
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
        without = without | ({"top_logprobs"} if "logprobs" in without else set())
        return {name: value for name, value in added.items() if name not in without}

    def _leave_out(self, model: str, name: str) -> None:
        """Remember that a model's requests go without an added field; say it once."""
        if len(self._left_out) < _MODELS or model in self._left_out:
            known = self._left_out.setdefault(model, set())
            if name not in known:
                _LOG.info("%s: the upstream refuses %s, which is left out from now on", visible(model), name)
            known.add(name)


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


def _refused(error: RefusalError, added: dict[str, Any]) -> str | None:
    """The added field that a refusal is of: one that it names, or the first that may be."""
    if error.status not in FIELD_REFUSALS:
        return None
    text, ours = refusal_text(error.body), [name for name in _SUSPECTS if name in added]
    named = [name for name in ours if names_field(text, name)]
    return next(iter(named or (ours if error.status in (400, 422) else [])), None)


def _counted(replies: list[Reply], wanted: int) -> Sample:
    """The samples among the answers of some replies."""
    kept = [choices_of(reply.body) for reply in replies]
    told = [
        Identity(
            "\n".join(map(text_of, choices)),
            reply.body.get("id"),
            reply.body.get("created"),
            reply.cached,
            reply.seed,
        )
        for reply, choices in zip(replies, kept, strict=True)
    ]
    copied = copies(told)
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
