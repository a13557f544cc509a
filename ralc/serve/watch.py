"""What a server says of itself: a line a reply in a file, and counters in Prometheus' format.

No header and no key is in either, and no text unless it is asked for.
"""

import json
import logging
import os
import tempfile
import time
import uuid
from bisect import bisect_left
from pathlib import Path
from typing import Any

import numpy as np

from ralc.io.console import visible

#: The header and the name of what tells replies apart.
ID = "x-ralc-request-id"
#: Upper edges of what is counted in cells: seconds of a reply, and calibrated confidences.
_CELLS = {
    "ralc_reply_seconds": (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0),
    "ralc_confidence": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
}
_PASSED = "passed"  # what is neither hedged nor noted, and neither the reason of a door
#: What is counted by one label, and its values.
_LABELS = {
    "ralc_responses_total": ("status", ("1xx", "2xx", "3xx", "4xx", "5xx")),
    "ralc_replies_total": ("door", ("hedge", "note", "no_prose", "claims_nothing", _PASSED)),
    "ralc_actions_total": ("action", ("answer", "hedge", "abstain", "escalate")),
}
_SERIES = [f'{name}{{{label}="{value}"}}' for name, (label, values) in _LABELS.items() for value in values]
for _name, _edges in _CELLS.items():
    _SERIES += [f'{_name}_bucket{{le="{edge:g}"}}' for edge in _edges]
    _SERIES += [f'{_name}_bucket{{le="+Inf"}}', f"{_name}_sum", f"{_name}_count"]
_PLACES = {name: place for place, name in enumerate(_SERIES)}
_LOG = logging.getLogger("ralc.serve")


class Watch:
    """Counts what one process answers, and writes its replies.

    Parameters
    ----------
    counts
        A folder that the processes of a server share; "" makes one of its own. Each counts in a file there.
    path, texts
        Where the replies go, "" for nowhere, and whether with question and answer.
    """

    def __init__(self, counts: str = "", path: str = "", *, texts: bool = False) -> None:
        self._made = None if counts else tempfile.TemporaryDirectory(prefix="ralc-")
        self._folder = Path(counts or self._made.name)
        self._path = path
        self._texts = texts
        file = self._folder / f"{uuid.uuid4().hex}.counts"
        self._own = np.memmap(file, np.float64, "w+", shape=len(_SERIES))
        if path:
            self._write("")  # where it cannot be written, the start fails

    def responded(self, status: int) -> None:
        """Count a response of a status."""
        self._add(f'ralc_responses_total{{status="{status // 100}xx"}}')

    def replied(self, ident: str, asked: dict[str, Any], told: dict[str, Any], began: float) -> None:
        """Count a reply and write it: what was asked, and what it is told.

        Parameters
        ----------
        ident
            What tells the reply from others.
        asked
            ``model``, ``streamed`` and ``question``.
        told
            The object ``ralc``; it may have the ``text`` and the ``usage``, too.
        began
            When the request came, by `time.monotonic`, in seconds.
        """
        seconds = round(time.monotonic() - began, 4)
        target = told.get("target")
        self._add(f'ralc_replies_total{{door="{told.get("door") or _PASSED}"}}')
        self._put("ralc_reply_seconds", seconds)
        if isinstance(target, float):
            self._put("ralc_confidence", target)
        self._add(f'ralc_actions_total{{action="{told.get("action")}"}}')
        if not self._path:
            return
        numbers = ("signal", "samples", "fitted_on", "confidence", "target", "read", "calibrated", "action")
        usage = told.get("usage") or {}
        line = {"id": ident, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        line |= {"model": visible(asked["model"])[:200], "streamed": asked["streamed"]}
        line |= {name: told.get(name) for name in numbers} | {"door": told.get("door") or _PASSED}
        # Behind a colon an upstream may speak, which may name a key.
        line |= {"reason": told.get("reason", "").partition(":")[0], "seconds": seconds}
        line["characters"] = len(told.get("text") or "")
        line |= {name: usage.get(name) for name in ("prompt_tokens", "completion_tokens")}
        if self._texts:
            line |= {"question": asked["question"]} | {name: told.get(name) for name in ("original", "text")}
        try:
            self._write(json.dumps(line, allow_nan=False) + "\n")
        except OSError as error:  # a client's reply is worth more than its line
            _LOG.error("a reply could not be written to %s: %s", self._path, error.strerror)

    def text(self) -> str:
        """Return the counters of all processes, as Prometheus reads them."""
        sums = sum((np.fromfile(file) for file in self._folder.glob("*.counts")), np.zeros(len(_SERIES)))
        lines: list[str] = []
        for name in (*_LABELS, *_CELLS):
            lines.append(f"# TYPE {name} {'counter' if name in _LABELS else 'histogram'}")
            lines += [f"{one} {sums[place]:.15g}" for one, place in _PLACES.items() if one.startswith(name)]
        return "\n".join([*lines, ""])

    def _write(self, line: str) -> None:
        """Append a line in one piece, so that lines of several processes stay whole, and files may be moved away."""
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)

    def _add(self, series: str, value: float = 1.0) -> None:
        if series in _PLACES:
            self._own[_PLACES[series]] += value

    def _put(self, name: str, value: float) -> None:
        """Count a value in the cells that it is in or below."""
        edges = _CELLS[name]
        for edge in [*map("{:g}".format, edges[bisect_left(edges, value) :]), "+Inf"]:
            self._add(f'{name}_bucket{{le="{edge}"}}')
        self._add(f"{name}_sum", value)
        self._add(f"{name}_count")
