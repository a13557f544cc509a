"""A reply in calibrated words: what was asked, samples of the upstream, their majority, and the words that say it."""

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from ralc.calibrator import Policy, WordCalibrator
from ralc.calibrator.confidence import concatenated, draws, in_one
from ralc.llm.chat import answer_tokens, content_of
from ralc.original_answer import Majority, claims_of
from ralc.registry import SIGNALS
from ralc.rewriting import Rewrite, as_numbers
from ralc.rewriting.rewriter import Style
from ralc.serve.conversation import Claim, Conversation, Memory, Said, Turn, recalled, same_claim
from ralc.serve.together import Together
from ralc.serve.upstream import (
    Caller,
    Headers,
    Object,
    Reply,
    Sample,
    ServeError,
    Upstream,
    parsed,
    spent,
    text_of,
)
from ralc.signals import OF_SENTENCES

LONGEST_ANSWER = 20_000  # characters: no hedge reaches over so many sentences
_LONGEST_QUESTION = 20_000  # characters that are looked at
#: Fields of a request whose answer must stay as it is, and what they ask for. Its confidence can be told all the same;
#: with tools, which may cost more than words, only where the client asks for it.
_OFFERS = {"tools": "it offers tools", "functions": "it offers functions"}
_FORM = "it wants a form other than text"
#: Fields of a request that samples could not honour, and what they ask for.
_UNFIT = {
    "logprobs": "it wants log-probabilities of the very text",
    "audio": "it wants sound",
    "prediction": "it predicts its own answer",
}
_PLAIN = {"type": "text"}  # the form that is no other than text
#: Who says what a tool does, and what calls one.
_TOOLS = ("tool", "function")
_CALLS = ("tool_calls", "function_call")
_TEXT = ("text", "refusal")  # the kinds of a message's parts that are text
_MOST_FIELDS = 200  # of an answer in JSON that are told
_LOG = logging.getLogger("ralc.serve")


class RequestError(ServeError):
    """A request that is refused; its connection is closed, since its body may not have come."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message, "invalid_request_error", [(b"connection", b"close")])


class Options(BaseModel):
    """The object ``ralc`` of a request."""

    model_config = ConfigDict(extra="forbid", strict=True)

    calibrate: bool | None = None
    rewrite: bool = True
    style: Style = "words"


class ChatRequest(BaseModel):
    """A chat completion that a client asks for."""

    model_config = ConfigDict(extra="allow")

    messages: Annotated[list[Any], Field(min_length=1)]
    ralc: Options = Options()
    #: Why the server lets it pass.
    _excuse: str = PrivateAttr("")

    @classmethod
    def read(cls, content: bytes) -> Self:
        """Return what a request's body asks for."""
        try:
            return cls.of(parsed(content))
        except ValidationError as error:
            fault = error.errors()[0]
            why = f"{'.'.join(map(str, fault['loc'])) or 'the body'}: {fault['msg']}"
        except ValueError as error:
            why = f"the body: is not JSON: {error}"
        raise RequestError(400, why[:300])

    @classmethod
    def of(cls, value: Any) -> Self:
        """Return what the value of a request's body asks for; ValidationError where it is none."""
        return cls.model_validate(value)

    @property
    def body(self) -> Object:
        """All but the object ``ralc``."""
        return {"messages": self.messages, **(self.model_extra or {})}

    @property
    def sent(self) -> Object:
        """What the upstream is sent."""
        return self.body

    def restored(self, messages: list[Object]) -> Object:
        """Return what the upstream is sent with other messages, or with the first of them alone."""
        return self.sent | {"messages": messages}

    @property
    def model(self) -> str:
        """The model that is asked for; "" where none is named."""
        return str(self.body.get("model") or "")

    @property
    def streamed(self) -> bool:
        """Whether the reply is to be a stream."""
        return self.body.get("stream") is True

    @property
    def question(self) -> str:
        """The last words of the user."""
        messages = (message for message in reversed(self.messages) if isinstance(message, dict))
        users = (message for message in messages if message.get("role") == "user")
        return (_text_in(next(users, {})) or "")[:_LONGEST_QUESTION]

    @property
    def skip_reason(self) -> str:
        """Why it passes as it is; "" where it is to be calibrated."""
        body = self.body
        if self.ralc.calibrate is False or self._excuse:
            return self._excuse or "the request says so"
        for name, why in (_UNFIT if self.ralc.calibrate else _OFFERS | _UNFIT).items():
            if body.get(name):
                return why
        if body.get("n") not in (None, 1):
            return "it asks for several answers"
        users = [place for place, message in enumerate(self.messages) if _field(message, "role") == "user"]
        last = max(users, default=0)  # what tools said before has been told
        texts = [one for one in self.messages[:last] if not _of_tools(one)] + self.messages[last:]
        return "" if all(_text_in(message) is not None for message in texts) else "it holds more than text"

    def excuse(self, why: str) -> None:
        """Let it pass as it is."""
        self._excuse = why

    @property
    def wordless(self) -> str:
        """Why its answer gets a number and no words; "" where it gets words."""
        if not self.ralc.rewrite:
            return "the request says so"
        offers = [why for name, why in _OFFERS.items() if self.body.get(name)]
        return next(iter(offers), "" if self.body.get("response_format") in (None, _PLAIN) else _FORM)


