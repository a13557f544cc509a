"""Any server that speaks the OpenAI chat schema: vLLM's, llama.cpp's, a cloud's.

Several requests at once. Retries of time-outs, 429 and 5xx, and their waits (``Retry-After``), are the official
client's. What a server lacks is found out once, said once, and worked around (`ralc.llm.server_capabilities`).
"""

import json
import os
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from ralc.io import say
from ralc.llm import chat
from ralc.llm.engines import EngineError, in_parallel
from ralc.llm.journal import Journal, journals_of
from ralc.llm.models import Count, Price, ReasoningConfig, plain_address
from ralc.llm.requests import Request, Response, failures
from ralc.llm.server_capabilities import (
    MOST_LISTED,
    Capabilities,
    Copies,
    Kind,
    kind_of,
    refusal_of,
    says_too_long,
)

#: How often the client repeats a call, and how often one is repeated whose reply is no answer, or a copy.
RETRIES, BAD_REPLIES = 6, 6
#: So many requests in a row without an answer: it is the server.
SILENT = 20
#: Seconds that the list of models may take.
LIST_TIMEOUT_S = 20.0
#: The Markdown fence that some servers let JSON stand in.
_FENCE = re.compile(r"\A\s*```[^\n]*\n(.*?)\s*```\s*\Z", re.DOTALL)


