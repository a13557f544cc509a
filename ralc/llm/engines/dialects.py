"""How servers differ that speak the OpenAI chat schema, and what is done about it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ralc.io import say
from ralc.llm.engines import chat
from ralc.llm.engines.gbnf import choice_grammar, regex_grammar
from ralc.llm.errors import EngineError
from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request, Response

Kind = Literal["vllm", "llamacpp", "other"]

#: Likely tokens that servers other than llama.cpp's list at most, unless told otherwise when started.
MOST_LISTED = 20

#: What a server may lack: the fields that are then left out, and what is said of it once.
_LACKS: dict[str, tuple[tuple[str, ...], str]] = {
    "max_tokens": (("max_tokens",), "max_completion_tokens is sent in place of max_tokens"),
    "logprobs": (
        ("top_logprobs", "logprobs"),
        "it gives no log-probabilities: the token_probability signal is unavailable for this model, "
        "and no score can be read from them",
    ),
    "n": (("n",), "it gives one answer a call: samples are asked for one by one"),
    "top_p": (("top_p",), "it takes no top_p: it is left out where it cuts nothing"),
    "seed": (("seed",), "it takes no seed: its answers cannot be drawn again"),
    "constraint": (
        ("response_format", "structured_outputs", "grammar"),
        "it cannot constrain its output: answers are checked, and asked for once more where they fail",
    ),
    "choice": (
        (),
        "it takes no choices or patterns: answers are checked, and asked for once more where they fail",
    ),
    "chat_template_kwargs": (
        ("chat_template_kwargs",),
        "it cannot be asked not to reason: reasoning is stripped",
    ),
}
#: Words of a refusal of a field that it names without marks around it.
_UNKNOWN = re.compile(
    r"unsupported|unknown|unexpected|unrecogni[sz]ed|extra|"
    r"not (?:supported|allowed|permitted|available|enabled|recogni[sz]ed)",
    re.IGNORECASE,
)
#: How servers refuse several answers a call, mostly without the field's name.
_ONE_ANSWER = re.compile(
    r"\bn\b *(?:[<>=!]|must|should|has to|can)|"
    r"\b(?:only (?:one|a single|1)|multiple|several) (?:\w+ )?(?:completion|candidate|choice|generation)",
    re.IGNORECASE,
)


@dataclass
class Dialect:
    """What a server is, and what it was found to lack."""

    entry: ModelConfig
    kind: Kind
    lacks: set[str] = field(default_factory=set)
    told: bool = False  # whether an answer ever came with log-probabilities

    @property
    def whole(self) -> bool:
        """Whether its answer i depends on (seed, i) in a way of its own, so that i is asked for with those before it.

        vLLM and llama.cpp draw answer i with ``seed + i``, so that it can be asked for alone; what others do is
        not known. A server that takes no seed repeats nothing, and one that gives an answer a call is asked
        for each with a seed of its own.
        """
        return self.kind == "other" and not {"n", "seed"} & self.lacks

    def body(self, request: Request) -> tuple[dict[str, Any], Request]:
        """What to send for a request, and the part of the request that this asks for."""
        part = self._part(request)
        sent = {"model": self.entry.model} | chat.body(part)
        sent["max_tokens"] += self.entry.reasoning_tokens
        if part.alternatives and self.kind != "llamacpp":
            sent["top_logprobs"] = min(sent["top_logprobs"], MOST_LISTED)
        sent |= {} if "constraint" in self.lacks else self._constraint(request.constraint)
        sent |= self.entry.engine_args
        if self.kind != "other" and self.entry.thinking == "off":
            sent["chat_template_kwargs"] = {"enable_thinking": False}
        if "max_tokens" in self.lacks:
            sent["max_completion_tokens"] = sent["max_tokens"]
        return {name: value for name, value in sent.items() if self._takes(name, value)}, part

    def _part(self, request: Request) -> Request:
        """The part of a request that the server answers in one call."""
        greedy = self.kind == "vllm" and request.temperature == 0  # it refuses several greedy answers
        part = replace(request, n=1) if "n" in self.lacks or greedy else request
        return replace(part, logprobs=False, alternatives=()) if "logprobs" in self.lacks else part

    def _takes(self, name: str, value: Any) -> bool:
        """Whether a field is sent: one that the server lacks is not, but where it cuts the distribution."""
        if self.kind == "other" and name in ("top_k", "min_p") and value == 0:
            return False  # a cloud refuses fields it does not know: no cut need not be said
        return _cuts(name, value) or not any(name in _LACKS[lack][0] for lack in self.lacks)

    def answers(self, reply: Any, part: Request) -> list[Response]:
        """The answers in a reply; says once what the server left out without a word.

        Raises
        ------
        BadReplyError
            If there is no answer in it, or none of the log-probabilities that the server gave before.
        """
        found = chat.answers(reply, part, echoes=self.kind == "llamacpp")
        if any(_lacks_logprobs(answer, part) for answer in found):
            if self.told:
                raise chat.BadReplyError("the reply lacks the log-probabilities that this server gives")
            self._learn("logprobs")
        elif part.logprobs or part.alternatives:
            self.told = self.told or any(answer.text for answer in found)
        if part.constraint and "json" in part.constraint:
            found = [replace(answer, text=_unfenced(answer.text)) for answer in found]
        return found

    def adapt(self, refusal: str, body: Mapping[str, Any]) -> bool:
        """Learn from a refusal; whether the request is worth sending again as `body` would now be."""
        for lack, (names, _) in _LACKS.items():
            named = any(_names(refusal, name) for name in names)
            if named and any(name in body and not _cuts(name, body[name]) for name in names):
                self._learn(lack)
                return True
        return False

    def _learn(self, lack: str) -> None:
        if lack not in self.lacks:
            say(f"{self.entry.base_url} ({self.entry.model}): {_LACKS[lack][1]}")
        self.lacks.add(lack)

    def _constraint(self, constraint: Mapping[str, Any] | None) -> dict[str, Any]:
        """An output constraint in the server's terms."""
        if constraint is None:
            return {}
        ((kind, value),) = constraint.items()
        if self.kind == "vllm":
            return {"structured_outputs": {kind: value}}
        if kind == "json":
            schema = {"name": "answer", "schema": value, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": schema}}
        if self.kind == "llamacpp":
            grammars: dict[str, Callable[[Any], str]] = {"choice": choice_grammar, "regex": regex_grammar}
            return {"grammar": grammars.get(kind, str)(value)}
        if kind == "grammar":
            raise EngineError(
                f"{self.entry.base_url} takes no grammars: use engine vllm or embedded for this step"
            )
        self._learn("choice")
        return {}


def kind_of(models: Any) -> Kind:
    """What kind of server a list of models comes from; `other` if it does not say.

    >>> kind_of({"data": [{"id": "m", "owned_by": "vllm"}]}), kind_of(None)
    ('vllm', 'other')
    """
    try:
        owners = {str(model.get("owned_by")) for model in models["data"]}
    except (KeyError, TypeError, AttributeError):
        owners = set()
    kinds: dict[str, Kind] = {"vllm": "vllm", "llamacpp": "llamacpp"}
    return next((kinds[owner] for owner in owners if owner in kinds), "other")


def _names(refusal: str, name: str) -> bool:
    """Whether a refusal is that of a field."""
    if any(f"{mark}{name}{mark}" in refusal for mark in "'`\""):
        return True
    if name == "n":
        return bool(_ONE_ANSWER.search(refusal))
    return bool(_UNKNOWN.search(refusal) and re.search(rf"\b{name}\b", refusal))


def _cuts(name: str, value: Any) -> bool:
    """Whether a field cuts the distribution, so that without it the answers would be others."""
    return name == "top_p" and value != 1


def _lacks_logprobs(answer: Response, asked: Request) -> bool:
    """Whether log-probabilities that were asked for are missing beside an answer's words."""
    if asked.logprobs:
        missing = answer.token_logprobs is None
    else:
        missing = bool(asked.alternatives) and answer.alternatives is None
    return bool(answer.text and answer.error is None and missing)


def _unfenced(text: str) -> str:
    """JSON without the Markdown fence that some servers let it stand in."""
    stripped = text.strip()
    if stripped.startswith("```") and stripped.endswith("```") and "\n" in stripped:
        return stripped[:-3].partition("\n")[2].strip()
    return text
