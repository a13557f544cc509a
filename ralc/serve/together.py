"""One thread that works on all that waits together, so that what a call of the parser costs is shared."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

#: Jobs that are done together, at most.
MOST = 8


class Together:
    """Does jobs in one thread, all at once that wait; it waits for none to come.

    Parameters
    ----------
    work
        Makes something of each of some jobs. Where it raises an exception, each is done by itself.
    """

    def __init__(self, work: Callable[[list[Any]], Sequence[Any]]) -> None:
        self._work = work
        self._waiting: deque[tuple[Any, Future]] = deque()
        self._thread = ThreadPoolExecutor(1)

    async def made_of(self, job: Any) -> Any:
        """Return what is made of a job."""
        future = Future()
        self._waiting.append((job, future))
        self._thread.submit(self._take)
        return await asyncio.wrap_future(future)

    def _take(self) -> None:
        """Do what waits, unless nobody waits for it any more; it may have been done with what came before."""
        taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST))]
        self._do([one for one in taken if one[1].set_running_or_notify_cancel()])

    def _do(self, taken: Sequence[tuple[Any, Future]]) -> None:
        try:
            for (_, future), made in zip(taken, self._work([job for job, _ in taken]), strict=True):
                future.set_result(made)
        except Exception as error:
            if len(taken) == 1:
                taken[0][1].set_exception(error)
                return
            for one in taken:
                self._do([one])
