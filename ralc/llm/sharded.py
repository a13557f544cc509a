"""The record of a shard: its own journal, and what those of former shards have answered."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ralc.llm.journal import Journal
from ralc.llm.record import Record
from ralc.llm.requests import Response
from ralc.llm.shards import former


class ShardRecord:
    """A journal to write to, and journals of former shards to look answers up in (a `ralc.llm.record.Record`)."""

    def __init__(self, own: Journal, former: Sequence[Journal]) -> None:
        self.name = own.name
        self._own, self._all = own, (own, *former)

    def get(self, key: str, default: Mapping[int, Response]) -> Mapping[int, Response]:
        """The answers to a request by their numbers; of two the own journal's stands."""
        answers: dict[int, Response] = {}
        for journal in self._all:
            answers = {**journal.get(key, {}), **answers}
        return answers or default

    def numbers(self, key: str) -> set[int]:
        """Which answers to a request there are."""
        return set().union(*(journal.numbers(key) for journal in self._all))

    def append(self, key: str, samples: Sequence[Response], first: int = 0) -> None:
        """Keep the answers `first`, `first` + 1, ... to a request, in the own journal."""
        self._own.append(key, samples, first)


@contextmanager
def shard_record(path: str | Path) -> Iterator[Record]:
    """The record of the shard whose journal lies at `path`, open."""
    with ExitStack() as stack:
        own = stack.enter_context(Journal(path))
        yield ShardRecord(own, [stack.enter_context(Journal(other, write=False)) for other in former(path)])
