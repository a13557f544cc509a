"""Any server that speaks the OpenAI chat schema: vLLM's, llama.cpp's, a cloud's.

Several requests at once; time-outs, 429 and 5xx are retried with back-off (``Retry-After`` is
honoured); what a server lacks is found out once, said once, and worked around where that is honest.
"""

import asyncio
import threading
import time
from collections.abc import Container, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import tenacity

from ralc.io import say
from ralc.llm.budget import Budget
from ralc.llm.engines import chat, embedding
from ralc.llm.engines.background import BackgroundLoop
from ralc.llm.engines.connection import Connection, TransientError
from ralc.llm.engines.dialects import Dialect, Kind, kind_of
from ralc.llm.errors import EngineError
from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request, Response, Rest, failures

#: How often a request is tried before it counts as failed.
TRIES = 6
#: Seconds waited before the second try, doubled for each further one, and the longest wait.
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
#: So many requests refused before any was answered: it is not the requests.
REFUSALS = 10
#: Seconds without any answer, beside a request's own time-out, after which the server is gone.
GONE_AFTER_S = 900.0
#: Seconds between two lines on what goes wrong.
TELL_EVERY_S = 30.0
#: Seconds that the list of models may take.
LIST_TIMEOUT_S = 20.0


class RefusedError(Exception):
    """A request that the server refuses (4xx); `too_long` if its prompt exceeds the context."""

    def __init__(self, message: str, *, too_long: bool = False) -> None:
        super().__init__(message)
        self.too_long = too_long


@dataclass
class _End:
    """What ends the answering of some requests, if anything does."""

    error: EngineError | None = None


