"""What was said before in a conversation: claims keep the confidence that they had when they were first made.

Below its own answer a model agrees with itself. So a claim that is made again, and what comes in its place when the
user doubts it, has the confidence of the samples that were drawn before (SPEC section 13). Replies are known by a keyed
hash of what went out. Nothing is written, and the oldest are forgotten.
"""

import hashlib
import hmac
import secrets
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import NamedTuple

from ralc.beta import Beta
from ralc.english import (
    IDLE_WORDS,
    answered_order,
    is_given,
    is_pushback,
    normalise,
    same_answer,
    sentences,
    without_assurance,
    without_vouching,
    words,
)
from ralc.rewriting.doors import skip_reason
from ralc.serve.upstream import Headers, Object

#: Bytes of all replies that are kept (some 4,700 of a sentence each).
LARGEST = 4_000_000
#: Seconds for which each is kept.
LONGEST_S = 86_400.0
#: Bytes that a reply and a claim take beside their texts (measured).
_OF_REPLY = 352
_OF_CLAIM = 226
#: What is said again of an answer that takes no words.
_SHORT = "My answer is right."
#: What is doubted is not surer than this for saying so: "I have checked that".
_DOUBTED = 0.85
#: What says who asks.
_KEYS = (b"authorization", b"api-key", b"x-ralc-key")


class Turn(StrEnum):
    """What a reply is to the conversation before it."""

    FIRST = "first"
    NEW = "new claim"
    AGAIN = "said again"
    REVERSAL = "reversal"
    UNKNOWN = "unknown"


class Claim(NamedTuple):
    """A claim as the model made it, its confidence before any map (None: unknown), and why it promises nothing."""

    text: str
    confidence: Beta | None
    doubt: str = ""


class Said(NamedTuple):
    """A reply: the question that its claims answer, what it says, its claims, and its words as they came."""

    question: str
    text: str
    claims: tuple[Claim, ...]
    came: str

    @property
    def doubt(self) -> str:
        """Why the first of its claims that promises nothing does so; "" where all promise."""
        return next((claim.doubt for claim in self.claims if claim.doubt), "")

    def vouched(self, came: str) -> "Said":
        """Return what a reply says that only vouches for it: itself, or that it is right where it takes no words."""
        wordless = len(self.claims) == 1 and skip_reason(self.text, self.question)
        return self._replace(text=_SHORT if wordless else self.text, came=came)

    @property
    def size(self) -> int:
        """Bytes that it takes; a text that is the same object twice takes them once."""
        texts = (self.question, self.text, self.came, *(claim.text for claim in self.claims))
        distinct = {id(text): sys.getsizeof(text) for text in texts}
        return _OF_REPLY + _OF_CLAIM * len(self.claims) + sum(distinct.values())


class Memory:
    """Replies as they went out, in bounded memory.

    Parameters
    ----------
    largest
        Bytes that all of them may take.
    longest_s
        Seconds for which each is kept.
    """

    def __init__(self, largest: int = LARGEST, longest_s: float = LONGEST_S) -> None:
        self._largest = largest
        self._longest_s = longest_s
        self._size = 0
        self._key = secrets.token_bytes(32)
        self._said = OrderedDict[bytes, tuple[float, Said]]()

    def keep(self, headers: Headers, question: str, reply: str, said: Said) -> None:
        """Keep what was said in a reply that goes out to a caller's question.

        Parameters
        ----------
        headers
            Those of the request, which say who asks.
        question
            What the caller asked.
        reply
            The text that goes out.
        said
            What it says.
        """
        place = self._place(headers, question, reply)
        self._forget(place)
        self._said[place] = (time.monotonic(), said)
        self._size += said.size
        oldest = time.monotonic() - self._longest_s
        while self._said and (self._size > self._largest or next(iter(self._said.values()))[0] < oldest):
            self._forget(next(iter(self._said)))

    def find(self, headers: Headers, question: str, reply: str) -> Said | None:
        """Return what was said in an earlier reply to this caller; None where it is not known.

        Parameters
        ----------
        headers
            Those of the request, which say who asks.
        question
            What the caller had asked.
        reply
            The text that went out, as the caller has it; space around it does not matter.
        """
        kept, said = self._said.get(self._place(headers, question, reply), (0.0, None))
        return said if kept >= time.monotonic() - self._longest_s else None

    def __len__(self) -> int:
        """How many replies are kept."""
        return len(self._said)

    def _forget(self, place: bytes) -> None:
        if place in self._said:
            self._size -= self._said.pop(place)[1].size

    def _place(self, headers: Headers, *texts: str) -> bytes:
        who = [value for name, value in headers if name.lower() in _KEYS]
        digest = hmac.new(self._key, digestmod=hashlib.sha256)
        for part in (*who, *(text.strip().encode("utf-8", "surrogatepass") for text in texts)):
            digest.update(len(part).to_bytes(8, "big") + part)
        return digest.digest()


