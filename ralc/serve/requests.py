"""What a client asks for: a checked request, and why it may have to pass as it is."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ralc.serve.messages import RequestError, parsed
from ralc.serve.settings import ServeSettings

_LONGEST_QUESTION = 20_000  # characters that are looked at
_MOST_ANSWERS = 128  # to one request, as OpenAI has it
#: Fields of a request that a calibrated answer could not honour, and what they ask for.
_UNFIT = {
    "tools": "it offers tools",
    "functions": "it offers functions",
    "response_format": "it wants a form other than text",
    "logprobs": "it wants log-probabilities of the very text",
    "audio": "it wants sound",
    "prediction": "it predicts its own answer",
}


class Options(BaseModel):
    """The object ``ralc`` of a request."""

    model_config = ConfigDict(extra="forbid", strict=True)

    calibrate: bool = True
    wait: bool | None = None
    style: Literal["words", "range"] | None = None


class _Body(BaseModel):
    """What a chat request must have."""

    messages: Annotated[list[Any], Field(min_length=1)]
    ralc: Options | None = None


@dataclass(frozen=True)
class ChatRequest:
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
    skip_reason
        Why it passes as it is; empty where it is to be calibrated.
    """

    body: dict[str, Any]
    question: str
    stream: bool
    usage: bool
    style: str
    answers: int
    skip_reason: str

    @classmethod
    def read(cls, content: bytes, settings: ServeSettings) -> "ChatRequest":
        """Return what a request's body asks for.

        Raises
        ------
        RequestError
            400, if it is no JSON object with messages, or its object ``ralc`` has an option that there is not.
        """
        try:
            body = parsed(content)
            checked = _Body.model_validate(body)
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(map(str, fault["loc"])) or "the body"
            raise RequestError(400, f"{where}: {fault['msg']}"[:300]) from None
        except ValueError as error:
            raise RequestError(400, f"the body is not JSON: {error}"[:300]) from None
        options = checked.ralc or Options()
        body = {name: value for name, value in body.items() if name != "ralc"}
        stream, extra, n = body.get("stream") is True, body.get("stream_options"), body.get("n")
        return cls(
            body=body,
            question=_question(checked.messages)[:_LONGEST_QUESTION],
            stream=stream,
            usage=isinstance(extra, dict) and extra.get("include_usage") is True,
            style=options.style or settings.style,
            answers=min(max(n, 1), _MOST_ANSWERS) if isinstance(n, int) else 1,
            skip_reason=_skip_reason(body, options, stream, settings),
        )


def _skip_reason(body: dict[str, Any], options: Options, stream: bool, settings: ServeSettings) -> str:
    if not options.calibrate:
        return "the request says so"
    waits = settings.stream == "wait" if options.wait is None else options.wait
    if stream and not waits:
        return "the stream must not wait"
    for field, why in _UNFIT.items():
        if body.get(field) and body[field] != {"type": "text"}:
            return why
    if body.get("n") not in (None, 1):
        return "it asks for several answers"
    return "it holds more than text" if any(map(_not_text, body["messages"])) else ""


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
    told = [one.get("content") for one in messages if isinstance(one, dict) and one.get("role") == "user"]
    content = told[-1] if told else ""
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return " ".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