def _field(message: Any, name: str) -> Any:
    return message.get(name) if isinstance(message, dict) else None


def _of_tools(message: Any) -> bool:
    """Whether a message is a tool's, or calls one."""
    return _field(message, "role") in _TOOLS or any(_field(message, name) for name in _CALLS)


def _text_in(message: Any) -> str | None:
    """The text of a message; None where it has an image, a sound, a file, or is a tool's."""
    if not isinstance(message, dict) or _of_tools(message) or message.get("audio"):
        return None
    content = message.get("content")
    if content is None and message.get("role") == "assistant":
        content = message.get("refusal") or ""  # it refused, or all its tokens went into reasoning
    if isinstance(content, list):
        plain = all(isinstance(part, dict) and part.get("type") in _TEXT for part in content)
        content = " ".join(str(part.get(part["type"], "")) for part in content) if plain else None
    return content if isinstance(content, str) else None


class _Told(NamedTuple):
    """The choice that goes out, the object ``ralc``, and what was said; where words are wanted, in which style."""

    choice: Object
    report: Object
    said: Said | None = None
    style: Style | None = None


class Completion:
    """Turns what a client asked into a calibrated reply.

    Parameters
    ----------
    calibrator
        A fitted calibrator.
    upstream
        What answers.
    samples
        Answers a reply; 0: as many as the calibrator was fitted on, or 10.
    own_answer
        Whether an answer at the client's own temperature goes out, and not the majority of the samples.
    policy
        Says of each answer what to do with it.

    Raises
    ------
    ValueError
        If no upstream gives what the calibrator takes, or it was fitted on another number or kind of answers.
    """

    def __init__(
        self,
        calibrator: WordCalibrator,
        upstream: Upstream,
        samples: int,
        *,
        own_answer: bool = False,
        policy: Policy | None = None,
    ) -> None:
        self._calibrator = calibrator
        self._upstream = upstream
        self._policy = policy
        self.signal: str = calibrator.signal_
        entry = SIGNALS.get(self.signal)
        if entry is None or entry.needs_extra_call:
            why = "no upstream gives it: fit on samples (a column samples) or on words (a column answer)"
            raise ValueError(f"the calibrator was fitted on {self.signal}, and {why}")
        design = calibrator.design_
        self._wanted, self._temperature = draws(self.signal, design, samples)
        self._logprobs = bool(entry.logprobs)
        self._memory = Memory()
        # Of one answer it is the client's own.
        self._own_answer = own_answer and not in_one(self.signal, design)
        self._hand = Together(self._words)
        self._check_design()

    def _check_design(self) -> None:
        """Raise ValueError where other answers are drawn than the calibrator was fitted on."""
        design = self._calibrator.design_
        if design and design.own_answer != self._own_answer:
            remedy = (
                "fit on a column answer beside samples" if self._own_answer else "serve it with that option"
            )
            raise ValueError(f"--own-answer: the calibrator was fitted on {design.text}; {remedy}")
        why = self._calibrator.unlike([self._wanted], own_answer=self._own_answer)
        if SIGNALS[self.signal].needs_samples and self._wanted == 1:
            why = f"{self.signal} compares several answers"
        if why:
            raise ValueError(f"--samples {self._wanted}: {why}")
        if self._own_answer and self._logprobs:
            raise ValueError(f"--own-answer: {self.signal} is of the samples' own tokens")

    async def reply(self, request: ChatRequest, caller: Caller) -> tuple[Object, Headers]:
        """Return the upstream's reply in calibrated words, with the object ``ralc``, and its headers."""
        if request.skip_reason:
            reply = await self._upstream.ask(caller, request.sent)
            return {**reply.body, "ralc": unchanged(request.skip_reason)}, reply.headers
        if request.ralc.style == "range" and self.signal in OF_SENTENCES:
            raise RequestError(400, "style range: this calibrator's confidences are of sentences")
        conversation, messages, first_asked = await self._recalled(request, caller)
        body = request.restored(messages)
        asked = self._upstream.ask(caller, body) if self._own_answer else asyncio.sleep(0)
        own_reply = asyncio.ensure_future(asked)
        try:
            sample = await self._upstream.draw(
                caller, body, self._wanted, logprobs=self._logprobs, temperature=self._temperature
            )
            own = await own_reply
        except ServeError as error:
            if not self._own_answer:
                raise
            own = await own_reply  # which is an error of its own, or an answer that a client can use
            why = f"its samples failed: {error.body['error']['message']}"[:300]
            return {**own.body, "ralc": unchanged(why)}, own.headers
        finally:
            own_reply.cancel()
        choice, report, said, _ = await self._report(sample, own, request, conversation)
        if said:
            self._memory.keep(caller.headers, conversation.question, text_of(choice), said)
        first = own or sample.replies[0]
        body = first.body | spent([*([own] if own else []), *sample.replies, *first_asked])
        return {**body, "choices": [{**choice, "index": 0}], "ralc": report}, first.headers

    async def _recalled(
        self, request: ChatRequest, caller: Caller
    ) -> tuple[Conversation, list[Object], list[Reply]]:
        """The conversation, its messages as the upstream said them, and what was drawn to know its last reply."""
        texts = list(map(_text_in, request.messages))
        conversation, messages = recalled(request.messages, texts, self._memory, caller.headers)
        last = [conversation.question, *(reply for _, reply, _ in conversation.earlier[:1])]
        short = max(map(len, last)) <= LONGEST_ANSWER
        if not (short and self._wanted > 1 and self.signal not in OF_SENTENCES and conversation.unknown):
            return conversation, messages, []
        drawn = await self._ask_first(request, caller, conversation, messages)
        return *recalled(request.messages, texts, self._memory, caller.headers), drawn

    async def _ask_first(
        self, request: ChatRequest, caller: Caller, conversation: Conversation, messages: list[Object]
    ) -> list[Reply]:
        """Keep what the last reply said, which is not known, with the confidence of samples of its question alone.

        It stays unknown where they fail, or say something else. Returned are their replies, for what they cost.
        """
        asked, said, _ = conversation.earlier[0]
        replies = [_field(one, "role") == "assistant" and (_text_in(one) or "").strip() for one in messages]
        place = max(place for place, text in enumerate(replies) if text)
        how = {"logprobs": self._logprobs, "temperature": self._temperature}
        try:
            sample = await self._upstream.draw(
                caller, request.restored(messages[:place]), self._wanted, **how
            )
        except ServeError:
            return []
        try:
            if not self._unfit(sample, None):
                made = await asyncio.to_thread(self._first_said, sample, conversation)
                if made:
                    self._memory.keep(caller.headers, asked, said, made)
        except Exception as error:  # then it stays unknown
            _LOG.error("an earlier reply could not be compared: %s", type(error).__name__)
        return sample.replies

    def _first_said(self, sample: Sample, conversation: Conversation) -> Said | None:
        """What the last reply said, if samples of its question say the same."""
        asked, said, _ = conversation.earlier[0]
        most, confidence = self._confidence(sample, said if self._own_answer else None, asked)
        claim = Claim(most.answer, confidence[0], self._calibrator.beyond(conversation.number - 1))
        same = same_claim(most.answer, said, asked)
        return Said(asked, most.answer, (claim,), said) if same else None

    def _confidence(self, sample: Sample, answer: str | None, question: str) -> tuple[Majority, Any]:
        """The majority of samples, or the given answer, and its confidence, or those of its claims."""
        (most,), confidence = self._calibrator.confidence_of(
            [list(map(text_of, sample.choices))],
            answers=None if answer is None else [answer],
            token_logprobs=[list(map(_logprobs, sample.choices))] if self._logprobs else None,
            questions=[question],
        )
        return most, confidence

    async def _report(
        self, sample: Sample, own: Reply | None, request: ChatRequest, conversation: Conversation
    ) -> _Told:
        """The choice that goes out, the object ``ralc``, and what was said."""
        answer = own.choices[0] if own else None
        told = _Told(answer or sample.choices[0], unchanged(self._unfit(sample, answer)))
        try:
            if not told.report["reason"]:
                told = await self._hand.made_of((sample, answer, request, conversation))
        except Exception as error:  # a client is better served by the answer as it is than by no answer
            _LOG.error("an answer could not be put into words: %s", type(error).__name__)  # not what it said
            told = told._replace(report=unchanged(f"ralc failed on it ({type(error).__name__})"))
        fitted_on = self._calibrator.map_.n_items_
        return told._replace(report=told.report | {"temperature": sample.temperature, "fitted_on": fitted_on})

    def _words(self, jobs: list[tuple[Sample, Object | None, ChatRequest, Conversation]]) -> list[_Told]:
        """What goes out of some replies; those that get words are rewritten together."""
        made = [self._placed(*job) for job in jobs]
        for style in {told.style for told in made} - {None}:
            places = [place for place, told in enumerate(made) if told.style == style]
            every = [made[place].said for place in places]
            rewrites = self._calibrator.rewrite(
                [said.text for said in every],
                list(map(self._carried, every)),
                questions=[said.question for said in every],
                style=style,
            )
            for place, rewrite in zip(places, rewrites, strict=True):
                made[place] = self._rewritten(made[place], rewrite)
        return made

    def _placed(
        self, sample: Sample, answer: Object | None, request: ChatRequest, conversation: Conversation
    ) -> _Told:
        """The answer, else the first choice of the majority, and what was said; in words or not."""
        most, confidence = self._confidence(sample, text_of(answer) if answer else None, request.question)
        choice = answer or sample.choices[most.members[0]]
        content = content_of(choice["message"])[0]
        if self.signal in OF_SENTENCES:
            pairs = zip(claims_of(most.answer), confidence[0], strict=True)
        else:
            pairs = [(content, confidence[0])]
        doubt = self._calibrator.beyond(conversation.number)
        turn, said = conversation.place(content, [Claim(text, beta, doubt) for text, beta in pairs])
        if turn == Turn.UNKNOWN:
            return _Told(choice, unchanged("an earlier reply, which this server does not know, said it"))
        losses = {name: getattr(sample, name) for name in ("copies", "failed") if getattr(sample, name)}
        report = {"signal": self.signal, "samples": len(sample.choices), **losses}
        if conversation.earlier:
            report["turn"] = {"number": conversation.number, "kind": turn}
        if choice.get("finish_reason") in ("length", "content_filter"):
            return _Told(choice, report | self._numbers("the answer was cut off", said, sample, choice))
        if request.wordless:
            return _Told(choice, report | self._numbers(request.wordless, said, sample, choice), said)
        return _Told(choice, report, said, request.ralc.style)

    def _numbers(self, why: str, said: Said, sample: Sample, choice: Object) -> Object:
        """What the object ``ralc`` says of a choice that gets no words, and why: its confidence, that of its fields."""
        told = unchanged("; ".join(filter(None, [why, said.doubt])))
        if said.claims:
            confidence = self._carried(said)
            if isinstance(confidence, list):
                confidence = concatenated(confidence)
            target = self._calibrator.map_.transform(confidence)
            told |= {"confidence": as_numbers(confidence), "target": as_numbers(target)}
            if self._policy:
                told["action"] = self._policy.action(target)
        fields = agreement_by_field(list(map(text_of, sample.choices)), text_of(choice))
        return told | ({"fields": fields} if fields else {})

    def _rewritten(self, told: _Told, rewrite: Rewrite) -> _Told:
        """What a reply in calibrated words is told."""
        choice, report, said, _ = told
        content = content_of(choice["message"])[0]
        action, text = self._policy.applied(rewrite) if self._policy else (None, rewrite.text)
        report |= rewrite.to_dict() | {"original": content, "changed": text != content}
        if self._policy:
            report["action"] = action
        if said.doubt and report["calibrated"]:
            report |= unchanged(said.doubt)
        message = {**choice["message"], "content": text}
        return _Told({**choice, "message": message, "logprobs": None}, report, said)

    def _carried(self, said: Said) -> Any:
        """The confidence of what was said, or those of its claims."""
        confidences = [claim.confidence for claim in said.claims]
        return confidences if self.signal in OF_SENTENCES else confidences[0]

    def _unfit(self, sample: Sample, answer: Object | None) -> str:
        """Why the answers cannot be calibrated; "" where they can."""
        choices = [*sample.choices, *([answer] if answer else [])]
        messages = [choice["message"] for choice in choices]
        texts = list(map(text_of, choices))
        samples = len(sample.choices)
        unlike = self._calibrator.unlike([samples], own_answer=self._own_answer)
        alike = not unlike if self._calibrator.design_ else 2 * samples >= self._wanted
        losses = f"{sample.copies} copies of others, {sample.failed} failed"
        few = f"{samples} of {self._wanted} answers are samples of their own ({losses}), which is too few"
        lacking = self._logprobs and not all(map(_logprobs, sample.choices))
        reasons = {
            "the model called a tool": any(map(_of_tools, messages)),
            "the model refused": any(message.get("refusal") for message in messages),
            "an answer has no text": not all(text.strip() for text in texts),
            "an answer is too long": max(map(len, texts)) > LONGEST_ANSWER,
            "the upstream gave no log-probabilities": lacking,
            few: samples != self._wanted and not alike,
        }
        return next((why for why, holds in reasons.items() if holds), "")


