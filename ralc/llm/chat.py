"""The schema that llama.cpp, vLLM's server and cloud services share: requests out, answers in, without reasoning."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from ralc.llm.requests import Message, Request, Response, packed_embedding

#: The alternatives that a request names are looked for among so many most likely first tokens. A small model may
#: rank a digit below hundreds of words where it is asked for a number.
MOST_LIKELY = 1000
#: How servers spell the tokens that end a turn, where they spell them: ``<|im_end|>``, ``</s>``.
_END_TOKEN = re.compile(r"<\S+>")
#: What taking apart a part of a reply raises where it is none.
_UNREADABLE = (TypeError, KeyError, ValueError, AttributeError, OverflowError, IndexError)
#: How servers say that an answer was cut; any other end of an answer with a text is an end.
_CUT = dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), "length")
_CUT |= dict.fromkeys(("content_filter", "safety", "recitation", "sensitive"), "content_filter")

#: What models write their reasoning between, as ``<think>...</think>`` or ``[THINK]...[/THINK]``.
TAGS = ("think", "thinking", "thought", "reasoning", "seed:think")
#: A tag; one in quotation marks or code is spoken of and not used.
_TAG = re.compile(
    rf"(?<![`'\"])(?:<(?P<end>/)?(?:{'|'.join(TAGS)})>|\[(?P<bracket_end>/)?THINK\])", re.IGNORECASE
)
#: GPT-OSS answers in channels, of which `final` is the answer, and ends each with one of these.
_FINAL = "<|channel|>final"
_MESSAGE = "<|message|>"
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
#: The same where special tokens are left out of the text.
_BARE_FIRST = "analysis"
_BARE_FINAL = "assistantfinal"


class BadReplyError(ValueError):
    """A reply that is not an answer in the schema."""


def body(request: Request) -> dict[str, Any]:
    """Return a request in the schema, without model name and constraint.

    All sampling parameters are sent, since servers' defaults cut the distribution.
    """
    if request.embedding:
        return {"input": request.messages[0]["content"], "encoding_format": "float"}
    fields: dict[str, Any] = {
        "messages": [dict(message) for message in request.messages],
        "n": request.n,
        "seed": request.seed + request.first,
        **{name: getattr(request, name) for name in ("temperature", "top_p", "top_k", "min_p", "max_tokens")},
    }
    if request.stop:
        fields["stop"] = list(request.stop)
    if request.logprobs or request.alternatives:  # llama.cpp gives none for top_logprobs: 0
        fields |= {"logprobs": True, "top_logprobs": MOST_LIKELY if request.alternatives else 1}
    return fields | ending(request.messages)


def ending(messages: Sequence[Message]) -> dict[str, Any]:
    """Return how a conversation goes on: a beginning of the assistant's is continued, else its turn begins."""
    if messages[-1]["role"] == "assistant":
        return {"continue_final_message": True, "add_generation_prompt": False}
    return {}


def answers(reply: Any, request: Request, *, echoes: bool) -> list[Response]:
    """Return the answers in a reply, in order of their number; one that cannot be read is left out.

    Raises BadReplyError if there is no answer in it.

    Parameters
    ----------
    reply
        The reply as JSON has it.
    request
        What was asked.
    echoes
        Whether the server repeats a beginning that the request gave (llama.cpp does).
    """
    choices = _mapping(reply).get("choices")
    if not isinstance(choices, list):
        raise BadReplyError(f"the reply has no list of choices: {reply!s:.300}")
    read = (_answer(choice, place, request, echoes) for place, choice in enumerate(choices))
    prompt, completion, reasoning = usage(reply)
    valid: dict[int, Response] = {}
    for answer in filter(None, read):
        valid.setdefault(answer.sample, replace(answer, prompt_tokens=prompt))
    if not valid:
        raise BadReplyError("the reply has no answer among its choices")
    ordered = [valid[number] for number in sorted(valid)]
    for field, total in (("completion_tokens", completion), ("reasoning_tokens", reasoning)):
        if total and not all(getattr(answer, field) for answer in ordered):
            # The server counts all answers together: each has its share, the first of them the rest.
            shares = [len(range(i, total, len(ordered))) for i in range(len(ordered))]
            ordered = [replace(answer, **{field: n}) for answer, n in zip(ordered, shares, strict=True)]
    return ordered


