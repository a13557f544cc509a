"""How the server asks, waits and refuses."""

from dataclasses import dataclass
from typing import Literal

from ralc.calibrator.words import Style
from ralc.llm.secrets import plain_address


@dataclass(frozen=True)
class ServeSettings:
    """What ``ralc serve`` can be told.

    Parameters
    ----------
    upstream
        Base URL of the OpenAI-compatible server, up to and with ``/v1``.
    samples
        Answers that are sampled for one reply (a calibrator of words needs one).
    temperature
        Of the samples; the client's own is for a single answer. None: as the client asks.
    style
        ``words``, or ``range`` (per cent in brackets), unless a request says otherwise.
    stream
        ``wait``: a streamed reply begins when it is calibrated; ``pass``: it passes as it is.
    concurrency
        Requests that are answered at once; a further one is sent away with 429.
    timeout_s
        Seconds that the upstream may take for one reply.
    largest_body, largest_reply
        Bytes of a request, and of an upstream's reply.
    """

    upstream: str
    samples: int = 10
    temperature: float | None = 1.0
    style: Style = "words"
    stream: Literal["wait", "pass"] = "wait"
    concurrency: int = 64
    timeout_s: float = 120.0
    largest_body: int = 10_000_000
    largest_reply: int = 50_000_000

    def __post_init__(self) -> None:
        for name in ("samples", "concurrency", "timeout_s", "largest_body", "largest_reply"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} = {getattr(self, name)} must be above 0")
        try:
            plain_address(self.upstream, "clients send the key (Authorization), which is passed on")
        except ValueError as error:
            raise ValueError(f"upstream: {error}") from None
        if self.style not in ("words", "range"):
            raise ValueError(f"style {self.style!r} is not one of words, range")
        if self.stream not in ("wait", "pass"):
            raise ValueError(f"stream {self.stream!r} is not one of wait, pass")
