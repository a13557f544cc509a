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


class Upstream:
    """A habit, and what it was asked."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.asked: list[dict[str, Any]] = []
        self.kept: dict[str, dict[str, Any]] = {}
        self.lock = threading.Lock()

    def reply(self, body: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        """What it says to a chat request."""
        with self.lock:
            self.asked.append(body)
            number, n = len(self.asked), body.get("n", 1)
        if n > 1 and self.mode != "takes_n":
            return refused("n must be 1", param="n")
        if (said := MODES[self.mode](self, body, number)) is not None:
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
    "constant_id": lambda up, body, number: (200, answer(number, ANSWERS[number % 5], id="chatcmpl-0"), {}),
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
def upstream(mode: str) -> Iterator[tuple[str, Upstream]]:
    """The address of an upstream with a habit, up to /v1, and what it was asked."""
    habit, server = Upstream(mode), Hostile()

    def said(body: dict[str, Any]) -> tuple[int, Any, list[tuple[str, str]]]:
        status, reply, headers = habit.reply(body)
        return status, reply, [("Content-Type", "application/json"), *headers.items()]

    server.habit = said
    try:
        yield server.address, habit
    finally:
        server.shutdown()
        server.server_close()
