"""The journal of a stage and model: an append-only file of what the model answered.

One line of JSON a record: ``{"key": ..., "first": i, "samples": [...], "crc": ...}``, the answers i, i+1, ... to
the request of that key, and a checksum of the line; no prompt. A record is written by one append and kept whole or
not at all: a torn last line (the process was killed while it wrote) is dropped. Lines that are no records any more
(a disk error, an editor) are passed over, counted, and asked again; records of requests nobody asks for any more
are no harm.
"""

import errno
import fcntl
import os
import socket
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from ralc.llm.lines import UNREADABLE, packed, unpacked
from ralc.llm.requests import Response

#: Seconds between two flushes to the disk: what a power failure can cost.
FSYNC_EVERY_S = 1.0
#: How a file system says that it has no locks.
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)


class JournalError(OSError):
    """The journal cannot be used; the message says why and what to do."""


class _Record(NamedTuple):
    """Where a record begins in the file, and the number of its first answer and of the one after its last."""

    offset: int
    first: int
    end: int


class _Turn:
    """Whose turn it is in this process; the system's lock keeps out other processes alone."""

    def __init__(self) -> None:
        self._lock, self._thread = threading.Lock(), 0

    def take(self, path: Path) -> None:
        """Wait for the turn."""
        if self._thread == threading.get_ident():
            raise JournalError(f"journal {path} is open in this thread already: pass it on as it is")
        self._lock.acquire()
        self._thread = threading.get_ident()

    def give(self) -> None:
        """Let the next one in."""
        self._thread = 0
        self._lock.release()


_TURNS: defaultdict[Path, _Turn] = defaultdict(_Turn)


class Journal(Mapping[str, dict[int, Response]]):
    """The answers of a stage and model (a `ralc.llm.record.Record`); use as a context manager.

    ``journal[key][i]`` is answer i to the request of that key. In memory is only where the records are:
    the answers are read from the file each time. Of two records of one answer the first stands, so that
    what was used once is never replaced. While it is open another process cannot open it, and another
    thread that opens the same file waits; threads that are given one open journal use it together.
    One that is not to be written can be opened at any time, and holds what was whole then.
    """

    def __init__(self, path: str | Path, *, write: bool = True) -> None:
        self.path, self._write = Path(path), write
        self.name = "/".join(self.path.with_suffix("").parts[-2:])
        self.bad_lines = 0
        self._records: dict[str, tuple[_Record, ...]] = {}
        self._turn = _TURNS[self.path.resolve()]
        self._using = threading.RLock()

    def __getitem__(self, key: str) -> dict[int, Response]:
        answers: dict[int, Response] = {}
        for record in self._records[key]:
            with self._using:
                self._reader.seek(record.offset)
                line = self._reader.readline()
            try:
                found = unpacked(line)
            except UNREADABLE:
                raise JournalError(f"journal {self.path} was changed while it is in use: run again") from None
            for answer in found:
                answers.setdefault(answer.sample, answer)
        return answers

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._records))

    def __len__(self) -> int:
        return len(self._records)

    def numbers(self, key: str) -> set[int]:
        """Which answers to a request there are; nothing is read."""
        return {i for record in self._records.get(key, ()) for i in range(record.first, record.end)}

    def __enter__(self) -> Self:
        if not self._write:
            self._reader = self.path.open("rb")  # closed by __exit__
            self._load()
            return self
        self._turn.take(self.path)
        try:
            self._open()
        except JournalError:
            self._turn.give()
            raise
        except OSError as error:
            self._turn.give()
            raise _unusable(self.path, error) from error
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self._write:
            self._reader.close()
            return
        try:
            os.fsync(self._file)
        except OSError as unflushed:
            raise _unusable(self.path, unflushed) from unflushed
        finally:
            self._reader.close()
            os.close(self._file)
            os.close(self._lock)
            self._turn.give()

    def append(self, key: str, samples: Sequence[Response], first: int = 0) -> None:
        """Record the answers `first`, `first` + 1, ... to the request `key`.

        Raises
        ------
        JournalError
            If the disk is full or cannot be written; what was recorded before is kept.
        """
        line = packed(key, samples, first)
        with self._using:
            end = os.lseek(self._file, 0, os.SEEK_END)
            try:
                _write_all(self._file, line)
                end = os.lseek(self._file, 0, os.SEEK_CUR) - len(line)  # another may have written meanwhile
                if time.monotonic() - self._fsynced > FSYNC_EVERY_S:
                    os.fsync(self._file)
                    self._fsynced = time.monotonic()
            except OSError as error:
                self._cut(end)
                raise _unusable(self.path, error) from error
            self._remember(key, end, first, len(samples))

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock, self._alone = _locked(self.path)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        self._reader = self.path.open("rb")  # closed by __exit__
        self._load()
        self._fsynced = time.monotonic()

    def _load(self) -> None:
        """Find all whole records; cut off a torn last line."""
        offset = 0
        with open(self.path, "rb") as file:  # not the reader, whose buffer would keep what is cut off
            for line in file:
                if not line.endswith(b"\n"):
                    if self._write:
                        self._cut(offset)
                    break
                try:
                    answers = unpacked(line)
                except UNREADABLE:
                    self.bad_lines += 1
                else:
                    self._remember(answers[0].key, offset, answers[0].sample, len(answers))
                offset += len(line)
        if self.bad_lines:
            print(
                f"{self.path}: {self.bad_lines} lines are damaged or no records: passed over, and what is "
                "missing is asked again",
                file=sys.stderr,
            )

    def _cut(self, end: int) -> None:
        """Take away a torn end; where a second writer cannot be kept out it may be his, and is closed instead."""
        if self._alone:
            os.ftruncate(self._file, end)
        else:
            with suppress(OSError):
                os.write(self._file, b"\n")

    def _remember(self, key: str, offset: int, first: int, n: int) -> None:
        """Note where `n` answers to a request stand."""
        self._records[key] = (*self._records.get(key, ()), _Record(offset, first, first + n))


def _write_all(file: int, data: bytes) -> None:
    """Write all of `data`: one call does, unless the disk fills up in between."""
    while data:
        data = data[os.write(file, data) :]


def _locked(path: Path) -> tuple[int, bool]:
    """A lock that no two processes can hold, released when the process ends, however it ends.

    It is lockf's and not flock's: a process of the engine's own, forked while the journal is open, has no part
    in it, and so may outlive this one without keeping the next run out.

    Returns
    -------
    The lock, and whether it holds: where the file system has no locks that is said, and two writers append
    whole records side by side.
    """
    alone = True
    lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # which of them it is differs between systems
        holder = os.read(lock, 200).decode(errors="replace").strip() or "another process"
        os.close(lock)
        raise JournalError(
            f"journal {path} is in use by {holder}: wait for it to end, or end it, then run again"
        ) from None
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            os.close(lock)
            raise
        alone = False
        print(
            f"{path}: the file system has no locks ({os.strerror(error.errno)}): see to it yourself that no "
            "second run writes here (a second one would cost its calls, but damage nothing)",
            file=sys.stderr,
        )
    os.ftruncate(lock, 0)
    os.write(lock, f"process {os.getpid()} on {socket.gethostname()}".encode())
    return lock, alone


def _unusable(path: Path, error: OSError) -> JournalError:
    return JournalError(
        error.errno,
        f"journal {path} cannot be written ({os.strerror(error.errno or 0)}); "
        "what it holds is kept: put that right and run again",
    )
