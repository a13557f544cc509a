"""``/v1/responses`` as chat completions: what is asked, what the upstream says to it, and the words put back."""

import copy
from collections.abc import Iterator
from typing import Any, Self

from pydantic import PrivateAttr

from ralc.serve.completion import ChatRequest
from ralc.serve.upstream import Object

#: Parts of a message that are text, by the name that chat completions have for them.
_PARTS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}
#: Fields of a request of which several samples would change what the upstream keeps.
_KEPT = {
    "conversation": "it continues a conversation that the upstream keeps",
    "background": "it runs behind",
}


class ResponseRequest(ChatRequest):
    """A response that a client asks for, in the terms of a chat completion."""

    _sent: Object = PrivateAttr(default_factory=dict)

    @classmethod
    def of(cls, value: Any) -> Self:
        """Return what the value of a request's body asks for; ValueError where it is none."""
        if not isinstance(value, dict):
            raise ValueError("it is no object")
        request = cls.model_validate(_as_chat(value))
        request._sent = {name: one for name, one in value.items() if name != "ralc"}
        request.excuse(next((why for name, why in _KEPT.items() if value.get(name)), ""))
        return request

    @property
    def sent(self) -> Object:
        """What the upstream is sent."""
        return self._sent

    def restored(self, messages: list[Object]) -> Object:
        """Return what the upstream is sent with other messages, or with the first of them alone."""
        if isinstance(items := self._sent["input"], str):
            return self._sent
        pairs = zip(items, messages, self.messages, strict=False)
        return self._sent | {
            "input": [item if new is old else {**item, "content": new["content"]} for item, new, old in pairs]
        }


def _as_chat(sent: Object) -> Object:
    """A request as that of a chat completion."""
    asked = sent.get("input")
    form = sent.get("text")
    items = [{"role": "user", "content": asked}] if isinstance(asked, str) else asked
    chat = {name: sent[name] for name in ("model", "ralc", "stream", "tools") if name in sent}
    chat["messages"] = list(map(_message, items)) if isinstance(items, list) and items else [None]
    chat["response_format"] = form.get("format") if isinstance(form, dict) else None
    return chat | {"logprobs": sent.get("top_logprobs") or "logprobs" in str(sent.get("include"))}


def _message(item: Any) -> Any:
    """An item of the input as a message, other items as what a tool says; None where it is none."""
    if not isinstance(item, dict) or item.get("type", "message") != "message":
        return {"role": "tool"} if isinstance(item, dict) else None
    content = item.get("content")
    if isinstance(content, list):
        kinds = [_PARTS.get(str(part.get("type"))) if isinstance(part, dict) else None for part in content]
        content = [kind and part | {"type": kind} for kind, part in zip(kinds, content, strict=True)]
    return item | {"content": content}


def as_completion(response: Any) -> Any:
    """Return a response as a chat completion of one choice, which holds it; what is none without a choice."""
    try:
        texts = [part["text"] for part in _texts(response)]
        kinds = {item["type"] for item in response["output"]} - {"message", "reasoning"}
    except (TypeError, AttributeError, KeyError):  # an error, or what answers another question
        return {**response, "choices": None} if isinstance(response, dict) else response
    message: Object = {"role": "assistant", "content": texts[0] if len(texts) == 1 else None}
    message |= {"tool_calls": sorted(kinds)} if kinds else {}
    counts = response.get("usage") if isinstance(response.get("usage"), dict) else {}
    usage = {"prompt_tokens": counts.get("input_tokens"), "completion_tokens": counts.get("output_tokens")}
    end = "stop" if response.get("status") == "completed" else "length"
    choice = {"message": message, "finish_reason": end, "response": response}
    return {"id": response.get("id"), "usage": usage, "choices": [choice]}


def _texts(response: Object) -> Iterator[Object]:
    """The parts of a response that are text."""
    for item in response["output"]:
        if item.get("type") == "message":
            yield from (part for part in item["content"] if part.get("type") == "output_text")


def as_response(reply: Object) -> Object:
    """Return the response in a chat completion, with its words, the object ``ralc`` and the tokens of all samples."""
    (choice,) = reply["choices"]
    response: Object = copy.deepcopy(choice["response"])
    text = choice["message"].get("content")
    for part in _texts(response) if isinstance(text, str) else ():
        changed = part["text"] != text
        part |= {"text": text} | ({"annotations": [], "logprobs": []} if changed else {})
    counts = reply.get("usage") or {}
    if isinstance(response.get("usage"), dict) and "total_tokens" in counts:
        told = {"input_tokens": counts["prompt_tokens"], "output_tokens": counts["completion_tokens"]}
        response["usage"] |= told | {"total_tokens": counts["total_tokens"]}
    return response | {"ralc": reply["ralc"]}


def events(response: Object) -> Iterator[Object]:
    """Yield a finished response as the events of a stream; the last has it, with ``ralc``."""
    yield {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}}
    for place, item in enumerate(response["output"]):
        at = {"output_index": place}
        parts = item.get("content") if item.get("type") == "message" else None
        yield {"type": "response.output_item.added", **at, "item": item | ({"content": []} if parts else {})}
        for number, part in enumerate(parts or ()):
            here = at | {"item_id": item.get("id"), "content_index": number}
            text = part.get("text")
            yield {
                "type": "response.content_part.added",
                **here,
                "part": part | ({"text": ""} if text else {}),
            }
            if text:
                yield {"type": "response.output_text.delta", **here, "delta": text, "logprobs": []}
                yield {"type": "response.output_text.done", **here, "text": text, "logprobs": []}
            yield {"type": "response.content_part.done", **here, "part": part}
        yield {"type": "response.output_item.done", **at, "item": item}
    yield {"type": f"response.{response.get('status') or 'completed'}", "response": response}
