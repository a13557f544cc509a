"""What a client asked: a checked request, and why it may have to pass as it is."""

import json
from dataclasses import dataclass
from typing import Any

from ralc.serve.replies import ServeError
from ralc.serve.settings import ServeSettings

_OPTIONS = {"calibrate": bool, "wait": bool, "style": str}
#: Fields of a request that a calibrated answer could not honour, and what they ask for.
_UNFIT = {
    "tools": "it offers tools",
    "functions": "it offers functions",
    "response_format": "it wants a form other than text",
    "logprobs": "it wants log-probabilities of the very text",
    "audio": "it wants sound",
    "prediction": "it predicts its own answer",
}


@dataclass(frozen=True)
class Asked:
    """A chat completion that a client asks for.

    Parameters
    ----------
    body
        What goes to the upstream: the request without the object ``ralc``.
    question
        The user's last words.
    stream, usage
        Whether it is streamed, with the usage at its end.
    style
        Of the words.
    passes
        Why it passes as it is; empty where it is to be calibrated.
    """

    body: dict[str, Any]
    question: str
    stream: bool
    usage: bool
    style: str
    passes: str


def read(content: bytes, settings: ServeSettings) -> Asked:
    """Return what a request's body asks for.

    Raises
    ------
    ServeError
        400, if it is no JSON object with messages, or its object ``ralc`` has an option that there is not.
    """
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise ServeError(400, "the body is not JSON", "invalid_request_error") from None
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list) or not messages:
        raise ServeError(400, "the body is no object with a list of messages", "invalid_request_error")
    options = _options(body.pop("ralc", None))
    stream = body.get("stream") is True
    extra = body.get("stream_options")
    return Asked(
        body=body,
        question=_question(messages),
        stream=stream,
        usage=isinstance(extra, dict) and extra.get("include_usage") is True,
        style=options.get("style", settings.style),
        passes=_passes(body, options, stream, settings),
    )


def _options(given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise ServeError(400, "ralc must be an object", "invalid_request_error")
    for name, value in given.items():
        if name not in _OPTIONS or not isinstance(value, _OPTIONS[name]):
            allowed = ", ".join(f"{key} ({kind.__name__})" for key, kind in _OPTIONS.items())
            raise ServeError(
                400, f"ralc: {name!r} is no option with such a value: {allowed}", "invalid_request_error"
            )
    if given.get("style", "words") not in ("words", "range"):
        raise ServeError(400, "ralc: style must be words or range", "invalid_request_error")
    return given


def _passes(body: dict[str, Any], options: dict[str, Any], stream: bool, settings: ServeSettings) -> str:
    if options.get("calibrate") is False:
        return "the request says so"
    if stream and not options.get("wait", settings.stream == "wait"):
        return "the stream must not wait"
    for field, why in _UNFIT.items():
        value = body.get(field)
        if value and not (field == "response_format" and value == {"type": "text"}):
            return why
    if body.get("n") not in (None, 1):
        return "it asks for several answers"
    if any(_not_text(message) for message in body["messages"]):
        return "it holds more than text"
    return ""


def _not_text(message: Any) -> bool:
    """Whether a message has an image, a sound, a file, or is a tool's."""
    if (
        not isinstance(message, dict)
        or message.get("role") in ("tool", "function")
        or message.get("tool_calls")
    ):
        return True
    content = message.get("content")
    if isinstance(content, list):
        return not all(isinstance(part, dict) and part.get("type") == "text" for part in content)
    return not isinstance(content, str)


def _question(messages: list[Any]) -> str:
    """The last words of the user; empty where there are none."""
    for message in reversed(messages):
        if isinstance(message, dict) and message.get("role") == "user":
            content = message.get("content")
            if isinstance(content, list):
                parts = (part.get("text") for part in content if isinstance(part, dict))
                return " ".join(part for part in parts if isinstance(part, str))
            return content if isinstance(content, str) else ""
    return ""
