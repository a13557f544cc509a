"""Upstreams with the habits of real ones, for `ralc serve` and the `openai` engine: each `MODES` entry is one habit."""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from typing import Any

from tests.hostile import Hostile

ANSWERS = ["It is N'Djamena.", "It is Abéché.", "It is Moundou.", "It is Sarh.", "It is Bongor."]
#: What a habit says to a request: a status, a body (or the text of an answer) and headers; None leaves the default.
Said = tuple[int, Any, dict[str, str]] | None
#: A habit says it to an upstream, a body and the number of the request.
Habit = Callable[["Upstream", dict[str, Any], int], Said]

BOTH = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
DEFAULT = (
    "Unsupported value: 'temperature' does not support 1.0 with this model. Only the default is supported."
)
FORBIDDEN = "You are not allowed to request logprobs from this model"
NO_LOGPROBS = "logprobs are not supported with reasoning models."
NO_SEED = {"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}


def refused(message: str, status: int = 400, param: str | None = None, **headers: str) -> Said:
    """An error in the OpenAI schema."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": None}
    return status, {"error": error}, headers


def answer(number: int, text: str, **more: Any) -> dict[str, Any]:
    """A chat completion; `more` goes over its fields."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    usage = {"prompt_tokens": 9, "completion_tokens": 8, "total_tokens": 17}
    head = {"id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1, "model": "m"}
    return head | {"choices": [choice], "usage": usage} | more


def drawn(number: int) -> str:
    """The text of the answer with a number."""
    return random.Random(number).choice(ANSWERS)


UNKNOWN = [
    {
        "error": {
            "code": 400,
            "message": f'Unknown name "{name}": Cannot find field.',
            "status": "INVALID_ARGUMENT",
        }
    }
    for name in ("seed", "logit_bias")
]
ERRORS = {"errors": [{"message": "Unrecognized request argument supplied: seed"}]}


class Upstream:
    """A habit, and what it was asked."""

    def __init__(self, mode: str | Habit) -> None:
        self.mode, self.habit = str(mode), MODES[mode] if isinstance(mode, str) else mode
        self.asked: list[dict[str, Any]] = []
        self.kept: dict[str, dict[str, Any]] = {}
        self.lock = threading.Lock()

    def reply(self, body: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        """What it says to a chat request."""
        with self.lock:
            self.asked.append(body)
            number, n = len(self.asked), body.get("n", 1)
        if n > 1 and not self.mode.startswith(("takes_n", "n_by")):
            return refused("n must be 1", param="n")
        if (said := self.habit(self, body, number)) is not None:
            return said
        choices = [dict(answer(0, drawn(number + place))["choices"][0], index=place) for place in range(n)]
        return 200, answer(number, "", choices=choices), {}

    def cached(self, key: Any, number: int, again: dict[str, Any], **headers: str) -> Said:
        """The answer to an equal key where there was one, with other fields; else one that is kept."""
        name = json.dumps(key, sort_keys=True)
        with self.lock:
            if name in self.kept:
                return 200, self.kept[name] | again, headers
            self.kept[name] = answer(number, drawn(number), created=number)
        return 200, self.kept[name], {}


def cache_without_seed(up: Upstream, body: dict[str, Any], number: int) -> Said:
    """Refuses a seed, and says nothing of its cache but the ids."""
    return (422, {"detail": [NO_SEED]}, {}) if "seed" in body else up.cached(body, number, {})


def cache_of_messages(up: Upstream, body: dict[str, Any], number: int) -> Said:
    """Looks past the seed; each answer from the cache has an id and a time of its own, and the gateway's header."""
    again = {"id": f"gen-{number}", "created": number}
    return up.cached(body["messages"], number, again, **{"cf-aig-cache-status": "HIT"})


def router(up: Upstream, body: dict[str, Any], number: int) -> Said:
    """A router of models without one that has it all: 404, and the name in no quotes."""
    told = {"error": {"message": "No endpoints found that support: top_logprobs", "code": 404}}
    return (404, told, {}) if "top_logprobs" in body else None


def busy(when: Callable[[int], bool], wait: Callable[[], str]) -> Habit:
    """Too many requests for some numbers, with when to come again."""
    told = "Rate limit reached"
    return lambda up, body, number: refused(told, 429, **{"Retry-After": wait()}) if when(number) else None


def some_fail(up: Upstream, body: dict[str, Any], number: int) -> Said:
    """Fails for some seeds; its answers follow the seed, whichever request comes first."""
    seed = body.get("seed", 0)
    return (200, answer(number, drawn(seed)), {}) if seed % 5 else refused("Internal error", 500)


def slow(seconds: float, then: Said) -> Habit:
    """Takes its time."""

    def habit(up: Upstream, body: dict[str, Any], number: int) -> Said:
        time.sleep(seconds)
        return then

    return habit


def ends(reason: Any) -> Habit:
    """Another reason why an answer ended; "missing" leaves it out."""

    def habit(up: Upstream, body: dict[str, Any], number: int) -> Said:
        reply = answer(number, drawn(number))
        reply["choices"][0]["finish_reason"] = reason
        if reason == "missing":
            del reply["choices"][0]["finish_reason"]
        return 200, reply, {}

    return habit


def thinks(opening: str, closing: str) -> Habit:
    """Reasons before the answer."""
    text = f"{opening}Is it Sarh? No, %d.{closing}It is N'Djamena."
    return lambda up, body, number: (200, answer(number, text % number), {})


def thinks_in_tokens(up: Upstream, body: dict[str, Any], number: int) -> Said:
    """Gives the log-probabilities of its reasoning, too."""
    tokens = {"<think>": -9.0, "Sarh?": -9.0, "</think>": -9.0, "It is N'Djamena.": -0.1}
    reply = answer(number, "".join(tokens))
    listed = [{"token": token, "logprob": logprob} for token, logprob in tokens.items()]
    reply["choices"][0]["logprobs"] = {"content": listed}
    return 200, reply, {}


def names_replies(ids: int) -> Habit:
    """Has so many ids for its replies, whatever they say."""
    return lambda up, body, number: (200, answer(number, drawn(number), id=f"chatcmpl-{number % ids}"), {})


def events(number: int, text: str, *, line: str = "\n", end: str = "[DONE]", whole: bool = True) -> bytes:
    """A chat completion as a stream, letter by letter, of a model that reasons; all but its end where not `whole`."""
    deltas = [{"content": ""}, {"reasoning_content": "Sarh? "}, {"reasoning_content": "No."}]
    deltas += [{"content": letter} for letter in text]
    head = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunks = [
        {"choices": [{"index": 0, "delta": {"role": "assistant"} | delta, "finish_reason": None}]}
        for delta in deltas
    ]
    if whole:
        chunks += [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": None}]
        chunks += [{"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 8, "total_tokens": 17}}]
    data = [*(json.dumps(head | chunk) for chunk in chunks), *filter(None, [end])]
    return "".join([f": waiting{line}{line}", *(f"data: {one}{line}{line}" for one in data)]).encode()


def streams(refusal: Said = None, *, kind: str = "text/event-stream", **how: str) -> Habit:
    """Always streams; or must, and refuses any other request."""

    def habit(up: Upstream, body: dict[str, Any], number: int) -> Said:
        if refusal and not body.get("stream"):
            return refusal
        return 200, events(number, drawn(number), **how), {"Content-Type": kind}

    return habit


def one_answer(message: str, status: int) -> Habit:
    """Refuses to give several answers."""
    return lambda up, body, number: refused(message, status) if body.get("n", 1) > 1 else None


def inside(reply: Any, status: int = 200) -> Habit:
    """An error with a status that is none of an error, once for each request."""

    def habit(up: Upstream, body: dict[str, Any], number: int) -> Said:
        name = json.dumps([body["messages"], body.get("seed")])
        with up.lock:
            before, up.kept[name] = name in up.kept, {}
        return None if before else (status, reply, {})

    return habit


def error(message: str, code: Any) -> dict[str, Any]:
    """The field ``error`` of a reply."""
    return {"error": {"message": message, "code": code}}


def silent(*fields: str, status: int = 400) -> Habit:
    """Refuses each of some fields without naming one."""
    return lambda up, body, number: refused("Bad request", status) if {*fields} & body.keys() else None


def refuses(message: str, *fields: str, **error: Any) -> Habit:
    """Refuses requests that have all of some fields."""
    has = lambda body: all(body.get(field) not in (None, False) for field in fields)  # noqa: E731
    return lambda up, body, number: refused(message, **error) if has(body) else None


MODES: dict[str, Habit] = {
    "plain": lambda up, body, number: None,
    "takes_n": lambda up, body, number: None,
    "cache": lambda up, body, number: up.cached(body, number, {}, **{"x-cache": "HIT"}),
    "cache_of_messages": cache_of_messages,
    "cache_without_seed": cache_without_seed,
    # Ids that are none.
    "constant_id": lambda up, body, number: (200, answer(number, ANSWERS[number % 5], id="chatcmpl-0"), {}),
    "one_id": names_replies(1),
    "session_id": names_replies(4),
    "short_ids": names_replies(7),
    # Fields that are refused by any status, with their names or without.
    "n_by_500": one_answer("Only one completion choice is allowed", 500),
    "n_by_501": one_answer("n > 1 is not implemented", 501),
    "seed_by_500": refuses(
        "ollama does not support parameters: {'seed': 1}, for model=llama3", "seed", status=500
    ),
    "seed_by_503": refuses("Unsupported parameter: seed", "seed", status=503),
    "seed_in_silence": silent("seed"),
    "temperature_in_silence": silent("temperature", status=500),
    "two_in_silence": silent("seed", "temperature", status=422),
    "seed_in_a_list": lambda up, body, number: (400, UNKNOWN, {}) if "seed" in body else None,
    "seed_in_errors": lambda up, body, number: (400, ERRORS, {}) if "seed" in body else None,
    # Errors under a status of success.
    "error_in_200": inside(error("Provider returned error", 502)),
    "limit_in_200": inside(error("Rate limit exceeded: free-models-per-min", 429)),
    "limit_in_201": inside([error("Resource exhausted", "429")], status=201),
    "text_in_200": inside({"error": "overloaded"}),
    "object_in_200": inside({"object": "error", "message": "The engine is busy", "code": 503}),
    "null_choices": inside({"id": "c", "choices": None}),
    "empty_choices": inside({"id": "c", "choices": [], "error": None}),
    "error_in_choice": inside({"choices": [error("Upstream idle", 504) | {"finish_reason": "error"}]}),
    "error_in_stream": inside(events(1, "It is ", end='{"error": {"message": "Overloaded"}}', whole=False)),
    "stream_breaks": inside(events(1, "It is ", end="", whole=False)),
    "seed_in_200": lambda up, body, number: (
        (200, error("Unknown name: 'seed'", 400), {}) if "seed" in body else None
    ),
    # Upstreams that must stream, or always do.
    "must_stream": streams(refused("enable_thinking must be set to false for non-streaming calls")),
    "only_streams": streams(refused("This model only supports stream mode, please set stream=true.")),
    "stream_required": streams(refused("Streaming is required for long requests", 500)),
    "always_streams": streams(),
    "streams_with_crlf": streams(line="\r\n"),
    "streams_as_json": streams(kind="application/json", end=""),
    "noboth": refuses(BOTH, "temperature", "top_p"),
    "default_temperature": refuses(DEFAULT, "temperature", param="temperature"),
    "noextra": refuses(NO_LOGPROBS, "logprobs", param="logprobs"),
    "forbid": refuses(FORBIDDEN, "logprobs", status=403),
    "router": router,
    "slow": slow(1, None),
    "slow_then_error": slow(0.6, refused("The engine is overloaded", 500)),
    "limit": busy(lambda number: number % 7 == 0, lambda: "1"),
    "limit_by_date": busy(lambda number: number in (5, 6), lambda: formatdate(time.time() + 2, usegmt=True)),
    "some_fail": some_fail,
    "eos": ends("eos_token"),
    "null_reason": ends(None),
    "no_reason": ends("missing"),
    "cut": ends("length"),
    "filtered": ends("content_filter"),
    "think": thinks("<think>", "</think>\n\n"),
    "think_closed": thinks("", "</think>\n"),
    "thinking": thinks("<thinking>", "</thinking>"),
    "reasoning": thinks("<reasoning>\n", "\n</reasoning>\n"),
    "never_ends": thinks("[THINK]", ""),
    "thinks_in_tokens": thinks_in_tokens,
}


@contextmanager
def upstream(mode: str | Habit) -> Iterator[tuple[str, Upstream]]:
    """The address of an upstream with a habit (or the name of one), up to /v1, and what it was asked."""
    habit, server = Upstream(mode), Hostile()

    def said(body: dict[str, Any]) -> tuple[int, Any, list[tuple[str, str]]]:
        status, reply, headers = habit.reply(body)
        return status, reply, list(({"Content-Type": "application/json"} | headers).items())

    server.habit = said
    try:
        yield server.address, habit
    finally:
        server.shutdown()
        server.server_close()
