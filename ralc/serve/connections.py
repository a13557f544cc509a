"""Connections of clients that send nothing, half of something, or take nothing: each is closed after a while."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class Impatient(H11Protocol):
    """uvicorn's HTTP with deadlines: for the headers of every request, and for a client to take what it is sent.

    uvicorn itself has one for the next request of a connection to begin (``timeout_keep_alive``). The application has
    that for a body, whose size it limits, too.
    """

    patience_s = 20.0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self._headers = self._writing = self._end_in()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a request's headers; they have come when its body is read."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._headers.cancel()
        elif self._headers.cancelled():
            self._headers = self._end_in()

    def on_response_complete(self) -> None:
        """From now on uvicorn waits for the next request."""
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE:
            self._headers.cancel()

    def pause_writing(self) -> None:
        """Wait for the client to take something."""
        super().pause_writing()
        self._writing = self._end_in()

    def resume_writing(self) -> None:
        """It took something."""
        super().resume_writing()
        self._writing.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to wait for."""
        self._headers.cancel()
        self._writing.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; where an answer is already on its way, hang up."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.abort()

    def _end_in(self) -> asyncio.TimerHandle:
        return self.loop.call_later(self.patience_s, self.transport.abort)
