"""Answers from a file: what somebody else sampled, as if it were asked now (`ralc.recorded`)."""

from collections.abc import Iterable, Iterator

from ralc.llm.engines import chat
from ralc.llm.errors import EngineError
from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request, Response
from ralc.recorded.table import Recorded, Row, read, row_named


class Samples:
    """The recorded samples of a file."""

    def __init__(self, entry: ModelConfig, recorded: Recorded) -> None:
        self._entry, self._recorded = entry, recorded

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Look up each request's row; see `ralc.llm.engines.Engine`."""
        for index, request in enumerate(requests):
            prompt, digest = row_named(request.messages[0]["content"]) or ("", "")
            row = self._recorded.by_digest.get(digest)
            if row is None:
                raise EngineError(
                    f"{self._entry.path} has no answer to {request.messages[-1]['content']!r:.80}: recorded samples "
                    "answer the questions they were sampled for, and fill no other role"
                    if not prompt
                    else f"{self._entry.path} was changed since its requests were rendered: run again"
                )
            yield index, _hedged(row, request) if prompt == "hedged" else _direct(row, request)

    def close(self) -> None:
        """Nothing is held."""


def start(entry: ModelConfig) -> Samples:
    """Read the file of an entry.

    Raises
    ------
    EngineError
        If it cannot be read, with file, row and column.
    """
    try:
        return Samples(entry, read(entry.path))
    except ValueError as error:
        raise EngineError(str(error)) from None


def _direct(row: Row, request: Request) -> list[Response]:
    """The sampled answers; a resumed run asks for those from a number on, which the seed tells."""
    answers = zip(row.answers, row.token_logprobs, strict=True)
    return [
        Response(
            request.key,
            chat.clean(text),
            "stop",
            logprobs if request.logprobs else None,
            row.prompt_tokens,
            len(logprobs or ()),
            sample=number,
        )
        for number, (text, logprobs) in enumerate(answers)
    ][: request.n]


def _hedged(row: Row, request: Request) -> list[Response]:
    return [Response(request.key, chat.clean(row.hedged_answer or ""), "stop", None, row.prompt_tokens)]
