"""Any server that speaks the OpenAI chat schema: vLLM's, llama.cpp's, a cloud's.

Several requests at once. Retries of time-outs, 429 and 5xx, and their waits (``Retry-After``), are the official
client's. What a server lacks is found out once, said once, and worked around (`ralc.llm.server_capabilities`).
"""

import json
import os
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from ralc.io import say
from ralc.llm import chat
from ralc.llm.engines import in_parallel
from ralc.llm.errors import BudgetReachedError, EngineError
from ralc.llm.journal import Journal, journals_of
from ralc.llm.models import Count, ModelConfig, Price, plain_address
from ralc.llm.requests import Request, Response, failures
from ralc.llm.server_capabilities import MOST_LISTED, Capabilities, Copies, kind_of, refusal_of, says_too_long

#: How often the client repeats a call, and how often one is repeated whose reply is no answer.
RETRIES, BAD_REPLIES = 6, 6
#: So many requests in a row without an answer: it is the server.
SILENT = 20
#: Copies of one reply after which no further sample is asked for.
COPIES = 3
#: Seconds that the list of models may take.
LIST_TIMEOUT_S = 20.0


class Options(ModelConfig):
    """The entry of a model that a server answers for."""

    LOADED_WITH: ClassVar = ("thinking", "reasoning_tokens")
    KEY_IGNORES: ClassVar = frozenset(
        {"metadata", "priority", "safety_identifier", "service_tier", "store", "user"}
    )
    OF_THE_WAY: ClassVar = frozenset(
        {"api_key_env", "concurrency", "max_cost", "max_requests", "seeding", "timeout_s"}
    )
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
    """openai: requests that may be sent, in all stages and runs of one folder together; the client's own retries do
    not count."""
    max_cost: Annotated[float, Field(gt=0)] | None = None
    """openai: what may be spent, in all stages and runs of one folder together, in the currency of `price`. Jobs that
    run at the same time do not see each other's."""
    seeding: Literal["request", "engine"] = "request"
    """vllm, openai: `request` (each has a seed, by which its answers can be drawn again), or `engine` (none has: vLLM
    then draws whole batches at once, with samplers that it must not use for a seed of a request's own)."""

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
        name = f"{entry.base_url} ({entry.model})"
        self.capabilities = Capabilities(name, {"seed"} if entry.seeding == "engine" else ())
        self.budget = Budget(entry, self.capabilities)
        self._kind = None
        self._gave_logprobs = self._answered = False
        self._silent = 0
        self._greeting = threading.Lock()

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Keep `concurrency` requests in flight, the first one alone; see `ralc.llm.engines.Engine`."""
        waiting = enumerate(requests)
        if not self._greeted() and (first := next(waiting, None)) is not None:
            yield from in_parallel([first], self._all, 1)
        yield from in_parallel(waiting, self._all, self.entry.concurrency)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _greeted(self) -> bool:
        """Find out what kind of server it is; whether that was known. One that is still starting is waited for."""
        import openai

        with self._greeting:
            if self._kind is not None:
                return True
            listed, seconds = None, min(self.entry.timeout_s, LIST_TIMEOUT_S)
            try:
                listed = self._parsed(self._client.models.with_raw_response.list(timeout=seconds).content)
            except (openai.APITimeoutError, chat.BadReplyError):
                pass
            except openai.APIStatusError as error:
                if error.status_code == 401:
                    raise EngineError(f"{self.entry.base_url} refuses: {self._said(error)}") from None
            except openai.APIConnectionError as error:
                raise EngineError(
                    f"no server at {self.entry.base_url} (model {self.entry.model}): {self._said(error)}; start it, or "
                    "put base_url right"
                ) from None
            self._kind = kind_of(listed)
            return False

    def _all(self, request: Request) -> list[Response]:
        """All answers to one request: what a reply leaves out is asked for again."""
        found: dict[int, Response] = {}
        problem, copies, repeated, poor = "the server left answers out", Copies(), 0, 0
        while missing := [number for number in request.numbers if number not in found]:
            n = next((i for i, number in enumerate(missing) if number != missing[0] + i), len(missing))
            try:
                reply, headers, part = self._reply(replace(request, first=missing[0], n=n))
                if request.temperature > 0 and not request.embedding and copies.is_copy(reply, headers):
                    repeated += 1
                    problem = f"the server repeats itself: {repeated} replies were copies (of a cache?)"
                    if repeated >= COPIES:
                        break
                    continue
                found |= {answer.sample: answer for answer in self._answers(reply, part)}
                self._answered, self._silent = True, 0
            except chat.BadReplyError as error:
                problem, poor = str(error), poor + 1
                if poor >= BAD_REPLIES:
                    self._unanswered(problem)
                    break
            except _LostError as error:
                if error.final:
                    return failures(request, str(error), final=True)
                problem = str(error)
                break
            except EngineError as error:
                error.answers = _with_failures(found, request, str(error))
                raise
        return _with_failures(found, request, problem)

    def _reply(self, request: Request) -> tuple[Any, Any, Request]:
        """A reply, its headers, and the part of the request that was sent; adapts to what the server lacks."""
        import openai

        while True:
            part, keep = self._part(request), _kept(request)
            sent = self.capabilities.fitted(self._body(part), keep)
            self.budget.take_request()
            create = self._client.embeddings if request.embedding else self._client.chat.completions
            try:
                reply = create.with_raw_response.create(**_split(sent))
            except openai.APIStatusError as error:
                if not self.capabilities.learn(error.status_code, _refusal(error), sent, keep):
                    raise self._lost(error) from None
            except openai.OpenAIError as error:
                raise self._lost(error) from None
            else:
                parsed = self._parsed(reply.content)
                self.budget.pay(*chat.usage(parsed))
                return parsed, reply.headers, part

    def _part(self, request: Request) -> Request:
        """The part of a request that the server answers in one call."""
        greedy = self._kind == "vllm" and request.temperature == 0  # it refuses several greedy answers
        part = replace(request, n=1) if "n" in self.capabilities.lacks or greedy else request
        without = {"logprobs": False, "alternatives": ()}
        return replace(part, **without) if "logprobs" in self.capabilities.lacks else part

    def _body(self, part: Request) -> dict[str, Any]:
        """What is sent for a part of a request, in the terms of the server's kind."""
        sent = {"model": self.entry.model} | chat.body(part)
        if part.embedding:
            return sent
        sent["max_tokens"] += self.entry.reasoning_tokens
        if part.alternatives and self._kind != "llamacpp":
            sent["top_logprobs"] = min(sent["top_logprobs"], MOST_LISTED)
        if self._kind == "other":  # a cloud refuses fields it does not know: no cut need not be said
            sent = {name: value for name, value in sent.items() if name not in ("top_k", "min_p") or value}
        elif self.entry.thinking == "off":
            sent["chat_template_kwargs"] = {"enable_thinking": False}
        try:
            return sent | self.capabilities.constrained(part.constraint, self._kind) | self.entry.engine_args
        except ValueError as error:
            raise EngineError(f"{self.entry.base_url}: {error}") from None

    def _answers(self, reply: Any, part: Request) -> list[Response]:
        """The answers in a reply; finds out what the server left out without a word."""
        if part.embedding:
            return [chat.embedded(reply, part)]
        found = chat.answers(reply, part, echoes=self._kind == "llamacpp")
        if any(_lacks_logprobs(answer, part) for answer in found):
            if self._gave_logprobs:
                raise chat.BadReplyError("the reply lacks the log-probabilities that this server gives")
            self.capabilities.lack("logprobs")
        elif part.logprobs or part.alternatives:
            self._gave_logprobs = self._gave_logprobs or any(answer.text for answer in found)
        if part.constraint and "json" in part.constraint:
            found = [replace(answer, text=_unfenced(answer.text)) for answer in found]
        return found

    def _lost(self, error: Exception) -> Exception:
        """What a call that failed means: this request is lost, or the run ends."""
        status, said = getattr(error, "status_code", None), self._said(error)
        if status in (400, 413, 422):
            too_long = says_too_long(_refusal(error))
            if not (too_long or self._answered):
                self._unanswered(said, "refuses every request")
            return _LostError(said, final=too_long)
        if status is not None and status < 500 and status not in (408, 409, 425, 429):
            return EngineError(f"{self.entry.base_url} refuses: {said}")
        self._unanswered(said)
        say(f"{self.capabilities.name}: {said}; the next run asks again")
        return _LostError(said, final=False)

    def _unanswered(self, said: str, how: str = "answers nothing any more") -> None:
        """Count a request without an answer; end the run in place of losing all others one by one."""
        self._silent += 1
        if self._silent >= SILENT:
            raise EngineError(
                f"{self.entry.base_url} {how}: {said}; the journal keeps what was answered: see to the server and run "
                "again for the rest"
            )

    def _said(self, error: Exception) -> str:
        """What an error says, without the key, should the server have repeated it."""
        status = getattr(error, "status_code", None)
        said = f"{type(error).__name__}: {error.__cause__ or error}" if status is None else _refusal(error)
        said = said.replace(self._key, "***") if self._key else said
        return (f"{status}: {said}" if status else said)[:500]

    def _parsed(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            said = chat.clean(content.decode(errors="replace"))
            said = said.replace(self._key, "***") if self._key else said
            raise chat.BadReplyError(f"the reply is not JSON: {said[:80]}") from None


class _LostError(Exception):
    """A request that got no answer: for good if `final`, else in this run."""

    def __init__(self, message: str, *, final: bool) -> None:
        super().__init__(message)
        self.final = final


class Budget:
    """What the calls to a model may cost: those of this process, and what journals hold already.

    Cost is known from each reply, so requests in flight can pass `max_cost` by what they cost.
    """

    def __init__(self, entry: Options, capabilities: Capabilities) -> None:
        self._entry, self._capabilities = entry, capabilities
        self._requests = self._cost = self._shared = 0.0
        self._lock = threading.Lock()

    def add(self, journal: Path) -> None:
        """Add what the model's journals, in all stages beside this one, hold: their prompts once a request."""
        if self._entry.max_requests is self._entry.max_cost is None:
            return
        for stage in journal.parent.parent.glob("*"):
            for path in journals_of(stage / journal.name):
                with Journal(path, write=False) as answered:
                    for key in answered:
                        self._paid(list(answered[key].values()))

    def _paid(self, answers: Sequence[Response]) -> None:
        price = self._entry.price
        prompt = answers[0].prompt_tokens * price.prompt / 1e6
        self._requests += 1
        self._cost += prompt + sum(answer.completion_tokens for answer in answers) * price.completion / 1e6
        self._shared += prompt * (len(answers) - 1)

    def take_request(self) -> None:
        """Count one request that is about to be sent; BudgetReachedError if max_requests or max_cost is spent."""
        with self._lock:
            # A server of one answer a call was paid each prompt as often.
            cost = self._cost + (self._shared if "n" in self._capabilities.lacks else 0.0)
            for name, spent in (("requests", self._requests), ("cost", cost)):
                limit = getattr(self._entry, f"max_{name}")
                if limit is not None and spent >= limit:
                    raise BudgetReachedError(
                        f"budget reached: max_{name} = {limit}, {spent:g} spent; the journal keeps what was "
                        "answered: raise the limit and run again for the rest"
                    )
            self._requests += 1

    def pay(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Add what a reply cost; EngineError where that is capped and the server does not say."""
        price = self._entry.price
        if self._entry.max_cost is not None and not (prompt_tokens or completion_tokens):
            raise EngineError(
                f"{self._entry.base_url} does not count tokens, so max_cost cannot be kept: set max_requests"
            )
        with self._lock:
            self._cost += (prompt_tokens * price.prompt + completion_tokens * price.completion) / 1e6


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


def _split(body: dict[str, Any]) -> dict[str, Any]:
    """A body as the client takes it: what it names itself, and the rest as it is."""
    own = {name: body[name] for name in ("model", "messages", "input") if name in body}
    rest = {name: value for name, value in body.items() if name not in own}
    return own | {"extra_body": rest}


def _refusal(error: Any) -> str:
    return refusal_of(error.response.content)


def _lacks_logprobs(answer: Response, asked: Request) -> bool:
    """Whether log-probabilities that were asked for are missing beside an answer's words."""
    if asked.logprobs:
        missing = answer.token_logprobs is None
    else:
        missing = bool(asked.alternatives) and answer.alternatives is None
    return bool(answer.text and answer.error is None and missing)


def _unfenced(text: str) -> str:
    """JSON without the Markdown fence that some servers let it stand in."""
    stripped = text.strip()
    if stripped.startswith("```") and stripped.endswith("```") and "\n" in stripped:
        return stripped[:-3].partition("\n")[2].strip()
    return text
