"""What ``ralc serve`` can be told, and its bounds."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ralc.llm.engines import plain_address

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_Seconds = Annotated[float, Field(gt=0, le=86_400)]
_Bytes = Annotated[int, Field(gt=0)]


def _address(upstream: str) -> str:
    plain_address(upstream.partition("?")[0], "clients send the key (Authorization), which is passed on")
    return _printable(upstream)


def _printable(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        raise ValueError("must be printable ASCII")
    return text


class ServeSettings(BaseModel):
    """Settings of the server.

    Attributes
    ----------
    upstream
        Base URL of the OpenAI-compatible server, up to ``/v1``; a query (``?api-version=...``) goes with every request.
    samples
        Answers sampled for one reply.
    timeout_s, body_timeout_s
        Seconds for all samples of a reply, or between two parts of a stream; and for a client to send its body.
    largest_body, largest_answer, largest_stream
        Bytes of a request; of an upstream's reply for each answer; of what passes as it comes.
    host
        The address that is listened on; on loopback only requests to loopback are answered.
    key
        What callers must send as ``X-Ralc-Key``; empty: nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    upstream: Annotated[str, AfterValidator(_address)]
    samples: Annotated[int, Field(ge=1, le=1000)] = 10
    timeout_s: _Seconds = 120.0
    body_timeout_s: _Seconds = 20.0
    largest_body: _Bytes = 10_000_000
    largest_answer: _Bytes = 1_000_000
    largest_stream: _Bytes = 100_000_000
    host: str = "127.0.0.1"
    key: Annotated[str, Field(repr=False), AfterValidator(_printable)] = ""

    @property
    def address(self) -> str:
        """The upstream's address without its query, in which a key may stand."""
        return self.upstream.partition("?")[0].rstrip("/")
