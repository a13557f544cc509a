"""The log-probabilities that a signal takes: how an upstream is asked for them, and what its choices give."""

from typing import Any

from ralc.llm.engines.chat import alternatives, likely_tokens
from ralc.names import ALTERNATIVES

#: Fields of a request, by what a signal takes (`ralc.names.Signal.logprobs`).
FIELDS: dict[str, dict[str, Any]] = {
    "": {},
    "token_logprobs": {"logprobs": True, "top_logprobs": 1},
    "alternatives": {"logprobs": True, "top_logprobs": ALTERNATIVES},
}


def given(choice: dict[str, Any], taken: str) -> list[float]:
    """The log-probabilities of an answer's tokens, or of what its first could have been; empty where there are none.

    >>> given({"logprobs": {"content": [{"token": "A", "logprob": -0.2}]}}, "token_logprobs")
    [-0.2]
    """
    logprobs = choice.get("logprobs")
    if taken == "alternatives":
        found = alternatives(likely_tokens(logprobs), ALTERNATIVES) or ()
        return list(found) if len(found) > 1 else []
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    values = (
        [token.get("logprob") for token in tokens if isinstance(token, dict)]
        if isinstance(tokens, list)
        else []
    )
    sound = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    return [min(float(value), 0.0) for value in values] if sound else []
