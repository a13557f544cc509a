"""Any server that speaks the OpenAI chat schema: vLLM's, llama.cpp's, a cloud's.

Several requests at once. Retries of time-outs, 429 and 5xx, and their waits (``Retry-After``), are the official
client's. What a server lacks is found out once, said once, and worked around (`ralc.llm.server_capabilities`).
"""

import json
import os
import re
import threading
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from ralc.llm import chat
from ralc.llm.engines import Answered, Count, EngineError, ReasoningConfig, in_parallel, plain_address
from ralc.llm.journal import Journal, journals_of
from ralc.llm.requests import Request, Response, failures
from ralc.llm.server_capabilities import MOST_LISTED, Capabilities, Trial, lack_named, says_too_long
from ralc.llm.server_replies import BAD_GATEWAY, BrokenOffError, error_status, refusal_of, reply_of

#: How often the client repeats a call, and one that a server may refuse in silence for what it lacks; how often one is
#: repeated whose reply is no answer, or a copy.
RETRIES = 6
DOUBTFUL_RETRIES = 3
BAD_REPLIES = 6
#: So many requests in a row without an answer: it is the server.
SILENT = 20
#: Statuses of a request's own fault, and those that pass.
_REFUSED = (400, 413, 422)
_PASSING = (408, 409, 425, 429)
#: The Markdown fence that some servers let JSON stand in.
_FENCE = re.compile(r"\A\s*```[^\n]*\n(.*?)\s*```\s*\Z", re.DOTALL)
#: Arguments of a request, and keys of an entry, on which no answer depends.
_IGNORED = "metadata priority safety_identifier service_tier store user"
_EXECUTION = "api_key_env concurrency max_requests timeout_s"


class Options(ReasoningConfig):
    """The entry of a model that a server answers for."""

    WEIGHTS_KEYS: ClassVar = ("thinking", "reasoning_tokens")
    KEY_IGNORES: ClassVar = frozenset(_IGNORED.split())
    EXECUTION_KEYS: ClassVar = ReasoningConfig.EXECUTION_KEYS | set(_EXECUTION.split())

    base_url: Annotated[str, AfterValidator(plain_address)]
    """openai: the server's address, up to `/v1`."""
    api_key_env: Annotated[str, Field(pattern="^[A-Z_][A-Z0-9_]*$")] | None = None
    """openai: the environment variable that holds the key (a key that stood here itself is to be replaced)."""
    concurrency: Count = 8
    """openai: requests in flight."""
    timeout_s: Annotated[float, Field(gt=0)] = 600.0
    """openai: seconds that a request may take."""
    max_requests: Count | None = None
    """openai: requests that may be sent, in all stages and runs of one folder together, without retries. Jobs that run
    at the same time do not see each other's."""

    @property
    def key(self) -> str:
        """What the variable holds; "" where none is named."""
        return os.environ.get(self.api_key_env or "", "").strip()

    def check_key(self) -> str | None:
        """Return what is wrong with the variable that is to hold a key, if anything; never what it holds."""
        if self.api_key_env and not self.key:
            return f"api_key_env: the environment variable {self.api_key_env} is empty; put the key in it"
        # Anything else would end up in an error message of the HTTP library, key and all.
        if not all("!" <= character <= "~" for character in self.key):
            return f"api_key_env: what {self.api_key_env} holds is no key: a space, line or odd character"
        return None

    def _location(self) -> list[str]:
        """The address without scheme and last slash, unless a revision says which weights these are anywhere."""
        address = urlsplit(self.base_url)
        return [] if self.revision else [f"at {address.netloc.lower()}{address.path.rstrip('/')}"]


