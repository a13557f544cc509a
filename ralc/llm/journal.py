"""The journal of a stage and model: an append-only file of what the model answered.

One line of JSON a record: ``{"key": ..., "first": i, "samples": [...], "crc": ...}``. It has the answers i, i+1, ... to
the request of that key and a checksum of the line, but no prompt. A record is written by one append. A torn last line
(the process was killed while it wrote) is dropped. Lines that are no records any more (a disk error, an editor) are
passed over, counted, and asked again. Journals of one model can be put one behind the other.

A big table of requests is split into shards by their keys, each with a journal (``llama.2of4.jsonl``). A record for
others has its journals packed (``llama.jsonl.gz``); these are only read.
"""

import base64
import errno
import fcntl
import gzip
import io
import json
import os
import re
import socket
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO, Self

from ralc.io import say
from ralc.llm.requests import Response

#: How a file system says that it has no locks.
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
#: How a line ends, in bytes: the CRC-32 of what stands before it, in hexadecimal digits.
_END = b',"crc":"%08x"}\n'
_END_LENGTH = 19
_SHARD = re.compile(r"\.\d+of\d+$")
#: What taking a line apart raises where it is no record.
_UNREADABLE = (TypeError, KeyError, ValueError, IndexError, RecursionError)
#: What a line has of a response: all but what the record says, and what is known when it is read.
_KEPT = [f.name for f in fields(Response) if f.name not in ("key", "sample", "attempt", "valid")]


class JournalError(OSError):
    """The journal cannot be used; the message says why and what to do."""


class Journal(Mapping[str, dict[int, Response]]):
    """The answers of a stage and model, in a file that is open while this is a context manager.

    ``journal[key][i]`` is answer i to the request of that key, read from the file each time. Of two records of one
    answer the first stands. One process at a time may write; with ``write=False`` any may read what is whole.
    """

    def __init__(self, path: str | Path, *, write: bool = True) -> None:
        self.path = Path(path)
        self._write = write
        self.name = "/".join(self.path.with_suffix("").parts[-2:])
        self.bad_lines = 0
        #: Where each record of a key begins, the number of its first answer, and that after its last.
        self._records: dict[str, tuple[tuple[int, int, int], ...]] = {}

    def __getitem__(self, key: str) -> dict[int, Response]:
        answers: dict[int, Response] = {}
        for offset, *_ in self._records[key]:
            self._reader.seek(offset)
            answers = {answer.sample: answer for answer in _unpacked(self._reader.readline())} | answers
        return dict(sorted(answers.items()))

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._records))

    def __len__(self) -> int:
        return len(self._records)

    def numbers(self, key: str) -> set[int]:
        """Return which answers to a request there are; nothing is read."""
        return {i for _, first, end in self._records.get(key, ()) for i in range(first, end)}

    def __enter__(self) -> Self:
        if self._write:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._holder = _acquire_lock(self.path)
            self._file = self.path.open("ab", buffering=0)
        self._reader = _opened(self.path)
        self._load()
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()
        if self._write:
            with self._file, os.fdopen(self._holder):
                os.fsync(self._file.fileno())

    def append(self, key: str, samples: Sequence[Response]) -> None:
        """Record answers to the request `key`, of neighbouring numbers.

        Raises JournalError if the disk is full or cannot be written; what was recorded before is kept.
        """
        first = samples[0].sample
        record = {"key": key, "first": first, "samples": [_packed(sample) for sample in samples]}
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
        line = text + _END % zlib.crc32(text)
        end = self._file.seek(0, os.SEEK_END)
        try:
            while line:  # one call writes all of it, unless the disk fills up in between
                line = line[self._file.write(line) :]
        except OSError as error:
            self._file.truncate(end)
            remedy = "what it holds is kept: put that right and run again"
            raise JournalError(
                f"journal {self.path} cannot be written ({error.strerror}); {remedy}"
            ) from error
        self._remember(key, end, first, len(samples))

    def _load(self) -> None:
        """Find all whole records; cut off a torn last line."""
        offset = 0
        with _opened(self.path) as file:  # not the reader, whose buffer would keep what is cut off
            for line in file:
                if not line.endswith(b"\n"):
                    if self._write:
                        self._file.truncate(offset)
                    break
                try:
                    answers = _unpacked(line)
                    self._remember(answers[0].key, offset, answers[0].sample, len(answers))
                except _UNREADABLE:
                    self.bad_lines += 1
                offset += len(line)
        if self.bad_lines:
            damage = f"{self.bad_lines} lines are damaged or no records"
            say(f"{self.path}: {damage}: what is missing is asked again")

    def _remember(self, key: str, offset: int, first: int, n: int) -> None:
        self._records[key] = (*self._records.get(key, ()), (offset, first, first + n))


