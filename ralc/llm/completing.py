"""Every model call of the pipeline: ask an engine for what the journal does not hold yet."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd

from ralc.io import say, whole_file
from ralc.io.console import progress
from ralc.llm import tables
from ralc.llm.engines import Engine, EngineError, ModelConfig, build
from ralc.llm.journal import Journal, in_shard
from ralc.llm.requests import UNANSWERED, Request, Response, meets

#: Answers that were not to be had, by key and number; and the key of the request that lacks each.
_Lost = dict[tuple[str, int], tuple[Response, str]]
#: What is sent: a request or its second attempt, and the key of the request that it serves.
_Ask = tuple[str, Request]


def complete(
    requests: Sequence[Request],
    engine: Engine | Callable[[], Engine],
    journal: str | Path | Journal,
    *,
    failures_allowed: float = 0.0,
) -> list[Response]:
    """Return n answers to each request, from the journal where it has them, else from the engine.

    An answer that does not meet its request's constraint is asked for once more (`Request.second_attempt`); the
    second stands if it meets the constraint, else the first. Each answer is journalled at once, so a killed run loses
    at most what is in flight. Threads may share an engine and an open journal.

    Parameters
    ----------
    engine
        An engine, or a function that starts one; it is not called when nothing is missing.
    failures_allowed
        Share, in [0, 1], of whole requests and of single answers that may be missing. They come back with `error`.

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
    with nullcontext(journal) if isinstance(journal, Journal) else Journal(journal) as record:
        return list(_answered(requests, engine, record, failures_allowed))


def complete_table(requests: pd.DataFrame, model: Mapping[str, Any], journal: str | Path) -> pd.DataFrame:
    """Answer a table of requests by a model of the configuration, in a table of responses; see `complete`."""
    entry, queue = ModelConfig.model_validate(model), tables.from_table(requests)
    responses = complete(queue, lambda: build(entry), journal, failures_allowed=entry.failures_allowed)
    return tables.responses_table(responses)


def complete_file(
    requests: str | Path,
    model: Mapping[str, Any] | ModelConfig,
    journal: str | Path,
    responses: str | Path,
    shard: tuple[int, int] = (1, 1),
) -> None:
    """Answer a parquet file of requests, or a shard of it, into one of responses (`ralc.llm.tables`).

    Memory holds the requests' keys and the places of their answers in the journal: about 0.6 kB a request.
    """
    entry, queue = ModelConfig.model_validate(model), tables.RequestFile(requests)
    with Journal(journal) as record, whole_file(responses) as temporary:
        answers = _answered(queue, lambda: build(entry, journal), record, entry.failures_allowed, shard)
        tables.write_responses(answers, temporary)


def _answered(
    requests: Iterable[Request],
    engine: Engine | Callable[[], Engine],
    record: Journal,
    allowed: float,
    shard: tuple[int, int] = (1, 1),
) -> Iterator[Response]:
    """Ask for all that is missing, then give the answers, read from the journal one by one."""
    wanted: dict[str, int] = {}
    for key, n in tables.outlines(requests):
        if in_shard(key, shard):
            wanted[key] = max(n, wanted.get(key, 0))
    with ExitStack() as stack:

        @cache
        def start() -> Engine:
            return engine if hasattr(engine, "answer") else stack.enter_context(closing(engine()))

        lacking = {key: n for key, n in wanted.items() if not record.numbers(key).issuperset(range(n))}
        first = _first_attempts(requests, lacking, record)
        lost = _send(first, len(lacking), start, record, record.name)
        again = list(_second_attempts(requests, wanted, record))
        lost |= _send(again, len(again), start, record, f"{record.name} (second attempts)")
    _check_lost(lost, wanted, allowed)
    for (key, _), (answer, _) in lost.items():
        if answer.finish_reason == "error":
            record.append(key, [answer])
    for request in _unique(requests, wanted):
        have = record.get(request.key, {})
        for number in range(wanted[request.key]):
            yield _better(have.get(number) or lost[request.key, number][0], request, record)