def _logprobs(choice: Object) -> list[float]:
    """The log-probabilities of an answer's tokens, without those of reasoning; empty where they did not come."""
    try:
        tokens = choice["logprobs"]["content"]
        places = answer_tokens([token["token"].encode() for token in tokens], text_of(choice))
        return [min(float(tokens[place]["logprob"]), 0.0) for place in places]
    except (KeyError, TypeError, ValueError, AttributeError):
        return []


def unchanged(reason: str) -> Object:
    """Return the object ``ralc`` of a reply that passes as it came."""
    return {"calibrated": False, "reason": reason}


def agreement_by_field(texts: Sequence[str], answer: str) -> dict[str, float]:
    """Return, by the path of each value in a JSON answer, the share of texts that have the same one there.

    Empty where the answer is no JSON object or list. At most `_MOST_FIELDS` are told.

    >>> texts = ['{"days": 14, "of": ["a"]}', '{"days": 21, "of": ["a"]}', "no"]
    >>> agreement_by_field(texts, texts[0])
    {'days': 0.3333, 'of.0': 0.6667}
    """
    values = _leaves(answer)
    others = list(map(_leaves, texts))
    shares = {path: [other.get(path) == value for other in others] for path, value in values.items()}
    return {path: round(sum(same) / len(texts), 4) for path, same in shares.items()}


def _leaves(text: str) -> dict[str, str]:
    """The values in a JSON text, as JSON, by their paths."""
    found = dict[str, str]()
    try:
        waiting: list[tuple[tuple[str, ...], Any]] = [((), parsed(text))]
    except ValueError:
        return found
    while waiting and len(found) < _MOST_FIELDS:
        path, value = waiting.pop()
        if isinstance(value, list | dict):
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [((*path, str(key)), one) for key, one in inner][::-1]
        elif path:
            found[".".join(path)] = json.dumps(value)
    return found