class Server:
    """A server and what is known of it."""

    def __init__(self, entry: ModelConfig) -> None:
        self.entry = entry
        self.budget = Budget(entry)
        self._connection = Connection(entry)
        self._answered = self._refused = 0
        self._last_answer = time.monotonic()
        self._loop = BackgroundLoop()
        self._room = asyncio.Semaphore(entry.concurrency)
        self._dialect: Dialect | None = None
        self._listed: Any = None
        self._introduced = False
        self._told_at = 0.0
        self._greeting = threading.Lock()

    @property
    def whole(self) -> bool:
        """Whether answer i of a request must be asked for with those before it; see `Dialect.whole`."""
        return self._greeted().whole

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Keep `concurrency` requests in flight, the first one alone; see `ralc.llm.engines.Engine`."""
        self._greeted()
        self._last_answer = time.monotonic()
        waiting, running, end = enumerate(requests), set(), _End()
        try:
            if not self._introduced and (first := next(waiting, None)) is not None:
                found = self._loop.run(self._one(*first, end))
                self._introduced = True
                yield found
            while True:
                room = 0 if end.error else self.entry.concurrency - len(running)
                running |= {
                    self._loop.start(self._one(index, asked, end)) for index, asked in islice(waiting, room)
                }
                if not running:
                    break
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        finally:
            for task in running:
                task.cancel()
        if end.error is not None:
            raise end.error

    def close(self) -> None:
        """Close the connections."""
        self._loop.run(self._connection.close())
        self._loop.close()

    async def _one(self, index: int, request: Request, end: "_End") -> tuple[int, list[Response]]:
        """All answers to one request, in its turn among those in flight."""
        async with self._room:
            return index, await self._all(request, end)

    async def _all(self, request: Request, end: "_End") -> list[Response]:
        """All answers to one request: what a reply leaves out is asked for again."""
        found: dict[int, Response] = {}
        problem, whole = "", True
        for _ in range(request.n + TRIES):  # a server without `n` needs a call for each sample
            missing = _missing(request, found)
            if not missing:
                break
            # What has come does not depend on what went wrong before: see `Dialect.whole`.
            first = 0 if whole and self._dialect.whole else missing[0]
            part = replace(request, n=missing[-1] + 1 - first, seed=request.seed + first)
            try:
                answers = await self._call(part)
            except (RefusedError, TransientError, chat.BadReplyError, EngineError) as error:
                problem = str(error)
                if isinstance(error, RefusedError) and error.too_long:
                    return failures(request, problem, final=True)
                end.error = end.error or self._ending(error)
                break
            moved = [replace(a, key=request.key, sample=first + a.sample) for a in answers]
            whole = whole and any(answer.sample not in found for answer in moved)
            found = {answer.sample: answer for answer in moved} | found
        lost = failures(request, problem or "the server left answers out", final=False)
        return [found.get(i, lost[i]) for i in range(request.n)]

    def _ending(self, error: Exception) -> EngineError | None:
        """What of an error ends the run, what each request has so far being kept; None where the next may do."""
        if isinstance(error, RefusedError):
            return None
        return error if isinstance(error, EngineError) else self._gone(str(error))

    async def _call(self, request: Request) -> list[Response]:
        """The answers of one reply, after as many tries as it takes."""
        return await self._retrying()(self._try, request)

    def _greeted(self) -> Dialect:
        """What kind of server it is; asked once."""
        with self._greeting:
            if self._dialect is None:
                lacks = {"seed"} if self.entry.seeding == "engine" else set()
                self._dialect = Dialect(self.entry, self._loop.run(self._kind()), lacks)
            return self._dialect

    async def _kind(self) -> Kind:
        """What kind of server it is, by its list of models; a server that is still starting is waited for."""
        seconds = min(self.entry.timeout_s, LIST_TIMEOUT_S)
        try:
            status, content = await self._retrying()(self._connection.exchange, "GET", "models", seconds)
            if status == 401:
                raise EngineError(f"{self.entry.base_url} refuses: {self._connection.said(status, content)}")
            self._listed = self._connection.parsed(content) if status == 200 else None
        except TransientError as error:
            if error.unreachable:
                raise EngineError(
                    f"no server at {self.entry.base_url} (model {self.entry.model}): {error}; start it, or put "
                    "base_url right"
                ) from None
        return kind_of(self._listed)

    async def _try(self, request: Request) -> list[Response]:
        """One try: send, read, take apart."""
        reply, part = await self._reply(request)
        tokens = chat.usage(reply)
        self.budget.pay(*tokens)
        answers = (
            [embedding.answer(reply, request)] if request.embedding else self._dialect.answers(reply, part)
        )
        if self.entry.max_cost is not None and not any(tokens):
            raise EngineError(
                f"{self.entry.base_url} does not count tokens, so max_cost cannot be kept: set max_requests"
            )
        self._answered += 1
        self._last_answer = time.monotonic()
        return answers

    async def _reply(self, request: Request) -> tuple[Any, Request]:
        """What the server says to a request, and the part of it that was sent; adapts to what the server lacks."""
        while True:
            path, (body, part) = "chat/completions", self._dialect.body(request)
            if request.embedding:
                path, body = "embeddings", {"model": self.entry.model} | embedding.body(request)
            try:
                return await self._post(path, body), part
            except RefusedError as error:
                if request.embedding or error.too_long or not self._dialect.adapt(str(error), body):
                    self._refuse(error)

    async def _post(self, path: str, body: dict[str, Any]) -> Any:
        self.budget.take_request()
        status, content = await self._connection.exchange("POST", path, self.entry.timeout_s, body)
        if status == 200:
            return self._connection.parsed(content)
        message = self._connection.said(status, content)
        if status in (400, 413, 422):
            raise RefusedError(message, too_long=_says_too_long(message))
        raise EngineError(f"{self.entry.base_url} refuses: {message}")

    def _retrying(self) -> tenacity.AsyncRetrying:
        """Repeats what may succeed when repeated, and says so now and then."""
        return tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type((TransientError, chat.BadReplyError)),
            wait=_wait,
            stop=tenacity.stop_after_attempt(TRIES),
            before_sleep=self._tell,
            reraise=True,
        )

    def _tell(self, state: tenacity.RetryCallState) -> None:
        """Name what goes wrong with the server, at once and then every `TELL_EVERY_S` seconds."""
        now = time.monotonic()
        if now - self._told_at >= TELL_EVERY_S:
            self._told_at = now
            problem = state.outcome.exception()
            say(f"{self.entry.base_url} ({self.entry.model}): {problem}; trying again")

    def _gone(self, problem: str) -> EngineError | None:
        """What ends the run if the server is gone, in place of losing all other requests one by one."""
        silent = time.monotonic() - self._last_answer
        if silent <= GONE_AFTER_S + self.entry.timeout_s:
            return None
        return EngineError(
            f"{self.entry.base_url} has answered nothing for {silent:.0f} s (last: {problem}); the "
            "journal keeps what was answered: see to the server and run again for the rest"
        )

    def _refuse(self, error: RefusedError) -> None:
        """Pass a refusal on; end the run if nothing was ever answered."""
        self._refused += not error.too_long
        if self._refused >= REFUSALS and not self._answered:
            raise EngineError(f"{self.entry.base_url} refuses every request: {error}") from None
        raise error


def start(entry: ModelConfig) -> Server:
    """Connect to the server of an entry.

    Raises
    ------
    EngineError
        If the environment variable that is to hold the key is empty, or holds what cannot be one.
    """
    return Server(entry)


def _missing(request: Request, found: Container[int]) -> list[int]:
    """The first samples of a request, side by side, that are neither known nor found."""
    known = request.known if isinstance(request, Rest) else 0
    missing = [sample for sample in range(known, request.n) if sample not in found]
    return [sample for place, sample in enumerate(missing) if sample == missing[0] + place]


def _wait(state: tenacity.RetryCallState) -> float:
    """Seconds before the next try: what the server says, else doubled each time, with jitter."""
    told = getattr(state.outcome.exception(), "wait", None)
    if told is not None:
        return told
    return tenacity.wait_random_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S)(state)


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
