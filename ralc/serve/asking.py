"""What a client asked: a checked request, and why it may have to pass as it is."""

from dataclasses import dataclass
from typing import Any

from ralc.serve.limits import ServeSettings
from ralc.serve.sending import RequestError, parsed

_MOST_ANSWERS = 128  # to one request, as OpenAI has it
_LONGEST_QUESTION = 20_000  # characters that are looked at
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
    answers
        That one reply will have.
    passes
        Why it passes as it is; empty where it is to be calibrated.
    """

    body: dict[str, Any]
    question: str
    stream: bool
    usage: bool
    style: str
    answers: int
    passes: str


def read(content: bytes, settings: ServeSettings) -> Asked:
    """Return what a request's body asks for.

    Raises
    ------
    RequestError
        400, if it is no JSON object with messages, or its object ``ralc`` has an option that there is not.
    """
    try:
        body = parsed(content)
    except ValueError as error:
        raise RequestError(400, f"the body is not JSON: {error}"[:300]) from None
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list) or not messages:
        raise RequestError(400, "the body is no object with a list of messages")
    options = _options(body.pop("ralc", None))
    stream = body.get("stream") is True
    extra = body.get("stream_options")
    return Asked(
        body=body,
        question=_question(messages)[:_LONGEST_QUESTION],
        stream=stream,
        usage=isinstance(extra, dict) and extra.get("include_usage") is True,
        style=options.get("style", settings.style),
        answers=_answers(body),
        passes=_passes(body, options, stream, settings),
    )


def _options(given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise RequestError(400, "ralc must be an object")
    for name, value in given.items():
        if name not in _OPTIONS or not isinstance(value, _OPTIONS[name]):
            allowed = ", ".join(f"{key} ({kind.__name__})" for key, kind in _OPTIONS.items())
            raise RequestError(400, f"ralc: {name!r:.100} is no option with such a value: {allowed}")
    if given.get("style", "words") not in ("words", "range"):
        raise RequestError(400, "ralc: style must be words or range")
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


def _answers(body: dict[str, Any]) -> int:
    """How many answers one reply will have, as far as that can be."""
    n = body.get("n")
    return min(max(n, 1), _MOST_ANSWERS) if isinstance(n, int) else 1


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
