"""Any server that speaks the OpenAI chat schema: vLLM's, llama.cpp's, a cloud's.

Several requests at once; time-outs, 429 and 5xx are retried with back-off (``Retry-After`` is
honoured); what a server lacks is found out once, said once, and worked around where that is honest.
The key comes from an environment variable and goes nowhere but into the request's header.
"""

import asyncio
import json
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Any

import httpx
import tenacity

from ralc.llm.budget import Budget
from ralc.llm.engines import EngineError, chat
from ralc.llm.engines.dialects import Dialect, find_dialect
from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request, Response, failures

#: How often a request is tried before it counts as failed.
TRIES = 6
#: Seconds waited before the second try, doubled for each further one, and the longest wait.
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
#: A reply larger than this is not an answer, bytes.
LARGEST_REPLY = 64 * 2**20
#: So many requests refused before any was answered: it is not the requests.
REFUSALS = 10
_RETRIED = (408, 409, 425, 429)


class TransientError(Exception):
    """A try that may succeed when repeated, after `wait` seconds if the server says so."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class RefusedError(Exception):
    """A request that the server refuses (4xx); `too_long` if its prompt exceeds the context."""

    def __init__(self, message: str, *, too_long: bool = False) -> None:
        super().__init__(message)
        self.too_long = too_long


class Server:
    """A server and what is known of it."""

    def __init__(self, entry: ModelConfig) -> None:
        self.entry = entry
        self.budget = Budget(entry)
        self._key = _key(entry)
        self._answered = self._refused = 0
        self._runner = asyncio.Runner()
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._client = httpx.AsyncClient(
            headers=headers,
            timeout=entry.timeout_s,
            limits=httpx.Limits(max_connections=entry.concurrency),
        )
        self._dialect: Dialect | None = None

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Keep `concurrency` requests in flight; see `ralc.llm.engines.Engine`."""
        if self._dialect is None:
            self._dialect = self._runner.run(find_dialect(self._client, self.entry))
        waiting, running, stop = enumerate(requests), set(), None
        loop = self._runner.get_loop()
        try:
            while True:
                room = self.entry.concurrency - len(running) if stop is None else 0
                running |= {
                    loop.create_task(self._one(index, asked)) for index, asked in islice(waiting, room)
                }
                if not running:
                    break
                done, running = self._runner.run(_first(running))
                for task in done:
                    if isinstance(error := task.exception(), EngineError):
                        stop = stop or error
                    else:
                        yield task.result()
        finally:
            self._runner.run(_cancelled(running))
        if stop is not None:
            raise stop

    def close(self) -> None:
        """Close the connections."""
        self._runner.run(self._client.aclose())
        self._runner.close()

    async def _one(self, index: int, request: Request) -> tuple[int, list[Response]]:
        """All answers to one request: what a reply leaves out is asked for again."""
        found: dict[int, Response] = {}
        problem = ""
        for _ in range(request.n + TRIES):  # a server without `n` needs a call for each sample
            missing = _first_run([i for i in range(request.n) if i not in found])
            if not missing:
                break
            part = replace(request, n=len(missing), seed=request.seed + missing[0])
            try:
                answers = await self._call(part)
            except RefusedError as error:
                problem = str(error)
                if error.too_long:
                    return index, failures(request, problem, final=True)
                break
            except (TransientError, chat.BadReplyError) as error:
                problem = str(error)
                break
            moved = [replace(a, key=request.key, sample=missing[0] + a.sample) for a in answers]
            found |= {answer.sample: answer for answer in moved}
        lost = failures(request, problem or "the server left answers out", final=False)
        return index, [found.get(i, lost[i]) for i in range(request.n)]

    async def _call(self, request: Request) -> list[Response]:
        """The answers of one reply, after as many tries as it takes."""
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type((TransientError, chat.BadReplyError)),
            wait=_wait,
            stop=tenacity.stop_after_attempt(TRIES),
            reraise=True,
        )
        return await retrying(self._try, request)

    async def _try(self, request: Request) -> list[Response]:
        """One try: send, read, take apart; adapts to what the server says it lacks."""
        while True:
            body, part = self._dialect.body(request)
            try:
                reply = await self._post(body)
                break
            except RefusedError as error:
                if error.too_long or not self._dialect.adapt(str(error), body):
                    self._refuse(error)
        self.budget.pay(*chat.usage(reply))
        answers = self._dialect.answers(reply, part)
        self._answered += 1
        return answers

    async def _post(self, body: dict[str, Any]) -> Any:
        self.budget.take_request()
        try:
            async with asyncio.timeout(self.entry.timeout_s):
                status, headers, content = await self._exchange(body)
        except (httpx.TransportError, httpx.DecodingError, TimeoutError) as error:
            raise TransientError(f"{type(error).__name__}: {self._clean(str(error))}") from None
        if status == 200:
            return _json(content)
        message = f"{status}: {self._clean(_server_message(content))}"
        if status in _RETRIED or status >= 500:
            raise TransientError(message, _retry_after(headers))
        if status in (400, 413, 422):
            raise RefusedError(message, too_long=_says_too_long(message))
        raise EngineError(f"{self.entry.base_url} refuses: {message}")

    async def _exchange(self, body: dict[str, Any]) -> tuple[int, httpx.Headers, bytes]:
        """Status, headers and content of a reply, never more than `LARGEST_REPLY` of it."""
        address = f"{self.entry.base_url.rstrip('/')}/chat/completions"
        async with self._client.stream("POST", address, json=body) as reply:
            content = bytearray()
            async for chunk in reply.aiter_bytes():
                content += chunk
                if len(content) > LARGEST_REPLY:
                    raise TransientError(f"the reply is larger than {LARGEST_REPLY} bytes")
            return reply.status_code, reply.headers, bytes(content)

    def _refuse(self, error: RefusedError) -> None:
        """Pass a refusal on; end the run if nothing was ever answered."""
        self._refused += not error.too_long
        if self._refused >= REFUSALS and not self._answered:
            raise EngineError(f"{self.entry.base_url} refuses every request: {error}") from None
        raise error

    def _clean(self, message: str) -> str:
        """A message without the key, should the server have repeated it."""
        message = " ".join(chat.clean(message).split())[:500]
        return message.replace(self._key, "***") if self._key else message


