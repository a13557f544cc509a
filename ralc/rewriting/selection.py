"""Which claims are hedged, and the choice of words: the nearest hedges, read in their places (SPEC step 9).

An answer that claims nothing, or abstains, passes as it is. Most claims are read twice: as they came, and with one
drawn hedge in its plainest place. Only where that misses are all places of the nearest hedges read.
"""

import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from ralc.beta import Beta
from ralc.english import place_hedge, remove_hedge, sentences, unread
from ralc.evaluators.evaluator import CLOSE, EvaluatorModel
from ralc.llm.chat import final_answer

#: Evaluators answer in steps of five per cent: a text is in calibrated words that is read within one of its target.
STEP = 0.05
#: Hedges among which one is drawn (paper: k = 5), and whose places are all read where it misses.
HEDGES, TRIED = 5, 10
#: Hedges that a long answer may have, however few its claims; more may stand in at most half of them.
FEWEST = 4

_SPEAKER = re.compile(r"\b(?:I|[Ww]e|me|us|[Mm]y|[Oo]ur|[Ss]orry)\b|[Uu]nfortunately|[Aa]pologi")
#: Why an answer passes: it abstains, or nothing is claimed in it. Sentences of a story or a letter only look like
#: claims.
ABSTAINS, SILENT = "it abstains", "it claims nothing"
ORDERED = "it is a piece of writing that was asked for"
_NOTHING = re.compile(
    r"(?:(?-i:n/?a|N/?A)|the|(?:(?:the |this )?answer|(?:it|that)(?= is))(?: is(?: correct| right| true)?)?)?"
    r"[\s.,:;-]*",
    re.IGNORECASE,
)
_WRITINGS = (
    "(?:book|concert|film|movie|product) review|dialogue|e-?mail|haiku|joke|letter|limerick|lyrics|message|note"
    "|podcast script|poem|riddle|scene|soliloquy|song|speech|story|tale|toast|verse"
)
#: What is written on order claims nothing: a story, a letter, the same in other words.
_ORDERED = re.compile(
    r"\s*(?:please |(?:can|could|would|will) you (?:please )?(?:help me (?:to )?)?)?"
    r"(?:(?:(?:write|compose|draft|structure|invent|make up|start|begin|continue|finish)\b[^.?!\n]{0,60}?\b"
    rf"|an? (?:[\w-]+ ){{0,3}})(?:{_WRITINGS}|script for an? [\w ]*(?:video|film))\b"
    r"|(?:translate|rephrase|paraphrase|proofread)\b"
    # What a conversation was about is said of the conversation, and what somebody else would say is his.
    r"|(?:summari[sz]e|sum up|recap) (?:our|this|the) (?:whole )?(?:chat|conversation|discussion)\b"
    r"|(?:pretend|picture yourself)\b|(?:imagine (?:that )?you(?: a|['’])re|if you were) an?\b"
    r"|(?:text|e-?mail|message) (?:my|our|the|her|him|them)\b|(?:continue|finish)(?: the text| this)?:)",
    re.IGNORECASE,
)


class Hedge(NamedTuple):
    """A hedge of the lexicon, how it stands in a sentence, and how far its confidence is from a claim's target."""

    expression: str
    frame: str
    distance: float

    @property
    def key(self) -> str:
        """Its words but for those in front: "it is likely" and "likely" are heard as the same."""
        return self.expression.removeprefix("it is ")


class Option(NamedTuple):
    """A wording of a claim, and the hedge that was put in; None of a draft."""

    text: str
    hedge: Hedge | None


@dataclass(eq=False)
class Claim:
    """A claim on its way into calibrated words.

    `original` is as it came, at the characters `start` to `end` of the answer of that number; no hedge stands twice in
    one. `drafts` of a model compete with the nearest `hedges`, nearest first. `text`, `hedge` and `read` are its words,
    the expression that was put in, and the evaluator's reading. `reason` is why it is not in calibrated words, or
    needed none. `origin` is ``left`` if it was already read as meant, ``unhedged`` if only its own hedges went.
    ``grammar``: a hedge was put in. ``model``: a draft. ``crowded``: the answer has hedges enough. Else it is empty.
    """

    original: str
    target: Beta | None
    answer: int = 0
    hedges: Sequence[Hedge] = ()
    drafts: Sequence[str] = ()
    start: int = 0
    end: int = 0
    reason: str = ""
    text: str = ""
    hedge: str = ""
    read: Beta | None = None
    origin: str = ""

    def __post_init__(self) -> None:
        self.text = self.original

    @cached_property
    def unhedged(self) -> str:
        """The claim without hedges of its own; as it came where they cannot be taken off."""
        return remove_hedge(self.original).text or self.original

    @property
    def calibrated(self) -> bool:
        """Whether it is read within 0.05 of its target."""
        return self.target is not None and self.read is not None and is_within_step(self.target, self.read)

    def to_dict(self) -> dict[str, Any]:
        """Return it as an object of JSON."""
        names = ("start", "end", "original", "hedge", "calibrated", "reason")
        numbers = {name: as_numbers(getattr(self, name)) for name in ("target", "read")}
        return {name: getattr(self, name) for name in names} | numbers

    def options(self, hedges: Iterable[Hedge], *, each: int | None = None) -> list[Option]:
        """Return the places of hedges, each text once; of `each` hedge so many, the plainest first."""
        options: dict[str, Option] = {}
        for hedge in hedges:
            for text in place_hedge(hedge.expression, hedge.frame, self.unhedged)[:each]:
                options.setdefault(text, Option(text, hedge))
        return list(options.values())

    def put_back(self, reason: str) -> None:
        """Let it stand as it came."""
        self.text, self.hedge, self.read, self.reason = self.original, "", None, reason


