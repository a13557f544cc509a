"""The door: who is let in, and what becomes of every request, however it ends."""

import hmac
import logging
import time
import traceback
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ralc.serve.headers import KEY
from ralc.serve.limits import LOOPBACK, ServeSettings
from ralc.serve.monitoring import Counts, Visit
from ralc.serve.sending import RequestError, ServeError

#: What is asked by a program that watches the server, and not counted.
HEALTH, METRICS = "/healthz", "/metrics"
_GONE = 499
_LOG = logging.getLogger("ralc.serve")


class Door:
    """ASGI middleware that checks who asks, turns every exception into an error of the schema, and counts.

    An application below it finds its `Visit` in the scope and says there how the request ended.
    """

    def __init__(self, app: ASGIApp, counts: Counts, settings: ServeSettings) -> None:
        self._app = app
        self._counts = counts
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        begun, status = time.perf_counter(), 0
        visit = scope["visit"] = Visit()

        async def noted(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            self._check(scope)
            await self._app(scope, receive, noted)
        except ClientDisconnect:
            visit.outcome, visit.reason = "failed", str(_GONE)
        except Exception as error:
            failure = _failure(error)
            visit.outcome, visit.reason = "failed", str(failure.status)
            if not status:
                await failure.response()(scope, receive, noted)
        finally:
            self._end(scope, visit, status, time.perf_counter() - begun)

    def _check(self, scope: Scope) -> None:
        """Raise `RequestError` unless a request is for this server, and has the key that is asked."""
        headers = Headers(scope=scope)
        if self._settings.for_itself and not _on_loopback(headers.getlist("host")):
            raise RequestError(
                421, "this server answers on loopback alone, and the header Host names something else"
            )
        if not self._settings.key or scope["path"] == HEALTH:
            return
        given = headers.get(KEY.decode(), "").encode("latin-1")
        if not hmac.compare_digest(given, self._settings.key.encode()):
            raise RequestError(401, "this server asks for a key of its own, in the header X-Ralc-Key")

    def _end(self, scope: Scope, visit: Visit, status: int, seconds: float) -> None:
        if scope["path"] in (HEALTH, METRICS):
            return
        self._counts.end(visit, seconds)
        if self._settings.access_log:
            path = scope["raw_path"].decode("ascii", "replace")[
                :200
            ]  # without the query, where a key may stand
            told = f"{status} {visit.outcome} {visit.reason}".rstrip()
            _LOG.info("%s %s %s %.0f ms", scope["method"][:20], path, told, 1000 * seconds)


def _failure(error: Exception) -> ServeError:
    """What a caller is told of an exception; of one that nobody thought of, the log has a line, without its words."""
    if isinstance(error, ServeError):
        return error
    if isinstance(error, HTTPException):
        return ServeError(error.status_code, error.detail, "invalid_request_error")
    frame = traceback.extract_tb(error.__traceback__)[-1]
    _LOG.error("a request failed: %s in %s, line %s", type(error).__name__, frame.filename, frame.lineno)
    return ServeError(500, f"ralc failed on it ({type(error).__name__})")


def _on_loopback(hosts: list[str]) -> bool:
    """Whether a request's one header Host names this machine: a page elsewhere may have a name that leads here."""
    try:
        return len(hosts) == 1 and urlsplit(f"//{hosts[0]}").hostname in LOOPBACK
    except ValueError:
        return False
