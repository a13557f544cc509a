"""What servers of the OpenAI schema answer: JSON or a stream of events, and errors under any status.

Nothing here sends anything: engine `openai` and ``ralc serve`` share it, each with a client of its own.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from ralc.llm.chat import clean, failed

TOO_DEEP = "it is nested too deep"
LONGEST_REFUSAL = 5000  # characters that are looked at
#: The status of an error that names none.
BAD_GATEWAY = 502
#: How a stream of events begins; no JSON does.
_EVENTS = re.compile(rb"\s*(?:data|event|id|retry)?:")
#: Under what servers put their errors.
_FAULTS = ("error", "errors", "detail")
#: The status that an error under another status names.
_CODE = re.compile(rb"\"(?:code|status|status_code)\"\s*:\s*\"?([45]\d\d)\b")
#: Texts that come in pieces; any other is whole in each event that has it.
_IN_PIECES = ("content", "reasoning", "reasoning_content", "refusal", "arguments", "text", "thinking")


class BrokenOffError(ValueError):
    """A stream of events that does not end as they do."""


def reply_of(content: bytes) -> Any:
    """Return the value of a reply: of JSON, or the chat completion that a stream of events adds up to.

    Raises ValueError where it is neither, or the stream broke off. An error among the events is the reply.

    >>> delta = b'data: {"choices": [{"delta": {"content": "%s"}, "finish_reason": %s}]}\\n\\n'
    >>> reply_of(delta % (b"Li", b"null") + delta % (b"ma", b'"stop"'))["choices"][0]["message"]
    {'content': 'Lima'}
    """
    try:
        if not _EVENTS.match(content):
            return json.loads(content)
        events = list(_events(content))
        faults = (event for event in events if event.get("error") or not event.get("choices"))
        return next(filter(faults_of, faults), None) or _completion(events)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except (TypeError, AttributeError):
        raise ValueError("its events are of another schema") from None


def error_status(reply: Any, content: bytes) -> int:
    """Return the status of the error that a reply of success is; 0 where it has an answer.

    `reply` is that of its `content` (`reply_of`).

    >>> content = b'{"error": {"message": "Rate limit exceeded", "code": 429}}'
    >>> error_status(reply_of(content), content)
    429
    """
    choices = reply.get("choices") if isinstance(reply, Mapping) and not reply.get("error") else None
    if isinstance(choices, list) and not all(map(failed, choices)):
        return 0
    code = _CODE.search(content)
    return int(code[1]) if code else BAD_GATEWAY


def faults_of(reply: Any) -> list[Any]:
    """Return the faults that a reply names, mappings or texts; none where it is no error."""
    try:
        return _faults(reply)
    except RecursionError:
        return []


def refusal_of(content: bytes | str) -> str:
    """Return what a server says is wrong, from the shapes in which servers say it, and the field's name in marks.

    >>> refusal_of('{"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}')
    "Extra inputs are not permitted 'seed'"
    """
    text = content.decode(errors="replace") if isinstance(content, bytes) else content
    try:
        reply = reply_of(text.encode())
        text = "; ".join(map(_told, faults_of(reply))) or text
    except ValueError:
        pass
    return " ".join(clean(text[:LONGEST_REFUSAL]).split())


def _faults(reply: Any) -> list[Any]:
    if isinstance(reply, list):
        return [fault for part in reply for fault in _faults(part)]
    if not isinstance(reply, Mapping):
        return [reply] if isinstance(reply, str) else []
    for name in _FAULTS:
        if fault := reply.get(name):
            return _faults(fault) or [fault]
    if isinstance(choices := reply.get("choices"), list):
        return _faults([{"error": choice.get("error")} for choice in filter(failed, choices)])
    return [reply] if isinstance(reply.get("message") or reply.get("msg"), str) else []


def _told(fault: Any) -> str:
    """One fault of a refusal, with the field that it names."""
    if not isinstance(fault, Mapping):
        return fault if isinstance(fault, str) else json.dumps(fault)
    message = str(fault.get("message") or fault.get("msg") or json.dumps(fault))
    *_, field = fault["loc"] if isinstance(fault.get("loc"), list) and fault["loc"] else [fault.get("param")]
    return f"{message} '{field}'" if isinstance(field, str) and field not in message.split() else message


def _events(content: bytes) -> Iterator[Any]:
    """The data of the events of a stream; ValueError where it broke off."""
    ended = False
    for event in content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n"):
        lines = [line[5:].strip() for line in event.split(b"\n") if line.startswith(b"data:")]
        data = b"\n".join(lines)
        if data == b"[DONE]":
            ended = True
        elif data:
            value = json.loads(data)
            for choice in value.get("choices") or ():
                choice["index"] = choice.get("index") or 0
                ended |= bool(choice.get("finish_reason"))
            ended |= bool(faults_of(value))
            yield value
    if not ended:
        raise BrokenOffError("its stream broke off")


def _completion(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The chat completion that some events add up to."""
    reply = _merged(events)
    choices = [
        {name: value for name, value in choice.items() if name != "delta"}
        | {"message": choice.get("delta") or choice.get("message")}
        for choice in sorted(reply.get("choices") or (), key=lambda choice: choice["index"])
    ]
    return reply | {"object": "chat.completion", "choices": choices}


def _merged(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The object that some parts of it add up to, in time linear in them."""
    values: dict[str, list[Any]] = {}
    for part in parts:
        for name, value in part.items():
            values.setdefault(name, []).extend([] if value is None else [value])
    return {name: _whole(name, pieces) for name, pieces in values.items()}


def _whole(name: str, pieces: list[Any]) -> Any:
    """One field of all its values: objects are merged, lists and texts grow, of anything else the last counts."""
    if not pieces:
        return None
    if any(isinstance(piece, list) for piece in pieces):
        listed = [piece if isinstance(piece, list) else [{"type": "text", "text": piece}] for piece in pieces]
        return _entries(chain.from_iterable(listed))
    if isinstance(pieces[0], Mapping):
        return _merged(pieces)
    return "".join(pieces) if name in _IN_PIECES else pieces[-1]


def _entries(parts: Iterable[Any]) -> list[Any]:
    """The entries of a list: those that say one index are parts of one."""
    entries: dict[Any, list[Any]] = {}
    for place, part in enumerate(parts):
        index = part.get("index") if isinstance(part, Mapping) else None
        entries.setdefault((index is None, place if index is None else index), []).append(part)
    return [_merged(same) if len(same) > 1 else same[0] for same in entries.values()]
