"""Upstreams with the habits of real ones, for `ralc serve` and the `openai` engine: each `MODES` entry is one habit."""

import hashlib
import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWERS = ["It is N'Djamena.", "It is Abéché.", "It is Moundou.", "It is Sarh.", "It is Bongor."]
#: What a habit says to a request: a status, a body (or the text of an answer) and headers; None leaves the default.
Said = tuple[int, Any, dict[str, str]] | None


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
            number = len(self.asked)
        if body.get("n", 1) > 1 and self.mode != "takes_n":
            return refused("n must be 1", param="n")
        said = MODES[self.mode](self, body, number)
        if said is not None:
            return said
        if body.get("n", 1) > 1:
            reply = answer(number, "")
            reply["choices"] = [
                dict(answer(0, drawn(number + place))["choices"][0], index=place)
                for place in range(body["n"])
            ]
            return 200, reply, {}
        return 200, answer(number, drawn(number)), {}

    def cached(self, key: Any, number: int, again: Callable[[dict], dict] = dict, **headers: str) -> Said:
        """The answer to an equal key where there was one, changed by `again`; else one that is kept."""
        name = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()
        with self.lock:
            if name in self.kept:
                return 200, again(self.kept[name]), headers
            self.kept[name] = answer(number, drawn(number), created=number)
        return 200, self.kept[name], {}


def _cache(up: Upstream, body: dict, number: int) -> Said:
    return up.cached(body, number, **{"x-cache": "HIT"})


def _cache_of_messages(up: Upstream, body: dict, number: int) -> Said:
    """Looks past the seed; each answer from the cache has an id and a time of its own, and the gateway's header."""

    def again(reply: dict) -> dict:
        return reply | {"id": f"gen-{number}", "created": number}

    return up.cached(body["messages"], number, again, **{"cf-aig-cache-status": "HIT"})


def _cache_without_seed(up: Upstream, body: dict, number: int) -> Said:
    """Refuses a seed, and says nothing of its cache but the ids."""
    if "seed" in body:
        detail = [
            {"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}
        ]
        return 422, {"detail": detail}, {}
    return up.cached(body, number)


def _constant_id(up: Upstream, body: dict, number: int) -> Said:
    return 200, answer(number, ANSWERS[number % 5], id="chatcmpl-0"), {}


def _noboth(up: Upstream, body: dict, number: int) -> Said:
    if {"temperature", "top_p"} <= body.keys():
        told = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
        return refused(told)
    return None


def _default_temperature(up: Upstream, body: dict, number: int) -> Said:
    if "temperature" in body:
        told = "Unsupported value: 'temperature' does not support 1.0 with this model. Only the default is supported."
        return refused(told, param="temperature")
    return None


def _noextra(up: Upstream, body: dict, number: int) -> Said:
    if body.get("logprobs"):
        return refused("logprobs are not supported with reasoning models.", param="logprobs")
    return None


def _forbid(up: Upstream, body: dict, number: int) -> Said:
    if body.get("logprobs"):
        return refused("You are not allowed to request logprobs from this model", 403)
    return None


def _router(up: Upstream, body: dict, number: int) -> Said:
    """A router of models without one that has it all: 404, and the name in no quotes."""
    if "top_logprobs" in body:
        return 404, {"error": {"message": "No endpoints found that support: top_logprobs", "code": 404}}, {}
    return None


def _slow(up: Upstream, body: dict, number: int) -> Said:
    time.sleep(3)
    return None


def _slow_then_error(up: Upstream, body: dict, number: int) -> Said:
    time.sleep(1.5)
    return refused("The engine is overloaded", 500)


def _limit(up: Upstream, body: dict, number: int) -> Said:
    return refused("Rate limit reached", 429, **{"Retry-After": "1"}) if number % 7 == 0 else None


def _limit_by_date(up: Upstream, body: dict, number: int) -> Said:
    """The time to come again as a date."""
    if number in (5, 6):
        return refused("Rate limit reached", 429, **{"Retry-After": formatdate(time.time() + 2, usegmt=True)})
    return None


def _some_fail(up: Upstream, body: dict, number: int) -> Said:
    """Every request with an even seed fails, always: 10 of 20."""
    return refused("Internal error", 500) if body.get("seed", 0) % 5 == 0 else None


def _ends(reason: Any) -> Callable[[Upstream, dict, int], Said]:
    def habit(up: Upstream, body: dict, number: int) -> Said:
        reply = answer(number, drawn(number))
        reply["choices"][0]["finish_reason"] = reason
        if reason == "missing":
            del reply["choices"][0]["finish_reason"]
        return 200, reply, {}

    return habit


def _thinks(opening: str, closing: str) -> Callable[[Upstream, dict, int], Said]:
    def habit(up: Upstream, body: dict, number: int) -> Said:
        return 200, answer(number, f"{opening}Is it Sarh? No, {number}.{closing}It is N'Djamena."), {}

    return habit


MODES: dict[str, Callable[[Upstream, dict, int], Said]] = {
    "plain": lambda up, body, number: None,
    "takes_n": lambda up, body, number: None,
    "cache": _cache,
    "cache_of_messages": _cache_of_messages,
    "cache_without_seed": _cache_without_seed,
    "constant_id": _constant_id,
    "noboth": _noboth,
    "default_temperature": _default_temperature,
    "noextra": _noextra,
    "forbid": _forbid,
    "router": _router,
    "slow": _slow,
    "slow_then_error": _slow_then_error,
    "limit": _limit,
    "limit_by_date": _limit_by_date,
    "some_fail": _some_fail,
    "eos": _ends("eos_token"),
    "null_reason": _ends(None),
    "no_reason": _ends("missing"),
    "cut": _ends("length"),
    "filtered": _ends("content_filter"),
    "think": _thinks("<think>", "</think>\n\n"),
    "think_closed": _thinks("", "</think>\n"),
    "thinking": _thinks("<thinking>", "</thinking>"),
    "reasoning": _thinks("<reasoning>\n", "\n</reasoning>\n"),
    "never_ends": _thinks("[THINK]", ""),
}


@contextmanager
def upstream(mode: str) -> Iterator[tuple[str, Upstream]]:
    """The address of an upstream with a habit, up to /v1, and what it was asked."""
    habit = Upstream(mode)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self.say(200, {"object": "list", "data": [{"id": "m", "object": "model", "owned_by": "x"}]}, {})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.say(*habit.reply(body))

        def say(self, status: int, body: Any, headers: dict[str, str]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            sent = {"Content-Type": "application/json", "Content-Length": str(len(data))} | headers
            for name, value in sent.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", habit
    finally:
        server.shutdown()
        server.server_close()
