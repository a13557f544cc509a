"""Upstreams with the habits of real ones, for `ralc serve` and the `openai` engine: each of `MODES` is one habit."""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from pathlib import Path
from typing import Any

from tests.hostile import Hostile

ANSWERS = ["It is N'Djamena.", "It is Abéché.", "It is Moundou.", "It is Sarh.", "It is Bongor."]
#: What a habit says to a request: a status, a body (or the text of an answer) and headers; None leaves the default.
Said = tuple[int, Any, dict[str, str]] | None
#: A habit says it to an upstream, a body and the number of the request.
Habit = Callable[["Upstream", dict[str, Any], int], Said]

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

    def __init__(self, mode: str | Habit) -> None:
        self.mode, self.habit = str(mode), MODES[mode] if isinstance(mode, str) else mode
        self.asked: list[dict[str, Any]] = []
        self.kept: dict[str, dict[str, Any]] = {}
        self.lock = threading.Lock()

    def reply(self, body: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        """What it says to a chat request."""
        with self.lock:
            self.asked.append(body)
            number = len(self.asked)
            n = body.get("n", 1)
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


def silent(fields: list[str], status: int = 400) -> Habit:
    """Refuses each of some fields without naming one."""
    return lambda up, body, number: refused("Bad request", status) if {*fields} & body.keys() else None


def says(field: str, status: int, reply: Any) -> Habit:
    """Has words of its own for requests with a field."""
    return lambda up, body, number: (status, reply, {}) if field in body else None


def refuses(message: str, fields: list[str], **error: Any) -> Habit:
    """Refuses requests that have all of some fields."""
    has = lambda body: all(body.get(field) not in (None, False) for field in fields)  # noqa: E731
    return lambda up, body, number: refused(message, **error) if has(body) else None


#: The kinds of habits of which `tests/data/upstreams.json` names modes, with what is said.
KINDS = {
    kind.__name__: kind
    for kind in (names_replies, one_answer, refuses, silent, says, inside, streams, ends, thinks)
}
TOLD = json.loads((Path(__file__).parent / "data" / "upstreams.json").read_text())
MODES: dict[str, Habit] = {
    mode: KINDS[kind](**how) for mode, told in TOLD.items() for kind, how in told.items()
} | {
    "plain": lambda up, body, number: None,
    "takes_n": lambda up, body, number: None,
    "cache": lambda up, body, number: up.cached(body, number, {}, **{"x-cache": "HIT"}),
    "cache_of_messages": cache_of_messages,
    "cache_without_seed": cache_without_seed,
    "constant_id": lambda up, body, number: (200, answer(number, ANSWERS[number % 5], id="chatcmpl-0"), {}),
    "error_in_stream": inside(events(1, "It is ", end='{"error": {"message": "Overloaded"}}', whole=False)),
    "stream_breaks": inside(events(1, "It is ", end="", whole=False)),
    "slow": slow(1, None),
    "slow_then_error": slow(0.6, refused("The engine is overloaded", 500)),
    "limit": busy(lambda number: number % 7 == 0, lambda: "1"),
    "limit_by_date": busy(lambda number: number in (5, 6), lambda: formatdate(time.time() + 2, usegmt=True)),
    "some_fail": some_fail,
    "thinks_in_tokens": thinks_in_tokens,
}


@contextmanager
def upstream(mode: str | Habit) -> Iterator[tuple[str, Upstream]]:
    """The address of an upstream with a habit (or the name of one), up to /v1, and what it was asked."""
    habit = Upstream(mode)
    server = Hostile()

    def said(body: dict[str, Any]) -> tuple[int, Any, list[tuple[str, str]]]:
        status, reply, headers = habit.reply(body)
        return status, reply, list(({"Content-Type": "application/json"} | headers).items())

    server.habit = said
    try:
        yield server.address, habit
    finally:
        server.shutdown()
        server.server_close()