def in_shard(key: str, shard: tuple[int, int]) -> bool:
    """Return whether a request belongs to shard i of n, counted from 1.

    >>> [number for number in (1, 2, 3) if in_shard("00000004a1", (number, 3))]
    [2]
    """
    number, count = shard
    return int(key[:8], 16) % count == number - 1


def journals_of(path: str | Path) -> list[Path]:
    """Return the journals of the same stage and model as that at `path`, which need not exist, in all shards."""
    files = sorted(file for end in ("", ".gz") for file in Path(path).parent.glob(f"*.jsonl{end}"))
    return [file for file in files if _model(file) == _model(Path(path))]


def _model(path: Path) -> str:
    """Whose answers a journal has, without its shard."""
    return _SHARD.sub("", path.name.partition(".jsonl")[0])


def _opened(path: Path) -> BinaryIO:
    """A journal to be read; a packed one in memory, since its lines are read in any order."""
    if path.suffix != ".gz":
        return path.open("rb")
    try:
        return io.BytesIO(gzip.decompress(path.read_bytes()))
    except (EOFError, OSError, zlib.error) as error:
        raise JournalError(
            f"journal {path} is no whole gzip file ({error}): put it back as it came"
        ) from None


def _packed(response: Response) -> dict[str, Any]:
    """A response as journalled: what is empty is left out, log-probabilities to float32's precision."""
    fields = {name: getattr(response, name) for name in _KEPT if getattr(response, name) not in (None, 0)}
    for name in ("token_logprobs", "alternatives"):
        if name in fields:
            fields[name] = [None if value is None else float(f"{value:.7g}") for value in fields[name]]
    if "embedding" in fields:
        fields["embedding"] = base64.b64encode(response.embedding).decode()
    return fields


def _unpacked(line: bytes) -> list[Response]:
    """The responses of a line; one of `_UNREADABLE` if it is not a record as it was written."""
    text = line[:-_END_LENGTH]
    if line[-_END_LENGTH:] != _END % zlib.crc32(text):
        raise ValueError("a line of a journal is not what was written")
    record = json.loads(text + b"}")
    answers = []
    for number, sample in enumerate(record["samples"], record["first"]):
        fields = {name: tuple(value) if isinstance(value, list) else value for name, value in sample.items()}
        if "embedding" in fields:
            fields["embedding"] = base64.b64decode(fields["embedding"])
        answers.append(Response(record["key"], sample=number, **fields))
    return answers


def _acquire_lock(path: Path) -> int:
    """A lock that no two processes can hold, released when the process ends, however it ends.

    It is lockf's and not flock's, which a process forked by an engine would go on to hold.
    """
    lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            holder = os.read(lock, 200).decode(errors="replace").strip() or "another process"
            os.close(lock)
            remedy = "wait for it to end, or end it, then run again"
            raise JournalError(f"journal {path} is in use by {holder}: {remedy}") from None
        say(f"{path}: the file system has no locks ({error.strerror}): let no second run write here")
    os.ftruncate(lock, 0)
    os.write(lock, f"process {os.getpid()} on {socket.gethostname()}".encode())
    return lock
