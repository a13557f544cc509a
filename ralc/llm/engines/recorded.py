"""Answers from a file of samples (`ralc.precomputed`), as if they were asked now, or from a run's journals."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import model_validator

from ralc.io.files import Place
from ralc.llm import chat
from ralc.llm.engines import Answered, EngineError, ModelConfig
from ralc.llm.journal import Journal, journals_of
from ralc.llm.requests import Request, Response, failures


class Options(ModelConfig):
    """The entry of a file of samples, or of a run's journals."""

    path: Place
    """recorded: the file of samples, JSON lines, CSV or parquet, a row a question. Columns are `question` or
    `question_id`, and `answers`. Optional: `history`, `token_logprobs`, `correct` or `grade`, `hedged_answer`,
    `prompt_tokens`."""

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


class Recorded:
    """Answers that are looked up by `find`; `opened` is what it reads from."""

    def __init__(self, find: Callable[[Request], list[Response]], opened: ExitStack) -> None:
        self._find = find
        self.close = opened.close

    def answer(self, requests: Iterable[Request]) -> Iterator[Answered]:
        """Look up each request's answers; see `ralc.llm.engines.Engine`."""
        return ((index, self._find(request)) for index, request in enumerate(requests))


def start(entry: Options) -> Recorded:
    """Read the file of an entry, or open the journals in its folder; EngineError names file, row and column."""
    from ralc import precomputed  # which imports this package

    opened = ExitStack()
    if Path(entry.path).is_dir():
        path = Path(entry.path, f"{entry.model}.jsonl")
        journals = [opened.enter_context(Journal(file, write=False)) for file in journals_of(path)]
        return Recorded(lambda request: _replayed(request, journals, path), opened)
    try:
        rows = precomputed.read(entry.path).by_digest
    except ValueError as error:
        raise EngineError(str(error)) from None
    return Recorded(lambda request: _sampled(request, rows, entry.path), opened)


def _replayed(request: Request, journals: list[Journal], path: Path) -> list[Response]:
    """The answers of a stage's journals; those that there are not count as not to be had in this run."""
    answers: dict[int, Response] = {}
    for journal in journals:
        answers = {**journal.get(request.key, {}), **answers}
    lacking = f"{path} has no such answer: of another configuration, other questions or another version"
    return [answers.get(failure.sample, failure) for failure in failures(request, lacking, final=False)]


def _sampled(request: Request, rows: dict[str, Any], path: str) -> list[Response]:
    """The sampled answers of a row, or its hedged one."""
    prompt, _, digest = request.messages[0]["content"].partition(" answers of record ")
    if digest not in rows:
        fault = "was changed since its requests were rendered: run again"
        fault = fault if digest else "answers for a target alone: recorded samples fill no other role"
        raise EngineError(f"{path} {fault}")
    row = rows[digest]
    if prompt == "hedged":
        return [Response(request.key, chat.clean(row.hedged_answer or ""), "stop", None, row.prompt_tokens)]
    responses = []
    for number in request.numbers:
        text = row.answers[number]
        logprobs = row.token_logprobs[number]
        tokens = row.tokens[number]
        answer = Response(request.key, chat.clean(text), "stop", None, row.prompt_tokens, len(logprobs or ()))
        if request.logprobs:
            ends = None if tokens is None else chat.token_ends([one.encode() for one in tokens], answer.text)
            answer = replace(answer, token_logprobs=logprobs, token_ends=ends)
        responses.append(replace(answer, sample=number))
    return responses
