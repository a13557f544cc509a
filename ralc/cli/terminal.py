"""A terminal that is shown only what prints: texts, names and headers of files could else steer it."""

from typing import Any, TextIO

from ralc.io.text import visible


class Terminal:
    """A stream to which what does not print is written as escapes.

    Parameters
    ----------
    stream
        The terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text, its lines and tabs as they are."""
        return self._stream.write(visible(text, "\n\t"))


def plain(stream: TextIO) -> TextIO | Terminal:
    """A stream of this process as it is, or behind a `Terminal` where it is one."""
    return Terminal(stream) if stream.isatty() else stream
