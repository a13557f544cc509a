"""How the server asks, waits and refuses."""

import math
from dataclasses import dataclass, field
from typing import Literal

from ralc.calibrator.words import Style
from ralc.llm.secrets import plain_address

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_DAY_S = 86_400
#: The most that a setting may be.
_MOST = {"samples": 1000, "concurrency": 100_000, "timeout_s": _DAY_S, "patience_s": _DAY_S}


@dataclass(frozen=True)
class ServeSettings:
    """What ``ralc serve`` can be told.

    Parameters
    ----------
    upstream
        Base URL of the OpenAI-compatible server, up to and with ``/v1``; a query (``?api-version=...``) goes with every
        request.
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
        Seconds that the upstream may take for one reply, or for the next part of a stream.
    patience_s
        Seconds that a client may take to send its headers, to send its body, and to take what it is sent.
    largest_body, largest_answer, largest_stream
        Bytes of a request; of an upstream's reply for each answer that it was asked for; of what passes as it comes.
    host
        The address that is listened on; on loopback only requests to loopback are answered, whatever name leads there.
    key
        That callers must send as ``X-Ralc-Key``; empty: none is asked.
    access_log
        Whether each request is a line of the log, without texts and keys.
    """

    upstream: str
    samples: int = 10
    temperature: float | None = 1.0
    style: Style = "words"
    stream: Literal["wait", "pass"] = "wait"
    concurrency: int = 64
    timeout_s: float = 120.0
    patience_s: float = 20.0
    largest_body: int = 10_000_000
    largest_answer: int = 1_000_000
    largest_stream: int = 100_000_000
    host: str = "127.0.0.1"
    key: str = field(default="", repr=False)
    access_log: bool = False

    def __post_init__(self) -> None:
        for name in ("samples", "concurrency", "timeout_s", "patience_s"):
            if not 0 < getattr(self, name) <= _MOST[name]:
                raise ValueError(f"{name} = {getattr(self, name)} must be above 0 and at most {_MOST[name]}")
        for name in ("largest_body", "largest_answer", "largest_stream"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} = {getattr(self, name)} must be above 0")
        if self.temperature is not None and not (math.isfinite(self.temperature) and self.temperature >= 0):
            raise ValueError(f"temperature = {self.temperature} must be a number that is not below 0")
        try:
            plain_address(self.address, "clients send the key (Authorization), which is passed on")
        except ValueError as error:
            raise ValueError(f"upstream: {error}") from None
        if not (self.query + self.key).isascii() or not (self.query + self.key).isprintable():
            raise ValueError("the upstream's query and the key must be printable ASCII")
        if self.style not in ("words", "range"):
            raise ValueError(f"style {self.style!r} is not one of words, range")
        if self.stream not in ("wait", "pass"):
            raise ValueError(f"stream {self.stream!r} is not one of wait, pass")

    @property
    def address(self) -> str:
        """The upstream's address without its query, in which a key may stand."""
        return self.upstream.partition("?")[0]

    @property
    def query(self) -> str:
        """The query that goes with every request."""
        return self.upstream.partition("?")[2]

    @property
    def for_itself(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK
