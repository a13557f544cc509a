"""Langfuse: the calibrated confidence of a reply as a score of what was observed."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from langfuse import get_client


def score(
    ralc: Mapping[str, Any], send: Callable[..., Any] | None = None, *, name: str = "confidence"
) -> float | None:
    """Send the calibrated confidence of a reply as a numeric score; return it, None where the reply has none.

    Parameters
    ----------
    ralc
        The object ``ralc`` of a reply of `ralc serve`, or of an integration. Of several claims the least sure counts.
    send
        Where the score goes, such as ``span.score_trace``; by default to the current observation. Of another trace it
        is ``functools.partial(client.create_score, trace_id=...)``.
    name
        The name of the score.
    """
    if (target := ralc.get("target")) in (None, []):
        return None
    value = float(np.min(target))
    (send or get_client().score_current_span)(
        name=name, value=value, data_type="NUMERIC", metadata=dict(ralc)
    )
    return value
