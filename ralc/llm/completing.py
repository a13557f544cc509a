"""Every model call of the pipeline: ask an engine for what the journal does not hold yet."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd

from ralc.io import whole_file
from ralc.llm import tables
from ralc.llm.constraints import meets
from ralc.llm.engines import Engine, build
from ralc.llm.errors import EngineError
from ralc.llm.journal import Journal
from ralc.llm.models import ModelConfig
from ralc.llm.record import Record
from ralc.llm.requests import UNANSWERED, Request, Response, Rest
from ralc.llm.sharded import shard_record
from ralc.llm.shards import WHOLE, Shard
from ralc.llm.tally import Asking


@dataclass(frozen=True, slots=True)
class _Ask:
    """What to send: `n` answers from number `first` on, to the request named `key`.

    That is the request of row `row`, or its second attempt at answer `second`.
    """

    key: str
    row: int
    first: int
    n: int
    second: int | None = None

    def request(self, requests: Sequence[Request], *, whole: bool) -> Request:
        """The request, made from those that it is one of; `whole`: with the answers before `first`."""
        request = requests[self.row]
        if self.second is not None:
            request = request.second_attempt(self.second)
        if whole:
            return Rest.of(request, self.first, self.first + self.n)
        return replace(request, n=self.n, seed=request.seed + self.first)


#: Answers that were not to be had, by key and number.
_Lost = dict[tuple[str, int], Response]


def complete(
    requests: Sequence[Request],
    engine: Engine | Callable[[], Engine],
    journal: str | Path | Record,
    *,
    progress: bool = True,
    failures_allowed: float = 0.0,
) -> list[Response]:
    """Return n answers to each request, from the record where it has them, else from the engine.

    Equal requests are sent once. An answer that does not meet its request's constraint is asked
    for once more (`Request.second_attempt`); the second stands if it meets the constraint, else the
    first. What is answered is recorded at once, so a killed run loses at most what is in flight.

    Threads may share an engine and a record. In a coroutine it blocks the event loop until all is
    answered: call it by ``asyncio.to_thread``.

    Parameters
    ----------
    requests
        What is asked, of one model.
    engine
        An engine, or a function that starts one; it is not called when nothing is missing.
    journal
        The journal's file (see `ralc.llm.journal`), an open journal, or a `ralc.llm.record.Memory`.
    progress
        Whether how far it is is said (`ralc.io.console`).
    failures_allowed
        Share, in [0, 1], of whole requests and of single answers that may be missing: after every retry (a
        server's time-outs), which a next run asks for again, or for good (a prompt too long for the model), which
        it does not. They come back with `error`.

    Returns
    -------
    The answers in the order of the requests, equal requests once, samples 0..n-1 of each.

    Raises
    ------
    EngineError
        If the engine cannot go on, or too much is missing; the journal keeps the rest, and all that is missing is
        asked again, since something will have been changed.
    JournalError
        If the journal is in use by another process or cannot be written.
    """
    with _answered(requests, engine, journal, failures_allowed, progress=progress) as answers:
        return list(answers)


def complete_table(
    requests: pd.DataFrame, model: Mapping[str, Any] | ModelConfig, journal: str | Path | Record
) -> pd.DataFrame:
    """Answer a table of requests with a model of the configuration; see `complete`.

    Returns
    -------
    One row an answer: key, sample, text, finish_reason, token_logprobs, prompt_tokens,
    completion_tokens, reasoning_tokens, error, attempt, valid, alternatives.
    """
    entry = ModelConfig.model_validate(model)
    asked = tables.from_table(requests)
    with _answered(asked, lambda: build(entry), journal, entry.failures_allowed) as answers:
        return tables.responses_table(list(answers))


def complete_file(
    requests: str | Path,
    model: Mapping[str, Any] | ModelConfig,
    journal: str | Path,
    responses: str | Path,
    shard: tuple[int, int] = (1, 1),
) -> None:
    """Answer a parquet file of requests, or a shard of it, into one of responses; see `complete_table`.

    For millions of requests: in memory are their keys, and where in the journal their answers are. The
    requests are read as they are sent, the answers as they are written (about 0.6 kB a request).
    """
    entry = ModelConfig.model_validate(model)
    asked = tables.RequestFile(requests)
    with (
        shard_record(journal) as record,
        _answered(
            asked, lambda: build(entry), record, entry.failures_allowed, shard=Shard(*shard)
        ) as answers,
        whole_file(responses) as temporary,
    ):
        tables.write_responses(answers, temporary)


@contextmanager
def _answered(
    requests: Sequence[Request],
    engine: Engine | Callable[[], Engine],
    journal: str | Path | Record,
    failures_allowed: float,
    *,
    progress: bool = True,
    shard: Shard = WHOLE,
) -> Iterator[Iterator[Response]]:
    """Ask for all that is missing, then give the answers, to be read from the record one by one."""
    wanted = [want for want in tables.wanted(requests) if shard.holds(want.key)]
    with Journal(journal) if isinstance(journal, str | Path) else nullcontext(journal) as record:
        with ExitStack() as stack:
            start = _started_once(engine, stack)
            missing = [ask for want in wanted for ask in _missing(want, record)]
            lost = _send(missing, requests, start, record, Asking(record.name, len(missing), show=progress))
            again = [ask for want in wanted for ask in _second_attempts(want, requests, record)]
            name = f"{record.name} (second attempts)"
            lost |= _send(again, requests, start, record, Asking(name, len(again), show=progress))
        _check_lost(lost, (*missing, *again), wanted, failures_allowed)
        for (key, number), answer in lost.items():
            if answer.finish_reason == "error":
                record.append(key, [answer], number)
        yield (answer for want in wanted for answer in _answers(want, requests, record, lost))


def _started_once(engine: Engine | Callable[[], Engine], stack: ExitStack) -> Callable[[], Engine]:
    """A function that gives the engine, started at its first call and closed with `stack`."""
    if hasattr(engine, "answer"):
        return lambda: engine

    @cache
    def start() -> Engine:
        started = engine()
        stack.callback(started.close)
        return started

    return start


def _missing(want: tables.Wanted, record: Record) -> Iterator[_Ask]:
    """What to ask for a request: its answers that the record lacks, neighbours together."""
    have = record.numbers(want.key)
    numbers = [i for i in range(want.n) if i not in have]
    for _, run in groupby(enumerate(numbers), lambda place: place[1] - place[0]):
        run = [number for _, number in run]
        yield _Ask(want.key, want.row, run[0], len(run))


def _second_attempts(want: tables.Wanted, requests: Sequence[Request], record: Record) -> Iterator[_Ask]:
    """What to ask for answers that do not meet their request's constraint."""
    if want.constraint is None:
        return
    for number, answer in record.get(want.key, {}).items():
        if number < want.n and answer.error is None and not _meets(answer, want):
            key = requests[want.row].second_attempt(number).key
            if not record.numbers(key):
                yield _Ask(key, want.row, 0, 1, second=number)


def _send(
    asks: Sequence[_Ask],
    requests: Sequence[Request],
    start: Callable[[], Engine],
    record: Record,
    progress: Asking,
) -> _Lost:
    """Ask the engine, journal what it answers as it comes; return what it could not answer."""
    lost: _Lost = {}
    if not asks:
        return lost
    progress.begin()
    engine = start()
    whole = getattr(engine, "whole", False)
    with closing(engine.answer(ask.request(requests, whole=whole) for ask in asks)) as stream:
        for index, answers in stream:
            ask = asks[index]
            # What is known already was asked for again with the rest, and stays as it was.
            answers, shift = (answers[ask.first :], 0) if whole else (answers, ask.first)
            if len(answers) < ask.n:
                raise EngineError(f"the engine gave {len(answers)} of {ask.n} answers to request {ask.key}")
            answers = [replace(answer, key=ask.key, sample=shift + answer.sample) for answer in answers]
            lost |= _journalled(ask.key, answers, record)
            problems = [answer.error for answer in answers if answer.error is not None]
            progress.answered(sum(answer.completion_tokens for answer in answers), next(iter(problems), None))
    return lost


def _journalled(key: str, answers: Sequence[Response], record: Record) -> _Lost:
    """Journal the answers to one request; return those that failed, which are not (for good: not yet)."""
    lost: _Lost = {}
    for failed, run in groupby(answers, lambda answer: answer.finish_reason in UNANSWERED):
        run = list(run)
        if failed:
            lost |= {(key, answer.sample): answer for answer in run}
        else:
            record.append(key, run, run[0].sample)
    return lost


def _answers(
    want: tables.Wanted, requests: Sequence[Request], record: Record, lost: _Lost
) -> Iterator[Response]:
    """The answers to one request, each by the better of its attempts."""
    have = record.get(want.key, {})
    for number in range(want.n):
        first = have.get(number) or lost[want.key, number]
        if first.error is not None:
            yield replace(first, valid=False)
        elif _meets(first, want):
            yield first
        else:
            yield _better(first, requests[want.row].second_attempt(number), record)


def _better(first: Response, second: Request, record: Record) -> Response:
    """The answer to the second attempt if it meets the constraint, else the first, not valid."""
    again = record.get(second.key, {}).get(0)
    if again is not None and again.error is None and _meets(again, second):
        return replace(again, key=first.key, sample=first.sample, attempt=2)
    return replace(first, attempt=2, valid=False)


def _meets(answer: Response, asked: tables.Wanted | Request) -> bool:
    return meets(answer.text, answer.finish_reason, asked.constraint)


def _check_lost(lost: _Lost, asks: Sequence[_Ask], wanted: Sequence[tables.Wanted], allowed: float) -> None:
    """Raise if more whole requests, or more answers, to first or second attempts, are missing than may."""
    if not lost:
        return
    row = {ask.key: ask.row for ask in asks}
    lacking = Counter(row[key] for key, _ in lost)
    whole = sum(want.n <= lacking[want.row] for want in wanted)
    answers = sum(want.n for want in wanted)
    last = next(reversed(lost.values())).error
    summary = f"{whole} of {len(wanted)} requests got no answer, {len(lost)} of {answers} answers are missing"
    summary += f" (last: {last})"
    if whole > allowed * len(wanted) or len(lost) > allowed * answers:
        raise EngineError(
            f"{summary}; the journal keeps the rest: put right what can be (a prompt too long: a larger context), and "
            "run again to ask for these alone, or raise failures_allowed in the model's entry"
        )
    print(f"{summary}; they are counted as errors", file=sys.stderr)
