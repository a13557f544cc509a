"""The schema that llama.cpp, vLLM's server and cloud services share: requests out, answers and embeddings in."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from ralc.llm.reasoning import final_answer
from ralc.llm.requests import Message, Request, Response, packed_embedding

#: The alternatives that a request names are looked for among so many most likely first tokens. A small model may
#: rank a digit below hundreds of words where it is asked for a number.
MOST_LIKELY = 1000
#: How servers spell the tokens that end a turn, where they spell them: ``<|im_end|>``, ``</s>``.
_END_TOKEN = re.compile(r"<\S+>")
#: What taking apart a list of tokens raises where it is none.
_UNREADABLE = (TypeError, KeyError, ValueError, AttributeError, OverflowError, IndexError)
#: How servers say that an answer was cut; any other end of an answer with a text is an end.
_CUT = dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), "length")
_CUT |= dict.fromkeys(("content_filter", "safety", "recitation", "sensitive"), "content_filter")

#: A token's bytes and log-probability.
Token = tuple[bytes, float]


class BadReplyError(ValueError):
    """A reply that is not an answer in the schema."""


def body(request: Request) -> dict[str, Any]:
    """A request in the schema, without model name and constraint.

    All sampling parameters are sent, since servers' defaults cut the distribution.
    """
    if request.embedding:
        return {"input": request.messages[0]["content"], "encoding_format": "float"}
    sent: dict[str, Any] = {
        "messages": [dict(message) for message in request.messages],
        "n": request.n,
        "seed": request.seed + request.first,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "top_k": request.top_k,
        "min_p": request.min_p,
        "max_tokens": request.max_tokens,
    }
    if request.stop:
        sent["stop"] = list(request.stop)
    if request.logprobs or request.alternatives:  # llama.cpp gives none for top_logprobs: 0
        sent |= {"logprobs": True, "top_logprobs": MOST_LIKELY if request.alternatives else 1}
    return sent | ending(request.messages)


def ending(messages: Sequence[Message]) -> dict[str, Any]:
    """How a conversation goes on: a beginning of the assistant's is continued, else its turn begins."""
    if messages[-1]["role"] == "assistant":
        return {"continue_final_message": True, "add_generation_prompt": False}
    return {}


def answers(reply: Any, request: Request, *, echoes: bool) -> list[Response]:
    """The answers in a reply, in order of their number; one that cannot be read is left out.

    `echoes`: whether the server repeats a beginning that the request gave (llama.cpp does).

    Raises
    ------
    BadReplyError
        If there is no answer in it.
    """
    reply = _mapping(reply)
    choices = reply.get("choices")
    if not isinstance(choices, list):
        raise BadReplyError(f"the reply has no list of choices: {reply.get('error', reply)!s:.300}")
    prompt_tokens, completion_tokens = usage(reply)
    found: dict[int, Response] = {}
    for place, choice in enumerate(choices):
        answer = _answer(choice, place, request, echoes)
        if answer is not None and answer.sample in request.numbers:
            found.setdefault(answer.sample, replace(answer, prompt_tokens=prompt_tokens))
    if not found:
        raise BadReplyError("the reply has no answer among its choices")
    ordered = _with_shares([found[i] for i in sorted(found)], "completion_tokens", completion_tokens)
    details = _mapping(reply.get("usage")).get("completion_tokens_details")
    return _with_shares(ordered, "reasoning_tokens", _count(_mapping(details), "reasoning_tokens"))


def embedded(reply: Any, request: Request) -> Response:
    """The embedding in a reply; BadReplyError if there is none in it."""
    try:
        vector = packed_embedding(reply["data"][0]["embedding"])
    except _UNREADABLE as error:
        said = reply.get("error") if isinstance(reply, Mapping) else None
        raise BadReplyError(f"no embedding in the reply: {said or error!r}") from None
    return Response(request.key, "", "stop", prompt_tokens=usage(reply)[0], embedding=vector)


def usage(reply: Any) -> tuple[int, int]:
    """Prompt and completion tokens as the server counts them; 0 where it does not."""
    counts = _mapping(reply.get("usage")) if isinstance(reply, Mapping) else {}
    return _count(counts, "prompt_tokens"), _count(counts, "completion_tokens")


def ended(reason: Any) -> str:
    """Return how an answer with a text ended: ``stop``, ``length`` or ``content_filter``."""
    return _CUT.get(str(reason).lower(), "stop")