class Server:
    """A server and what is known of it; EngineError if there is none, or no key where one is to be."""

    def __init__(self, entry: Options) -> None:
        import openai

        if problem := entry.check_key():
            raise EngineError(problem)
        self.entry = entry
        self.budget = Budget(entry.max_requests)
        self.capabilities = Capabilities(f"{entry.base_url} ({entry.model})")
        options = {"base_url": entry.base_url, "timeout": entry.timeout_s, "max_retries": RETRIES}
        http_client = openai.DefaultHttpxClient(event_hooks={"response": [self._see]})
        self._client = openai.OpenAI(api_key=entry.key or "none", http_client=http_client, **options)
        self._gave_logprobs = False
        self._silent = 0  # requests in a row that got no answer
        self._kind = self._kind_of_server()

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Keep `concurrency` requests in flight; see `ralc.llm.engines.Engine`."""
        return in_parallel(requests, self._all, self.entry.concurrency)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _kind_of_server(self) -> str:
        """What kind of server it is; one that is still starting is waited for."""
        import httpx
        import openai

        wait = {"timeout": min(self.entry.timeout_s, 20.0)}
        try:
            listed = self._parsed(self._client.get("/models", cast_to=httpx.Response, options=wait))
            owners = {str(model["owned_by"]) for model in listed["data"]}
        except (openai.APITimeoutError, openai.APIStatusError, ValueError, LookupError, TypeError):
            return "other"
        except openai.APIConnectionError as error:
            raise EngineError(f"no server at {self.capabilities.name}: {self._message(error)}") from None
        return next((kind for kind in ("vllm", "llamacpp") if kind in owners), "other")

    def _all(self, request: Request) -> list[Response]:
        """All answers to one request: what a reply leaves out is asked for again."""
        import openai

        answers: dict[int, Response] = {}
        before: set[tuple[str, str]] = set()
        poor = 0
        problem = "the server left answers out"
        while poor < BAD_REPLIES and len(answers) < request.n:
            try:
                answers |= self._batch(_missing(request, answers), before)
            except chat.BadReplyError as error:
                problem = str(error)
                poor += 1
            except EngineError as error:
                if not answers:
                    raise
                problem = str(error)  # the next request meets it again
                break
            except openai.OpenAIError as error:
                problem = self._message(error)
                status = getattr(error, "status_code", 500)
                if status in _REFUSED and says_too_long(problem):
                    return failures(request, problem, final=True)
                if status < 500 and status not in (*_REFUSED, *_PASSING):
                    raise EngineError(f"{self.entry.base_url} refuses: {problem}") from None
                break
        self._silent = 0 if answers else self._silent + 1
        if self._silent >= SILENT:  # in place of losing all others one by one
            remedy = "the journal keeps what was answered: see to the server and run again for the rest"
            raise EngineError(f"{self.entry.base_url} gives no answers: {problem}; {remedy}")
        return [answers.get(lost.sample, lost) for lost in failures(request, problem, final=False)]

    def _batch(self, part: Request, before: set[tuple[str, str]]) -> dict[int, Response]:
        """The answers of one reply, by their numbers; BadReplyError where they are those of one `before`."""
        reply, headers = self._reply(part)
        batch = self._answers(reply, part)
        texts = [answer.raw or answer.text for answer in batch]
        self.capabilities.see(reply.get("id"), texts)
        if part.temperature > 0 and self.capabilities.is_copy(reply.get("id"), texts, headers, before):
            raise chat.BadReplyError("the server repeats itself: its replies are copies")
        return {answer.sample: answer for answer in batch}

    def _reply(self, part: Request) -> tuple[Any, Mapping[str, str]]:
        """A reply and its headers; fields that the server refuses are left out, and remembered."""
        import httpx
        import openai

        self.budget.take_request()
        trial = self._trial(self._body(part))
        again = True
        while again:
            try:
                reply = self._client.post("/chat/completions", cast_to=httpx.Response, body=trial.fields)
                again = trial.answered()
            except openai.APIStatusError as error:
                if not trial.refused(error.status_code, refusal_of(error.response.content)):
                    raise
        return self._parsed(reply), reply.headers

    def _trial(self, body: Mapping[str, Any]) -> Trial:
        """The trial of a body. Without what it keeps its answers would be drawn from another distribution."""
        harmless = {"top_p": (1,), "temperature": (0, 1)}
        keep = {name for name, values in harmless.items() if body.get(name, 1) not in values}
        return Trial(self.capabilities, body, keep)

    def _see(self, response: Any) -> None:
        """Give a reply the status that it means, and let the client raise soon what may be the refusal of a field."""
        if response.request.method == "POST":
            content = response.read()
            sent = json.loads(response.request.content)
            if response.is_success:
                response.status_code = self._error_status(content) or response.status_code
            trial = self._trial(sent)
            retries = int(response.request.headers["x-stainless-retry-count"])
            known = trial.fields != sent or lack_named(response.status_code, refusal_of(content), sent)
            in_silence = response.status_code == 500 and retries >= DOUBTFUL_RETRIES and trial.untried
            if response.is_error and (known or in_silence):
                response.headers["x-should-retry"] = "false"

    def _error_status(self, content: bytes) -> int:
        """The status of the error that a reply of success is; 0 where it is none, or no reply."""
        try:
            return error_status(reply_of(content), content)
        except BrokenOffError:
            return BAD_GATEWAY
        except ValueError:
            return 0

    def _body(self, part: Request) -> dict[str, Any]:
        """What is sent for a part of a request, in the terms of the server's kind."""
        sent = {"model": self.entry.model} | chat.body(part)
        sent["max_tokens"] += self.entry.reasoning_tokens
        if part.alternatives and self._kind != "llamacpp":
            sent["top_logprobs"] = min(sent["top_logprobs"], MOST_LISTED)
        if self._kind == "vllm" and part.temperature == 0:  # which refuses equal answers
            sent["n"] = 1
        if self._kind == "other":  # a cloud refuses fields it does not know: no cut need not be said
            sent = {name: value for name, value in sent.items() if name not in ("top_k", "min_p") or value}
        elif self.entry.thinking == "off":
            sent["chat_template_kwargs"] = {"enable_thinking": False}
        return sent | self.capabilities.constrained(part.constraint, self._kind) | self.entry.engine_args

    def _answers(self, reply: Any, part: Request) -> list[Response]:
        """The answers in a reply."""
        parsed = chat.answers(reply, part, echoes=self._kind == "llamacpp")
        self._see_logprobs(parsed, part)
        if part.constraint and "json" in part.constraint:
            parsed = [replace(answer, text=_FENCE.sub(r"\1", answer.text)) for answer in parsed]
        return parsed

    def _see_logprobs(self, parsed: list[Response], part: Request) -> None:
        """Find out whether the server leaves log-probabilities out; BadReplyError where it does so but once."""
        wanted = (part.logprobs and "token_logprobs") or (part.alternatives and "alternatives")
        if wanted and "logprobs" not in self.capabilities.lacks:
            listed = [getattr(one, wanted) is not None for one in parsed if one.text and one.error is None]
            if not all(listed):
                if self._gave_logprobs:
                    raise chat.BadReplyError("the reply lacks the log-probabilities that this server gives")
                self.capabilities.lack("logprobs")
            self._gave_logprobs |= bool(listed) and all(listed)

    def _message(self, error: Any) -> str:
        """What an error says, without the key, should the server have repeated it."""
        message = f"{type(error).__name__}: {error.__cause__ or error}"
        if status := getattr(error, "status_code", None):
            message = f"{status}: {refusal_of(error.response.content)}"
        return self._without_key(message)[:500]

    def _without_key(self, message: str) -> str:
        return message.replace(self.entry.key, "***") if self.entry.key else message

    def _parsed(self, reply: Any) -> Any:
        try:
            return reply_of(reply.content)
        except ValueError:
            message = self._without_key(chat.clean(reply.content.decode(errors="replace")))
            raise chat.BadReplyError(f"the reply is not JSON: {message[:80]}") from None


def _missing(request: Request, answers: Container[int]) -> Request:
    """The part of a request that asks for the first answers in a row that are missing."""
    missing = [number for number in request.numbers if number not in answers]
    n = next((i for i, number in enumerate(missing) if number != missing[0] + i), len(missing))
    return replace(request, first=missing[0], n=n)


class Budget:
    """How many requests may be sent to a model: those of this process, and the records of its journals."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._sent = 0
        self._lock = threading.Lock()

    def add(self, journal: Path) -> None:
        """Count what the model's journals, in all stages beside this one, hold."""
        stages = journal.parent.parent.glob("*") if self._most else ()
        for path in (path for stage in stages for path in journals_of(stage / journal.name)):
            with Journal(path, write=False) as answered:
                self._sent += len(answered)

    def take_request(self) -> None:
        """Count one request that is about to be sent; EngineError if there were too many."""
        with self._lock:
            if self._most and self._sent >= self._most:
                remedy = "the journal keeps what was answered: raise it and run again"
                raise EngineError(f"budget reached: max_requests = {self._most}; {remedy}")
            self._sent += 1


start = Server
