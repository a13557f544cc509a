"""Engines: who answers requests, a module each. Nothing but `build` imports them."""

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request, Response

Answered = tuple[int, list[Response]]


class EngineError(RuntimeError):
    """An engine that cannot go on; the message says what to change, `answers` are those to the request it met."""

    answers: Sequence[Response] = ()


class Engine(Protocol):
    """What `ralc.llm.complete` needs of an engine."""

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Yield each request's place in `requests` and the answers of its `numbers`, as it is done, in any order.

        Answer i is drawn with ``seed + i``. One that was not to be had is among them with its error
        (`ralc.llm.requests.failures`).
        Raises `EngineError` where no request can be answered.
        Several threads may ask one engine at once, also from inside a running event loop.
        """
        ...

    def close(self) -> None:
        """Let go of memory, devices and connections."""
        ...


def build(model: Mapping[str, Any] | ModelConfig, journal: str | Path | None = None) -> Engine:
    """Start the engine of a model's entry; what this model's journals in all stages hold counts as spent."""
    entry = ModelConfig.model_validate(model)
    engine = importlib.import_module(f"ralc.llm.engines.{entry.engine}").start(entry)
    if journal is not None and hasattr(engine, "budget"):
        engine.budget.add(Path(journal))
    return engine


def in_parallel(
    waiting: Iterable[tuple[int, Request]], ask: Callable[[Request], list[Response]], workers: int
) -> Iterator[Answered]:
    """Answer requests by `ask` in so many threads, as they are done.

    After an EngineError no further request is sent; what is in flight is answered, and then the error is raised.
    """
    coming, fatal = iter(waiting), None
    with ThreadPoolExecutor(workers) as threads:
        running: dict[Future[list[Response]], int] = {}
        while True:
            # One more than there are workers, so that none waits for the caller to take an answer.
            for index, request in islice(coming, 0 if fatal else workers + 1 - len(running)):
                running[threads.submit(ask, request)] = index
            if not running:
                break
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                index = running.pop(one)
                try:
                    answers = one.result()
                except EngineError as error:
                    fatal, answers = fatal or error, [*error.answers]
                if answers:
                    yield index, answers
    if fatal is not None:
        raise fatal
