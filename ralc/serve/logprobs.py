"""The log-probabilities that a signal takes: how an upstream is asked for them, and what its choices give."""

from typing import Any

#: Fields of a request, by what a signal takes (`ralc.names.Signal.logprobs`).
FIELDS: dict[str, dict[str, Any]] = {
    "": {},
    "token_logprobs": {"logprobs": True, "top_logprobs": 1},
}


def given(choice: dict[str, Any]) -> list[float]:
    """The log-probabilities of an answer's tokens; empty where there are none.

    >>> given({"logprobs": {"content": [{"token": "A", "logprob": -0.2}]}})
    [-0.2]
    """
    logprobs = choice.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    values = (
        [token.get("logprob") for token in tokens if isinstance(token, dict)]
        if isinstance(tokens, list)
        else []
    )
    sound = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    return [min(float(value), 0.0) for value in values] if sound else []
