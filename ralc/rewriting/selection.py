"""Choosing the words of claims: the nearest hedges, read in their places, by 1-Wasserstein distance (SPEC step 9).

Most claims are read twice: as they came, and with one drawn hedge in its plainest place. Only where that misses are
all places of the nearest hedges read.
"""

import hashlib
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ralc.beta import Beta
from ralc.english import place_hedge, remove_hedge
from ralc.evaluators.evaluator import CLOSE, EvaluatorModel

#: Evaluators answer in steps of five per cent: a text is in calibrated words that is read within one of its target.
STEP = 0.05
#: Hedges among which one is drawn (paper: k = 5), and whose places are all read where it misses.
HEDGES, TRIED = 5, 10
#: Hedges that a long answer may have, however few its claims; more may stand in at most half of them.
FEWEST = 4


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

    Parameters
    ----------
    original
        As it came.
    target
        The confidence that it should convey, a single `Beta`; None where none came.
    answer
        The number of the answer that it belongs to: no hedge stands twice in one.
    hedges
        The nearest ones, nearest first.
    drafts
        Texts of a model, which compete with the hedges.
    names
        Words that stay capitalised behind a hedge.
    start, end
        Its characters in the answer.
    reason
        Why it is not in calibrated words, or needed none.
    text, hedge, read
        Its words, the expression that was put in, and the evaluator's reading.
    origin
        ``left`` where it was already read as meant, ``unhedged`` where it is without its own hedges, ``grammar`` where
        a hedge was put in, ``model`` of a draft, ``crowded`` where the answer has hedges enough, else empty.
    """

    original: str
    target: Beta | None
    answer: int = 0
    hedges: Sequence[Hedge] = ()
    drafts: Sequence[str] = ()
    names: Collection[str] = ()
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
        return remove_hedge(self.original) or self.original

    @property
    def calibrated(self) -> bool:
        """Whether it is read within 0.05 of its target."""
        return self.target is not None and self.read is not None and is_within_step(self.target, self.read)

    def options(self, hedges: Iterable[Hedge], *, each: int | None = None) -> list[Option]:
        """Return the places of hedges, each text once; of `each` hedge so many, the plainest first."""
        found: dict[str, Option] = {}
        for hedge in hedges:
            for text in place_hedge(hedge.expression, hedge.frame, self.unhedged, names=self.names)[:each]:
                found.setdefault(text, Option(text, hedge))
        return list(found.values())

    def put_back(self, reason: str) -> None:
        """Let it stand as it came."""
        self.text, self.hedge, self.read, self.reason = self.original, "", None, reason


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

    Parameters
    ----------
    claims
        Those of one answer stand in its order; each has a target.
    evaluator
        Who reads them.
    keep
        Whether a claim stays that is read within `STEP` of its target as it came, or without its own hedges.
    seed
        Of the draw among hedges that are equally near.
    sizes
        How many claims each answer has, by `Claim.answer`; without it no answer is crowded.
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
    _take_nearest(_drawn(_open(claims), seed), evaluator, used, seed, drawn=True)
    _take_nearest(_all_options(_open(claims), used), evaluator, used, seed)


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
    wanting: dict[int, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.answer in sizes:
            wanting[claim.answer].append(claim)
    for answer, own in wanting.items():
        own.sort(key=lambda claim: abs(float(claim.read.mean - claim.target.mean)))
        for claim in own[: max(len(own) - max(FEWEST, sizes[answer] // 2), 0)]:
            claim.origin = "crowded"


def _drawn(claims: Sequence[Claim], seed: int) -> dict[Claim, list[Option]]:
    """The plainest place of one hedge of each claim, and its drafts.

    The hedge is drawn among those that are as near as the nearest, so that a hundred answers do not all say the same;
    the draw depends on seed and text alone.
    """
    found: dict[Claim, list[Option]] = {}
    taken: dict[int, set[str]] = defaultdict(set)
    for claim in claims:
        own = taken[claim.answer]
        free = [hedge for hedge in claim.hedges if hedge.key not in own][:HEDGES]
        near = [hedge for hedge in free if hedge.distance <= free[0].distance + CLOSE]
        first = zlib.crc32(claim.original.encode(errors="surrogatepass"), seed) % len(near) if near else 0
        ordered = [*near[first:], *near[:first], *free[len(near) :]]
        option = next((one for hedge in ordered for one in claim.options([hedge], each=1)), None)
        if option and option.hedge:
            own.add(option.hedge.key)
            found[claim] = [option, *(Option(draft, None) for draft in claim.drafts)]
    return found


def _all_options(claims: Sequence[Claim], used: Mapping[int, set[str]]) -> dict[Claim, list[Option]]:
    """All places of the nearest hedges of each claim, and its drafts."""
    found = {}
    for claim in claims:
        free = [hedge for hedge in claim.hedges if hedge.key not in used[claim.answer]]
        found[claim] = [*(Option(draft, None) for draft in claim.drafts), *claim.options(free[:TRIED])]
    return found


def _take_nearest(
    listed: Mapping[Claim, list[Option]],
    evaluator: EvaluatorModel,
    used: dict[int, set[str]],
    seed: int,
    *,
    drawn: bool = False,
) -> None:
    """Read options, and take for each claim the one that is read nearest to its target.

    Of a claim with one `drawn` hedge that is only as far as the hedge itself: else all options are to be read.
    """
    read = _readings(evaluator, (option.text for options in listed.values() for option in options))
    for claim, options in listed.items():
        own = used[claim.answer]
        free = [option for option in options if option.hedge is None or option.hedge.key not in own]
        if not free:
            continue
        readings = Beta(*np.transpose([(read[one.text].alpha, read[one.text].beta) for one in free]))
        far = np.atleast_1d(readings.wasserstein_distance(claim.target)).tolist()
        place = nearest(far, [option.text for option in free], f"{seed}/{claim.original}")
        if drawn and far[place] > options[0].hedge.distance + CLOSE:
            continue
        claim.text, hedge = free[place]
        claim.hedge, claim.origin = ("", "model") if hedge is None else (hedge.expression, "grammar")
        claim.read = read[claim.text]
        own |= {hedge.key} if hedge else set()