def _unique(requests: Iterable[Request], keys: Iterable[str]) -> Iterator[Request]:
    """The first request of each of the keys."""
    left = set(keys)
    for request in requests:
        if request.key in left:
            left.remove(request.key)
            yield request


def _first_attempts(requests: Iterable[Request], lacking: dict[str, int], record: Journal) -> Iterator[_Ask]:
    """The answers that the journal lacks, those of neighbouring numbers in one request."""
    for request in _unique(requests, lacking):
        missing = sorted({*range(lacking[request.key])} - record.numbers(request.key))
        for _, run in groupby(enumerate(missing), lambda place: place[1] - place[0]):
            (_, first), *rest = run
            yield request.key, replace(request, first=first, n=1 + len(rest))


def _second_attempts(requests: Iterable[Request], wanted: dict[str, int], record: Journal) -> Iterator[_Ask]:
    """What to ask in place of answers that do not meet their request's constraint."""
    for request in _unique(requests, wanted):
        have = record.get(request.key, {}) if request.constraint else {}
        for number, answer in have.items():
            if number < wanted[request.key] and answer.error is None and not _meets(answer, request):
                second = request.second_attempt(number)
                if not record.numbers(second.key):
                    yield request.key, second


def _send(asks: Iterable[_Ask], total: int, start: Callable[[], Engine], record: Journal, name: str) -> _Lost:
    """Ask the engine, journal what it answers as it comes; return what it could not answer."""
    lost: _Lost = {}
    if not total:
        return lost
    done = progress(None, name, "requests", total)
    sent: dict[int, _Ask] = {}

    def coming() -> Iterator[Request]:
        for place, ask in enumerate(asks):
            sent[place] = ask
            yield ask[1]

    with closing(start().answer(coming())) as stream:
        for place, answers in stream:
            owner, request = sent.pop(place)
            numbers = [answer.sample for answer in answers]
            if numbers != [*request.numbers]:
                raise EngineError(f"the engine gave answers {numbers} of {[*request.numbers]} to {owner}")
            for failed, run in groupby(answers, lambda answer: answer.finish_reason in UNANSWERED):
                if failed:
                    lost |= {(request.key, one.sample): (one, owner) for one in run}
                else:
                    record.append(request.key, [*run])
            done.update()
    return lost


def _better(first: Response, request: Request, record: Journal) -> Response:
    """The first answer if it meets the request's constraint, else the second if that does, else none is valid."""
    if first.error is not None:
        return replace(first, valid=False)
    if _meets(first, request):
        return first
    second = request.second_attempt(first.sample)
    again = record.get(second.key, {}).get(0)
    if again is not None and again.error is None and _meets(again, second):
        return replace(again, key=first.key, sample=first.sample, attempt=2)
    return replace(first, attempt=2, valid=False)


def _meets(answer: Response, request: Request) -> bool:
    return meets(answer.text, request.constraint)


def _check_lost(lost: _Lost, wanted: Mapping[str, int], allowed: float) -> None:
    """Raise if more whole requests, or more answers, to first or second attempts, are missing than may."""
    if not lost:
        return
    lacking = Counter(owner for _, owner in lost.values())
    whole, answers = sum(wanted[owner] <= count for owner, count in lacking.items()), sum(wanted.values())
    summary = (
        f"{whole} of {len(wanted)} requests got no answer, {len(lost)} of {answers} answers are missing "
        f"(last: {[*lost.values()][-1][0].error})"
    )
    if whole > allowed * len(wanted) or len(lost) > allowed * answers:
        raise EngineError(
            f"{summary}; the journal keeps the rest: put right what can be (a prompt too long: a larger context), and "
            "run again to ask for these alone, or raise failures_allowed in the model's entry"
        )
    say(f"{summary}; they are counted as errors")