def start(entry: ModelConfig) -> Server:
    """Connect to the server of an entry.

    Raises
    ------
    EngineError
        If the environment variable that is to hold the key is empty.
    """
    return Server(entry)


def _key(entry: ModelConfig) -> str | None:
    if entry.api_key_env is None:
        return None
    key = os.environ.get(entry.api_key_env, "").strip()
    if not key:
        raise EngineError(
            f"api_key_env: the environment variable {entry.api_key_env} is empty; put the key in it"
        )
    return key


async def _first(tasks: set[asyncio.Task]) -> tuple[set[asyncio.Task], set[asyncio.Task]]:
    return await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)


async def _cancelled(tasks: set[asyncio.Task]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _first_run(numbers: list[int]) -> list[int]:
    """The neighbours at the beginning of some numbers."""
    return [number for place, number in enumerate(numbers) if number == numbers[0] + place]


def _wait(state: tenacity.RetryCallState) -> float:
    """Seconds before the next try: what the server says, else doubled each time, with jitter."""
    told = getattr(state.outcome.exception(), "wait", None)
    if told is not None:
        return told
    return tenacity.wait_random_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S)(state)


def _retry_after(headers: httpx.Headers) -> float | None:
    """Seconds that the server asks to wait (it may name a time), in [0, 600]; None if it does not say."""
    told = headers.get("retry-after", "")
    with suppress(ValueError):
        return min(max(0.0, float(told)), 600.0)
    with suppress(ValueError, TypeError):
        return min(max(parsedate_to_datetime(told).timestamp() - time.time(), 0.0), 600.0)
    return None


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise TransientError(f"the reply is not JSON: {content[:80]!r}") from None


def _server_message(content: bytes) -> str:
    """What the server says is wrong, from the shapes in which servers say it."""
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return content[:300].decode(errors="replace")
    for name in ("error", "message", "detail"):
        if isinstance(said, dict) and said.get(name):
            said = said[name]
    return said if isinstance(said, str) else json.dumps(said)


def _says_too_long(message: str) -> bool:
    phrases = (
        "context length",
        "context size",
        "context window",
        "model length",
        "maximum length",
        "too long",
    )
    return any(phrase in message.lower() for phrase in phrases)
