"""Every model call of the pipeline: ask an engine for what the journal does not hold yet."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ralc.io import say, whole_file
from ralc.io.console import Progress
from ralc.llm import tables
from ralc.llm.constraints import meets
from ralc.llm.engines import Engine, build
from ralc.llm.errors import EngineError
from ralc.llm.journal import Journal, Shard
from ralc.llm.models import ModelConfig
from ralc.llm.requests import UNANSWERED, Request, Response

#: Answers that were not to be had, by key and number; and the row of the request that lacks each.
_Lost = dict[tuple[str, int], tuple[Response, int]]


class _Ask(NamedTuple):
    """What to send: `n` answers from number `first` on to the request of a row, or its second attempt at one."""

    row: int
    first: int
    n: int
    second: int | None = None

    def request(self, requests: Sequence[Request]) -> Request:
        """The request, made when its turn comes."""
        if self.second is not None:
            return requests[self.row].second_attempt(self.second)
        return replace(requests[self.row], first=self.first, n=self.n)


def complete(
    requests: Sequence[Request],
    engine: Engine | Callable[[], Engine],
    journal: str | Path | Journal,
    *,
    progress: bool = True,
    failures_allowed: float = 0.0,
) -> list[Response]:
    """Return n answers to each request, from the journal where it has them, else from the engine.

    Equal requests are sent once. An answer that does not meet its request's constraint is asked
    for once more (`Request.second_attempt`); the second stands if it meets the constraint, else the
    first. What is answered is journalled at once, so a killed run loses at most what is in flight.

    Threads may share an engine and an open journal. In a coroutine it blocks the event loop until all is
    answered: call it by ``asyncio.to_thread``.

    Parameters
    ----------
    requests
        What is asked, of one model.
    engine
        An engine, or a function that starts one; it is not called when nothing is missing.
    journal
        The journal's file (see `ralc.llm.journal`), or an open journal (``Journal()`` is one in memory).
    progress
        Whether progress is shown.
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
    requests: pd.DataFrame, model: Mapping[str, Any] | ModelConfig, journal: str | Path | Journal
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
    start, allowed = (lambda: build(entry, journal)), entry.failures_allowed
    with (
        _answered(asked, start, journal, allowed, shard=Shard(*shard)) as answers,
        whole_file(responses) as temporary,
    ):
        tables.write_responses(answers, temporary)


@contextmanager
def _answered(
    requests: Sequence[Request],
    engine: Engine | Callable[[], Engine],
    journal: str | Path | Journal,
    failures_allowed: float,
    *,
    progress: bool = True,
    shard: Shard | None = None,
) -> Iterator[Iterator[Response]]:
    """Ask for all that is missing, then give the answers, to be read from the journal one by one."""
    wanted = [want for want in tables.wanted(requests) if shard is None or shard.holds(want.key)]
    with Journal(journal) if isinstance(journal, str | Path) else nullcontext(journal) as record:
        with ExitStack() as stack:
            start = _started_once(engine, stack)
            first = [ask for want in wanted for ask in _missing(want, record)]
            lost = _send(first, requests, start, record, record.name, progress)
            again = [ask for want in wanted for ask in _second_attempts(want, requests, record)]
            lost |= _send(again, requests, start, record, f"{record.name} (second attempts)", progress)
        _check_lost(lost, wanted, failures_allowed)
        for (key, number), (answer, _) in lost.items():
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


def _missing(want: tables.Wanted, journal: Journal) -> Iterator[_Ask]:
    """What to ask for a request: its answers that the journal lacks, neighbours together."""
    have = journal.numbers(want.key)
    numbers = [i for i in range(want.n) if i not in have]
    for _, run in groupby(enumerate(numbers), lambda place: place[1] - place[0]):
        run = [number for _, number in run]
        yield _Ask(want.row, run[0], len(run))


def _second_attempts(want: tables.Wanted, requests: Sequence[Request], journal: Journal) -> Iterator[_Ask]:
    """What to ask for answers that do not meet their request's constraint."""
    if want.constraint is None:
        return
    for number, answer in journal.get(want.key, {}).items():
        if number < want.n and answer.error is None and not _meets(answer, want):
            ask = _Ask(want.row, 0, 1, second=number)
            if not journal.numbers(ask.request(requests).key):
                yield ask


def _send(
    asks: Sequence[_Ask],
    requests: Sequence[Request],
    start: Callable[[], Engine],
    journal: Journal,
    name: str,
    show: bool,
) -> _Lost:
    """Ask the engine, journal what it answers as it comes; return what it could not answer."""
    lost: _Lost = {}
    if not asks:
        return lost
    progress = Progress(name, len(asks), "requests", show=show)
    sent: dict[int, Request] = {}

    def coming() -> Iterator[Request]:
        for place, ask in enumerate(asks):
            sent[place] = ask.request(requests)
            yield sent[place]

    with closing(start().answer(coming())) as stream:
        for index, answers in stream:
            request = sent.pop(index)
            numbers = [answer.sample for answer in answers]
            if numbers != [*request.numbers]:
                raise EngineError(
                    f"the engine gave answers {numbers} of {[*request.numbers]} to {request.key}"
                )
            for failed, run in groupby(answers, lambda answer: answer.finish_reason in UNANSWERED):
                run = list(run)
                if failed:
                    lost |= {(request.key, one.sample): (one, asks[index].row) for one in run}
                else:
                    journal.append(request.key, run, run[0].sample)
            progress.add()
    return lost


def _answers(
    want: tables.Wanted, requests: Sequence[Request], journal: Journal, lost: _Lost
) -> Iterator[Response]:
    """The answers to one request, each by the better of its attempts."""
    have = journal.get(want.key, {})
    for number in range(want.n):
        first = have.get(number) or lost[want.key, number][0]
        if first.error is not None:
            yield replace(first, valid=False)
        elif _meets(first, want):
            yield first
        else:
            yield _better(first, requests[want.row].second_attempt(number), journal)


def _better(first: Response, second: Request, journal: Journal) -> Response:
    """The answer to the second attempt if it meets the constraint, else the first, not valid."""
    again = journal.get(second.key, {}).get(0)
    if again is not None and again.error is None and _meets(again, second):
        return replace(again, key=first.key, sample=first.sample, attempt=2)
    return replace(first, attempt=2, valid=False)


def _meets(answer: Response, asked: tables.Wanted | Request) -> bool:
    return meets(answer.text, answer.finish_reason, asked.constraint)


def _check_lost(lost: _Lost, wanted: Sequence[tables.Wanted], allowed: float) -> None:
    """Raise if more whole requests, or more answers, to first or second attempts, are missing than may."""
    if not lost:
        return
    lacking = Counter(row for _, row in lost.values())
    whole = sum(want.n <= lacking[want.row] for want in wanted)
    answers = sum(want.n for want in wanted)
    last = next(reversed(lost.values()))[0].error
    summary = f"{whole} of {len(wanted)} requests got no answer, {len(lost)} of {answers} answers are missing"
    summary += f" (last: {last})"
    if whole > allowed * len(wanted) or len(lost) > allowed * answers:
        raise EngineError(
            f"{summary}; the journal keeps the rest: put right what can be (a prompt too long: a larger context), and "
            "run again to ask for these alone, or raise failures_allowed in the model's entry"
        )
    say(f"{summary}; they are counted as errors")
