"""Where answers are kept: what `ralc.llm.complete` needs of such a place, and the one in memory.

The one on disk is `ralc.llm.journal.Journal`.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ralc.llm.requests import Response


class Record(Protocol):
    """Answers by request and number; several threads may use one at once.

    Of two answers with one key and number the first stands, so that what was used once is never replaced.
    """

    name: str

    def get(self, key: str, default: Mapping[int, Response]) -> Mapping[int, Response]:
        """The answers to a request by their numbers."""
        ...

    def numbers(self, key: str) -> set[int]:
        """Which answers to a request there are."""
        ...

    def append(self, key: str, samples: Sequence[Response], first: int = 0) -> None:
        """Keep the answers `first`, `first` + 1, ... to a request."""
        ...


class Memory(Mapping[str, dict[int, Response]]):
    """A record in memory: for an application, which asks again and again and keeps no file.

    >>> memory = Memory()
    >>> memory.append("k", [Response("k", "Lima", "stop")])
    >>> memory["k"][0].text, memory.numbers("k")
    ('Lima', {0})
    """

    def __init__(self, name: str = "memory") -> None:
        self.name = name
        self._answers: dict[str, dict[int, Response]] = {}
        self._lock = threading.Lock()

    def __getitem__(self, key: str) -> dict[int, Response]:
        with self._lock:
            return dict(self._answers[key])

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._answers))

    def __len__(self) -> int:
        return len(self._answers)

    def numbers(self, key: str) -> set[int]:
        """Which answers to a request there are."""
        return set(self.get(key, {}))

    def append(self, key: str, samples: Sequence[Response], first: int = 0) -> None:
        """Keep the answers `first`, `first` + 1, ... to the request `key`."""
        with self._lock:
            kept = self._answers.setdefault(key, {})
            for number, answer in enumerate(samples, first):
                kept.setdefault(number, answer)
