"""Answers from a file of samples (`ralc.precomputed`), as if they were asked now, or from a run's journals."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import model_validator

from ralc.io.files import Place
from ralc.llm import chat
from ralc.llm.engines import EngineError
from ralc.llm.journal import Journal, journals_of
from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request, Response, failures


class Options(ModelConfig):
    """The entry of a file of samples, or of a run's journals."""

    path: Place
    """recorded: the file of samples, JSON lines, CSV or parquet, a row a question: `question` or `question_id`;
    `answers`; and where there are any `token_logprobs`, `correct` or `grade`, `hedged_answer`, `prompt_tokens`."""

    @model_validator(mode="before")
    @classmethod
    def _a_file_names_its_model(cls, entry: Any) -> Any:
        if isinstance(entry, dict) and isinstance(entry.get("path"), str):
            return {"model": Path(entry["path"]).stem} | entry
        return entry

    @property
    def samples_file(self) -> str:
        """The file of recorded samples that answers."""
        return self.path


class Samples:
    """The recorded samples of a file."""

    def __init__(self, entry: Options, recorded: Any) -> None:
        self._entry, self._recorded = entry, recorded

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Look up each request's row; see `ralc.llm.engines.Engine`."""
        for index, request in enumerate(requests):
            prompt, _, digest = request.messages[0]["content"].partition(" answers of record ")
            row = self._recorded.by_digest.get(digest)
            if row is None:
                raise EngineError(
                    f"{self._entry.path} was changed since its requests were rendered: run again"
                    if digest
                    else f"{self._entry.path} has no answer to {request.messages[-1]['content']!r:.80}: recorded "
                    "samples fill no other role"
                )
            yield index, _hedged(row, request) if prompt == "hedged" else _direct(row, request)

    def close(self) -> None:
        """Nothing is held."""


class Replay:
    """The journals of a run, of one stage and model, in however many shards."""

    def __init__(self, path: Path) -> None:
        self._path, self._open = path, ExitStack()
        self._journals = [self._open.enter_context(Journal(file, write=False)) for file in journals_of(path)]

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Look up each request's answers; those that there are not count as not to be had in this run."""
        lacking = (
            f"{self._path} has no such answer: of another configuration, other questions or another version"
        )
        for index, request in enumerate(requests):
            found: dict[int, Response] = {}
            for journal in self._journals:
                found = {**journal.get(request.key, {}), **found}
            yield (
                index,
                [found.get(one.sample, one) for one in failures(request, lacking, final=False)],
            )

    def close(self) -> None:
        """Close the journals."""
        self._open.close()


def start(entry: Options) -> Samples | Replay:
    """Read the file of an entry, or open the journals in its folder; EngineError names file, row and column."""
    if Path(entry.path).is_dir():
        return Replay(Path(entry.path, f"{entry.model}.jsonl"))
    try:
        from ralc import precomputed  # which imports this package

        return Samples(entry, precomputed.read(entry.path))
    except ValueError as error:
        raise EngineError(str(error)) from None


def _direct(row: Any, request: Request) -> list[Response]:
    """The sampled answers."""
    found = []
    for number, logprobs in enumerate(row.token_logprobs):
        text, tokens = chat.clean(row.answers[number]), row.tokens[number]
        answer = Response(
            request.key, text, "stop", None, row.prompt_tokens, len(logprobs or ()), sample=number
        )
        if request.logprobs:
            ends = None if tokens is None else chat.token_ends([token.encode() for token in tokens], text)
            answer = replace(answer, token_logprobs=logprobs, token_ends=ends)
        found.append(answer)
    return found[request.first : request.first + request.n]


def _hedged(row: Any, request: Request) -> list[Response]:
    return [Response(request.key, chat.clean(row.hedged_answer or ""), "stop", None, row.prompt_tokens)]
