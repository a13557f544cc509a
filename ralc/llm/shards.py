"""A big table of requests in shards: which requests belong to one, and what earlier shards have answered.

A request's key says to which of N shards it belongs, so equal requests stay together. Each shard is a job with a
journal of its own (``llama.2of4.jsonl``; ``llama.jsonl`` where there is one shard). When N is changed, what the
journals of the former shards hold is found there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from ralc.llm.journal import Journal
from ralc.llm.record import Record
from ralc.llm.requests import Response


class Shard(NamedTuple):
    """One of `count` shards, the first of which is number 1."""

    number: int = 1
    count: int = 1

    def holds(self, key: str) -> bool:
        """Whether a request belongs to this shard.

        >>> [number for number in (1, 2, 3) if Shard(number, 3).holds("00000004a1")]
        [2]
        """
        return int(key[:8], 16) % self.count == self.number - 1

    @classmethod
    def of_journal(cls, path: Path) -> "tuple[str, Shard]":
        """The model and the shard whose journal lies there.

        >>> Shard.of_journal(Path("journal/sample/qwen.2.5.1of4.jsonl"))
        ('qwen.2.5', Shard(number=1, count=4))
        """
        model, number, count = re.fullmatch(r"(.+?)(?:\.(\d+)of(\d+))?", path.stem).groups()
        return model, cls(int(number), int(count)) if count else cls()


#: The one shard of a table that is not split.
WHOLE = Shard()


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


def former(path: str | Path) -> list[Path]:
    """The journals of the same stage and model in another number of shards; those in the same hold other requests."""
    model, shard = Shard.of_journal(Path(path))
    found = [(file, *Shard.of_journal(file)) for file in sorted(Path(path).parent.glob("*.jsonl"))]
    return [file for file, whose, other in found if whose == model and other.count != shard.count]
