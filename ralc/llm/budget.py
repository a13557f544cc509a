"""What a model's calls may cost, added up over all steps, runs and processes of a project."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ralc.llm.errors import EngineError
from ralc.llm.models import ModelConfig

#: Length of a ledger, bytes: more than any two numbers take.
_LENGTH = 200


class BudgetReachedError(EngineError):
    """The budget is spent; what was answered is in the journal."""


class Budget:
    """The ledger of a model's entry: requests sent and their cost, in a small JSON file, or in this process alone.

    Every request that is sent counts, also one that has to be repeated. Cost is known from each
    reply, so requests in flight can pass `max_cost` by what they cost.
    """

    def __init__(self, entry: ModelConfig) -> None:
        self.entry = entry
        self.path = Path(entry.ledger) if entry.ledger else None
        self._spent: dict[str, Any] = {"requests": 0, "cost": 0.0}
        if self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)

    def take_request(self) -> None:
        """Count one request that is about to be sent.

        Raises
        ------
        BudgetReachedError
            If the entry's max_requests or max_cost is spent.
        """
        limits = {"requests": self.entry.max_requests, "cost": self.entry.max_cost}
        where = f" according to {self.path}" if self.path else ""
        with self._ledger() as spent:
            for name, limit in limits.items():
                if limit is not None and spent[name] >= limit:
                    raise BudgetReachedError(
                        f"budget reached: max_{name} = {limit}, {spent[name]:g} spent{where}; "
                        "the journal keeps what was answered: raise the limit and run again for the rest"
                    )
            spent["requests"] += 1

    def pay(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Add what a reply cost."""
        price = self.entry.price
        with self._ledger() as spent:
            spent["cost"] += (prompt_tokens * price.prompt + completion_tokens * price.completion) / 1e6

    @contextmanager
    def _ledger(self) -> Iterator[dict[str, Any]]:
        """The ledger's content, to be changed; no other process reads or writes it meanwhile."""
        if self.path is None:
            yield self._spent
            return
        with os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            spent = self._read(file)
            yield spent
            file.seek(0)
            # One write over what stood there: a process that is killed, or a full disk, leaves no empty ledger.
            file.write(json.dumps(spent).encode().ljust(_LENGTH))

    def _read(self, file: IO[bytes]) -> dict[str, Any]:
        text = file.read()
        try:
            return {"requests": 0, "cost": 0.0} | json.loads(text or "{}")
        except (ValueError, TypeError):
            raise EngineError(f"ledger {self.path} is not readable: put it right or remove it") from None