@dataclass(frozen=True)
class Conversation:
    """The replies before a question, the last one first: what the client has of each, and what is known of it."""

    question: str
    earlier: tuple[tuple[str, str, Said | None], ...]

    @property
    def number(self) -> int:
        """The number of this turn, from 1."""
        return len(self.earlier) + 1

    @property
    def again(self) -> bool:
        """Whether the last answer is doubted, or its question asked once more."""
        if not self.earlier:
            return False
        asked, *_ = self.earlier[0]
        return is_pushback(self.question) or normalise(self.question) == normalise(asked)

    @property
    def answered(self) -> str:
        """The question that a reply answers: an order of writing that goes on, what was doubted, else the last one."""
        earlier = [_answered(asked, known) for asked, _, known in reversed(self.earlier)]
        return earlier[-1] if self.again else reduce(answered_order, [*earlier, self.question])

    @property
    def unknown(self) -> bool:
        """Whether what is asked again was said in a reply that is not known."""
        return self.again and self.earlier[0][2] is None

    def place(self, text: str, claims: Sequence[Claim]) -> tuple[Turn, Said]:
        """Return what a reply is to the conversation, and what it says, with the confidences that its claims have.

        Parameters
        ----------
        text
            The reply, as the model said it.
        claims
            Its claims, with the confidences of this turn's samples.

        Returns
        -------
        A reply that only vouches for an earlier one says that one's words again.
        """
        if not self.earlier:
            return Turn.FIRST, Said(self.question, text, tuple(claims), text)
        again = self.again
        known = self.earlier[0][2]
        bare = self._bare(text, alone=len(claims) == 1)
        if self.unknown:
            return Turn.UNKNOWN, Said(self.answered, text, tuple(claims), text)
        if again and not bare:
            return Turn.AGAIN, known.vouched(text)
        if len(claims) == 1:
            claims = [claims[0]._replace(text=bare)]
        claims = [claim for claim in claims if claim.text in bare]
        placed = [self._placed(claim, again=again, alone=len(claims) == 1) for claim in claims]
        turns = [turn for turn, _ in placed]
        kind = next((turn for turn in (Turn.UNKNOWN, Turn.REVERSAL, Turn.AGAIN) if turn in turns), Turn.NEW)
        carried = tuple(claim for _, claim in placed)
        return kind, Said(self.answered, bare or text, carried, text)

    def _bare(self, text: str, *, alone: bool) -> str:
        """A reply without what only vouches for an earlier one, or its `alone` claim; "" where it does nothing else."""
        if not is_pushback(self.question):
            return text
        asked, _, known = self.earlier[0]
        about = f"{_answered(asked, known)} {known.text if known else ''}"
        bare = without_vouching(text, self.question, about)
        bare = without_assurance(bare, _DOUBTED, doubted=True) if alone else bare
        # "Yes, I have checked the symbol Ts.", but not "Which question?"
        vouches = bare != text or words(text)[:1] == ["yes"]
        return "" if vouches and not any(one.claims for one in sentences(bare)) else bare

    def _placed(self, claim: Claim, *, again: bool, alone: bool) -> tuple[Turn, Claim]:
        """What a claim of a reply, the only one where it is `alone`, is to the conversation; with its confidence.

        What the user told before has none.
        """
        known = self.earlier[0][2]
        if not alone and any(is_given(claim.text, asked) for asked, *_ in self.earlier):
            return Turn.NEW, claim._replace(confidence=None)
        same = next(self._same(claim, again=again), None)
        if same is not None:
            turn = Turn.UNKNOWN if same.confidence is None else Turn.AGAIN
        elif again and alone and len(known.claims) == 1:
            same = known.claims[0]
            turn = Turn.REVERSAL
        else:
            return Turn.NEW, claim
        return turn, same._replace(text=claim.text)

    def _same(self, claim: Claim, *, again: bool) -> Iterator[Claim]:
        """The claims of earlier replies that say the same; those of an unknown reply have no confidence.

        Unless it is asked `again`, the answer to another question may name the same, and has words of its own.
        """
        for asked, sent, known in self.earlier:
            question = _answered(asked, known)
            for said in known.claims if known else [Claim(sent, None)]:
                known_words = IDLE_WORDS.union(words(said.text), words(question))
                if not (again or known_words.issuperset(words(claim.text))):
                    continue
                if same_claim(said.text, claim.text, question):
                    yield said


def _answered(asked: str, known: Said | None) -> str:
    """The question that an earlier reply to `asked` answers: a doubt is answered by what was doubted."""
    return known.question if known else asked


def same_claim(text: str, other: str, question: str) -> bool:
    """Return whether two texts make the same claim in answer to a question.

    Parameters
    ----------
    text, other
        The texts.
    question
        What both answer.
    """
    if ("if" in words(text)) != ("if" in words(other)):
        return False  # "Thus, it is true." and "If so, it is true."
    return normalise(text) == normalise(other) or same_answer(text, other, question) == "yes"


def recalled(
    messages: Sequence[Object], texts: Sequence[str | None], memory: Memory, headers: Headers
) -> tuple[Conversation, list[Object]]:
    """Return the conversation that messages are, and the messages with each known reply as the model said it.

    What is said before any question answers none.

    Parameters
    ----------
    messages
        Those of the request, in their order; the last one of the user asks.
    texts
        The text of each message; None where it is not text.
    memory
        The replies that went out.
    headers
        Those of the request, which say who asks.

    Returns
    -------
    Conversation
        The question, and the replies before it, the last one first.
    list of dict
        Of the length of `messages`.
    """
    earlier = list[tuple[str, str, Said | None]]()
    restored = list[Object]()
    asked = ""
    for message, text in zip(messages, texts, strict=True):
        known = None
        if message.get("role") == "user":
            asked = text or ""
        elif message.get("role") == "assistant" and asked and text and text.strip():
            known = memory.find(headers, asked, text)
            earlier.insert(0, (asked, text, known))
        restored.append({**message, "content": known.came} if known else message)
    return Conversation(asked, tuple(earlier)), restored