def as_numbers(confidence: Beta | None) -> float | list[float] | None:
    """Return the mean of a confidence, or those of several, to four places; None where there is none.

    >>> as_numbers(Beta(1, 2)), as_numbers(Beta([1, 3], 1))
    (0.3333, [0.5, 0.75])
    """
    return None if confidence is None else np.round(confidence.mean, 4).tolist()


def is_within_step(target: Beta, read: Beta) -> bool:
    """Return whether a reading is as near to its target as evaluators' steps tell.

    >>> is_within_step(Beta(6, 4), Beta(13, 7)), is_within_step(Beta(4, 6), Beta(13, 7))
    (True, False)
    """
    return abs(float(read.mean - target.mean)) <= STEP + 1e-9


def nearest(distances: Sequence[float], texts: Sequence[str], key: str) -> int:
    """Return the place of the smallest distance; among those within `CLOSE` of it a draw by `key` decides.

    >>> nearest([0.3, 0.1, 0.2], ["a", "b", "c"], "seed")
    1
    """
    best = min(distances)
    near = [at for at, far in enumerate(distances) if far <= best + CLOSE]
    return min(near, key=lambda at: hashlib.sha256(f"{key}/{texts[at]}".encode()).digest())


def choose(
    claims: Sequence[Claim],
    evaluator: EvaluatorModel,
    *,
    keep: bool = True,
    seed: int = 0,
    sizes: Mapping[int, int] | None = None,
) -> None:
    """Choose the words of each claim: fill in its text, hedge, origin and reading.

    The claims of one answer stand in its order; each has a target. With `keep` one stays that is read within `STEP` of
    its target as it came, or without its own hedges. `sizes` is how many claims each answer has, by `Claim.answer`;
    without it no answer is crowded.
    """
    read = _readings(evaluator, (claim.original for claim in claims))
    for claim in claims:
        claim.read = read[claim.original]
        if keep and claim.calibrated:
            claim.origin = "left"
    if keep:
        _take_off(_open(claims), evaluator)
    _leave_crowded(_open(claims), sizes or {})
    used: dict[int, set[str]] = defaultdict(set)
    _take_nearest(_draw_hedges(_open(claims), seed), evaluator, used, seed, drawn=True)
    everywhere = {}
    for claim in _open(claims):
        free = [hedge for hedge in claim.hedges if hedge.key not in used[claim.answer]]
        everywhere[claim] = [*(Option(draft, None) for draft in claim.drafts), *claim.options(free[:TRIED])]
    _take_nearest(everywhere, evaluator, used, seed)


def _open(claims: Sequence[Claim]) -> list[Claim]:
    """The claims of which nothing is decided."""
    return [claim for claim in claims if not claim.origin]


def _readings(evaluator: EvaluatorModel, texts: Iterable[str]) -> dict[str, Beta]:
    """The reading of each text; equal ones are read once."""
    unique = list(dict.fromkeys(texts))
    return dict(zip(unique, evaluator.read(unique), strict=True)) if unique else {}


def _take_off(claims: Sequence[Claim], evaluator: EvaluatorModel) -> None:
    """Take off the hedges of claims that are read as meant without them."""
    hedged = [claim for claim in claims if claim.unhedged != claim.original]
    read = _readings(evaluator, (claim.unhedged for claim in hedged))
    for claim in hedged:
        if is_within_step(claim.target, read[claim.unhedged]):
            claim.text, claim.origin, claim.read = claim.unhedged, "unhedged", read[claim.unhedged]