def failed(choice: Any) -> bool:
    """Return whether a choice is an error in the place of an answer."""
    fields = _mapping(choice)
    return bool(fields.get("error")) or fields.get("finish_reason") == "error"


def embedded(reply: Any, request: Request) -> Response:
    """Return the embedding in a reply; BadReplyError if there is none in it."""
    try:
        vector = packed_embedding(reply["data"][0]["embedding"])
    except _UNREADABLE:
        raise BadReplyError(f"no embedding in the reply: {reply!s:.300}") from None
    return Response(request.key, "", "stop", prompt_tokens=usage(reply)[0], embedding=vector)


def usage(reply: Any) -> tuple[int, int, int]:
    """Return prompt, completion and reasoning tokens as the server counts them; 0 where it does not."""
    counts = _mapping(_mapping(reply).get("usage"))
    details = _mapping(counts.get("completion_tokens_details"))
    sources = {"prompt_tokens": counts, "completion_tokens": counts, "reasoning_tokens": details}
    values = (source.get(name) for name, source in sources.items())
    return tuple(value if type(value) is int and 0 < value < 2**31 else 0 for value in values)


def final_answer(text: str) -> tuple[str, bool]:
    """Return the answer in a text, and whether reasoning was stripped from it.

    What a closing tag alone ends is reasoning: the chat template gave the opening. So is what an opening tag alone
    begins, where it begins a line. Reasoning that never ends leaves no answer. Takes time linear in the text.

    >>> final_answer("<think>Lima? Yes.</think>\\n\\nLima.")
    ('Lima.', True)
    >>> final_answer("Lima.")
    ('Lima.', False)
    """
    if "<|channel|>" in text and text.lstrip().startswith(("<|", _BARE_FIRST)):  # no JSON with such a key
        final = text.rpartition(_FINAL)[2].partition(_MESSAGE)[2] if _FINAL in text else ""
        return _CHANNEL_END.split(final, maxsplit=1)[0].strip(), True
    if text.startswith(_BARE_FIRST) and _BARE_FINAL in text:
        return text.partition(_BARE_FINAL)[2].strip(), True
    pieces: list[str] = []
    at = 0
    opened = None
    stripped = False
    for tag in _TAG.finditer(text):
        if not (tag["end"] or tag["bracket_end"]):
            opened = tag.start() if opened is None else opened
            continue
        if opened is None:
            pieces.clear()
        else:
            pieces.append(text[at:opened])
        at = tag.end()
        opened = None
        stripped = True
    rest = text[at:opened]
    if opened is not None and rest.rpartition("\n")[2].strip():  # spoken of within a line
        rest = text[at:]
        opened = None
    stripped = stripped or opened is not None
    return ("".join([*pieces, rest]).strip() if stripped else text), stripped


