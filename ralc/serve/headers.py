"""Which headers of a caller go on to the upstream, and of the upstream back: all but those of the connection itself."""

from collections.abc import Iterable

Headers = list[tuple[bytes, bytes]]

KEY = b"x-ralc-key"  # of this server's own
_OF_THE_CONNECTION = {
    *(b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection"),
    *(b"te", b"trailer", b"transfer-encoding", b"upgrade", b"expect"),
}
#: Nobody's: one client asks for all callers, so a cookie would be another's session; the rest each side says itself.
_NOT_PASSED = {b"cookie", b"set-cookie", b"host", b"date", b"server", KEY}
#: What is told of a body, where another one is sent.
OF_THE_BODY = (b"content-length", b"content-type", b"content-encoding", b"content-md5", b"digest", b"etag")


def passed(headers: Iterable[tuple[bytes, bytes]], *, without: Iterable[bytes] = ()) -> Headers:
    """Return the headers that pass, their values byte for byte.

    >>> passed([(b"Connection", b"close, X-Hop"), (b"X-Hop", b"1"), (b"Cookie", b"s"), (b"X-Mine", b"2")])
    [(b'x-mine', b'2')]
    """
    found = [(name.lower(), value) for name, value in headers]
    named = b",".join(value for name, value in found if name == b"connection")
    left = (
        _OF_THE_CONNECTION | _NOT_PASSED | {word.strip().lower() for word in named.split(b",")} | set(without)
    )
    return [(name, value) for name, value in found if name not in left]