class Options(ReasoningConfig):
    """The entry of a model that a server answers for."""

    LOADED_WITH: ClassVar = ("thinking", "reasoning_tokens")
    KEY_IGNORES: ClassVar = frozenset(
        {"metadata", "priority", "safety_identifier", "service_tier", "store", "user"}
    )
    OF_THE_WAY: ClassVar = frozenset({"api_key_env", "concurrency", "max_cost", "max_requests", "timeout_s"})
    EMBEDS: ClassVar = True

    base_url: str
    """openai: the server's address, up to `/v1`."""
    api_key_env: str | None = None
    """openai: the environment variable that holds the key."""
    concurrency: Count = 8
    """openai: requests in flight."""
    timeout_s: Annotated[float, Field(gt=0)] = 600.0
    """openai: seconds that a request may take."""
    max_requests: Count | None = None
    """openai: requests that may be sent, in all stages and runs of one folder together, without retries."""
    max_cost: Annotated[float, Field(gt=0)] | None = None
    """openai: what may be spent, in all stages and runs of one folder together, in the currency of `price`. Jobs that
    run at the same time do not see each other's."""

    @field_validator("api_key_env")
    @classmethod
    def _is_a_name(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[A-Z_][A-Z0-9_]*", value):
            raise ValueError(
                "must be the name of an environment variable (capitals, digits, underscores); the key itself belongs "
                "in that variable and nowhere else (if it stood here, take a new one)"
            )
        return value

    @field_validator("base_url")
    @classmethod
    def _is_an_address_alone(cls, value: str) -> str:
        return plain_address(value, "name the key's variable in api_key_env")

    @model_validator(mode="after")
    def _has_prices(self) -> Self:
        if self.max_cost is not None and self.price == Price():
            raise ValueError("max_cost needs price: {prompt: ..., completion: ...} per million tokens")
        return self

    def check_key(self) -> str | None:
        """Return what is wrong with the variable that is to hold a key, if anything; never what it holds."""
        if self.api_key_env is None:
            return None
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            return f"api_key_env: the environment variable {self.api_key_env} is empty; put the key in it"
        # Anything else would end up in an error message of the HTTP library, key and all.
        if not all("!" <= character <= "~" for character in key):
            return f"api_key_env: what {self.api_key_env} holds is no key: a space, line or odd character"
        return None

    def _place(self) -> list[str]:
        """The address without scheme and last slash, unless a revision says which weights these are anywhere."""
        place = urlsplit(self.base_url)
        return [] if self.revision else [f"at {place.netloc.lower()}{place.path.rstrip('/')}"]


class Server:
    """A server and what is known of it."""

    def __init__(self, entry: Options) -> None:
        import openai

        if problem := entry.check_key():
            raise EngineError(problem)
        self.entry = entry
        self._key = os.environ[entry.api_key_env].strip() if entry.api_key_env else ""
        self._client = openai.OpenAI(
            base_url=entry.base_url,
            api_key=self._key or "none",
            timeout=entry.timeout_s,
            max_retries=RETRIES,
        )
        self.capabilities = Capabilities(f"{entry.base_url} ({entry.model})")
        self.budget = Budget(entry)
        self._kind: Kind | None = None
        self._gave_logprobs = self._answered = False
        self._silent = 0
        self._greeting = threading.Lock()

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Keep `concurrency` requests in flight; see `ralc.llm.engines.Engine`."""
        return in_parallel(enumerate(requests), self._all, self.entry.concurrency)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _kind_of_server(self) -> Kind:
        """What kind of server it is; one that is still starting is waited for."""
        import openai

        with self._greeting:
            if self._kind is None:
                listed, seconds = None, min(self.entry.timeout_s, LIST_TIMEOUT_S)
                try:
                    listed = self._parsed(self._client.models.with_raw_response.list(timeout=seconds).content)
                except (openai.APITimeoutError, openai.APIStatusError, chat.BadReplyError):
                    pass
                except openai.APIConnectionError as error:
                    raise EngineError(f"no server at {self.capabilities.name}: {self._said(error)}") from None
                self._kind = kind_of(listed)
            return self._kind

    def _all(self, request: Request) -> list[Response]:
        """All answers to one request: what a reply leaves out is asked for again."""
        kind, copies = self._kind_of_server(), Copies()
        found: dict[int, Response] = {}
        problem, poor = "the server left answers out", 0
        while poor < BAD_REPLIES and len(found) < request.n:
            missing = [number for number in request.numbers if number not in found]
            n = next((i for i, number in enumerate(missing) if number != missing[0] + i), len(missing))
            try:
                part = self._part(replace(request, first=missing[0], n=n), kind)
                reply, headers = self._reply(part, request, kind)
                if request.temperature > 0 and not request.embedding and copies.is_copy(reply, headers):
                    raise chat.BadReplyError(
                        "the server repeats itself: its replies are copies (of a cache?)"
                    )
                found |= {answer.sample: answer for answer in self._answers(reply, part, kind)}
                self._answered, self._silent = True, 0
            except chat.BadReplyError as error:
                problem, poor = str(error), poor + 1
            except _LostError as error:
                if error.final:
                    return failures(request, str(error), final=True)
                if error.refused and self._answered:
                    return _with_failures(found, request, str(error))
                problem = str(error)
                break
            except EngineError as error:
                error.answers = _with_failures(found, request, str(error))
                raise
        if not found:
            self._unanswered(problem)
        return _with_failures(found, request, problem)

    def _part(self, request: Request, kind: Kind) -> Request:
        """The part of a request that the server answers in one call."""
        lacks = self.capabilities.lacks
        if "n" in lacks or (kind == "vllm" and request.temperature == 0):  # it refuses several greedy answers
            request = replace(request, n=1)
        return replace(request, logprobs=False, alternatives=()) if "logprobs" in lacks else request

    def _reply(self, part: Request, request: Request, kind: Kind) -> tuple[Any, Any]:
        """A reply and its headers; BadReplyError where the server turned out to lack what was asked of it."""
        import openai

        keep = _kept(request)
        sent = self.capabilities.fitted(self._body(part, kind), keep)
        self.budget.take_request()
        create = self._client.embeddings if request.embedding else self._client.chat.completions
        own = {name: sent.pop(name) for name in ("model", "messages", "input") if name in sent}
        try:
            reply = create.with_raw_response.create(**own, extra_body=sent)
        except openai.APIStatusError as error:
            if self.capabilities.learn(error.status_code, _refusal(error), own | sent, keep):
                return self._reply(self._part(part, kind), request, kind)
            raise self._lost(error) from None
        except openai.OpenAIError as error:
            raise self._lost(error) from None
        parsed = self._parsed(reply.content)
        self.budget.pay(*chat.usage(parsed))
        return parsed, reply.headers

    def _body(self, part: Request, kind: Kind) -> dict[str, Any]:
        """What is sent for a part of a request, in the terms of the server's kind."""
        sent = {"model": self.entry.model} | chat.body(part)
        if part.embedding:
            return sent
        sent["max_tokens"] += self.entry.reasoning_tokens
        if part.alternatives and kind != "llamacpp":
            sent["top_logprobs"] = min(sent["top_logprobs"], MOST_LISTED)
        if kind == "other":  # a cloud refuses fields it does not know: no cut need not be said
            sent = {name: value for name, value in sent.items() if name not in ("top_k", "min_p") or value}
        elif self.entry.thinking == "off":
            sent["chat_template_kwargs"] = {"enable_thinking": False}
        return sent | self.capabilities.constrained(part.constraint, kind) | self.entry.engine_args

    def _answers(self, reply: Any, part: Request, kind: Kind) -> list[Response]:
        """The answers in a reply; finds out what the server left out without a word."""
        if part.embedding:
            return [chat.embedded(reply, part)]
        found = chat.answers(reply, part, echoes=kind == "llamacpp")
        if any(_lacks_logprobs(answer, part) for answer in found):
            if self._gave_logprobs:
                raise chat.BadReplyError("the reply lacks the log-probabilities that this server gives")
            self.capabilities.lack("logprobs")
        elif part.logprobs or part.alternatives:
            self._gave_logprobs = self._gave_logprobs or any(answer.text for answer in found)
        if part.constraint and "json" in part.constraint:
            found = [replace(answer, text=_FENCE.sub(r"\1", answer.text)) for answer in found]
        return found

    def _lost(self, error: Exception) -> Exception:
        """What a call that failed means: this request is lost, or the run ends."""
        status, said = getattr(error, "status_code", None), self._said(error)
        if status in (400, 413, 422):
            return _LostError(said, final=says_too_long(_refusal(error)), refused=True)
        if status is not None and status < 500 and status not in (408, 409, 425, 429):
            return EngineError(f"{self.entry.base_url} refuses: {said}")
        say(f"{self.capabilities.name}: {said}; the next run asks again")
        return _LostError(said)

    def _unanswered(self, said: str) -> None:
        """Count a request without an answer; end the run in place of losing all others one by one."""
        self._silent += 1
        if self._silent >= SILENT:
            raise EngineError(
                f"{self.entry.base_url} answers nothing: {said}; the journal keeps what was answered: see to the "
                "server and run again for the rest"
            )

    def _said(self, error: Exception) -> str:
        """What an error says, without the key, should the server have repeated it."""
        status = getattr(error, "status_code", None)
        said = f"{type(error).__name__}: {error.__cause__ or error}" if status is None else _refusal(error)
        return self._without_key(f"{status}: {said}" if status else said)[:500]

    def _without_key(self, said: str) -> str:
        return said.replace(self._key, "***") if self._key else said

    def _parsed(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            said = self._without_key(chat.clean(content.decode(errors="replace")))
            raise chat.BadReplyError(f"the reply is not JSON: {said[:80]}") from None


class _LostError(Exception):
    """A request that got no answer, for good if `final`, else in this run; `refused`: by its own fault."""

    def __init__(self, message: str, *, final: bool = False, refused: bool = False) -> None:
        super().__init__(message)
        self.final, self.refused = final, refused


class Budget:
    """What the calls to a model may cost: those of this process, and what journals hold already.

    Cost is known from each reply, so requests in flight can pass `max_cost` by what they cost. Of what journals hold,
    a prompt counts once for each record.
    """

    def __init__(self, entry: Options) -> None:
        self._entry, self._lock = entry, threading.Lock()
        self._spent = {"requests": 0.0, "cost": 0.0}

    def add(self, journal: Path) -> None:
        """Add what the model's journals, in all stages beside this one, hold."""
        if self._entry.max_requests is self._entry.max_cost is None:
            return
        for stage in journal.parent.parent.glob("*"):
            for path in journals_of(stage / journal.name):
                with Journal(path, write=False) as answered:
                    for answers in answered.values():
                        tokens = sum(answer.completion_tokens for answer in answers.values())
                        self._spent["requests"] += 1
                        self._spent["cost"] += self._cost(next(iter(answers.values())).prompt_tokens, tokens)

    def _cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        price = self._entry.price
        return (prompt_tokens * price.prompt + completion_tokens * price.completion) / 1e6

    def take_request(self) -> None:
        """Count one request that is about to be sent; EngineError if max_requests or max_cost is spent."""
        with self._lock:
            for name, spent in self._spent.items():
                limit = getattr(self._entry, f"max_{name}")
                if limit is not None and spent >= limit:
                    raise EngineError(
                        f"budget reached: max_{name} = {limit}, {spent:g} spent; the journal keeps what was "
                        "answered: raise the limit and run again for the rest"
                    )
            self._spent["requests"] += 1

    def pay(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Add what a reply cost; EngineError where that is capped and the server does not say."""
        if self._entry.max_cost is not None and not (prompt_tokens or completion_tokens):
            raise EngineError(
                f"{self._entry.base_url} does not count tokens, so max_cost cannot be kept: set max_requests"
            )
        with self._lock:
            self._spent["cost"] += self._cost(prompt_tokens, completion_tokens)


def start(entry: Options) -> Server:
    """Connect to the server of an entry.

    Raises
    ------
    EngineError
        If the environment variable that is to hold the key is empty, or holds what cannot be one.
    """
    return Server(entry)


def _with_failures(found: dict[int, Response], request: Request, problem: str) -> list[Response]:
    return [found.get(lost.sample, lost) for lost in failures(request, problem, final=False)]


def _kept(request: Request) -> set[str]:
    """The fields without which the answers would be drawn from another distribution."""
    kept = {"top_p"} if request.top_p != 1 else set()
    return kept | ({"temperature"} if request.temperature not in (0, 1) else set())


def _refusal(error: Any) -> str:
    return refusal_of(error.response.content)


def _lacks_logprobs(answer: Response, asked: Request) -> bool:
    """Whether log-probabilities that were asked for are missing beside an answer's words."""
    if asked.logprobs:
        missing = answer.token_logprobs is None
    else:
        missing = bool(asked.alternatives) and answer.alternatives is None
    return bool(answer.text and answer.error is None and missing)