def content_of(message: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Return the text of a message, and whether reasoning stands apart from it; None where there is no text."""
    content = message.get("content")
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    reasoned = isinstance(reasoning, str)
    if isinstance(content, list) and all(isinstance(part, Mapping) for part in content):
        reasoned |= any(part.get("type") in ("thinking", "reasoning") for part in content)
        content = _text_of(content)
    if content is None and reasoned:
        return "", True  # all its tokens went into reasoning
    return (content if isinstance(content, str) else None), reasoned


def _text_of(parts: Sequence[Mapping[str, Any]]) -> str | None:
    """The text of a message in parts; None where they have none."""
    texts = [part.get("text") for part in parts if part.get("type") in ("text", "output_text")]
    return "".join(texts) if texts and all(isinstance(text, str) for text in texts) else None


def clean(text: str) -> str:
    """Return text that every file can hold: halves of surrogate pairs become the replacement character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def answer_tokens(tokens: Sequence[bytes], text: str) -> list[int]:
    """Return which of the tokens make up `text`: not those of an end, a stop text or reasoning before it."""
    target = text.encode()
    start = b"".join(tokens).rfind(target)
    if start < 0:  # the server changed the text (a broken character, white space): all but the end token
        return [place for place, token in enumerate(tokens) if token]
    spans = enumerate(pairwise(accumulate(map(len, tokens), initial=0)))
    return [at for at, (begin, end) in spans if begin < end and begin < start + len(target) and end > start]


def token_ends(pieces: Sequence[bytes], text: str) -> tuple[int, ...] | None:
    """Return where each of the tokens that make up `text` ends in it, in characters; None where they do not make it.

    >>> token_ends([b" Os", b"lo", b". "], "Oslo.")
    (2, 4, 5)
    """
    target = text.encode()
    start = b"".join(pieces).rfind(target)
    if start < 0:
        return None
    ends = (min(max(end - start, 0), len(target)) for end in accumulate(map(len, pieces)))
    return tuple(len(target[:end].decode(errors="ignore")) for end in ends)


def _answer(choice: Any, place: int, request: Request, echoes: bool) -> Response | None:
    """One choice as a response; None if it is none that is wanted."""
    message = _mapping(_mapping(choice).get("message"))
    index = _mapping(choice).get("index", place)
    if not message or failed(choice) or type(index) is not int or index not in range(request.n):
        return None
    number = request.first + index
    reason = choice.get("finish_reason")
    end = _CUT.get(str(reason).lower(), "stop")
    content, reasoned = content_of(message)
    if not content and end == "content_filter":
        error = "refused by the content filter"
        return Response(request.key, "", "error", error=error, sample=number, valid=False)
    if content is None or (not content and reason not in ("stop", "length")):
        return None
    raw = clean(content)
    last = request.messages[-1]
    if echoes and last["role"] == "assistant":
        raw = raw.removeprefix(last["content"])
    text, stripped = final_answer(raw)
    answer = Response(request.key, text, end, sample=number, raw=raw if stripped else None)
    return _with_tokens(answer, _mapping(choice.get("logprobs")), request, stripped or reasoned)


def _with_tokens(answer: Response, logprobs: Mapping[str, Any], request: Request, reasoned: bool) -> Response:
    """`answer` with its log-probabilities and token counts, where the choice has them."""
    tokens = _tokens(logprobs.get("content"))
    pieces = [piece for piece, _ in tokens]
    places = answer_tokens(pieces, answer.text)
    if request.alternatives:
        try:
            first = logprobs["content"][places[0] if places and reasoned else 0]["top_logprobs"]
        except _UNREADABLE:
            first = []
        answer = replace(answer, alternatives=_alternatives(first, request.alternatives))
    if request.logprobs and tokens:
        answer_logprobs = tuple(tokens[place][1] for place in places)
        ends = token_ends([pieces[place] for place in places], answer.text)
        answer = replace(answer, token_logprobs=answer_logprobs, token_ends=ends)
    reasoning = len(tokens) - len(places) if reasoned else 0
    return replace(answer, completion_tokens=len(tokens), reasoning_tokens=reasoning)


def _alternatives(listed: Any, wanted: Sequence[str]) -> tuple[float | None, ...] | None:
    """Log-probability of each wanted text among the likely tokens of a place; an end token's text is empty.

    Tokens that are spelt alike are taken together. None for all if nothing is listed.
    """
    shares: dict[str, float] = {}
    for token, logprob in _tokens(
        listed, least=-1e4
    ):  # a server may give minus infinity to those that it masks
        text = token.decode(errors="replace")
        text = "" if _END_TOKEN.fullmatch(text) else text
        shares[text] = shares.get(text, 0.0) + math.exp(logprob)
    if not shares:
        return None
    return tuple(min(math.log(shares[text]), 0.0) if shares.get(text) else None for text in wanted)


def _tokens(listed: Any, least: float = -math.inf) -> list[tuple[bytes, float]]:
    """Bytes and log-probability of listed tokens; empty if one lacks them (certainty may be rounded above 0)."""
    tokens = []
    try:
        for token in listed or []:
            raw = token.get("bytes")
            value = max(float(token["logprob"]), least)
            if not -math.inf < value < 1e-3:
                return []
            # Of a number, bytes() would make so many zeros.
            piece = bytes(raw) if isinstance(raw, list) else clean(token["token"]).encode()
            tokens.append((piece, min(value, 0.0)))
    except _UNREADABLE:
        return []
    return tokens


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
