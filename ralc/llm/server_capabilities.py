"""What servers of the OpenAI schema do not take, how they cache, and what is done about it.

Nothing here sends anything: engine `openai` and ``ralc serve`` share it, each with a client of its own.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ralc.io import say
from ralc.llm.chat import clean
from ralc.llm.requests import grammar_of

#: Likely tokens that servers other than llama.cpp's list at most, and what some list that refuse so many.
MOST_LISTED, FEW_LISTED = 20, 5
#: What a server may lack, and the fields that are then left out.
_LACKS: dict[str, tuple[str, ...]] = {
    "max_tokens": ("max_tokens",),
    "logprobs": ("top_logprobs", "logprobs"),
    **{field: (field,) for field in ("n", "top_p", "temperature", "seed", "chat_template_kwargs")},
    "constraint": ("response_format", "structured_outputs", "grammar"),
}
#: What follows where a server takes no such thing.
_EFFECTS = {
    "max_tokens": "max_completion_tokens is sent",
    "logprobs": "the token_probability signal is unavailable for this model, and no score can be read from them",
    "n": "samples are asked for one by one",
    "temperature": "its answers are drawn at its own",
    "seed": "its answers cannot be drawn again",
    "chat_template_kwargs": "reasoning is stripped",
    "constraint": "answers are checked, and asked for once more where they fail",
}
#: Statuses that say nothing of a request's fields.
_OF_OTHER_THINGS = (401, 402, 408, 409, 425, 429)
#: Words of a refusal of a field that it names without marks around it.
_UNKNOWN = re.compile(
    r"unsupported|unknown|unexpected|unrecogni[sz]ed|extra|cannot both|does not support|"
    r"not (?:supported|allowed|permitted|available|enabled|recogni[sz]ed)",
    re.IGNORECASE,
)
#: How servers refuse several answers a call, mostly without the field's name.
_ONE_ANSWER = re.compile(
    r"\bn\b *(?:[<>=!]|must|should|has to|can)|"
    r"\b(?:only (?:one|a single|1)|multiple|several) (?:\w+ )?(?:completion|candidate|choice|generation)",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context (?:length|size|window)|(?:model|maximum) length|(?:prompt|input) (?:is )?too long",
    re.IGNORECASE,
)
_CACHED = re.compile(r"(?:hit|true)\b", re.IGNORECASE)


class Capabilities:
    """What a model of a server, named as messages name them, was found not to take."""

    def __init__(self, name: str) -> None:
        self.name, self.lacks = name, set[str]()

    def fitted(self, body: Mapping[str, Any], keep: Collection[str] = ()) -> dict[str, Any]:
        """Return a request's body without the fields that the server does not take, but for those of `keep`."""
        untaken = {field for lack in self.lacks for field in _LACKS.get(lack, ())} - set(keep)
        fields = {name: value for name, value in body.items() if name not in untaken}
        if "max_tokens" in untaken and "max_tokens" in body:
            fields["max_completion_tokens"] = body["max_tokens"]
        if "top_logprobs" in self.lacks and "top_logprobs" in fields:
            fields["top_logprobs"] = min(fields["top_logprobs"], FEW_LISTED)
        return fields

    def learn(self, status: int, refusal: str, body: Mapping[str, Any], keep: Collection[str] = ()) -> bool:
        """Learn from a refusal (`refusal_of`) of `body`; whether the request is worth sending again, fitted.

        The fields of `keep` may not be left out: a client's own, or what the answers' distribution depends on.
        """
        if not 400 <= status < 500 or status in _OF_OTHER_THINGS or says_too_long(refusal):
            return False
        if body.get("top_logprobs", 0) > FEW_LISTED and "top_logprobs" in refusal:
            self.lack("top_logprobs")
            return True
        for lack, fields in _LACKS.items():
            sent = any(field in body and field not in keep for field in fields)
            if sent and any(_names(refusal, field) for field in fields):
                self.lack(lack)
                return True
        return False

    def lack(self, what: str) -> None:
        """Remember that the server lacks something, and say so once."""
        if what not in self.lacks:
            self.lacks.add(what)
            say(f"{self.name}: it takes no such {what}: {_EFFECTS.get(what, 'it is left out')}")

    def constrained(self, constraint: Mapping[str, Any] | None, kind: str) -> dict[str, Any]:
        """Return an output constraint in the terms of a kind of server."""
        if constraint is None or "constraint" in self.lacks:
            return {}
        ((form, value),) = constraint.items()
        if kind == "vllm":
            return {"structured_outputs": {form: value}}
        if form == "json":
            schema = {"name": "answer", "schema": value, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": schema}}
        if kind == "llamacpp":
            return {"grammar": grammar_of(constraint)}
        self.lack("constraint")
        return {}


def is_copy(
    texts: Sequence[str | None], ident: Any, headers: Mapping[str, str], before: dict[str, set[str]]
) -> bool:
    """Return whether a reply of `texts` repeats one to the same request: by its id, or from a cache that says so.

    What a cache repeats is no further sample. An id that stood beside other words means nothing on this server. The
    reply is added to those `before`, by their ids.
    """
    text, ident = json.dumps(texts), ident if isinstance(ident, str) else ""
    repeated = any(text in replies for replies in before.values())
    cached = any("cache" in name.lower() and _CACHED.match(value.strip()) for name, value in headers.items())
    copy = repeated and (cached or (bool(ident) and before.get(ident) == {text}))
    before.setdefault(ident, set()).add(text)
    return copy


def refusal_of(content: bytes | str) -> str:
    """Return what a server says is wrong, from the shapes in which servers say it, and the field's name in marks.

    >>> refusal_of('{"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}')
    "Extra inputs are not permitted 'seed'"
    """
    text = content.decode(errors="replace") if isinstance(content, bytes) else content
    try:
        error = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(clean(text).split())
    for name in ("error", "detail"):
        error = (error.get(name) or error) if isinstance(error, dict) else error
    return " ".join(clean("; ".join(map(_fault, error if isinstance(error, list) else [error]))).split())


def says_too_long(refusal: str) -> bool:
    """Return whether a request was refused for the length of its prompt."""
    return bool(_TOO_LONG.search(refusal))


def _fault(error: Any) -> str:
    """One fault of a refusal, with the field that it names."""
    if not isinstance(error, dict):
        return error if isinstance(error, str) else json.dumps(error)
    message = str(error.get("message") or error.get("msg") or json.dumps(error))
    *_, field = error["loc"] if isinstance(error.get("loc"), list) and error["loc"] else [error.get("param")]
    return f"{message} '{field}'" if isinstance(field, str) and field not in message.split() else message


def _names(refusal: str, field: str) -> bool:
    """Whether a refusal is that of a field."""
    if any(f"{mark}{field}{mark}" in refusal for mark in "'`\""):
        return True
    if field == "n":
        return bool(_ONE_ANSWER.search(refusal))
    named = re.search(rf"\b{field}\b", refusal)
    return bool(named and ("logprobs" in field or _UNKNOWN.search(refusal)))