def _leave_crowded(claims: Sequence[Claim], sizes: Mapping[int, int]) -> None:
    """Leave the claims of an answer that are read nearest to their targets, where too many want a hedge."""
    for answer, group in groupby(claims, key=lambda claim: claim.answer):
        ranked = sorted(group, key=lambda claim: abs(float(claim.read.mean - claim.target.mean)))
        most = max(FEWEST, sizes.get(answer, 2 * len(ranked)) // 2)
        for claim in ranked[: max(len(ranked) - most, 0)]:
            claim.origin = "crowded"


def _draw_hedges(claims: Sequence[Claim], seed: int) -> dict[Claim, list[Option]]:
    """The plainest place of one hedge of each claim, and its drafts.

    The hedge is drawn among those as near as the nearest, so that a hundred answers do not all read the same. The draw
    depends on seed and text alone.
    """
    options: dict[Claim, list[Option]] = {}
    taken: dict[int, set[str]] = defaultdict(set)
    for claim in claims:
        used = taken[claim.answer]
        free = [hedge for hedge in claim.hedges if hedge.key not in used][:HEDGES]
        near = [hedge for hedge in free if hedge.distance <= free[0].distance + CLOSE]
        first = zlib.crc32(claim.original.encode(errors="surrogatepass"), seed) % len(near) if near else 0
        ordered = [*near[first:], *near[:first], *free[len(near) :]]
        option = next((one for hedge in ordered for one in claim.options([hedge], each=1)), None)
        if option and option.hedge:
            used.add(option.hedge.key)
            options[claim] = [option, *(Option(draft, None) for draft in claim.drafts)]
    return options


def _take_nearest(
    listed: Mapping[Claim, list[Option]],
    evaluator: EvaluatorModel,
    used: dict[int, set[str]],
    seed: int,
    *,
    drawn: bool = False,
) -> None:
    """Read options, and take for each claim the one that is read nearest to its target.

    That of a `drawn` hedge is taken only where it is as near as the hedge itself.
    """
    pairs = [(claim, option) for claim, options in listed.items() for option in options]
    read = _readings(evaluator, (option.text for _, option in pairs))
    both = ((read[option.text], claim.target) for claim, option in pairs)
    a, b, c, d = np.array([(s.alpha, s.beta, t.alpha, t.beta) for s, t in both]).reshape(-1, 4).T
    far = dict(zip(pairs, Beta(a, b).wasserstein_distance(Beta(c, d)).tolist(), strict=True))
    for claim, options in listed.items():
        used_keys = used[claim.answer]
        free = [option for option in options if option.hedge is None or option.hedge.key not in used_keys]
        if not free:
            continue
        distances = [far[claim, option] for option in free]
        place = nearest(distances, [option.text for option in free], f"{seed}/{claim.original}")
        if drawn and distances[place] > options[0].hedge.distance + CLOSE:
            continue
        claim.text, hedge = free[place]
        claim.hedge, claim.origin = ("", "model") if hedge is None else (hedge.expression, "grammar")
        claim.read = read[claim.text]
        used_keys |= {hedge.key} if hedge else set()


def claims_lack(text: str) -> bool:
    """Return whether an abstention claims something, right or wrong: that the background does not say, not the speaker.

    >>> claims_lack("The background does not say who built it."), claims_lack("I cannot tell from the background.")
    (True, False)
    """
    untold = any(one.abstention == "not told" for one in sentences(text))
    return skip_reason(text) == ABSTAINS and untold and not _SPEAKER.search(text)


def skip_reason(text: str, question: str = "") -> str:
    """Return why an answer is not to be hedged; empty where it is.

    An abstention is as sure as it says it is. An answer that doubts itself would say something else if it was hedged.

    >>> [skip_reason(text) for text in ("Paris.", "I don't know.", "Which France do you mean?", "The answer is:")]
    ['', 'it abstains', 'it is a question', 'it is no answer']
    >>> skip_reason("I'm sorry, but I can't help with that."), skip_reason("I doubt that it is Paris.")
    ('it refuses', 'it doubts what it names')
    """
    if why := unread(text):
        return why
    if orders_writing(question):
        return ORDERED
    if final_answer(text)[1]:
        return "it reasons aloud"
    unhedged = remove_hedge(text)
    bare = unhedged.text or text
    parts = sentences(text if any(one.claims for one in sentences(text)) else bare)
    sentence = next((one for one in parts if one.claims), None)
    if sentence is None and any(one.abstention == "refusal" for one in parts):
        return "it refuses"
    claimed = text if sentence is None else bare if len(parts) == 1 else sentence.words.text
    if any(one.abstention for one in sentences(claimed)):
        return ABSTAINS
    if _NOTHING.fullmatch(claimed.strip()):
        return "it is no answer"
    if sentence is None:
        return "it is a question" if any(one.kind == "question" for one in parts) else SILENT
    return unhedged.reason


def orders_writing(question: str) -> bool:
    """Return whether a question asks for a piece of writing, which claims nothing: a poem, a letter, a translation.

    >>> orders_writing("Write a poem."), orders_writing("a two line poem on autumn"), orders_writing("Who wrote it?")
    (True, True, False)
    """
    return bool(_ORDERED.match(question))
