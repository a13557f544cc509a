"""Engines: who answers requests. Nothing but `build` imports their modules."""

import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request, Response


class Engine(Protocol):
    """What `ralc.llm.complete` needs of an engine."""

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Yield each request's place in `requests` and its n answers, as it is done, in any order.

        Answer i has ``sample`` i and is drawn with ``seed + i``; where an engine's answer i depends on (seed, i) in
        another way, it says so by an attribute ``whole``, and is asked for i with those before it (a
        `ralc.llm.requests.Rest`). One that was not to be had is among them with its error
        (`ralc.llm.requests.failures`).
        Raises `ralc.llm.errors.EngineError` where no request can be answered.
        Several threads may ask one engine at once, also from inside a running event loop.
        """
        ...

    def close(self) -> None:
        """Let go of memory, devices and connections."""
        ...


def build(model: Mapping[str, Any] | ModelConfig) -> Engine:
    """Start the engine of a model's entry."""
    entry = ModelConfig.model_validate(model)
    module = importlib.import_module(f"ralc.llm.engines.{entry.engine}")
    return module.start(entry)
