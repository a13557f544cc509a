"""The chat schema that llama.cpp, vLLM's server and cloud services share: requests out, answers in."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ralc.llm.requests import Request, Response


class BadReplyError(ValueError):
    """A reply that is not an answer in the chat schema."""


def body(request: Request) -> dict[str, Any]:
    """A request in the chat schema, without model name and constraint.

    All sampling parameters are sent, since servers' defaults cut the distribution.
    """
    sent: dict[str, Any] = {
        "messages": [dict(message) for message in request.messages],
        "n": request.n,
        "seed": request.seed,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "top_k": request.top_k,
        "min_p": request.min_p,
        "max_tokens": request.max_tokens,
    }
    if request.stop:
        sent["stop"] = list(request.stop)
    if request.logprobs:
        sent |= {"logprobs": True, "top_logprobs": 1}  # llama.cpp gives none for top_logprobs: 0
    if request.messages[-1]["role"] == "assistant":
        sent |= {"continue_final_message": True, "add_generation_prompt": False}
    return sent


def answers(reply: Any, request: Request) -> list[Response]:
    """The answers in a reply, in order of their number; one that cannot be read is left out.

    Raises
    ------
    BadReplyError
        If there is no answer in it.
    """
    choices = reply.get("choices") if isinstance(reply, Mapping) else None
    if not isinstance(choices, Sequence) or isinstance(choices, str):
        raise BadReplyError("the reply has no list of choices")
    usage = reply.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    found: dict[int, Response] = {}
    for place, choice in enumerate(choices):
        answer = _answer(choice, place, request, _count(usage.get("prompt_tokens")))
        if answer is not None and answer.sample < request.n:
            found.setdefault(answer.sample, answer)
    if not found:
        raise BadReplyError("the reply has no answer among its choices")
    return _with_shares([found[i] for i in sorted(found)], _count(usage.get("completion_tokens")))


def _answer(choice: Any, place: int, request: Request, prompt_tokens: int) -> Response | None:
    """One choice as a response; None if it is not one."""
    if not isinstance(choice, Mapping) or not isinstance(choice.get("message"), Mapping):
        return None
    message, index = choice["message"], choice.get("index", place)
    content, reason = message.get("content"), choice.get("finish_reason")
    if content is None and isinstance(message.get("reasoning_content"), str):
        content = ""  # all its tokens went into reasoning
    if (
        not isinstance(content, str)
        or reason not in ("stop", "length")
        or not isinstance(index, int)
        or index < 0
    ):
        return None
    text = continuation(clean(content), request)
    logprobs, tokens = None, 0
    if request.logprobs:
        content_tokens = _tokens(choice.get("logprobs"))
        logprobs = answer_logprobs(content_tokens, text) if content_tokens else None
        tokens = len(content_tokens)
    return Response(request.key, text, reason, logprobs, prompt_tokens, tokens, sample=index)


def continuation(text: str, request: Request) -> str:
    """The answer without the beginning that the request gave (llama.cpp repeats it)."""
    last = request.messages[-1]
    return text.removeprefix(last["content"]) if last["role"] == "assistant" else text


def clean(text: str) -> str:
    """Text that every file can hold: halves of surrogate pairs become the replacement character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def answer_logprobs(tokens: Sequence[tuple[bytes, float]], text: str) -> tuple[float, ...]:
    """Log-probabilities of the tokens that make up `text`.

    The end-of-turn token, those of a stop text and of reasoning before the answer lie outside it.

    >>> answer_logprobs([(b"Par", -0.1), (b"is", -0.2), (b"", -0.3)], "Paris")
    (-0.1, -0.2)
    """
    joined, wanted = b"".join(token for token, _ in tokens), text.encode()
    start = joined.rfind(wanted)
    if start < 0:  # the server changed the text (a broken character, white space): all but the end token
        return tuple(value for token, value in tokens if token)
    kept, at = [], 0
    for token, value in tokens:
        if token and at < start + len(wanted) and at + len(token) > start:
            kept.append(value)
        at += len(token)
    return tuple(kept)


def _tokens(logprobs: Any) -> list[tuple[bytes, float]]:
    """Bytes and log-probability of each token; empty if they are not all there."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    try:
        return [(_bytes(token), min(float(token["logprob"]), 0.0)) for token in content or []]
    except (TypeError, KeyError, ValueError, AttributeError):
        return []


def _bytes(token: Mapping[str, Any]) -> bytes:
    raw = token.get("bytes")
    return clean(token["token"]).encode() if raw is None else bytes(raw)


def _with_shares(found: list[Response], total: int) -> list[Response]:
    """Completion tokens of each answer: as counted, or an even share of the total."""
    if all(answer.completion_tokens for answer in found):
        return found
    share, rest = divmod(total, len(found))
    return [replace(answer, completion_tokens=share + (i < rest)) for i, answer in enumerate(found)]


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
