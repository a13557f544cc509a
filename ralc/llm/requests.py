"""What is asked of a model and what comes back: requests, responses, and the key that joins them.

The key is a hash of all that can change an answer: model and revision, messages, sampling parameters, seed, output
constraint, attempt. Concurrency, batch size and time-outs are not in it. Nor is the number of answers: answer i has the
same seed whether 5 or 20 are wanted. So asking for more costs only the missing ones.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, Self

import numpy as np
import pydantic
from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict  # typing's, before Python 3.12, is not enough for pydantic

#: Seeds stay below 2^31, so that every engine takes ``seed + i`` of any answer i.
SEED_RANGE = 2**31 - 2**16
#: Why an answer was not to be had: for good (kept), or after every retry (asked again by the next run).
UNANSWERED = ("error", "failed")
#: The parts of a regular expression that a grammar spells alike, and characters.
_PART = re.compile(r"\[[^\]\\]+\]|[?*+|()]|[\w <>/,:%-]")


@with_config(ConfigDict(extra="forbid"))
class Message(TypedDict):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


#: What an answer must be: one of some texts, a text of a regular expression, or JSON of a schema.
Constraint = Annotated[dict[Literal["choice", "regex", "json"], Any], Field(min_length=1, max_length=1)]


@pydantic.dataclasses.dataclass(frozen=True)
class Request:
    """One prompt of which `n` answers are wanted.

    Attributes
    ----------
    model
        The model's identity, as `ralc.llm.engines.ModelConfig.identity` gives it.
    messages
        Turns ``{"role": system|user|assistant, "content": text}``. A last turn of the assistant is continued.
    n, first
        How many answers are wanted, n >= 1, and the number of the first. Neither has part in the key.
    temperature, top_p, top_k, min_p
        temperature >= 0 (0: the likeliest token). Cuts: top_p in (0, 1], 1 none; top_k >= 0, min_p in [0, 1], 0 none.
    max_tokens, stop
        max_tokens >= 1: longest answer. stop: texts that end an answer and are not part of it.
    seed, logprobs
        seed: that of answer 0; answer i has ``seed + i``. logprobs: whether token log-probabilities are wanted.
    constraint, attempt
        constraint: ``{"choice": [...]}``, ``{"regex": ...}`` or ``{"json": schema}``. attempt: 2 if one missed it.
    alternatives
        Texts of single tokens whose log-probability as the first token is wanted; ``""`` is the end of the turn.
    embedding
        Whether the text of the one message is to be embedded. Sampling parameters have then no part in the key.
    """

    model: str
    messages: Annotated[tuple[Message, ...], Field(min_length=1)]
    n: Annotated[int, Field(ge=1)] = 1
    temperature: Annotated[float, Field(ge=0)] = 1.0
    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    top_k: Annotated[int, Field(ge=0)] = 0
    min_p: Annotated[float, Field(ge=0, le=1)] = 0.0
    max_tokens: Annotated[int, Field(ge=1)] = 64
    stop: tuple[str, ...] = ()
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    logprobs: bool = False
    constraint: Constraint | None = None
    attempt: Literal[1, 2] = 1
    alternatives: tuple[str, ...] = ()
    embedding: bool = False
    first: int = 0

    @cached_property
    def key(self) -> str:
        """32 hexadecimal digits that name this request.

        >>> request = Request("m", ({"role": "user", "content": "Hi"},))
        >>> request.key == replace(request, n=20).key, request.key == replace(request, seed=1).key
        (True, False)
        """
        return _digest([*self._content(), self.seed, self.attempt])

    @property
    def numbers(self) -> range:
        """The numbers of the answers that are wanted."""
        return range(self.first, self.first + self.n)

    def _content(self) -> list[Any]:
        """All that can change an answer, but for seed and attempt."""
        content = [self.model, [[turn["role"], turn["content"]] for turn in self.messages]]
        if self.embedding:
            return [*content, "embedding"]
        content += [float(self.temperature), float(self.top_p), int(self.top_k), float(self.min_p)]
        content += [int(self.max_tokens), list(self.stop), bool(self.logprobs), self.constraint]
        return [*content, self.alternatives] if self.alternatives else content

    def _seed(self, *salt: str | int) -> int:
        return int(_digest([*self._content(), *salt]), 16) % SEED_RANGE

    def with_content_seed(self, *salt: str | int) -> Self:
        """Return this request with a seed derived from its content and `salt`: the run's seed, perhaps an item's id."""
        return replace(self, seed=self._seed(*salt))

    def second_attempt(self, sample: int) -> Self:
        """Return one answer in place of `sample`: twice the tokens, temperature 0.7, and another seed."""
        seed = self._seed(self.seed, "second attempt", sample)
        return replace(self, n=1, attempt=2, max_tokens=2 * self.max_tokens, temperature=0.7, seed=seed)


@dataclass(frozen=True, slots=True)
class Response:
    """Answer `sample`, counted from 0, to the request named `key`.

    Parameters
    ----------
    text, raw
        The answer, without its end-of-turn token, the given beginning or any reasoning; the whole text where
        reasoning was stripped.
    finish_reason, error
        finish_reason: ``stop``, ``length`` (cut at `max_tokens`), ``content_filter``, or one of `UNANSWERED`.
        error: why there is no answer, else None.
    token_logprobs, token_ends
        Of the tokens of `text`: nats, of the model's own distribution before temperature and cuts; where each ends in
        `text`, in characters. None if not asked for or not available.
    prompt_tokens, completion_tokens, reasoning_tokens
        Lengths as the engine counts them, or an even share of a request's total. Completions include reasoning.
    attempt, valid
        attempt: how often it was asked for. valid: whether it is an answer and meets its request's constraint.
    alternatives
        Log-probability, nats, of each of the request's alternatives as the first token (vllm: renormalised over what
        the constraint allows). None for one that is not among the most likely tokens.
    embedding
        Of a request for one, as little-endian half floats (`packed_embedding`).
    """

    key: str
    text: str
    finish_reason: str
    token_logprobs: tuple[float, ...] | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    error: str | None = None
    sample: int = 0
    reasoning_tokens: int = 0
    attempt: int = 1
    valid: bool = True
    alternatives: tuple[float | None, ...] | None = None
    embedding: bytes | None = None
    token_ends: tuple[int, ...] | None = None
    raw: str | None = None


def packed_embedding(values: Sequence[float]) -> bytes:
    """Return an embedding of length 1 as a response carries it, two bytes a number; ValueError if it has no length.

    >>> np.frombuffer(packed_embedding([3, 4]), "<f2").astype(float).round(2).tolist()
    [0.6, 0.8]
    """
    vector = np.asarray(values, dtype=float)
    length = np.linalg.norm(vector)
    if vector.ndim != 1 or not (np.isfinite(length) and length > 0):
        raise ValueError(f"an embedding of shape {vector.shape} and length {length}")
    return (vector / length).astype("<f2").tobytes()


def failures(request: Request, error: str, *, final: bool) -> list[Response]:
    """Return the responses of a request that got no answer.

    Parameters
    ----------
    request
        The request.
    error
        Why it has no answer.
    final
        Whether it is refused for good, and kept, or asked again by the next run.
    """
    reason = UNANSWERED[not final]
    return [Response(request.key, "", reason, error=error, sample=i, valid=False) for i in request.numbers]


def meets(text: str, constraint: Mapping[str, Any] | None) -> bool:
    """Return whether an answer meets its request's constraint; white space around it is not counted.

    >>> meets("7", {"regex": "[0-9]"}), meets("3/10", {"regex": "[0-9]+"})
    (True, False)
    """
    if constraint is None:
        return True
    ((kind, value),) = constraint.items()
    text = text.strip()
    if kind == "choice":
        return text in [choice.strip() for choice in value]
    if kind == "regex":
        return re.fullmatch(value, text) is not None
    validator = _validator(json.dumps(value, sort_keys=True))
    try:
        return validator.is_valid(json.loads(text, parse_constant=int))  # which takes no NaN
    except (ValueError, RecursionError):  # no JSON, a number of 5,000 digits, a thousand open brackets
        return False


@lru_cache(maxsize=256)
def _validator(text: str) -> Any:
    import jsonschema  # slow to load, and only requests need it

    schema = json.loads(text)
    return jsonschema.validators.validator_for(schema)(schema)


def grammar_of(constraint: Mapping[str, Any]) -> str:
    """Return a grammar in GBNF of a choice, or of a regular expression of plain characters and classes.

    >>> grammar_of({"choice": ["yes", "no"]}), grammar_of({"regex": "[1-9]?[0-9]|100"})
    ('root ::= "yes" | "no"', 'root ::= [1-9] ? [0-9] | "1" "0" "0"')
    """
    ((kind, value),) = constraint.items()
    if kind == "choice":
        return "root ::= " + " | ".join(json.dumps(choice, ensure_ascii=False) for choice in value)
    parts = _PART.findall(value)
    if "".join(parts) != value or "(?" in value:
        raise ValueError(f"constraint: regex {value!r} cannot be expressed in a grammar")
    return "root ::= " + " ".join(part if part[0] in "[?*+|()" else json.dumps(part) for part in parts)


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
