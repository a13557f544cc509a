"""Every model call of the pipeline: ask an engine for what the journal does not hold yet."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from ralc.io import say, whole_file
from ralc.io.console import progress
from ralc.llm import tables
from ralc.llm.engines import Engine, EngineError, ModelConfig, build
from ralc.llm.journal import Journal, in_shard
from ralc.llm.requests import UNANSWERED, Request, Response, meets

#: Answers that were not to be had, by the key of their request and their number.
_Lost = dict[tuple[str, int], Response]


def complete(
    requests: Sequence[Request],
    engine: Engine | Callable[[], Engine],
    journal: str | Path,
    *,
    failures_allowed: float = 0.0,
) -> list[Response]:
    """Return n answers to each request, from the journal where it has them, else from the engine.

    An answer that does not meet its request's constraint is asked for once more (`Request.second_attempt`). The
    second stands if it meets the constraint, else the first. Each answer is journalled at once, so a killed run loses
    at most what is in flight.

    Parameters
    ----------
    engine
        An engine, or a function that starts one; it is not called when nothing is missing.
    failures_allowed
        Share, in [0, 1], of answers that may be missing. They come back with `error`.

    Returns
    -------
    The answers in the order of the requests, equal requests once, samples 0..n-1 of each.

    Raises
    ------
    EngineError
        If the engine cannot go on, or too much is missing. The journal keeps the rest; what is missing is asked again.
    JournalError
        If the journal is in use by another process or cannot be written.
    """
    with Journal(journal) as record:
        return list(_answered([(len(requests), requests)], engine, record, failures_allowed))


def complete_file(
    requests: str | Path,
    model: Mapping[str, Any] | ModelConfig,
    journal: str | Path,
    responses: str | Path,
    shard: tuple[int, int] = (1, 1),
) -> None:
    """Answer a file of requests, or a shard of it, into one of responses (`ralc.llm.tables`).

    Memory holds `ralc.llm.tables.ROWS_IN_MEMORY` requests. Of all it holds keys and places of answers: 0.6 kB each.

    Parameters
    ----------
    requests
        A parquet file of requests.
    model
        The model's entry in the configuration.
    journal
        The journal of the stage and model, and shard.
    responses
        The parquet file that is written.
    shard
        Which shard of how many: only its requests are answered.
    """
    entry = ModelConfig.model_validate(model)
    parts = tables.request_parts(requests)
    with Journal(journal) as record, whole_file(responses) as temporary:
        answers = _answered(parts, lambda: build(entry, journal), record, entry.failures_allowed, shard)
        tables.write_responses(answers, temporary)


def _answered(
    parts: Iterable[tuple[int, Sequence[Request]]],
    engine: Engine | Callable[[], Engine],
    record: Journal,
    allowed: float,
    shard: tuple[int, int] = (1, 1),
) -> Iterator[Response]:
    """Part by part, ask for what the journal lacks and give the answers; EngineError at the end if too few came."""
    answered: dict[str, int] = {}  # how many answers to each request are given
    lost: _Lost = {}
    done = None
    with ExitStack() as stack:

        @cache
        def start() -> Engine:
            return engine if hasattr(engine, "answer") else stack.enter_context(closing(engine()))

        for total, part in parts:
            done = done or progress(None, record.name, "requests", total)
            wanted: dict[str, Request] = {}
            for request in part:
                n_before = wanted[request.key].n if request.key in wanted else answered.get(request.key, 0)
                if request.n > n_before and in_shard(request.key, shard):
                    wanted[request.key] = request
            asks = list(_first_attempts(wanted, record))
            done.update(max(len(part) - len(asks), 0))
            lost |= _send(asks, start, record, done.update)
            lost |= _send(list(_second_attempts(wanted, record)), start, record)
            for key, request in wanted.items():
                have = record.get(key, {})
                for number in range(answered.get(key, 0), request.n):
                    yield _final(have.get(number) or lost[key, number], request, record)
                answered[key] = request.n
    _check_lost([*lost.values()], sum(answered.values()), allowed)
    for answer in lost.values():
        if answer.finish_reason == "error":
            record.append(answer.key, [answer])


def _first_attempts(requests: Mapping[str, Request], record: Journal) -> Iterator[Request]:
    """The answers that the journal lacks, those of neighbouring numbers in one request."""
    for key, request in requests.items():
        missing = sorted({*range(request.n)} - record.numbers(key))
        for _, run in groupby(enumerate(missing), lambda place: place[1] - place[0]):
            (_, first), *rest = run
            yield replace(request, first=first, n=1 + len(rest))


def _second_attempts(requests: Mapping[str, Request], record: Journal) -> Iterator[Request]:
    """What to ask in place of answers that do not meet their request's constraint."""
    for key, request in requests.items():
        have = record.get(key, {}) if request.constraint else {}
        for number, answer in have.items():
            if number < request.n and answer.error is None and not meets(answer.text, request.constraint):
                second = request.second_attempt(number)
                if second.key not in record:
                    yield second


def _send(
    asks: Sequence[Request], start: Callable[[], Engine], record: Journal, done: Callable[[], Any] = int
) -> _Lost:
    """Ask the engine, journal what it answers as it comes; return what it could not answer."""
    lost: _Lost = {}
    if not asks:
        return lost
    with closing(start().answer(asks)) as stream:
        for place, answers in stream:
            key = asks[place].key
            for failed, run in groupby(answers, lambda answer: answer.finish_reason in UNANSWERED):
                if failed:
                    lost |= {(key, answer.sample): answer for answer in run}
                else:
                    record.append(key, [*run])
            done()
    return lost


def _final(first: Response, request: Request, record: Journal) -> Response:
    """The first answer if it meets the request's constraint, else the second if that does, else none is valid."""
    if first.error is not None:
        return replace(first, valid=False)
    if meets(first.text, request.constraint):
        return first
    second = request.second_attempt(first.sample)
    again = record.get(second.key, {}).get(0)
    if again is not None and again.error is None and meets(again.text, second.constraint):
        return replace(again, key=first.key, sample=first.sample, attempt=2)
    return replace(first, attempt=2, valid=False)


def _check_lost(lost: Sequence[Response], wanted: int, allowed: float) -> None:
    """Raise if more answers, to first or second attempts, are missing than may."""
    if not lost:
        return
    summary = f"{len(lost)} of {wanted} answers are missing (last: {lost[-1].error})"
    if len(lost) > allowed * wanted:
        raise EngineError(
            f"{summary}; the journal keeps the rest: put right what can be (a prompt too long: a larger context), and "
            "run again to ask for these alone, or raise failures_allowed in the model's entry"
        )
    say(f"{summary}; they are counted as errors")
