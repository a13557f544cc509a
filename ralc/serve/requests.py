"""What a client asks for: a checked request, and why it may have to pass as it is."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ralc.serve.messages import RequestError, parsed

_LONGEST_QUESTION = 20_000  # characters that are looked at
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
    wait: bool = True
    style: Literal["words", "range"] = "words"


class _Body(BaseModel):
    """What a chat request must have."""

    messages: Annotated[list[Any], Field(min_length=1)]
    ralc: Options = Options()


@dataclass(frozen=True)
class ChatRequest:
    """A chat completion that a client asks for."""

    body: dict[str, Any]
    options: Options
    question: str

    @classmethod
    def read(cls, content: bytes) -> "ChatRequest":
        """Return what a request's body asks for."""
        try:
            body = parsed(content)
            checked = _Body.model_validate(body)
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(map(str, fault["loc"])) or "the body"
            raise RequestError(400, f"{where}: {fault['msg']}"[:300]) from None
        except ValueError as error:
            raise RequestError(400, f"the body is not JSON: {error}"[:300]) from None
        sent = {name: value for name, value in body.items() if name != "ralc"}
        return cls(sent, checked.ralc, _question(checked.messages)[:_LONGEST_QUESTION])

    @property
    def stream(self) -> bool:
        """Whether it is streamed."""
        return self.body.get("stream") is True

    @property
    def usage(self) -> bool:
        """Whether the usage stands at the end of its stream."""
        extra = self.body.get("stream_options")
        return isinstance(extra, dict) and extra.get("include_usage") is True

    @property
    def skip_reason(self) -> str:
        """Why it passes as it is; "" where it is to be calibrated."""
        if not self.options.calibrate:
            return "the request says so"
        if self.stream and not self.options.wait:
            return "the stream must not wait"
        for name, why in _UNFIT.items():
            if self.body.get(name) and self.body[name] != {"type": "text"}:
                return why
        if self.body.get("n") not in (None, 1):
            return "it asks for several answers"
        return "it holds more than text" if any(map(_not_text, self.body["messages"])) else ""


def _not_text(message: Any) -> bool:
    """Whether a message has an image, a sound, a file, or is a tool's."""
    if not isinstance(message, dict) or message.get("role") in ("tool", "function"):
        return True
    content = message.get("content")
    if isinstance(content, list):
        return not all(isinstance(part, dict) and part.get("type") == "text" for part in content)
    return not isinstance(content, str) or bool(message.get("tool_calls"))


def _question(messages: list[Any]) -> str:
    """The last words of the user; "" where there are none."""
    told = [one.get("content") for one in messages if isinstance(one, dict) and one.get("role") == "user"]
    content = told[-1] if told else ""
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return " ".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
