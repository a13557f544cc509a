"""An engine that a newcomer adds: ralc/llm/engines/echo.py."""

from collections.abc import Iterable, Iterator

from ralc.llm.engines import Answered, ModelConfig
from ralc.llm.requests import Request, Response


class Options(ModelConfig):
    """The entry of a model that repeats what it is asked."""


class Echo:
    """Answers with the last turn."""

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Yield the answers of each request; see `ralc.llm.engines.Engine`."""
        for index, request in enumerate(requests):
            text = request.messages[-1]["content"]
            yield index, [Response(request.key, text, "stop", sample=number) for number in request.numbers]

    def close(self) -> None:
        """Let go of nothing."""


def start(entry: Options) -> Echo:
    """Return the engine of an entry."""
    return Echo()
