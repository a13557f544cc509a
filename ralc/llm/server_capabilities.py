"""What servers of the OpenAI schema do not take, how they cache, and what is done about it.

Nothing here sends anything: engine `openai` and ``ralc serve`` share it, each with a client of its own.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ralc.io import say
from ralc.llm.requests import grammar_of

#: Likely tokens that servers other than llama.cpp's list at most, and what some list that refuse so many.
MOST_LISTED = 20
FEW_LISTED = 5
#: What a server may lack, and the fields that are then left out.
_LACKS: dict[str, tuple[str, ...]] = {
    "max_tokens": ("max_tokens",),
    "logprobs": ("top_logprobs", "logprobs"),
    **{field: (field,) for field in ("n", "seed", "temperature", "top_p", "chat_template_kwargs")},
    "stream_options": ("stream_options",),
    "constraint": ("response_format", "structured_outputs", "grammar"),
}
#: What every request has.
_NEEDED = {"model", "messages"}
#: What is lacking where a server must stream.
UNSTREAMED = "request without a stream"
#: What follows where a server takes no such thing.
_EFFECTS = {
    UNSTREAMED: "the events of a stream are read",
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
#: How servers refuse a field beside another that they name, too.
_TOGETHER = re.compile(
    r"\b(?:both|together|combin\w+|simultaneous\w*|mutually|alongside|conflict\w*|in\w*compatible|either|with|when|while|"
    r"at the same time|only one of)\b",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context (?:length|size|window)|(?:model|maximum) length|(?:prompt|input) (?:is )?too long",
    re.IGNORECASE,
)
#: How servers say that they must stream.
_MUST_STREAM = re.compile(
    r"\bnon-?stream|\b(?:only|must|requires?|set|enable|use|without)\b[^.]*\bstream|"
    r"\bstream\w*\b[^.]*\b(?:only|must|required|true)\b",
    re.IGNORECASE,
)
_CACHED = re.compile(r"(?:hit|true)\b", re.IGNORECASE)
#: Replies whose ids are remembered.
_IDS = 1024


class Capabilities:
    """What a model of a server, named as messages name them, was found not to take."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lacks = set[str]()
        self.takes = set[str]()
        #: What it lacks where a request has certain other fields.
        self._lacks_beside = set[tuple[str, frozenset[str]]]()
        self._ids_mean_nothing = False
        self._ids = [("", 0)] * _IDS

    def fitted(
        self, body: Mapping[str, Any], keep: Collection[str] = (), without: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return a request's body without the fields that the server does not take.

        Parameters
        ----------
        body
            The request's fields.
        keep
            Fields that stay, whatever the server takes.
        without
            Lacks that count as if they were known.
        """
        untaken = _fields({*self.lacks, *without}) - set(keep)
        if UNSTREAMED in self.lacks:
            body = {**body, "stream": True, "stream_options": {"include_usage": True}}
        fields = {name: value for name, value in body.items() if name not in untaken}
        if "max_tokens" in untaken and "max_tokens" in body:
            fields["max_completion_tokens"] = body["max_tokens"]
        if "top_logprobs" in self.lacks and "top_logprobs" in fields:
            fields["top_logprobs"] = min(fields["top_logprobs"], FEW_LISTED)
        refused = (lack for lack, others in self._lacks_beside if others <= fields.keys())
        untaken = _fields(refused) - set(keep)
        return {name: value for name, value in fields.items() if name not in untaken}

    def lack(self, what: str, beside: Collection[str] = ()) -> None:
        """Remember that the server lacks something, or does where a request has some other fields; say so once."""
        lacks, lack = (self._lacks_beside, (what, frozenset(beside))) if beside else (self.lacks, what)
        if lack not in lacks:
            lacks.add(lack)
            where = f" beside {', '.join(sorted(beside))}" if beside else ""
            say(f"{self.name}: it takes no such {what}{where}: {_EFFECTS.get(what, 'it is left out')}")

    def see(self, ident: Any, texts: Sequence[str | None]) -> None:
        """Remember a reply's id: one that came with other texts before means nothing on this server."""
        if isinstance(ident, str) and ident:
            place = hash(ident) % _IDS
            words = hash(tuple(texts))  # answers may be long, and are many
            seen, before = self._ids[place]
            self._ids_mean_nothing |= seen == ident and before != words
            self._ids[place] = ident, words

    def is_copy(
        self,
        ident: Any,
        texts: Sequence[str | None],
        headers: Mapping[str, str],
        before: set[tuple[str, str]],
    ) -> bool:
        """Return whether a reply repeats one to the same request: by its id, or from a cache that says so.

        What a cache repeats is no further sample. Each reply is to be seen (`see`) first.

        Parameters
        ----------
        ident, texts
            The reply's id, and the texts of its answers.
        headers
            Its headers by their names.
        before
            Ids and texts of the replies to the request so far; this one is added.
        """
        reply = ident if isinstance(ident, str) else "", json.dumps(texts)
        cached = any(
            "cache" in name.lower() and _CACHED.match(value.strip()) for name, value in headers.items()
        )
        repeated = any(reply[1] == words for _, words in before)
        by_id = reply[0] and not self._ids_mean_nothing and reply in before
        before.add(reply)
        return bool(by_id or (cached and repeated))

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


class Trial:
    """A request that is sent again without the fields that a server refuses; `fields` is what to send next.

    The fields of `keep` may not be left out: a client's own, or what the answers' distribution depends on.
    """

    def __init__(self, server: Capabilities, body: Mapping[str, Any], keep: Collection[str] = ()) -> None:
        self._server = server
        self._body = body
        self._keep = keep
        self._without: list[str] = []
        self._back = ""
        self.fields = server.fitted(body, keep)

    @property
    def untried(self) -> list[str]:
        """What the server may lack of what is sent next, and never took so far."""
        known = self._server.takes | {"max_tokens"}  # which only goes by another name
        return [lack for lack in _added(self.fields, self._keep) if lack not in known]

    def answered(self) -> bool:
        """Return whether to send it again after a reply: with one more of the fields that were left out."""
        taken = _added(self.fields, ())
        n = self.fields.get("n")  # of a client, so anything
        several = isinstance(n, int) and n > 1
        self._server.takes |= {lack for lack in taken if lack != "n" or several}
        return self._put_back()

    def refused(self, status: int, refusal: str, *, final: bool = True) -> bool:
        """Return whether to send it again after a refusal (`refusal_of`).

        One that names a field is learnt from. One that names none is looked into: all that was
        added and never taken is left out, and if that is answered, put back one by one. What fails then is refused.

        Parameters
        ----------
        status, refusal
            The reply's HTTP status, and what it says is wrong.
        final
            Whether a refusal that names no field is looked into.
        """
        before = self.fields
        self.fields = self._server.fitted(self._body, self._keep, self._without)
        if before != self.fields:  # another request has found it out
            return True
        if lack := lack_named(status, refusal, self.fields, self._keep):
            self._server.lack(lack, _named_beside(refusal, lack, self.fields))
        elif not final or not _of_fields(status, refusal):
            return False
        elif self._back:
            # A client's own fields may be why.
            self._server.lack(self._back, {*self.fields}.intersection(self._keep) - _NEEDED)
            self._put_back()
        elif self._without:
            return False
        else:
            self._without = self.untried
            if not self._without:
                return False
        self.fields = self._server.fitted(self._body, self._keep, self._without)
        return True

    def _put_back(self) -> bool:
        """Put one back of what was left out; whether there was one."""
        self._back = self._without.pop(0) if self._without else ""
        self.fields = self._server.fitted(self._body, self._keep, self._without)
        return bool(self._back)


def lack_named(status: int, refusal: str, body: Mapping[str, Any], keep: Collection[str] = ()) -> str:
    """Return what a refusal says that the server lacks; "" where it names nothing that may be left out.

    Parameters
    ----------
    status, refusal
        The reply's HTTP status, and what it says is wrong (`ralc.llm.server_replies.refusal_of`).
    body
        The request that was refused.
    keep
        Its fields that may not be left out.
    """
    if not _of_fields(status, refusal):
        return ""
    if _MUST_STREAM.search(refusal) and not body.get("stream"):
        return UNSTREAMED
    if body.get("top_logprobs", 0) > FEW_LISTED and "top_logprobs" in refusal:
        return "top_logprobs"
    named = (lack for lack in _added(body, keep) if any(_names(refusal, field) for field in _LACKS[lack]))
    return next(named, "")


def _named_beside(refusal: str, lack: str, body: Mapping[str, Any]) -> set[str]:
    """The other fields of a body beside which, and not alone, a refusal says that something is lacking."""
    if lack not in _LACKS or lack == "max_tokens" or not _TOGETHER.search(refusal):
        return set()
    others = body.keys() - _NEEDED - _fields([lack])
    return {field for field in others if re.search(rf"\b{re.escape(field)}\b", refusal)}


def _fields(lacks: Iterable[str]) -> set[str]:
    """The fields of what a server lacks."""
    return {field for lack in lacks for field in _LACKS.get(lack, ())}


def _of_fields(status: int, refusal: str) -> bool:
    """Whether a refusal may be that of a request's fields."""
    return 400 <= status < 600 and status not in _OF_OTHER_THINGS and not says_too_long(refusal)


def _added(body: Mapping[str, Any], keep: Collection[str]) -> list[str]:
    """What a server may lack of the fields of a body that are not those of `keep`."""
    return [
        lack
        for lack, fields in _LACKS.items()
        if any(field in body and field not in keep for field in fields)
    ]


def says_too_long(refusal: str) -> bool:
    """Return whether a request was refused for the length of its prompt."""
    return bool(_TOO_LONG.search(refusal))


def _names(refusal: str, field: str) -> bool:
    """Whether a refusal is that of a field."""
    if any(f"{mark}{field}{mark}" in refusal for mark in "'`\""):
        return True
    if field == "n":
        return bool(_ONE_ANSWER.search(refusal))
    named = re.search(rf"\b{field}\b", refusal)
    return bool(named and ("logprobs" in field or _UNKNOWN.search(refusal)))
