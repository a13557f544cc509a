"""What was found of a server by its list of models and the first request, which is sent alone, as one table."""

from collections.abc import Sequence
from typing import Any

from ralc.llm.constraints import meets
from ralc.llm.engines.dialects import Dialect
from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request, Response


def described(
    entry: ModelConfig, dialect: Dialect, listed: Any, request: Request, answers: Sequence[Response]
) -> str:
    """Return the table: address, key, model, answers a call, log-probabilities and output constraint.

    Parameters
    ----------
    entry, dialect
        The model's entry, and what its server was found to lack.
    listed
        What the server says of its models.
    request, answers
        The first request, and what came.
    """
    given = [answer for answer in answers if answer.error is None]
    rows = {
        "address": f"{entry.base_url}, {_KINDS[dialect.kind]}",
        "key": f"taken from {entry.api_key_env}" if entry.api_key_env else "none",
        "model": _model(entry.model, listed),
        "first request": "answered" if given else f"not answered: {answers[0].error}",
    }
    if given:
        rows["n"] = f"{len(given)} of {request.n} answers" + (", one a call" if "n" in dialect.lacks else "")
        rows["log-probabilities"] = _logprobs(request, given)
        rows["structured outputs"] = _constraint(request, given, dialect)
    return "\n".join(f"  {name:<20}{value}" for name, value in rows.items())


_KINDS = {
    "vllm": "a server of vLLM",
    "llamacpp": "a server of llama.cpp",
    "other": "a server of its own kind",
}


def _model(name: str, listed: Any) -> str:
    try:
        known = [str(model["id"]) for model in listed["data"]]
    except (KeyError, TypeError):
        return f"{name} (the server lists none)"
    if name in known:
        return f"{name}, in its list"
    return f"{name}, not in its list ({', '.join(known[:5])}{', ...' if len(known) > 5 else ''})"


def _logprobs(request: Request, given: Sequence[Response]) -> str:
    if not request.logprobs and not request.alternatives:
        return "not asked"
    wanted = "token_logprobs" if request.logprobs else "alternatives"
    return "given" if any(getattr(answer, wanted) for answer in given) else "NOT given"


def _constraint(request: Request, given: Sequence[Response], dialect: Dialect) -> str:
    if request.constraint is None:
        return "not asked"
    (kind,) = request.constraint
    obeyed = sum(meets(answer.text, answer.finish_reason, request.constraint) for answer in given)
    sent = "not sent, checked here" if {"constraint", "choice"} & dialect.lacks else "sent"
    return f"{kind}, {sent}: {obeyed} of {len(given)} answers obey"
