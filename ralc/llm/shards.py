"""A big table of requests in shards: which requests belong to one, and where their answers are.

A request's key says to which of N shards it belongs, so equal requests stay together. Each shard is a job with a
journal of its own (``llama.2of4.jsonl``; ``llama.jsonl`` where there is one shard). When N is changed, what the
journals of the former shards hold is found there (`ralc.llm.sharded`).
"""

import re
from pathlib import Path
from typing import NamedTuple


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


def former(path: str | Path) -> list[Path]:
    """The journals of the same stage and model in another number of shards; those in the same hold other requests."""
    _, shard = Shard.of_journal(Path(path))
    return [file for file in journals_of(path) if Shard.of_journal(file)[1].count != shard.count]


def journals_of(path: str | Path) -> list[Path]:
    """The journals of the same stage and model as that at `path`, which need not exist, in any number of shards."""
    model, _ = Shard.of_journal(Path(path))
    files = sorted(Path(path).parent.glob("*.jsonl"))
    return [file for file in files if Shard.of_journal(file)[0] == model]