def content_of(message: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Return the text of a message, and whether reasoning stands apart from it; None where there is no text."""
    content, reasoning = message.get("content"), message.get("reasoning_content") or message.get("reasoning")
    reasoned = isinstance(reasoning, str)
    if isinstance(content, list) and all(isinstance(part, Mapping) for part in content):
        said = [part.get("text") for part in content if part.get("type") == "text"]
        reasoned = reasoned or any(part.get("type") in ("thinking", "reasoning") for part in content)
        content = "".join(said) if said and all(isinstance(text, str) for text in said) else None
    if content is None and reasoned:
        return "", True  # all its tokens went into reasoning
    return (content if isinstance(content, str) else None), reasoned


def clean(text: str) -> str:
    """Text that every file can hold: halves of surrogate pairs become the replacement character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def answer_tokens(tokens: Sequence[Token], text: str) -> list[int]:
    """Which of the tokens make up `text`: not those of the end, of a stop text or of reasoning before the answer."""
    joined, wanted = b"".join(token for token, _ in tokens), text.encode()
    start = joined.rfind(wanted)
    if start < 0:  # the server changed the text (a broken character, white space): all but the end token
        return [place for place, (token, _) in enumerate(tokens) if token]
    kept, at = [], 0
    for place, (token, _) in enumerate(tokens):
        if token and at < start + len(wanted) and at + len(token) > start:
            kept.append(place)
        at += len(token)
    return kept


def token_ends(own: Sequence[bytes], text: str) -> tuple[int, ...] | None:
    """Where each of the tokens that make up `text` ends in it, in characters; None where they do not make it.

    >>> token_ends([b" Os", b"lo", b". "], "Oslo.")
    (2, 4, 5)
    """
    wanted = text.encode()
    start = b"".join(own).rfind(wanted)
    if start < 0:
        return None
    ends = (min(max(end - start, 0), len(wanted)) for end in accumulate(map(len, own)))
    return tuple(len(wanted[:end].decode(errors="ignore")) for end in ends)


def alternatives(listed: Sequence[Token], wanted: Sequence[str]) -> tuple[float | None, ...] | None:
    """Log-probability of each wanted text among the likely tokens of a place; an end token's text is empty.

    Tokens that are spelt alike are taken together. None for all if nothing is listed.
    """
    if not listed:
        return None
    shares: dict[str, float] = {}
    for token, logprob in listed:
        text = token.decode(errors="replace")
        text = "" if _END_TOKEN.fullmatch(text) else text
        shares[text] = shares.get(text, 0.0) + math.exp(logprob)
    return tuple(min(math.log(shares[text]), 0.0) if shares.get(text) else None for text in wanted)


def _answer(choice: Any, place: int, request: Request, echoes: bool) -> Response | None:
    """One choice as a response; None if it is not one."""
    message, index = _mapping(_mapping(choice).get("message")), _mapping(choice).get("index", place)
    if not message or not isinstance(index, int) or isinstance(index, bool) or index < 0:
        return None
    number, reason = request.first + index, choice.get("finish_reason")
    content, reasoned = content_of(message)
    if not content and ended(reason) == "content_filter":
        error = "refused by the content filter"
        return Response(request.key, "", "error", error=error, sample=number, valid=False)
    if content is None or (not content and reason not in ("stop", "length")):
        return None
    raw, last = clean(content), request.messages[-1]
    if echoes and last["role"] == "assistant":
        raw = raw.removeprefix(last["content"])
    text, stripped = final_answer(raw)
    answer = Response(request.key, text, ended(reason), sample=number, raw=raw if stripped else None)
    return _counted(answer, choice.get("logprobs"), request, stripped or reasoned)


def _counted(answer: Response, logprobs: Any, request: Request, reasoned: bool) -> Response:
    """`answer` with its log-probabilities and token counts, where the choice has them."""
    tokens = _tokens(logprobs, "content") if request.logprobs else []
    own = answer_tokens(tokens, answer.text)
    if request.alternatives:
        first = own[0] if own and reasoned else 0
        listed = _tokens(logprobs, "content", first, "top_logprobs")
        answer = replace(answer, alternatives=alternatives(listed, request.alternatives))
    if not tokens:
        return answer
    return replace(
        answer,
        token_logprobs=tuple(tokens[place][1] for place in own),
        token_ends=token_ends([tokens[place][0] for place in own], answer.text),
        completion_tokens=len(tokens),
        reasoning_tokens=len(tokens) - len(own) if reasoned else 0,
    )


def _tokens(logprobs: Any, *way: str | int) -> list[Token]:
    """Bytes and log-probability of the tokens of a list that a way leads to; empty if they are not all there."""
    try:
        for step in way:
            logprobs = logprobs[step]
        return [_token(token, listed="top_logprobs" in way) for token in logprobs or []]
    except _UNREADABLE:
        return []


def _token(token: Mapping[str, Any], *, listed: bool) -> Token:
    """A token; ValueError for a log-probability that cannot be one (certainty may be rounded above 0)."""
    raw, value = token.get("bytes"), float(token["logprob"])
    value = max(value, -1e4) if listed else value  # a server that masks tokens may give them minus infinity
    if not -math.inf < value < 1e-3:
        raise ValueError(f"no log-probability: {value!r}")
    # Of a number, bytes() would make so many zeros.
    return bytes(raw) if isinstance(raw, list) else clean(token["token"]).encode(), min(value, 0.0)


def _with_shares(found: list[Response], field: str, total: int) -> list[Response]:
    """The answers with a number of tokens each: as counted, or an even share of the total."""
    if total == 0 or all(getattr(answer, field) for answer in found):
        return found
    share, rest = divmod(total, len(found))
    return [replace(answer, **{field: share + (i < rest)}) for i, answer in enumerate(found)]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(counts: Mapping[str, Any], name: str) -> int:
    """A number of tokens; 0 for what is no count."""
    value = counts.get(name)
    return value if type(value) is int and 0 < value < 2**31 else 0
